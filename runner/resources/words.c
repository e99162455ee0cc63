/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/words.h"

#include <math.h>
#include <string.h>

#include "base/path.h"
#include "base/utf8.h"
#include "runner/text/context.h"

enum { PATH_FUNCTIONS = 4 };

const char *sc_resource_words_title(const sc_resource_finding *finding)
{
  return finding->servers > 0 ? "Requests wait for a thread of the pool" : sc_rule_title(finding->rule);
}

void sc_resource_words_name(const sc_resource *resource, sc_buf *out)
{
  const char *file = sc_path_last(resource->file);
  sc_utf8_show(resource->name, out);
  if (!*file)
    return;
  sc_buf_puts(out, " (");
  sc_utf8_show(file, out);
  if (resource->line)
    sc_buf_printf(out, ":%u", resource->line);
  sc_buf_puts(out, ")");
}

void sc_resource_words_spot(const sc_graph *graph, const sc_resource_spot *spot, sc_buf *out)
{
  sc_resource_words_name(sc_usage_resource_at(graph, spot->resource), out);
  if (spot->context == SC_USAGE_NONE)
    return;
  sc_buf_puts(out, " of ");
  sc_context_call(graph, spot->context, spot->line, spot->column, out);
}

void sc_resource_words_hot(const sc_resources *resources, uint32_t resource, const char *before, sc_buf *out)
{
  sc_resource_hot hot;
  if (resources && sc_resources_hot(resources, resource, &hot))
    sc_buf_printf(out, "%s%s of %s instances", before, sc_format_count(hot.hot).s, sc_format_count(hot.instances).s);
}

static bool in_units(enum sc_resource_metric metric)
{
  return metric == SC_RMETRIC_UNITS || metric == SC_RMETRIC_OUTSTANDING || metric == SC_RMETRIC_PEAK;
}

static bool in_bytes(enum sc_resource_metric metric, const sc_resource *resource)
{
  return in_units(metric) && strcmp(sc_resource_class_unit(resource->resource_class), "byte") == 0;
}

static bool in_percent(enum sc_resource_metric metric)
{
  return metric == SC_RMETRIC_UTILISATION || metric == SC_RMETRIC_FAILURE_RATIO;
}

void sc_resource_words_metric(enum sc_resource_metric metric, const sc_resource *resource, sc_buf *out)
{
  if (in_units(metric) && !in_bytes(metric, resource))
    sc_buf_printf(out, "%ss, ", sc_resource_class_unit(resource->resource_class));
  sc_buf_puts(out, sc_resource_metric_name(metric));
}

sc_text sc_resource_words_value(enum sc_resource_metric metric, const sc_resource *resource, double value)
{
  if (in_percent(metric))
    return sc_format_percent(value);
  if (in_bytes(metric, resource))
    return sc_format_bytes(value);
  return sc_format_cost(value, strcmp(sc_resource_metric_unit(metric), "s") == 0 ? "s" : "");
}

sc_text sc_resource_words_predicted(enum sc_resource_metric metric, const sc_resource *resource,
                                    const sc_interval *predicted)
{
  static const sc_text none = {"none seen"};
  bool contended = resource->resource_class <= SC_RESOURCE_SEMAPHORE;
  bool waits =
      metric == SC_RMETRIC_WAITS || (contended && (metric == SC_RMETRIC_WAIT || metric == SC_RMETRIC_WAIT_TOTAL));
  if (!sc_format_tells(predicted, sc_resource_metric_unit(metric)))
    return sc_format_unknown();
  return waits && predicted->value == 0 && predicted->high > 0
             ? none
             : sc_resource_words_value(metric, resource, predicted->value);
}

sc_text sc_resource_words_interval(enum sc_resource_metric metric, const sc_resource *resource,
                                   const sc_interval *interval)
{
  bool bytes = in_bytes(metric, resource), time = strcmp(sc_resource_metric_unit(metric), "s") == 0;
  if ((time || in_percent(metric)) && interval->low == interval->high) { /* only counts are known exactly */
    sc_text none = {"none measured"}, about = {"about"};
    return interval->value > 0 ? about : none;
  }
  if (time && !sc_format_tells(interval, "s"))
    return sc_format_least(interval, "s");
  if ((!bytes && !in_percent(metric)) || (interval->low == interval->value && interval->high == interval->value))
    return sc_format_interval(interval, time ? "s" : "");
  return sc_format_ends(sc_resource_words_value(metric, resource, interval->low),
                        sc_resource_words_value(metric, resource, interval->high), interval->high);
}

/* Units of a resource: "1.5 GiB", "12 descriptors". */
static sc_text format_units(const sc_resource *resource, double units)
{
  const char *unit = sc_resource_class_unit(resource->resource_class);
  sc_text out;
  if (strcmp(unit, "byte") == 0)
    return sc_format_bytes(units);
  snprintf(out.s, sizeof out.s, "%.40s %s%s", sc_format_count(units).s, unit, units == 1 ? "" : "s");
  return out;
}

sc_text sc_resource_words_times(double count)
{
  sc_text out;
  if (count >= 9.95 || !isfinite(count))
    return sc_format_count(round(count));
  snprintf(out.s, sizeof out.s, count == round(count) ? "%.0f" : "%.1f", count);
  return out;
}

sc_text sc_resource_words_amount(enum sc_resource_role role, const sc_resource *resource, double amount)
{
  switch (role) {
  case SC_ROLE_HOLDS:
  case SC_ROLE_WAITS:
    return sc_format_seconds(amount);
  case SC_ROLE_KEEPS:
    return format_units(resource, amount);
  case SC_ROLE_ACQUIRES:
  case SC_ROLE_FAILS:
    break;
  }
  return sc_format_count(amount);
}

void sc_resource_words_place(const sc_graph *graph, uint32_t context, uint32_t line, uint32_t column, sc_buf *out)
{
  sc_buf path = {0};
  sc_context_call(graph, context, line, column, out);
  sc_context_functions(graph, sc_graph_written(graph, context, NULL), PATH_FUNCTIONS, &path);
  if (sc_buf_finish(&path) == 0 && strstr(path.text, " > "))
    sc_buf_printf(out, ", in %s", path.text);
  sc_buf_free(&path);
}

bool sc_resource_words_correction(const sc_resource_number *number, const sc_resource *resource, const char *variable,
                                  sc_buf *out)
{
  const sc_resource_correction *c = &number->correction;
  if (!(c->n > 0))
    return false;
  sc_buf_puts(out, out->length ? "; " : "");
  sc_resource_words_metric(number->metric, resource, out);
  sc_buf_printf(out, " at %s = %s was %s, computed %s", variable, sc_format_number(c->n).s,
                sc_resource_words_value(number->metric, resource, c->measured).s,
                sc_resource_words_value(number->metric, resource, c->computed).s);
  return true;
}
