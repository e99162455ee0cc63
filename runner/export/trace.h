/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "profiles/scprof/trace.h"

/* The events of a trace as spans of time: holds from acquire to release, and waits with who held what was waited for.
 */
enum { SC_SPANS_NONE = UINT32_MAX };

enum sc_span_kind {
  SC_SPAN_HOLD,
  SC_SPAN_WAIT,
  SC_SPAN_POINT /* a use, a failed acquire, a release of what nobody was seen to acquire */
};

enum sc_span_end {
  SC_SPAN_SEEN,   /* by its release */
  SC_SPAN_UNSEEN, /* somebody else acquired it meanwhile: given up in a wait for a condition, or unseen */
  SC_SPAN_OPEN    /* it was held when the trace ended */
};

typedef struct sc_span {
  enum sc_span_kind kind;
  const sc_trace_event *event;   /* that began the hold, ended the wait, is the point */
  const sc_trace_event *release; /* that ended the hold; NULL: none */
  double begin, end;             /* seconds */
  enum sc_span_end how;
  uint32_t ring;
  uint32_t holder; /* WAIT: the span of the hold that ended it, or SC_SPANS_NONE */
} sc_span;

typedef struct sc_spans {
  sc_span *list; /* in the order of their events */
  uint32_t count;
} sc_spans;

/* `times`: [trace->count] of the events, in seconds, ascending. The spans point into the trace. sc_spans_free also
 * after an error. */
int sc_spans_make(const sc_trace *trace, const double *times, sc_spans *spans) SC_CHECK;
void sc_spans_free(sc_spans *spans);

/* Viewers draw the slices of a thread inside each other, so that two that overlap otherwise need rows of their own.
 * Gives each span that is no point a row of its thread, from 0 on, below SC_SPANS_ROWS; SC_SPANS_NONE: no row is free.
 */
enum { SC_SPANS_ROWS = 16 };
/* `rows` [spans->count]. SC_E_NOMEM. */
int sc_spans_rows(const sc_spans *spans, uint32_t *rows) SC_CHECK;
