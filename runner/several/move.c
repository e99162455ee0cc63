/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study judged at other values of further parameters: whatever reads a judge then answers there. */
#include <math.h>
#include <string.h>

#include "runner/process/machine.h"
#include "runner/several/internal.h"

int sc_several_place(const sc_several *s, const double *others, sc_judge *moved)
{
  *moved = *s->judge;
  moved->several = s;
  memcpy(moved->others, others, (s->parameters - 1) * sizeof *others);
  if (sc_workload_is_base(s->judge->loaded.workload, others)) /* nothing is estimated that was measured */
    return 0;
  moved->loaded.analysis = NULL;
  moved->findings = (sc_findings){0};
  memset(moved->along, 0, sizeof moved->along);
  moved->resources = NULL;
  moved->beside = NULL;
  moved->loaded.targets = NULL; /* runs to compare with predictions, at the base values */
  int err = sc_several_move_analysis(s, others, &moved->loaded.analysis);
  if (err < 0)
    sc_several_leave(moved);
  return err;
}

int sc_several_move(const sc_several *s, const double *others, sc_judge *moved)
{
  SC_TRY(sc_several_place(s, others, moved));
  if (moved->loaded.analysis == s->judge->loaded.analysis)
    return 0;
  int err = sc_findings_infer(moved->loaded.analysis, &moved->findings);
  if (err == 0)
    err = sc_several_add_along(s, moved);
  if (err < 0)
    sc_several_leave(moved);
  return err;
}

static int load_resources(const sc_several *s)
{
  const sc_resources_runs runs = {.graph = s->graph,
                                  .runs = s->runs,
                                  .at = s->at,
                                  .count = s->run_count,
                                  .parameters = s->parameters,
                                  .names = (const char *const *)s->names,
                                  .kinds = s->kinds};
  return sc_resources_everywhere_new(s->judge->loaded.analysis, &runs, s->resources);
}

int sc_several_move_resources(const sc_several *s, sc_judge *moved)
{
  const sc_workload *workload = s->judge->loaded.workload;
  const sc_resource_options asked = {.kind = workload->kind,
                                     .tasks = (const char *const *)workload->tasks,
                                     .task_count = workload->task_count,
                                     .processors = sc_machine_processors(moved->machine),
                                     .other_processors = moved->processors};
  if (moved->resources || !s->judge->resources)
    return 0;
  if (!*s->resources)
    SC_TRY(load_resources(s));
  return sc_resources_move(moved->loaded.analysis, &asked, *s->resources, moved->others, &moved->resources);
}

void sc_several_leave(sc_judge *moved)
{
  bool base = moved->several && moved->loaded.analysis == moved->several->judge->loaded.analysis;
  if (!base) {
    sc_resources_free(moved->resources);
    sc_findings_free(&moved->findings);
    sc_judge_free_along(moved);
    sc_analysis_free(moved->loaded.analysis);
  }
  *moved = (sc_judge){0};
}

double sc_several_beyond(const sc_several *s, const double *others)
{
  double most = 1;
  for (size_t i = 1; i < s->parameters; i++)
    most = others[i - 1] > most * s->high[i] ? others[i - 1] / s->high[i] : most;
  return most;
}

void sc_several_nearest(const sc_several *s, const double *others, double *nearest)
{
  double least = INFINITY;
  for (size_t i = 0; i < s->run_count; i++) {
    const double *at = s->at + i * s->parameters;
    double away = 0;
    for (size_t k = 1; k < s->parameters; k++)
      away += fabs(log(at[k] / others[k - 1]));
    if (away >= least)
      continue;
    least = away;
    memcpy(nearest, sc_graph_run_const(s->graph, s->runs[i])->others, SC_RUN_OTHERS * sizeof *nearest);
  }
}

const sc_graph *sc_several_graph(const sc_several *s) { return s->graph; }

bool sc_several_was_run(const sc_several *s, const double *others, size_t position, size_t *run)
{
  const double *at = s->at + position * s->parameters;
  *run = s->runs[position];
  return memcmp(at + 1, others, (s->parameters - 1) * sizeof *at) == 0;
}

size_t sc_several_run_count(const sc_several *s) { return s->run_count; }
