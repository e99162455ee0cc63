/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callgrind's profile format, as callgrind_annotate and KCachegrind read it. It knows functions and calls, not calling
 * contexts: those of a function are added up, and loops are functions that their function calls. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/utf8.h"
#include "runner/export/export.h"

typedef struct edge {
  uint32_t caller, callee; /* frames */
  uint32_t line;           /* of the call; the caller's own where that is unknown */
  int64_t calls, inclusive[SC_EXPORT_METRICS];
} edge;

typedef struct callgrind {
  FILE *stream;
  const sc_export *export;
  enum sc_export_metric order[SC_EXPORT_METRICS]; /* of the columns */
  size_t columns;
  int64_t *own[SC_EXPORT_METRICS];       /* [count] of nodes */
  int64_t *inclusive[SC_EXPORT_METRICS]; /* the same with what is below */
  int64_t (*self)[SC_EXPORT_METRICS];    /* [frame_count] */
  bool *named;                           /* [frame_count] written before: its number alone does */
  edge *edges;                           /* by caller, then callee, then line */
  size_t edge_count;
} callgrind;

static int by_ends(const void *a, const void *b)
{
  const edge *x = a, *y = b;
  return SC_COMPARE(x->caller, y->caller) ?: SC_COMPARE(x->callee, y->callee) ?: SC_COMPARE(x->line, y->line);
}

static void merge_edges(callgrind *c)
{
  size_t kept = 0;
  qsort(c->edges, c->edge_count, sizeof *c->edges, by_ends);
  for (size_t i = 0; i < c->edge_count; i++) {
    edge *last = kept ? &c->edges[kept - 1] : NULL;
    if (!last || by_ends(last, &c->edges[i]) != 0) {
      c->edges[kept++] = c->edges[i];
      continue;
    }
    last->calls += c->edges[i].calls;
    for (size_t m = 0; m < SC_EXPORT_METRICS; m++)
      last->inclusive[m] += c->edges[i].inclusive[m];
  }
  c->edge_count = kept;
}

static int take_metric(callgrind *c, enum sc_export_metric metric)
{
  const sc_export *e = c->export;
  SC_TRY(sc_export_whole(e, metric, c->own[metric]));
  for (uint32_t i = 0; i < e->count; i++) {
    c->self[e->nodes[i].frame][metric] += c->own[metric][i];
    c->inclusive[metric][i] = c->own[metric][i];
  }
  for (uint32_t i = e->count; i-- > 0;)
    if (e->nodes[i].parent != SC_EXPORT_NONE)
      c->inclusive[metric][e->nodes[i].parent] += c->inclusive[metric][i];
  return 0;
}

static int64_t calls_of(const callgrind *c, uint32_t node)
{
  const sc_export_node *own = &c->export->nodes[node];
  bool alone = own->entered == own->own[SC_EXPORT_EXECUTIONS].value;
  return alone ? c->own[SC_EXPORT_EXECUTIONS][node] : llround(own->entered);
}

static int take_callgrind_all(callgrind *c)
{
  const sc_export *e = c->export;
  c->self = sc_mem_new(e->frame_count, sizeof *c->self);
  c->named = sc_mem_new(e->frame_count, sizeof *c->named);
  c->edges = sc_mem_new(e->count, sizeof *c->edges);
  if (!c->self || !c->named || !c->edges)
    return SC_E_NOMEM;
  for (size_t m = 0; m < SC_EXPORT_METRICS; m++) {
    if (!e->has[m])
      continue;
    c->own[m] = sc_mem_new(e->count, sizeof **c->own);
    c->inclusive[m] = sc_mem_new(e->count, sizeof **c->inclusive);
    if (!c->own[m] || !c->inclusive[m])
      return SC_E_NOMEM;
    SC_TRY(take_metric(c, (enum sc_export_metric)m));
  }
  for (uint32_t i = 0; i < e->count; i++) {
    if (e->nodes[i].parent == SC_EXPORT_NONE)
      continue;
    edge *made = &c->edges[c->edge_count++];
    *made = (edge){.caller = e->nodes[e->nodes[i].parent].frame, .callee = e->nodes[i].frame};
    uint32_t line = sc_export_call_line(e, i);
    bool work = e->frames[made->callee].at->kind == SC_LOCATION_WORK; /* how often it is called is not counted */
    made->line = line ? line : e->frames[made->caller].at->line;
    made->calls = calls_of(c, work ? e->nodes[i].parent : i);
    for (size_t m = 0; m < SC_EXPORT_METRICS; m++)
      made->inclusive[m] = e->has[m] ? c->inclusive[m][i] : 0;
  }
  merge_edges(c);
  return 0;
}

/* Names of events have no blanks and signs. */
static void write_event(const callgrind *c, enum sc_export_metric metric)
{
  bool seconds = metric == SC_EXPORT_COST && c->export->seconds;
  const char *name = seconds                    ? "nanoseconds"
                     : metric == SC_EXPORT_COST ? c->export->unit
                                                : sc_export_metric_name(c->export, metric);
  bool capital = seconds || metric != SC_EXPORT_COST; /* "Executions"; events keep their names */
  for (; *name; name++, capital = false)
    fputc(!isalnum((unsigned char)*name) ? '_' : capital ? toupper((unsigned char)*name) : *name, c->stream);
}

static void write_numbers(const callgrind *c, const int64_t *numbers)
{
  for (size_t i = 0; i < c->columns; i++)
    fprintf(c->stream, " %" PRId64, numbers[c->order[i]]);
  fputc('\n', c->stream);
}

static int write_callgrind_head(const callgrind *c)
{
  int64_t total[SC_EXPORT_METRICS] = {0};
  sc_buf title = {0};
  sc_export_title(c->export, &title);
  int err = sc_buf_finish(&title);
  if (err == 0)
    fprintf(c->stream, "# callgrind format\nversion: 1\ncreator: scale-run " SCALE_VERSION "\ncmd: %s\n", title.text);
  sc_buf_free(&title);
  fputs("positions: line\nevents:", c->stream);
  for (size_t i = 0; i < c->columns; i++) {
    fputc(' ', c->stream);
    write_event(c, c->order[i]);
  }
  for (uint32_t i = 0; i < c->export->frame_count; i++)
    for (size_t m = 0; m < SC_EXPORT_METRICS; m++)
      total[m] += c->self[i][m];
  fputs("\nsummary:", c->stream);
  write_numbers(c, total);
  return err;
}

/* "fl=(3) /src/a.c" and "fn=(3) work": files are written anew with each function, the names only once. */
static int write_function(const callgrind *c, const char *file_key, const char *name_key, uint32_t frame)
{
  const sc_export_frame *f = &c->export->frames[frame];
  sc_buf file = {0};
  sc_utf8_show(*f->at->file ? f->at->file : "???", &file);
  int err = sc_buf_finish(&file);
  if (err < 0)
    return err;
  if (c->named[frame])
    fprintf(c->stream, "%s=(%u)\n%s=(%u)\n", file_key, frame + 1, name_key, frame + 1);
  else
    fprintf(c->stream, "%s=(%u) %s\n%s=(%u) %s\n", file_key, frame + 1, file.text, name_key, frame + 1, f->name);
  c->named[frame] = true;
  sc_buf_free(&file);
  return 0;
}

static int write_frame(const callgrind *c, uint32_t frame, size_t *next)
{
  uint32_t line = c->export->frames[frame].at->line;
  fputc('\n', c->stream);
  SC_TRY(write_function(c, "fl", "fn", frame));
  fprintf(c->stream, "%u", line);
  write_numbers(c, c->self[frame]);
  for (; *next < c->edge_count && c->edges[*next].caller == frame; ++*next) {
    const edge *call = &c->edges[*next];
    SC_TRY(write_function(c, "cfi", "cfn", call->callee));
    fprintf(c->stream, "calls=%" PRId64 " %u\n%u", call->calls, c->export->frames[call->callee].at->line, call->line);
    write_numbers(c, call->inclusive);
  }
  return 0;
}

int sc_export_callgrind(FILE *stream, const sc_export *out)
{
  callgrind c = {.stream = stream, .export = out};
  int err;
  size_t next = 0;
  c.order[c.columns++] = out->first;
  for (enum sc_export_metric m = 0; m < SC_EXPORT_METRICS; m++)
    if (out->has[m] && m != out->first)
      c.order[c.columns++] = m;
  SC_GOTO(take_callgrind_all(&c));
  SC_GOTO(write_callgrind_head(&c));
  for (uint32_t i = 0; i < out->frame_count; i++)
    SC_GOTO(write_frame(&c, i, &next));
out:
  for (size_t m = 0; m < SC_EXPORT_METRICS; m++) {
    free(c.own[m]);
    free(c.inclusive[m]);
  }
  free(c.self);
  free(c.named);
  free(c.edges);
  return err;
}
