/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * n sessions one after the other take a place in a table of 4,000, beginning where their hash says. A session that
 * ended leaves an entry which says so, and its place is never taken again: more and more places are tried in vain.
 * Twin: places of ended sessions are taken again. Eighty that are always in use are tried in vain in both.
 */
#include "program.h"
#include <scale/annotate.h>
#include <stdbool.h>

enum { PLACES = 4000, ALWAYS = 80 };
enum state { UNUSED, OPEN, ENDED };
static enum state places[PLACES];

static bool claim(long place)
{
#ifdef TWIN
  bool usable = places[place] != OPEN;
#else
  bool usable = places[place] == UNUSED;
#endif
  if (!usable) {
    SCALE_ACQUIRE_FAILED("session table", place); /* culprit */
    return false;
  }
  places[place] = OPEN;
  SCALE_ACQUIRE("session table", place, 1);
  return true;
}

static long session_open(long hash)
{
  for (long tried = 0; tried < PLACES; tried++) {
    long place = (hash + tried * 7) % PLACES;
    if (claim(place)) /* culprit */
      return place;
  }
  return -1;
}

static void session_end(long place)
{
  SCALE_RELEASE("session table", place, 1);
  places[place] = ENDED;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  unsigned long state = 1;
  for (int i = 0; i < ALWAYS; i++)
    places[i * (PLACES / ALWAYS)] = OPEN;
  for (long i = 0; i < n; i++) {
    long place = session_open(program_draw(&state, PLACES));
    if (place < 0)
      break;
    sum += place;
    session_end(place);
  }
  printf("%ld\n", sum);
  return 0;
}
