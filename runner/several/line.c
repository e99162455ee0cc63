/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that differ in one parameter alone. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/several/internal.h"

static bool others_are_base(const sc_several *s, const double *at, size_t along)
{
  double base[SC_SURFACE_PARAMETERS] = {0};
  sc_workload_base(s->judge->loaded.workload, base + 1);
  for (size_t p = 1; p < s->parameters; p++)
    if (p != along && at[p] != base[p])
      return false;
  return true;
}

/* Fills in the first run of each value at size n, ascending. */
static void take_line(const sc_several *s, size_t along, double n, sc_several_line *l)
{
  l->count = 0;
  l->n = n;
  for (size_t i = 0; i < s->run_count; i++) {
    const double *at = s->at + i * s->parameters;
    size_t k = l->count;
    if ((along && at[0] != n) || !others_are_base(s, at, along))
      continue;
    while (k && l->values[k - 1] > at[along])
      k--;
    if (k && l->values[k - 1] == at[along])
      continue;
    memmove(l->values + k + 1, l->values + k, (l->count - k) * sizeof *l->values);
    memmove(l->points + k + 1, l->points + k, (l->count - k) * sizeof *l->points);
    l->values[k] = at[along];
    l->points[k] = i;
    l->count++;
  }
}

static int find_line(const sc_several *s, size_t along, sc_several_line *l)
{
  size_t most = 0;
  double best = s->at[0];
  SC_TRY(SC_NEW(l->points, s->run_count + 1));
  SC_TRY(SC_NEW(l->values, s->run_count + 1));
  for (size_t i = 0; along && i < s->run_count; i++) {
    double n = s->at[i * s->parameters];
    take_line(s, along, n, l);
    if (l->count > most || (l->count == most && n > best)) {
      most = l->count;
      best = n;
    }
  }
  take_line(s, along, best, l);
  return 0;
}

int sc_several_find_lines(sc_several *s)
{
  for (size_t p = 0; p < s->parameters; p++)
    SC_TRY(find_line(s, p, &s->lines[p]));
  return 0;
}

void sc_several_free_lines(sc_several *s)
{
  for (size_t p = 0; p < s->parameters; p++) {
    free(s->lines[p].points);
    free(s->lines[p].values);
  }
}
