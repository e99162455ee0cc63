/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits series and gathers, for each row of the table, how near the predictions came. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { NEAR, FAR, FARTHEST }; /* 10, 50 and 100 times the largest size */

struct list {
  double *values;
  size_t count, capacity;
};

struct row {
  char noise[32], family[64]; /* family "": all of them */
  size_t series, cannot, exponent, impossible, covered[2], exact;
  size_t plain, alarms, changed, found, placed, followed; /* series without and with a change point */
  struct list errors[SC_CASE_TARGETS], widths[2];
};

struct sc_score {
  sc_fit *fit;
  bool families;
  struct row **rows;
  size_t count;
};

void *sc_bench_allocate(void *old, size_t count, size_t size)
{
  void *new = reallocarray(old, count, size);
  if (!new)
    sc_bench_fail("out of memory");
  return new;
}

static void list_add(struct list *list, double value)
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
static double quantile(struct list *list, double part)
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

static struct row *find_row(const sc_score *score, const char *noise, const char *family)
{
  for (size_t i = 0; i < score->count; i++)
    if (!strcmp(score->rows[i]->noise, noise) && !strcmp(score->rows[i]->family, family))
      return score->rows[i];
  return NULL;
}

static struct row *need_row(sc_score *score, const char *noise, const char *family)
{
  struct row *row = find_row(score, noise, family);
  if (row)
    return row;
  row = sc_bench_allocate(NULL, 1, sizeof *row);
  *row = (struct row){0};
  snprintf(row->noise, sizeof row->noise, "%s", noise);
  snprintf(row->family, sizeof row->family, "%s", family);
  score->rows = sc_bench_allocate(score->rows, score->count + 1, sizeof *score->rows);
  return score->rows[score->count++] = row;
}

static void add_predictions(struct row *row, const sc_case *c, const sc_interval *predictions)
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

static void add_to_row(struct row *row, const sc_case *c, const sc_model *model, const sc_interval *predictions)
{
  bool right = fabs(model->order.exponent - c->exponent) <= 0.25;
  row->series++;
  row->cannot += model->verdict == SC_VERDICT_CANNOT_TELL;
  row->exponent += right;
  row->plain += !c->changes;
  row->alarms += !c->changes && model->piece_count > 0;
  row->changed += c->changes;
  row->found += c->changes && model->piece_count > 0;
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

void sc_score_print_each(void *fit, const sc_case *c)
{
  sc_model model;
  sc_interval at;
  char formula[512];
  if (sc_fit_run(fit, &c->series, &model) < 0 || sc_model_predict(&model, c->at[FAR], 0.95, &at) < 0)
    sc_bench_fail("%s: %s", c->name, sc_err_message());
  sc_model_format(&model, "n", formula, sizeof formula);
  bool covered = at.low <= c->truth[FAR] * (1 + 1e-9) && c->truth[FAR] * (1 - 1e-9) <= at.high;
  printf("%-50s %-11s %-8s off by %8.3g%%, width %8.3g%%, %zu rivals: %s\n", c->name,
         model.verdict == SC_VERDICT_CANNOT_TELL ? "cannot-tell" : "", covered ? "" : "MISSED",
         100 * (at.value / c->truth[FAR] - 1), 100 * (at.high - at.low) / c->truth[FAR], model.rival_count, formula);
}

static double share(size_t part, size_t whole) { return whole ? 100 * (double)part / (double)whole : NAN; }

/* Percent in at most seven characters. */
static void print_percent(double part)
{
  double percent = 100 * part;
  if (isnan(percent))
    printf("      -");
  else if (percent >= 100000)
    printf(" >99999");
  else if (percent > 0 && percent < 0.001)
    printf("  <.001");
  else
    printf("%7.*f", percent >= 100 ? 0 : percent >= 10 ? 1 : percent >= 1 ? 2 : percent > 0 ? 3 : 0, percent);
}

static void print_pair(struct list *list)
{
  print_percent(quantile(list, 0.5));
  printf(" /");
  print_percent(quantile(list, 0.9));
  printf(" |");
}

static void print_row(struct row *row, bool families)
{
  printf("| %-12s ", row->noise);
  if (families)
    printf("| %-21s ", *row->family ? row->family : "all");
  printf("| %6zu | %6.1f | %8.1f |", row->series, share(row->cannot, row->series), share(row->exponent, row->series));
  for (size_t i = 0; i < SC_CASE_TARGETS; i++)
    print_pair(&row->errors[i]);
  for (size_t i = 0; i <= FAR; i++)
    printf(" %6.1f |", share(row->covered[i], row->series));
  for (size_t i = 0; i <= FAR; i++)
    print_pair(&row->widths[i]);
  printf(" %6.1f | %3zu |\n", share(row->exact, row->series), row->impossible);
}

void sc_score_print(sc_score *score)
{
  const char *column = score->families ? "| family                " : "";
  const char *rule = score->families ? "|-----------------------" : "";
  printf("All but the numbers of series are percent; pairs are medians and 90th percentiles. Errors and\n"
         "widths are relative to the truth. \"bad\": predictions that are negative, no number or outside their "
         "interval.\n\n"
         "| noise        %s| series | cannot | exponent |   error at 10x   |   error at 50x   |  error at 100x   "
         "| covers | covers |   width at 10x   |   width at 50x   |  exact | bad |\n"
         "|              %s|        |   tell | is right |                  |                  |                  "
         "|     10x|     50x|                  |                  | at 100x|     |\n"
         "|--------------%s|-------:|-------:|---------:|-----------------:|-----------------:|-----------------:"
         "|-------:|-------:|-----------------:|-----------------:|-------:|----:|\n",
         column, score->families ? "|                       " : "", rule);
  for (int part = 0; part < 2; part++) /* totals first */
    for (size_t i = 0; i < score->count; i++)
      if (!*score->rows[i]->family == !part)
        print_row(score->rows[i], score->families);
  printf("\n");
}

void sc_score_print_alarms(const sc_score *score)
{
  printf("| noise        %s| without change |  false alarms | with change |  found | placed |  exponent is right |\n"
         "|--------------%s|---------------:|--------------:|------------:|-------:|-------:|-------------------:|\n",
         score->families ? "| family                " : "", score->families ? "|-----------------------" : "");
  for (int part = 0; part < 2; part++)
    for (size_t i = 0; i < score->count; i++) {
      const struct row *row = score->rows[i];
      if (!*row->family != !part)
        continue;
      printf("| %-12s ", row->noise);
      if (score->families)
        printf("| %-21s ", *row->family ? row->family : "all");
      printf("| %14zu | %12.1f%% | %11zu | %5.1f%% | %5.1f%% | %17.1f%% |\n", row->plain,
             share(row->alarms, row->plain), row->changed, share(row->found, row->changed),
             share(row->placed, row->changed), share(row->followed, row->changed));
    }
  printf("\n");
}

double sc_score_figure(sc_score *score, const char *noise, const char *figure)
{
  struct row *row = find_row(score, noise, "");
  if (!row)
    return NAN;
  struct {
    const char *name;
    double value;
  } figures[] = {
      {"exponent", share(row->exponent, row->series)},
      {"cannot", share(row->cannot, row->series)},
      {"impossible", (double)row->impossible},
      {"exact", share(row->exact, row->series)},
      {"alarms", share(row->alarms, row->plain)},
      {"found", share(row->found, row->changed)},
      {"placed", share(row->placed, row->changed)},
      {"covered-10x", share(row->covered[NEAR], row->series)},
      {"covered-50x", share(row->covered[FAR], row->series)},
      {"error-10x", 100 * quantile(&row->errors[NEAR], 0.5)},
      {"error-50x", 100 * quantile(&row->errors[FAR], 0.5)},
      {"error90-10x", 100 * quantile(&row->errors[NEAR], 0.9)},
      {"error90-50x", 100 * quantile(&row->errors[FAR], 0.9)},
      {"width-10x", 100 * quantile(&row->widths[NEAR], 0.5)},
      {"width-50x", 100 * quantile(&row->widths[FAR], 0.5)},
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
