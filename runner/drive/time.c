/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a run will take, how long it may take, and how much time is left. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/compare.h"
#include "runner/drive/internal.h"
#include "runner/text/tuning.h"

unsigned sc_drive_count_runs(const sc_drive *drive, double n)
{
  unsigned count = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    count += run->n == n && run->role != SC_RUN_TARGET;
  }
  return count;
}

/* ---- how long a run will take ---- */

/*
 * How long a run will take, from the runs so far, rather too long than too short. Short runs' times are mostly start-up
 * and chance, but counts are exact from the smallest size on: where they show how fast the work grows, times only have
 * to tell what it costs. Work that is not counted (in libraries) shows in the times of longer runs; the slower of both
 * forecasts is taken.
 */

typedef struct point {
  double n, value;
} point;

static double total_count(const sc_graph *graph, size_t run)
{
  double total = 0;
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++)
    total += sc_graph_executions(graph, run, c);
  return total;
}

/* Runs are only added to the graph, so that each is summed up once. */
static bool refresh_totals(sc_drive *drive)
{
  size_t runs = sc_graph_run_count(drive->graph);
  if (sc_mem_grow(&drive->totals, &drive->total_capacity, runs + 1, sizeof *drive->totals) < 0)
    return false;
  for (; drive->total_count < runs; drive->total_count++)
    drive->totals[drive->total_count] = total_count(drive->graph, drive->total_count);
  return true;
}

static int compare_time_points(const void *a, const void *b)
{
  double x = ((const point *)a)->n, y = ((const point *)b)->n;
  return SC_COMPARE(x, y);
}

/* One point a size, the mean of its runs, by size. */
static size_t merge_time(point *points, size_t count)
{
  size_t kept = 0;
  if (count)
    qsort(points, count, sizeof *points, compare_time_points);
  for (size_t i = 0, end; i < count; i = end) {
    double sum = 0, n = points[i].n;
    for (end = i; end < count && points[end].n == n; end++)
      sum += points[end].value;
    points[kept++] = (point){n, sum / (double)(end - i)};
  }
  return kept;
}

/* The next point below that is far enough away to show a trend; `count` if none is. */
static size_t find_point_apart(const point *p, size_t count, size_t from)
{
  for (size_t i = from; i-- > 0;)
    if (p[i].n <= SC_TIME_APART_SIZE * p[from].n || p[i].value <= SC_TIME_APART_TIME * p[from].value)
      return i;
  return count;
}

static double time_slope(point a, point b) { return log(b.value / a.value) / log(b.n / a.n); }
static double time_rate(point a, point b) { return log(b.value / a.value) / (b.n - a.n); }

static double time_between(const point *p, size_t count, double n)
{
  size_t i = 0;
  while (i < count && p[i].n < n)
    i++;
  if (i == 0 || p[i].n == n)
    return p[i].value;
  return p[i - 1].value * pow(n / p[i - 1].n, time_slope(p[i - 1], p[i]));
}

/* A power of n, or an exponential where the last three points are rather one, from `least` on: a handful of executions
 * rise in steps; -1 where one point is all there is. */
static double extrapolate_time(const point *p, size_t count, double n, double least)
{
  if (count && n <= p[count - 1].n)
    return time_between(p, count, n);
  size_t last = count ? count - 1 : 0, second = count ? find_point_apart(p, count, last) : count;
  if (second >= count)
    return -1;
  double power = fmax(time_slope(p[second], p[last]), 0);
  size_t third = find_point_apart(p, count, second);
  if (third < count) {
    double before = fmax(time_slope(p[third], p[second]), 0), actual = log(p[last].value / p[second].value);
    double by_power = before * log(p[last].n / p[second].n);
    double by_rate = time_rate(p[third], p[second]) * (p[last].n - p[second].n);
    bool exponential = power > 1 && power > before && fabs(by_rate - actual) < fabs(by_power - actual);
    if (exponential && p[third].value >= least && by_rate >= SC_TIME_RATE * actual)
      return p[last].value * exp(fmin(time_rate(p[second], p[last]) * (n - p[last].n), 600));
    power += SC_TIME_STEEPER * fmax(power - before, 0); /* lower terms give way to the leading one */
  }
  return p[last].value * exp(fmin(power * log(n / p[last].n), 600));
}

/* Seconds beyond the shortest run. */
static double work_by_time(const sc_drive *drive, point *p, double shortest, double n)
{
  size_t count = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    if (run->wall_seconds - shortest >= SC_TIME_SHOWS)
      p[count++] = (point){run->n, run->wall_seconds - shortest};
  }
  return extrapolate_time(p, merge_time(p, count), n, 0);
}

static double work_by_count(const sc_drive *drive, point *p, double shortest, double n)
{
  size_t count = 0, runs = sc_graph_run_count(drive->graph);
  for (size_t r = 0; r < runs; r++)
    p[count++] = (point){sc_graph_run_const(drive->graph, r)->n, fmax(drive->totals[r], 1)};
  count = merge_time(p, count);
  double largest = p[count - 1].n, most = p[count - 1].value, wall = 0, same = 0;
  double counted = extrapolate_time(p, count, n, SC_TIME_EXPONENTIAL);
  for (size_t r = 0; r < runs; r++)
    if (sc_graph_run_const(drive->graph, r)->n == largest)
      wall += sc_graph_run_const(drive->graph, r)->wall_seconds, same++;
  double spent = fmax(wall / same - shortest, SC_TIME_CHANCE);
  if (spent < SC_TIME_SHOWS)
    spent = fmin(spent, SC_TIME_EXECUTION * most);
  return counted < 0 ? -1 : spent * counted / most;
}

double sc_drive_expect(sc_drive *drive, double n)
{
  size_t runs = sc_graph_run_count(drive->graph);
  double shortest = INFINITY;
  if (runs == 0 || !refresh_totals(drive))
    return -1;
  point *points = sc_mem_new(runs, sizeof *points);
  if (!points)
    return -1;
  bool within = false;
  for (size_t r = 0; r < runs; r++) {
    within |= sc_graph_run_const(drive->graph, r)->n >= n;
    shortest = fmin(shortest, sc_graph_run_const(drive->graph, r)->wall_seconds);
  }
  double by_count = work_by_count(drive, points, shortest, n), by_time = work_by_time(drive, points, shortest, n);
  free(points);
  double work = within && by_time >= 0 ? by_time : fmax(by_count, by_time); /* between runs their times say it all */
  double seconds = work < 0 ? -1 : shortest + work;
  if (drive->too_long > 0 && n >= drive->too_long) /* a size that had to be stopped took longer than anyone knows */
    seconds = fmax(seconds, SC_TIME_STOPPED * drive->too_long_seconds);
  return seconds;
}

/* ---- how much time is left ---- */

/*
 * The budget of time: no run is begun that is not expected to end within it, and the run that is under way when it ends
 * is stopped. With --budget it is that of the study: its time is known before it begins, whatever its first sizes take.
 * By default it is that of the sizes that nobody named: those named are run, whatever they take.
 */

double sc_drive_spent(const sc_drive *drive) { return drive->spent_before + sc_clock_now() - drive->start; }

static double spent_adding(const sc_drive *drive)
{
  double open = drive->adding ? sc_clock_now() - drive->adding_since : 0;
  return drive->added_before + drive->added + open;
}

void sc_drive_set_adding(sc_drive *drive, bool adding)
{
  drive->added = spent_adding(drive) - drive->added_before;
  drive->adding = adding;
  drive->adding_since = sc_clock_now();
}

double sc_drive_default_budget(const sc_drive *drive)
{
  return fmax(SC_TIME_BUDGET, sc_drive_spent(drive) - spent_adding(drive));
}

double sc_drive_budget(const sc_drive *drive)
{
  if (drive->options->budget_seconds > 0)
    return drive->options->budget_seconds;
  return drive->adding ? sc_drive_default_budget(drive) : INFINITY;
}

double sc_drive_seconds_left(const sc_drive *drive)
{
  return sc_drive_budget(drive) - (drive->options->budget_seconds > 0 ? sc_drive_spent(drive) : spent_adding(drive));
}

bool sc_drive_out_of_time(const sc_drive *drive) { return drive->cut || sc_drive_seconds_left(drive) <= 0; }

bool sc_drive_times_are_cut(const sc_drive *drive)
{
  sc_plan_state state = sc_plan_status(drive->plan);
  return state.lacking > 0 || (drive->cut && state.stop == SC_PLAN_ACCURATE);
}

bool sc_drive_fits(const sc_drive *drive, double seconds)
{
  return !sc_drive_out_of_time(drive) && fmax(seconds, 0) + drive->overhead <= sc_drive_seconds_left(drive);
}

static int remember_seconds(const sc_drive *drive, const char *key, double seconds)
{
  char text[32];
  snprintf(text, sizeof text, "%.3f", seconds);
  return sc_study_put(drive->study, key, text);
}

/* Of a resumed study the time of its earlier runs counts, too. */
int sc_drive_recall_spent(sc_drive *drive)
{
  SC_TRY(sc_study_get_number(drive->study, "spent_seconds", &drive->spent_before));
  return sc_study_get_number(drive->study, "added_seconds", &drive->added_before);
}

int sc_drive_remember_spent(const sc_drive *drive)
{
  SC_TRY(remember_seconds(drive, "spent_seconds", sc_drive_spent(drive)));
  return remember_seconds(drive, "added_seconds", spent_adding(drive));
}

/* ---- what a run may take ---- */

static double longest_of_range(const sc_drive *drive)
{
  double longest = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    if (run->role != SC_RUN_TARGET && run->n <= drive->workload->range_high)
      longest = fmax(longest, run->wall_seconds);
  }
  return longest;
}

double sc_drive_given_limit(const sc_drive *drive)
{
  return drive->options->timeout_seconds > 0 ? drive->options->timeout_seconds : drive->workload->command.timeout;
}

double sc_drive_chosen_limit(const sc_drive *drive)
{
  double factor =
      drive->range_too_long ? 1 : SC_TIME_CHOSEN_FACTOR; /* such a range is as long as anyone wants to wait */
  double left = drive->options->budget_seconds > 0 ? sc_drive_seconds_left(drive) : INFINITY,
         usual = fmax(SC_TIME_CHOSEN, factor * longest_of_range(drive));
  if (sc_drive_given_limit(drive) > 0)
    return sc_drive_given_limit(drive);
  return drive->plan && isfinite(left) ? fmax(usual, SC_TIME_RUN_SHARE * left) : usual;
}

double sc_drive_limit(const sc_drive *drive)
{
  if (sc_drive_given_limit(drive) > 0 || !drive->named || drive->range_too_long)
    return sc_drive_chosen_limit(drive);
  return fmax(SC_TIME_FIRST, SC_TIME_FIRST_FACTOR * longest_of_range(drive));
}

double sc_drive_stop_after(sc_drive *drive, double n)
{
  double limit = SC_TIME_STOP_FACTOR * sc_drive_limit(drive);
  if (sc_drive_given_limit(drive) > 0)
    return sc_drive_given_limit(drive);
  return sc_drive_expect(drive, n) < 0 ? fmax(limit, SC_TIME_UNFORESEEN) : limit;
}
