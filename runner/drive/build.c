/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is it the program that the study was made with? Asked of the files before anything runs, and of every new run. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/drive/internal.h"
#include "runner/process/identity.h"
#include "runner/process/inspect.h"
#include "runner/process/launch.h"

static int other_build(const sc_drive *drive, const char *path)
{
  char what[400];
  snprintf(what, sizeof what, "another build of %.300s", path);
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
    return sc_drive_mismatch(drive, "another program");
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
  const sc_workload *workload = drive->workload;
  sc_expand_vars vars = sc_workload_vars(workload, workload->range_low, NULL);
  vars.dir = vars.shared = ".";
  char path[PATH_MAX];
  sc_launch launch;
  sc_module now = {.path = path};
  known_modules known = {.module = &now};
  SC_TRY(sc_launch_expand(workload->service ? &workload->service->command : &workload->command, &vars, &launch));
  bool there = sc_inspect_find(launch.argv[0], launch.directory, path, sizeof path) &&
               sc_inspect_program(path, NULL) == SC_INSPECT_INSTRUMENTED && sc_identity_read(path, now.build_id);
  sc_launch_free(&launch);
  if (!there)
    return 0;
  SC_TRY(sc_study_modules(drive->study, compare_module, &known));
  return known.same_id || !known.any ? 0 : sc_drive_mismatch(drive, "another program");
}

int sc_drive_check_program(sc_drive *drive)
{
  SC_TRY(sc_study_modules(drive->study, check_file, drive));
  return check_command(drive);
}
