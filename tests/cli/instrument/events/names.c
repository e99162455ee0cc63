/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks reached in every way that C has, each a known number of times: events_test.sh knows the names. */
#include <pthread.h>
#include <stdlib.h>

typedef struct {
  int spare;
  pthread_mutex_t guard;
} inner;
struct book {
  int n;
  pthread_mutex_t mutex;
  inner in;
  struct book *next;
  pthread_mutex_t *shared;
};
struct padded {
  pthread_mutex_t lock;
  char rest[24];
};
static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;
static struct padded stripes[8] = {[0 ... 7] = {PTHREAD_MUTEX_INITIALIZER, {0}}};
static pthread_mutex_t *many;

#define TWICE(times, lock)            \
  for (int i = 0; i < (times); i++) { \
    pthread_mutex_lock(lock);         \
    pthread_mutex_unlock(lock);       \
  }

static void take(pthread_mutex_t *mutex) { pthread_mutex_lock(mutex); }
static void give(pthread_mutex_t *mutex) { pthread_mutex_unlock(mutex); }
/* Not inlined: only its callers know. */
__attribute__((noinline)) static void take_far(pthread_mutex_t *mutex) { pthread_mutex_lock(mutex); }
__attribute__((noinline)) static void give_far(pthread_mutex_t *mutex) { pthread_mutex_unlock(mutex); }

__attribute__((noinline)) static void fields(struct book *book, int k)
{
  TWICE(2, &book->mutex);
  TWICE(3, &book->next->in.guard);
  TWICE(4, book->shared);
  TWICE(5, &stripes[4].lock);
  TWICE(6, &stripes[k].lock);
  TWICE(7, &many[k]);
}

int main(int argc, char **argv)
{
  static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t here, elsewhere;
  struct book *book = calloc(2, sizeof *book);

  pthread_mutex_init(&here, NULL);
  pthread_mutex_init(&elsewhere, NULL);
  pthread_mutex_init(&book->mutex, NULL);
  pthread_mutex_init(&book->in.guard, NULL);
  book->next = book;
  book->shared = &elsewhere;
  many = calloc(8, sizeof *many);
  fields(book, argc);
  TWICE(8, &once);
  TWICE(9, &here);
  TWICE(10, &order_lock);
  for (int i = 0; i < 11; i++) {
    take(&order_lock);
    give(&order_lock);
    take_far(&order_lock);
    give_far(&order_lock);
    take(&book->mutex);
    give_far(&book->mutex);
  }
  free(many);
  free(book);
  (void)argv;
  return 0;
}
