/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits series and gathers, for each row of the table, how near the predictions came. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "score.h"

void *sc_bench_allocate(void *old, size_t count, size_t size)
{
  void *new = reallocarray(old, count, size);
  if (!new)
    sc_bench_fail("out of memory");
  return new;
}

static void list_add(struct sc_list *list, double value)
{
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? list->capacity * 2 : 64;
    list->values = sc_bench_allocate(list->values, list->capacity, sizeof *list->values);
  }
  list->values[list->count++] = value;
}

static int compare_values(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The quantile as the public suite's score.py takes it. */
double sc_score_quantile(struct sc_list *list, double part)
{
  if (!list->count)
    return NAN;
  qsort(list->values, list->count, sizeof *list->values, compare_values);
  size_t at = (size_t)(part * (double)list->count);
  return list->values[at < list->count ? at : list->count - 1];
}

sc_score *sc_score_new(const sc_fit_options *options, bool families)
{
  sc_score *score = sc_bench_allocate(NULL, 1, sizeof *score);
  *score = (sc_score){.families = families};
  if (sc_fit_new(options, &score->fit) < 0)
    sc_bench_fail("%s", sc_err_message());
  return score;
}

static struct sc_row *find_row(const sc_score *score, const char *noise, const char *family)
{
  for (size_t i = 0; i < score->count; i++)
    if (!strcmp(score->rows[i]->noise, noise) && !strcmp(score->rows[i]->family, family))
      return score->rows[i];
  return NULL;
}

static struct sc_row *need_row(sc_score *score, const char *noise, const char *family)
{
  struct sc_row *row = find_row(score, noise, family);
  if (row)
    return row;
  row = sc_bench_allocate(NULL, 1, sizeof *row);
  *row = (struct sc_row){0};
  snprintf(row->noise, sizeof row->noise, "%s", noise);
  snprintf(row->family, sizeof row->family, "%s", family);
  score->rows = sc_bench_allocate(score->rows, score->count + 1, sizeof *score->rows);
  return score->rows[score->count++] = row;
}

static void add_predictions(struct sc_row *row, const sc_case *c, const sc_interval *predictions)
{
  for (size_t i = 0; i < SC_CASE_TARGETS; i++) {
    const sc_interval *p = &predictions[i];
    double size = fabs(c->truth[i]), tolerance = 1e-9 * size;
    list_add(&row->errors[i], fabs(p->value - c->truth[i]) / size);
    row->impossible += !(p->value >= 0 && p->low >= 0 && p->low <= p->value && p->value <= p->high);
    if (i > FAR)
      continue;
    row->covered[i] += p->low - tolerance <= c->truth[i] && c->truth[i] <= p->high + tolerance;
    list_add(&row->widths[i], (p->high - p->low) / size);
  }
  row->exact += fabs(predictions[FARTHEST].value - c->truth[FARTHEST]) < fmax(0.5, 1e-14 * c->truth[FARTHEST]);
}

/* The sizes between which the model says its last change lies do hold the last one. */
static bool is_placed(const sc_case *c, const sc_model *model)
{
  if (!model->piece_count)
    return false;
  const sc_piece *last = &model->pieces[model->piece_count - 1];
  return last->until_low <= c->last_change && c->last_change <= last->until_high;
}

static void add_to_row(struct sc_row *row, const sc_case *c, const sc_model *model, const sc_interval *predictions)
{
  bool right = fabs(model->order.exponent - c->exponent) <= 0.25;
  row->series++;
  row->cannot += model->verdict == SC_VERDICT_CANNOT_TELL;
  row->exponent += right;
  row->plain += !c->changes;
  row->alarms += !c->changes && model->piece_count > 0;
  row->steady += !c->changes && !c->wavers;
  row->steady_alarms += !c->changes && !c->wavers && model->piece_count > 0;
  row->changed += c->changes;
  row->found += c->changes && model->piece_count > 0;
  row->known += c->changes && !isnan(c->last_change);
  row->placed += c->changes && is_placed(c, model);
  row->followed += c->changes && right;
  add_predictions(row, c, predictions);
}

void sc_score_add(void *context, const sc_case *c)
{
  sc_score *score = context;
  sc_model model;
  sc_interval predictions[SC_CASE_TARGETS];
  if (sc_fit_run(score->fit, &c->series, &model) < 0)
    sc_bench_fail("%s: %s", c->name, sc_err_message());
  for (size_t i = 0; i < SC_CASE_TARGETS; i++)
    if (sc_model_predict(&model, c->at[i], 0.95, &predictions[i]) < 0)
      sc_bench_fail("%s: %s", c->name, sc_err_message());
  add_to_row(need_row(score, c->row, ""), c, &model, predictions);
  if (score->families)
    add_to_row(need_row(score, c->row, c->family), c, &model, predictions);
}

double sc_score_share(size_t part, size_t whole) { return whole ? 100 * (double)part / (double)whole : NAN; }

double sc_score_figure(sc_score *score, const char *noise, const char *figure)
{
  struct sc_row *row = find_row(score, noise, "");
  if (!row)
    return NAN;
  struct {
    const char *name;
    double value;
  } figures[] = {
      {"exponent", sc_score_share(row->exponent, row->series)},
      {"cannot", sc_score_share(row->cannot, row->series)},
      {"impossible", (double)row->impossible},
      {"exact", sc_score_share(row->exact, row->series)},
      {"alarms", sc_score_share(row->alarms, row->plain)},
      {"steady-alarms", sc_score_share(row->steady_alarms, row->steady)},
      {"found", sc_score_share(row->found, row->changed)},
      {"placed", sc_score_share(row->placed, row->known)},
      {"covered-10x", sc_score_share(row->covered[NEAR], row->series)},
      {"covered-50x", sc_score_share(row->covered[FAR], row->series)},
      {"error-10x", 100 * sc_score_quantile(&row->errors[NEAR], 0.5)},
      {"error-50x", 100 * sc_score_quantile(&row->errors[FAR], 0.5)},
      {"error90-10x", 100 * sc_score_quantile(&row->errors[NEAR], 0.9)},
      {"error90-50x", 100 * sc_score_quantile(&row->errors[FAR], 0.9)},
      {"width-10x", 100 * sc_score_quantile(&row->widths[NEAR], 0.5)},
      {"width-50x", 100 * sc_score_quantile(&row->widths[FAR], 0.5)},
  };
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    if (!strcmp(figures[i].name, figure))
      return figures[i].value;
  return NAN;
}

void sc_score_free(sc_score *score)
{
  for (size_t i = 0; i < score->count; i++) {
    for (size_t j = 0; j < SC_CASE_TARGETS; j++)
      free(score->rows[i]->errors[j].values);
    for (size_t j = 0; j < 2; j++)
      free(score->rows[i]->widths[j].values);
    free(score->rows[i]);
  }
  free(score->rows);
  sc_fit_free(score->fit);
  free(score);
}
