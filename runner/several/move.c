/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study judged at other values of further parameters: whatever reads a judge then answers there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/process/machine.h"
#include "runner/several/internal.h"
#include "transitions/model/elsewhere.h"

static double sum_of(const sc_several *s, uint32_t series)
{
  double sum = 0;
  for (size_t i = 0; i < s->run_count; i++)
    sum += sc_series_row(&s->set, series)[i];
  return sum;
}

static double sum_of_rest(const sc_several *s)
{
  double sum = 0;
  for (uint32_t k = 0; k < s->set.count; k++)
    sum += s->fits[k] == SC_SEVERAL_REST ? s->members[k] * sum_of(s, k) : 0;
  return sum;
}

/* What has no model of its own takes its share of the sum's. */
static void scale(sc_model *model, double share)
{
  for (size_t i = 0; i < model->term_count; i++)
    model->terms[i].coefficient *= share;
  for (size_t i = 0; i < SC_MODEL_TERMS; i++)
    for (size_t j = 0; j < SC_MODEL_TERMS; j++)
      model->covariance[i][j] *= share * share;
  for (size_t r = 0; r < model->rival_count; r++)
    for (size_t i = 0; i < model->rivals[r].term_count; i++)
      model->rivals[r].terms[i].coefficient *= share;
  model->y_max *= share;
  model->exact = false;
}

static int cut_models(const sc_several *s, const double *others, sc_model *models)
{
  double at[SC_SURFACE_PARAMETERS] = {s->high[0]}, rest = s->rest ? sum_of_rest(s) : 0;
  memcpy(at + 1, others, (s->parameters - 1) * sizeof *at);
  for (uint32_t k = 0; k < s->set.count; k++) {
    bool alone = s->fits[k] != SC_SEVERAL_REST;
    SC_TRY(sc_surface_slice(&s->models[alone ? s->fits[k] : s->model_count - 1], at, 0, &models[k]));
    if (!alone)
      scale(&models[k], rest > 0 ? sum_of(s, k) / rest : 0);
  }
  return 0;
}

int sc_several_move_analysis(const sc_several *s, const double *others, sc_analysis **analysis)
{
  int err = SC_E_NOMEM;
  sc_elsewhere_time *time = sc_mem_new(1, sizeof *time);
  sc_model *models = sc_mem_new(s->set.count + 1, sizeof *models);
  *analysis = NULL;
  if (!time || !models)
    goto out;
  SC_GOTO(cut_models(s, others, models));
  bool base = sc_workload_is_base(s->judge->loaded.workload, others);
  if (s->time && !base)
    SC_GOTO(sc_several_time_there(s, others, time));
  const sc_elsewhere there = {.models = models,
                              .model_count = s->set.count,
                              .model_of = s->series,
                              .prices = s->prices,
                              .price_most = SC_SEVERAL_PRICE_MOST,
                              .checked = s->checked,
                              .time = s->time && !base ? time : NULL,
                              .base = base};
  err = sc_analysis_move(s->judge->loaded.analysis, &there, analysis);
out:
  free(time);
  free(models);
  return err;
}

int sc_several_place(const sc_several *s, const double *others, sc_judge *moved)
{
  *moved = *s->judge;
  moved->several = s;
  memcpy(moved->others, others, (s->parameters - 1) * sizeof *others);
  if (sc_workload_is_base(s->judge->loaded.workload, others)) /* nothing is estimated that was measured */
    return 0;
  moved->loaded.analysis = NULL;
  moved->findings = (sc_findings){0};
  moved->resources = NULL;
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
