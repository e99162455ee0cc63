/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events as lines for the compiler pass. */
#include <inttypes.h>

#include "instrument/events/probes_internal.h"

static const char *lines_class(const sc_probes_resource *resource)
{
  switch (resource->resource_class) {
  case SCALE_CLASS_MUTEX:
    return "mutex";
  case SCALE_CLASS_RWLOCK:
    return "rwlock";
  default:
    return "other";
  }
}

static void lines_unit(sc_buf *to, const sc_probes_unit *unit)
{
  if (unit->from == SC_PROBES_NONE)
    sc_buf_puts(to, "none");
  else if (unit->from == SC_PROBES_RESULT)
    sc_buf_puts(to, "ret");
  else
    sc_buf_printf(to, "%sarg:%u", unit->from == SC_PROBES_FIELD ? "*" : "", unit->argument);
  if (unit->offset)
    sc_buf_printf(to, ".%u", (unsigned)unit->offset);
}

static void lines_amount(sc_buf *to, const sc_probes_amount *units)
{
  switch (units->from) {
  case SC_PROBES_CONSTANT:
    sc_buf_printf(to, "%u", (unsigned)units->number);
    break;
  case SC_PROBES_VALUE:
    sc_buf_printf(to, "arg:%u", units->argument[0]);
    break;
  case SC_PROBES_PRODUCT:
    sc_buf_printf(to, "arg:%u*arg:%u", units->argument[0], units->argument[1]);
    break;
  case SC_PROBES_RETURNED:
    sc_buf_puts(to, "ret");
    break;
  case SC_PROBES_ALL:
    sc_buf_printf(to, "%" PRIu64, UINT64_MAX);
  }
}

static void lines_wait(sc_buf *to, const sc_probes_event *event)
{
  sc_buf_puts(to, event->timed ? "timed" : "none");
  if (event->timed && event->waited != SC_PROBES_ALWAYS)
    sc_buf_printf(to, ":%s", sc_probes_outcome_word(event->waited));
}

static void lines_flags(sc_buf *to, const sc_probes_event *event)
{
  const sc_probes_resource *resource = event->resource;
  const char *comma = "";
  if (event->sharing == SC_PROBES_SHARED_IF) {
    sc_buf_printf(to, "shared_if:arg:%u=%d", event->sharing_argument, (int)event->sharing_value);
    comma = ",";
  } else if (event->sharing == SC_PROBES_SHARED || resource->counted) {
    sc_buf_puts(to, "shared"); /* what is no lock is counted by this flag */
    comma = ",";
  }
  if (resource->global) {
    sc_buf_printf(to, "%sglobal", comma);
    comma = ",";
  }
  if (resource->idle)
    sc_buf_printf(to, "%sidle", comma);
}

static void lines_event(sc_buf *to, const sc_probes_event *event, bool first)
{
  const sc_probes_resource *resource = event->resource;
  sc_buf_printf(to, "%s\t%s\t%s\t", event->function, lines_class(resource), sc_probes_event_word(event->event));
  lines_unit(to, &event->unit);
  sc_buf_puts(to, "\t");
  lines_amount(to, &event->units);
  sc_buf_printf(to, "\t%s\t", sc_probes_outcome_word(event->success));
  lines_wait(to, event);
  sc_buf_puts(to, "\t");
  lines_flags(to, event);
  sc_buf_printf(to, "\t%s\t%u\t", resource->name ? resource->name : "", (unsigned)resource->capacity);
  for (size_t i = 0; first && i < resource->alias_count; i++)
    sc_buf_printf(to, "%s%s=%s", i ? ";" : "", resource->aliases[i].from, resource->aliases[i].to);
  sc_buf_printf(to, "\t%s\n", event->touches ? event->touches : "");
}

int sc_probes_lines(const sc_probes *probes, sc_buf *lines)
{
  for (size_t i = 0; i < probes->event_count; i++)
    lines_event(lines, &probes->events[i], i == 0 || probes->events[i].resource != probes->events[i - 1].resource);
  for (size_t i = 0; i < probes->work_count; i++)
    sc_probes_work_line(&probes->works[i], lines);
  SC_TRY(sc_buf_finish(lines));
  if (lines->length <= SC_PROBES_LINES_BYTES)
    return 0;
  sc_err_set(SC_E_INPUT, "the events of the probe sets take %zu bytes of the environment: more than %d", lines->length,
             SC_PROBES_LINES_BYTES);
  return sc_err_hint(SC_E_INPUT, "describe fewer functions, or give fewer aliases");
}
