/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a study's contexts are and where, whatever the sizes and the combination of further parameters. */
#include <stdlib.h>

#include "base/buf.h"
#include "profiles/graph/shorten.h"
#include "runner/page/parts.h"

static uint32_t count_locations(const sc_graph *graph)
{
  uint32_t most = 0;
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    most = sc_graph_location_of(graph, c) > most ? sc_graph_location_of(graph, c) : most;
  return most + 1;
}

/* What people call each location, by number. */
static int write_briefs(const sc_page_study *study, sc_page_json *json, const sc_location *const *list, uint32_t count)
{
  sc_page_open(json, "briefs", '[');
  for (uint32_t i = 0; i < count; i++) {
    uint32_t name = 0;
    sc_buf brief = {0};
    if (list[i])
      sc_shorten_name(list[i]->display, &brief);
    int err = sc_buf_finish(&brief) ?: sc_page_strings_add(study->strings, brief.text, &name);
    sc_buf_free(&brief);
    SC_TRY(err);
    sc_page_integer(json, NULL, name);
  }
  sc_page_close(json, ']');
  return 0;
}

/* [kind, name, file, line, column] each; of work its unit and how many executions one is, too. Texts by number. */
static int write_locations(const sc_page_study *study, sc_page_json *json)
{
  const sc_graph *graph = study->judge->loaded.graph;
  uint32_t count = count_locations(graph);
  int err = 0;
  const sc_location **list;
  SC_TRY(SC_NEW(list, count));
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    list[sc_graph_location_of(graph, c)] = sc_graph_at(graph, c);
  sc_page_open(json, "kinds", '[');
  for (int kind = SC_LOCATION_ROOT; kind <= SC_LOCATION_WORK; kind++)
    sc_page_text(json, NULL, sc_location_kind_name((enum sc_location_kind)kind));
  sc_page_close(json, ']');
  sc_page_open(json, "locations", '[');
  for (uint32_t i = 0; i < count; i++) {
    static const sc_location none = {.name = "", .display = "", .file = ""};
    const sc_location *at = list[i] ? list[i] : &none;
    uint32_t name, file;
    SC_GOTO(sc_page_strings_add(study->strings, at->display, &name));
    SC_GOTO(sc_page_strings_add(study->strings, at->file, &file));
    sc_page_open(json, NULL, '[');
    sc_page_integer(json, NULL, at->kind);
    sc_page_integer(json, NULL, name);
    sc_page_integer(json, NULL, file);
    sc_page_integer(json, NULL, at->line);
    sc_page_integer(json, NULL, at->column);
    if (at->kind == SC_LOCATION_WORK) {
      sc_page_text(json, NULL, sc_location_unit(at));
      sc_page_number(json, NULL, sc_location_weight(at), 17);
    }
    sc_page_close(json, ']');
  }
  sc_page_close(json, ']');
  SC_GOTO(write_briefs(study, json, list, count));
out:
  free(list);
  return err;
}

/* Calls from the user's code into a system header, whose place is that of the call. */
static void write_library(const sc_graph *graph, sc_page_json *json)
{
  uint32_t through;
  sc_page_open(json, "library", '[');
  for (uint32_t i = 0; i < sc_graph_context_count(graph); i++)
    if (sc_graph_written(graph, i, &through) != i && through == i && sc_graph_call_line(graph, i))
      sc_page_integer(json, NULL, i);
  sc_page_close(json, ']');
}

int sc_page_tree_write(const sc_page_study *study, sc_page_json *json)
{
  const sc_graph *graph = study->judge->loaded.graph;
  uint32_t contexts = sc_graph_context_count(graph);
  SC_TRY(write_locations(study, json));
  sc_page_open(json, "contexts", '{');
  sc_page_open(json, "parent", '['); /* as the distance: small numbers compress */
  for (uint32_t i = 0; i < contexts; i++)
    sc_page_integer(json, NULL, i - sc_graph_parent(graph, i));
  sc_page_close(json, ']');
  sc_page_open(json, "location", '[');
  for (uint32_t i = 0; i < contexts; i++)
    sc_page_integer(json, NULL, sc_graph_location_of(graph, i));
  sc_page_close(json, ']');
  sc_page_open(json, "line", '['); /* of the call, in the file of what calls it */
  for (uint32_t i = 0; i < contexts; i++)
    sc_page_integer(json, NULL, sc_graph_call_line(graph, i));
  sc_page_close(json, ']');
  sc_page_open(json, "folded", '['); /* parts of a library's call: no frames of their own; its work has some */
  for (uint32_t i = 0; i < contexts; i++)
    if (sc_graph_at(graph, i)->kind != SC_LOCATION_WORK && sc_graph_folded(graph, i))
      sc_page_integer(json, NULL, i);
  sc_page_close(json, ']');
  write_library(graph, json);
  sc_page_close(json, '}');
  return 0;
}
