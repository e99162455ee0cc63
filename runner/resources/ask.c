/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/ask.h"

#include "runner/resources/numbers.h"
#include "runner/resources/words.h"
#include "runner/text/table.h"

/* 0 now and in every prediction. */
static bool is_zero_number(const sc_resource_number *number, size_t targets)
{
  for (size_t t = 0; t < targets; t++)
    if (number->predictions[t].value != 0 || number->predictions[t].high > 0)
      return false;
  return number->measured == 0;
}

/* A metric's rows, one a target. */
static int add_resource_rows(sc_table *table, const sc_judge *judge, const sc_resource_spot *spot,
                             enum sc_resource_metric metric, sc_buf *corrections)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  const sc_resource *what = sc_usage_resource_at(judge->loaded.graph, spot->resource);
  sc_resource_number number;
  sc_buf name = {0};
  int known = sc_resource_number_make(judge, spot, metric, &number);
  sc_resource_words_metric(metric, what, &name);
  if (known > 0)
    known = sc_buf_finish(&name) < 0 ? SC_E_NOMEM : known;
  for (size_t t = 0; known > 0 && !is_zero_number(&number, asked->target_count) && t < asked->target_count; t++) {
    const sc_interval *p = &number.predictions[t];
    sc_table_cell(table, t ? "" : name.text);
    sc_table_cell(table, t ? "" : sc_resource_words_value(metric, what, number.measured).s);
    sc_table_cell(table, sc_format_number(asked->targets[t]).s);
    sc_table_cell(table, sc_resource_words_predicted(metric, what, p).s);
    sc_table_cell(table, sc_resource_words_interval(metric, what, p).s);
  }
  if (known > 0)
    (void)sc_resource_words_correction(&number, what, judge->loaded.workload->parameter, corrections);
  sc_buf_free(&name);
  sc_resource_number_drop(&number);
  return known < 0 ? known : 0;
}

static void print_hot(FILE *out, const sc_judge *judge, uint32_t resource, const sc_text_options *options)
{
  sc_resource_hot hot;
  sc_buf text = {0};
  if (!judge->resources || !sc_resources_hot(judge->resources, resource, &hot))
    return;
  sc_resource_hot_text(&hot, &text);
  sc_buf_puts(&text, "; utilisation is that of the busiest");
  if (sc_buf_finish(&text) == 0)
    sc_text_labelled(out, "Hot", text.text, options);
  sc_buf_free(&text);
}

int sc_resource_ask_text(FILE *out, const sc_judge *judge, const sc_resource_spot *spot, const char *title,
                         const sc_text_options *options)
{
  const char *variable = judge->loaded.workload->parameter;
  double low, high;
  char measured[80];
  sc_buf corrections = {0};
  int err;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  snprintf(measured, sizeof measured, "%.12s = %.48s", variable, sc_format_number(high).s);
  sc_table *table = sc_table_new("lrrrr");
  const char *const headings[] = {"", measured, variable, "predicted", "95% interval"};
  for (size_t i = 0; i < 5; i++)
    sc_table_cell(table, headings[i]);
  for (int m = 0; m < SC_RMETRIC_COUNT; m++)
    SC_GOTO(add_resource_rows(table, judge, spot, (enum sc_resource_metric)m, &corrections));
  fprintf(out, "%s%s%s\n", options->style.bold, title, options->style.off);
  err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  if (spot->context == SC_USAGE_NONE)
    print_hot(out, judge, spot->resource, options);
  if (corrections.length && sc_buf_finish(&corrections) == 0)
    sc_text_labelled(out, "Corrected", corrections.text, options);
out:
  sc_buf_free(&corrections);
  sc_table_free(table);
  return err;
}
