/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the points of several parameters allow: lines along each, and which parameters went together. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "regress/core/tuning.h"
#include "regress/surface/internal.h"

/* Where the points lie: lines along one parameter, what they cannot tell apart, and which are held out. */

typedef struct direction {
  const double *at;
  size_t parameters, along;
} direction;

/* By all other parameters, then by the one along which lines run. */
static int by_line(const void *left, const void *right, void *user)
{
  const direction *place = user;
  const double *a = place->at + *(const size_t *)left * place->parameters;
  const double *b = place->at + *(const size_t *)right * place->parameters;
  for (size_t q = 0; q < place->parameters; q++)
    if (q != place->along && a[q] != b[q])
      return SC_COMPARE(a[q], b[q]);
  return SC_COMPARE(a[place->along], b[place->along]);
}

static bool same_line(const direction *place, size_t left, size_t right)
{
  for (size_t q = 0; q < place->parameters; q++)
    if (q != place->along && place->at[left * place->parameters + q] != place->at[right * place->parameters + q])
      return false;
  return true;
}

void sc_surface_points_lines(const sc_surface_points *points, size_t p, sc_surface_lines *lines)
{
  direction place = {points->at, points->parameters, p};
  for (size_t i = 0; i < points->count; i++)
    lines->index[i] = i;
  qsort_r(lines->index, points->count, sizeof *lines->index, by_line, &place);
  size_t kept = 0;
  lines->count = 0;
  lines->start[0] = 0;
  for (size_t i = 0, end; i < points->count; i = end) {
    for (end = i + 1; end < points->count && same_line(&place, lines->index[i], lines->index[end]);)
      end++;
    if (end - i < 2)
      continue;
    memmove(lines->index + kept, lines->index + i, (end - i) * sizeof *lines->index);
    kept += end - i;
    lines->start[++lines->count] = kept;
  }
}

double sc_surface_orthogonalise(double *columns, size_t count, size_t c)
{
  double *x = columns + c * count, before = 0, after = 0;
  for (size_t i = 0; i < count; i++)
    before += x[i] * x[i];
  for (int again = 0; again < 2; again++) { /* twice is enough (Giraud, Langou and Rozloznik 2005) */
    for (size_t j = 0; j < c; j++) {
      const double *q = columns + j * count;
      double along = 0;
      for (size_t i = 0; i < count; i++)
        along += x[i] * q[i];
      for (size_t i = 0; i < count; i++)
        x[i] -= along * q[i];
    }
  }
  for (size_t i = 0; i < count; i++)
    after += x[i] * x[i];
  bool left = after > SC_SURFACE_DEPENDENT * SC_SURFACE_DEPENDENT * before;
  for (size_t i = 0; i < count; i++)
    x[i] = left ? x[i] / sqrt(after) : 0;
  return before > 0 ? sqrt(after / before) : 0;
}

/* On a cross, and on a line, the product of any two functions is a sum of them and a constant; so it is for the
 * logarithms then, and hardly ever else. */
bool sc_surface_points_aliased(const sc_surface_points *points, size_t p, size_t q)
{
  size_t count = points->count, parameters = points->parameters;
  double *columns = sc_mem_new(count * 4 + 1, sizeof *columns);
  if (!columns)
    return true;
  double center[2] = {0, 0};
  for (size_t i = 0; i < count; i++) {
    columns[i] = 1;
    columns[count + i] = log(points->at[i * parameters + p] / points->low[p]);
    columns[2 * count + i] = log(points->at[i * parameters + q] / points->low[q]);
    center[0] += columns[count + i] / (double)count;
    center[1] += columns[2 * count + i] / (double)count;
  }
  for (size_t i = 0; i < count; i++)
    columns[3 * count + i] = (columns[count + i] - center[0]) * (columns[2 * count + i] - center[1]);
  bool aliased = false;
  for (size_t c = 0; c < 4; c++)
    aliased = sc_surface_orthogonalise(columns, count, c) < SC_SURFACE_ALIASED || aliased;
  free(columns);
  return aliased;
}

/* The most frequent value of a parameter, the smallest of several: where sparse designs have their axes. */
static double base_of(sc_surface_engine *engine, size_t p)
{
  const sc_surface_points *points = &engine->points;
  double *sorted = engine->line_n, base = points->low[p];
  size_t most = 0;
  for (size_t i = 0; i < points->count; i++)
    sorted[i] = points->at[i * points->parameters + p];
  gsl_sort(sorted, 1, points->count);
  for (size_t i = 0, end; i < points->count; i = end) {
    for (end = i; end < points->count && sorted[end] == sorted[i];)
      end++;
    if (end - i > most)
      base = sorted[i], most = end - i;
  }
  return base;
}

typedef struct mixed {
  double distance;
  size_t index;
} mixed;

static int by_distance(const void *left, const void *right)
{
  const mixed *a = left, *b = right;
  return SC_COMPARE(b->distance, a->distance) ?: SC_COMPARE(a->index, b->index);
}

/* Holds out the outer half of the points that lie off the axes. */
static void fold_mixed(sc_surface_engine *engine)
{
  const sc_surface_points *points = &engine->points;
  const size_t fold = SC_SURFACE_FOLDS - 1;
  mixed *list = points->order; /* its records are larger, and no longer needed */
  size_t count = 0;
  double base[SC_SURFACE_PARAMETERS];
  for (size_t p = 0; p < points->parameters; p++)
    base[p] = base_of(engine, p);
  for (size_t i = 0; i < points->count; i++) {
    size_t off = 0;
    double distance = 0;
    for (size_t p = 0; p < points->parameters; p++) {
      double x = points->at[i * points->parameters + p];
      off += x != base[p];
      if (points->values[p] > 1)
        distance += log(x / points->low[p]) / log(points->high[p] / points->low[p]);
    }
    if (off >= 2)
      list[count++] = (mixed){distance, i};
  }
  qsort(list, count, sizeof *list, by_distance);
  for (size_t i = 0; i < count / 2; i++)
    engine->held[fold][list[i].index] = 1;
  engine->fold_used[fold] = count >= 2;
}

void sc_surface_points_fold(sc_surface_engine *engine)
{
  const sc_surface_points *points = &engine->points;
  for (size_t f = 0; f < SC_SURFACE_FOLDS; f++) {
    memset(engine->held[f], 0, points->count);
    engine->fold_used[f] = false;
  }
  for (size_t p = 0; p < points->parameters; p++) {
    engine->fold_used[p] = points->values[p] >= 4;
    for (size_t i = 0; engine->fold_used[p] && i < points->count; i++)
      engine->held[p][i] = points->at[i * points->parameters + p] == points->high[p];
  }
  fold_mixed(engine);
}

bool sc_surface_points_together(const sc_surface_points *points, size_t p, size_t q)
{
  mixed *list = points->order;
  bool rising = true, falling = true;
  for (size_t i = 0; i < points->count; i++)
    list[i] = (mixed){points->at[i * points->parameters + p], i};
  qsort(list, points->count, sizeof *list, by_distance); /* largest first */
  for (size_t i = 1; i < points->count; i++) {
    double before = points->at[list[i - 1].index * points->parameters + q];
    double now = points->at[list[i].index * points->parameters + q];
    bool same = list[i].distance == list[i - 1].distance;
    rising = rising && (same ? now == before : now < before);
    falling = falling && (same ? now == before : now > before);
  }
  return rising || falling;
}

/* One-way analysis of variance of the residuals by the values of p; its intraclass correlation gives the design effect
 * (Kish, Survey Sampling, 1965), where it is no accident. */
double sc_surface_design_effect(const sc_surface_points *points, size_t p, const double *residuals)
{
  mixed *list = points->order;
  double between = 0, total = 0, groups = 0, count = (double)points->count;
  for (size_t i = 0; i < points->count; i++) {
    list[i] = (mixed){points->at[i * points->parameters + p], i};
    total += residuals[i] * residuals[i];
  }
  qsort(list, points->count, sizeof *list, by_distance);
  for (size_t i = 0, end; i < points->count; i = end, groups++) {
    double sum = 0;
    for (end = i; end < points->count && list[end].distance == list[i].distance; end++)
      sum += residuals[list[end].index];
    between += sum * sum / (double)(end - i);
  }
  if (groups < 2 || count - groups < 2 || total < SC_SURFACE_NOTHING * count)
    return 1;
  double of_groups = between / (groups - 1), within = fmax(total - between, SC_SURFACE_NOTHING) / (count - groups),
         size = count / groups;
  if (gsl_cdf_fdist_Q(of_groups / within, groups - 1, count - groups) > SC_SURFACE_ACCIDENT)
    return 1;
  return 1 + (size - 1) * (of_groups - within) / (of_groups + (size - 1) * within);
}
