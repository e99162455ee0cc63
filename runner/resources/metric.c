/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/metric.h"

#include <string.h>

#include "base/buf.h"

/* Whether the text is the beginning of a name, blanks written as they are or as -. */
static bool begins(const char *name, const char *text)
{
  for (; *text; name++, text++)
    if (*name != *text && !(*name == ' ' && *text == '-'))
      return false;
  return true;
}

static int unknown(const char *text, unsigned matches)
{
  sc_buf list = {0};
  for (int m = 0; m < SC_RMETRIC_COUNT; m++) {
    const char *name = sc_resource_metric_name((enum sc_resource_metric)m);
    if (matches && !begins(name, text))
      continue;
    sc_buf_puts(&list, list.length ? ", " : "");
    for (; *name; name++)
      sc_buf_add(&list, *name == ' ' ? "-" : name, 1);
  }
  if (matches)
    (void)sc_err_set(SC_E_USAGE, "\"%.40s\" can mean %u metrics", text, matches);
  else
    (void)sc_err_set(SC_E_USAGE, "there is no metric %.40s", text);
  if (sc_buf_finish(&list) == 0)
    (void)sc_err_hint(SC_E_USAGE, "%s: %s", matches ? "one of" : "time, own, calls, iterations, memory; of resources",
                      list.text);
  sc_buf_free(&list);
  return SC_E_USAGE;
}

int sc_resource_metric_parse(const char *text, enum sc_resource_metric *metric)
{
  unsigned matches = 0;
  for (int m = 0; *text && m < SC_RMETRIC_COUNT; m++) {
    const char *name = sc_resource_metric_name((enum sc_resource_metric)m);
    if (!begins(name, text))
      continue;
    *metric = (enum sc_resource_metric)m;
    if (strlen(name) == strlen(text))
      return 0;
    matches++;
  }
  return matches == 1 ? 0 : unknown(text, matches);
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
