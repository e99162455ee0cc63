/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three workers answer requests with the rows that a query gives, over four connections to a database. A connection is
 * kept while the n rows are made into a page, for which it is not needed: one query each.
 * Twin 1: rows are fetched as the page is made, so that the connection is used the more the longer it is kept.
 * Twin 2: the connection is given back before the page is made.
 */
#include "program.h"
#include <pthread.h>
#include <scale/annotate.h>

enum { CONNECTIONS = 4, WORKERS = 3, REQUESTS = 8 };

struct connection {
  struct connection *next;
  long queries;
};
static struct pool {
  pthread_mutex_t lock;
  pthread_cond_t returned;
  struct connection *unused, connections[CONNECTIONS];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .returned = PTHREAD_COND_INITIALIZER};

static struct connection *pool_get(void)
{
  pthread_mutex_lock(&pool.lock);
  while (!pool.unused)
    pthread_cond_wait(&pool.returned, &pool.lock);
  struct connection *connection = pool.unused;
  pool.unused = connection->next;
  pthread_mutex_unlock(&pool.lock);
  SCALE_ACQUIRE("connections", connection, 1); /* culprit */
  return connection;
}

static void pool_put(struct connection *connection)
{
  SCALE_RELEASE("connections", connection, 1);
  pthread_mutex_lock(&pool.lock);
  connection->next = pool.unused;
  pool.unused = connection;
  pthread_cond_signal(&pool.returned);
  pthread_mutex_unlock(&pool.lock);
}

static void query(struct connection *connection)
{
  SCALE_READ("connections", connection);
  connection->queries++;
}

/* A row is made into a line of the page within five microseconds. */
static void make_page(long rows) { program_pause(5 * rows); }

static void answer(long rows)
{
  struct connection *connection = pool_get(); /* culprit */
  query(connection);
#if TWIN == 1
  for (long row = 0; row < rows; row += 50) {
    query(connection);
    make_page(50);
  }
  pool_put(connection);
#elif TWIN == 2
  pool_put(connection);
  make_page(rows);
#else
  make_page(rows);
  pool_put(connection);
#endif
}

static long rows;

static void *worker(void *unused)
{
  for (int request = 0; request < REQUESTS; request++) {
    program_pause(60000);
    answer(rows);
  }
  return unused;
}

int main(int argc, char **argv)
{
  SCALE_CAPACITY("connections", CONNECTIONS);
  rows = program_size(argc, argv);
  for (int i = 0; i < CONNECTIONS; i++) {
    pool.connections[i].next = pool.unused;
    pool.unused = &pool.connections[i];
  }
  pthread_t threads[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(threads[i], NULL);
  long sum = 0;
  for (int i = 0; i < CONNECTIONS; i++)
    sum += pool.connections[i].queries;
  printf("%ld\n", sum);
  return 0;
}
