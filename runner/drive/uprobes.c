/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study whose counts come from uprobes (docs/attach.md): which functions, and that they stay the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/drive/internal.h"
#include "runner/process/launch.h"
#include "runner/process/uprobes.h"

static int find_functions(sc_drive *drive, const char *names)
{
  sc_launch launch;
  SC_TRY(sc_launch_expand_smallest(drive->workload, sc_workload_measured(drive->workload), &launch));
  int err = sc_uprobes_find(names, launch.argv[0], launch.directory, &drive->execute.uprobes);
  sc_launch_free(&launch);
  return err < 0 ? err : sc_uprobes_attach(drive->execute.uprobes);
}

static void warn_of_aliases(sc_drive *drive)
{
  const sc_functions *all = &drive->execute.uprobes->functions;
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].alias)
      sc_drive_warn_of(drive, "its count has the calls by either name", "%.200s is the same code as %.200s in %.300s",
                       all->list[i].display, all->list[i].alias, all->list[i].file);
}

int sc_drive_uprobes_find(sc_drive *drive)
{
  const char *names = drive->options->uprobes;
  return names ? find_functions(drive, names) : 0;
}

static int refuse_others(const sc_drive *drive, const char *stored)
{
  char what[400];
  if (!stored)
    return sc_drive_mismatch(drive, "was made without --uprobes");
  snprintf(what, sizeof what, "counts other functions: --uprobes '%.300s'", stored);
  return sc_drive_mismatch(drive, what);
}

int sc_drive_uprobes_recall(sc_drive *drive)
{
  const char *given = drive->options->uprobes;
  bool begun = sc_graph_run_count(drive->graph) > 0;
  char *stored = NULL;
  int err;
  SC_GOTO(sc_study_get(drive->study, "uprobes", &stored));
  bool known = stored && *stored;
  if (begun && given && (!known || strcmp(stored, given) != 0)) {
    err = refuse_others(drive, known ? stored : NULL);
    goto out;
  }
  if (begun && known && !given)
    SC_GOTO(find_functions(drive, stored));
  else if (given || known) /* those of a study whose first run failed are nobody's */
    SC_GOTO(sc_study_put(drive->study, "uprobes", given ? given : ""));
  if (drive->execute.uprobes)
    warn_of_aliases(drive);
out:
  free(stored);
  return err;
}

/* Where no size called it, nothing else would ever name it. */
void sc_drive_uprobes_check_called(sc_drive *drive)
{
  const sc_functions *all = drive->execute.uprobes ? &drive->execute.uprobes->functions : NULL;
  for (size_t i = 0; all && i < all->count; i++)
    if (!sc_uprobes_was_called(&all->list[i], drive->graph))
      sc_drive_warn_of(
          drive, "does the program load this file? Of another one with the function, FILE:FUNCTION gives the path",
          "%.200s of %.300s was not called at any size", all->list[i].display, all->list[i].file);
}
