/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds and waits of traced events, as spans on the tracks of threads. */
#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/hash.h"
#include "profiles/graph/index.h"
#include "runner/export/trace.h"

/* What is known of an instance while the events go by: its open holds, chained, and the last one that ended. */
typedef struct instance {
  uint64_t identity;
  const sc_resource *resource;
  uint32_t open, last; /* spans */
} instance;

typedef struct maker {
  const sc_trace *trace;
  const double *times;
  sc_spans *spans;
  instance *instances; /* room for one of each event */
  size_t instance_count;
  sc_index index;  /* number of an instance + 1 */
  uint32_t *below; /* [spans] the next open hold of the same instance */
  uint32_t *cut;   /* [rings] the thread's last hold that ended unseen */
} maker;

static instance *find_span_instance(maker *m, const sc_trace_event *event)
{
  const uint64_t key[2] = {event->identity, (uintptr_t)event->resource};
  uint32_t hash = sc_hash_key(key, sizeof key);
  sc_index_slot *slot = sc_index_first(&m->index, hash);
  while (slot->number && (m->instances[slot->number - 1].identity != event->identity ||
                          m->instances[slot->number - 1].resource != event->resource))
    slot = sc_index_next(&m->index, slot);
  if (!slot->number) {
    m->instances[m->instance_count++] = (instance){event->identity, event->resource, SC_SPANS_NONE, SC_SPANS_NONE};
    sc_index_take(&m->index, slot, hash, (uint32_t)m->instance_count);
  }
  return &m->instances[slot->number - 1];
}

static double span_seconds(const maker *m, const sc_trace_event *event) { return m->times[event - m->trace->events]; }

static sc_span *add_span(maker *m, enum sc_span_kind kind, const sc_trace_event *event)
{
  sc_span *span = &m->spans->list[m->spans->count++];
  *span = (sc_span){.kind = kind, .event = event, .ring = event->ring, .holder = SC_SPANS_NONE};
  span->begin = span->end = span_seconds(m, event);
  return span;
}

static bool span_exclusive(const sc_trace_event *event)
{
  return !event->shared && sc_resource_class_locks(event->resource->resource_class);
}

static void close_hold(maker *m, instance *in, uint32_t *link, double at, enum sc_span_end how)
{
  uint32_t number = *link;
  *link = m->below[number];
  m->spans->list[number].end = at;
  m->spans->list[number].how = how;
  in->last = number;
  if (how == SC_SPAN_UNSEEN)
    m->cut[m->spans->list[number].ring] = number;
}

/* The open hold that a release means: the thread's own among the latest ones, else the latest of any. */
static uint32_t *hold_of(maker *m, instance *in, uint32_t ring)
{
  enum { LATEST = 64 }; /* of a pool's units, thousands may be out */
  uint32_t *link = &in->open;
  for (size_t i = 0; i < LATEST && *link != SC_SPANS_NONE; i++, link = &m->below[*link])
    if (m->spans->list[*link].ring == ring)
      return link;
  return &in->open;
}

/* Whoever holds it still has given it up unseen. */
static void open_hold(maker *m, const sc_trace_event *event, uint32_t ring, double begin)
{
  instance *in = find_span_instance(m, event);
  while (span_exclusive(event) && in->open != SC_SPANS_NONE)
    close_hold(m, in, &in->open, begin, SC_SPAN_UNSEEN);
  uint32_t number = m->spans->count;
  sc_span *span = add_span(m, SC_SPAN_HOLD, event);
  span->how = SC_SPAN_OPEN;
  span->ring = ring;
  span->begin = begin;
  m->below[number] = in->open;
  in->open = number;
}

static void release_span(maker *m, const sc_trace_event *event)
{
  instance *in = find_span_instance(m, event);
  uint32_t *link = hold_of(m, in, event->ring);
  if (*link == SC_SPANS_NONE) {
    add_span(m, SC_SPAN_POINT, event);
    return;
  }
  m->spans->list[*link].release = event;
  close_hold(m, in, link, span_seconds(m, event), SC_SPAN_SEEN);
}

/* A thread that waits for a condition gives back the lock by which others go on meanwhile, and has it again then. */
static void resume_span(maker *m, const sc_span *wait)
{
  sc_span *hold = m->cut[wait->ring] == SC_SPANS_NONE ? NULL : &m->spans->list[m->cut[wait->ring]];
  if (!hold || hold->begin > wait->begin || hold->end <= wait->begin)
    return;
  hold->end = wait->begin;
  open_hold(m, hold->event, wait->ring, wait->end);
}

static void wait_for(maker *m, const sc_trace_event *event)
{
  instance *in = find_span_instance(m, event);
  sc_span *span = add_span(m, SC_SPAN_WAIT, event);
  span->begin = fmax(span->end - event->units / 1e6, fmin(m->times[0], span->end));
  if (event->resource->resource_class == SC_RESOURCE_CONDITION) {
    resume_span(m, span);
    return;
  }
  const sc_span *open = in->open == SC_SPANS_NONE ? NULL : &m->spans->list[in->open];
  const sc_span *last = in->last == SC_SPANS_NONE ? NULL : &m->spans->list[in->last];
  if (open && open->ring != event->ring && span_exclusive(open->event))
    span->holder = in->open;
  else if (last && last->ring != event->ring && last->end >= span->begin)
    span->holder = in->last;
}

static int prepare_spans(maker *m)
{
  uint32_t rings = 0;
  for (size_t i = 0; i < m->trace->count; i++)
    rings = m->trace->events[i].ring >= rings ? m->trace->events[i].ring + 1 : rings;
  SC_TRY(sc_index_reserve(&m->index, m->trace->count));
  m->instances = sc_mem_new(m->trace->count, sizeof *m->instances);
  m->below = sc_mem_new(2 * m->trace->count, sizeof *m->below); /* a wait may make two */
  m->cut = sc_mem_new(rings, sizeof *m->cut);
  m->spans->list = sc_mem_new(2 * m->trace->count, sizeof *m->spans->list);
  for (uint32_t i = 0; m->cut && i < rings; i++)
    m->cut[i] = SC_SPANS_NONE;
  return m->instances && m->below && m->cut && m->spans->list ? 0 : SC_E_NOMEM;
}

int sc_spans_make(const sc_trace *trace, const double *times, sc_spans *spans)
{
  maker m = {.trace = trace, .times = times, .spans = spans};
  *spans = (sc_spans){0};
  if (trace->count >= SC_SPANS_NONE / 2)
    return sc_err_set(SC_E_INPUT, "a trace of %zu events is too long", trace->count);
  int err = prepare_spans(&m);
  for (size_t i = 0; i < trace->count && err == 0; i++) {
    const sc_trace_event *event = &trace->events[i];
    if (event->kind == SC_USAGE_EVENT_ACQUIRE)
      open_hold(&m, event, event->ring, span_seconds(&m, event));
    else if (event->kind == SC_USAGE_EVENT_RELEASE)
      release_span(&m, event);
    else if (event->kind == SC_USAGE_EVENT_WAIT)
      wait_for(&m, event);
    else
      add_span(&m, SC_SPAN_POINT, event);
  }
  for (uint32_t i = 0; i < spans->count; i++)
    if (spans->list[i].kind == SC_SPAN_HOLD && spans->list[i].how == SC_SPAN_OPEN)
      spans->list[i].end = span_seconds(&m, &trace->events[trace->count - 1]);
  free(m.instances);
  sc_index_free(&m.index);
  free(m.below);
  free(m.cut);
  return err;
}

void sc_spans_free(sc_spans *spans)
{
  free(spans->list);
  *spans = (sc_spans){0};
}

typedef struct placed {
  const sc_span *span;
  uint32_t number;
} placed;

/* By thread, then as they begin; the longer one first, which is around the other. */
static int by_begin(const void *a, const void *b)
{
  const placed *x = a, *y = b;
  return SC_COMPARE(x->span->ring, y->span->ring) ?: SC_COMPARE(x->span->begin, y->span->begin) ?:
         SC_COMPARE(y->span->end, x->span->end) ?: SC_COMPARE(x->number, y->number);
}

/* The ends of the spans that are open in a row, the innermost one last. */
typedef struct row {
  double *ends;
  size_t depth, capacity;
} row;

static int span_place(row *rows, const sc_span *span, uint32_t *where)
{
  for (uint32_t r = 0; r < SC_SPANS_ROWS; r++) {
    row *in = &rows[r];
    while (in->depth && in->ends[in->depth - 1] <= span->begin)
      in->depth--;
    if (in->depth && in->ends[in->depth - 1] < span->end)
      continue;
    SC_TRY(sc_mem_grow(&in->ends, &in->capacity, in->depth + 1, sizeof *in->ends));
    in->ends[in->depth++] = span->end;
    *where = r;
    return 0;
  }
  *where = SC_SPANS_NONE;
  return 0;
}

int sc_spans_rows(const sc_spans *spans, uint32_t *rows)
{
  int err = 0;
  uint32_t count = 0;
  row open[SC_SPANS_ROWS] = {0};
  placed *order;
  SC_TRY(SC_NEW(order, spans->count));
  for (uint32_t i = 0; i < spans->count; i++)
    if (spans->list[i].kind != SC_SPAN_POINT)
      order[count++] = (placed){&spans->list[i], i};
  qsort(order, count, sizeof *order, by_begin);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t r = 0; r < SC_SPANS_ROWS && i && order[i].span->ring != order[i - 1].span->ring; r++)
      open[r].depth = 0;
    SC_GOTO(span_place(open, order[i].span, &rows[order[i].number]));
  }
out:
  for (uint32_t r = 0; r < SC_SPANS_ROWS; r++)
    free(open[r].ends);
  free(order);
  return err;
}
