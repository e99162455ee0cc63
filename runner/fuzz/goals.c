/* SPDX-License-Identifier: GPL-3.0-or-later */
/* At how many bytes a family takes a second, and a minute. */
#include <math.h>

#include "runner/fuzz/internal.h"

static const double goals[SC_FUZZ_GOALS] = {1, 60};
enum { REPEATS = 3 };

typedef struct timed {
  double count, low, high; /* seconds */
} timed;

static int time_family(sc_fuzz_searching *s, const sc_fuzz_find *find, double n, timed *out, bool *ended)
{
  *out = (timed){.low = INFINITY};
  *ended = false;
  for (int i = 0; i < REPEATS; i++) {
    struct sc_fuzz_run run = {0};
    size_t size;
    if (sc_fuzz_is_late(s))
      return 0;
    int err = sc_fuzz_run_at(s, &find->family, (uint64_t)n, &run, &size);
    if (err == SC_E_INPUT)
      return 0;
    SC_TRY(err);
    if (run.outcome == SC_FUZZ_TIMED_OUT) /* the growth that was found says why */
      return 0;
    if (run.outcome != SC_FUZZ_ENDED)
      return sc_fuzz_keep_failure(s, &find->family, (uint64_t)n, &run);
    out->low = fmin(out->low, run.seconds);
    out->high = fmax(out->high, run.seconds);
  }
  out->count = sc_model_value(&find->model, n);
  *ended = true;
  return 0;
}

/* Seconds at the largest size that has at most a million bytes; 0: the growth ends before. */
static double time_megabyte(const sc_fuzz_find *find)
{
  enum { MEGABYTE = 1000000 };
  double low = 1, high = MEGABYTE + 1;
  while (high - low > 1) {
    double middle = floor((low + high) / 2);
    if (isinf(sc_family_bytes(&find->family, (uint64_t)middle, MEGABYTE)))
      high = middle;
    else
      low = middle;
  }
  return find->cap && low > (double)find->cap ? 0 : sc_model_value(&find->model, low) * find->per_count;
}

/* The size at which the count is reached. */
static double size_for(const sc_fuzz_find *find, double count)
{
  double low = 1, high = find->cap ? (double)find->cap : SC_FUZZ_LARGEST;
  if (sc_model_value(&find->model, high) < count)
    return INFINITY;
  while (high - low > 1) {
    double middle = floor((low + high) / 2);
    if (sc_model_value(&find->model, middle) < count)
      low = middle;
    else
      high = middle;
  }
  return high;
}

static double reach_goal(const sc_fuzz_find *find, double seconds, double each)
{
  double n = size_for(find, seconds / each);
  return n > SC_FUZZ_LARGEST ? INFINITY : sc_family_bytes(&find->family, (uint64_t)n, SC_FUZZ_LARGEST);
}

/* How often it runs is the machine's affair: a search that ends by runs must not depend on it. */
static int take_times(sc_fuzz_searching *s, const sc_fuzz_find *find, timed *small, timed *large)
{
  timed next;
  bool ended;
  double n = find->held_n;
  uint64_t runs = s->finds->runs;
  SC_TRY(time_family(s, find, find->n[0], small, &ended));
  for (int step = 0; ended && step < 8 && large->low < SC_FUZZ_TIMED; step++, n *= 2) {
    if (find->cap && n > (double)find->cap)
      break;
    SC_TRY(time_family(s, find, n, &next, &ended));
    if (ended)
      *large = next;
  }
  s->finds->runs = runs;
  return 0;
}

int sc_fuzz_time(sc_fuzz_searching *s, sc_fuzz_find *find)
{
  timed small, large = {0};
  SC_TRY(take_times(s, find, &small, &large));
  double low = (large.low - small.high) / (large.count - small.count);
  double high = (large.high - small.low) / (large.count - small.count);
  if (!(large.low - small.high > SC_FUZZ_TIME_LEAST) || !(low > 0))
    return 0;
  find->per_count = (low + high) / 2;
  find->per_megabyte = time_megabyte(find);
  for (int i = 0; i < SC_FUZZ_GOALS; i++) {
    find->reached[i].low = reach_goal(find, goals[i], high);
    find->reached[i].value = reach_goal(find, goals[i], find->per_count);
    find->reached[i].high = reach_goal(find, goals[i], low);
  }
  return 0;
}
