/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run: executed, checked and stored. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/saved_error.h"
#include "runner/drive/internal.h"
#include "runner/process/libraries.h"
#include "runner/process/seen.h"
#include "runner/text/tuning.h"
#include "runner/workload/expand.h"

/* ---- what a run tells about the program ---- */

/* Two runs of one size have to count the same, or the models describe chance. */

/* A service's waiting loop goes round once more or less as the probe that looks whether it is ready, and the signal
 * that stops it, happen to fall: that says nothing about its load. */
static double run_tolerance(const sc_drive *drive) { return drive->workload->service ? 2 : 0; }

/* Counts that nearly repeat are no other behaviour, nor are bytes that hang on how a number, a time or a path is
 * written. */
static double run_nearly(const sc_location *location, double count)
{
  double work = location->kind == SC_LOCATION_WORK ? SC_DRIVE_SAME_WORK / sc_location_weight(location) : 0;
  return fmax(work, SC_FIT_NEARLY * count);
}

static const char *kind_of(const sc_location *location)
{
  return location->kind == SC_LOCATION_LOOP   ? "the loop in"
         : location->kind == SC_LOCATION_WORK ? "the work of"
                                              : "the function";
}

/* The other run of this size, or `run` itself. */
static size_t find_twin_run(const sc_graph *graph, size_t run)
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
  size_t other = find_twin_run(graph, run);
  double worst = 0, a_worst = 0, b_worst = 0;
  uint32_t where = 0, differing = 0;
  if (other == run)
    return;
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++) {
    double a = sc_graph_value(graph, other, c, SC_METRIC_COUNT), b = sc_graph_value(graph, run, c, SC_METRIC_COUNT);
    const sc_location *location = sc_graph_at(graph, c);
    double difference = fabs(a - b) * sc_location_weight(location);
    if (fabs(a - b) <= fmax(run_tolerance(drive), run_nearly(location, fmax(a, b))))
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
  char size[64], one[64], two[64];
  const sc_location *location = sc_graph_at(graph, where);
  sc_expand_number(sc_graph_run_const(graph, run)->n, size, sizeof size);
  sc_expand_number(a_worst, one, sizeof one);
  sc_expand_number(b_worst, two, sizeof two);
  sc_drive_warn_of(
      drive, "look for hash seeds, addresses, the time, threads that wait; fix them by an <env>, or raise <repeats>",
      "the program changes its behaviour from run to run: at %s = %s, %u context%s differently; most, %s %.200s "
      "(%.150s:%u): %s and %s",
      drive->workload->parameter, size, differing, differing == 1 ? " counts" : "s count", kind_of(location),
      location->display, location->file, location->line, one, two);
}

/* ---- the run ---- */

/* Put on record; the run's own error stays the one that is reported. */
static int record_failure(sc_drive *drive, const sc_run *planned, int err)
{
  sc_saved_error saved;
  if (err == SC_E_INTERRUPTED)
    return err;
  sc_saved_error_take(&saved);
  if (sc_study_save_failure(drive->study, planned, saved.message) < 0)
    sc_drive_warn(drive, sc_err_message(), sc_err_hint_text());
  return sc_saved_error_restore(&saved, err);
}

/* Of the plain program nothing but times: its own build tells later ones apart. */
static int check_build(sc_drive *drive, sc_graph *graph, const sc_execute_result *result)
{
  if (graph != drive->plain)
    return sc_drive_check_build(drive, graph, result);
  sc_run *run = sc_graph_run(graph, result->run);
  snprintf(run->build, sizeof run->build, "%s", drive->plain_build);
  return 0;
}

/* Once there are threads, whose locks the libraries may have. */
static void look_for_silent_libraries(sc_drive *drive, const sc_graph *graph, sc_execute_result *result)
{
  const sc_run *run = sc_graph_run_const(graph, result->run);
  if (drive->libraries_known || drive->execute.uprobes || run->threads <= run->processes)
    return;
  drive->libraries_known = true;
  for (size_t i = 0; i < result->module_count; i++)
    sc_libraries_add_silent(result->modules[i].path, &result->seen[SC_SEEN_SILENT_LIBRARY]);
}

static int store_run(sc_drive *drive, sc_graph *graph, sc_execute_result *result)
{
  int err = check_build(drive, graph, result);
  look_for_silent_libraries(drive, graph, result);
  err = err ?: sc_seen_store(drive->study, result->seen);
  err = err ?: sc_study_save_run(drive->study, graph, result->run, result->modules, result->module_count);
  if (err < 0)
    sc_graph_drop_run(graph);
  return err;
}

/* Whether a size is run for real, by the plain program too. */
static bool is_target(const sc_drive *drive, const sc_run *planned)
{
  if (planned->role == SC_RUN_PLAIN)
    return sc_drive_count_runs(drive, planned->n) == 0 || !sc_workload_is_base(drive->workload, planned->others);
  return planned->role == SC_RUN_TARGET || planned->role == SC_RUN_VARIED_TARGET;
}

/* A size that is run for real has no limit but the user's. */
static double limit_of_run(sc_drive *drive, const sc_run *planned)
{
  if (!is_target(drive, planned))
    return sc_drive_stop_after(drive, planned->n);
  return drive->options->timeout_seconds > 0 ? drive->options->timeout_seconds : drive->workload->command.timeout;
}

/* Whether the run was stopped because the budget is over, and not for what it did itself. */
static int note_cut(sc_drive *drive, int err)
{
  drive->cut = err == SC_E_TIMEOUT && drive->execute.deadline > 0 && sc_clock_now() >= drive->execute.deadline;
  return err;
}

/* <setup>, before the first run. The budget holds for all but sizes that are run for real. */
static int begin_run(sc_drive *drive, const sc_run *planned)
{
  bool target = is_target(drive, planned);
  double left = sc_drive_seconds_left(drive);
  drive->execute.deadline = target || !isfinite(left) ? 0 : sc_clock_now() + fmax(left, 0);
  if (drive->set_up)
    return 0;
  drive->set_up = true;
  if (drive->workload->setup_count)
    sc_drive_tell(drive, (sc_drive_event){.kind = SC_DRIVE_SETUP, .seconds = -1});
  return sc_execute_setup(drive->workload, &drive->execute);
}

/* Of a program that no run of has ended yet. */
static const char *never_ended(const sc_drive *drive)
{
  bool service = drive->workload->service || sc_graph_run_count(drive->graph);
  return service ? "" : "; what never ends by itself is the <service> of a workload file (docs/workload.md)";
}

/* Runs away from the base and plain ones have graphs of their own: neither may become a value of a series of the
 * base. */
int sc_drive_run(sc_drive *drive, const sc_run *planned)
{
  bool base = planned->role < SC_RUN_VARIED, plain = planned->role == SC_RUN_PLAIN;
  sc_graph *graph = plain ? drive->plain : base ? drive->graph : drive->varied;
  sc_execute_result result = {0};
  int err = begin_run(drive, planned);
  if (err < 0)
    return note_cut(drive, err);
  sc_workload workload = *drive->workload;
  if (plain)
    sc_drive_plain_command(drive, &workload);
  drive->execute.plain = plain;
  double start = sc_clock_now();
  drive->run_limit = workload.command.timeout = limit_of_run(drive, planned);
  err = sc_execute_once(&workload, planned, &drive->execute, graph, &result);
  err = note_cut(drive, err);
  drive->limit_hit = err == SC_E_TIMEOUT &&
                     (drive->options->timeout_seconds > 0 || !(drive->workload->command.timeout > 0)) &&
                     sc_clock_now() - start >= drive->run_limit &&
                     !drive->cut; /* not a step of <prepare> with a time-out of its own */
  if (drive->limit_hit)
    (void)sc_err_hint(err, "--timeout 1h lets a run take that long; or lower the sizes%s", never_ended(drive));
  if (err == 0) {
    drive->overhead = fmax(drive->overhead, sc_clock_now() - start - sc_graph_run(graph, result.run)->wall_seconds);
    err = store_run(drive, graph, &result);
  } else if (!drive->cut)
    err = record_failure(drive, planned, err);
  if (err == 0 && base) {
    sc_drive_check_steady(drive, result.run);
    sc_drive_misspelt_warn(drive);
  }
  sc_execute_result_free(&result);
  return err;
}

int sc_drive_run_base(sc_drive *drive, double n, enum sc_run_role role, unsigned repeat)
{
  sc_run planned = {.n = n, .role = role, .repeat = repeat};
  sc_workload_base(drive->workload, planned.others);
  return sc_drive_run(drive, &planned);
}

int sc_drive_check_interrupt(const sc_drive *drive)
{
  if (!drive->options->interrupted || !*drive->options->interrupted)
    return 0;
  (void)sc_err_set(SC_E_INTERRUPTED, "interrupted between two runs");
  return sc_err_hint(SC_E_INTERRUPTED, "finished runs are kept; the same command resumes from there");
}
