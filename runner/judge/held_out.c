/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far predictions are off at sizes that no model was fitted to. */
#include "runner/judge/held_out.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/compare.h"
#include "regress/core/tuning.h"
#include "runner/text/tuning.h"

/* The paper's engine fits a line to everything; its Algorithm 1 drops lines below the threshold. */
static bool is_dropped(const sc_judge *judge, const sc_model *model)
{
  return sc_analysis_get_options(judge->loaded.analysis)->fit.engine == SC_FIT_DELTA_INFER && model->r2 < SC_FIT_R2;
}

static bool has_count_model(const sc_judge *judge, uint32_t context)
{
  const sc_location *location = sc_graph_at(judge->loaded.graph, context);
  const sc_model *model = sc_analysis_model(judge->loaded.analysis, context);
  return sc_location_is_counted(location) && sc_analysis_in_scope(judge->loaded.analysis, context) &&
         model->verdict == SC_VERDICT_MODEL && !is_dropped(judge, model);
}

static bool is_validation(const sc_judge *judge, size_t run, double n)
{
  const sc_run *info = sc_graph_run_const(judge->loaded.graph, run);
  return info->role == SC_RUN_VALIDATION && info->n == n;
}

/* Validation runs are in the graph that is fitted (the paper's engine leaves them out of its fits), verified sizes in
 * that of the targets. */
static bool actual_count(const sc_judge *judge, uint32_t context, const sc_held_out *size, double *value)
{
  double sum = 0, runs = 0;
  if (!size->validation)
    return sc_judge_actual_count(judge, context, size->n, value);
  for (size_t run = 0; run < sc_graph_run_count(judge->loaded.graph); run++)
    if (is_validation(judge, run, size->n)) {
      sum += sc_graph_value(judge->loaded.graph, run, context, SC_METRIC_COUNT);
      runs++;
    }
  *value = sum / runs;
  return runs > 0;
}

/* A prediction for something that did not happen has no relative error: it is what was predicted, at most 1, so that
 * one context that stayed silent cannot make a mean infinite. */
static double relative_error(const sc_location *at, double predicted, double actual)
{
  if (at->kind == SC_LOCATION_WORK && fabs(predicted - actual) * sc_location_weight(at) < 1)
    return 0; /* how a number is written */
  return actual > 0 ? fabs(predicted - actual) / actual : fmin(fabs(predicted), 1);
}

/* A count with a model. */
typedef struct compared {
  uint32_t context;
  double predicted, actual, error;
} compared;

static int compare_errors(const void *a, const void *b)
{
  const compared *x = a, *y = b;
  return SC_COMPARE(y->error, x->error) ?: SC_COMPARE(x->context, y->context);
}

static double weigh_compared(const sc_judge *judge, const compared *one)
{
  return sc_location_weight(sc_graph_at(judge->loaded.graph, one->context));
}

/* The few whose errors make most of the mean. Errors descend. */
static void find_few(const sc_judge *judge, const compared *list, double errors, double executions, sc_held_out *size)
{
  double sum = 0, of_few = 0;
  size_t count = 0;
  while (count < size->contexts && sum < SC_HELD_OUT_MOSTLY * errors) {
    sum += list[count].error;
    of_few += list[count].actual * weigh_compared(judge, &list[count]);
    count++;
  }
  size->few = count;
  size->few_share = executions > 0 ? of_few / executions : 0;
  size->farthest = list->context;
  size->predicted = list->predicted;
  size->actual = list->actual;
}

/* The mean is delta-infer's figure; beside it stands the error weighted by executions, as a few contexts that hardly
 * run can make a mean of 152% with a median of 0. */
static void summarise_held_out(const sc_judge *judge, compared *list, sc_held_out *size)
{
  size_t count = size->contexts;
  double sum = 0, off = 0, executions = 0;
  if (!count)
    return;
  qsort(list, count, sizeof *list, compare_errors);
  size->median = (list[(count - 1) / 2].error + list[count / 2].error) / 2;
  for (size_t i = 0; i < count; i++) {
    sum += list[i].error;
    off += list[i].error > 0 ? fabs(list[i].predicted - list[i].actual) * weigh_compared(judge, &list[i]) : 0;
    executions += list[i].actual * weigh_compared(judge, &list[i]);
  }
  size->mean = sum / (double)count;
  size->weighted = executions > 0 ? off / executions : 0;
  size->most = list[count - (size_t)ceil(SC_HELD_OUT_MOST * (double)count)].error;
  find_few(judge, list, sum, executions, size);
}

/* `list` has room for every context. An error of 0 counts as inside though rounding may put it beside an exact
 * interval. */
static void note_error(const sc_judge *judge, uint32_t context, const sc_interval *predicted, double actual,
                       compared *list, sc_held_out *size)
{
  double error = relative_error(sc_graph_at(judge->loaded.graph, context), predicted->value, actual);
  list[size->contexts++] = (compared){context, predicted->value, actual, error};
  size->inside += error == 0 || (actual >= predicted->low && actual <= predicted->high);
}

/* Contexts whose sum alone is known to follow a model are one count. */
typedef struct parts {
  uint32_t context; /* one of them; 0: there are none */
  double predicted, actual;
} parts;

/* The interval is that of the sum's model, scaled to the parts that have a count: parts outside the scope are in the
 * sum. */
static int note_parts(const sc_judge *judge, const parts *sums, compared *list, sc_held_out *size)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  for (size_t i = 0; i < sc_analysis_model_count(analysis); i++) {
    sc_interval all;
    if (!sums[i].context)
      continue;
    SC_TRY(sc_model_predict(sc_analysis_model_at(analysis, i), size->n, SC_ANALYSIS_LEVEL, &all));
    double share = all.value > 0 ? sums[i].predicted / all.value : 0;
    all = (sc_interval){sums[i].predicted, all.low * share, all.high * share};
    note_error(judge, sums[i].context, &all, sums[i].actual, list, size);
  }
  return 0;
}

static int measure_held_out(const sc_judge *judge, sc_held_out *size)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  size_t all = sc_graph_context_count(judge->loaded.graph);
  double actual;
  compared *list = sc_mem_new(all, sizeof *list);
  parts *sums = sc_mem_new(sc_analysis_model_count(analysis), sizeof *sums);
  int err = SC_E_NOMEM;
  if (!list || !sums)
    goto out;
  for (uint32_t c = 1; c < all; c++) {
    sc_interval predicted;
    uint32_t sum = sc_analysis_sum(analysis, c);
    if (!has_count_model(judge, c) || !actual_count(judge, c, size, &actual))
      continue;
    SC_GOTO(sc_analysis_count(analysis, c, size->n, &predicted));
    if (sum == UINT32_MAX)
      note_error(judge, c, &predicted, actual, list, size);
    else
      sums[sum] = (parts){c, sums[sum].predicted + predicted.value, sums[sum].actual + actual};
  }
  SC_GOTO(note_parts(judge, sums, list, size));
  summarise_held_out(judge, list, size);
out:
  free(list);
  free(sums);
  return err;
}

int sc_judge_count_errors(const sc_judge *judge, double n, sc_held_out *errors)
{
  *errors = (sc_held_out){.n = n};
  return measure_held_out(judge, errors);
}

static int compare_held_out_sizes(const void *a, const void *b)
{
  const sc_held_out *x = a, *y = b;
  return SC_COMPARE(x->n, y->n) ?: SC_COMPARE(x->validation, y->validation);
}

/* Every size that was run so once, ascending; there is room for all runs. Validation sizes count only if the models did
 * not see them: the default engine fits them, too, and so does an analysis moved to other values of parameters. */
static size_t find_sizes(const sc_judge *judge, sc_held_out *list)
{
  const sc_graph *graph = judge->loaded.graph, *targets = judge->loaded.targets;
  const sc_analysis *analysis = judge->loaded.analysis;
  bool fitted = sc_analysis_get_options(analysis)->include_validation || sc_analysis_moved(analysis);
  size_t count = 0, kept = 0;
  for (size_t run = 0; !fitted && run < sc_graph_run_count(graph); run++)
    if (sc_graph_run_const(graph, run)->role == SC_RUN_VALIDATION)
      list[count++] = (sc_held_out){.n = sc_graph_run_const(graph, run)->n, .validation = true};
  for (size_t run = 0; targets && run < sc_graph_run_count(targets); run++)
    if (sc_judge_ran(judge, run, sc_graph_run_const(targets, run)->n))
      list[count++] = (sc_held_out){.n = sc_graph_run_const(targets, run)->n};
  if (count)
    qsort(list, count, sizeof *list, compare_held_out_sizes);
  for (size_t i = 0; i < count; i++)
    if (!kept || compare_held_out_sizes(&list[i], &list[kept - 1]))
      list[kept++] = list[i];
  return kept;
}

int sc_judge_held_out(const sc_judge *judge, sc_held_out **list, size_t *count)
{
  size_t runs =
      sc_graph_run_count(judge->loaded.graph) + (judge->loaded.targets ? sc_graph_run_count(judge->loaded.targets) : 0);
  int err = 0;
  *count = 0;
  SC_TRY(SC_NEW(*list, runs + 1));
  *count = find_sizes(judge, *list);
  for (size_t i = 0; i < *count && err == 0; i++)
    err = measure_held_out(judge, &(*list)[i]);
  return err;
}
