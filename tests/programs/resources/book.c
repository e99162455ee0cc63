/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Four traders look for offers in one order book. Each search reads all n offers, with the book locked.
 * Twin: the book is locked only to take a reference to the current offers, which do not change; the search is as long.
 */
#include "program.h"
#include <pthread.h>

enum { TRADERS = 4, ROUNDS = 6, THINK = 100000 };

struct offers {
  long references, count;
  long price[];
};
struct order_book {
  pthread_mutex_t mutex; /* culprit */
  struct offers *offers;
  long found;
};

/* An offer is fetched within four microseconds. */
static long search(const struct offers *offers, long limit)
{
  long best = 0;
  for (long i = 0; i < offers->count; i++)
    if (offers->price[i] > best && offers->price[i] <= limit)
      best = offers->price[i];
  program_pause(4 * offers->count);
  return best;
}

static void trade(struct order_book *book, long limit)
{
#ifdef TWIN
  pthread_mutex_lock(&book->mutex);
  struct offers *offers = book->offers;
  offers->references++;
  pthread_mutex_unlock(&book->mutex);
  long best = search(offers, limit);
  pthread_mutex_lock(&book->mutex);
  offers->references--;
  book->found += best;
  pthread_mutex_unlock(&book->mutex);
#else
  pthread_mutex_lock(&book->mutex); /* culprit */
  book->found += search(book->offers, limit);
  pthread_mutex_unlock(&book->mutex);
#endif
}

static struct order_book book = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void *trader(void *number)
{
  unsigned long state = 88172645463325252ul + (unsigned long)(size_t)number;
  long later = 0;
  for (int round = 0; round < ROUNDS; round++) {
    later = round % 2 ? -later : program_draw(&state, 50000) - 25000;
    program_pause(THINK + later);
    trade(&book, program_draw(&state, 1000));
  }
  return NULL;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  book.offers = malloc(sizeof *book.offers + (size_t)n * sizeof(long));
  if (!book.offers)
    return 1;
  book.offers->references = 1;
  book.offers->count = n;
  unsigned long state = 1;
  for (long i = 0; i < n; i++)
    book.offers->price[i] = program_draw(&state, 1000);
  pthread_t threads[TRADERS];
  for (size_t i = 0; i < TRADERS; i++)
    pthread_create(&threads[i], NULL, trader, (void *)i);
  for (size_t i = 0; i < TRADERS; i++)
    pthread_join(threads[i], NULL);
  printf("%ld\n", book.found);
  free(book.offers);
  return 0;
}
