/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units that threads take in turn where they wait for a condition otherwise, in the ways that programs do it: four
 * threads, 25 times each of every way, and three units. `queue` is no pool: what is taken there others have put. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 4, TIMES = 25, UNITS = 3 };

struct unit {
  struct unit *next;
};
static struct pool {
  pthread_mutex_t lock;
  struct unit *head;
  int left, waiting;
  pthread_cond_t list, index, counter, first, leaves, baton, queue, once;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .list = PTHREAD_COND_INITIALIZER,
          .index = PTHREAD_COND_INITIALIZER,
          .counter = PTHREAD_COND_INITIALIZER,
          .first = PTHREAD_COND_INITIALIZER,
          .leaves = PTHREAD_COND_INITIALIZER,
          .baton = PTHREAD_COND_INITIALIZER,
          .queue = PTHREAD_COND_INITIALIZER,
          .once = PTHREAD_COND_INITIALIZER};

/* A mutex and a condition of the program's own, with functions around them. */
static struct monitor {
  pthread_mutex_t lock;
  pthread_cond_t wrapped;
  int left;
} monitor = {.lock = PTHREAD_MUTEX_INITIALIZER, .wrapped = PTHREAD_COND_INITIALIZER, .left = 3};
static struct unit units[UNITS];

static struct unit *pop(struct pool *p)
{
  struct unit *u = p->head;
  p->head = u->next;
  return u;
}

static void push(struct pool *p, struct unit *u)
{
  u->next = p->head;
  p->head = u;
}

static struct unit *take_list(struct pool *p)
{
  pthread_mutex_lock(&p->lock);
  while (!p->head)
    pthread_cond_wait(&p->list, &p->lock);
  struct unit *u = pop(p);
  pthread_mutex_unlock(&p->lock);
  return u;
}

static void give_list(struct pool *p, struct unit *u)
{
  pthread_mutex_lock(&p->lock);
  push(p, u);
  pthread_mutex_unlock(&p->lock);
  pthread_cond_signal(&p->list);
}

/* 0: in vain. */
static int take_index(struct pool *p, int seconds)
{
  int result = 0, got;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += seconds;
  pthread_mutex_lock(&p->lock);
  while (p->left == 0 && result == 0)
    result = pthread_cond_timedwait(&p->index, &p->lock, &until);
  got = p->left > 0;
  p->left -= got;
  pthread_mutex_unlock(&p->lock);
  return got;
}

static void give_index(struct pool *p)
{
  pthread_mutex_lock(&p->lock);
  p->left++;
  pthread_cond_signal(&p->index);
  pthread_mutex_unlock(&p->lock);
}

static void take_counter(struct pool *p)
{
  pthread_mutex_lock(&p->lock);
  p->waiting++;
  while (p->left <= 0)
    pthread_cond_wait(&p->counter, &p->lock);
  p->waiting--;
  p->left--;
  pthread_mutex_unlock(&p->lock);
}

static void give_counter(struct pool *p)
{
  pthread_mutex_lock(&p->lock);
  p->left++;
  if (p->waiting > 0)
    pthread_cond_signal(&p->counter);
  pthread_mutex_unlock(&p->lock);
}

static struct unit *take_first(struct pool *p)
{
  struct unit *u;
  pthread_mutex_lock(&p->lock);
  while ((u = p->head) == NULL)
    pthread_cond_wait(&p->first, &p->lock);
  p->head = u->next;
  pthread_mutex_unlock(&p->lock);
  return u;
}

static void give_first(struct pool *p, struct unit *u)
{
  pthread_mutex_lock(&p->lock);
  int empty = !p->head;
  push(p, u);
  if (empty)
    pthread_cond_broadcast(&p->first);
  pthread_mutex_unlock(&p->lock);
}

/* NULL: in vain. */
static struct unit *take_leaves(struct pool *p, int seconds)
{
  struct timespec until;
  struct unit *u = NULL;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += seconds;
  pthread_mutex_lock(&p->lock);
  for (;;) {
    if (p->head)
      break;
    if (pthread_cond_timedwait(&p->leaves, &p->lock, &until) == ETIMEDOUT)
      goto out;
  }
  u = pop(p);
out:
  pthread_mutex_unlock(&p->lock);
  return u;
}

static void give_leaves(struct pool *p, struct unit *u)
{
  pthread_mutex_lock(&p->lock);
  push(p, u);
  pthread_cond_signal(&p->leaves);
  pthread_mutex_unlock(&p->lock);
}

/* Wakes the next one if there are more. */
static void take_baton(struct pool *p)
{
  pthread_mutex_lock(&p->lock);
  while (p->left == 0)
    pthread_cond_wait(&p->baton, &p->lock);
  if (--p->left > 0)
    pthread_cond_signal(&p->baton);
  pthread_mutex_unlock(&p->lock);
}

static void give_baton(struct pool *p)
{
  pthread_mutex_lock(&p->lock);
  p->left++;
  pthread_cond_signal(&p->baton);
  pthread_mutex_unlock(&p->lock);
}

/* NULL: somebody else was faster. */
static struct unit *take_once(struct pool *p)
{
  pthread_mutex_lock(&p->lock);
  if (!p->head && p->left >= 0)
    pthread_cond_wait(&p->once, &p->lock);
  struct unit *u = p->head ? pop(p) : NULL;
  pthread_mutex_unlock(&p->lock);
  return u;
}

static void give_once(struct pool *p, struct unit *u)
{
  pthread_mutex_lock(&p->lock);
  push(p, u);
  pthread_cond_signal(&p->once);
  pthread_mutex_unlock(&p->lock);
}

static void enter(struct monitor *m) { pthread_mutex_lock(&m->lock); }
static void leave(struct monitor *m) { pthread_mutex_unlock(&m->lock); }
static void await(struct monitor *m) { pthread_cond_wait(&m->wrapped, &m->lock); }
static void wake(struct monitor *m) { pthread_cond_signal(&m->wrapped); }

static void take_wrapped(struct monitor *m)
{
  enter(m);
  while (!m->left)
    await(m);
  m->left--;
  leave(m);
}

static void give_wrapped(struct monitor *m)
{
  enter(m);
  m->left++;
  leave(m);
  wake(m);
}

static void *consume(void *nothing)
{
  for (int i = 0; i < THREADS * TIMES; i++) {
    pthread_mutex_lock(&pool.lock);
    while (!pool.left)
      pthread_cond_wait(&pool.queue, &pool.lock);
    pool.left--;
    pthread_mutex_unlock(&pool.lock);
  }
  return nothing;
}

static void produce(struct pool *p)
{
  pthread_mutex_lock(&p->lock);
  p->left++;
  pthread_cond_signal(&p->queue);
  pthread_mutex_unlock(&p->lock);
}

static void *use(void *which)
{
  struct unit *u = NULL;
  for (int i = 0; i < TIMES; i++)
    switch (*(const char *)which) {
    case 'l':
      u = take_list(&pool);
      sched_yield();
      give_list(&pool, u);
      break;
    case 'i':
      take_index(&pool, 60);
      sched_yield();
      give_index(&pool);
      break;
    case 'c':
      take_counter(&pool);
      sched_yield();
      give_counter(&pool);
      break;
    case 'f':
      u = take_first(&pool);
      sched_yield();
      give_first(&pool, u);
      break;
    case 'e':
      u = take_leaves(&pool, 60);
      sched_yield();
      give_leaves(&pool, u);
      break;
    case 'b':
      take_baton(&pool);
      sched_yield();
      give_baton(&pool);
      break;
    case 'w':
      take_wrapped(&monitor);
      sched_yield();
      give_wrapped(&monitor);
      break;
    default:
      produce(&pool);
    }
  return NULL;
}

static void run(const char *which)
{
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, use, (void *)which);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

int main(void)
{
  pthread_t consumer;
  for (int i = 0; i < UNITS; i++)
    push(&pool, &units[i]);
  run("list");
  run("first");
  for (int i = 0; i < THREADS * TIMES; i++) /* by one thread: of several, one woken may find that another was faster */
    give_once(&pool, take_once(&pool));
  run("wrapped");
  run("ends");
  pool.left = UNITS;
  run("index");
  run("counter");
  run("baton");
  pool.left = 0;
  int in_vain = take_index(&pool, -1); /* times out at once */
  pool.head = NULL;
  in_vain += take_leaves(&pool, -1) != NULL;
  pthread_create(&consumer, NULL, consume, NULL);
  run("queue");
  pthread_join(consumer, NULL);
  return in_vain;
}
