/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the traced events of a profile, a line an event. */
#include <errno.h>

#include "base/utf8.h"
#include "profiles/scprof/dump.h"
#include "profiles/scprof/dump_usage.h"
#include "profiles/scprof/trace.h"

static void print_event(const sc_reader *reader, const sc_trace *trace, const sc_trace_event *event, FILE *out)
{
  double seconds = sc_reader_seconds(reader, event->ticks - trace->events[0].ticks);
  fprintf(out, "%.9f\tthread %u\t%s\t", seconds, trace->rings[event->ring].arena, sc_trace_kind_name(event->kind));
  sc_dump_usage_resource(event->resource, out);
  fprintf(out, "\t0x%llx\t", (unsigned long long)event->identity);
  sc_utf8_print(event->via, out);
  fprintf(out, event->column ? ":%u:%u\t" : ":%u\t", event->line, event->column);
  if (event->kind == SC_USAGE_EVENT_WAIT)
    fprintf(out, "%u us\n", event->units);
  else
    fprintf(out, "%u\n", event->units);
}

int sc_dump_trace(const char *path, FILE *out)
{
  int err;
  sc_reader *reader = NULL;
  sc_trace trace = {0};
  SC_GOTO(sc_reader_open(path, &reader));
  if (!sc_reader_has_trace(reader)) {
    err = sc_err_hint(sc_err_set(SC_E_INPUT, "%s: no trace of resource events in this profile", path),
                      "run the program with SCALE_TRACE=65536, the number of events that each thread keeps");
    goto out;
  }
  SC_GOTO(sc_reader_trace(reader, &trace));
  for (size_t i = 0; i < trace.ring_count; i++)
    fprintf(out, "# thread %u: %llu events overwritten, %llu unreadable\n", trace.rings[i].arena,
            (unsigned long long)trace.rings[i].overwritten, (unsigned long long)trace.rings[i].unreadable);
  for (size_t i = 0; i < trace.count; i++)
    print_event(reader, &trace, &trace.events[i], out);
  err = ferror(out) ? sc_err_system(SC_E_IO, errno, "cannot write") : 0;
out:
  sc_trace_free(&trace);
  sc_reader_close(reader);
  return err;
}
