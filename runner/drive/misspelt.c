/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the workload names: a misspelt name is better known after the first run than after the last. */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "runner/drive/internal.h"
#include "runner/process/function_names.h"
#include "runner/process/libraries.h"

static bool has_function_run(const sc_graph *graph, const char *function)
{
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    if (sc_location_is_called(sc_graph_at(graph, c), function))
      return true;
  return false;
}

void sc_drive_misspelt_warn(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  for (size_t r = 0; r < workload->root_count; r++) {
    if (has_function_run(drive->graph, workload->roots[r]))
      continue;
    sc_drive_warn_of(drive, "Ctrl-C and correct <roots>, if it is misspelt: it need not be measured again for that",
                     "no function named %.200s ran, but <roots> restricts the study to it", workload->roots[r]);
  }
  for (size_t t = 0; t < workload->task_count; t++) {
    if (has_function_run(drive->graph, workload->tasks[t]))
      continue;
    sc_drive_warn_of(
        drive, "correct <task> or --task, if it is misspelt; `scale-run report --task NAME` needs no measuring again",
        "no function named %.200s ran, which is to be a task", workload->tasks[t]);
  }
}

/* ---- budgets ---- */

typedef struct sought {
  const char *word;
  bool possible; /* a program or a library of it has the function, or a program may load other code while it runs */
} sought;

static int look_in_library(void *user, const char *path)
{
  sought *s = user;
  s->possible = s->possible || sc_function_names_has(path, s->word);
  return 0;
}

/* Libraries come last, as a program has to be started to list them. */
static int look_in_module(void *user, const sc_module *module)
{
  sought *s = user;
  s->possible =
      s->possible || sc_function_names_has(module->path, s->word) || sc_function_names_has(module->path, "dlopen");
  return s->possible ? 0 : sc_libraries_visit(module->path, look_in_library, s);
}

/* Metrics of functions; any other is of a resource. */
static bool is_of_function(const sc_budget *budget)
{
  static const char *const metrics[] = {"time",     "own time",   "own",          "waiting", "calls",    "iterations",
                                        "order",    "work",       "bytes",        "cost",    "own-time", "characters",
                                        "elements", "operations", "microseconds", "faults",  "blocks",   NULL};
  for (size_t i = 0; budget->subject && metrics[i]; i++)
    if (strcmp(budget->metric, metrics[i]) == 0)
      return true;
  return false;
}

typedef struct nearest {
  const char *word;
  char best[200];
  unsigned distance; /* of the best */
} nearest;

static int suggest_in_module(void *user, const sc_module *module)
{
  nearest *n = user;
  return sc_function_names_suggest(module->path, n->word, n->best, sizeof n->best, &n->distance);
}

/* Of functions without a symbol, whose every call was inlined. */
static void suggest_what_ran(const sc_graph *graph, nearest *n)
{
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++) {
    const char *near = NULL;
    if (sc_graph_at(graph, c)->kind == SC_LOCATION_FUNCTION)
      sc_suggest_consider(n->word, sc_graph_at(graph, c)->display, &near, &n->distance);
    if (near)
      snprintf(n->best, sizeof n->best, "%s", near);
  }
}

static int refuse_budget_name(sc_drive *drive, const sc_budget *budget, const char *word)
{
  nearest n = {.word = word, .distance = 100};
  SC_TRY(sc_study_modules(drive->study, suggest_in_module, &n));
  suggest_what_ran(drive->graph, &n);
  (void)sc_err_set(SC_E_USAGE, "the budget \"%.100s\": the program has no function named %.80s", budget->text, word);
  if (*n.best && sc_suggest_near(word, n.distance))
    return sc_err_hint(SC_E_USAGE, "did you mean \"%.100s\"? The runs so far are kept", n.best);
  return sc_err_hint(SC_E_USAGE, "correct or leave out the budget; the runs so far are kept");
}

static int check_budget_name(sc_drive *drive, const sc_budget *budget, const char *word)
{
  sought s = {.word = word};
  if (has_function_run(drive->graph, budget->subject) || has_function_run(drive->graph, word))
    return 0;
  SC_TRY(sc_study_modules(drive->study, look_in_module, &s));
  return s.possible ? 0 : refuse_budget_name(drive, budget, word);
}

int sc_drive_misspelt_check_budgets(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  if (drive->budgets_checked || !sc_graph_run_count(drive->graph) || drive->execute.uprobes)
    return 0;
  drive->budgets_checked = true;
  for (size_t i = 0; i < workload->budget_count; i++) {
    sc_buf word = {0};
    int err = 0;
    if (is_of_function(&workload->budgets[i]) && sc_function_names_word(workload->budgets[i].subject, &word))
      err = check_budget_name(drive, &workload->budgets[i], word.text);
    sc_buf_free(&word);
    SC_TRY(err);
  }
  return 0;
}
