/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops, recursion (argv[1] levels), library callbacks, an indirect call with two targets. */
#include "mimic.h"
#include <stdio.h>
#include <stdlib.h>

MIMIC_FUNCTION(leaf)
MIMIC_FUNCTION(fact)
MIMIC_FUNCTION(cmp)
MIMIC_FUNCTION(main)

__attribute__((noinline)) static void leaf(int n)
{
  MIMIC_ENTER(leaf);
  node->loop += (unsigned)n;
  MIMIC_LEAVE();
}
__attribute__((noinline)) static void fact(int n)
{
  MIMIC_ENTER(fact);
  MIMIC_DEPTH();
  if (n > 1) {
    MIMIC_CALL(0);
    fact(n - 1);
  }
  MIMIC_LEAVE();
}
static int cmp(const void *a, const void *b)
{
  MIMIC_ENTER(cmp);
  int r = *(const int *)a - *(const int *)b;
  MIMIC_LEAVE();
  return r;
}
int main(int argc, char **argv)
{
  static void (*const either[])(int) = {leaf, fact};
  int items[2] = {2, 1};
  MIMIC_ENTER(main);
  for (int i = 0; i < 10; i++) {
    node->loop++;
    MIMIC_CALL(0);
    either[i % 2](3);
  }
  MIMIC_CALL(1);
  fact(argc > 1 ? atoi(argv[1]) : 10);
  MIMIC_CALL(2);
  qsort(items, 2, sizeof(*items), cmp);
  return 0;
}
