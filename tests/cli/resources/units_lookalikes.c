/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for conditions in which nothing is taken, though who waited signals later: locks of readers and writers,
 * meetings, a start. Beside them what looks alike and is a pool: a ticket, places that are marked, a count of those in
 * use, a try. Four threads, 25 times each of every way. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

enum { THREADS = 4, TIMES = 25, UNITS = 3 };

struct place {
  int busy;
};
static struct office {
  pthread_mutex_t lock;
  int readers, writer, pending, state, here, round, open, next, serving, used, most, left, closed, in, out;
  struct place places[UNITS];
  pthread_cond_t flags, number, meeting, start, ticket, marked, in_use, tried, can_read, can_write;
} office = {.lock = PTHREAD_MUTEX_INITIALIZER,
            .most = UNITS,
            .left = UNITS,
            .flags = PTHREAD_COND_INITIALIZER,
            .number = PTHREAD_COND_INITIALIZER,
            .meeting = PTHREAD_COND_INITIALIZER,
            .start = PTHREAD_COND_INITIALIZER,
            .ticket = PTHREAD_COND_INITIALIZER,
            .marked = PTHREAD_COND_INITIALIZER,
            .in_use = PTHREAD_COND_INITIALIZER,
            .tried = PTHREAD_COND_INITIALIZER,
            .can_read = PTHREAD_COND_INITIALIZER,
            .can_write = PTHREAD_COND_INITIALIZER};

static void read_flags(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  while (o->writer || o->pending)
    pthread_cond_wait(&o->flags, &o->lock);
  o->readers++;
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  o->readers--;
  pthread_cond_broadcast(&o->flags);
  pthread_mutex_unlock(&o->lock);
}

static void write_flags(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  o->pending++;
  while (o->writer || o->readers)
    pthread_cond_wait(&o->flags, &o->lock);
  o->pending--;
  o->writer++;
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  o->writer--;
  pthread_cond_broadcast(&o->flags);
  pthread_mutex_unlock(&o->lock);
}

/* A number of readers, or -1. */
static void read_number(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  while (o->state < 0)
    pthread_cond_wait(&o->number, &o->lock);
  o->state++;
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  if (--o->state == 0)
    pthread_cond_signal(&o->number);
  pthread_mutex_unlock(&o->lock);
}

static void write_number(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  while (o->state != 0)
    pthread_cond_wait(&o->number, &o->lock);
  o->state = -1;
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  o->state = 0;
  pthread_cond_broadcast(&o->number);
  pthread_mutex_unlock(&o->lock);
}

/* A condition each for readers and writers. */
static void read_apart(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  while (o->out)
    pthread_cond_wait(&o->can_read, &o->lock);
  o->in++;
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  o->in--;
  pthread_cond_signal(&o->can_write);
  pthread_mutex_unlock(&o->lock);
}

static void write_apart(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  while (o->out || o->in)
    pthread_cond_wait(&o->can_write, &o->lock);
  o->out = 1;
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  o->out = 0;
  pthread_cond_broadcast(&o->can_read);
  pthread_cond_signal(&o->can_write);
  pthread_mutex_unlock(&o->lock);
}

/* Where all threads meet in rounds. Each that has waited tells the others that it is gone. */
static void meet(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  int round = o->round;
  if (++o->here % THREADS == 0)
    o->round++;
  else
    while (o->round == round)
      pthread_cond_wait(&o->meeting, &o->lock);
  pthread_cond_broadcast(&o->meeting);
  pthread_mutex_unlock(&o->lock);
}

static void await_start(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  while (!o->open)
    pthread_cond_wait(&o->start, &o->lock);
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  pthread_cond_signal(&o->start);
  pthread_mutex_unlock(&o->lock);
}

static void *open_late(void *nothing)
{
  pthread_mutex_lock(&office.lock);
  office.open = 1;
  pthread_cond_broadcast(&office.start);
  pthread_mutex_unlock(&office.lock);
  return nothing;
}

static void take_turns(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  int mine = o->next++;
  while (o->serving != mine)
    pthread_cond_wait(&o->ticket, &o->lock);
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  o->serving++;
  pthread_cond_broadcast(&o->ticket);
  pthread_mutex_unlock(&o->lock);
}

static struct place *find_place(struct office *o)
{
  for (int i = 0; i < UNITS; i++)
    if (!o->places[i].busy)
      return &o->places[i];
  return 0;
}

static void mark(struct place *p, int busy) { p->busy = busy; }

static void use_place(struct office *o)
{
  struct place *p;
  pthread_mutex_lock(&o->lock);
  while (!(p = find_place(o)))
    pthread_cond_wait(&o->marked, &o->lock);
  mark(p, 1);
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  mark(p, 0);
  pthread_cond_signal(&o->marked);
  pthread_mutex_unlock(&o->lock);
}

static void count_in_use(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  while (o->used >= o->most)
    pthread_cond_wait(&o->in_use, &o->lock);
  o->used++;
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  o->used--;
  pthread_cond_signal(&o->in_use);
  pthread_mutex_unlock(&o->lock);
}

static int try_one(struct office *o)
{
  if (!o->left)
    return 0;
  o->left--;
  return 1;
}

static void try_until_one(struct office *o)
{
  pthread_mutex_lock(&o->lock);
  while (!try_one(o) && !o->closed)
    pthread_cond_wait(&o->tried, &o->lock);
  pthread_mutex_unlock(&o->lock);
  sched_yield();
  pthread_mutex_lock(&o->lock);
  o->left++;
  pthread_cond_signal(&o->tried);
  pthread_mutex_unlock(&o->lock);
}

static void *work(void *number)
{
  for (int i = 0; i < TIMES; i++) {
    ((uintptr_t)number % 2 ? write_flags : read_flags)(&office);
    ((uintptr_t)number % 2 ? write_number : read_number)(&office);
    ((uintptr_t)number % 2 ? write_apart : read_apart)(&office);
    meet(&office);
    await_start(&office);
    take_turns(&office);
    use_place(&office);
    count_in_use(&office);
    try_until_one(&office);
  }
  return 0;
}

int main(void)
{
  pthread_t threads[THREADS], late;
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, (void *)i);
  pthread_create(&late, 0, open_late, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  pthread_join(late, 0);
  return 0;
}
