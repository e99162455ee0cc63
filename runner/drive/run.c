/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "profiles/graph/usage.h"
#include "runner/drive/internal.h"
#include "runner/process/libraries.h"
#include "runner/process/process.h"
#include "runner/process/saved_error.h"
#include "runner/process/seen.h"

unsigned sc_drive_count_runs(const sc_drive *drive, double n)
{
  unsigned count = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    count += run->n == n && run->role != SC_RUN_TARGET;
  }
  return count;
}

/* Put on record; the run's own error stays the one that is told. */
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
  if (drive->libraries_known || run->threads <= run->processes)
    return;
  drive->libraries_known = true;
  for (size_t i = 0; i < result->module_count; i++)
    sc_libraries_add_silent(result->modules[i].path, &result->seen[SC_SEEN_SILENT_LIBRARY]);
}

static int store(sc_drive *drive, sc_graph *graph, sc_execute_result *result)
{
  int err = check_build(drive, graph, result);
  look_for_silent_libraries(drive, graph, result);
  if (err == 0)
    err = sc_seen_store(drive->study, result->seen);
  if (err == 0)
    err = sc_study_save_run(drive->study, graph, result->run, result->modules, result->module_count);
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
static int begin(sc_drive *drive, const sc_run *planned)
{
  bool target = is_target(drive, planned);
  double left = sc_drive_seconds_left(drive);
  drive->execute.deadline = target || !isfinite(left) ? 0 : sc_clock_now() + fmax(left, 0);
  if (drive->set_up)
    return 0;
  drive->set_up = true;
  if (drive->workload->setup_count)
    sc_drive_tell(drive, SC_DRIVE_SETUP, NULL, 0, -1);
  return sc_execute_setup(drive->workload, &drive->execute);
}

/* Of a program that no run of has ended yet. */
static const char *never_ended(const sc_drive *drive)
{
  bool service = drive->workload->service || sc_graph_run_count(drive->graph);
  return service ? "" : "; what never ends by itself is the <service> of a workload file (docs/workload.md)";
}

int sc_drive_run(sc_drive *drive, const sc_run *planned)
{
  bool base = planned->role < SC_RUN_VARIED, plain = planned->role == SC_RUN_PLAIN;
  sc_graph *graph = plain ? drive->plain : base ? drive->graph : drive->varied;
  sc_execute_result result = {0};
  int err = begin(drive, planned);
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
    err = store(drive, graph, &result);
  } else if (!drive->cut)
    err = record_failure(drive, planned, err);
  if (err == 0 && base) {
    sc_drive_check_steady(drive, result.run);
    sc_drive_check_names(drive);
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

enum { SHARED_REPEATS = 3 };

/* The newest run of a size; of a size that has none, the newest of all. The number of runs where there is none. */
static size_t newest_run(const sc_drive *drive, double n)
{
  size_t runs = sc_graph_run_count(drive->graph);
  for (size_t r = runs; r-- > 0;)
    if (sc_graph_run_const(drive->graph, r)->n == n)
      return r;
  return runs ? runs - 1 : runs;
}

/* Whether threads shared a lock, or another thing that is held, at n, or at the size run last: their times are wall
 * time, and of one run nobody can tell what the machine added. */
static bool threads_share(const sc_drive *drive, double n)
{
  size_t run = newest_run(drive, n), count = 0;
  const sc_occupancy *list =
      run < sc_graph_run_count(drive->graph) ? sc_usage_occupancies(drive->graph, run, &count) : NULL;
  for (size_t i = 0; i < count; i++) {
    enum sc_resource_class c = sc_usage_resource_at(drive->graph, list[i].resource)->resource_class;
    if (list[i].threads >= 2 && (c <= SC_RESOURCE_SEMAPHORE || c == SC_RESOURCE_OTHER))
      return true;
  }
  return false;
}

/* The first size is run twice even when one run a size is wanted: that a program repeats itself is what everything
 * else rests on, and the smallest size tells it for almost nothing. */
unsigned sc_drive_wanted(const sc_drive *drive, double n)
{
  unsigned repeats = drive->workload->repeats;
  if (repeats < 2 && threads_share(drive, n))
    return SHARED_REPEATS;
  return repeats < 2 && drive->first_count && n == drive->first[0] ? 2 : repeats;
}

int sc_drive_check_interrupt(const sc_drive *drive)
{
  if (!drive->options->interrupted || !*drive->options->interrupted)
    return 0;
  (void)sc_err_set(SC_E_INTERRUPTED, "interrupted between two runs");
  return sc_err_hint(SC_E_INTERRUPTED, "finished runs are kept; the same command goes on from there");
}

int sc_drive_measure(sc_drive *drive, const sc_drive_step *step, unsigned round)
{
  for (unsigned repeat = sc_drive_count_runs(drive, step->n); repeat < sc_drive_rounds_due(drive, step, round);
       repeat++) {
    if (repeat && !sc_drive_fits(drive, sc_drive_expect(drive, step->n)))
      break;
    drive->run_number++;
    sc_drive_tell(drive, SC_DRIVE_RUN_BEGIN, step, repeat, sc_drive_expect(drive, step->n));
    double start = sc_clock_now();
    SC_TRY(sc_drive_run_base(drive, step->n, step->role, repeat));
    drive->made++;
    sc_drive_tell(drive, SC_DRIVE_RUN_END, step, repeat, sc_clock_now() - start);
    SC_TRY(sc_drive_check_interrupt(drive));
  }
  return sc_drive_series_add_size(&drive->series, step->n);
}
