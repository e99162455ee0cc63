/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wait-for picture for Graphviz. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/graph/shorten.h"
#include "runner/blame/blame.h"
#include "runner/resources/words.h"
#include "runner/text/context.h"

static const double thinnest = 1, thickest = 6;

typedef struct drawing {
  const sc_blame_view *view;
  sc_blame_end *nodes; /* [node_count] */
  size_t node_count;
  sc_buf text;
} drawing;

static bool same_end(const sc_blame_end *a, const sc_blame_end *b)
{
  return a->context == b->context && (a->context == SC_USAGE_NONE || (a->line == b->line && a->column == b->column));
}

static void dot_quoted(sc_buf *out, const char *text)
{
  for (; *text; text++)
    if (*text == '\n')
      sc_buf_puts(out, "\\n");
    else {
      if (*text == '"' || *text == '\\')
        sc_buf_puts(out, "\\");
      sc_buf_add(out, text, 1);
    }
}

/* Task and call: "worker\nput (cache.c:80)". */
static void add_label(drawing *d, const sc_blame_end *end)
{
  const sc_workload *workload = d->view->judge->loaded.workload;
  const sc_graph *graph = d->view->judge->loaded.graph;
  sc_buf label = {0};
  if (end->context == SC_USAGE_NONE)
    sc_buf_puts(&label, "not known");
  else {
    uint32_t task = sc_graph_task(graph, end->context, (const char *const *)workload->tasks, workload->task_count);
    if (task != end->context) {
      sc_shorten_name(sc_graph_at(graph, task)->display, &label);
      sc_buf_puts(&label, "\n");
    }
    sc_context_call(graph, end->context, end->line, end->column, &label);
  }
  if (sc_buf_finish(&label) == 0)
    dot_quoted(&d->text, label.text);
  else
    d->text.failed = true;
  sc_buf_free(&label);
}

/* Nodes of one cluster are no other's. */
static void add_node(drawing *d, size_t node)
{
  if (d->view->number)
    sc_buf_printf(&d->text, "p%zu_", d->view->number);
  sc_buf_printf(&d->text, "c%zu", node);
}

static void add_arrow(drawing *d, size_t from, size_t to)
{
  sc_buf_puts(&d->text, "  ");
  add_node(d, from);
  sc_buf_puts(&d->text, " -> ");
  add_node(d, to);
}

static size_t node_of(drawing *d, const sc_blame_end *end)
{
  for (size_t i = 0; i < d->node_count; i++)
    if (same_end(&d->nodes[i], end))
      return i;
  d->nodes[d->node_count] = *end;
  sc_buf_puts(&d->text, "  ");
  add_node(d, d->node_count);
  sc_buf_puts(&d->text, " [label=\"");
  add_label(d, end);
  sc_buf_puts(&d->text, end->context == SC_USAGE_NONE ? "\", style=dashed];\n" : "\"];\n");
  return d->node_count++;
}

static void add_dot_resource(drawing *d, uint32_t resource)
{
  sc_buf name = {0};
  sc_resource_words_name(sc_usage_resource_at(d->view->judge->loaded.graph, resource), &name);
  if (sc_buf_finish(&name) == 0)
    dot_quoted(&d->text, name.text);
  else
    d->text.failed = true;
  sc_buf_free(&name);
}

/* Which of the combinations of further parameters it is: "threads = 64\n". */
static void add_dot_place(drawing *d)
{
  const sc_judge *judge = d->view->judge;
  const sc_workload *workload = judge->loaded.workload;
  for (size_t i = 0; i < workload->other_count; i++) {
    sc_buf_puts(&d->text, i ? ", " : "");
    dot_quoted(&d->text, workload->others[i].name);
    sc_buf_printf(&d->text, " = %s", sc_format_number(sc_judge_other(judge, i)).s);
  }
  sc_buf_puts(&d->text, "\\n");
}

static void add_dot_size(drawing *d, double n) { sc_blame_view_size(d->view, n, &d->text); }

static bool in_chain(const drawing *d, const sc_blame_edge *edge)
{
  const sc_blame *blame = &d->view->blame;
  for (size_t i = 0; i < blame->chain_count; i++)
    if (blame->chain[i].resource == edge->resource && same_end(&blame->chain[i].waiter, &edge->waiter) &&
        same_end(&blame->chain[i].holder, &edge->holder))
      return true;
  return false;
}

static void add_edge(drawing *d, const sc_blame_edge *edge)
{
  const sc_blame_view *view = d->view;
  const sc_blame_sum *waits = &edge->waits[SC_BLAME_LARGE];
  size_t from = node_of(d, &edge->waiter), to = node_of(d, &edge->holder);
  add_arrow(d, from, to);
  sc_buf_printf(&d->text, " [label=\"%s", sc_format_percent(edge->share).s);
  if (waits->count > 0)
    sc_buf_printf(&d->text, ", %s waits, %s", sc_resource_words_times(waits->count).s,
                  sc_format_seconds(waits->seconds).s);
  for (size_t t = 0; t < view->target_count; t++) {
    if (!isfinite(view->seconds[t].value))
      continue;
    sc_buf_puts(&d->text, "\\n");
    sc_judge_describe(view->judge, view->targets[t], &d->text);
    sc_buf_printf(&d->text, ": %s", sc_format_seconds(view->seconds[t].value * edge->share).s);
  }
  sc_buf_printf(&d->text, "\", penwidth=%.2f%s%s];\n", thinnest + (thickest - thinnest) * edge->share,
                view->blame.expected ? ", style=dashed" : "", in_chain(d, edge) ? ", color=red" : "");
}

/* What the holders themselves wait for. */
static void add_dot_chain(drawing *d)
{
  const sc_blame *blame = &d->view->blame;
  for (size_t i = 1; i < blame->chain_count; i++) {
    const sc_blame_step *before = &blame->chain[i - 1], *step = &blame->chain[i];
    const sc_blame_sum *waits = &step->waits[SC_BLAME_LARGE];
    size_t held = node_of(d, &before->holder), from = node_of(d, &step->waiter), to = node_of(d, &step->holder);
    if (held != from) {
      add_arrow(d, held, from);
      sc_buf_puts(&d->text, " [label=\"meanwhile\", style=dotted, color=red];\n");
    }
    add_arrow(d, from, to);
    sc_buf_puts(&d->text, " [label=\"");
    add_dot_resource(d, step->resource);
    sc_buf_printf(&d->text, "\\n%s waits, %s\", penwidth=%.2f, color=red];\n", sc_resource_words_times(waits->count).s,
                  sc_format_seconds(waits->seconds).s, thinnest + (thickest - thinnest) * step->share);
  }
  if (blame->end != SC_BLAME_HOLDER)
    return;
  size_t culprit = node_of(d, &blame->chain[blame->chain_count - 1].holder);
  sc_buf_puts(&d->text, "  ");
  add_node(d, culprit);
  sc_buf_puts(&d->text, " [style=filled, fillcolor=mistyrose];\n");
}

int sc_blame_print_dot(FILE *out, const sc_blame_view *view)
{
  const sc_blame *blame = &view->blame;
  drawing d = {.view = view};
  SC_TRY(SC_NEW(d.nodes, 2 * (blame->edge_count + blame->chain_count)));
  if (view->number) {
    sc_buf_printf(&d.text, "subgraph cluster_%zu {\n  label=\"", view->number);
    add_dot_place(&d);
  } else {
    sc_buf_puts(&d.text, "digraph blame {\n  rankdir=LR;\n  node [shape=box];\n  label=\"");
  }
  add_dot_resource(&d, view->resource);
  sc_buf_puts(&d.text, blame->expected ? ": nobody waits yet at " : ": who waits for whom at ");
  add_dot_size(&d, blame->sizes[SC_BLAME_LARGE]);
  sc_buf_puts(&d.text, "\";\n");
  for (size_t i = 0; i < blame->edge_count; i++)
    add_edge(&d, &blame->edges[i]);
  add_dot_chain(&d);
  sc_buf_puts(&d.text, "}\n");
  int err = sc_buf_finish(&d.text);
  if (err == 0)
    fputs(d.text.text, out);
  sc_buf_free(&d.text);
  free(d.nodes);
  return err;
}
