/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs of one size have to count the same, or the models describe chance. */
#include <math.h>
#include <stdio.h>

#include "runner/drive/internal.h"
#include "runner/workload/expand.h"

/* A service's waiting loop goes round once more or less as the probe that looks whether it is ready, and the signal
 * that stops it, happen to fall: that says nothing about its load. */
static double tolerance(const sc_drive *drive) { return drive->workload->service ? 2 : 0; }

/* Bytes that hang on how a number, a time or a path is written are no other behaviour. */
static double little_work(const sc_location *location, double count)
{
  static const double EXECUTIONS = 1, PART = 0.01;
  if (location->kind != SC_LOCATION_WORK)
    return 0;
  return fmax(EXECUTIONS / sc_location_weight(location), PART * count);
}

static const char *kind_of(const sc_location *location)
{
  return location->kind == SC_LOCATION_LOOP   ? "the loop in"
         : location->kind == SC_LOCATION_WORK ? "the work of"
                                              : "the function";
}

/* The other run of this size, or `run` itself. */
static size_t twin(const sc_graph *graph, size_t run)
{
  double n = sc_graph_run_const(graph, run)->n;
  for (size_t r = 0; r < run; r++)
    if (sc_graph_run_const(graph, r)->n == n)
      return r;
  return run;
}

void sc_drive_check_steady(sc_drive *drive, size_t run)
{
  const sc_graph *graph = drive->graph;
  size_t other = twin(graph, run);
  double worst = 0, a_worst = 0, b_worst = 0;
  uint32_t where = 0, differing = 0;
  if (other == run)
    return;
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++) {
    double a = sc_graph_value(graph, other, c, SC_METRIC_COUNT), b = sc_graph_value(graph, run, c, SC_METRIC_COUNT);
    const sc_location *location = sc_graph_at(graph, c);
    double difference = fabs(a - b) * sc_location_weight(location);
    if (fabs(a - b) <= fmax(tolerance(drive), little_work(location, fmax(a, b))))
      continue;
    differing++;
    if (difference > worst) { /* the largest difference matters most to the total */
      worst = difference;
      where = c;
      a_worst = a;
      b_worst = b;
    }
  }
  if (!differing || drive->unsteady)
    return;
  drive->unsteady = true;
  char text[800], size[64], one[64], two[64];
  const sc_location *location = sc_graph_at(graph, where);
  sc_expand_number(sc_graph_run_const(graph, run)->n, size, sizeof size);
  sc_expand_number(a_worst, one, sizeof one);
  sc_expand_number(b_worst, two, sizeof two);
  snprintf(text, sizeof text,
           "the program changes its behaviour from run to run: at %s = %s, %u context%s differently; most, %s %.200s "
           "(%.150s:%u): %s and %s",
           drive->workload->parameter, size, differing, differing == 1 ? " counts" : "s count", kind_of(location),
           location->display, location->file, location->line, one, two);
  sc_drive_warn(
      drive, text,
      "look for hash seeds, addresses, the time, threads that wait; fix them by an <env>, or raise <repeats>");
}
