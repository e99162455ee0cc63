/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/held_out.h"

#include <stdlib.h>

#include "runner/text/context.h"
#include "runner/text/table.h"
#include "runner/text/tuning.h"

/* "2.4%", "0%" where nothing is off. */
static sc_text error_text(double error) { return error > 0 ? sc_format_percent(error) : (sc_text){"0%"}; }

/* Whether the average is that of a few contexts that are hardly executed. */
static bool is_of_few(const sc_held_out *size)
{
  return size->mean >= SC_HELD_OUT_OFF && size->few < size->contexts && size->few_share < SC_HELD_OUT_RARE;
}

static void add_few(const sc_judge *judge, const sc_held_out *size, sc_buf *out)
{
  sc_buf_printf(out, " %s of that average is of %s with %s of the executions, above all ",
                sc_format_percent(SC_HELD_OUT_MOSTLY).s, sc_format_plural(size->few, "context").s,
                error_text(size->few_share).s);
  sc_context_title(judge->loaded.graph, size->farthest, out);
  sc_buf_printf(out, ": %s predicted, %s counted.", sc_format_count(size->predicted).s,
                sc_format_count(size->actual).s);
}

void sc_report_held_out_sentence(const sc_judge *judge, const sc_held_out *size, sc_buf *out)
{
  sc_buf_printf(out, "Counts of all %s with a model: %s off on average", sc_format_plural(size->contexts, "context").s,
                error_text(size->mean).s);
  if (size->mean > 0)
    sc_buf_printf(out, " (median %s, 95%% of them at most %s; weighted by executions %s)", error_text(size->median).s,
                  error_text(size->most).s, error_text(size->weighted).s);
  sc_buf_printf(out, ", %zu in their intervals.", size->inside);
  if (is_of_few(size))
    add_few(judge, size, out);
}

static void add_held_out_row(sc_table *table, const sc_judge *judge, const sc_held_out *size)
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
  sc_table_cell(table, error_text(size->weighted).s);
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

static int print_held_out(FILE *out, const sc_judge *judge, const sc_held_out *list, size_t count,
                          const sc_text_options *options)
{
  const char *const headings[] = {judge->loaded.workload->parameter,
                                  "beyond measured",
                                  "counts",
                                  "mean error",
                                  "median",
                                  "95% at most",
                                  "by executions",
                                  "inside"};
  sc_table *table = sc_table_new("rrrrrrrr");
  for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < count; i++)
    add_held_out_row(table, judge, &list[i]);
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
    err = print_held_out(out, judge, list, count, options);
  free(list);
  return err;
}

/* Which contexts make most of the mean, and the one that is farthest off. */
static int add_mostly(sc_json *json, const sc_judge *judge, cJSON *object, const sc_held_out *size)
{
  sc_buf title = {0};
  cJSON *mostly = sc_json_object_if(json, object, "mean_mostly_of", size->contexts && size->mean > 0);
  if (!mostly)
    return 0;
  sc_context_title(judge->loaded.graph, size->farthest, &title);
  int err = sc_buf_finish(&title);
  sc_json_number(json, mostly, "contexts", (double)size->few);
  sc_json_number(json, mostly, "share_of_executions", size->few_share);
  if (err == 0)
    sc_json_string(json, mostly, "farthest", title.text);
  sc_json_number(json, mostly, "predicted", size->predicted);
  sc_json_number(json, mostly, "actual", size->actual);
  sc_buf_free(&title);
  return err;
}

int sc_report_held_out_numbers(sc_json *json, const sc_judge *judge, cJSON *object, const sc_held_out *size)
{
  sc_json_number(json, object, "contexts", (double)size->contexts);
  sc_json_number(json, object, "within_interval", (double)size->inside);
  sc_json_number(json, object, "mean_error", size->mean);
  sc_json_number(json, object, "median_error", size->median);
  sc_json_number(json, object, "error_95", size->most);
  sc_json_number(json, object, "weighted_error", size->weighted);
  return add_mostly(json, judge, object, size);
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
    err = sc_report_held_out_numbers(json, judge, size, &list[i]);
  }
  free(list);
  return err;
}
