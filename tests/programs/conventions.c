/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions with calling conventions of their own: an interpreter whose operations jump to each other (preserve_none
 * and musttail, as CPython's), slow paths that keep all registers, Swift's and Microsoft's conventions. */
#include <stdio.h>
#define NOINLINE      __attribute__((noinline))
#define PRESERVE_NONE __attribute__((preserve_none))
#define PRESERVE_ALL  __attribute__((preserve_all, noinline))

static volatile long sink;

struct machine {
  long accumulator, steps;
};
typedef PRESERVE_NONE long operation(struct machine *m, const unsigned char *code, long a, long b);
extern operation *const operations[4];
#define NEXT(m, code, a, b) __attribute__((musttail)) return operations[*(code)]((m), (code), (a), (b))

PRESERVE_ALL static void trace(struct machine *m)
{
  for (int i = 0; i < 3; i++)
    sink += i;
  m->steps++;
}

static PRESERVE_NONE long op_add(struct machine *m, const unsigned char *code, long a, long b)
{
  for (long i = 0; i < (b & 7); i++)
    a += sink & 1;
  NEXT(m, code + 1, a + b, b);
}
static PRESERVE_NONE long op_swap(struct machine *m, const unsigned char *code, long a, long b)
{
  trace(m);
  NEXT(m, code + 1, b, a);
}
static PRESERVE_NONE long op_loop(struct machine *m, const unsigned char *code, long a, long b)
{
  if (--m->accumulator > 0)
    NEXT(m, code - code[1], a, b);
  NEXT(m, code + 2, a, b);
}
static PRESERVE_NONE long op_stop(struct machine *m, const unsigned char *code, long a, long b)
{
  (void)code;
  return a + b + m->steps;
}
operation *const operations[4] = {op_add, op_swap, op_loop, op_stop};

NOINLINE static long interpret(long n)
{
  static const unsigned char text[] = {0, 1, 0, 2, 3, 3};
  static const unsigned char *volatile program = text;
  struct machine m = {n, 0};
  return operations[program[0]](&m, program, 1, 2) & 0xff;
}

PRESERVE_ALL static double mixed(double a, double b, long n)
{
  for (long i = 0; i < n; i++)
    a += b * (double)(sink & 1);
  return a;
}
__attribute__((swiftcall, noinline)) static long swift(long n)
{
  long s = 0;
  for (long i = 0; i < n; i++)
    s += sink & 1;
  return s;
}
__attribute__((ms_abi, noinline)) static long microsoft(long a, long b, long c, long d, long e)
{
  long s = a + b + c + d;
  for (long i = 0; i < e; i++)
    s += sink & 1;
  return s;
}

int main(void)
{
  double x = 0.5, y = 1.25, z = 3;
  long total = 0;
  for (long i = 0; i < 20; i++) {
    total += interpret(i);
    z += mixed(x + (double)i, y, i) - y * x;
    total += swift(i) + microsoft(i, 2, 3, 4, 5);
  }
  printf("%d %d\n", total > 0, z > 0);
  return 0;
}
