/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/metric.h"

#include <string.h>

#include "base/buf.h"
#include "base/suggest.h"

/* Whether the text is the beginning of a name, blanks written as they are or as -. */
static bool begins_metric_name(const char *name, const char *text)
{
  for (; *text; name++, text++)
    if (*name != *text && !(*name == ' ' && *text == '-'))
      return false;
  return true;
}

/* A metric's name as it is written without blanks. */
static void add_metric_name(const char *name, sc_buf *out)
{
  for (; *name; name++)
    sc_buf_add(out, *name == ' ' ? "-" : name, 1);
}

static int refuse_ambiguous_metric(const char *text, unsigned matches)
{
  sc_buf list = {0};
  for (int m = 0; m < SC_RMETRIC_COUNT; m++) {
    if (!begins_metric_name(sc_resource_metric_name((enum sc_resource_metric)m), text))
      continue;
    sc_buf_puts(&list, list.length ? ", " : "");
    add_metric_name(sc_resource_metric_name((enum sc_resource_metric)m), &list);
  }
  (void)sc_err_set(SC_E_USAGE, "\"%.40s\" can mean %u metrics", text, matches);
  if (sc_buf_finish(&list) == 0)
    (void)sc_err_hint(SC_E_USAGE, "one of: %s", list.text);
  sc_buf_free(&list);
  return SC_E_USAGE;
}

static int refuse_unknown_metric(const char *text)
{
  static const char *const program[] = {"time", "own", "calls", "iterations", "work", "bytes", "memory"};
  const char *best = NULL;
  unsigned distance = 100;
  sc_buf list = {0};
  for (size_t i = 0; i < sizeof program / sizeof *program; i++)
    sc_suggest_consider(text, program[i], &best, &distance);
  for (int m = 0; m < SC_RMETRIC_COUNT; m++) {
    const char *name = sc_resource_metric_name((enum sc_resource_metric)m);
    sc_suggest_consider(text, name, &best, &distance);
    sc_buf_puts(&list, ", ");
    add_metric_name(name, &list);
  }
  (void)sc_err_set(SC_E_USAGE, "there is no metric %.40s", text);
  if (best && sc_suggest_near(text, distance))
    (void)sc_err_hint(SC_E_USAGE, "did you mean \"%s\"?", best);
  else if (sc_buf_finish(&list) == 0)
    (void)sc_err_hint(SC_E_USAGE, "time, own, calls, iterations, work, memory; of resources%s", list.text);
  sc_buf_free(&list);
  return SC_E_USAGE;
}

int sc_resource_metric_parse(const char *text, enum sc_resource_metric *metric)
{
  unsigned matches = 0;
  for (int m = 0; *text && m < SC_RMETRIC_COUNT; m++) {
    const char *name = sc_resource_metric_name((enum sc_resource_metric)m);
    if (!begins_metric_name(name, text))
      continue;
    *metric = (enum sc_resource_metric)m;
    if (strlen(name) == strlen(text))
      return 0;
    matches++;
  }
  return matches == 1 ? 0 : matches ? refuse_ambiguous_metric(text, matches) : refuse_unknown_metric(text);
}

enum sc_amount_kind sc_resource_metric_kind(enum sc_resource_metric metric, const sc_resource *resource)
{
  bool units = metric == SC_RMETRIC_UNITS || metric == SC_RMETRIC_OUTSTANDING || metric == SC_RMETRIC_PEAK;
  if (metric == SC_RMETRIC_UTILISATION || metric == SC_RMETRIC_FAILURE_RATIO)
    return SC_AMOUNT_RATIO;
  if (units && strcmp(sc_resource_class_unit(resource->resource_class), "byte") == 0)
    return SC_AMOUNT_BYTES;
  return strcmp(sc_resource_metric_unit(metric), "s") == 0 ? SC_AMOUNT_TIME : SC_AMOUNT_COUNT;
}
