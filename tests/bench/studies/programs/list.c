/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list N: a list of n items, built in order and walked ten times. */
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  long value, more[4];
};

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 0, sum = 0;
  struct item *first = NULL;
  for (long i = 0; i < n; i++) {
    struct item *item = malloc(sizeof *item);
    *item = (struct item){.next = first, .value = i};
    first = item;
  }
  for (int round = 0; round < 10; round++)
    for (struct item *item = first; item; item = item->next)
      sum += item->value ^ round;
  printf("%ld\n", sum);
}
