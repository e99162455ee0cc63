/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/text/tuning.h"

enum { POINTS = 160, MOST_LINES = 32 };

static const sc_quantity *choose_curve(const sc_ask *ask, const sc_quantity **supposed)
{
  bool of_limit =
      ask->limit_count && ask->subject.kind == SC_SUBJECT_TOTAL && ask->quantities[0].whole && ask->quantities[0].costs;
  if (of_limit)
    *supposed = ask->supposing ? &ask->supposed_limits[0].quantity : NULL;
  else
    *supposed = ask->supposed;
  return of_limit ? &ask->limits[0].quantity : &ask->quantities[0];
}

static bool same_quantity(const sc_quantity *a, const sc_quantity *b) { return strcmp(a->title, b->title) == 0; }

static void widen_curve(sc_curve *c, double n)
{
  if (isfinite(n) && n > 0) {
    c->x_low = fmin(c->x_low, n);
    c->x_high = fmax(c->x_high, n);
  }
}

static void choose_curve_sizes(const sc_ask *ask, sc_curve *c)
{
  const sc_analysis_options *asked = sc_analysis_get_options(ask->judge->loaded.analysis);
  c->x_low = c->n_min;
  c->x_high = c->n_max;
  for (size_t i = 0; i < asked->target_count && !ask->sweep_count; i++)
    widen_curve(c, asked->targets[i]);
  for (size_t i = 0; i < ask->sweep_count; i++)
    widen_curve(c, ask->sweep[i].n);
  for (size_t i = 0; i < ask->limit_count; i++)
    if (same_quantity(&ask->limits[i].quantity, c->quantity) && ask->limits[i].n.value < SC_CURVE_FARTHEST * c->n_max)
      widen_curve(c, fmax(SC_CURVE_BEHIND * ask->limits[i].n.value,
                          fmin(SC_CURVE_BOUND * ask->limits[i].n.high, SC_CURVE_BOUND_MOST * ask->limits[i].n.value)));
  for (size_t i = 0; i < c->measured_count; i++)
    widen_curve(c, c->measured[i].n);
  if (c->x_high <= c->n_max)
    c->x_high = SC_CURVE_FAR * c->n_max;
}

static int predict_point(const sc_quantity *q, const sc_quantity *supposed, double n, sc_curve_point *point)
{
  point->n = n;
  SC_TRY(sc_quantity_predict(q, n, &point->predicted));
  return supposed ? sc_quantity_predict(supposed, n, &point->supposed) : 0;
}

int sc_curve_steps(sc_curve *c, size_t count)
{
  c->x_log = c->x_high > SC_CURVE_WIDE * c->x_low;
  SC_TRY(SC_NEW(c->points, count));
  for (; c->point_count < count; c->point_count++) {
    double at = (double)c->point_count / (double)(count - 1);
    c->points[c->point_count].n =
        c->x_log ? c->x_low * pow(c->x_high / c->x_low, at) : c->x_low + (c->x_high - c->x_low) * at;
  }
  return 0;
}

static int take_points(sc_curve *c, const sc_quantity *supposed)
{
  SC_TRY(sc_curve_steps(c, POINTS));
  for (size_t i = 0; i < c->point_count; i++)
    SC_TRY(predict_point(c->quantity, supposed, c->points[i].n, &c->points[i]));
  return 0;
}

static int take_curve_targets(const sc_ask *ask, sc_curve *c, const sc_quantity *supposed)
{
  const sc_analysis_options *asked = sc_analysis_get_options(ask->judge->loaded.analysis);
  SC_TRY(SC_NEW(c->targets, asked->target_count));
  for (size_t i = 0; i < asked->target_count; i++)
    if (asked->targets[i] <= c->x_high && asked->targets[i] >= c->x_low)
      SC_TRY(predict_point(c->quantity, supposed, asked->targets[i], &c->targets[c->target_count++]));
  return 0;
}

static int take_lines(const sc_ask *ask, sc_curve *c)
{
  const sc_workload *workload = ask->judge->loaded.workload;
  SC_TRY(SC_NEW(c->lines, MOST_LINES));
  for (size_t i = 0; i < ask->limit_count && c->line_count < MOST_LINES; i++)
    if (same_quantity(&ask->limits[i].quantity, c->quantity))
      c->lines[c->line_count++] =
          (sc_curve_line){SC_CURVE_LIMIT, ask->limits[i].value, 0, ask->limits[i].n.low, ask->limits[i].n.high};
  bool time = c->quantity->whole && c->quantity->costs && c->quantity->kind == SC_AMOUNT_TIME;
  for (size_t i = 0; time && i < workload->budget_count && c->line_count < MOST_LINES; i++)
    if (strcmp(workload->budgets[i].metric, "time") == 0)
      c->lines[c->line_count++] =
          (sc_curve_line){SC_CURVE_BUDGET, workload->budgets[i].limit, workload->budgets[i].n, INFINITY, INFINITY};
  return 0;
}

static void see_curve(sc_curve *c, double value)
{
  if (!isfinite(value) || (c->y_log && !(value > 0)))
    return;
  c->y_low = fmin(c->y_low, value);
  c->y_high = fmax(c->y_high, value);
}

/* Ends of intervals are shown as far as they do not squeeze the rest. */
static void see_all(sc_curve *c)
{
  c->y_low = INFINITY;
  c->y_high = 0;
  for (size_t i = 0; i < c->point_count; i++) {
    see_curve(c, c->points[i].predicted.value);
    if (c->supposed)
      see_curve(c, c->points[i].supposed.value);
  }
  for (size_t i = 0; i < c->measured_count; i++)
    see_curve(c, c->measured[i].value);
  for (size_t i = 0; i < c->line_count; i++)
    see_curve(c, c->lines[i].value);
  double most = c->y_log ? c->y_high * 10 : c->y_high * 1.5;
  double least = c->y_log ? c->y_low / 10 : 0;
  for (size_t i = 0; i < c->point_count; i++) {
    see_curve(c, fmin(c->points[i].predicted.high, most));
    see_curve(c, fmax(c->points[i].predicted.low, least));
  }
}

void sc_curve_scale(sc_curve *c)
{
  c->y_log = false;
  see_all(c);
  double smallest = INFINITY;
  for (size_t i = 0; i < c->point_count; i++)
    if (c->points[i].predicted.value > 0)
      smallest = fmin(smallest, c->points[i].predicted.value);
  c->y_log = c->quantity->kind != SC_AMOUNT_RATIO && isfinite(smallest) && c->y_high > SC_CURVE_WIDE * smallest;
  if (c->y_log)
    see_all(c);
  else
    c->y_low = 0;
  if (!(c->y_high > c->y_low) || !isfinite(c->y_low)) {
    c->y_log = false;
    c->y_low = 0;
    c->y_high = c->y_high > 0 ? 2 * c->y_high : 1;
  }
  if (c->y_log) {
    c->y_low /= 1.2;
    c->y_high *= 1.2;
  } else {
    c->y_high *= 1.05;
  }
}

void sc_curve_title(const sc_curve *curve, sc_buf *out)
{
  const char *of = curve->quantity->title;
  sc_buf_printf(out, "%c%s over %s%s", *of & ~0x20, of + 1, curve->variable, curve->held.text);
}

int sc_curve_make(const sc_ask *ask, sc_curve *curve)
{
  const sc_quantity *supposed;
  *curve = (sc_curve){.variable = ask->judge->loaded.workload->parameter, .n_min = ask->n_min, .n_max = ask->n_max};
  curve->quantity = choose_curve(ask, &supposed);
  curve->supposed = supposed && supposed->portion;
  if (!curve->supposed)
    supposed = NULL;
  sc_judge_describe_held(ask->judge, &curve->held);
  SC_TRY(sc_buf_finish(&curve->held));
  SC_TRY(sc_quantity_measured(curve->quantity, &curve->measured, &curve->measured_count));
  choose_curve_sizes(ask, curve);
  SC_TRY(take_points(curve, supposed));
  SC_TRY(take_curve_targets(ask, curve, supposed));
  SC_TRY(take_lines(ask, curve));
  sc_curve_scale(curve);
  return 0;
}

void sc_curve_free(sc_curve *curve)
{
  free(curve->points);
  free(curve->measured);
  free(curve->targets);
  free(curve->lines);
  sc_buf_free(&curve->held);
  *curve = (sc_curve){0};
}

static double curve_along(double low, double high, bool logarithmic, double value)
{
  if (!logarithmic)
    return (value - low) / (high - low);
  return value > 0 ? log(value / low) / log(high / low) : -INFINITY;
}

double sc_curve_x(const sc_curve *curve, double n) { return curve_along(curve->x_low, curve->x_high, curve->x_log, n); }

double sc_curve_y(const sc_curve *curve, double value)
{
  return curve_along(curve->y_low, curve->y_high, curve->y_log, value);
}

/* Steps that are round in what the axis shows: bytes in powers of two, times above a minute in their units. */
static double round_step(double least, enum sc_amount_kind kind)
{
  static const double seconds[] = {60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400};
  if (kind == SC_AMOUNT_BYTES && least >= 512)
    return exp2(ceil(log2(least) - 1e-9));
  for (size_t i = 0; kind == SC_AMOUNT_TIME && least > 30 && i < sizeof seconds / sizeof *seconds; i++)
    if (seconds[i] >= least)
      return seconds[i];
  double unit = pow(10, floor(log10(least)));
  return least <= unit * (1 + 1e-9) ? unit : least <= 2 * unit ? 2 * unit : least <= 5 * unit ? 5 * unit : 10 * unit;
}

static size_t log_ticks(double low, double high, enum sc_amount_kind kind, size_t wanted, double *ticks, size_t room)
{
  bool bytes = kind == SC_AMOUNT_BYTES && low >= 64;
  double decades = bytes ? log2(high / low) : log10(high / low);
  double step = fmax(1, ceil(decades / (double)wanted));
  size_t count = 0;
  for (double k = ceil((bytes ? log2(low) : log10(low)) / step - 1e-9) * step; count < room; k += step) {
    double value = bytes ? exp2(k) : pow(10, k);
    if (value > high * (1 + 1e-9))
      break;
    ticks[count++] = value;
  }
  return count;
}

size_t sc_curve_ticks(double low, double high, bool logarithmic, enum sc_amount_kind kind, size_t wanted, double *ticks,
                      size_t room)
{
  size_t count = 0;
  if (!(high > low) || !wanted)
    return 0;
  if (logarithmic && (count = log_ticks(low, high, kind, wanted, ticks, room)) >= 2)
    return count;
  count = 0;
  double step = round_step((high - low) / (double)wanted, kind);
  for (double value = ceil(low / step - 1e-9) * step; value <= high * (1 + 1e-9) && count < room; value += step)
    if (!logarithmic || value > 0)
      ticks[count++] = value + 0.0; /* not -0 */
  return count;
}

static void add_curve_point(sc_json *json, cJSON *list, const sc_curve *curve, const sc_curve_point *point)
{
  cJSON *item = sc_json_object(json, list, NULL);
  sc_json_number(json, item, "n", point->n);
  sc_json_interval(json, item, "predicted", &point->predicted);
  if (curve->supposed)
    sc_json_interval(json, item, "supposed", &point->supposed);
}

void sc_curve_json(sc_json *json, const sc_curve *curve, cJSON *document)
{
  cJSON *plot = sc_json_object(json, document, "plot");
  sc_json_text(json, plot, "metric", curve->quantity->metric);
  sc_json_text(json, plot, "of", curve->quantity->title);
  sc_json_text(json, plot, "unit", sc_amount_unit(curve->quantity->kind));
  sc_json_text(json, plot, "over", curve->variable);
  cJSON *measured = sc_json_array(json, plot, "measured");
  for (size_t i = 0; i < curve->measured_count; i++) {
    const sc_quantity_point *p = &curve->measured[i];
    cJSON *item = sc_json_object(json, measured, NULL);
    sc_json_number(json, item, "n", p->n);
    sc_json_number(json, item, "value", p->value);
    sc_json_number(json, item, "least", p->low);
    sc_json_number(json, item, "most", p->high);
    sc_json_bool(json, item, "fitted", !p->verified);
  }
  cJSON *line = sc_json_array(json, plot, "curve"), *targets = sc_json_array(json, plot, "targets");
  for (size_t i = 0; i < curve->point_count; i += 4)
    add_curve_point(json, line, curve, &curve->points[i]);
  for (size_t i = 0; i < curve->target_count; i++)
    add_curve_point(json, targets, curve, &curve->targets[i]);
  cJSON *lines = sc_json_array(json, plot, "lines");
  for (size_t i = 0; i < curve->line_count; i++) {
    cJSON *item = sc_json_object(json, lines, NULL);
    sc_json_text(json, item, "kind", curve->lines[i].kind == SC_CURVE_LIMIT ? "limit" : "budget");
    sc_json_number(json, item, "value", curve->lines[i].value);
    sc_json_number(json, item, "n", curve->lines[i].n > 0 ? curve->lines[i].n : NAN);
  }
}
