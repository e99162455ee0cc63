/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A handler of SIGABRT jumps out of abort, as test frameworks do: functions that could abort don't surely come back.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
#define INLINED static inline __attribute__((always_inline))
static sigjmp_buf out;
static long total;

static void on_abort(int signal_number) { siglongjmp(out, signal_number); }

INLINED void after(int i) { total += i; }

NOINLINE static void check(int i)
{
  if (i > 4)
    abort();
  total += i;
}

NOINLINE static void all(int n)
{
  for (int i = 0; i < n; i++) {
    check(i);
    after(i);
    for (int j = 0; j < 3; j++)
      total ^= j * i;
  }
}

int main(int argc, char **argv)
{
  (void)argv;
  signal(SIGABRT, on_abort);
  for (volatile int round = 0; round < 4; round++) {
    if (!sigsetjmp(out, 1))
      all(9 + argc);
    signal(SIGABRT, on_abort);
  }
  printf("%ld\n", total);
  return 0;
}
