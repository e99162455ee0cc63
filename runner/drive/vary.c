/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of further parameters. What is studied in detail is the focused parameter, with the others at their base
 * values. For models of several parameters (docs/models-several.md) every other value is run at three of the first
 * sizes, so that there are points with two parameters away from where they mostly are; these tell sums from products.
 * Of two further parameters a few points have both away from their bases.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "runner/drive/internal.h"
#include "runner/text/format.h"

enum { SIZES = 3 };

typedef struct plan {
  double sizes[SIZES];
  size_t size_count;
  sc_run *points; /* [count] one a point */
  size_t count, capacity;
  bool *off; /* [count] takes too long */
} plan;

/* The smallest, the middle and the largest of the first sizes that ran: named by the workload, and so the same when a
 * study is resumed. */
static void choose_vary_sizes(const sc_drive *drive, plan *p)
{
  size_t ran = 0, at = 0;
  for (size_t i = 0; i < drive->first_count; i++)
    ran += sc_drive_count_runs(drive, drive->first[i]) > 0;
  for (size_t i = 0; i < drive->first_count; i++) {
    if (!sc_drive_count_runs(drive, drive->first[i]))
      continue;
    if (at == 0 || at == ran / 2 || at == ran - 1)
      p->sizes[p->size_count++] = drive->first[i];
    at++;
  }
}

static int add_points(plan *p, const double *others, size_t size_count)
{
  for (size_t i = 0; i < size_count; i++) {
    SC_TRY(sc_mem_grow(&p->points, &p->capacity, p->count + 1, sizeof *p->points));
    p->points[p->count] = (sc_run){.n = p->sizes[i], .role = SC_RUN_VARIED};
    memcpy(p->points[p->count++].others, others, sizeof p->points->others);
  }
  return 0;
}

static int add_vary_line(const sc_workload *workload, size_t other, plan *p)
{
  double others[SC_RUN_OTHERS];
  sc_workload_base(workload, others);
  for (size_t v = 0; v < workload->others[other].count; v++) {
    others[other] = workload->others[other].values[v];
    if (others[other] != workload->others[other].base)
      SC_TRY(add_points(p, others, p->size_count));
  }
  return 0;
}

/* The value that is furthest from the base, and another one. */
static void far_values(const sc_workload_other *other, double *far, double *near)
{
  double low = other->values[0], high = other->values[other->count - 1];
  *far = high / other->base >= other->base / low ? high : low;
  *near = other->values[other->count / 2];
  if (*near == other->base)
    *near = *far == high ? low : high;
}

static int add_mixed(const sc_workload *workload, plan *p)
{
  double far[SC_RUN_OTHERS], near[SC_RUN_OTHERS];
  for (size_t i = 0; i < SC_RUN_OTHERS; i++)
    far_values(&workload->others[i], &far[i], &near[i]);
  const double both[][SC_RUN_OTHERS] = {{far[0], far[1]}, {near[0], far[1]}, {far[0], near[1]}};
  SC_TRY(add_points(p, both[0], p->size_count));
  SC_TRY(add_points(p, both[1], 1));
  return add_points(p, both[2], 1);
}

static int make_plan(const sc_drive *drive, plan *p)
{
  choose_vary_sizes(drive, p);
  for (size_t i = 0; i < drive->workload->other_count; i++)
    SC_TRY(add_vary_line(drive->workload, i, p));
  if (drive->workload->other_count == SC_RUN_OTHERS)
    SC_TRY(add_mixed(drive->workload, p));
  return SC_NEW(p->off, p->count + 1);
}

static bool same_others(const sc_run *a, const sc_run *b)
{
  return memcmp(a->others, b->others, sizeof a->others) == 0;
}

unsigned sc_drive_vary_count(const sc_drive *drive, const sc_run *like)
{
  unsigned count = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->varied); r++) {
    const sc_run *run = sc_graph_run_const(drive->varied, r);
    count += run->n == like->n && run->role == like->role && same_others(run, like);
  }
  return count;
}

static size_t count_vary_left(const sc_drive *drive, const plan *p)
{
  size_t runs = 0;
  for (size_t i = 0; i < p->count; i++) {
    unsigned made = sc_drive_vary_count(drive, &p->points[i]);
    runs += !p->off[i] && made < drive->workload->repeats ? drive->workload->repeats - made : 0;
  }
  return runs;
}

/* Before the first sizes have run it is as many as there will be if none has to give way. */
size_t sc_drive_vary_left(const sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  size_t points = 0, sizes = drive->first_count < SIZES ? drive->first_count : SIZES, made = 0;
  if (drive->varied_done)
    return 0;
  for (size_t i = 0; i < workload->other_count; i++)
    points += (workload->others[i].count - 1) * sizes;
  if (workload->other_count == SC_RUN_OTHERS)
    points += sizes + 2;
  for (size_t r = 0; r < sc_graph_run_count(drive->varied); r++)
    made += sc_graph_run_const(drive->varied, r)->role == SC_RUN_VARIED;
  return points * workload->repeats > made ? points * workload->repeats - made : 0;
}

static void describe_point(const sc_drive *drive, const sc_run *point, char *text, size_t size)
{
  int length = 0;
  *text = '\0';
  for (size_t i = 0; i < drive->workload->other_count && length >= 0 && (size_t)length < size; i++)
    length += snprintf(text + length, size - (size_t)length, "%s%s = %s", i ? ", " : "",
                       drive->workload->others[i].name, sc_format_number(point->others[i]).s);
}

/* "m = 1, 2, 5, 12, 28, 64; 15 runs beside those at m = 1" */
int sc_drive_tell_values(const sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  sc_run base = {.n = 0};
  sc_buf text = {0};
  char place[200];
  size_t runs = sc_drive_vary_left(drive);
  if (!runs)
    return 0;
  for (size_t i = 0; i < workload->other_count; i++) {
    const sc_workload_other *other = &workload->others[i];
    sc_buf_printf(&text, "%s%s = %s", i ? "; " : "", other->name, sc_format_number(other->values[0]).s);
    for (size_t v = 1; v < other->count; v++)
      sc_buf_printf(&text, ", %s", sc_format_number(other->values[v]).s);
  }
  sc_workload_base(workload, base.others);
  describe_point(drive, &base, place, sizeof place);
  sc_buf_printf(&text, "; %s beside those at %s", sc_format_plural(runs, "run").s, place);
  int err = sc_buf_finish(&text);
  if (err == 0)
    sc_drive_tell(drive, (sc_drive_event){.kind = SC_DRIVE_VALUES, .text = text.text});
  sc_buf_free(&text);
  return err;
}

static void tell_point(const sc_drive *drive, const plan *p, enum sc_drive_kind kind, const sc_run *point,
                       double seconds)
{
  char why[200];
  describe_point(drive, point, why, sizeof why);
  const sc_drive_event event = {.kind = kind,
                                .n = point->n,
                                .why = why,
                                .repeat = point->repeat,
                                .repeats = drive->workload->repeats,
                                .run_number = drive->run_number,
                                .runs_expected = drive->run_number + count_vary_left(drive, p) -
                                                 (kind == SC_DRIVE_RUN_BEGIN ? 1 : 0),
                                .seconds = seconds,
                                .seconds_left = -1};
  sc_drive_tell(drive, event);
}

static double wall_at(const sc_graph *graph, const sc_run *like, bool others)
{
  double longest = 0;
  for (size_t r = 0; r < sc_graph_run_count(graph); r++) {
    const sc_run *run = sc_graph_run_const(graph, r);
    if (run->n == like->n && (!others || same_others(run, like)))
      longest = fmax(longest, run->wall_seconds);
  }
  return longest;
}

/* What it takes at the base values, times what these values made of the next smaller size. */
static double expect_vary(const sc_drive *drive, const plan *p, size_t index)
{
  const sc_run *point = &p->points[index];
  double base = wall_at(drive->graph, point, false);
  if (index == 0 || !same_others(point, point - 1))
    return base;
  double before = wall_at(drive->graph, point - 1, false), varied = wall_at(drive->varied, point - 1, true);
  return before > 0 && varied > before ? base * varied / before : base;
}

/* Of these values this size and all above it. */
static void turn_off(const sc_drive *drive, plan *p, size_t index, const char *what, double seconds)
{
  char values[200];
  describe_point(drive, &p->points[index], values, sizeof values);
  sc_drive_warn_of((sc_drive *)drive, "--timeout 10min lets every run take that long; smaller values are quicker",
                   "%s = %s with %s %s %s; these values are not run at larger sizes", drive->workload->parameter,
                   sc_format_number(p->points[index].n).s, values, what, sc_format_seconds(seconds).s);
  for (size_t i = index; i < p->count && same_others(&p->points[i], &p->points[index]); i++)
    p->off[i] = true;
}

/* For want of time: all runs of it that are still to come. */
static int leave_out_value(sc_drive *drive, plan *p, size_t index)
{
  drive->varied_left_out += drive->workload->repeats - sc_drive_vary_count(drive, &p->points[index]);
  p->off[index] = true;
  return 0;
}

static int run_point(sc_drive *drive, plan *p, size_t index, unsigned round)
{
  sc_run *point = &p->points[index];
  point->repeat = sc_drive_vary_count(drive, point);
  if (p->off[index] || point->repeat > round)
    return 0;
  double seconds = expect_vary(drive, p, index), limit = sc_drive_limit(drive);
  if (!sc_drive_fits(drive, seconds))
    return leave_out_value(drive, p, index);
  if (seconds > limit) {
    turn_off(drive, p, index, "would take about", seconds);
    return 0;
  }
  drive->run_number++;
  tell_point(drive, p, SC_DRIVE_RUN_BEGIN, point, seconds);
  double start = sc_clock_now();
  int err = sc_drive_run(drive, point);
  if (err == SC_E_TIMEOUT && drive->cut)
    return leave_out_value(drive, p, index);
  if (err == SC_E_TIMEOUT && drive->limit_hit) {
    turn_off(drive, p, index, "was stopped: it took longer than", drive->run_limit);
    return 0;
  }
  SC_TRY(err);
  drive->made++;
  tell_point(drive, p, SC_DRIVE_RUN_END, point, sc_clock_now() - start);
  return sc_drive_check_interrupt(drive);
}

int sc_drive_vary(sc_drive *drive)
{
  plan p = {.size_count = 0};
  int err = 0;
  if (drive->varied_done || !drive->workload->other_count)
    return 0;
  drive->varied_done = true;
  drive->named = true; /* the workload names these sizes and values */
  SC_GOTO(make_plan(drive, &p));
  for (unsigned round = 0; round < drive->workload->repeats; round++)
    for (size_t i = 0; i < p.count; i++)
      SC_GOTO(run_point(drive, &p, i, round));
out:
  free(p.points);
  free(p.off);
  return err;
}
