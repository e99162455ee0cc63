/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and loops that have no counters, and their like that have. */
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))

#if defined(__x86_64__)
__attribute__((naked, noinline)) long bare(long x) { __asm__("movq %rdi, %rax\nret"); }
__attribute__((interrupt)) void interrupted(void *frame) { (void)frame; }
#endif

NOINLINE static long counted(long n) { return n + 1; }

__attribute__((no_profile_instrument_function, noinline)) long refused(long n)
{
  for (long i = 0; i < n; i++)
    n -= counted(i) & 1;
  return n;
}

__attribute__((preserve_most, noinline)) long supported(long n) { return n + 2; }

/* Duff's device jumps into its loop: there is no header to count at. */
NOINLINE static long unrolled(long n)
{
  long s = 0, rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      s += n;
    case 3:
      s ^= 5;
    case 2:
      s += 2;
    case 1:
      s += 3;
    } while (--rounds > 0);
  }
  return s;
}

NOINLINE static long plain(long n)
{
  long s = 0;
  do
    s += n & 3;
  while (--n > 0);
  return s;
}

int helped(void);
static long first(long n) { return n; }
static void *resolve(void) { return (void *)first; }
long chosen(long n) __attribute__((ifunc("resolve")));

/* Nor is a loop news that never ran. */
NOINLINE long idle(long n)
{
  long s = 0;
  if (n > 2)
    goto in;
  for (; s > 0; s--) {
    n++;
  in:
    n += s;
  }
  return s;
}

/* A call in an expression that does not return: what the compiler writes behind it is no second entry of the loop. */
NOINLINE static long asserted(long n)
{
  long s = 0;
  while (n-- > 0) {
    n < 1000000 ? (void)0 : abort();
    s += n;
  }
  return s;
}

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 5;
  long s = n < 0 ? idle(n) : 0;
  s += asserted(n) + refused(n) + supported(n) + unrolled(n) + plain(n) + chosen(n) + helped();
#if defined(__x86_64__)
  s += bare(n);
#endif
  printf("%ld\n", s);
  return 0;
}
