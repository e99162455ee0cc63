/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "profiles/graph/shorten.h"
#include "profiles/graph/usage.h"

enum { PATH_MOST = 14 }; /* steps of a path that is shown whole */

static void add_context_place(const sc_location *location, const char *file, sc_buf *out)
{
  sc_utf8_show(*file ? file : "?", out);
  if (location->line)
    sc_buf_printf(out, ":%u", location->line);
  if (location->line && location->column)
    sc_buf_printf(out, ":%u", location->column);
}

static const char *display_context(const sc_location *location)
{
  const char *name = location->display && *location->display ? location->display : location->name;
  return *name ? name : "?";
}

static void add_context_name(const sc_location *location, sc_buf *out)
{
  sc_shorten_name(display_context(location), out);
}

static void add_context_function(const sc_location *location, sc_buf *out)
{
  add_context_name(location, out);
  if (*location->file || location->line) {
    sc_buf_puts(out, " (");
    add_context_place(location, basename(location->file), out);
    sc_buf_puts(out, ")");
  }
}

/* Nothing that says more than `outer`: the same, or part of how a library is made ("string::_M_erase", "__memcpy_chk").
 */
static bool is_internal(const sc_location *location, const sc_location *outer)
{
  sc_buf name = {0};
  add_context_name(location, &name);
  const char *last = sc_buf_finish(&name) == 0 ? strrchr(name.text, ':') : NULL;
  bool internal = last ? last[1] == '_' : name.text && *name.text == '_';
  sc_buf_free(&name);
  return internal || strcmp(display_context(location), display_context(outer)) == 0;
}

/* "vector::erase", "vector::erase -> memmove" where the work is that of a function below it. */
static void add_context_library(const sc_graph *graph, uint32_t through, uint32_t context, sc_buf *out)
{
  const sc_location *location = sc_graph_at(graph, context);
  add_context_name(sc_graph_at(graph, through), out);
  if (through == context || location->kind != SC_LOCATION_WORK || is_internal(location, sc_graph_at(graph, through)))
    return;
  sc_buf_puts(out, " -> ");
  add_context_name(location, out);
}

void sc_context_title(const sc_graph *graph, uint32_t context, sc_buf *out)
{
  uint32_t through;
  const sc_location *location = sc_graph_at(graph, sc_graph_written(graph, context, &through));
  if (through) {
    sc_location spot = sc_graph_spot(graph, context);
    add_context_library(graph, through, context, out);
    sc_buf_puts(out, " from ");
    add_context_function(&spot, out);
  } else if (location->kind == SC_LOCATION_LOOP || location->kind == SC_LOCATION_FUNCTION) {
    add_context_function(location, out);
  } else {
    sc_context_step(graph, context, out);
  }
}

void sc_context_subject(const sc_graph *graph, uint32_t context, sc_buf *out)
{
  uint32_t through, written = sc_graph_written(graph, context, &through);
  if (through) {
    add_context_library(graph, through, context, out);
    sc_buf_puts(out, " from ");
  }
  add_context_name(sc_graph_at(graph, written), out);
}

/* Its definition, and the line that calls it; of a library's function only that. Where the library calls back, its line
 * says nothing: the user's call of the library stands above. */
static void add_context_called(const sc_graph *graph, uint32_t context, sc_buf *out)
{
  uint32_t through, caller, line = sc_graph_call_line(graph, context);
  (void)sc_graph_written(graph, sc_graph_parent(graph, context), &caller);
  (void)sc_graph_written(graph, context, &through);
  if (through == context && line) {
    sc_location spot = sc_graph_spot(graph, context);
    spot.display = sc_graph_at(graph, context)->display;
    spot.name = sc_graph_at(graph, context)->name;
    add_context_function(&spot, out);
    return;
  }
  add_context_function(sc_graph_at(graph, context), out);
  if (line && !caller)
    sc_buf_printf(out, " from line %u", line);
}

void sc_context_step(const sc_graph *graph, uint32_t context, sc_buf *out)
{
  if (sc_graph_folded(graph, context))
    (void)sc_graph_written(graph, context, &context); /* the library's function that it is part of */
  const sc_location *location = sc_graph_at(graph, context);
  switch (location->kind) {
  case SC_LOCATION_ROOT:
    sc_buf_puts(out, "the whole workload");
    return;
  case SC_LOCATION_PROCESS:
    sc_buf_puts(out, "process ");
    sc_utf8_show(display_context(location), out);
    return;
  case SC_LOCATION_FUNCTION:
    add_context_called(graph, context, out);
    return;
  case SC_LOCATION_LOOP:
    sc_buf_puts(out, "loop ");
    add_context_place(location, basename(location->file), out);
    return;
  case SC_LOCATION_FOREIGN:
    add_context_name(location, out);
    sc_buf_puts(out, ", not instrumented");
    return;
  case SC_LOCATION_TRUNCATED:
    sc_buf_puts(out, "beyond the profile's limit");
    return;
  case SC_LOCATION_WORK:
    add_context_name(location, out);
    if (!*location->file) /* what the kernel tells of a process is done nowhere in particular */
      return;
    sc_buf_puts(out, " at ");
    add_context_place(location, basename(location->file), out);
    return;
  }
}

void sc_context_call(const sc_graph *graph, uint32_t context, uint32_t line, uint32_t column, sc_buf *out)
{
  uint32_t through;
  (void)sc_graph_written(graph, context, &through);
  if (through) {
    sc_location spot = sc_graph_spot(graph, context);
    add_context_function(&spot, out);
    sc_buf_puts(out, ", by ");
    add_context_name(sc_graph_at(graph, through), out);
    return;
  }
  sc_location location = *sc_graph_at(graph, context);
  if (!line || (location.kind != SC_LOCATION_FUNCTION && location.kind != SC_LOCATION_LOOP)) {
    sc_context_title(graph, context, out);
    return;
  }
  location.line = line;
  location.column = sc_usage_telling_column(graph, context, line, column);
  add_context_function(&location, out);
}

size_t sc_context_ancestry(const sc_graph *graph, uint32_t context, uint32_t *path, size_t room)
{
  size_t depth = 0, i = 0;
  for (uint32_t c = context; c; c = sc_graph_parent(graph, c))
    depth += !sc_graph_folded(graph, c);
  size_t kept = depth < room ? depth : room;
  for (uint32_t c = context; c && i < kept; c = sc_graph_parent(graph, c))
    if (!sc_graph_folded(graph, c))
      path[kept - ++i] = c;
  return kept;
}

bool sc_context_is_telling(const sc_analysis *analysis, const uint32_t *path, size_t i, size_t depth)
{
  const sc_model *own = sc_analysis_model(analysis, path[i]);
  if (depth <= PATH_MOST || i < 2 || i + 2 >= depth)
    return true;
  if (own->verdict != SC_VERDICT_MODEL)
    return false;
  for (size_t above = i; above-- > 0;) {
    const sc_model *model = sc_analysis_model(analysis, path[above]);
    if (model->verdict == SC_VERDICT_MODEL)
      return sc_model_compare_order(&own->order, &model->order) > 0;
  }
  return false;
}

void sc_context_path(const sc_graph *graph, const sc_analysis *analysis, uint32_t context, sc_buf *out)
{
  size_t levels = 1;
  for (uint32_t c = context; c; c = sc_graph_parent(graph, c))
    levels++;
  uint32_t *path = sc_mem_new(levels, sizeof *path);
  size_t depth = path ? sc_context_ancestry(graph, context, path, levels) : 0;
  out->failed |= !path;
  if (!depth)
    sc_context_step(graph, context, out);
  for (size_t i = 0; i < depth; i++) {
    bool cut = false;
    for (; !sc_context_is_telling(analysis, path, i, depth); i++)
      cut = true;
    const sc_location *location = sc_graph_at(graph, path[i]);
    if (i)
      sc_buf_puts(out, cut ? " > ... > " : " > ");
    if (location->kind == SC_LOCATION_FUNCTION || location->kind == SC_LOCATION_PROCESS)
      add_context_name(location, out);
    else
      sc_context_step(graph, path[i], out);
  }
  free(path);
}

void sc_context_functions(const sc_graph *graph, uint32_t context, size_t most, sc_buf *out)
{
  uint32_t path[256];
  size_t depth = sc_context_ancestry(graph, context, path, 256), count = 0;
  for (size_t i = 0; i < depth; i++)
    if (sc_graph_at(graph, path[i])->kind == SC_LOCATION_FUNCTION &&
        !sc_location_is_library(sc_graph_at(graph, path[i])))
      path[count++] = path[i];
  for (size_t i = 0; i < count; i++) {
    bool cut = count > most && i == 1;
    if (i)
      sc_buf_puts(out, cut ? " > ... > " : " > ");
    if (cut)
      i = count - most + 1;
    add_context_name(sc_graph_at(graph, path[i]), out);
  }
}

void sc_context_place(const sc_graph *graph, uint32_t context, sc_buf *out)
{
  sc_location spot = sc_graph_spot(graph, context);
  const char *file = spot.file;
  char here[4096];
  if (!*file)
    return;
  if (getcwd(here, sizeof here) && strcmp(here, "/") != 0) {
    size_t length = strlen(here);
    if (strncmp(file, here, length) == 0 && file[length] == '/')
      file += length + 1;
  }
  add_context_place(&spot, file, out);
}

const char *sc_context_counts(const sc_graph *graph, uint32_t context)
{
  return sc_location_unit(sc_graph_at(graph, context));
}

void sc_context_formula(const sc_model *model, const char *variable, sc_buf *out)
{
  char text[256];
  sc_model_format_brief(model, variable, 0, text, sizeof text);
  sc_buf_puts(out, text);
}

static bool same_written_place(const sc_location *a, const sc_location *b)
{
  bool work = a->kind == SC_LOCATION_WORK;
  if (a->kind != b->kind || a->local != b->local || strcmp(a->name, b->name) != 0)
    return false;
  if ((a->local || work) && strcmp(a->file, b->file) != 0)
    return false;
  return (a->kind != SC_LOCATION_LOOP && !work) || (a->line == b->line && a->column == b->column && a->nth == b->nth);
}

uint32_t sc_context_translate(const sc_graph *graph, uint32_t context, const sc_graph *other)
{
  if (!context)
    return 0;
  uint32_t parent = sc_context_translate(graph, sc_graph_parent(graph, context), other);
  if (parent == UINT32_MAX)
    return UINT32_MAX;
  const sc_location *wanted = sc_graph_at(graph, context);
  for (uint32_t c = sc_graph_first_child(other, parent); c; c = sc_graph_next_sibling(other, c))
    if (same_written_place(wanted, sc_graph_at(other, c)))
      return c;
  return UINT32_MAX;
}
