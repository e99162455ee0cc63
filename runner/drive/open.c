/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The study a drive writes to: is it the one of this workload and this program? */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/buf.h"
#include "runner/drive/internal.h"
#include "runner/process/launch.h"
#include "runner/process/machine.h"
#include "runner/process/process.h"
#include "runner/process/scratch.h"

static int move_aside(const char *path)
{
  static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
  if (access(path, F_OK) != 0)
    return 0;
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    char *from = NULL, *to = NULL;
    int err = 0;
    if (asprintf(&from, "%s%s", path, suffixes[i]) < 0 || asprintf(&to, "%s.old%s", path, suffixes[i]) < 0)
      err = sc_err_set(SC_E_NOMEM, "out of memory");
    else if (access(from, F_OK) != 0)
      (void)unlink(to); /* the old study must not meet another one's journal */
    else if (rename(from, to) < 0)
      err = sc_err_system(SC_E_IO, errno, "cannot move the old study %s to %s", from, to);
    free(from);
    free(to);
    SC_TRY(err);
  }
  return 0;
}

int sc_drive_mismatch(const sc_drive *drive, const char *what)
{
  (void)sc_err_set(SC_E_MISMATCH, "the study %s was made with %s", drive->options->study_path, what);
  return sc_err_hint(SC_E_MISMATCH, "--restart begins anew and keeps the old study as %s.old; -o writes another file",
                     drive->options->study_path);
}

/* A study without runs (its first one failed) is nobody's yet. */
static int check_workload(sc_drive *drive, const char *hash)
{
  char *known = NULL;
  if (sc_graph_run_count(drive->graph) == 0)
    return 0;
  SC_TRY(sc_study_get(drive->study, "workload_hash", &known));
  int err = known && strcmp(known, hash) != 0
                ? sc_drive_mismatch(drive, "another workload: its command or its input differs")
                : 0;
  free(known);
  return err;
}

static int put_provenance(sc_drive *drive, const char *hash)
{
  const sc_workload *workload = drive->workload;
  char command[1000];
  sc_buf machine = {0};
  int err;
  sc_process_describe(workload->command.argv, command, sizeof command);
  sc_machine_describe(&machine);
  SC_GOTO(sc_buf_finish(&machine));
  SC_GOTO(sc_study_put(drive->study, "workload", workload->source));
  SC_GOTO(sc_study_put(drive->study, "workload_hash", hash));
  if (drive->options->workload_path)
    SC_GOTO(sc_study_put(drive->study, "workload_path", drive->options->workload_path));
  SC_GOTO(sc_study_put(drive->study, "command", command));
  SC_GOTO(sc_study_put(drive->study, "machine", machine.text));
  SC_GOTO(sc_study_put(drive->study, "versions", "scale-run " SCALE_VERSION));
out:
  sc_buf_free(&machine);
  return err;
}

/* A study that was begun with a trace goes on with one: runs with and without are not checked alike. */
static int recall_trace(const sc_drive *drive, uint64_t *trace)
{
  char *stored = NULL, text[32];
  *trace = drive->options->trace;
  if (*trace) {
    snprintf(text, sizeof text, "%" PRIu64, *trace);
    return sc_study_put(drive->study, "trace", text);
  }
  SC_TRY(sc_study_get(drive->study, "trace", &stored));
  if (stored)
    *trace = strtoull(stored, NULL, 10);
  free(stored);
  return 0;
}

static int prepare_execution(sc_drive *drive)
{
  const sc_drive_options *options = drive->options;
  uint64_t trace;
  SC_TRY(recall_trace(drive, &trace));
  sc_scratch_collect(options->scratch);
  SC_TRY(sc_scratch_make(options->scratch, &drive->scratch, options->keep_scratch ? NULL : &drive->scratch_lock));
  drive->execute = (sc_execute_options){.scratch = drive->scratch,
                                        .keep = options->keep_scratch,
                                        .event = options->event,
                                        .frequency = options->frequency,
                                        .trace = trace,
                                        .interrupted = options->interrupted,
                                        .warn = sc_drive_warn,
                                        .user = drive};
  return 0;
}

/* {env:NAME} and programs' names are looked at before anything is written. */
static int check_commands(const sc_workload *workload)
{
  sc_expand_vars vars = sc_workload_vars(workload, workload->range_low, NULL);
  vars.dir = vars.shared = ".";
  sc_launch launch;
  SC_TRY(sc_launch_expand(&workload->command, &vars, &launch));
  sc_launch_free(&launch);
  if (!workload->service)
    return 0;
  SC_TRY(sc_launch_expand(&workload->service->command, &vars, &launch));
  sc_launch_free(&launch);
  return 0;
}

/* Two studies at once in one file would each spoil the other's. The descriptor is closed after the study, as closing it
 * gives up SQLite's own locks of that file. */
static int lock_study(sc_drive *drive)
{
  const char *path = drive->options->study_path;
  drive->lock = open(path, O_RDONLY | O_CLOEXEC);
  if (drive->lock < 0)
    return sc_err_system(SC_E_IO, errno, "cannot open %s", path);
  if (flock(drive->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) /* a file system without locks has none */
    return 0;
  (void)sc_err_set(SC_E_INPUT, "another scale-run is at work on the study %s", path);
  return sc_err_hint(SC_E_INPUT, "wait until it has ended, or write another study: -o FILE");
}

/* Opens the study, and refuses one of something else. */
static int open_study(sc_drive *drive, enum sc_study_mode mode, const char *hash)
{
  SC_TRY(sc_study_open(drive->options->study_path, mode, &drive->study));
  SC_TRY(lock_study(drive));
  SC_TRY(sc_graph_new(&drive->graph));
  SC_TRY(sc_study_load_roles(drive->study, 1u << SC_RUN_TRAINING | 1u << SC_RUN_VALIDATION | 1u << SC_RUN_TARGET,
                             drive->graph));
  SC_TRY(sc_graph_new(&drive->varied));
  SC_TRY(sc_study_load_roles(drive->study, 1u << SC_RUN_VARIED | 1u << SC_RUN_VARIED_TARGET, drive->varied));
  SC_TRY(sc_graph_new(&drive->plain));
  SC_TRY(sc_study_load_roles(drive->study, 1u << SC_RUN_PLAIN, drive->plain));
  SC_TRY(check_workload(drive, hash));
  if (sc_graph_run_count(drive->graph)) {
    SC_TRY(sc_study_get(drive->study, "build", &drive->build));
    SC_TRY(sc_drive_check_program(drive));
  }
  return 0;
}

static void close_study(sc_drive *drive)
{
  sc_graph_free(drive->graph);
  sc_graph_free(drive->varied);
  sc_drive_plain_close(drive);
  sc_study_close(drive->study);
  if (drive->lock >= 0)
    close(drive->lock);
  free(drive->build);
  drive->graph = drive->varied = NULL;
  drive->study = NULL;
  drive->build = NULL;
  drive->lock = -1;
}

/* Edit, build, run: runs of two builds never stand in one study, but the old one is there to compare with. */
static int begin_anew(sc_drive *drive, const char *hash)
{
  const char *path = drive->options->study_path;
  char text[600], hint[600];
  close_study(drive);
  SC_TRY(move_aside(path));
  snprintf(text, sizeof text, "%.200s was built anew: a new study begins in %.150s, the old one is %.150s.old",
           drive->rebuilt, path, path);
  snprintf(hint, sizeof hint, "what the change does: scale-run diff %.200s.old %.200s", path, path);
  sc_drive_warn(drive, text, hint);
  return open_study(drive, SC_STUDY_CREATE, hash);
}

int sc_drive_open(sc_drive *drive, enum sc_study_mode mode)
{
  char hash[17];
  SC_TRY(check_commands(drive->workload));
  SC_TRY(sc_workload_hash(drive->workload, hash));
  if (drive->options->restart && mode == SC_STUDY_CREATE)
    SC_TRY(move_aside(drive->options->study_path));
  int err = open_study(drive, mode, hash);
  if (err == SC_E_MISMATCH && drive->rebuilt && mode == SC_STUDY_CREATE)
    err = begin_anew(drive, hash);
  if (err < 0)
    return err;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++)
    sc_drive_check_steady(drive, r);
  if (mode == SC_STUDY_CREATE)
    SC_TRY(put_provenance(drive, hash));
  SC_TRY(sc_drive_plain_open(drive));
  return prepare_execution(drive);
}

void sc_drive_close(sc_drive *drive)
{
  sc_process_end_background();
  if (drive->scratch && !drive->options->keep_scratch)
    sc_scratch_remove(drive->scratch);
  else if (drive->scratch) {
    char text[600];
    snprintf(text, sizeof text, "the files of the runs are kept in %.500s", drive->scratch);
    sc_drive_warn(drive, text, "remove them when you have seen them");
  }
  sc_drive_series_free(&drive->series);
  sc_refine_free(drive->refine);
  sc_plan_free(drive->plan);
  close_study(drive);
  if (drive->scratch_lock >= 0)
    close(drive->scratch_lock);
  free(drive->scratch);
  free(drive->rebuilt);
  free(drive->first);
  free(drive->rounds);
  free(drive->totals);
}
