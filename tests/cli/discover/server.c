/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server with a pool of connections, a queue of jobs and objects with references, and functions that look alike and do
 * nothing to them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct connection {
  struct connection *next;
  int descriptor, busy;
};
struct pool {
  struct connection *free;
  int used;
};
struct job {
  struct job *next;
  int number;
};
struct queue {
  struct job *head, *tail;
  pthread_mutex_t lock;
  pthread_cond_t filled;
};
struct page {
  int refcount, number;
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
/* Walks, and takes nothing out. */
struct connection *pool_find(struct pool *pool, int descriptor)
{
  for (struct connection *c = pool->free; c; c = c->next)
    if (c->descriptor == descriptor)
      return c;
  return NULL;
}

void job_submit(struct queue *queue, struct job *job)
{
  job->next = NULL;
  pthread_mutex_lock(&queue->lock);
  if (queue->tail)
    queue->tail->next = job;
  else
    queue->head = job;
  queue->tail = job;
  pthread_cond_signal(&queue->filled);
  pthread_mutex_unlock(&queue->lock);
}
struct job *job_fetch(struct queue *queue)
{
  pthread_mutex_lock(&queue->lock);
  while (!queue->head)
    pthread_cond_wait(&queue->filled, &queue->lock);
  struct job *job = queue->head;
  queue->head = job->next;
  if (!queue->head)
    queue->tail = NULL;
  pthread_mutex_unlock(&queue->lock);
  return job;
}

struct page *page_create(int number)
{
  struct page *page = malloc(sizeof *page);
  if (!page)
    return NULL;
  page->refcount = 1;
  page->number = number;
  return page;
}
void page_hold(struct page *page) { page->refcount++; }
void page_drop(struct page *page)
{
  if (--page->refcount == 0)
    free(page);
}
/* Holds it only while it looks. */
int page_scan(struct page *page)
{
  page->refcount++;
  int number = page->number;
  page->refcount--;
  return number;
}
char *page_describe(const struct page *page)
{
  char *text = malloc(32);
  if (text)
    snprintf(text, 32, "page %d", page->number);
  return text;
}

static struct pool pool;
static struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};

static int serve(int number)
{
  struct connection *connection = pool_obtain(&pool);
  struct page *page = page_create(number);
  struct job *job = job_fetch(&queue);
  int sum = 0;
  page_hold(page);
  char *text = page_describe(page);
  sum += (int)strlen(text ? text : "") + page_scan(page) + job->number + (pool_find(&pool, 1) != NULL);
  free(text);
  page_drop(page);
  page_drop(page);
  if (connection)
    pool_give(&pool, connection);
  return sum;
}

int main(int argc, char **argv)
{
  static struct connection connections[4];
  int count = argc > 1 ? atoi(argv[1]) : 10, sum = 0;
  struct job *jobs = calloc((size_t)count, sizeof *jobs);
  for (int i = 0; i < 4; i++)
    pool_give(&pool, &connections[i]);
  for (int i = 0; i < count; i++)
    job_submit(&queue, &jobs[i]);
  for (int i = 0; i < count; i++)
    sum += serve(i);
  free(jobs);
  printf("%d\n", sum);
  return 0;
}
