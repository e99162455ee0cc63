// SPDX-License-Identifier: GPL-3.0-or-later
// fib N: nothing but calls. The recursion isn't inlined away completely; what the optimiser makes of it is the same for
// all.
#include <stdio.h>
#include <stdlib.h>

static unsigned long fib(int n) { return n < 2 ? (unsigned long)n : fib(n - 1) + fib(n - 2); }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 30;
  printf("%lu\n", fib(n));
  return 0;
}
