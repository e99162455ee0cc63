/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of sentences about resources: places, values, points, predictions. */
#include "transitions/resources/text.h"

#include <math.h>
#include <string.h>

#include "base/path.h"
#include "base/utf8.h"
#include "profiles/graph/shorten.h"
#include "transitions/findings/explain.h"
#include "transitions/resources/metrics.h"

enum { POINTS = 6 };

static bool is_time(int metric)
{
  return metric < SC_RMETRIC_COUNT && strcmp(sc_resource_metric_unit((enum sc_resource_metric)metric), "s") == 0;
}

void sc_rtext_value(int metric, double value, sc_buf *out)
{
  if (!isfinite(value))
    sc_buf_puts(out, "unbounded");
  else if (is_time(metric))
    sc_explain_duration(value, out);
  else if (fabs(value) < 1000)
    sc_buf_printf(out, "%.3g", value);
  else
    sc_explain_number(out, round(value));
}

static void add_line(const char *file, uint32_t line, uint32_t column, sc_buf *out)
{
  if (!*file)
    return;
  sc_buf_puts(out, " (");
  sc_utf8_show(sc_path_last(file), out);
  if (line)
    sc_buf_printf(out, ":%u", line);
  if (line && column)
    sc_buf_printf(out, ":%u", column);
  sc_buf_puts(out, ")");
}

void sc_rtext_name(const sc_resources *r, const sc_resource_cell *cell, sc_buf *out)
{
  const sc_resource *resource = sc_resource_cell_resource(r, cell);
  const char *name = *resource->name ? resource->name : sc_resource_class_name(resource->resource_class);
  sc_utf8_show(name, out);
  add_line(resource->file, resource->line, 0, out);
}

void sc_rtext_place(const sc_resources *r, uint32_t context, uint32_t line, uint32_t column, sc_buf *out)
{
  if (context >= sc_graph_context_count(r->graph)) {
    sc_buf_puts(out, "code that is not known");
    return;
  }
  uint32_t through;
  sc_location spot = sc_graph_spot(r->graph, context);
  context = sc_graph_written(r->graph, context, &through);
  uint32_t function = context;
  while (function && sc_graph_at(r->graph, function)->kind != SC_LOCATION_FUNCTION)
    function = sc_graph_parent(r->graph, function);
  if (function)
    sc_shorten_name(sc_graph_at(r->graph, function)->display, out);
  else
    sc_buf_puts(out, "the program");
  if (line && !through) {
    spot.line = line;
    spot.column = sc_usage_telling_column(r->graph, context, line, column);
  } else {
    spot.column = 0;
  }
  add_line(spot.file, spot.line, spot.column, out);
  if (through) {
    sc_buf_puts(out, ", by ");
    sc_shorten_name(sc_graph_at(r->graph, through)->display, out);
  }
}

bool sc_rtext_first(const sc_resources *r, const sc_resource_finding *f, enum sc_resource_role role, sc_buf *out)
{
  return sc_rtext_led(r, f, role, "", out);
}

bool sc_rtext_led(const sc_resources *r, const sc_resource_finding *f, enum sc_resource_role role, const char *lead,
                  sc_buf *out)
{
  for (size_t i = 0; i < f->site_count; i++)
    if (f->sites[i].role == role) {
      sc_buf_puts(out, lead);
      sc_rtext_place(r, f->sites[i].context, f->sites[i].line, f->sites[i].column, out);
      return true;
    }
  return false;
}

void sc_rtext_points(const sc_resources *r, const sc_resource_cell *cell, int metric, sc_buf *out)
{
  bool skipped = false, any = false;
  for (size_t i = 0; i < r->size_count; i++) {
    double value;
    /* the first two and the last ones: the start of the growth and where it has got to */
    if (r->size_count > POINTS && i >= 2 && i < r->size_count - (POINTS - 2)) {
      skipped = true;
      continue;
    }
    if (!sc_rmetric_at(r, cell, i, metric, &value))
      continue;
    sc_buf_puts(out, any ? (skipped ? "; ...; " : "; ") : "");
    skipped = false;
    any = true;
    sc_buf_printf(out, "%s = ", r->variable);
    sc_explain_number(out, r->sizes[i]);
    sc_buf_puts(out, ": ");
    sc_rtext_value(metric, value, out);
  }
}

void sc_rtext_predicted(const sc_resources *r, const sc_resource_finding *f, enum sc_resource_metric metric,
                        sc_buf *out)
{
  size_t last = 0;
  for (size_t i = 0; i < r->target_count; i++)
    if (r->targets[i] >= r->targets[last])
      last = i;
  for (size_t i = 0; r->target_count && i < f->number_count; i++) {
    if (f->numbers[i].metric != metric)
      continue;
    const sc_interval *p = &f->numbers[i].predictions[last];
    sc_buf_printf(out, ", predicted at %s = ", r->variable);
    sc_explain_number(out, r->targets[last]);
    sc_buf_puts(out, ": ");
    sc_rtext_value(metric, p->value, out);
    if (p->low < p->value || p->high > p->value) {
      sc_buf_puts(out, " (");
      sc_rtext_value(metric, p->low, out);
      sc_buf_puts(out, " to ");
      sc_rtext_value(metric, p->high, out);
      sc_buf_puts(out, ")");
    }
  }
}

void sc_rtext_units(const sc_resources *r, const sc_resource_cell *cell, double count, sc_buf *out)
{
  sc_buf_puts(out, sc_resource_class_unit(sc_resource_cell_resource(r, cell)->resource_class));
  if (count != 1)
    sc_buf_puts(out, "s");
}
