/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All runs of a study, as points of several parameters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/baseline/baseline.h"
#include "runner/several/internal.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"

static int no_varied(const sc_judge *judge)
{
  (void)sc_err_set(SC_E_TOOLITTLE, "%s has no runs at other values of %s than its base", judge->study,
                   judge->loaded.workload->others[0].name);
  return sc_err_hint(SC_E_TOOLITTLE, "resume it: the same scale-run run again, with more time");
}

static void several_place(const sc_several *s, const sc_run *run, double *at)
{
  at[0] = run->n;
  for (size_t i = 1; i < s->parameters; i++)
    at[i] = run->others[i - 1];
}

static bool several_enough(const sc_several *s, const double *at)
{
  size_t same = 0;
  for (size_t i = 0; i < s->run_count; i++)
    same += memcmp(s->at + i * s->parameters, at, s->parameters * sizeof *at) == 0;
  return same >= SC_SEVERAL_REPEATS;
}

static int add_several_run(sc_several *s, size_t r)
{
  const sc_run *run = sc_graph_run_const(s->graph, r);
  double at[SC_SURFACE_PARAMETERS] = {0};
  several_place(s, run, at);
  for (size_t i = 1; i < s->parameters; i++)
    if (!(at[i] > 0))
      return 0; /* a study that was hurt */
  if (several_enough(s, at))
    return 0;
  for (size_t i = 0; i < s->parameters; i++) {
    s->low[i] = s->run_count ? fmin(s->low[i], at[i]) : at[i];
    s->high[i] = fmax(s->high[i], at[i]);
  }
  if (run->role == SC_RUN_VARIED)
    s->high_varied = fmax(s->high_varied, run->n);
  memcpy(s->at + s->run_count * s->parameters, at, s->parameters * sizeof *at);
  s->runs[s->run_count++] = r;
  return 0;
}

static int load_several(sc_several *s)
{
  sc_study *study = NULL;
  int err;
  SC_GOTO(sc_study_open(s->judge->study, SC_STUDY_READ, &study));
  SC_GOTO(sc_graph_new(&s->graph));
  SC_GOTO(sc_study_load_roles(study, 1u << SC_RUN_TRAINING | 1u << SC_RUN_VALIDATION | 1u << SC_RUN_VARIED, s->graph));
  SC_GOTO(sc_plain_apply(&s->judge->loaded.plain, s->judge->loaded.plains, s->graph));
  size_t runs = sc_graph_run_count(s->graph);
  s->contexts = sc_graph_context_count(s->graph);
  s->runs = sc_mem_new(runs + 1, sizeof *s->runs);
  s->at = sc_mem_new((runs + 1) * s->parameters, sizeof *s->at);
  if (!s->runs || !s->at) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (size_t r = 0; r < runs; r++)
    SC_GOTO(add_several_run(s, r));
  if (s->contexts != sc_graph_context_count(s->judge->loaded.graph))
    err = sc_err_set(SC_E_DAMAGED, "%s was changed while it was read", s->judge->study);
  else if (!(s->high_varied > 0))
    err = no_varied(s->judge);
out:
  sc_study_close(study);
  return err;
}

int sc_several_new(const sc_judge *judge, sc_several **several)
{
  const sc_workload *workload = judge->loaded.workload;
  int err;
  *several = NULL;
  sc_several *s = sc_mem_new(1, sizeof *s);
  if (!s)
    return SC_E_NOMEM;
  s->judge = judge;
  s->resources = sc_mem_new(1, sizeof *s->resources);
  if (!s->resources) {
    err = SC_E_NOMEM;
    goto out;
  }
  s->parameters = 1 + workload->other_count;
  s->names[0] = workload->parameter;
  s->kinds[0] = workload->kind;
  for (size_t i = 0; i < workload->other_count; i++) {
    s->names[1 + i] = workload->others[i].name;
    s->kinds[1 + i] = workload->others[i].kind;
  }
  if (sc_baseline_is(judge->study)) {
    err =
        sc_err_set(SC_E_INPUT, "%s is a baseline, which has the base values of further parameters only", judge->study);
    (void)sc_err_hint(err, "ask the study that it was made of");
    goto out;
  }
  s->moved = sc_mem_new(1, sizeof *s->moved);
  if (!s->moved) {
    err = SC_E_NOMEM;
    goto out;
  }
  SC_GOTO(load_several(s));
  SC_GOTO(sc_several_find_lines(s));
  SC_GOTO(sc_several_fit(s));
  SC_GOTO(sc_several_price(s));
  SC_GOTO(sc_several_time_load(s));
  *several = s;
  s = NULL;
out:
  sc_several_free(s);
  return err;
}

void sc_several_free(sc_several *s)
{
  if (!s)
    return;
  if (s->moved)
    sc_analysis_free(s->moved->analysis);
  free(s->moved);
  sc_several_time_free(s);
  sc_several_free_lines(s);
  sc_several_free_products(s); /* of the set's series */
  sc_series_free(&s->set);
  sc_graph_free(s->graph);
  free(s->runs);
  free(s->at);
  free(s->series);
  free(s->members);
  free(s->fits);
  free(s->models);
  free(s->prices);
  free(s->priced);
  if (s->resources)
    sc_resources_everywhere_free(*s->resources);
  free(s->resources);
  free(s);
}

size_t sc_several_parameters(const sc_several *several) { return several->parameters; }
const char *const *sc_several_names(const sc_several *several) { return several->names; }

void sc_several_range(const sc_several *several, size_t parameter, double *low, double *high)
{
  *low = several->low[parameter];
  *high = several->high[parameter];
}

void sc_several_describe(const sc_several *several, const sc_several_point *point, sc_buf *out)
{
  for (size_t i = 0; i < several->parameters; i++)
    sc_buf_printf(out, "%s%s = %s", i ? ", " : "", several->names[i], sc_format_number(point->at[i]).s);
}

static void add_other(const sc_judge *judge, size_t i, sc_buf *out)
{
  const sc_workload_other *other = &judge->loaded.workload->others[i];
  double here = sc_judge_other(judge, i);
  sc_buf_printf(out, "%s%s = %s (%smeasured: ", i ? ", " : "At ", other->name, sc_format_number(here).s,
                here == other->base ? "also " : "");
  for (size_t v = 0, shown = 0; v < other->count; v++)
    if (other->values[v] != other->base || here != other->base)
      sc_buf_printf(out, "%s%s", shown++ ? ", " : "", sc_format_number(other->values[v]).s);
  sc_buf_puts(out, ")");
}

void sc_several_note(const sc_judge *judge, sc_buf *out)
{
  const sc_workload *workload = judge->loaded.workload;
  for (size_t i = 0; i < workload->other_count; i++)
    add_other(judge, i, out);
  if (!sc_analysis_moved(judge->loaded.analysis))
    return;
  sc_buf_puts(out, "; what an execution takes is known at ");
  for (size_t i = 0; i < workload->other_count; i++)
    sc_buf_printf(out, "%s%s = %s", i ? ", " : "", workload->others[i].name,
                  sc_format_number(workload->others[i].base).s);
}
