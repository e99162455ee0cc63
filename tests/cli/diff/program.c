/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program in several versions, each differs from the first in what its macro says. */
#include <stdlib.h>

static volatile long sink;
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

#ifdef RENAMED
#define parse  read_all
#define lookup find_place
#endif

#ifdef EXTRACTED
static void fill(int *v, long n)
{
  for (long i = 0; i < n; i++)
    v[i] = (int)((i * 7919) % 1000003);
}
#endif

static long parse(int *v, long n)
{
  long sum = 0;
#ifdef EXTRACTED
  fill(v, n);
#else
  for (long i = 0; i < n; i++)
    v[i] = (int)((i * 7919) % 1000003);
#endif
  for (long i = 0; i < n; i++)
    sum += v[i];
  return sum;
}

#ifndef INLINED
static long lookup(const int *v, long n, int key)
{
  long low = 0, high = n;
  while (low < high) { /* binary */
    long middle = (low + high) / 2;
    if (v[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
#endif

static void work(int *v, long n)
{
  for (long i = 0; i < n; i++) {
#ifdef QUADRATIC
    for (long k = 0; k < i; k++) /* quadratic */
      sink += v[k];
#endif
#ifdef INLINED
    long low = 0, high = n;
    while (low < high) {
      long middle = (low + high) / 2;
      if (v[middle] < (int)i)
        low = middle + 1;
      else
        high = middle;
    }
    sink += low;
#else
    sink += lookup(v, n, (int)i);
#endif
#ifdef TWICE
    sink += lookup(v, n, (int)(n - i));
#endif
  }
}

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 10;
  int *v = malloc((size_t)n * sizeof *v);
#ifdef LEAK
  for (long i = 0; i < n; i++) {
    volatile char *copy = malloc(4096); /* leak */
    copy[i % 4096] = 1;
    sink += copy[i % 4096];
  }
#endif
  sink = parse(v, n);
  qsort(v, (size_t)n, sizeof *v, compare);
  work(v, n);
  free(v);
  return 0;
}
