/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events as a table for people. */
#include <string.h>

#include "instrument/events/probes_internal.h"

static void table_unit(sc_buf *to, const sc_probes_unit *unit)
{
  if (unit->from == SC_PROBES_RESULT)
    sc_buf_puts(to, "result");
  else if (unit->from == SC_PROBES_ARGUMENT)
    sc_buf_printf(to, "argument %u", unit->argument);
  else if (unit->from == SC_PROBES_FIELD)
    sc_buf_printf(to, "field %u of argument %u", (unsigned)unit->offset, unit->argument);
  else
    sc_buf_puts(to, "-");
}

static void table_amount(sc_buf *to, const sc_probes_amount *units)
{
  if (units->from == SC_PROBES_CONSTANT)
    sc_buf_printf(to, "%u", (unsigned)units->number);
  else if (units->from == SC_PROBES_VALUE)
    sc_buf_printf(to, "argument %u", units->argument[0]);
  else if (units->from == SC_PROBES_PRODUCT)
    sc_buf_printf(to, "argument %u * argument %u", units->argument[0], units->argument[1]);
  else
    sc_buf_puts(to, units->from == SC_PROBES_ALL ? "all" : "result");
}

/* "succeeded if zero", ... */
static void table_outcome(sc_buf *to, const char *what, sc_probes_outcome outcome)
{
  static const char *const words[] = {"always",          "result zero",         "result not zero",
                                      "result negative", "result not negative", "result not -1"};
  sc_buf_printf(to, "; %s: %s", what, words[outcome]);
}

static void table_rest(sc_buf *to, const sc_probes_event *event)
{
  if (event->success != SC_PROBES_ALWAYS)
    table_outcome(to, "succeeded", event->success);
  if (event->timed)
    table_outcome(to, "waited", event->waited);
  if (event->sharing == SC_PROBES_SHARED)
    sc_buf_puts(to, "; shared");
  if (event->sharing == SC_PROBES_SHARED_IF)
    sc_buf_printf(to, "; shared: argument %u is %d", event->sharing_argument, (int)event->sharing_value);
  if (event->touches)
    sc_buf_printf(to, "; touches %s", event->touches);
}

static void table_resource(sc_buf *to, const sc_probes_resource *resource)
{
  sc_buf_printf(to, "%s: %s", resource->word, resource->name ? resource->name : "named as in the program");
  if (resource->alias_count)
    sc_buf_printf(to, ", %zu renamed", resource->alias_count);
  if (resource->capacity)
    sc_buf_printf(to, ", capacity %u", (unsigned)resource->capacity);
  if (resource->global)
    sc_buf_puts(to, ", shared between processes");
  if (resource->counted)
    sc_buf_puts(to, ", counted");
  if (resource->idle)
    sc_buf_puts(to, ", waiting is idling");
  sc_buf_puts(to, "\n");
}

static int table_width(const sc_probes *probes)
{
  size_t width = 0;
  for (size_t i = 0; i < probes->event_count + probes->work_count; i++) {
    size_t length =
        strlen(i < probes->event_count ? probes->events[i].function : probes->works[i - probes->event_count].function);
    width = length > width ? length : width;
  }
  return (int)(width < 40 ? width : 40);
}

int sc_probes_table(const sc_probes *probes, sc_buf *table)
{
  int width = table_width(probes);
  for (size_t i = 0; i < probes->event_count; i++) {
    const sc_probes_event *event = &probes->events[i];
    if (i == 0 || event->resource != event[-1].resource)
      table_resource(table, event->resource);
    sc_buf_printf(table, "  %-*s  %-7s  unit ", width, event->function, sc_probes_event_word(event->event));
    table_unit(table, &event->unit);
    sc_buf_puts(table, ", units ");
    table_amount(table, &event->units);
    table_rest(table, event);
    sc_buf_puts(table, "\n");
  }
  for (size_t i = 0; i < probes->work_count; i++) {
    sc_buf_printf(table, "%s  %-*s  work     ", i ? "" : "work of functions:\n", width, probes->works[i].function);
    sc_probes_work_describe(&probes->works[i], table);
    sc_buf_puts(table, "\n");
  }
  return sc_buf_finish(table);
}
