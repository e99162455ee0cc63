/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what was gathered as tables that documents can take. */
#include <math.h>
#include <stdio.h>

#include "score.h"

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

static void print_pair(struct sc_list *list)
{
  print_percent(sc_score_quantile(list, 0.5));
  printf(" /");
  print_percent(sc_score_quantile(list, 0.9));
  printf(" |");
}

static void print_row(struct sc_row *row, bool families)
{
  printf("| %-12s ", row->noise);
  if (families)
    printf("| %-21s ", *row->family ? row->family : "all");
  printf("| %6zu | %6.1f | %8.1f |", row->series, sc_score_share(row->cannot, row->series),
         sc_score_share(row->exponent, row->series));
  for (size_t i = 0; i < SC_CASE_TARGETS; i++)
    print_pair(&row->errors[i]);
  for (size_t i = 0; i <= FAR; i++)
    printf(" %6.1f |", sc_score_share(row->covered[i], row->series));
  for (size_t i = 0; i <= FAR; i++)
    print_pair(&row->widths[i]);
  printf(" %6.1f | %3zu |\n", sc_score_share(row->exact, row->series), row->impossible);
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

static void print_share(size_t part, size_t whole)
{
  if (whole)
    printf(" %6.1f |", sc_score_share(part, whole));
  else
    printf("      - |");
}

static void print_alarms(const struct sc_row *row, bool families)
{
  printf("| %-12s ", row->noise);
  if (families)
    printf("| %-21s ", *row->family ? row->family : "all");
  printf("| %6zu |", row->steady);
  print_share(row->steady_alarms, row->steady);
  printf(" %6zu |", row->plain);
  print_share(row->alarms, row->plain);
  printf(" %6zu |", row->changed);
  print_share(row->found, row->changed);
  print_share(row->placed, row->known);
  print_share(row->followed, row->changed);
  printf("\n");
}

void sc_score_print_alarms(const sc_score *score)
{
  const char *column = score->families ? "| family                " : "";
  const char *rule = score->families ? "|-----------------------" : "";
  printf(
      "Percent of the series for which a change point is found. \"wavers\": growth that changes gradually or jumps at\n"
      "many sizes. \"placed\": the last change is said to lie where it does. \"right\": the leading exponent.\n\n"
      "| noise        %s| steady | false  | and    | false  | with a | found  | placed | right  |\n"
      "|              %s|        | alarms | wavers | alarms | change |        |        |        |\n"
      "|--------------%s|-------:|-------:|-------:|-------:|-------:|-------:|-------:|-------:|\n",
      column, score->families ? "|                       " : "", rule);
  for (int part = 0; part < 2; part++)
    for (size_t i = 0; i < score->count; i++)
      if (!*score->rows[i]->family == !part)
        print_alarms(score->rows[i], score->families);
  printf("\n");
}
