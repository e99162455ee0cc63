/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loop shapes, each in a function of its own: what optimisers unroll, unswitch, peel, delete, vectorise, turn into
 * memset, and what they leave alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))

NOINLINE static void fully_unrolled(int *a)
{
  for (int i = 0; i < 5; i++)
    a[i] += i;
}

NOINLINE static void unswitched(int *a, int n, int flag)
{
  for (int i = 0; i < n; i++) {
    if (flag)
      a[i] = a[i] % 1000 * 3;
    else
      a[i] += 7;
  }
}

NOINLINE static int peeled(const int *a, int n)
{
  unsigned s = 0;
  for (int i = 0; i < n; i++)
    s += i == 0 ? (unsigned)a[i] * 7 : (unsigned)a[i];
  return (int)s;
}

NOINLINE static int closed_form(int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += 3;
  return s;
}

NOINLINE static void like_memset(char *p, int n)
{
  for (int i = 0; i < n; i++)
    p[i] = 1;
}

NOINLINE static void like_memcpy(char *restrict p, const char *restrict q, int n)
{
  for (int i = 0; i < n; i++)
    p[i] = q[i];
}

NOINLINE static int do_while(int n)
{
  int k = 0;
  do {
    k += n & 3;
    n >>= 2;
  } while (n);
  return k;
}

NOINLINE static int forever(const char *p)
{
  int i = 0;
  for (;;) {
    if (p[i] == 'x')
      break;
    if (p[i] == 'y') {
      i += 2;
      continue;
    }
    i++;
  }
  return i;
}

NOINLINE static int forever_returns(const char *p)
{
  int i = 0;
  while (1) {
    if (p[i++] == 'x')
      return i;
  }
}

NOINLINE static int two_conditions(const char *p, int n)
{
  int i = 0;
  while (i < n && p[i] != 'z')
    i++;
  return i;
}

NOINLINE static int either_condition(int n)
{
  int i = 0;
  while (i < n || i % 7 != 0)
    i++;
  return i;
}

NOINLINE static int backward_goto(int n)
{
  int k = 0;
again:
  k += n;
  if (--n > 0)
    goto again;
  return k;
}

NOINLINE static long tail_call(long n, long sum)
{
  if (n == 0)
    return sum;
  return tail_call(n - 1, sum + n);
}

static inline int square(int x) { return x * x; }

NOINLINE static int triangle(int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      s += square(j) > 5 ? square(i) : 1;
  return s;
}

NOINLINE static int bits(unsigned x)
{
  int c = 0;
  while (x) {
    x &= x - 1;
    c++;
  }
  return c;
}

NOINLINE static int early_exit(const int *a, int n)
{
  for (int i = 0; i < n; i++)
    if (a[i] < 0)
      return i;
  return -1;
}

/* clang-format off */
NOINLINE static int same_line(int n)
{
  int s = 0;
  for (int i = 0; i < n; i++) s += i; for (int i = 0; i < 2 * n; i++) s ^= i; return s;
}
/* clang-format on */

#define SUM_TWICE(s, n)            \
  for (int i_ = 0; i_ < (n); i_++) \
    for (int j_ = 0; j_ < 2; j_++) \
      s += i_ ^ j_;

NOINLINE static int in_macro(int n)
{
  int s = 0;
  SUM_TWICE(s, n)
  return s;
}

NOINLINE static int never(int n)
{
  int s = 0;
  for (int i = n; i < 0; i++)
    s += i;
  while (n < 0)
    n++;
  return s;
}

NOINLINE static int down_by_three(int n)
{
  int s = 0;
  for (unsigned i = (unsigned)n; i >= 3; i -= 3)
    s ^= (int)i;
  return s;
}

NOINLINE static int with_switch(int n)
{
  int s = 0;
  for (int i = 0; i < n; i++) {
    switch (i % 4) {
    case 0:
      continue;
    case 1:
      s++;
      break;
    case 2:
      if (i > 90)
        goto out;
    default:
      s += 2;
    }
  }
out:
  return s;
}

__attribute__((pure, noinline)) static int pure_loop(int x)
{
  int r = 0;
  for (int i = 0; i < x; i++)
    r ^= i * x;
  return r;
}

NOINLINE static int calls_pure(int n)
{
  int s = 0;
  for (int i = 0; i < 10; i++)
    s += pure_loop(n);
  pure_loop(n + 1);
  return s;
}

NOINLINE static int infinite_until_exit(int n)
{
  for (int i = 0;; i++)
    if (i == n)
      exit(i > 3 ? 0 : 1);
}

int main(int argc, char **argv)
{
  (void)argv;
  int n = 1000 * argc;
  int *a = calloc((size_t)n, sizeof *a);
  char *p = calloc(1, (size_t)n + 1), *q = calloc(1, (size_t)n + 1);
  fully_unrolled(a);
  unswitched(a, n, argc);
  unswitched(a, n, argc - 1);
  int r = peeled(a, n) + closed_form(n);
  like_memset(p, n);
  like_memcpy(q, p, n);
  p[n - 1] = 'x';
  p[500] = 'y';
  r += do_while(n) + forever(p) + forever_returns(p) + two_conditions(p, n) + either_condition(20) + backward_goto(n);
  r += (int)tail_call(n, 0) + triangle(30) + bits(0xff00ff) + early_exit(a, n) + same_line(50) + in_macro(40);
  r += never(n) + down_by_three(100) + with_switch(100) + calls_pure(20);
  printf("%d %d\n", r, q[3]);
  return infinite_until_exit(60);
}
