/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Library functions that call back, once or many times; callbacks that call on; handlers. */
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))

static int calls;
NOINLINE static void note(void) { calls++; }

static int compare(const void *a, const void *b)
{
  note();
  return *(const int *)a - *(const int *)b;
}

static int find(const void *key, const void *element)
{
  note();
  return *(const int *)key != *(const int *)element;
}

/* A callback that sorts itself: the outer sort's context must be found again. */
static int sorts(const void *key, const void *element)
{
  int pair[2] = {2, 1};
  qsort(pair, 2, sizeof *pair, compare);
  return find(key, element);
}

/* No fixed arguments to move into a register: entered through its own prologue. */
NOINLINE static int sum(int n, ...)
{
  va_list list;
  int s = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++)
    s += va_arg(list, int);
  va_end(list);
  note();
  return s;
}

static void on_signal(int number)
{
  (void)number;
  note();
}

static void at_end(void)
{
  for (int i = 0; i < 3; i++)
    note();
  printf("end %d\n", calls);
}

typedef int (*operation)(int, int);
NOINLINE static int add(int a, int b) { return a + b; }
NOINLINE static int multiply(int a, int b) { return a * b; }
static const operation operations[2] = {add, multiply};

int main(void)
{
  atexit(at_end);
  int values[8];
  for (int i = 0; i < 8; i++)
    values[i] = i;
  size_t count = 8;
  for (int i = 0; i < 8; i++)
    lfind(&values[i], values, &count, sizeof *values, find); /* 1 + 2 + ... + 8 */
  lfind(&values[7], values, &count, sizeof *values, sorts);  /* 8, a comparison of two in each */
  signal(SIGUSR1, on_signal);
  for (int i = 0; i < 5; i++)
    raise(SIGUSR1);
  int r = 0;
  for (int i = 0; i < 100; i++)
    r = operations[i & 1](r, i) % 1000;
  for (int i = 0; i < 6; i++)
    r += sum(i, 1, 2, 3, 4, 5);
  printf("%d %d\n", r, calls);
  return 0;
}
