/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares curves of both sides on one grid of sizes. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/compare/internal.h"

/* Where a size stands among those measured, which span it. */
static void locate_grid(const double *sizes, size_t count, double n, size_t around[2], double *weight)
{
  size_t i = 0;
  while (i < count && sizes[i] < n)
    i++;
  around[1] = i;
  around[0] = sizes[i] == n ? i : i - 1;
  *weight = around[0] == i ? 0 : log(n / sizes[i - 1]) / log(sizes[i] / sizes[i - 1]);
}

int sc_grid_make(sc_compared *c)
{
  const sc_side *b = &c->base, *h = &c->head;
  double low = fmax(b->sizes[0], h->sizes[0]);
  double high = fmin(b->sizes[b->size_count - 1], h->sizes[h->size_count - 1]);
  SC_TRY(SC_NEW(c->grid.points, b->size_count + h->size_count));
  for (size_t i = 0, k = 0; i < b->size_count || k < h->size_count;) {
    double n = fmin(i < b->size_count ? b->sizes[i] : INFINITY, k < h->size_count ? h->sizes[k] : INFINITY);
    i += i < b->size_count && b->sizes[i] == n;
    k += k < h->size_count && h->sizes[k] == n;
    if (n < low || n > high)
      continue;
    sc_grid_point *p = &c->grid.points[c->grid.count++];
    p->n = n;
    locate_grid(b->sizes, b->size_count, n, p->base, &p->base_weight);
    locate_grid(h->sizes, h->size_count, n, p->head, &p->head_weight);
  }
  return 0;
}

static double grid_value(const double *y, const double *parent, const size_t around[2], double weight)
{
  double two[2];
  for (int i = 0; i < 2; i++)
    two[i] = parent ? (parent[around[i]] > 0 ? y[around[i]] / parent[around[i]] : 0) : y[around[i]];
  if (around[0] == around[1])
    return two[0];
  if (two[0] > 0 && two[1] > 0)
    return exp(log(two[0]) * (1 - weight) + log(two[1]) * weight);
  return two[0] * (1 - weight) + two[1] * weight;
}

/* One execution more or less of a handful is no factor. */
static double grid_logarithm(double base, double head, double unit)
{
  return log((head + unit / 2) / (base + unit / 2));
}

static double unit_of(const double *parent, const size_t around[2])
{
  return parent && parent[around[1]] > 0 ? 1 / parent[around[1]] : 1;
}

sc_difference sc_grid_compare(const sc_grid *grid, const double *base, const double *head, const double *base_parent,
                              const double *head_parent, bool counts)
{
  sc_difference d = {.points = grid->count, .equal = grid->count > 0, .least = INFINITY};
  double first = 0;
  for (size_t i = 0; i < grid->count; i++) {
    const sc_grid_point *p = &grid->points[i];
    double x = grid_value(base, base_parent, p->base, p->base_weight),
           y = grid_value(head, head_parent, p->head, p->head_weight);
    bool measured = p->base[0] == p->base[1] && p->head[0] == p->head[1];
    double unit = counts ? fmin(unit_of(base_parent, p->base), unit_of(head_parent, p->head)) : 0;
    d.last = x == y || (unit == 0 && !(x > 0 && y > 0)) ? 0 : grid_logarithm(x, y, unit);
    first = i ? first : d.last;
    d.worst = fmax(d.worst, fabs(d.last));
    d.between |= !measured;
    d.equal &= measured && fabs(x - y) <= 1e-9 * fabs(x);
    if (2 * i + 1 >= grid->count) /* the upper half */
      d.least = d.least == INFINITY || d.least * d.last > 0
                    ? (d.least == INFINITY || fabs(d.last) < fabs(d.least) ? d.last : d.least)
                    : 0;
  }
  d.least = d.least == INFINITY ? 0 : fabs(d.least);
  if (grid->count > 1)
    d.slope = (d.last - first) / log(grid->points[grid->count - 1].n / grid->points[0].n);
  return d;
}
