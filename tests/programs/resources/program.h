/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all programs here have in common: their size, time that passes without the processor, numbers to draw. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The size, the program's only argument. */
static inline long program_size(int count, char **arguments)
{
  long size = count >= 2 ? atol(arguments[1]) : 0;
  if (size < 1) {
    fprintf(stderr, "usage: %s N\n", arguments[0]);
    exit(2);
  }
  return size;
}

/* Storage, a network or a person is waited for. */
static inline void program_pause(long microseconds)
{
  struct timespec left = {microseconds / 1000000, microseconds % 1000000 * 1000};
  while (nanosleep(&left, &left))
    ;
}

/* A number below `bound`; `state` starts at any value but 0 and gives the same numbers in every run. */
static inline long program_draw(unsigned long *state, long bound)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (long)((*state >> 16) % (unsigned long)bound);
}
