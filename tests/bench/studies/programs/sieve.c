/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sieve N: primes up to n, by the sieve of Eratosthenes. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, primes = 0;
  char *composite = calloc(n + 1, 1);
  for (size_t i = 2; i <= n; i++) {
    if (composite[i])
      continue;
    primes++;
    for (size_t j = i * i; j <= n; j += i)
      composite[j] = 1;
  }
  printf("%zu\n", primes);
  free(composite);
}
