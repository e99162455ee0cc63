/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The study a drive writes to: is it the one of this workload, this program and this plain program? */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "runner/drive/internal.h"
#include "runner/process/identity.h"
#include "runner/process/inspect.h"
#include "runner/process/launch.h"
#include "runner/process/machine.h"
#include "runner/process/process.h"
#include "runner/process/scratch.h"
#include "runner/process/uprobes.h"

/* ---- the program: asked of the files before anything runs, and of every new run ---- */

static int other_build(const sc_drive *drive, const char *path)
{
  char what[400];
  snprintf(what, sizeof what, "was made with another build of %.300s", path);
  return sc_drive_mismatch(drive, what);
}

typedef struct known_modules {
  const sc_module *module;
  bool any, same_path, same_id;
} known_modules;

static int compare_module(void *user, const sc_module *stored)
{
  known_modules *known = user;
  known->any = true;
  known->same_path |= !strcmp(stored->path, known->module->path);
  known->same_id |= !strcmp(stored->build_id, known->module->build_id);
  return 0;
}

/* A program may load a plug-in at one size only, so the sets may differ; but no file may have changed, and something
 * has to be known. */
int sc_drive_check_build(sc_drive *drive, sc_graph *graph, const sc_execute_result *result)
{
  sc_run *run = sc_graph_run(graph, result->run);
  if (!drive->build) {
    drive->build = sc_mem_copy_string(run->build);
    return drive->build ? sc_study_put(drive->study, "build", drive->build) : SC_E_NOMEM;
  }
  bool any = result->module_count == 0;
  for (size_t i = 0; i < result->module_count; i++) {
    known_modules known = {.module = &result->modules[i]};
    SC_TRY(sc_study_modules(drive->study, compare_module, &known));
    if (known.same_path && !known.same_id)
      return other_build(drive, result->modules[i].path);
    any |= known.same_id;
  }
  if (!any && strcmp(run->build, drive->build) != 0)
    return sc_drive_mismatch(drive, "was made with another program");
  snprintf(run->build, sizeof run->build, "%s", drive->build);
  return 0;
}

/* One module of the study against the file that is there now. Files that are gone tell nothing: a plug-in may have been
 * made for one run, and a program that is gone cannot run. */
static int check_file(void *user, const sc_module *stored)
{
  sc_drive *drive = user;
  sc_module now = {.path = stored->path};
  known_modules known = {.module = &now};
  if (!stored->build_id[0] || !sc_identity_read(stored->path, now.build_id))
    return 0;
  SC_TRY(sc_study_modules(drive->study, compare_module, &known));
  if (known.same_id)
    return 0;
  drive->rebuilt = sc_mem_copy_string(stored->path);
  return drive->rebuilt ? other_build(drive, stored->path) : SC_E_NOMEM;
}

/* The program named by the command (or the service) itself, which may be another file than at that time. Scripts and
 * programs that are not instrumented only start the one under test: about that they tell nothing. */
static int check_command(sc_drive *drive)
{
  char path[PATH_MAX];
  sc_launch launch;
  sc_module now = {.path = path};
  known_modules known = {.module = &now};
  SC_TRY(sc_launch_expand_smallest(drive->workload, sc_workload_measured(drive->workload), &launch));
  bool there = sc_inspect_find(launch.argv[0], launch.directory, path, sizeof path) &&
               sc_inspect_program(path, NULL) == SC_INSPECT_INSTRUMENTED && sc_identity_read(path, now.build_id);
  sc_launch_free(&launch);
  if (!there)
    return 0;
  SC_TRY(sc_study_modules(drive->study, compare_module, &known));
  return known.same_id || !known.any ? 0 : sc_drive_mismatch(drive, "was made with another program");
}

static int check_program(sc_drive *drive)
{
  SC_TRY(sc_study_modules(drive->study, check_file, drive));
  return check_command(drive);
}

/* ---- the program without instrumentation ---- */

static int check_plain_program(const char *program)
{
  char path[PATH_MAX];
  if (!sc_inspect_find(program, NULL, path, sizeof path) || access(path, X_OK) != 0) {
    (void)sc_err_set(SC_E_USAGE, "--plain %s: there is no such program", program);
    return sc_err_hint(SC_E_USAGE, "give the path of the same program, built without scale-cc");
  }
  if (sc_inspect_program(program, NULL) != SC_INSPECT_INSTRUMENTED)
    return 0;
  (void)sc_err_set(SC_E_USAGE, "--plain %s: this program is instrumented", program);
  return sc_err_hint(SC_E_USAGE, "build it with the plain compiler and the same options, in a folder of its own");
}

/* A command with a directory of its own starts there: the path has to hold there, too. */
static int make_program_absolute(const char *program, char **path)
{
  char found[PATH_MAX];
  *path = strchr(program, '/') && realpath(program, found) ? sc_mem_copy_string(found) : sc_mem_copy_string(program);
  return *path ? 0 : SC_E_NOMEM;
}

/* The command's words with the program in front; NULL: no memory. */
static char **study_words(const sc_drive *drive, const sc_command *command)
{
  size_t count = 0;
  while (command->argv[count])
    count++;
  char **argv = sc_mem_new(count + 1, sizeof *argv);
  if (argv)
    memcpy(argv, command->argv, count * sizeof *argv);
  if (argv && count)
    argv[0] = drive->plain_program;
  return argv;
}

static int use_study(sc_drive *drive, const char *program)
{
  char path[PATH_MAX], id[SC_IDENTITY_BYTES] = "";
  const sc_workload *workload = drive->workload;
  SC_TRY(make_program_absolute(program, &drive->plain_program));
  if (sc_inspect_find(drive->plain_program, NULL, path, sizeof path))
    (void)sc_identity_read(path, id);
  snprintf(drive->plain_build, sizeof drive->plain_build, "%.*s", (int)sizeof drive->plain_build - 1, id);
  drive->plain_argv = study_words(drive, sc_workload_measured(workload));
  if (!drive->plain_argv)
    return SC_E_NOMEM;
  if (workload->service) {
    drive->plain_service = *workload->service;
    drive->plain_service.command.argv = drive->plain_argv;
  }
  return 0;
}

/* With uprobes the program itself, without them, is the plain one. */
static const char *find_plain(const sc_drive *drive)
{
  const sc_command *command = sc_workload_measured(drive->workload);
  char path[PATH_MAX];
  if (drive->options->plain || !drive->execute.uprobes)
    return drive->options->plain;
  bool there = !command->directory && sc_inspect_find(command->argv[0], NULL, path, sizeof path) && !access(path, X_OK);
  return there ? command->argv[0] : NULL;
}

static int open_plain(sc_drive *drive)
{
  const char *program = find_plain(drive);
  char *stored = NULL;
  if (program) {
    SC_TRY(check_plain_program(program));
    SC_TRY(use_study(drive, program));
    return sc_study_put(drive->study, "plain", drive->plain_program);
  }
  if (sc_graph_run_count(drive->plain) == 0)
    return 0;
  SC_TRY(sc_study_get(drive->study, "plain", &stored));
  int err = stored ? use_study(drive, stored) : 0;
  free(stored);
  return err;
}

static void close_plain(sc_drive *drive)
{
  sc_graph_free(drive->plain);
  free(drive->plain_argv);
  free(drive->plain_program);
  drive->plain = NULL;
  drive->plain_argv = NULL;
  drive->plain_program = NULL;
}

void sc_drive_plain_command(const sc_drive *drive, sc_workload *workload)
{
  if (workload->service)
    workload->service = (sc_service *)&drive->plain_service;
  else
    workload->command.argv = drive->plain_argv;
}

/* ---- the study ---- */

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

/* A study without runs (its first one failed) is nobody's yet. */
static int check_workload(sc_drive *drive, const char *hash)
{
  char *known = NULL;
  if (sc_graph_run_count(drive->graph) == 0)
    return 0;
  SC_TRY(sc_study_get(drive->study, "workload_hash", &known));
  int err = known && strcmp(known, hash) != 0
                ? sc_drive_mismatch(drive, "was made with another workload: its command or its input differs")
                : 0;
  free(known);
  return err;
}

static int put_study_provenance(sc_drive *drive, const char *hash)
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

/* A study that was begun with a trace is resumed with one: runs with and without are not checked alike. */
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
                                        .event = drive->execute.uprobes ? "none" : options->event,
                                        .frequency = options->frequency,
                                        .uprobes = drive->execute.uprobes,
                                        .trace = trace,
                                        .interrupted = options->interrupted,
                                        .warn = sc_drive_warn,
                                        .user = drive};
  return 0;
}

/* {env:NAME} and programs' names are looked at before anything is written. */
static int check_commands(const sc_workload *workload)
{
  sc_launch launch;
  SC_TRY(sc_launch_expand_smallest(workload, &workload->command, &launch));
  sc_launch_free(&launch);
  if (!workload->service)
    return 0;
  SC_TRY(sc_launch_expand_smallest(workload, &workload->service->command, &launch));
  sc_launch_free(&launch);
  return 0;
}

/* Nobody knows what the program was asked for then. */
static int refuse_attached(const sc_drive *drive)
{
  char *window = NULL;
  SC_TRY(sc_study_get(drive->study, "attached", &window));
  bool attached = window != NULL;
  free(window);
  if (!attached)
    return 0;
  (void)sc_drive_mismatch(drive, "was made by attaching to a process");
  return sc_err_hint(SC_E_MISMATCH, "attach again, under the load in question: scale-run attach PID -P %s=SIZE -o %s",
                     drive->workload->parameter, drive->options->study_path);
}

/* Opens the study, and refuses one of something else. */
static int open_drive_study(sc_drive *drive, enum sc_study_mode mode, const char *hash)
{
  SC_TRY(sc_study_open(drive->options->study_path, mode, &drive->study));
  SC_TRY(sc_study_lock(drive->options->study_path, &drive->lock));
  SC_TRY(sc_graph_new(&drive->graph));
  SC_TRY(sc_study_load_roles(drive->study, 1u << SC_RUN_TRAINING | 1u << SC_RUN_VALIDATION | 1u << SC_RUN_TARGET,
                             drive->graph));
  SC_TRY(sc_graph_new(&drive->varied));
  SC_TRY(sc_study_load_roles(drive->study, 1u << SC_RUN_VARIED | 1u << SC_RUN_VARIED_TARGET, drive->varied));
  SC_TRY(sc_graph_new(&drive->plain));
  SC_TRY(sc_study_load_roles(drive->study, 1u << SC_RUN_PLAIN, drive->plain));
  SC_TRY(check_workload(drive, hash));
  if (sc_graph_run_count(drive->graph)) {
    SC_TRY(refuse_attached(drive));
    SC_TRY(sc_study_get(drive->study, "build", &drive->build));
    SC_TRY(check_program(drive));
  }
  return 0;
}

static void close_study(sc_drive *drive)
{
  sc_graph_free(drive->graph);
  sc_graph_free(drive->varied);
  close_plain(drive);
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
  char hint[600];
  close_study(drive);
  SC_TRY(move_aside(path));
  snprintf(hint, sizeof hint, "what the change does: scale-run diff %.200s.old %.200s", path, path);
  sc_drive_warn_of(drive, hint, "%.200s was built anew: a new study begins in %.150s, the old one is %.150s.old",
                   drive->rebuilt, path, path);
  return open_drive_study(drive, SC_STUDY_CREATE, hash);
}

int sc_drive_open_study(sc_drive *drive, enum sc_study_mode mode)
{
  char hash[17];
  SC_TRY(check_commands(drive->workload));
  SC_TRY(sc_drive_uprobes_find(drive));
  SC_TRY(sc_workload_hash(drive->workload, hash));
  if (drive->options->restart && mode == SC_STUDY_CREATE)
    SC_TRY(move_aside(drive->options->study_path));
  int err = open_drive_study(drive, mode, hash);
  if (err == SC_E_MISMATCH && drive->rebuilt && mode == SC_STUDY_CREATE)
    err = begin_anew(drive, hash);
  if (err < 0)
    return err;
  if (mode == SC_STUDY_CREATE)
    SC_TRY(put_study_provenance(drive, hash));
  SC_TRY(sc_drive_uprobes_recall(drive));
  SC_TRY(open_plain(drive));
  return prepare_execution(drive);
}

void sc_drive_close_study(sc_drive *drive)
{
  sc_uprobes_free(drive->execute.uprobes);
  free(drive->probe_sets);
  sc_process_end_background();
  if (drive->scratch && !drive->options->keep_scratch)
    sc_scratch_remove(drive->scratch);
  else if (drive->scratch)
    sc_drive_warn_of(drive, "remove them when you have seen them", "the files of the runs are kept in %.500s",
                     drive->scratch);
  close_study(drive);
  if (drive->scratch_lock >= 0)
    close(drive->scratch_lock);
  free(drive->scratch);
  free(drive->rebuilt);
}
