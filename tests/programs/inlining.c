/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the optimiser inlines, several levels deep and from several places, with loops and with calls of
 * functions that stay: the names and counts are those of the source. */
#include <stdio.h>
#define NOINLINE __attribute__((noinline))

static volatile int sink;
NOINLINE static void stays(int i) { sink += i; }

static inline int innermost(int x)
{
  int s = 0;
  while (x > 0) {
    s += x & 1;
    x >>= 1;
  }
  stays(s);
  return s;
}

static inline int middle(int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += innermost(i);
  return s;
}

static inline int either(int n) { return n % 2 ? innermost(n) : innermost(n + 1); }

static int only_once(int n)
{
  int s = middle(n);
  for (int i = 0; i < 3; i++)
    s += middle(4);
  return s;
}

static int dead(int n)
{
  for (int i = 0; i < n; i++)
    stays(i);
  return n;
}

NOINLINE static int clamp(int x) { return x < 0 ? 0 : x > 9 ? 9 : x; }

__attribute__((always_inline)) static inline int always(int x)
{
  int s = 0;
  do
    s += clamp(x);
  while (x-- > 0);
  return s;
}

int main(int argc, char **argv)
{
  (void)argv;
  int r = only_once(16);
  for (int i = 0; i < 10; i++)
    r += either(i);
  if (argc < 0)
    r += dead(r);
  r += always(5) + always(6);
  printf("%d %d\n", r, sink);
  return 0;
}
