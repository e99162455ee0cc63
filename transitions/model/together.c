/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of one call of a library, taken together where only their sum has a model. */
#include "transitions/model/together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "base/sort.h"
#include "regress/choose/trend.h"
#include "transitions/model/fitting.h"
#include "transitions/model/order.h"
#include "transitions/model/superlinear.h"
#include "transitions/model/tuning.h"

enum fate { AS_IT_IS, AS_THE_SUM, DOUBTED };

/* A context that is part of what a call of a library does. */
typedef struct part {
  const char *work; /* name of the function whose work it is; "" of calls and iterations */
  uint32_t call;    /* the context of the outermost library function */
  uint32_t place;   /* location of calls and iterations */
  uint32_t context;
  uint32_t sum, series, fate; /* numbers of the series of its group's sum and of its own; enum fate */
} part;

typedef struct judging {
  sc_analysis *a;
  part *parts;
  size_t part_count, open; /* those still to be judged are the first ones */
  bool by_call;            /* a group is all calls and iterations of a call; else those of a place, or the work of a
                              function */
} judging;

/* Of a function's work the groups are what they were. */
static bool is_done(const part *p) { return p->fate == AS_THE_SUM || *p->work; }

static int compare_by_place(const void *left, const void *right)
{
  const part *x = left, *y = right;
  return SC_COMPARE(x->call, y->call) ?: strcmp(x->work, y->work) ?: SC_COMPARE(x->place, y->place) ?:
         SC_COMPARE(x->context, y->context);
}

static int compare_by_call(const void *left, const void *right)
{
  const part *x = left, *y = right;
  return SC_COMPARE(is_done(x), is_done(y)) ?: SC_COMPARE(x->call, y->call) ?: SC_COMPARE(x->context, y->context);
}

static bool same_group(const judging *j, const part *x, const part *y)
{
  return x->call == y->call && (j->by_call || (x->place == y->place && strcmp(x->work, y->work) == 0));
}

static const sc_location *together_at(const sc_analysis *a, uint32_t context) { return sc_graph_at(a->graph, context); }

/* Exact models stand for themselves. */
static bool is_part(const sc_analysis *a, uint32_t context)
{
  return a->series[context] != SC_NONE && a->series[context] != SC_SERIES_ONE && !sc_analysis_model(a, context)->exact;
}

/* Parts of a library's call without an exact model: its loops by place, and its work by the function that does it,
 * wherever in the library that is called. */
static int list_parts(judging *j)
{
  const sc_analysis *a = j->a;
  size_t capacity = 0;
  for (uint32_t c = 1; c < a->contexts; c++) {
    uint32_t call = is_part(a, c) ? sc_graph_library_call(a->graph, c) : 0;
    bool work = together_at(a, c)->kind == SC_LOCATION_WORK;
    if (!call)
      continue;
    SC_TRY(sc_mem_grow(&j->parts, &capacity, j->part_count + 1, sizeof *j->parts));
    j->parts[j->part_count++] = (part){.work = work ? together_at(a, c)->name : "",
                                       .place = work ? 0 : sc_graph_location_of(a->graph, c),
                                       .call = call,
                                       .context = c,
                                       .series = a->series[c]};
  }
  return 0;
}

static size_t group_size(const judging *j, size_t first)
{
  size_t size = 1;
  while (first + size < j->open && same_group(j, &j->parts[first], &j->parts[first + size]))
    size++;
  return size;
}

/* Of groups of one part the sum is the part. */
static int sum_groups(judging *j)
{
  sc_analysis *a = j->a;
  int err = 0;
  double *row;
  SC_TRY(SC_NEW(row, a->run_count));
  for (size_t first = 0, size; first < j->open; first += size) {
    size = group_size(j, first);
    memset(row, 0, a->run_count * sizeof *row);
    for (size_t i = first; i < first + size; i++)
      for (size_t r = 0; r < a->run_count; r++)
        row[r] += sc_analysis_values(a, j->parts[i].context)[r];
    SC_GOTO(sc_series_intern(&a->counts, row, &j->parts[first].sum));
    for (size_t i = first; i < first + size; i++)
      j->parts[i].sum = j->parts[first].sum;
  }
out:
  free(row);
  return err;
}

static double add_up_together(const double *values, size_t count)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  return sum;
}

/* A part's share of the sum, of all runs together. */
static double together_share_of(const sc_analysis *a, uint32_t sum, const double *values)
{
  double all = add_up_together(sc_series_row(&a->counts, sum), a->run_count);
  return all > 0 ? add_up_together(values, a->run_count) / all : 0;
}

static const double *values_of(const sc_analysis *a, const part *p) { return sc_series_row(&a->counts, p->series); }

static bool has_model(const sc_analysis *a, const part *p) { return a->models[p->series].verdict == SC_VERDICT_MODEL; }

/* `interval`: what it predicts at the horizon. */
static bool together_holds(const sc_model *sum, const sc_interval *interval)
{
  return sum->verdict == SC_VERDICT_MODEL && sc_order_supported(sum) &&
         interval->high <= SC_TOGETHER_WIDE * interval->low &&
         (sum->exact || (sum->points >= SC_TOGETHER_SIZES && fmax(sum->error, sum->fit_error) <= SC_TOGETHER_ERROR));
}

/* Whether the parts, those without a model as the sum, come to anything else than the sum at the horizon. */
static bool contradict_together(const judging *j, size_t first, size_t size, const sc_interval *sum)
{
  double parts = 0, horizon = sc_analysis_horizon(j->a);
  for (size_t i = first; i < first + size; i++) {
    const part *p = &j->parts[i];
    parts += has_model(j->a, p) ? sc_model_value(&j->a->models[p->series], horizon)
                                : together_share_of(j->a, p->sum, values_of(j->a, p)) * sum->value;
  }
  return parts > sum->high * (1 + SC_TOGETHER_ROUNDING) || parts < sum->low * (1 - SC_TOGETHER_ROUNDING);
}

/* As the sum does, in proportion. */
static sc_model together_proportional(const sc_analysis *a, uint32_t sum, const double *values)
{
  sc_model model = a->models[sum];
  sc_model_scale(&model, together_share_of(a, sum, values), 0);
  model.exact = false;
  return model;
}

static void doubt_parts(const judging *j, size_t first, size_t size)
{
  for (size_t i = first; i < first + size; i++) {
    part *p = &j->parts[i];
    if (has_model(j->a, p) && sc_order_superlinear(&j->a->models[p->series].order))
      p->fate = DOUBTED;
  }
}

static int judge_group(const judging *j, size_t first, size_t size)
{
  const sc_model *sum = &j->a->models[j->parts[first].sum];
  double horizon = sc_analysis_horizon(j->a);
  sc_interval interval;
  if (size < 2 || (!j->by_call && !*j->parts[first].work && !sum->exact))
    return 0; /* of a place only what is certain: all of the call tells more than a part of it */
  SC_TRY(sc_model_predict(sum, horizon, j->a->options.level, &interval));
  if (!together_holds(sum, &interval)) {
    if (!sc_superlinear_surely(j->a, sc_series_row(&j->a->counts, j->parts[first].sum)))
      doubt_parts(j, first, size);
    return 0;
  }
  bool all = contradict_together(j, first, size, &interval);
  for (size_t i = first; i < first + size; i++)
    if (all || !has_model(j->a, &j->parts[i]))
      j->parts[i].fate = AS_THE_SUM;
  return 0;
}

static sc_model model_of(const sc_analysis *a, const part *p)
{
  const sc_model *sum = &a->models[p->sum];
  if (p->fate == AS_THE_SUM)
    return together_proportional(a, p->sum, values_of(a, p));
  sc_model model = a->models[p->series];
  model.exponent_low = sum->verdict == SC_VERDICT_MODEL ? fmin(sum->exponent_low, model.exponent_low) : 0;
  return model;
}

static bool same_model(const part *x, const part *y)
{
  return x->fate == y->fate && x->sum == y->sum && x->series == y->series;
}

static int note_sum(struct sc_together *together, uint32_t number, uint32_t sum)
{
  if (!together->count)
    together->first = number;
  SC_TRY(sc_mem_grow(&together->sums, &together->capacity, together->count + 1, sizeof *together->sums));
  together->sums[together->count++] = sum;
  return 0;
}

/* Contexts that agree in counts, sum and fate share a model, and a series of its number. */
static int replace_models(judging *j)
{
  sc_analysis *a = j->a;
  uint32_t number = 0;
  sc_sort_by(j->parts, j->part_count, sizeof *j->parts, offsetof(part, series));
  sc_sort_by(j->parts, j->part_count, sizeof *j->parts, offsetof(part, sum));
  sc_sort_by(j->parts, j->part_count, sizeof *j->parts, offsetof(part, fate));
  for (size_t i = 0; i < j->part_count; i++) {
    const part *p = &j->parts[i];
    if (p->fate == AS_IT_IS)
      continue;
    if (!number || !same_model(p - 1, p)) {
      sc_model model = model_of(a, p);
      SC_TRY(sc_series_add(&a->counts, p->series, &number));
      SC_TRY(sc_analysis_add_model(a, &model, &number));
      SC_TRY(note_sum(&a->together, number, p->fate == AS_THE_SUM ? p->sum : SC_NONE));
    }
    a->series[p->context] = number;
  }
  return 0;
}

static int judge_groups(judging *j)
{
  j->open = 0;
  if (j->part_count)
    qsort(j->parts, j->part_count, sizeof *j->parts, j->by_call ? compare_by_call : compare_by_place);
  while (j->open < j->part_count && !(j->by_call && is_done(&j->parts[j->open])))
    j->open++;
  SC_TRY(sum_groups(j));
  SC_TRY(sc_fitting_run(j->a));
  for (size_t first = 0, size; first < j->open; first += size) {
    size = group_size(j, first);
    SC_TRY(judge_group(j, first, size));
  }
  return 0;
}

/* Place by place first, where a sum is taken only if it is exact; then call by call, what is left. */
int sc_together_judge(sc_analysis *analysis)
{
  int err;
  judging j = {.a = analysis};
  SC_GOTO(list_parts(&j));
  SC_GOTO(judge_groups(&j));
  j.by_call = true;
  SC_GOTO(judge_groups(&j));
  err = replace_models(&j);
out:
  free(j.parts);
  return err;
}

uint32_t sc_analysis_sum(const sc_analysis *analysis, uint32_t context)
{
  const struct sc_together *together = &analysis->together;
  uint32_t series = analysis->series[context];
  bool added = together->count && series != SC_NONE && series >= together->first;
  return added && series - together->first < together->count ? together->sums[series - together->first] : SC_NONE;
}

/* What the share of a sum scatters, and that it may go on to rise or fall. */
static int widen_by_share(const sc_analysis *a, uint32_t sum, const double *values, sc_model *model)
{
  const double *sums = sc_series_row(&a->counts, sum);
  sc_trend trend;
  double *shares;
  SC_TRY(SC_NEW(shares, a->run_count));
  for (size_t i = 0; i < a->run_count; i++)
    shares[i] = sums[i] > 0 ? values[i] / sums[i] : 0;
  if (sc_trend_fit(a->sizes, shares, a->run_count, 0, &trend)) {
    model->scatter = hypot(model->scatter, trend.residual);
    model->drift = hypot(model->drift, trend.slope);
    model->n_center = model->n_center > 0 ? model->n_center : exp(trend.centre);
  }
  free(shares);
  return 0;
}

int sc_together_model(const sc_analysis *a, uint32_t sum, const double *values, sc_model *model)
{
  size_t last = a->run_count - 1;
  *model = a->models[sum];
  if (values[last] >= SC_TOGETHER_WHOLE * sc_series_row(&a->counts, sum)[last])
    return 0;
  *model = together_proportional(a, sum, values);
  return widen_by_share(a, sum, values, model);
}
