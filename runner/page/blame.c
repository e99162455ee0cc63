/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data of who waits for a resource. */
#include "runner/blame/blame.h"
#include "runner/page/parts.h"
#include "runner/text/tuning.h"

static void write_end(const sc_page_study *study, const char *key, const sc_blame_end *end, sc_page_json *json)
{
  const sc_graph *graph = study->judge->loaded.graph;
  sc_page_open(json, key, '{');
  sc_page_integer(json, "context", end->context == SC_USAGE_NONE ? -1 : (int64_t)end->context);
  sc_page_text(json, "via", end->via);
  sc_page_integer(json, "line", end->line);
  sc_page_integer(json, "column", sc_usage_telling_column(graph, end->context, end->line, end->column));
  sc_page_bool(json, "shared", end->shared);
  sc_page_close(json, '}');
}

static void write_edge(const sc_page_study *study, const sc_blame_edge *edge, sc_page_json *json)
{
  sc_page_open(json, NULL, '{');
  write_end(study, "waiter", &edge->waiter, json);
  write_end(study, "holder", &edge->holder, json);
  sc_page_number(json, "waits", edge->waits[SC_BLAME_LARGE].count, 5);
  sc_page_number(json, "seconds", edge->waits[SC_BLAME_LARGE].seconds, 5);
  sc_page_number(json, "waits_small", edge->waits[SC_BLAME_SMALL].count, 5);
  sc_page_number(json, "seconds_small", edge->waits[SC_BLAME_SMALL].seconds, 5);
  sc_page_number(json, "share", edge->share, 5);
  sc_page_close(json, '}');
}

int sc_page_blame_write(sc_page_study *study, uint32_t resource, sc_page_json *json)
{
  sc_blame_view view;
  int err = sc_blame_view_make(study->judge, resource, &view);
  if (err == 0 && view.blame.edge_count) {
    sc_page_open(json, "blame", '{');
    sc_page_number(json, "small", view.blame.sizes[SC_BLAME_SMALL], 17);
    sc_page_number(json, "large", view.blame.sizes[SC_BLAME_LARGE], 17);
    sc_page_bool(json, "expected", view.blame.expected);
    sc_page_integer(json, "edge_count", (int64_t)view.blame.edge_count);
    sc_page_open(json, "edges", '[');
    for (size_t i = 0; i < view.blame.edge_count && i < SC_PAGE_EDGES; i++)
      write_edge(study, &view.blame.edges[i], json);
    sc_page_close(json, ']');
    sc_page_close(json, '}');
  }
  sc_blame_view_free(&view);
  return err;
}
