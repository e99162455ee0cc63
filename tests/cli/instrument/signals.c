/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timer interrupts the making of nodes as fast as it can; the handler enters code of its own, also new to its
   context. Every call is counted by the program too: prints "name calls" for comparison. */
#include "mimic.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define FUNCTIONS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
static volatile long calls[8], handled, inside;
#define DECLARE(n)     \
  MIMIC_FUNCTION(f##n) \
  static void f##n(unsigned path);
FUNCTIONS(DECLARE)
MIMIC_FUNCTION(handler)
MIMIC_FUNCTION(helper)
static void (*const table[8])(unsigned) = {f0, f1, f2, f3, f4, f5, f6, f7};
/* Each function calls the next one that the path names: contexts are permutations of functions. */
#define DEFINE(n)                 \
  static void f##n(unsigned path) \
  {                               \
    MIMIC_ENTER(f##n);            \
    calls[n]++;                   \
    if (path) {                   \
      MIMIC_CALL(path % 3);       \
      table[path % 8](path / 8);  \
    }                             \
    MIMIC_LEAVE();                \
  }
FUNCTIONS(DEFINE)
__attribute__((noinline)) static void helper(void)
{
  MIMIC_ENTER(helper);
  inside++;
  node->loop++;
  MIMIC_LEAVE();
}
static void handler(int number)
{
  MIMIC_ENTER(handler);
  (void)number;
  handled++;
  MIMIC_CALL(handled % 3);
  helper();
  MIMIC_LEAVE();
}
int main(int argc, char **argv)
{
  struct itimerval often = {{0, 20}, {0, 20}}, never = {{0, 0}, {0, 0}};
  struct sigaction action = {.sa_handler = handler};
  unsigned seed = 1;

  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = argc > 1 ? atoi(argv[1]) : 100000; i > 0; i--) {
    seed = seed * 1664525 + 1013904223;
    table[seed >> 29](seed & 0x7fff);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  for (int i = 0; i < 8; i++)
    printf("f%d %ld\n", i, calls[i]);
  printf("handler %ld\nhelper %ld\n", handled, inside);
  return handled < 10;
}
