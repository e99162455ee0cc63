/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/compare/holdings.h"
#include "transitions/compare/likeness.h"
#include "transitions/confidence.h"
#include "transitions/explain.h"

enum { NEAR = 40, POINTS = 4, COMMON_SIZES = 3 };

static bool same_place(const sc_resource *a, const sc_resource *b)
{
  return *a->file && strcmp(sc_likeness_base_name(a->file), sc_likeness_base_name(b->file)) == 0;
}

/* pass 0: the same declaration; 1: class and name; 2: renamed where it stood. */
static bool alike(const sc_resource *a, const sc_resource *b, int pass)
{
  bool name = strcmp(a->name, b->name) == 0;
  if (a->resource_class != b->resource_class)
    return false;
  if (pass == 0)
    return name && a->line == b->line && (same_place(a, b) || (!*a->file && !*b->file));
  if (pass == 1)
    return name;
  return same_place(a, b) && labs((long)a->line - (long)b->line) <= NEAR;
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
        if (!taken[b] && alike(sc_usage_resource_at(c->base.graph, b), sc_usage_resource_at(c->head.graph, h), pass)) {
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
static double apart(const sc_grid *grid, const double *base, const double *head)
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
  return count >= COMMON_SIZES ? least : 0;
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
  if (!curve_of(b, x->base_series, x->least == 0, base, &spreads[0]) ||
      !curve_of(h, x->head_series, x->least == 0, head, &spreads[1]))
    goto out;
  x->spread = fmax(spreads[0], spreads[1]);
  x->apart = apart(&x->c->grid, base, head);
  x->measured = sc_grid_compare(&x->c->grid, base, head, NULL, NULL, x->least > 0);
  SC_GOTO(sc_resources_predict(b->in->resources, x->base, x->metric, x->c->horizon, &x->before));
  SC_GOTO(sc_resources_predict(h->in->resources, x->head, x->metric, x->c->horizon, &x->after));
  *known = isfinite(x->before.value) && isfinite(x->after.value);
out:
  free(base);
  free(head);
  return err;
}

/* At the largest size measured, in one context. */
static double last_in(const sc_side *s, uint32_t resource, uint32_t context, enum sc_resource_metric metric)
{
  const sc_resource_series *series = sc_resources_series(s->in->resources, resource, context, metric);
  return series && series->count ? series->values[series->count - 1] : 0;
}

uint32_t sc_holding_site(const sc_holding *x)
{
  const sc_side *b = &x->c->base, *h = &x->c->head;
  size_t rows;
  size_t last = h->a->runs[h->a->run_count - 1];
  const sc_usage *row = sc_usage_rows(h->graph, last, &rows);
  bool summed = x->metric == SC_RMETRIC_PEAK || x->metric == SC_RMETRIC_OUTSTANDING || x->metric == SC_RMETRIC_ACQUIRES;
  /* times are no sums: where most of it is held */
  enum sc_resource_metric metric = summed ? x->metric : SC_RMETRIC_HOLD_TOTAL;
  uint32_t best = SC_COMPARE_NONE;
  double most = 0;
  for (; rows; rows--, row++) {
    if (row->resource != x->head || row->context >= h->contexts)
      continue;
    double after = last_in(h, x->head, row->context, metric), before = 0;
    uint32_t mate = h->mate[row->context];
    if (x->base != SC_COMPARE_NONE && mate != SC_COMPARE_NONE && summed)
      before = last_in(b, x->base, mate, metric);
    double change = summed ? fabs(after - before) : after;
    if (change > most) {
      most = change;
      best = row->context;
    }
  }
  return best;
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
  size_t step = s->size_count > POINTS ? (s->size_count - 1 + POINTS - 2) / (POINTS - 1) : 1, shown = 0;
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

static int tell(const sc_holding *x, sc_change *change)
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

static int fill_state(const sc_holding *x, const sc_side *s, uint32_t resource, const sc_resource_series *series,
                      sc_change_state *state)
{
  *state = (sc_change_state){.context = SC_COMPARE_NONE, .resource = resource};
  if (resource == SC_COMPARE_NONE)
    return 0;
  state->model = &series->model;
  state->predictions = sc_mem_new(x->c->target_count + 1, sizeof *state->predictions);
  if (!state->predictions)
    return SC_E_NOMEM;
  for (size_t t = 0; t < x->c->target_count; t++)
    SC_TRY(sc_resources_predict(s->in->resources, resource, x->metric, x->c->targets[t], &state->predictions[t]));
  return 0;
}

int sc_holding_tell(const sc_holding *x, enum sc_rule rule, uint32_t site)
{
  sc_compared *c = x->c;
  SC_TRY(sc_mem_grow(&c->out->list, &c->capacity, c->out->count + 1, sizeof *c->out->list));
  sc_change *change = &c->out->list[c->out->count++];
  *change = (sc_change){.rule = rule, .of = SC_CHANGE_OF_RESOURCE, .metric = x->metric, .emergence = NAN};
  SC_TRY(fill_state(x, &c->base, x->base, x->base_series, &change->base));
  SC_TRY(fill_state(x, &c->head, x->head, x->head_series, &change->head));
  change->contexts = sc_mem_new(1, sizeof *change->contexts);
  if (!change->contexts)
    return SC_E_NOMEM;
  if (site != SC_COMPARE_NONE) {
    change->contexts[change->context_count++] = change->head.context = site;
    change->base.context = c->head.mate[site];
  }
  bool is_new = x->base == SC_COMPARE_NONE;
  change->factor = is_new ? INFINITY : x->before.value > 0 ? x->after.value / x->before.value : INFINITY;
  change->confidence = fmin(sc_confidence(c->head.a, &x->head_series->model, &x->after),
                            is_new ? 1 : sc_confidence(c->base.a, &x->base_series->model, &x->before));
  change->severity = sc_change_severity(change);
  return tell(x, change);
}
