/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that do not return: what stands before them is executed more often than what stands behind. */
#include <setjmp.h>
#include <stdio.h>
#define NOINLINE __attribute__((noinline))

static jmp_buf jump;
static volatile int sink;

static inline void before(void) { sink++; }
static inline void behind(void) { sink += 2; }

NOINLINE static void jumps_sometimes(int i)
{
  if (i % 3 == 0)
    longjmp(jump, 1);
  sink++;
}

NOINLINE static void straight(int i)
{
  before();
  jumps_sometimes(i);
  behind();
}

/* A loop counter that lives in a register must be added before the jump. */
NOINLINE static void jumps_from_loop(int n)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 10; j++)
      sink += j;
    if (i == 5)
      longjmp(jump, 2);
  }
}

/* A loop around setjmp, whose variables the jump may spoil. */
NOINLINE static int retries(int n)
{
  volatile int attempts = 0;
  int kind = setjmp(jump);
  attempts++;
  for (int i = 0; i < 4; i++)
    sink += i;
  if (attempts < n)
    longjmp(jump, kind + 1);
  return attempts;
}

int main(void)
{
  for (volatile int i = 0; i < 300; i++)
    if (!setjmp(jump))
      straight(i);
  for (volatile int i = 0; i < 20; i++)
    if (!setjmp(jump))
      jumps_from_loop(i);
  int r = retries(7);
  printf("%d %d\n", r, sink);
  return 0;
}
