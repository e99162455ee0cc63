/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.proto of https://github.com/google/pprof, gzip'd: message Profile. Numbers of fields are its. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/utf8.h"
#include "runner/export/export.h"
#include "runner/export/proto.h"
#include "runner/text/format.h"

enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING };
enum { PROFILE_DURATION = 10, PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_COMMENT, PROFILE_DEFAULT_TYPE };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7, MAPPING_HAS_FILES, MAPPING_HAS_LINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_LINKAGE_NAME, FUNCTION_FILE, FUNCTION_LINE };

enum { MOST_TYPES = SC_EXPORT_METRICS + 2 }; /* with the ends of the costs' intervals */

typedef struct call { /* a line of a frame from which another one is called: a location of its own */
  uint32_t frame, line;
} call;

typedef struct type {
  enum sc_export_metric metric;
  const char *suffix; /* "", or of an end of the intervals */
  int64_t *values;    /* [count] */
} type;

typedef struct pprof {
  const sc_export *export;
  sc_proto_stream stream;
  sc_buf message, inner, list, text; /* `message`: of the profile, what is not written yet */
  uint64_t strings;                  /* written; the first is the empty one */
  type types[MOST_TYPES];
  size_t type_count;
  call *calls; /* by frame, then line; their locations come behind those of the frames */
  size_t call_count;
} pprof;

static uint64_t add_pprof_string(pprof *p, const char *text)
{
  sc_proto_bytes(&p->message, PROFILE_STRING, text, strlen(text));
  return p->strings++;
}

static uint64_t add_pprof_clean(pprof *p, const char *text)
{
  p->text.length = 0;
  sc_utf8_show(text, &p->text);
  sc_buf_add(&p->text, "", 0);
  return sc_buf_finish(&p->text) < 0 ? 0 : add_pprof_string(p, p->text.text);
}

static void end_inner(pprof *p, unsigned field)
{
  sc_proto_message(&p->message, field, &p->inner);
  p->inner.length = 0;
}

static void add_type(pprof *p, unsigned field, const char *name, const char *suffix, const char *unit)
{
  p->text.length = 0;
  sc_utf8_show(name, &p->text);
  sc_buf_puts(&p->text, suffix);
  if (sc_buf_finish(&p->text) < 0)
    return;
  uint64_t number = add_pprof_string(p, p->text.text);
  if (field == PROFILE_DEFAULT_TYPE) {
    sc_proto_number(&p->message, field, number);
    return;
  }
  sc_proto_number(&p->inner, TYPE_TYPE, number);
  sc_proto_number(&p->inner, TYPE_UNIT, add_pprof_string(p, unit));
  end_inner(p, field);
}

/* Whether the intervals' ends can be written as whole numbers, with room for what pprof adds up. */
static bool ends_known(const sc_export *e)
{
  double high = 0;
  for (uint32_t i = 0; i < e->count; i++)
    high += e->nodes[i].own[SC_EXPORT_COST].high;
  return e->predicted && e->has_cost && high * (e->seconds ? 1e9 : 1) < 0x1p62;
}

static int take_type(pprof *p, const sc_export *e, enum sc_export_metric metric, const char *suffix)
{
  type *made = &p->types[p->type_count++];
  *made = (type){metric, suffix, sc_mem_new(e->count + 1, sizeof *made->values)};
  return made->values ? sc_export_whole(e, metric, made->values) : SC_E_NOMEM;
}

/* The ends of the costs' intervals are two more values of each sample, so that `pprof -sample_index=cpu_high` shows
 * what could come. */
static int take_ends(pprof *p)
{
  sc_export ends = *p->export;
  int err = 0;
  SC_TRY(SC_NEW(ends.nodes, ends.count));
  for (int high = 0; high < 2 && err == 0; high++) {
    for (uint32_t i = 0; i < ends.count; i++) {
      const sc_interval *own = &p->export->nodes[i].own[SC_EXPORT_COST];
      ends.nodes[i].own[SC_EXPORT_COST].value = high ? own->high : own->low;
    }
    err = take_type(p, &ends, SC_EXPORT_COST, high ? "_high" : "_low");
  }
  free(ends.nodes);
  return err;
}

static int take_values(pprof *p)
{
  for (enum sc_export_metric m = 0; m < SC_EXPORT_METRICS; m++) {
    if (p->export->has[m])
      SC_TRY(take_type(p, p->export, m, ""));
    if (m == SC_EXPORT_COST && ends_known(p->export))
      SC_TRY(take_ends(p));
  }
  return 0;
}

static void add_types(pprof *p)
{
  const sc_export *e = p->export;
  for (const type *t = p->types; t < p->types + p->type_count; t++)
    add_type(p, PROFILE_SAMPLE_TYPE, sc_export_metric_name(e, t->metric), t->suffix,
             sc_export_metric_unit(e, t->metric));
  add_type(p, PROFILE_DEFAULT_TYPE, sc_export_metric_name(e, e->first), "", "");
  add_type(p, PROFILE_PERIOD_TYPE, sc_export_metric_name(e, e->first), "", sc_export_metric_unit(e, e->first));
  sc_proto_number(&p->message, PROFILE_PERIOD, 1);
}

static void add_comment(pprof *p, const char *text)
{
  uint64_t number = add_pprof_clean(p, text);
  sc_proto_number(&p->message, PROFILE_COMMENT, number);
}

static int add_comments(pprof *p)
{
  const sc_export *e = p->export;
  sc_buf text = {0};
  sc_interval total = {0};
  int err;
  sc_export_title(e, &text);
  SC_GOTO(sc_buf_finish(&text));
  add_comment(p, text.text);
  if (e->predicted && e->has_cost) {
    SC_GOTO(sc_analysis_total(e->judge->loaded.analysis, e->n, &total));
    text.length = 0;
    sc_buf_printf(&text, "total %s, 95%% interval %s", sc_format_cost(total.value, e->seconds ? "s" : e->unit).s,
                  sc_format_interval(&total, e->seconds ? "s" : e->unit).s);
    SC_GOTO(sc_buf_finish(&text));
    add_comment(p, text.text);
  }
  err = 0;
out:
  sc_buf_free(&text);
  return err;
}

/* One mapping that says that there is nothing to look up. */
static void add_mapping(pprof *p)
{
  uint64_t file = add_pprof_clean(p, p->export->judge->study);
  sc_proto_number(&p->inner, MAPPING_ID, 1);
  sc_proto_number(&p->inner, MAPPING_FILE, file);
  sc_proto_number(&p->inner, MAPPING_HAS_FUNCTIONS, 1);
  sc_proto_number(&p->inner, MAPPING_HAS_FILES, 1);
  sc_proto_number(&p->inner, MAPPING_HAS_LINES, 1);
  end_inner(p, PROFILE_MAPPING);
}

static int by_pprof_place(const void *a, const void *b)
{
  const call *x = a, *y = b;
  return SC_COMPARE(x->frame, y->frame) ?: SC_COMPARE(x->line, y->line);
}

/* The call through which a node was reached; its line is 0 if that is unknown. */
static call call_of(const pprof *p, uint32_t node)
{
  const sc_export_node *n = &p->export->nodes[node];
  if (n->parent == SC_EXPORT_NONE)
    return (call){0, 0};
  return (call){p->export->nodes[n->parent].frame, sc_export_call_line(p->export, node)};
}

static int take_pprof_calls(pprof *p)
{
  size_t kept = 0;
  SC_TRY(SC_NEW(p->calls, p->export->count + 1));
  for (uint32_t i = 0; i < p->export->count; i++) {
    p->calls[p->call_count] = call_of(p, i);
    p->call_count += p->calls[p->call_count].line != 0;
  }
  qsort(p->calls, p->call_count, sizeof *p->calls, by_pprof_place);
  for (size_t i = 0; i < p->call_count; i++)
    if (!kept || by_pprof_place(&p->calls[kept - 1], &p->calls[i]) != 0)
      p->calls[kept++] = p->calls[i];
  p->call_count = kept;
  return 0;
}

/* Where the caller of a node stands while it runs. */
static uint64_t location_of_caller(const pprof *p, uint32_t node)
{
  call wanted = call_of(p, node);
  const call *found = wanted.line ? bsearch(&wanted, p->calls, p->call_count, sizeof *p->calls, by_pprof_place) : NULL;
  if (!found)
    return p->export->nodes[p->export->nodes[node].parent].frame + 1;
  return p->export->frame_count + 1 + (uint64_t)(found - p->calls);
}

static void add_pprof_location(pprof *p, uint64_t number, uint32_t frame, uint32_t line)
{
  p->list.length = 0;
  sc_proto_number(&p->list, LINE_FUNCTION, frame + 1);
  sc_proto_number(&p->list, LINE_LINE, line);
  sc_proto_number(&p->inner, LOCATION_ID, number);
  sc_proto_number(&p->inner, LOCATION_MAPPING, 1);
  sc_proto_message(&p->inner, LOCATION_LINE, &p->list);
  end_inner(p, PROFILE_LOCATION);
}

/* A function, and with the same number the location of what it does itself. */
static void add_pprof_frame(pprof *p, uint32_t frame)
{
  const sc_location *at = p->export->frames[frame].at;
  uint64_t name = add_pprof_string(p, p->export->frames[frame].name);
  uint64_t linkage = at->kind == SC_LOCATION_LOOP ? name : add_pprof_clean(p, at->name);
  uint64_t file = *at->file ? add_pprof_clean(p, at->file) : 0;
  sc_proto_number(&p->inner, FUNCTION_ID, frame + 1);
  sc_proto_number(&p->inner, FUNCTION_NAME, name);
  sc_proto_number(&p->inner, FUNCTION_LINKAGE_NAME, linkage);
  sc_proto_number(&p->inner, FUNCTION_FILE, file);
  sc_proto_number(&p->inner, FUNCTION_LINE, at->line);
  end_inner(p, PROFILE_FUNCTION);
  add_pprof_location(p, frame + 1, frame, at->line);
}

/* Innermost frame first. */
static void add_sample(pprof *p, uint32_t node)
{
  bool any = false;
  for (size_t i = 0; i < p->type_count; i++)
    any |= p->types[i].values[node] != 0;
  if (!any)
    return;
  p->list.length = 0;
  sc_proto_packed(&p->list, p->export->nodes[node].frame + 1);
  for (uint32_t i = node; p->export->nodes[i].parent != SC_EXPORT_NONE; i = p->export->nodes[i].parent)
    sc_proto_packed(&p->list, location_of_caller(p, i));
  sc_proto_message(&p->inner, SAMPLE_LOCATION, &p->list);
  p->list.length = 0;
  for (size_t i = 0; i < p->type_count; i++)
    sc_proto_packed(&p->list, (uint64_t)p->types[i].values[node]);
  sc_proto_message(&p->inner, SAMPLE_VALUE, &p->list);
  end_inner(p, PROFILE_SAMPLE);
}

int sc_export_pprof(FILE *stream, const sc_export *out)
{
  pprof p = {.export = out};
  int err;
  SC_GOTO(take_values(&p));
  SC_GOTO(take_pprof_calls(&p));
  SC_GOTO(sc_proto_begin(&p.stream, stream));
  add_pprof_string(&p, "");
  add_types(&p);
  SC_GOTO(add_comments(&p));
  if (out->elapsed > 0 && out->elapsed < 0x1p62 / 1e9)
    sc_proto_number(&p.message, PROFILE_DURATION, (uint64_t)(out->elapsed * 1e9));
  add_mapping(&p);
  for (uint32_t i = 0; i < out->frame_count; i++) {
    add_pprof_frame(&p, i);
    SC_GOTO(sc_proto_flush(&p.stream, &p.message));
  }
  for (size_t i = 0; i < p.call_count; i++) {
    add_pprof_location(&p, out->frame_count + 1 + i, p.calls[i].frame, p.calls[i].line);
    SC_GOTO(sc_proto_flush(&p.stream, &p.message));
  }
  for (uint32_t i = 0; i < out->count; i++) {
    add_sample(&p, i);
    SC_GOTO(sc_proto_flush(&p.stream, &p.message));
  }
  if (p.inner.failed || p.list.failed || p.text.failed)
    p.message.failed = true;
  SC_GOTO(sc_proto_end(&p.stream, &p.message));
out:
  (void)!sc_proto_end(&p.stream, NULL);
  for (size_t i = 0; i < p.type_count; i++)
    free(p.types[i].values);
  free(p.calls);
  sc_buf_free(&p.message);
  sc_buf_free(&p.inner);
  sc_buf_free(&p.list);
  sc_buf_free(&p.text);
  return err;
}
