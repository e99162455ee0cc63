/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One resource's holds, waits and units on both sides of a comparison. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "base/path.h"
#include "transitions/compare/holdings.h"
#include "transitions/findings/explain.h"
#include "transitions/model/confidence.h"
#include "transitions/model/tuning.h"

static bool holding_same_place(const sc_resource *a, const sc_resource *b)
{
  return *a->file && strcmp(sc_path_last(a->file), sc_path_last(b->file)) == 0;
}

/* pass 0: the same declaration; 1: class and name; 2: renamed where it stood. */
static bool holding_alike(const sc_resource *a, const sc_resource *b, int pass)
{
  bool name = strcmp(a->name, b->name) == 0;
  if (a->resource_class != b->resource_class)
    return false;
  if (pass == 0)
    return name && a->line == b->line && (holding_same_place(a, b) || (!*a->file && !*b->file));
  if (pass == 1)
    return name;
  return holding_same_place(a, b) && labs((long)a->line - (long)b->line) <= SC_LIKENESS_NEAR;
}

int sc_holding_match(const sc_compared *c, uint32_t **mates)
{
  uint32_t bases = sc_usage_resource_count(c->base.graph), heads = sc_usage_resource_count(c->head.graph);
  bool *taken = sc_mem_new(bases + 1, sizeof *taken);
  *mates = sc_mem_new(heads + 1, sizeof **mates);
  if (!taken || !*mates) {
    free(taken);
    return SC_E_NOMEM;
  }
  memset(*mates, 0xff, heads * sizeof **mates);
  for (int pass = 0; pass < 3; pass++)
    for (uint32_t h = 0; h < heads; h++)
      for (uint32_t b = 0; b < bases && (*mates)[h] == SC_COMPARE_NONE; b++)
        if (!taken[b] &&
            holding_alike(sc_usage_resource_at(c->base.graph, b), sc_usage_resource_at(c->head.graph, h), pass)) {
          (*mates)[h] = b;
          taken[b] = true;
        }
  free(taken);
  return 0;
}

/* Mean over the repeats of each measured size (of times the least: the machine only adds); false if one has no value.
 * *spread: standard deviation of the logarithms of repeats. */
static bool curve_of(const sc_side *s, const sc_resource_series *series, bool least, double *curve, double *spread)
{
  double squares = 0, degrees = 0;
  size_t i = 0;
  for (size_t size = 0; size < s->size_count; size++) {
    double sum = 0, count = 0, logs = 0, smallest = INFINITY;
    size_t first = i;
    for (; i < series->count && series->sizes[i] == s->sizes[size]; i++, count++) {
      sum += series->values[i];
      smallest = fmin(smallest, series->values[i]);
      logs += log(fmax(series->values[i], 1e-12));
    }
    if (count == 0)
      return false;
    for (size_t k = first; k < i; k++) {
      double off = log(fmax(series->values[k], 1e-12)) - logs / count;
      squares += smallest > 0 ? off * off : 0;
    }
    degrees += smallest > 0 ? count - 1 : 0;
    curve[size] = least ? smallest : sum / count;
  }
  *spread = degrees > 0 ? sqrt(squares / degrees) : 0;
  return true;
}

/* The least difference of the sizes that both measured (a logarithm); 0 if they differ to both sides, or are few. */
static double holding_apart(const sc_grid *grid, const double *base, const double *head)
{
  double least = INFINITY;
  size_t count = 0;
  int sign = 0;
  for (size_t i = 0; i < grid->count; i++) {
    const sc_grid_point *p = &grid->points[i];
    double x = base[p->base[0]], y = head[p->head[0]];
    if (p->base[0] != p->base[1] || p->head[0] != p->head[1] || (x == 0 && y == 0))
      continue;
    if (!(x > 0 && y > 0) || (sign && sign * log(y / x) <= 0))
      return 0;
    sign = y > x ? 1 : -1;
    least = fmin(least, fabs(log(y / x)));
    count++;
  }
  return count >= SC_HOLDING_SIZES ? least : 0;
}

int sc_holding_measure(sc_holding *x, bool *known)
{
  const sc_side *b = &x->c->base, *h = &x->c->head;
  int err = SC_E_NOMEM;
  *known = false;
  x->base_series = sc_resources_series(b->in->resources, x->base, SC_USAGE_NONE, x->metric);
  x->head_series = sc_resources_series(h->in->resources, x->head, SC_USAGE_NONE, x->metric);
  if (!x->base_series || !x->head_series)
    return 0;
  double *base = sc_mem_new(b->size_count, sizeof *base), *head = sc_mem_new(h->size_count, sizeof *head);
  if (!base || !head)
    goto out;
  err = 0;
  double spreads[2];
  bool moved = sc_resources_moved(b->in->resources) || sc_resources_moved(h->in->resources);
  if (!moved && (!curve_of(b, x->base_series, x->least == 0, base, &spreads[0]) ||
                 !curve_of(h, x->head_series, x->least == 0, head, &spreads[1])))
    goto out;
  x->spread = moved ? 0 : fmax(spreads[0], spreads[1]);
  x->apart = moved ? 0 : holding_apart(&x->c->grid, base, head);
  x->measured = (sc_difference){.points = 0}; /* away from the base values intervals alone tell */
  if (!moved)
    x->measured = sc_grid_compare(&x->c->grid, base, head, NULL, NULL, x->least > 0);
  SC_GOTO(sc_resources_predict(b->in->resources, x->base, x->metric, x->c->horizon, &x->before));
  SC_GOTO(sc_resources_predict(h->in->resources, x->head, x->metric, x->c->horizon, &x->after));
  *known = isfinite(x->before.value) && isfinite(x->after.value);
out:
  free(base);
  free(head);
  return err;
}

/* What a call did at the largest size measured. */
typedef struct call {
  const sc_usage *row;
  double value, before; /* of the base's call that it is matched with */
  bool matched;
} call;

static double holding_value_of(const sc_usage *row, enum sc_resource_metric metric)
{
  const double *v = row->values;
  switch (metric) {
  case SC_RMETRIC_PEAK:
    return v[SC_USAGE_PEAK];
  case SC_RMETRIC_OUTSTANDING:
    return fmax(0, v[SC_USAGE_UNITS] - v[SC_USAGE_RETURNED_UNITS]);
  case SC_RMETRIC_ACQUIRES:
    return v[SC_USAGE_ACQUIRES];
  default: /* times are no sums: where most of it is held */
    return v[SC_USAGE_HOLD_SECONDS];
  }
}

static bool is_summed(enum sc_resource_metric metric)
{
  return metric == SC_RMETRIC_PEAK || metric == SC_RMETRIC_OUTSTANDING || metric == SC_RMETRIC_ACQUIRES;
}

/* Adds the values of the calls up by context. */
static void sum_contexts(const sc_side *s, uint32_t resource, enum sc_resource_metric metric, double *sums)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(s->graph, s->a->runs[s->a->run_count - 1], &rows);
  for (; rows; rows--, row++)
    if (row->resource == resource && row->context < s->contexts)
      sums[row->context] += holding_value_of(row, metric);
}

/* The context of the head with the largest change. */
static int find_context(const sc_holding *x, uint32_t *context)
{
  const sc_side *b = &x->c->base, *h = &x->c->head;
  bool summed = is_summed(x->metric);
  double most = 0, *before = sc_mem_new(b->contexts + 1, sizeof *before);
  double *after = sc_mem_new(h->contexts + 1, sizeof *after);
  int err = before && after ? 0 : SC_E_NOMEM;
  *context = SC_COMPARE_NONE;
  if (!err && x->base != SC_COMPARE_NONE && summed)
    sum_contexts(b, x->base, x->metric, before);
  if (!err)
    sum_contexts(h, x->head, x->metric, after);
  for (uint32_t i = 0; !err && i < h->contexts; i++) {
    double change = after[i];
    if (summed && h->mate[i] != SC_COMPARE_NONE)
      change = fabs(after[i] - before[h->mate[i]]);
    if (change > most) {
      most = change;
      *context = i;
    }
  }
  free(before);
  free(after);
  return err;
}

static int compare_calls(const void *left, const void *right)
{
  const sc_usage *a = ((const call *)left)->row, *b = ((const call *)right)->row;
  return strcmp(a->via, b->via) ?: SC_COMPARE(a->event, b->event) ?: SC_COMPARE(a->shared, b->shared) ?:
         SC_COMPARE(a->line, b->line) ?: SC_COMPARE(a->column, b->column);
}

/* The calls in a context, those of one function together, in their order in the source. */
static int list_calls(const sc_side *s, uint32_t resource, uint32_t context, enum sc_resource_metric metric,
                      call **list, size_t *count)
{
  size_t rows, capacity = 0;
  const sc_usage *row = sc_usage_rows(s->graph, s->a->runs[s->a->run_count - 1], &rows);
  for (; rows; rows--, row++) {
    if (row->resource != resource || row->context != context)
      continue;
    SC_TRY(sc_mem_grow(list, &capacity, *count + 1, sizeof **list));
    (*list)[(*count)++] = (call){.row = row, .value = holding_value_of(row, metric)};
  }
  if (*count)
    qsort(*list, *count, sizeof **list, compare_calls);
  return 0;
}

static bool same_kind(const call *a, const call *b)
{
  return strcmp(a->row->via, b->row->via) == 0 && a->row->event == b->row->event && a->row->shared == b->row->shared;
}

/* Lines move: of as many calls as in the base each is matched with the one at its place in the order; else those with
 * equal values first. */
static void match_calls(call *base, size_t bases, call *head, size_t heads)
{
  for (size_t i = 0; i < heads; i++) {
    size_t same = 0, others = 0;
    for (size_t k = 0; k < heads; k++)
      same += same_kind(&head[i], &head[k]);
    for (size_t k = 0; k < bases; k++)
      others += same_kind(&head[i], &base[k]);
    for (size_t k = 0; same != others && k < bases && !head[i].matched; k++)
      if (!base[k].matched && same_kind(&head[i], &base[k]) && base[k].value == head[i].value) {
        base[k].matched = head[i].matched = true;
        head[i].before = base[k].value;
      }
  }
  for (size_t i = 0; i < heads; i++)
    for (size_t k = 0; k < bases && !head[i].matched; k++)
      if (!base[k].matched && same_kind(&head[i], &base[k])) {
        base[k].matched = head[i].matched = true;
        head[i].before = base[k].value;
      }
}

int sc_holding_site(const sc_holding *x, sc_holding_place *site)
{
  int err;
  call *base = NULL, *head = NULL;
  size_t bases = 0, heads = 0;
  double most = 0;
  *site = (sc_holding_place){.context = SC_COMPARE_NONE};
  SC_GOTO(find_context(x, &site->context));
  if (site->context == SC_COMPARE_NONE)
    return 0;
  uint32_t mate = x->c->head.mate[site->context];
  SC_GOTO(list_calls(&x->c->head, x->head, site->context, x->metric, &head, &heads));
  if (x->base != SC_COMPARE_NONE && mate != SC_COMPARE_NONE && is_summed(x->metric))
    SC_GOTO(list_calls(&x->c->base, x->base, mate, x->metric, &base, &bases));
  match_calls(base, bases, head, heads);
  for (size_t i = 0; i < heads; i++)
    if (fabs(head[i].value - head[i].before) > most) {
      most = fabs(head[i].value - head[i].before);
      site->line = head[i].row->line;
      site->column = head[i].row->column;
    }
out:
  free(base);
  free(head);
  return err;
}

static void put_value(const sc_holding *x, double value, sc_buf *out)
{
  if (strcmp(sc_resource_metric_unit(x->metric), "s") == 0) {
    sc_explain_duration(value, out);
    return;
  }
  sc_explain_number(out, value >= 100 || value == floor(value) ? round(value) : round(value * 1000) / 1000);
  if (strcmp(sc_resource_metric_unit(x->metric), "units") == 0)
    sc_buf_printf(out, " %ss", sc_resource_class_unit(sc_usage_resource_at(x->c->head.graph, x->head)->resource_class));
}

static void put_growth(const sc_holding *x, const sc_model *model, sc_buf *out)
{
  char text[256];
  if (model->verdict != SC_VERDICT_MODEL)
    return;
  sc_model_format_order(&model->order, x->c->head.a->options.variable, text, sizeof text);
  bool constant = model->order.exponent == 0 && model->order.log_exponent == 0;
  sc_buf_printf(out, "%s%s; ", constant ? "" : "grows as ", text);
}

/* At most four of the sizes, with the first of their repeats. */
static void put_series(const sc_holding *x, const char *when, const sc_side *s, const sc_resource_series *series,
                       sc_buf *out)
{
  sc_buf_printf(out, "%s: ", when);
  put_growth(x, &series->model, out);
  size_t step = sc_tell_step(s), shown = 0;
  for (size_t i = 0; i < s->size_count; i += step) {
    double n = s->sizes[i + step >= s->size_count ? s->size_count - 1 : i];
    size_t k = 0;
    while (k < series->count && series->sizes[k] != n)
      k++;
    if (k == series->count)
      continue;
    sc_buf_printf(out, "%s%s = ", shown++ ? "; " : "", x->c->head.a->options.variable);
    sc_explain_number(out, n);
    sc_buf_puts(out, ": ");
    put_value(x, series->values[k], out);
  }
  sc_buf_puts(out, ". ");
}

static int write_evidence(const sc_holding *x, sc_change *change)
{
  sc_buf out = {0};
  const sc_resource *resource = sc_usage_resource_at(x->c->head.graph, x->head);
  sc_buf_printf(&out, "%s, %s. ", resource->name, sc_resource_metric_name(x->metric));
  if (x->base_series && x->base != SC_COMPARE_NONE)
    put_series(x, "Before", &x->c->base, x->base_series, &out);
  put_series(x, "Now", &x->c->head, x->head_series, &out);
  sc_buf_printf(&out, "At %s = ", x->c->head.a->options.variable);
  sc_explain_number(&out, x->c->horizon);
  sc_buf_puts(&out, ": ");
  if (x->base != SC_COMPARE_NONE) {
    put_value(x, x->before.value, &out);
    sc_buf_puts(&out, " before, ");
  }
  put_value(x, x->after.value, &out);
  sc_buf_puts(&out, " now.");
  int err = sc_buf_finish(&out);
  change->evidence = sc_buf_take(&out);
  return err;
}

static int fill_holding_state(const sc_holding *x, const sc_side *s, uint32_t resource,
                              const sc_resource_series *series, sc_change_state *state)
{
  *state = (sc_change_state){.context = SC_COMPARE_NONE, .resource = resource};
  if (resource == SC_COMPARE_NONE)
    return 0;
  state->model = &series->model;
  SC_TRY(SC_NEW(state->predictions, x->c->target_count + 1));
  for (size_t t = 0; t < x->c->target_count; t++)
    SC_TRY(sc_resources_predict(s->in->resources, resource, x->metric, x->c->targets[t], &state->predictions[t]));
  return 0;
}

int sc_holding_tell(const sc_holding *x, enum sc_rule rule, const sc_holding_place *site)
{
  sc_compared *c = x->c;
  SC_TRY(sc_mem_grow(&c->out->list, &c->capacity, c->out->count + 1, sizeof *c->out->list));
  sc_change *change = &c->out->list[c->out->count++];
  *change = (sc_change){.rule = rule, .of = SC_CHANGE_OF_RESOURCE, .metric = x->metric, .emergence = NAN};
  SC_TRY(fill_holding_state(x, &c->base, x->base, x->base_series, &change->base));
  SC_TRY(fill_holding_state(x, &c->head, x->head, x->head_series, &change->head));
  SC_TRY(SC_NEW(change->contexts, 1));
  if (site->context != SC_COMPARE_NONE) {
    change->contexts[change->context_count++] = change->head.context = site->context;
    change->head.line = site->line;
    change->head.column = site->column;
    change->base.context = c->head.mate[site->context];
  }
  bool is_new = x->base == SC_COMPARE_NONE;
  change->factor = is_new ? INFINITY : x->before.value > 0 ? x->after.value / x->before.value : INFINITY;
  change->confidence = fmin(sc_confidence(c->head.a, &x->head_series->model, &x->after),
                            is_new ? 1 : sc_confidence(c->base.a, &x->base_series->model, &x->before));
  change->severity = sc_change_severity(change);
  return write_evidence(x, change);
}
