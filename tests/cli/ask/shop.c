/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program whose every count is known: scan() walks over all orders for each order, or, with FIXED, over 50; keep() keeps
 * 1,000 bytes of each; count() is called 3 n times; rare() once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile long sink;
static pthread_mutex_t ledger = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void count(void) { sink++; }

__attribute__((noinline)) static void scan(long n)
{
#ifdef FIXED
  n = 50;
#endif
  for (long i = 0; i < n; i++)
    sink += i;
}

__attribute__((noinline)) static char *keep(long i)
{
  char *order = malloc(1000);
  if (!order)
    abort();
  order[0] = (char)i;
  return order;
}

__attribute__((noinline)) static void rare(void) { count(); }

__attribute__((noinline)) static void write_down(void)
{
  pthread_mutex_lock(&ledger);
  sink++;
  pthread_mutex_unlock(&ledger);
}

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 0;
  char **kept = calloc((size_t)n + 1, sizeof *kept);
  if (!kept)
    return 1;
  for (long i = 0; i < n; i++) {
    kept[i] = keep(i);
    scan(n);
    for (int k = 0; k < 3; k++)
      count();
    write_down();
  }
  rare();
  for (long i = 0; i < n; i++)
    free(kept[i]);
  free(kept);
  return 0;
}
