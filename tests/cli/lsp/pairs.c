/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

static volatile long sink;

__attribute__((noinline)) static long pairs(long n)
{
  long sum = 0;
  /* ä😀 */ for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      sum += sink ^ k;
  return sum;
}

__attribute__((noinline)) static void once(long n) { sink += n; }

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 10;
  once(n);
  sink += pairs(n);
  return 0;
}
