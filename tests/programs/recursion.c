/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recursion: plain, mutual, through a pointer, in tail position, inside a loop. */
#include <stdio.h>
#define NOINLINE __attribute__((noinline))

static volatile long sink;
NOINLINE static void leaf(int n) { sink += n; }

NOINLINE static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

NOINLINE static void odd(int n);
NOINLINE static void even(int n)
{
  if (n > 0)
    odd(n - 1);
  leaf(n);
}
NOINLINE static void odd(int n)
{
  if (n > 0)
    even(n - 1);
}

NOINLINE static int is_odd(unsigned n);
NOINLINE static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
NOINLINE static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int (*volatile through)(int);
NOINLINE static int indirect(int n) { return n == 0 ? 0 : 1 + through(n - 1); }

NOINLINE static int permutations(int *a, int n, int k)
{
  int found = k == n;
  for (int i = k; i < n; i++) {
    int t = a[k];
    a[k] = a[i], a[i] = t;
    found += permutations(a, n, k + 1);
    a[i] = a[k], a[k] = t;
  }
  return found;
}

/* The compiler makes a loop of it whose only block counts calls and jumps alike. */
struct node {
  struct node *parent;
  int value;
};
NOINLINE static void top(struct node *n)
{
  if (n->parent)
    top(n->parent);
  else
    n->value++;
}

/* The same around another call. */
NOINLINE static int digits(unsigned long n, int found)
{
  if (n < 10)
    return found + 1;
  leaf((int)(n % 10));
  return digits(n / 10, found + 1);
}

static inline int depth(int n) { return n ? 1 + depth(n / 2) : 0; }

NOINLINE static int depths(int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += depth(i);
  return s;
}

/* Two calls of itself from one place, neither becomes a loop. */
NOINLINE static unsigned both(int n)
{
  if (n < 1)
    return 1;
  return (both(n - 1) * 3) ^ (both(n - 2) * 5);
}

int main(void)
{
  int a[6] = {0, 1, 2, 3, 4, 5};
  int r = fib(20);
  even(1000);
  r += is_even(100000);
  through = indirect;
  r += indirect(50);
  r += permutations(a, 6, 0);
  r += depths(64);
  struct node chain[4] = {{NULL, 0}, {&chain[0], 0}, {&chain[1], 0}, {&chain[2], 0}};
  for (int i = 0; i < 10; i++)
    top(&chain[i % 4]);
  r += chain[0].value + digits(31415926, 0) + digits(7, 0) + (int)both(10);
  printf("%d %ld\n", r, (long)sink);
  return 0;
}
