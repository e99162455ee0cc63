/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/usage.h"
#include "profiles/scprof/reader.h"

/* What a traced event was. The first seven are an sc_usage_event. */
enum { SC_TRACE_FAIL = 8 /* an acquire that failed */, SC_TRACE_KINDS };
const char *sc_trace_kind_name(unsigned kind); /* "acquire", ..., "fail" */

typedef struct sc_trace_event {
  uint64_t ticks;  /* of the process */
  uint64_t number; /* in its ring, from 0: the first ones may have been overwritten */
  uint32_t ring;   /* index in sc_trace.rings */
  unsigned kind;
  enum sc_usage_event site;    /* what the call does as a whole: an acquire that waits has kind WAIT, too */
  uint64_t identity;           /* of the instance */
  uint32_t units;              /* UINT32_MAX: that many or more; of a WAIT: its microseconds */
  uint32_t line, column;       /* of the call, or 0 */
  const sc_resource *resource; /* of the reader */
  const char *via;
  bool shared, probe; /* probe: claimed by a probe set or an annotation */
} sc_trace_event;

typedef struct sc_trace_ring {
  uint32_t arena;       /* the thread, or threads one after another */
  uint64_t overwritten; /* events before the first that is there */
  uint64_t unreadable;  /* those half-written or of a lost tally */
} sc_trace_ring;

enum { SC_TRACE_MOST = 1 << 20 }; /* events that are kept of each thread at the most */

/* The newest events of each thread of a process, if it was told to keep them (SCALE_TRACE), in the order of their
 * time; those of a thread in their own. Zero-initialise. */
typedef struct sc_trace {
  sc_trace_event *events;
  size_t count, capacity;
  sc_trace_ring *rings;
  size_t ring_count, ring_capacity;
} sc_trace;

/* The trace points into the reader. To be freed even after a failure. */
int sc_reader_trace(const sc_reader *reader, sc_trace *trace) SC_CHECK;
bool sc_reader_has_trace(const sc_reader *reader);
/* Seconds that `ticks` of the process took; 0 if that is not known. */
double sc_reader_seconds(const sc_reader *reader, uint64_t ticks);
void sc_trace_free(sc_trace *trace);
