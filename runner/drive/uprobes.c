/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study whose counts come from uprobes (docs/attach.md): which functions, and that they stay the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/drive/internal.h"
#include "runner/process/launch.h"
#include "runner/process/seen.h"
#include "runner/process/uprobes.h"

static int find_functions(sc_drive *drive, const char *names, const char *sets)
{
  sc_launch launch;
  SC_TRY(sc_launch_expand_smallest(drive->workload, sc_workload_measured(drive->workload), &launch));
  int err = sc_uprobes_find(names && *names ? names : NULL, sets && *sets ? sets : NULL, launch.argv[0],
                            launch.directory, &drive->execute.uprobes);
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

/* Said before anything runs, and kept with the study. */
static int warn_of_uncaught(sc_drive *drive)
{
  char *lines = sc_mem_copy_string(drive->execute.uprobes->events.uncaught.text ?: ""), *rest = lines;
  sc_seen one;
  if (!lines)
    return SC_E_NOMEM;
  while (sc_seen_next(&rest, &one))
    sc_drive_warn_of(drive, "what is not caught is not in the numbers; a build by scale-cc catches all",
                     "%.200s of \"%.200s\" is not caught: %.200s", one.function, one.file, one.what);
  free(lines);
  return 0;
}

int sc_drive_uprobes_find(sc_drive *drive)
{
  const char *names = drive->options->uprobes;
  if (drive->options->probe_sets)
    SC_TRY(sc_uprobes_sets(drive->options->probe_sets, &drive->probe_sets));
  return names || drive->probe_sets ? find_functions(drive, names, drive->probe_sets) : 0;
}

static int refuse_uprobes_others(const sc_drive *drive, const char *names, bool sets)
{
  char what[400];
  if (!*names && !sets)
    return sc_drive_mismatch(drive, "was made without --uprobes");
  snprintf(what, sizeof what, "counts other functions: %s'%.300s'%s", *names ? "--uprobes " : "", names,
           sets ? " with other --probes" : "");
  if (!*names)
    snprintf(what, sizeof what, "counts other functions: those of its --probes");
  return sc_drive_mismatch(drive, what);
}

static bool differs_from(const char *stored, const char *given) { return strcmp(stored, given ? given : "") != 0; }

static int recall_uprobes(sc_drive *drive, const char *names, const char *sets)
{
  const char *given = drive->options->uprobes, *given_sets = drive->probe_sets;
  bool begun = sc_graph_run_count(drive->graph) > 0, known = *names || *sets;
  if (begun && (given || given_sets) && (differs_from(names, given) || differs_from(sets, given_sets)))
    return refuse_uprobes_others(drive, names, *sets != '\0');
  if (begun && known && !given && !given_sets)
    return find_functions(drive, names, sets);
  if (!given && !given_sets && !known)
    return 0;
  /* those of a study whose first run failed are nobody's */
  SC_TRY(sc_study_put(drive->study, "uprobes", given ? given : ""));
  return sc_study_put(drive->study, "uprobe_sets", given_sets ? given_sets : "");
}

/* Runs of one study have to count the same functions: what the first one counted is kept, and taken again when the
 * study is resumed. */
int sc_drive_uprobes_recall(sc_drive *drive)
{
  char *names = NULL, *sets = NULL;
  int err;
  SC_GOTO(sc_study_get(drive->study, "uprobes", &names));
  SC_GOTO(sc_study_get(drive->study, "uprobe_sets", &sets));
  SC_GOTO(recall_uprobes(drive, names ? names : "", sets ? sets : ""));
  if (drive->execute.uprobes) {
    warn_of_aliases(drive);
    err = warn_of_uncaught(drive);
  }
out:
  free(names);
  free(sets);
  return err;
}

/* Where no size called it, nothing else would ever name it. */
void sc_drive_uprobes_check_called(sc_drive *drive)
{
  const sc_functions *all = drive->execute.uprobes ? &drive->execute.uprobes->functions : NULL;
  for (size_t i = 0; all && i < all->count; i++)
    if (all->list[i].entry_count && !sc_uprobes_was_called(&all->list[i], drive->graph))
      sc_drive_warn_of(
          drive, "does the program load this file? Of another one with the function, FILE:FUNCTION gives the path",
          "%.200s of %.300s was not called at any size", all->list[i].display, all->list[i].file);
}
