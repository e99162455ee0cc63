/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What grows along further parameters, as findings of a judge. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/several/internal.h"
#include "runner/text/format.h"
#include "transitions/model/along.h"

/* "n = 1,600, users = 1": where the others stood in the runs of a line. */
static void describe_held(const sc_several *s, size_t along, double n, sc_buf *out)
{
  double base[SC_SURFACE_PARAMETERS] = {n};
  sc_workload_base(s->judge->loaded.workload, base + 1);
  for (size_t p = 0; p < s->parameters; p++)
    if (p != along)
      sc_buf_printf(out, "%s%s = %s", out->length ? ", " : "", s->names[p], sc_format_number(base[p]).s);
}

/* What every series counts in the runs of a line. */
static void take_along_counts(const sc_several *s, const sc_several_line *l, double *counts)
{
  for (uint32_t k = 0; k < s->set.count; k++)
    for (size_t v = 0; v < l->count; v++)
      counts[k * l->count + v] = sc_series_row(&s->set, k)[l->points[v]];
}

/* `there`: the analysis at the target. */
static int cut_along(const sc_several *s, const sc_judge *judge, const sc_analysis *there, size_t parameter,
                     double target, sc_analysis **made)
{
  const sc_several_line *l = &s->lines[parameter];
  double at[SC_SURFACE_PARAMETERS] = {sc_analysis_horizon(there)};
  sc_buf held = {0};
  int err = SC_E_NOMEM;
  sc_model *models = sc_mem_new(s->set.count + 1, sizeof *models);
  double *counts = sc_mem_new(s->set.count * l->count + 1, sizeof *counts);
  size_t *runs = sc_mem_new(l->count + 1, sizeof *runs);
  for (size_t p = 1; p < s->parameters; p++)
    at[p] = p == parameter ? target : sc_judge_other(judge, p - 1);
  describe_held(s, parameter, l->n, &held);
  if (!models || !counts || !runs)
    goto out;
  for (size_t v = 0; v < l->count; v++)
    runs[v] = s->runs[l->points[v]];
  take_along_counts(s, l, counts);
  SC_GOTO(sc_buf_finish(&held));
  SC_GOTO(sc_several_cut(s, at, parameter, models));
  const sc_along along = {.variable = s->names[parameter],
                          .target = target,
                          .population = sc_parameter_is_workers(s->kinds[parameter]),
                          .held = held.text,
                          .graph = s->graph,
                          .runs = runs,
                          .values = l->values,
                          .count = l->count,
                          .models = models,
                          .counts = counts,
                          .model_count = s->set.count,
                          .model_of = s->series,
                          .prices = s->prices,
                          .priced = s->priced};
  err = sc_analysis_along(there, &along, made);
out:
  sc_buf_free(&held);
  free(counts);
  free(models);
  free(runs);
  return err;
}

static int write_formula(const sc_several *s, sc_finding *f)
{
  const sc_surface *surface = f->spread || f->together ? NULL : sc_several_surface(s, f->context);
  sc_buf text = {0};
  if (!surface || surface->ambiguous || !sc_several_count_formula(s, f->context, false, &text, NULL))
    return 0;
  int err = sc_buf_finish(&text);
  f->formula = err == 0 ? sc_buf_take(&text) : NULL;
  sc_buf_free(&text);
  return err;
}

static int write_formulas(const sc_several *s, const sc_analysis *along, sc_findings *findings)
{
  for (size_t i = 0; i < findings->count; i++)
    if (findings->list[i].along == along)
      SC_TRY(write_formula(s, &findings->list[i]));
  for (size_t i = 0; i < findings->suppressed; i++)
    if (findings->negligible[i].along == along)
      SC_TRY(write_formula(s, &findings->negligible[i]));
  return 0;
}

/* What is predicted is where the parameter has its target, and the others what the judge says. */
static int add_growth_along(const sc_several *s, size_t parameter, sc_judge *judge)
{
  double value = sc_judge_other(judge, parameter - 1), others[SC_RUN_OTHERS] = {0};
  double target = value != judge->loaded.workload->others[parameter - 1].base ? value : s->high[parameter];
  sc_analysis *moved = NULL, **along = &judge->along[parameter - 1];
  int err;
  for (size_t p = 1; p < s->parameters; p++)
    others[p - 1] = p == parameter ? target : sc_judge_other(judge, p - 1);
  if (target != value)
    SC_TRY(sc_several_move_analysis(s, others, &moved));
  const sc_analysis *there = moved ? moved : judge->loaded.analysis;
  SC_GOTO(cut_along(s, judge, there, parameter, target, along));
  SC_GOTO(sc_findings_add_along(there, *along, &judge->findings));
  err = write_formulas(s, *along, &judge->findings);
out:
  sc_analysis_free(moved);
  return err;
}

int sc_several_add_along(const sc_several *s, sc_judge *judge)
{
  if (sc_analysis_get_options(judge->loaded.analysis)->fit.engine == SC_FIT_DELTA_INFER)
    return 0; /* the paper knows one parameter */
  for (size_t p = 1; p < s->parameters; p++)
    SC_TRY(add_growth_along(s, p, judge));
  return 0;
}
