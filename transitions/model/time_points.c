/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processor times of whole runs, a point a size. */
#include "transitions/model/time_points.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/elapsed_run.h"
#include "transitions/model/tuning.h"

/* Of the logarithms of a size's times about their mean, summed up: a run of twice the time counts as one of half does.
 */
static double log_squares(const double *times, size_t count)
{
  double mean = 0, squares = 0;
  for (size_t r = 0; r < count; r++)
    mean += log(times[r]) / (double)count;
  for (size_t r = 0; r < count; r++)
    squares += (log(times[r]) - mean) * (log(times[r]) - mean);
  return squares;
}

/* One point a size, the lower quartile of its runs: what else the machine does, on the other half of a core or with the
 * clock, makes runs longer, often twice as long, and never shorter. `scatter` becomes that of the quartile of a single
 * run. */
static size_t gather_points(const sc_analysis *a, double *times, sc_power_point *points, double *scatter)
{
  size_t count = 0;
  double squares = 0, degrees = 0;
  for (size_t i = 0, end; i < a->run_count; i = end) {
    for (end = i; end < a->run_count && a->sizes[end] == a->sizes[i]; end++)
      times[end - i] = sc_run_processor(sc_graph_run_const(a->graph, a->runs[end]));
    size_t runs = end - i;
    gsl_sort(times, 1, runs);
    double quartile = times[(runs - 1) / 4];
    if (!(quartile > 0))
      continue;
    if (times[0] > 0) {
      squares += log_squares(times, runs);
      degrees += (double)(runs - 1);
    }
    points[count++] = (sc_power_point){a->sizes[i], quartile, (double)runs};
  }
  *scatter = degrees >= 3 ? fmax(SC_TIME_POINTS_SCATTER_LEAST, SC_TIME_POINTS_QUARTILE * sqrt(squares / degrees))
                          : SC_TIME_POINTS_SCATTER;
  return count;
}

/* The errors of the quartiles, in place of the numbers of runs. Repeats made at one time share what the machine did. */
static void set_errors(sc_power_point *points, size_t count, double scatter)
{
  for (size_t i = 0; i < count; i++)
    points[i].error =
        hypot(fmax(SC_TIME_POINTS_SCATTER_LEAST, scatter / sqrt(points[i].error)), SC_TIME_POINTS_START / points[i].y);
}

int sc_time_points(const sc_analysis *a, sc_power_point *points, size_t *count)
{
  double scatter, *times = sc_mem_new(a->run_count, sizeof *times);
  if (!times)
    return SC_E_NOMEM;
  *count = gather_points(a, times, points, &scatter);
  set_errors(points, *count, scatter);
  free(times);
  return 0;
}

/* From the upper half of the sizes: short runs are mostly start, and say little of how busy the machine was. */
double sc_time_busy(const sc_analysis *a)
{
  double ready = 0, all = 0, half = a->sizes[a->run_count - 1] / 2;
  for (size_t i = 0; i < a->run_count; i++) {
    sc_elapsed_run run = sc_elapsed_of_run(sc_graph_run_const(a->graph, a->runs[i]));
    if (a->sizes[i] < half)
      continue;
    ready += run.ready;
    all += run.on + run.ready;
  }
  return all > 0 ? ready / all : 0;
}
