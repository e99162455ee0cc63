/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that need care: variable arguments, structures by value, aliases, weak and indirect functions,
 * constructors, sections, attributes. The profile lists them under their own names. oracle: none */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))

static volatile int sink;

struct big {
  long v[12];
};
NOINLINE static long by_value(struct big b)
{
  long s = 0;
  for (int i = 0; i < 12; i++)
    s += b.v[i];
  return s;
}
NOINLINE static struct big returned(long x)
{
  struct big b;
  for (int i = 0; i < 12; i++)
    b.v[i] = x + i;
  return b;
}

NOINLINE int original(int x) { return x + 1; }
int renamed(int x) __attribute__((alias("original")));
int weakly(int x) __attribute__((weak, alias("original")));
__attribute__((weak)) int weak_function(int x) { return x * 2; }
extern int missing(int x) __attribute__((weak));

static int fast(int x) { return x + 3; }
static void *resolve(void) { return (void *)fast; }
int resolved(int x) __attribute__((ifunc("resolve")));

__attribute__((constructor)) static void first(void)
{
  for (int i = 0; i < 2; i++)
    sink++;
}
__attribute__((destructor)) static void last(void) { printf("last %d\n", sink); }

__attribute__((section(".text.special"), used)) static int in_section(int x) { return x ^ 1; }
__attribute__((noreturn)) NOINLINE static void leave(int status) { exit(status); }
__attribute__((const)) NOINLINE static int constant(int x) { return x * x; }
__attribute__((pure)) NOINLINE static int reads(const int *x) { return *x; }
__attribute__((cold)) NOINLINE static void rarely(void) { sink++; }
__attribute__((no_profile_instrument_function)) NOINLINE static int unseen(int x) { return original(x); }
__attribute__((returns_nonnull, malloc)) NOINLINE static void *allocate(size_t n) { return malloc(n); }
__attribute__((naked)) int bare(int x) __asm__("bare");
#if defined(__x86_64__)
__attribute__((naked)) int bare(int x) { __asm__("lea 1(%rdi), %eax\n\tret"); }
#elif defined(__aarch64__)
__attribute__((naked)) int bare(int x) { __asm__("add w0, w0, #1\n\tret"); }
#endif

NOINLINE static void *caller(void) { return __builtin_return_address(0); }

NOINLINE static int tail_target(int n, int s);
NOINLINE static int tail_source(int n, int s)
{
  if (n == 0)
    return s;
  __attribute__((musttail)) return tail_target(n - 1, s + n);
}
NOINLINE static int tail_target(int n, int s) { __attribute__((musttail)) return tail_source(n, s ^ 1); }

static void cleaned(int *x) { sink += *x; }
NOINLINE static int with_cleanup(int n)
{
  int s = 0;
  int i = 0;
  while (i < n) {
    __attribute__((cleanup(cleaned))) int guarded = i++;
    if (guarded % 3 == 0)
      continue;
    s += guarded;
  }
  return s;
}

NOINLINE static int vsum(const char *kinds, ...)
{
  va_list list;
  va_start(list, kinds);
  double s = 0;
  for (; *kinds; kinds++)
    s += *kinds == 'i' ? va_arg(list, int) : va_arg(list, double);
  va_end(list);
  return (int)s;
}

int main(void)
{
  int r = 0, one = 1;
  for (int i = 0; i < 10; i++) {
    r += (int)by_value(returned(i));
    r += original(i) + renamed(i) + weakly(i) + weak_function(i) + resolved(i);
    r += missing ? missing(i) : 0;
    r += in_section(i) + constant(7) + constant(7) + reads(&one) + reads(&one) + unseen(i) + bare(i);
    r += vsum("idi", i, 0.5, 2);
  }
  free(allocate(10));
  if (r == 0)
    rarely();
  r += caller() != NULL;
  r += tail_source(100000, 0);
  r += with_cleanup(30);
  printf("%d\n", r);
  leave(0);
}
