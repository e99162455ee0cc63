// SPDX-License-Identifier: GPL-3.0-or-later
// loops REPEATS: loop kernels without calls. Vectorisable sums, a stencil, a matrix product, loops that leave on data,
// short inner loops whose trip count depends on the outer one, and bit counting.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { side = 64, cells = 4096 };
static double left[side][side], right[side][side], product[side][side];
static uint32_t values[cells], sums[cells];

static uint32_t next(uint32_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

static void fill(uint32_t *state)
{
  for (int i = 0; i < cells; i++)
    values[i] = next(state);
  for (int i = 0; i < side; i++) {
    for (int j = 0; j < side; j++) {
      left[i][j] = values[(i * side + j) % cells] % 100;
      right[i][j] = values[(j * side + i) % cells] % 100;
    }
  }
}

static void multiply(void)
{
  for (int i = 0; i < side; i++) {
    for (int j = 0; j < side; j++) {
      double sum = 0;
      for (int k = 0; k < side; k++)
        sum += left[i][k] * right[k][j];
      product[i][j] = sum;
    }
  }
}

static uint32_t add_up(void) // vectorisable
{
  uint32_t sum = 0;
  for (int i = 0; i < cells; i++)
    sum += values[i] ^ (values[i] >> 3);
  return sum;
}

static void smooth(void) // vectorisable
{
  for (int i = 1; i + 1 < cells; i++)
    sums[i] = values[i - 1] + 2 * values[i] + values[i + 1];
}

static unsigned collatz(unsigned n) // leaves on data
{
  unsigned steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}

static int find(uint32_t wanted) // leaves on data
{
  for (int i = 0; i < cells; i++)
    if (values[i] == wanted)
      return i;
  return -1;
}

static unsigned triangle(void) // short inner loops
{
  unsigned sum = 0;
  for (unsigned i = 0; i < 200; i++)
    for (unsigned j = i; j < 200; j += 1 + (values[j] & 7))
      sum += sums[j] & i;
  return sum;
}

static unsigned bits(void)
{
  unsigned count = 0;
  for (int i = 0; i < cells; i++)
    for (uint32_t rest = values[i] & 0xff; rest; rest &= rest - 1)
      count++;
  return count;
}

int main(int argc, char **argv)
{
  int repeats = argc > 1 ? atoi(argv[1]) : 1;
  uint32_t state = 2463534242u;
  uint64_t check = 0;
  for (int i = 0; i < repeats; i++) {
    fill(&state);
    multiply();
    smooth();
    check += add_up() + triangle() + bits();
    for (unsigned n = 1; n < 300; n++)
      check += collatz(n);
    for (int n = 0; n < 8; n++)
      check += (uint64_t)find(values[(n * 509 + i) % cells]);
    check += (uint64_t)product[i % side][(i * 7) % side] + sums[i % cells];
  }
  printf("%llu\n", (unsigned long long)check);
  return 0;
}
