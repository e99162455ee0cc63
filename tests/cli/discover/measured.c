/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources that a run tells apart. A pool is used n times; there are three tables whatever n is; half of the tickets
 * are never freed; nobody opens a session. Buffers look like a pair, but buffer_destroy frees what buffer_create did
 * not make, and what buffer_create makes is freed by free. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct connection {
  struct connection *next;
  int number;
};
struct pool {
  struct connection *free;
  int used;
};
struct table {
  int *rows, count;
};
struct ticket {
  int number;
};
struct session {
  char *user;
};
struct buffer {
  char text[64];
};

struct connection *pool_obtain(struct pool *pool)
{
  struct connection *connection = pool->free;
  if (!connection)
    return NULL;
  pool->free = connection->next;
  pool->used++;
  return connection;
}
void pool_give(struct pool *pool, struct connection *connection)
{
  connection->next = pool->free;
  pool->free = connection;
  pool->used--;
}

struct table *table_create(int count)
{
  struct table *table = malloc(sizeof *table);
  table->rows = calloc((size_t)count, sizeof *table->rows);
  table->count = count;
  return table;
}
void table_destroy(struct table *table)
{
  free(table->rows);
  free(table);
}

struct ticket *ticket_new(int number)
{
  struct ticket *ticket = malloc(sizeof *ticket);
  ticket->number = number;
  return ticket;
}
void ticket_free(struct ticket *ticket) { free(ticket); }

struct session *session_open(const char *user)
{
  struct session *session = malloc(sizeof *session);
  session->user = strdup(user);
  return session;
}
void session_close(struct session *session)
{
  free(session->user);
  free(session);
}

struct buffer *buffer_create(void)
{
  struct buffer *buffer = malloc(sizeof *buffer);
  memset(buffer, 0, sizeof *buffer);
  return buffer;
}
void buffer_destroy(struct buffer *buffer) { free(buffer); }

static struct pool pool;
static struct ticket *kept[100000];
static struct buffer *others[100000];

static int serve(int number)
{
  struct connection *connection = pool_obtain(&pool);
  struct ticket *ticket = ticket_new(number);
  struct buffer *made = buffer_create();
  int sum = connection->number + ticket->number + made->text[0];
  if (number < 0)
    session_close(session_open("nobody"));
  if (number % 2)
    ticket_free(ticket);
  else
    kept[number % 100000] = ticket;
  free(made);
  buffer_destroy(others[number % 100000]);
  pool_give(&pool, connection);
  return sum;
}

static void lookup(int count)
{
  struct table *tables[3];
  for (int i = 0; i < 3; i++)
    tables[i] = table_create(count);
  for (int i = 0; i < 3; i++)
    table_destroy(tables[i]);
}

int main(int argc, char **argv)
{
  static struct connection connections[4];
  int count = argc > 1 ? atoi(argv[1]) : 10, sum = 0;
  for (int i = 0; i < 4; i++)
    pool_give(&pool, &connections[i]);
  for (int i = 0; i < count; i++)
    others[i % 100000] = malloc(sizeof *others[0]);
  lookup(16);
  for (int i = 0; i < count; i++)
    sum += serve(i);
  printf("%d\n", sum);
  return 0;
}
