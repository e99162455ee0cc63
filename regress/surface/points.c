/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of several parameters with their repeats gathered, one entry a point. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "regress/core/sizes.h"
#include "regress/core/tuning.h"
#include "regress/surface/internal.h"

typedef struct record {
  double at[SC_SURFACE_PARAMETERS], y;
} record;

static int check_surface_series(const sc_surface_series *series)
{
  if (series->parameters == 0 || series->parameters > SC_SURFACE_PARAMETERS) {
    sc_err_set(SC_E_INPUT, "%zu parameters", series->parameters);
    return sc_err_hint(SC_E_INPUT, "models have one to %d parameters", SC_SURFACE_PARAMETERS);
  }
  for (size_t i = 0; i < series->count; i++) {
    for (size_t p = 0; p < series->parameters; p++) {
      double x = series->at[i * series->parameters + p];
      if (!isfinite(x) || x <= 0) {
        sc_err_set(SC_E_INPUT, "point %zu has the value %g for parameter %zu", i, x, p + 1);
        return sc_err_hint(SC_E_INPUT, "parameters must be finite and greater than 0");
      }
    }
    if (!isfinite(series->y[i]) || series->y[i] < 0) {
      sc_err_set(SC_E_INPUT, "point %zu has the value %g", i, series->y[i]);
      return sc_err_hint(SC_E_INPUT, "values must be finite and not negative");
    }
  }
  return 0;
}

static int by_place(const void *left, const void *right)
{
  const record *a = left, *b = right;
  for (size_t p = 0; p < SC_SURFACE_PARAMETERS; p++)
    if (a->at[p] != b->at[p])
      return SC_COMPARE(a->at[p], b->at[p]);
  return SC_COMPARE(a->y, b->y);
}

static int reserve_surface_points(sc_surface_points *points, size_t count)
{
  if (count <= points->capacity)
    return 0;
  double *columns = sc_mem_new(count * (SC_SURFACE_PARAMETERS + 3), sizeof *columns);
  record *order = sc_mem_new(count, sizeof *order);
  if (!columns || !order) {
    free(columns);
    free(order);
    return SC_E_NOMEM;
  }
  free(points->at);
  free(points->order);
  points->at = columns;
  points->y = columns + SC_SURFACE_PARAMETERS * count;
  points->scale = points->y + count;
  points->repeats = points->scale + count;
  points->order = order;
  points->capacity = count;
  return 0;
}

/* Relative residuals, but not below a thousandth of the largest value. (One parameter knows which noise small values
 * have, points.c; several do not.) */
static double surface_points_scale_of(double y, double y_max, bool counts)
{
  if (y_max <= 0)
    return 1;
  if (y <= 0 || !counts)
    y = fmax(y, y_max * 1e-3);
  return counts ? fmax(y, 1) : y;
}

static void spread_surface_points(const sc_surface_series *series, sc_surface_points *points)
{
  const record *order = points->order;
  size_t at = 0;
  points->pure_ss = points->rounding = 0;
  for (size_t i = 0; i < points->count; i++) {
    double scale = points->scale[i] = surface_points_scale_of(points->y[i], points->y_max, series->counts);
    if (series->counts)
      points->rounding += 0.25 / (scale * scale * (double)points->count);
    for (size_t j = 0; j < (size_t)points->repeats[i]; j++, at++) {
      double r = (order[at].y - points->y[i]) / scale;
      points->pure_ss += r * r;
    }
  }
  points->pure_degrees = points->observations - points->count;
}

/* Ranges and how many values each parameter has. The columns of scale and repeats are not in use yet: one holds the
 * values in order. */
static void measure_ranges(sc_surface_points *points)
{
  double *sorted = points->scale;
  for (size_t p = 0; p < points->parameters; p++) {
    for (size_t i = 0; i < points->count; i++)
      sorted[i] = points->at[i * points->parameters + p];
    gsl_sort(sorted, 1, points->count);
    points->values[p] = sc_sizes_distinct(sorted, 1, points->count);
    points->low[p] = points->count ? sorted[0] : 0;
    points->high[p] = points->count ? sorted[points->count - 1] : 0;
  }
}

static bool same_place(const record *a, const record *b) { return memcmp(a->at, b->at, sizeof a->at) == 0; }

/* Deviation of record i from the median of its point's repeats, whose records are [start, end), relative to it. */
static double surface_points_deviation(const record *order, size_t start, size_t end, size_t i)
{
  double median = (order[start + (end - start) / 2].y + order[start + (end - start - 1) / 2].y) / 2;
  return median > 0 ? fabs(order[i].y - median) / median : 0;
}

/* A repeat that was disturbed says nothing of its point: those are left out that are further from their point's median
 * than five standard deviations, estimated from the median of all such deviations (Hampel, JASA 69, 1974). Points of
 * fewer than three repeats show none. Returns how many records are left. */
static size_t drop_outliers(record *order, size_t count, double *scratch)
{
  size_t found = 0, kept = 0, end;
  for (size_t i = 0; i < count; i = end) {
    for (end = i; end < count && same_place(&order[end], &order[i]);)
      end++;
    for (size_t j = i; j < end && end - i >= 3; j++)
      scratch[found++] = surface_points_deviation(order, i, end, j);
  }
  if (found == 0)
    return count;
  gsl_sort(scratch, 1, found);
  double limit = SC_SURFACE_OUTLIER * scratch[found / 2];
  for (size_t i = 0; i < count; i = end) {
    size_t start = kept;
    for (end = i; end < count && same_place(&order[end], &order[i]);)
      end++;
    for (size_t j = i; j < end; j++)
      scratch[j - i] = end - i >= 3 ? surface_points_deviation(order, i, end, j) : 0;
    for (size_t j = i; j < end; j++)
      if (limit == 0 || scratch[j - i] <= limit)
        order[kept++] = order[j];
    if (kept == start) /* of two halves far apart neither is an outlier */
      for (size_t j = i; j < end; j++)
        order[kept++] = order[j];
  }
  return kept;
}

static void collect_points(const sc_surface_series *series, sc_surface_points *points)
{
  record *order = points->order;
  for (size_t i = 0; i < series->count; i++) {
    order[i] = (record){.y = series->y[i]};
    memcpy(order[i].at, series->at + i * series->parameters, series->parameters * sizeof *series->at);
  }
  if (series->count)
    qsort(order, series->count, sizeof *order, by_place);
  size_t count = 0, records = drop_outliers(order, series->count, points->scale);
  points->whole = series->counts && records == series->count;
  points->y_max = 0;
  for (size_t i = 0, end; i < records; i = end, count++) {
    double sum = 0;
    for (end = i; end < records && same_place(&order[end], &order[i]); end++) {
      double y = order[end].y;
      sum += y;
      if (y != order[i].y || y != floor(y) || y >= 0x1p53)
        points->whole = false;
    }
    memcpy(points->at + count * series->parameters, order[i].at, series->parameters * sizeof *points->at);
    points->repeats[count] = (double)(end - i);
    points->y[count] = order[end - 1].y == order[i].y ? order[i].y : sum / (double)(end - i);
    points->y_max = fmax(points->y_max, points->y[count]);
  }
  points->count = count;
  points->observations = records;
  points->independent = (double)records;
}

int sc_surface_points_gather(const sc_surface_series *series, sc_surface_points *points)
{
  points->count = points->observations = 0;
  SC_TRY(check_surface_series(series));
  SC_TRY(reserve_surface_points(points, series->count));
  points->parameters = series->parameters;
  collect_points(series, points);
  measure_ranges(points);
  spread_surface_points(series, points);
  return 0;
}

void sc_surface_points_free(sc_surface_points *points)
{
  free(points->at);
  free(points->order);
  *points = (sc_surface_points){0};
}
