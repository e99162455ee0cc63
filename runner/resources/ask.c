/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/report_json.h"
#include "runner/resources/json.h"
#include "runner/resources/numbers.h"
#include "runner/resources/words.h"
#include "runner/table.h"

enum { STEPS_A_FACTOR = 4, BISECTIONS = 40 };
static const double farthest = 1e4; /* times the largest size measured */

/* Whether the first `length` bytes of the text are the beginning of a name, blanks written as they are or as -. */
static bool begins(const char *name, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (name[i] != text[i] && !(name[i] == ' ' && text[i] == '-'))
      return false;
  return true;
}

static int unknown_metric(const char *text, size_t length, unsigned matches)
{
  sc_buf list = {0};
  for (int m = 0; m < SC_RMETRIC_COUNT; m++) {
    const char *name = sc_resource_metric_name((enum sc_resource_metric)m);
    if (matches && !begins(name, text, length))
      continue;
    sc_buf_puts(&list, list.length ? ", " : "");
    for (; *name; name++)
      sc_buf_add(&list, *name == ' ' ? "-" : name, 1);
  }
  (void)sc_err_set(SC_E_USAGE, matches ? "--limit %.*s can mean %u metrics" : "--limit: resources have no metric %.*s",
                   (int)length, text, matches);
  if (sc_buf_finish(&list) == 0)
    (void)sc_err_hint(SC_E_USAGE, "one of: %s", list.text);
  sc_buf_free(&list);
  return SC_E_USAGE;
}

static int parse_ratio(const char *text, double *value)
{
  char *end;
  *value = strtod(text, &end);
  if (*end == '%') {
    *value /= 100;
    end++;
  }
  return end != text && !*end && *value > 0 && isfinite(*value)
             ? 0
             : sc_err_set(SC_E_USAGE, "--limit: \"%.40s\" is no share such as 80%%", text);
}

int sc_resource_limit_parse(const char *text, sc_resource_limit *limit)
{
  size_t length = strcspn(text, "=");
  unsigned matches = 0;
  *limit = (sc_resource_limit){0};
  if (!text[length])
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--limit of a resource needs a metric"),
                       "for example --limit utilisation=80%%");
  for (int m = 0; m < SC_RMETRIC_COUNT; m++) {
    const char *name = sc_resource_metric_name((enum sc_resource_metric)m);
    if (!begins(name, text, length))
      continue;
    limit->metric = (enum sc_resource_metric)m;
    matches++;
    if (strlen(name) == length) {
      matches = 1;
      break;
    }
  }
  if (matches != 1)
    return unknown_metric(text, length, matches);
  text += length + 1;
  if (limit->metric == SC_RMETRIC_UTILISATION || limit->metric == SC_RMETRIC_FAILURE_RATIO)
    return parse_ratio(text, &limit->limit);
  bool time = strcmp(sc_resource_metric_unit(limit->metric), "s") == 0;
  int err = time ? sc_workload_parse_time(text, &limit->limit) : sc_workload_parse_size(text, &limit->limit);
  return err < 0 ? sc_err_prefix(SC_E_USAGE, "--limit") : 0;
}

enum end { VALUE, LOW, HIGH };

static int at(const sc_judge *judge, uint32_t resource, const sc_resource_limit *limit, enum end end, double n,
              bool *reached)
{
  sc_interval p;
  SC_TRY(sc_resources_predict(judge->resources, resource, limit->metric, n, &p));
  *reached = (end == VALUE ? p.value : end == LOW ? p.low : p.high) >= limit->limit;
  return 0;
}

/* The smallest size at which it is reached, looked for in steps and then halved down to. */
static int first_size(const sc_judge *judge, uint32_t resource, const sc_resource_limit *limit, enum end end,
                      double *size)
{
  double low, high, below, n;
  bool reached;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  *size = INFINITY;
  for (n = below = low;; n *= pow(2, 1.0 / STEPS_A_FACTOR)) {
    n = fmin(n, limit->farthest);
    SC_TRY(at(judge, resource, limit, end, n, &reached));
    if (reached)
      break;
    if (n >= limit->farthest)
      return 0;
    below = n;
  }
  for (int i = 0; i < BISECTIONS && n > low; i++) {
    double middle = (below + n) / 2;
    SC_TRY(at(judge, resource, limit, end, middle, &reached));
    *(reached ? &n : &below) = middle;
  }
  *size = n;
  return 0;
}

int sc_resource_limit_find(const sc_judge *judge, uint32_t resource, sc_resource_limit *limit)
{
  double low, high;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  limit->farthest = high * farthest;
  SC_TRY(first_size(judge, resource, limit, VALUE, &limit->size.value));
  SC_TRY(first_size(judge, resource, limit, HIGH, &limit->size.low));
  SC_TRY(first_size(judge, resource, limit, LOW, &limit->size.high));
  limit->size.low = fmin(limit->size.low, limit->size.value);
  limit->size.high = fmax(limit->size.high, limit->size.value);
  return 0;
}

/* 0 now and in every prediction. */
static bool nothing(const sc_resource_number *number, size_t targets)
{
  for (size_t t = 0; t < targets; t++)
    if (number->predictions[t].value != 0 || number->predictions[t].high > 0)
      return false;
  return number->measured == 0;
}

/* A metric's rows, one a target. */
static int add_rows(sc_table *table, const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  const sc_resource *what = sc_usage_resource_at(judge->loaded.graph, resource);
  sc_resource_number number;
  sc_buf name = {0};
  int known = sc_resource_number_make(judge, resource, metric, &number);
  sc_resource_words_metric(metric, what, &name);
  if (known > 0)
    known = sc_buf_finish(&name) < 0 ? SC_E_NOMEM : known;
  for (size_t t = 0; known > 0 && !nothing(&number, asked->target_count) && t < asked->target_count; t++) {
    const sc_interval *p = &number.predictions[t];
    sc_table_cell(table, t ? "" : name.text);
    sc_table_cell(table, t ? "" : sc_resource_words_value(metric, what, number.measured).s);
    sc_table_cell(table, sc_format_number(asked->targets[t]).s);
    sc_table_cell(table, sc_resource_words_value(metric, what, p->value).s);
    sc_table_cell(table, sc_resource_words_interval(metric, what, p).s);
  }
  sc_buf_free(&name);
  sc_resource_number_drop(&number);
  return known < 0 ? known : 0;
}

static void print_limit(FILE *out, const sc_judge *judge, uint32_t resource, const sc_resource_limit *limit)
{
  const sc_resource *what = sc_usage_resource_at(judge->loaded.graph, resource);
  const char *variable = judge->loaded.workload->parameter, *metric = sc_resource_metric_name(limit->metric);
  sc_text amount = sc_resource_words_value(limit->metric, what, limit->limit);
  double low, high;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  fprintf(out, "%s %s is ", metric, amount.s);
  if (!isfinite(limit->size.value)) {
    fprintf(out, "not reached up to %s = %s", variable, sc_format_number(limit->farthest).s);
    if (isfinite(limit->size.low))
      fprintf(out, "; at its upper bound from %s = %s on", variable, sc_format_number(round(limit->size.low)).s);
    fputs("\n", out);
    return;
  }
  if (limit->size.value <= low) {
    fprintf(out, "reached at %s = %s already, the smallest size measured\n", variable, sc_format_number(low).s);
    return;
  }
  fprintf(out, "reached at %s = %s (95%% interval: %s to %s)\n", variable, sc_format_number(round(limit->size.value)).s,
          sc_format_number(round(limit->size.low)).s,
          isfinite(limit->size.high) ? sc_format_number(round(limit->size.high)).s : "never");
}

int sc_resource_ask_text(FILE *out, const sc_judge *judge, uint32_t resource, const sc_resource_limit *limit,
                         const sc_report_text_options *options)
{
  const char *variable = judge->loaded.workload->parameter;
  double low, high;
  char measured[80];
  sc_buf name = {0};
  int err;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  snprintf(measured, sizeof measured, "%.12s = %.48s", variable, sc_format_number(high).s);
  sc_table *table = sc_table_new("lrrrr");
  const char *const headings[] = {"", measured, variable, "predicted", "95% interval"};
  for (size_t i = 0; i < 5; i++)
    sc_table_cell(table, headings[i]);
  for (int m = 0; m < SC_RMETRIC_COUNT; m++)
    SC_GOTO(add_rows(table, judge, resource, (enum sc_resource_metric)m));
  sc_resource_words_name(sc_usage_resource_at(judge->loaded.graph, resource), &name);
  SC_GOTO(sc_buf_finish(&name));
  fprintf(out, "%s%s%s\n", options->style.bold, name.text, options->style.off);
  err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  if (limit)
    print_limit(out, judge, resource, limit);
out:
  sc_buf_free(&name);
  sc_table_free(table);
  return err;
}

int sc_resource_ask_json(FILE *out, const sc_judge *judge, uint32_t resource, const sc_resource_limit *limit)
{
  sc_json json = {0};
  cJSON *document = sc_report_json_document(judge, "ask");
  cJSON *item = sc_json_object(&json, document, "resource");
  sc_resource_json_resource(&json, sc_usage_resource_at(judge->loaded.graph, resource), item);
  int err = sc_resource_json_numbers(&json, judge, resource, item);
  if (err == 0 && limit) {
    cJSON *answer = sc_json_object(&json, document, "limit");
    sc_json_text(&json, answer, "metric", sc_resource_metric_name(limit->metric));
    sc_json_number(&json, answer, "value", limit->limit);
    sc_json_number(&json, answer, "farthest", limit->farthest);
    sc_json_interval(&json, answer, "n", &limit->size);
  }
  if (err == 0 && !json.failed)
    return sc_report_json_write(out, document);
  cJSON_Delete(document);
  return err < 0 ? err : sc_err_set(SC_E_NOMEM, "out of memory while composing JSON");
}
