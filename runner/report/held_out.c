/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/held_out.h"

#include <stdlib.h>

#include "runner/text/table.h"

/* "2.4%", "0%" where nothing is off. */
static sc_text error_text(double error) { return error > 0 ? sc_format_percent(error) : (sc_text){"0%"}; }

void sc_report_held_out_sentence(const sc_held_out *size, sc_buf *out)
{
  sc_buf_printf(out, "Counts of all %s with a model: %s off on average", sc_format_plural(size->contexts, "context").s,
                error_text(size->mean).s);
  if (size->mean > 0)
    sc_buf_printf(out, " (median %s, 95%% of them at most %s)", error_text(size->median).s, error_text(size->most).s);
  sc_buf_printf(out, ", %zu in their intervals.", size->inside);
}

static void add_row(sc_table *table, const sc_judge *judge, const sc_held_out *size)
{
  double low, high;
  char beyond[72] = "";
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  if (size->n > high)
    snprintf(beyond, sizeof beyond, "%s x", sc_format_count(size->n / high).s);
  sc_table_cell(table, sc_format_number(size->n).s);
  sc_table_cell(table, beyond);
  sc_table_cell(table, sc_format_number((double)size->contexts).s);
  sc_table_cell(table, error_text(size->mean).s);
  sc_table_cell(table, error_text(size->median).s);
  sc_table_cell(table, error_text(size->most).s);
  sc_table_cell(table, sc_format_number((double)size->inside).s);
}

/* As in the paper's Table 2: the average over all validation profiles. */
static void print_validation(FILE *out, const sc_held_out *list, size_t count)
{
  double sum = 0, contexts = 0;
  for (size_t i = 0; i < count; i++)
    if (list[i].validation) {
      sum += list[i].mean * (double)list[i].contexts;
      contexts += (double)list[i].contexts;
    }
  if (contexts > 0)
    fprintf(out, "  Over all validation sizes %s on average.\n", error_text(sum / contexts).s);
}

static int print(FILE *out, const sc_judge *judge, const sc_held_out *list, size_t count,
                 const sc_text_options *options)
{
  const char *const headings[] = {judge->loaded.workload->parameter,
                                  "beyond measured",
                                  "counts",
                                  "mean error",
                                  "median",
                                  "95% at most",
                                  "in their intervals"};
  sc_table *table = sc_table_new("rrrrrrr");
  for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < count; i++)
    add_row(table, judge, &list[i]);
  fprintf(out, "\n%sSizes held out of the models%s: how far predicted counts are off\n", options->style.bold,
          options->style.off);
  int err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  print_validation(out, list, count);
  sc_table_free(table);
  return err;
}

int sc_report_held_out_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  size_t count = 0;
  sc_held_out *list = NULL;
  if (options->brief)
    return 0;
  int err = sc_judge_held_out(judge, &list, &count);
  if (err == 0 && count)
    err = print(out, judge, list, count, options);
  free(list);
  return err;
}

void sc_report_held_out_numbers(sc_json *json, cJSON *object, const sc_held_out *size)
{
  sc_json_number(json, object, "contexts", (double)size->contexts);
  sc_json_number(json, object, "within_interval", (double)size->inside);
  sc_json_number(json, object, "mean_error", size->mean);
  sc_json_number(json, object, "median_error", size->median);
  sc_json_number(json, object, "error_95", size->most);
}

int sc_report_held_out_json(sc_json *json, const sc_judge *judge, cJSON *document)
{
  size_t count = 0;
  sc_held_out *list = NULL;
  int err = sc_judge_held_out(judge, &list, &count);
  cJSON *sizes = sc_json_array(json, document, "held_out");
  for (size_t i = 0; i < count && err == 0; i++) {
    cJSON *size = sc_json_object(json, sizes, NULL);
    sc_json_number(json, size, "n", list[i].n);
    sc_json_string(json, size, "role", list[i].validation ? "validation" : "verification");
    sc_report_held_out_numbers(json, size, &list[i]);
  }
  free(list);
  return err;
}
