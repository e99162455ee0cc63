/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "runner/judge/judge.h"

/* A study as the source files see it: each function and loop with all calling contexts it has. */
typedef struct sc_spot {
  const sc_location *at;    /* its line is not 0 */
  const uint32_t *contexts; /* [context_count] the one executed most at the horizon first */
  uint32_t context_count;
  sc_interval count, cost;   /* at the horizon, of all contexts together; cost: own */
  double share;              /* of the total's cost there, 0..1 */
  const char *trouble;       /* "waits": what it does with a resource; NULL: nothing that matters */
  double trouble_from;       /* the size from which on, */
  const char *trouble_along; /* of this parameter */
  uint32_t resource;         /* that one */
} sc_spot;

typedef struct sc_view_file {
  const sc_spot *spots; /* [count] by line and column */
  uint32_t count;
} sc_view_file;

typedef struct sc_view {
  const sc_judge *judge;
  double horizon; /* the largest target */
  sc_spot *spots;
  uint32_t *contexts, spot_count;
  const char **paths; /* [file_count] as the study names them */
  sc_view_file *files;
  uint32_t file_count;
} sc_view;

/* The judge must outlive the view; sc_view_free also after an error. */
int sc_view_make(const sc_judge *judge, sc_view *view) SC_CHECK;
void sc_view_free(sc_view *view);

/* "calls ∝ n log n · 20 M at n=1e6 · waits from n≈41k". */
void sc_view_lens(const sc_view *view, const sc_spot *spot, sc_buf *out);
/* The same at length, in Markdown: model, measured and predicted values, contexts. */
int sc_view_hover(const sc_view *view, const sc_spot *spot, sc_buf *out) SC_CHECK;
/* Its plot as a block of text. An error, and nothing added, where none can be drawn. */
int sc_view_plot(const sc_view *view, const sc_spot *spot, sc_buf *out) SC_CHECK;
