/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "regress/core/noise.h"
#include "regress/core/tuning.h"

enum { COLUMNS = 7 };

typedef struct point {
  double n, y;
} point;

static int check_series(const sc_series *series)
{
  for (size_t i = 0; i < series->count; i++) {
    double n = series->n[i], y = series->y[i];
    if (!isfinite(n) || n <= 0) {
      sc_err_set(SC_E_INPUT, "point %zu has the size %g", i, n);
      return sc_err_hint(SC_E_INPUT, "sizes must be finite and greater than 0");
    }
    if (!isfinite(y) || y < 0) {
      sc_err_set(SC_E_INPUT, "point %zu (size %g) has the value %g", i, n, y);
      return sc_err_hint(SC_E_INPUT, "values must be finite and not negative");
    }
  }
  return 0;
}

static int by_size(const void *left, const void *right)
{
  const point *a = left, *b = right;
  return SC_COMPARE(a->n, b->n) ?: SC_COMPARE(a->y, b->y);
}

static int reserve_points(sc_points *points, size_t count)
{
  if (count <= points->capacity)
    return 0;
  double *columns = sc_mem_new(count * (COLUMNS + 1), sizeof *columns);
  point *order = sc_mem_new(count, sizeof *order);
  if (!columns || !order) {
    free(columns);
    free(order);
    return SC_E_NOMEM;
  }
  free(points->n);
  free(points->order);
  points->n = columns;
  points->log_n = columns + count;
  points->y = columns + 2 * count;
  points->scale = columns + 3 * count;
  points->repeats = columns + 4 * count;
  points->weight = columns + 5 * count;
  points->log2_n = columns + 6 * count;
  points->values = columns + 7 * count;
  points->order = order;
  points->capacity = count;
  points->count = 0;
  return 0;
}

/* What residuals at a size are divided by: the value itself. A value of 0 has no relative error; the smallest of the
 * others stands in for it, but not less than a thousandth of the largest. Where counts are counted it is at least one
 * whole count, and beside large counts a few: half a count is much of the one event at small sizes, and would hide the
 * growth of hundreds that begins later. */
static double points_scale_of(double y, double y_least, double y_max, bool counts)
{
  if (y_max <= 0)
    return 1;
  if (y <= 0)
    y = fmax(y_least, y_max * 1e-3);
  y = fmax(y, y_max * SC_POINTS_RESOLVED);
  return counts ? fmax(y, fmax(1, fmin(SC_POINTS_FEW, y_max * SC_POINTS_FEW_SHARE))) : y;
}

static double points_rounding(const sc_points *points)
{
  double sum = 0;
  for (size_t i = 0; i < points->count; i++)
    sum += 0.25 / (points->scale[i] * points->scale[i] * (double)points->count);
  return sum;
}

static void set_scales(const sc_series *series, sc_points *points)
{
  double y_max = 0, y_least = INFINITY;
  for (size_t i = 0; i < points->count; i++) {
    y_max = fmax(y_max, points->y[i]);
    if (points->y[i] > 0)
      y_least = fmin(y_least, points->y[i]);
  }
  points->y_max = y_max;
  points->zeros = 0;
  for (size_t i = 0; i < points->count; i++) {
    points->scale[i] = points_scale_of(points->y[i], y_least, y_max, series->counts);
    if (points->y[i] == 0 && points->zeros == i)
      points->zeros++;
    points->weight[i] = points->repeats[i];
  }
  points->rounding = series->counts ? points_rounding(points) : 0;
}

/* A count that repeats itself is one observation, however often it was made: it says nothing of what a model of other
 * sizes may miss them by. */
static void drop_repeats(sc_points *points)
{
  points->observations = points->count;
  for (size_t i = 0; i < points->count; i++) {
    points->repeats[i] = 1;
    points->values[i] = points->y[i];
  }
}

int sc_points_gather(const sc_series *series, sc_points *points)
{
  SC_TRY(check_series(series));
  SC_TRY(reserve_points(points, series->count));
  point *order = points->order;
  bool sorted = true;
  for (size_t i = 0; i < series->count; i++) {
    order[i] = (point){series->n[i], series->y[i]};
    sorted = sorted && (i == 0 || order[i - 1].n <= order[i].n);
  }
  if (!sorted)
    qsort(order, series->count, sizeof *order, by_size);
  size_t count = 0;
  bool same = true;
  points->counts = points->equal = series->counts;
  for (size_t i = 0, end; i < series->count; i = end, count++) {
    double sum = 0;
    bool equal = true;
    for (end = i; end < series->count && order[end].n == order[i].n; end++) {
      sum += points->values[end] = order[end].y;
      equal = equal && order[end].y == order[i].y;
      points->counts = points->counts && order[end].y == floor(order[end].y) && order[end].y <= 0x1p63;
    }
    if (count >= points->count || points->n[count] != order[i].n) {
      same = false;
      points->n[count] = order[i].n;
      points->log_n[count] = log(order[i].n);
      points->log2_n[count] = log2(order[i].n);
    }
    points->equal = points->equal && points->counts && equal;
    points->repeats[count] = (double)(end - i);
    points->y[count] = equal ? order[i].y : sum / (double)(end - i);
  }
  points->same_sizes = same && count == points->count;
  points->count = count;
  points->observations = series->count;
  if (points->equal)
    drop_repeats(points);
  set_scales(series, points);
  sc_noise_weigh(points);
  double most = SC_FIT_NEARLY * SC_FIT_NEARLY * (double)points->pure_degrees;
  points->whole = points->counts && points->pure_ss <= most;
  return 0;
}

sc_points sc_points_part(const sc_points *points, size_t first, size_t count)
{
  sc_points part = *points;
  part.n += first, part.log_n += first, part.log2_n += first, part.y += first, part.scale += first;
  part.repeats += first, part.weight += first;
  part.count = count;
  return part;
}

void sc_points_drop(sc_points *points, size_t count)
{
  if (count == 0)
    return;
  double *columns[] = {points->n,       points->log_n,  points->y,     points->scale,
                       points->repeats, points->weight, points->log2_n};
  for (size_t i = 0; i < count; i++) {
    points->observations -= (size_t)points->repeats[i];
    points->pure_degrees -= (size_t)points->repeats[i] - 1;
  }
  for (size_t c = 0; c < COLUMNS; c++)
    memmove(columns[c], columns[c] + count, (points->count - count) * sizeof *columns[c]);
  points->count -= count;
  if (points->rounding > 0) /* half a count is much where the count is 0, and little in what is left */
    points->rounding = points_rounding(points);
  points->same_sizes = false;
  points->zeros = 0;
}

double sc_points_noise(const sc_points *points, size_t at)
{
  return points->pure_degrees ? points->pure_ss / (double)points->pure_degrees / fmax(points->weight[at], 1e-9) : 0;
}

double sc_points_scatter(const sc_points *points, double stairs)
{
  double sum = 0;
  for (size_t i = 0; i < points->count; i++)
    sum += (sc_points_noise(points, i) + stairs) * points->scale[i] * points->scale[i];
  return sum;
}

void sc_points_free(sc_points *points)
{
  free(points->n);
  free(points->order);
  *points = (sc_points){0};
}
