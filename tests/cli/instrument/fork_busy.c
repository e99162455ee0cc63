/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A parent that makes new contexts all the time, while its children, which begin with what it had, copy that. Prints
 * how often each child called work_0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 60, FUNCTIONS = 16 };

static volatile unsigned long total;
static unsigned seed = 1;

/* Five levels of sixteen functions, each of which calls any one of the next level: a million contexts to choose from.
 */
#define WORK(level, n, next)                                  \
  __attribute__((noinline)) static void work_##level##n(void) \
  {                                                           \
    for (volatile unsigned i = 0; i < 2; i++)                 \
      total += n;                                             \
    free(malloc(n + 1));                                      \
    next();                                                   \
  }
#define LEVEL(level, next)                                                                                         \
  WORK(level, 0, next)                                                                                             \
  WORK(level, 1, next) WORK(level, 2, next) WORK(level, 3, next) WORK(level, 4, next) WORK(level, 5, next)         \
      WORK(level, 6, next) WORK(level, 7, next) WORK(level, 8, next) WORK(level, 9, next) WORK(level, 10, next)    \
          WORK(level, 11, next) WORK(level, 12, next) WORK(level, 13, next) WORK(level, 14, next)                  \
              WORK(level, 15, next) __attribute__((noinline)) static void any_##level(void)                        \
  {                                                                                                                \
    static void (*const works[FUNCTIONS])(void) = {                                                                \
        work_##level##0,  work_##level##1,  work_##level##2,  work_##level##3, work_##level##4,  work_##level##5,  \
        work_##level##6,  work_##level##7,  work_##level##8,  work_##level##9, work_##level##10, work_##level##11, \
        work_##level##12, work_##level##13, work_##level##14, work_##level##15};                                   \
    seed = seed * 1103515245 + 12345;                                                                              \
    works[seed / 65536 % FUNCTIONS]();                                                                             \
  }
static void none(void) {}
LEVEL(e, none)
LEVEL(d, any_e)
LEVEL(c, any_d)
LEVEL(b, any_c)
LEVEL(a, any_b)
__attribute__((noinline)) static void work_0(void) { total++; }

int main(void)
{
  for (int k = 0; k < 4000; k++) /* what is copied takes a while */
    any_a();
  for (int i = 0; i < CHILDREN; i++) {
    pid_t child = fork();
    if (child == 0) {
      for (int k = 0; k <= i; k++)
        work_0();
      any_a();
      exit(0);
    }
    for (int k = 0; k < 200; k++)
      any_a();
  }
  int failed = 0, status;
  while (wait(&status) > 0)
    failed += status != 0;
  return failed;
}
