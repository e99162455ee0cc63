/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elsewhere nothing was measured: what bounds a prediction there is the run nearest to it, in logarithms, as
 * parameters matter by factors. */
#include "transitions/resources/place.h"

#include <math.h>

#include "transitions/resources/metrics.h"

static const double *point_at(const sc_resources_place *p, size_t i) { return p->runs.at + i * p->runs.parameters; }

double sc_rplace_distance(const sc_resources_place *p, size_t i)
{
  double sum = 0;
  for (size_t k = 1; k < p->runs.parameters; k++)
    sum += fabs(log(point_at(p, i)[k] / p->others[k - 1]));
  return sum;
}

size_t sc_rplace_run(const sc_resources *r, size_t run)
{
  const sc_resources_place *p = r->place;
  const double n = r->run_sizes[run];
  size_t best = 0;
  for (size_t i = 1; i < p->runs.count; i++) {
    double away = sc_rplace_distance(p, i) - sc_rplace_distance(p, best);
    if (away < 0 || (away == 0 && fabs(log(point_at(p, i)[0] / n)) < fabs(log(point_at(p, best)[0] / n))))
      best = i;
  }
  return best;
}

bool sc_rplace_ran(const sc_resources *r, size_t run, double n)
{
  return sc_rplace_distance(r->place, run) == 0 && point_at(r->place, run)[0] == n;
}

bool sc_rplace_never_above(const sc_resources *r, const sc_resource_cell *cell, int part, int all)
{
  const sc_resources *runs = r->place->all;
  const sc_resource_cell *same = &runs->cells[cell - r->cells];
  for (size_t run = 0; run < runs->run_count; run++) {
    double value, most;
    if (sc_rmetric_value(runs, same, run, part, &value) &&
        !(sc_rmetric_value(runs, same, run, all, &most) && value <= most))
      return false;
  }
  return true;
}
