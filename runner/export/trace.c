/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chrome's trace event format, which Perfetto reads: holds and waits as slices of their threads, arrows from the holder
 * to who waited for it. */
#include "runner/export/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "runner/export/export.h"
#include "runner/fit/emit.h"

typedef struct tracing {
  FILE *stream;
  sc_buf out;
  const char *separator; /* before the next event */
  uint64_t base;         /* ticks of the first event of all profiles */
  unsigned long flows;   /* arrows so far */
  bool timed;            /* all profiles know how long a tick took */
  uint64_t overwritten;
  /* of the profile that is being written */
  uint32_t process;
  const sc_trace *trace;
  const sc_spans *spans;
  const uint32_t *rows;
} tracing;

/* Rows of a thread are threads to the viewer, the first of them under the thread's number. */
static uint32_t thread_id(const tracing *t, uint32_t ring, uint32_t row)
{
  return (t->trace->rings[ring].arena + 1) * SC_SPANS_ROWS + (row == SC_SPANS_NONE ? 0 : row);
}

static const char *resource_name(const sc_resource *resource)
{
  return *resource->name ? resource->name : sc_resource_class_plural(resource->resource_class);
}

static void begin_event(tracing *t, const char *phase, uint32_t thread)
{
  sc_buf_printf(&t->out, "%s{\"ph\": \"%s\", \"pid\": %u, \"tid\": %u", t->separator, phase, t->process, thread);
  t->separator = ",\n";
}

/* Microseconds, with three decimals: a viewer must not find that what is inside sticks out by rounding. */
static void trace_time_at(tracing *t, const char *key, double seconds)
{
  sc_buf_printf(&t->out, ", \"%s\": %.3f", key, round(seconds * 1e9) / 1e3);
}

static void name_event(tracing *t, const sc_span *span)
{
  static const char *const words[] = {[SC_SPAN_HOLD] = "hold", [SC_SPAN_WAIT] = "wait"};
  const char *word = span->kind == SC_SPAN_POINT ? sc_trace_kind_name(span->event->kind) : words[span->kind];
  sc_buf name = {0};
  sc_buf_printf(&name, "%s %s", word, resource_name(span->event->resource));
  sc_buf_printf(&t->out, ", \"cat\": \"%s\", \"name\": ", word);
  sc_emit_shown(&t->out, sc_buf_finish(&name) < 0 ? "" : name.text);
  sc_buf_free(&name);
}

static void call_trace(tracing *t, const char *key, const sc_trace_event *event)
{
  sc_buf text = {0};
  sc_buf_printf(&text, event->column ? "%s:%u:%u" : "%s:%u", event->via, event->line, event->column);
  sc_buf_printf(&t->out, "\"%s\": ", key);
  sc_emit_shown(&t->out, sc_buf_finish(&text) < 0 ? "" : text.text);
  sc_buf_free(&text);
}

static void trace_arguments(tracing *t, const sc_span *span)
{
  const sc_trace_event *event = span->event;
  sc_buf place = {0};
  sc_buf_printf(&t->out, ", \"args\": {\"class\": \"%s\", ", sc_resource_class_name(event->resource->resource_class));
  call_trace(t, "call", event);
  if (*event->resource->file) {
    sc_buf_printf(&place, "%s:%u", event->resource->file, event->resource->line);
    sc_buf_puts(&t->out, ", \"declared\": ");
    sc_emit_shown(&t->out, sc_buf_finish(&place) < 0 ? "" : place.text);
    sc_buf_free(&place);
  }
  sc_buf_printf(&t->out, ", \"instance\": \"0x%llx\"", (unsigned long long)event->identity);
  if (span->kind == SC_SPAN_HOLD && event->units != UINT32_MAX)
    sc_buf_printf(&t->out, ", \"units\": %u", event->units);
  if (event->shared)
    sc_buf_puts(&t->out, ", \"shared\": true");
  if (span->release) {
    sc_buf_puts(&t->out, ", ");
    call_trace(t, "released by", span->release);
  }
  if (span->kind == SC_SPAN_HOLD && span->how != SC_SPAN_SEEN)
    sc_buf_puts(&t->out, span->how == SC_SPAN_OPEN ? ", \"end\": \"still held\"" : ", \"end\": \"not seen\"");
  sc_buf_puts(&t->out, "}}");
}

/* What found no row is asynchronous to the viewer. */
static void write_apart(tracing *t, uint32_t number)
{
  const sc_span *span = &t->spans->list[number];
  for (int end = 0; end < 2; end++) {
    begin_event(t, end ? "e" : "b", thread_id(t, span->ring, 0));
    trace_time_at(t, "ts", end ? span->end : span->begin);
    sc_buf_printf(&t->out, ", \"id\": \"%u.%u\"", t->process, number);
    name_event(t, span);
    if (end)
      sc_buf_puts(&t->out, "}");
    else
      trace_arguments(t, span);
  }
}

static void write_span(tracing *t, uint32_t number)
{
  const sc_span *span = &t->spans->list[number];
  if (span->kind != SC_SPAN_POINT && t->rows[number] == SC_SPANS_NONE) {
    write_apart(t, number);
    return;
  }
  begin_event(t, span->kind == SC_SPAN_POINT ? "i" : "X", thread_id(t, span->ring, t->rows[number]));
  trace_time_at(t, "ts", span->begin);
  if (span->kind == SC_SPAN_POINT)
    sc_buf_puts(&t->out, ", \"s\": \"t\"");
  else
    trace_time_at(t, "dur", round(span->end * 1e9) / 1e9 - round(span->begin * 1e9) / 1e9);
  name_event(t, span);
  trace_arguments(t, span);
}

/* From the end of the hold to the end of the wait; a nanosecond earlier, so that both are inside their slices. */
static void write_flow(tracing *t, uint32_t number)
{
  const sc_span *wait = &t->spans->list[number];
  if (wait->kind != SC_SPAN_WAIT || wait->holder == SC_SPANS_NONE || t->rows[number] == SC_SPANS_NONE ||
      t->rows[wait->holder] == SC_SPANS_NONE)
    return;
  const sc_span *hold = &t->spans->list[wait->holder];
  double to = fmax(wait->begin, wait->end - 1e-9), from = fmax(hold->begin, fmin(hold->end, wait->end) - 1e-9);
  for (int end = 0; end < 2; end++) {
    const sc_span *at = end ? wait : hold;
    begin_event(t, end ? "f" : "s", thread_id(t, at->ring, t->rows[end ? number : wait->holder]));
    trace_time_at(t, "ts", end ? to : fmin(from, to));
    sc_buf_printf(&t->out, ", \"id\": %lu, \"cat\": \"wait\", \"name\": \"waited for\"%s}", t->flows,
                  end ? ", \"bp\": \"e\"" : "");
  }
  t->flows++;
}

static void name_row(tracing *t, uint32_t ring, uint32_t row)
{
  begin_event(t, "M", thread_id(t, ring, row));
  sc_buf_printf(&t->out, ", \"name\": \"thread_name\", \"args\": {\"name\": \"thread %u", t->trace->rings[ring].arena);
  sc_buf_printf(&t->out, row ? " (row %u)\"}}" : "\"}}", row + 1);
}

static void name_all(tracing *t, const sc_reader *reader)
{
  const sc_reader_info *info = sc_reader_get_info(reader);
  begin_event(t, "M", 0);
  sc_buf_puts(&t->out, ", \"name\": \"process_name\", \"args\": {\"name\": ");
  sc_emit_shown(&t->out, sc_path_last(info->exe));
  sc_buf_puts(&t->out, "}}");
  for (uint32_t ring = 0; ring < t->trace->ring_count; ring++) {
    bool used[SC_SPANS_ROWS] = {true};
    for (uint32_t i = 0; i < t->spans->count; i++)
      if (t->spans->list[i].ring == ring && t->rows[i] < SC_SPANS_ROWS)
        used[t->rows[i]] = true;
    for (uint32_t row = 0; row < SC_SPANS_ROWS; row++)
      if (used[row])
        name_row(t, ring, row);
  }
}

/* Of a profile that does not know how long a tick is, ticks are taken for nanoseconds. */
static double *event_times(const tracing *t, const sc_reader *reader, const sc_trace *trace)
{
  double *times = sc_mem_new(trace->count, sizeof *times);
  for (size_t i = 0; times && i < trace->count; i++) {
    uint64_t ticks = trace->events[i].ticks - t->base;
    times[i] = t->timed ? sc_reader_seconds(reader, ticks) : (double)ticks / 1e9;
  }
  return times;
}

static int write_trace_profile(tracing *t, const sc_reader *reader, const sc_trace *trace)
{
  sc_spans spans = {0};
  uint32_t *rows = NULL;
  double *times = event_times(t, reader, trace);
  int err = SC_E_NOMEM;
  if (!times)
    goto out;
  SC_GOTO(sc_spans_make(trace, times, &spans));
  rows = sc_mem_new(spans.count, sizeof *rows);
  if (!rows) {
    err = SC_E_NOMEM;
    goto out;
  }
  SC_GOTO(sc_spans_rows(&spans, rows));
  t->process = sc_reader_get_info(reader)->pid;
  t->trace = trace;
  t->spans = &spans;
  t->rows = rows;
  name_all(t, reader);
  for (uint32_t i = 0; i < spans.count; i++) {
    write_span(t, i);
    write_flow(t, i);
    SC_GOTO(sc_emit_flush(&t->out, t->stream));
  }
out:
  t->trace = NULL;
  t->spans = NULL;
  t->rows = NULL;
  sc_spans_free(&spans);
  free(times);
  free(rows);
  return err;
}

static void look_at_trace(tracing *t, const sc_reader *reader, const sc_trace *trace)
{
  if (trace->count && trace->events[0].ticks < t->base)
    t->base = trace->events[0].ticks;
  for (size_t i = 0; i < trace->ring_count; i++)
    t->overwritten += trace->rings[i].overwritten + trace->rings[i].unreadable;
  t->timed &= sc_reader_get_info(reader)->timed != 0;
}

/* Looks at a profile (`write` false) or writes it. */
static int visit_trace(tracing *t, const char *path, bool write)
{
  sc_reader *reader = NULL;
  sc_trace trace = {0};
  int err;
  SC_GOTO(sc_reader_open(path, &reader));
  if (!sc_reader_has_trace(reader)) {
    (void)sc_err_set(SC_E_INPUT, "%s: no trace of resource events in this profile", path);
    err = sc_err_hint(SC_E_INPUT,
                      "make it by scale-run run --trace 65536 --keep, or run the program with SCALE_TRACE=65536");
    goto out;
  }
  SC_GOTO(sc_reader_trace(reader, &trace));
  if (write)
    SC_GOTO(write_trace_profile(t, reader, &trace));
  else
    look_at_trace(t, reader, &trace);
out:
  sc_trace_free(&trace);
  sc_reader_close(reader);
  return err;
}

int sc_export_trace(FILE *stream, const char *const *paths, size_t count)
{
  tracing t = {.stream = stream, .separator = "", .base = UINT64_MAX, .timed = true};
  int err = 0;
  for (size_t i = 0; i < count; i++)
    SC_GOTO(visit_trace(&t, paths[i], false));
  sc_buf_printf(&t.out,
                "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"exporter\": \"scale-run " SCALE_VERSION "\", ");
  sc_buf_printf(&t.out, "\"events lost\": \"%llu\"%s},\n\"traceEvents\": [\n", (unsigned long long)t.overwritten,
                t.timed ? "" : ", \"times\": \"not known: ticks are shown as nanoseconds\"");
  for (size_t i = 0; i < count; i++)
    SC_GOTO(visit_trace(&t, paths[i], true));
  sc_buf_puts(&t.out, "\n]}\n");
  err = sc_emit_flush(&t.out, t.stream);
out:
  sc_buf_free(&t.out);
  return err;
}
