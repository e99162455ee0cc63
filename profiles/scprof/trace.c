/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rings of all threads as one list in order of time. Clocks of processors agree well enough for a lock's
 * handover; of equal ticks those of one thread keep their order. */
#include "profiles/scprof/trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "profiles/scprof/internal.h"

_Static_assert((int)SC_TRACE_FAIL == SCALE_EVENT_FAIL && (int)SC_TRACE_MOST == SCALE_TRACE_MOST, "layout.inc");

const char *sc_trace_kind_name(unsigned kind)
{
  assert(kind < SC_TRACE_KINDS);
  return kind == SC_TRACE_FAIL ? "fail" : sc_usage_event_name((enum sc_usage_event)kind);
}

static int add_trace_event(const struct sc_reader *reader, sc_trace *trace, uint64_t number,
                           const struct scale_traced *traced)
{
  uint32_t found = sc_tallies_find(reader, traced->tally);
  if (found == SC_NONE || traced->event < SCALE_EVENT_ACQUIRE || traced->event > SCALE_EVENT_FAIL) {
    trace->rings[trace->ring_count - 1].unreadable++;
    return 0;
  }
  const struct sc_tally *tally = &reader->tallies[found];
  const struct scale_site_event *site = sc_tallies_site(reader, tally);
  SC_TRY(sc_mem_grow(&trace->events, &trace->capacity, trace->count + 1, sizeof *trace->events));
  trace->events[trace->count++] = (sc_trace_event){
      .ticks = traced->ticks,
      .number = number,
      .ring = (uint32_t)trace->ring_count - 1,
      .kind = traced->event,
      .site = (enum sc_usage_event)site->event,
      .identity = traced->identity,
      .units = traced->units,
      .line = site->line,
      .column = site->column,
      .resource = reader->resources.list[tally->resource],
      .via = sc_sites_string(sc_tallies_function(reader, tally), site->via),
      .shared = site->flags & SCALE_SITE_SHARED,
      .probe = site->flags & SCALE_SITE_PROBE,
  };
  return 0;
}

/* The newest `capacity` events are there, from `first` on: a ring that ran over begins in the midst of things. */
static int add_ring(const struct sc_reader *reader, sc_trace *trace, const struct sc_chunk *chunk)
{
  struct scale_ring ring;
  uint64_t at = chunk->offset + sizeof(struct scale_chunk);
  memcpy(&ring, reader->data + at, sizeof ring);
  uint64_t first = ring.written > ring.capacity ? ring.written - ring.capacity : 0;
  at += sizeof ring;
  SC_TRY(sc_mem_grow(&trace->rings, &trace->ring_capacity, trace->ring_count + 1, sizeof *trace->rings));
  trace->rings[trace->ring_count++] = (sc_trace_ring){.arena = chunk->arena, .overwritten = first};
  for (uint64_t i = first; i < ring.written; i++) {
    struct scale_traced traced;
    memcpy(&traced, reader->data + at + i % ring.capacity * sizeof traced, sizeof traced);
    SC_TRY(add_trace_event(reader, trace, i, &traced));
  }
  return 0;
}

static int by_trace_time(const void *left, const void *right)
{
  const sc_trace_event *a = left, *b = right;
  return SC_COMPARE(a->ticks, b->ticks) ?: SC_COMPARE(a->ring, b->ring) ?: SC_COMPARE(a->number, b->number);
}

int sc_reader_trace(const sc_reader *reader, sc_trace *trace)
{
  for (size_t i = 0; i < reader->chunk_count; i++)
    if (reader->chunks[i].type == SCALE_CHUNK_TRACE)
      SC_TRY(add_ring(reader, trace, &reader->chunks[i]));
  if (trace->count)
    qsort(trace->events, trace->count, sizeof *trace->events, by_trace_time);
  return 0;
}

/* Without reading it: who only asks whether to validate need not hold millions of events. */
bool sc_reader_has_trace(const sc_reader *reader)
{
  for (size_t i = 0; i < reader->chunk_count; i++)
    if (reader->chunks[i].type == SCALE_CHUNK_TRACE)
      return true;
  return false;
}

void sc_trace_free(sc_trace *trace)
{
  free(trace->events);
  free(trace->rings);
  *trace = (sc_trace){0};
}
