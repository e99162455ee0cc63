/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What grows along further parameters, as findings of a judge. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/several/internal.h"
#include "runner/text/format.h"
#include "transitions/model/along.h"

/* Runs that differ in one further parameter alone. */
typedef struct line {
  size_t *runs;   /* [count] of the graph, ascending by value */
  double *values; /* [count] */
  size_t count;
  double n; /* the focused parameter there */
} line;

static bool others_are_base(const sc_several *s, const double *at, size_t along)
{
  double base[SC_SURFACE_PARAMETERS] = {0};
  sc_workload_base(s->judge->loaded.workload, base + 1);
  for (size_t p = 1; p < s->parameters; p++)
    if (p != along && at[p] != base[p])
      return false;
  return true;
}

/* Fills in the first run of each value at size n, ascending. */
static void take_line(const sc_several *s, size_t along, double n, line *l)
{
  l->count = 0;
  l->n = n;
  for (size_t i = 0; i < s->run_count; i++) {
    const double *at = s->at + i * s->parameters;
    size_t k = l->count;
    if (at[0] != n || !others_are_base(s, at, along))
      continue;
    while (k && l->values[k - 1] > at[along])
      k--;
    if (k && l->values[k - 1] == at[along])
      continue;
    memmove(l->values + k + 1, l->values + k, (l->count - k) * sizeof *l->values);
    memmove(l->runs + k + 1, l->runs + k, (l->count - k) * sizeof *l->runs);
    l->values[k] = at[along];
    l->runs[k] = s->runs[i];
    l->count++;
  }
}

/* At the size that was run with most values, of several the largest. */
static int find_line(const sc_several *s, size_t along, line *l)
{
  size_t most = 0;
  double best = s->at[0];
  *l = (line){.runs = sc_mem_new(s->run_count + 1, sizeof *l->runs),
              .values = sc_mem_new(s->run_count + 1, sizeof *l->values)};
  if (!l->runs || !l->values)
    return SC_E_NOMEM;
  for (size_t i = 0; i < s->run_count; i++) {
    double n = s->at[i * s->parameters];
    take_line(s, along, n, l);
    if (l->count > most || (l->count == most && n > best)) {
      most = l->count;
      best = n;
    }
  }
  take_line(s, along, best, l);
  return 0;
}

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
static void take_counts(const sc_several *s, const line *l, double *counts)
{
  for (size_t v = 0; v < l->count; v++) {
    size_t i = 0;
    while (s->runs[i] != l->runs[v])
      i++;
    for (uint32_t k = 0; k < s->set.count; k++)
      counts[k * l->count + v] = sc_series_row(&s->set, k)[i];
  }
}

static int cut(const sc_several *s, const sc_judge *judge, size_t parameter, const line *l, double target,
               sc_analysis **made)
{
  double at[SC_SURFACE_PARAMETERS] = {sc_analysis_horizon(judge->loaded.analysis)};
  sc_buf held = {0};
  int err = SC_E_NOMEM;
  sc_model *models = sc_mem_new(s->set.count + 1, sizeof *models);
  double *counts = sc_mem_new(s->set.count * l->count + 1, sizeof *counts);
  for (size_t p = 1; p < s->parameters; p++)
    at[p] = p == parameter ? target : sc_judge_other(judge, p - 1);
  describe_held(s, parameter, l->n, &held);
  if (!models || !counts)
    goto out;
  take_counts(s, l, counts);
  SC_GOTO(sc_buf_finish(&held));
  SC_GOTO(sc_several_cut(s, at, parameter, models));
  const sc_along along = {.variable = s->names[parameter],
                          .target = target,
                          .population = sc_parameter_is_workers(s->kinds[parameter]),
                          .held = held.text,
                          .graph = s->graph,
                          .runs = l->runs,
                          .values = l->values,
                          .count = l->count,
                          .models = models,
                          .counts = counts,
                          .model_count = s->set.count,
                          .model_of = s->series,
                          .prices = s->prices,
                          .priced = s->priced};
  err = sc_analysis_along(judge->loaded.analysis, &along, made);
out:
  sc_buf_free(&held);
  free(counts);
  free(models);
  return err;
}

static int write_formula(const sc_several *s, sc_finding *f)
{
  char text[256];
  const sc_surface *surface = f->spread ? NULL : sc_several_surface(s, f->context);
  if (!surface)
    return 0;
  sc_surface_format_brief(surface, (const char *const *)s->names, 0, text, sizeof text);
  f->formula = sc_mem_copy_string(text);
  return f->formula ? 0 : SC_E_NOMEM;
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
static int add(const sc_several *s, size_t parameter, double target, sc_judge *judge)
{
  double others[SC_RUN_OTHERS] = {0};
  sc_analysis *moved = NULL;
  const sc_analysis *along = judge->along[parameter - 1];
  for (size_t p = 1; p < s->parameters; p++)
    others[p - 1] = p == parameter ? target : sc_judge_other(judge, p - 1);
  if (target != sc_judge_other(judge, parameter - 1))
    SC_TRY(sc_several_move_analysis(s, others, &moved));
  int err = sc_findings_add_along(moved ? moved : judge->loaded.analysis, along, &judge->findings);
  sc_analysis_free(moved);
  return err < 0 ? err : write_formulas(s, along, &judge->findings);
}

int sc_several_add_along(const sc_several *s, sc_judge *judge)
{
  if (sc_analysis_get_options(judge->loaded.analysis)->fit.engine == SC_FIT_DELTA_INFER)
    return 0; /* the paper knows one parameter */
  for (size_t p = 1; p < s->parameters; p++) {
    double value = sc_judge_other(judge, p - 1);
    double target = value != judge->loaded.workload->others[p - 1].base ? value : s->high[p];
    line l;
    int err = find_line(s, p, &l);
    if (err == 0)
      err = cut(s, judge, p, &l, target, &judge->along[p - 1]);
    if (err == 0)
      err = add(s, p, target, judge);
    free(l.runs);
    free(l.values);
    SC_TRY(err);
  }
  return 0;
}
