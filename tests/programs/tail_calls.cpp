/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls through pointers in tail position, which optimised code turns into jumps: to functions of the program, to
 * functions of a library that call back, with and without a caller that is a library function itself; left by
 * exceptions; with arguments on the stack. */
#include <cstdio>
#include <cstdlib>
#define NOINLINE __attribute__((noinline))

typedef long step(long n, long s);
extern step *volatile steps[3];
static volatile long sink;

NOINLINE static long first(long n, long s) { return n ? steps[n % 3](n - 1, s + 1) : s; }
NOINLINE static long second(long n, long s)
{
  for (long i = 0; i < n % 4; i++)
    s ^= i;
  return n ? steps[n % 3](n - 1, s + 2) : s;
}
NOINLINE static long third(long n, long s)
{
  if (n == 0)
    throw s;
  return steps[n % 3](n - 1, s + 3);
}
step *volatile steps[3] = {first, second, third};

/* A library function is jumped to and calls back many times; each time a chain begins. */
static int compare(const void *a, const void *b)
{
  try {
    sink += steps[*(const int *)a % 3](5, 0);
  } catch (long thrown) {
    sink += thrown;
  }
  return *(const int *)a - *(const int *)b;
}
static void (*volatile sorter)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;
NOINLINE static void sort(int *items, size_t n) { return sorter(items, n, sizeof *items, compare); }
static void (*volatile sort_by)(int *, size_t) = sort;
NOINLINE static void sort_first(int *items, size_t n)
{
  items[0] = 7;
  return sort_by(items, n);
}
static void (*volatile begin)(int *, size_t) = sort_first;

/* More arguments than registers. */
typedef long wide(long, long, long, long, long, long, long, long, long);
extern wide *volatile wides[2];
NOINLINE static long wide_even(long n, long b, long c, long d, long e, long f, long g, long h, long s)
{
  return n ? wides[1](n - 1, c, b, e, d, g, f, s, h + 1) : s + b;
}
NOINLINE static long wide_odd(long n, long b, long c, long d, long e, long f, long g, long h, long s)
{
  return wides[0](n - 1, b, c, d, e, f, g, h, s + n);
}
wide *volatile wides[2] = {wide_even, wide_odd};

/* Virtual forwarding. */
struct Link {
  Link *next;
  virtual ~Link() {}
  virtual long pass(long n) { return next->pass(n - 1); }
};
struct Last : Link {
  long pass(long n) override { return n < 0 ? n : next->pass(n); }
};

int main()
{
  int items[20];
  long s = 0;
  for (long n = 0; n < 300; n++)
    try {
      s += steps[n % 3](n, 0);
    } catch (long thrown) {
      s -= thrown;
    }
  for (int i = 0; i < 10; i++) {
    for (int j = 0; j < 20; j++)
      items[j] = (j * 7 + i) % 20;
    begin(items, 20);
    s += items[3];
  }
  s += wides[0](200, 1, 2, 3, 4, 5, 6, 7, 8);
  Link ring[3];
  Last last;
  ring[0].next = &ring[1];
  ring[1].next = &ring[2];
  ring[2].next = &last;
  last.next = &ring[0];
  s += static_cast<Link *volatile>(&ring[0])->pass(99);
  std::printf("%ld %ld\n", s, sink);
  return 0;
}
