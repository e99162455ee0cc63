/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree of contexts three ways wide and argv[1] (at most 12) levels deep, walked argv[2] times; then ends as argv[3]
   says: exit, _exit, abort, kill, exec. Prints the calls of its deepest level. */
#include "mimic.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int deepest;
static long calls[13];
#define LEVEL(n, next)                                     \
  MIMIC_FUNCTION(level##n)                                 \
  __attribute__((noinline)) static void level##n(void)     \
  {                                                        \
    MIMIC_ENTER(level##n);                                 \
    calls[n]++;                                            \
    for (int i = 0; n < deepest && i < MIMIC_SLOTS; i++) { \
      node->loop++;                                        \
      MIMIC_CALL(i);                                       \
      next();                                              \
    }                                                      \
    MIMIC_LEAVE();                                         \
  }
static void level13(void) {}
LEVEL(12, level13)
LEVEL(11, level12)
LEVEL(10, level11)
LEVEL(9, level10)
LEVEL(8, level9)
LEVEL(7, level8)
LEVEL(6, level7)
LEVEL(5, level6)
LEVEL(4, level5)
LEVEL(3, level4)
LEVEL(2, level3)
LEVEL(1, level2)

int main(int argc, char **argv)
{
  const char *end = argc > 3 ? argv[3] : "exit";
  deepest = argc > 1 ? atoi(argv[1]) : 5;
  errno = 77;
  for (int i = argc > 2 ? atoi(argv[2]) : 1; i > 0; i--)
    level1();
  if (errno != 77)
    return 99;
  printf("level%d %ld\n", deepest, calls[deepest]);
  fflush(stdout);
  if (strcmp(end, "_exit") == 0)
    _exit(3);
  if (strcmp(end, "abort") == 0)
    abort();
  if (strcmp(end, "kill") == 0)
    kill(getpid(), SIGKILL);
  if (strcmp(end, "exec") == 0)
    execl("/bin/true", "true", (char *)NULL);
  return 5;
}
