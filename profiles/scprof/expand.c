/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds a checked profile to a graph. What compilers and the run-time part put together is taken apart again: one
 * node counts for a function and all that was inlined into it, so each counter goes to the context that its source
 * had. Contexts exist only where something counted, as the tables name far more places than a run reaches. */
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "profiles/graph/internal.h"
#include "profiles/scprof/expand.h"

static int location_of(struct sc_expand *e, uint32_t function, uint32_t loc, uint32_t *number)
{
  uint32_t *known = &e->locations[e->first_loc[function] + loc];
  if (*known == SC_NONE) {
    sc_location location = sc_sites_location(&e->reader->functions[function], loc);
    SC_TRY(sc_graph_location(e->graph, &location, known));
  }
  *number = *known;
  return 0;
}

/* The nearest context at or above `base` that a call of the function repeats, or SC_NONE. Of a function in a system's
 * header, the program's own code must not lie between: it is called again for something else (std::function). */
static uint32_t expanded_repeated(const struct sc_expand *e, uint32_t base, uint32_t number)
{
  bool own = false;
  for (uint32_t above = base; above != e->process; above = sc_graph_parent(e->graph, above)) {
    const sc_location *at = sc_graph_at(e->graph, above);
    if (sc_graph_location_of(e->graph, above) == number)
      return own && sc_location_is_library(at) ? SC_NONE : above;
    own = own || (at->kind == SC_LOCATION_FUNCTION && !sc_location_is_library(at));
  }
  return SC_NONE;
}

/* The child of `base` for a function; or the context above that the call repeats. The run-time part collapses recursion
 * too, but it cannot see through inlining. */
static int function_context(struct sc_expand *e, uint32_t base, uint32_t number, uint32_t *context)
{
  sc_contexts *contexts = &e->graph->tree.contexts;
  *context = sc_contexts_find(contexts, base, number);
  if (*context == SC_NONE && sc_contexts_uses(contexts, number))
    *context = expanded_repeated(e, base, number);
  return *context == SC_NONE ? sc_graph_context(e->graph, base, number, context) : 0;
}

/* Notes the line of a call, unless recursion put the function into a context above that of the call. */
static void note_call(struct sc_expand *e, uint32_t base, uint32_t context, uint32_t line)
{
  if (sc_graph_parent(e->graph, context) == base)
    sc_graph_note_call(e->graph, context, line);
}

static int child_context(struct sc_expand *e, uint32_t parent, enum sc_location_kind kind, const char *name,
                         uint32_t *context)
{
  uint32_t number;
  SC_TRY(sc_graph_location(e->graph, &(sc_location){.kind = kind, .name = name}, &number));
  return sc_graph_context(e->graph, parent, number, context);
}

/* Makes the missing contexts from the outermost down: a loop's context needs that of the loop around it, whether or
 * not that one counted anything. */
int sc_expand_loc(struct sc_expand *e, uint32_t function, uint32_t loc, uint32_t *contexts, uint32_t *context)
{
  const struct sc_function *f = &e->reader->functions[function];
  while (contexts[loc] == SC_NONE) {
    uint32_t next = loc, number, made;
    while (contexts[f->locs[next].parent] == SC_NONE)
      next = f->locs[next].parent;
    uint32_t parent = contexts[f->locs[next].parent];
    SC_TRY(location_of(e, function, next, &number));
    if (f->locs[next].kind == SCALE_LOC_FUNCTION) {
      SC_TRY(function_context(e, parent, number, &made));
      note_call(e, parent, made, f->locs[next].nth);
    } else
      SC_TRY(sc_graph_context(e->graph, parent, number, &made));
    contexts[next] = made;
  }
  *context = contexts[loc];
  return 0;
}

/* Only the function's own context is made; those inside it when something is found to have counted there. */
int sc_expand_function(struct sc_expand *e, uint32_t function, uint32_t base, uint32_t line, uint32_t *contexts)
{
  uint32_t number;
  memset(contexts, 0xff, e->reader->functions[function].sites.loc_count * sizeof *contexts);
  SC_TRY(location_of(e, function, 0, &number));
  SC_TRY(function_context(e, base, number, &contexts[0]));
  note_call(e, base, contexts[0], line);
  return 0;
}

static int add_metric(struct sc_expand *e, uint32_t context, enum sc_metric metric, uint64_t value)
{
  return sc_graph_add(e->graph, e->run, context, metric, (double)value);
}

/* Counts a function called in `line` of `base`, and what stands inside it. `node` is NULL for a callee without one.
 * Without a node and without places that run once an entry, nothing inside is known, and the walk is spared. */
static int add_function(struct sc_expand *e, uint32_t function, uint32_t base, uint32_t line, const unsigned char *node,
                        uint64_t entries, uint32_t *contexts)
{
  const struct sc_function *f = &e->reader->functions[function];
  uint32_t context;
  SC_TRY(sc_expand_function(e, function, base, line, contexts));
  SC_TRY(add_metric(e, contexts[0], SC_METRIC_COUNT, sc_sites_count(f, 0, node, entries)));
  for (uint32_t loc = 1; loc < f->sites.loc_count && (node || f->entries_inside); loc++) {
    uint64_t count = sc_sites_count(f, loc, node, entries);
    if (!count)
      continue;
    SC_TRY(sc_expand_loc(e, function, loc, contexts, &context));
    SC_TRY(add_metric(e, context, SC_METRIC_COUNT, count));
  }
  return 0;
}

/* Constructors and destructors have several linkage names, which differ in one digit. */
static bool same_function(const char *a, const char *b)
{
  size_t i = 0;
  while (a[i] && a[i] == b[i])
    i++;
  if (!a[i] || !b[i])
    return a[i] == b[i];
  bool digits = a[i] >= '0' && a[i] <= '5' && b[i] >= '0' && b[i] <= '5';
  return i && strncmp(a, "_Z", 2) == 0 && digits && (a[i - 1] == 'C' || a[i - 1] == 'D') &&
         strcmp(a + i + 1, b + i + 1) == 0;
}

/* A named callee that lies outside the instrumented code, and through which another function was entered. */
static const char *foreign_callee(const struct sc_expand *e, const struct sc_function *owner,
                                  const struct sc_edge *edge)
{
  const struct scale_site_slot *slot = &owner->slots[edge->slot];
  if (slot->kind != SCALE_SLOT_OPEN || slot->callee == SCALE_NO_STRING || edge->key == SC_NONE)
    return NULL;
  const struct sc_function *entered = &e->reader->functions[edge->key];
  const char *callee = sc_sites_string(owner, slot->callee);
  return same_function(callee, sc_sites_string(entered, entered->locs[0].name)) ? NULL : callee;
}

/* Three sources say who was called, in this order: the slot's key, from the run; a record of the callee's name; the
 * name alone, where the callee is not instrumented. */
int sc_expand_callee(struct sc_expand *e, uint32_t parent, uint32_t line, const struct sc_function *owner,
                     const struct sc_edge *edge, uint32_t *function, uint32_t *context)
{
  uint32_t number;
  *context = SC_NONE;
  *function = edge->key;
  if (*function == SC_NONE && owner)
    *function = owner->callees[edge->slot];
  if (*function != SC_NONE || !owner || owner->slots[edge->slot].callee == SCALE_NO_STRING)
    return 0; /* without a function: its record is lost, and that is already counted */
  sc_location callee = sc_sites_callee(owner, edge->slot);
  SC_TRY(sc_graph_location(e->graph, &callee, &number));
  SC_TRY(function_context(e, parent, number, context));
  note_call(e, parent, *context, line);
  return 0;
}

/* Calls of a function that needed no node here, or whose node is lost. */
static int add_calls(struct sc_expand *e, uint32_t parent, uint32_t line, const struct sc_function *owner,
                     const struct sc_edge *edge)
{
  uint32_t function, context;
  SC_TRY(sc_expand_callee(e, parent, line, owner, edge, &function, &context));
  if (function != SC_NONE)
    return add_function(e, function, parent, line, NULL, edge->count, e->callee_contexts);
  return context == SC_NONE ? 0 : add_metric(e, context, SC_METRIC_COUNT, edge->count);
}

int sc_expand_below(struct sc_expand *e, const struct sc_function *owner, const struct sc_edge *edge, uint32_t *parent,
                    uint32_t *line)
{
  const char *foreign = owner ? foreign_callee(e, owner, edge) : NULL;
  *line = owner ? owner->slots[edge->slot].line : 0;
  if (!foreign)
    return 0;
  SC_TRY(child_context(e, *parent, SC_LOCATION_FOREIGN, foreign, parent));
  sc_graph_note_call(e->graph, *parent, *line);
  *line = 0; /* what it calls back, nobody calls in a line of the program */
  return 0;
}

/* `parent` is the context the call stands in. */
static int add_expanded_edge(struct sc_expand *e, uint32_t parent, const struct sc_function *owner, uint32_t index)
{
  const struct sc_edge *edge = &e->reader->edges[index];
  uint32_t line;
  SC_TRY(sc_expand_below(e, owner, edge, &parent, &line));
  if (edge->target == SC_NONE)
    return add_calls(e, parent, line, owner, edge);
  e->bases[edge->target] = parent;
  e->lines[edge->target] = line;
  return 0;
}

/* Whether the edge makes contexts of its own: recursion and truncation are counted at the node they lead to. */
static bool makes_contexts(const struct sc_expand *e, uint32_t index)
{
  const struct sc_edge *edge = &e->reader->edges[index];
  if (edge->target == SC_NONE)
    return edge->count != 0;
  return e->reader->nodes[edge->target].parent_edge == index && e->reader->nodes[edge->target].live;
}

/* Levels of recursion, from the stack one level took and the deepest stack seen; 0 if unknown. */
static uint64_t depth_of(const unsigned char *data)
{
  struct scale_node node;
  memcpy(&node, data, sizeof node);
  if (!node.stack_step || !node.stack_low || node.stack_low >= node.stack_high)
    return 0;
  return 1 + (node.stack_high - node.stack_low) / node.stack_step;
}

/* What leaves the function that acquires it belongs to the call of that function. */
static void call_outwards(const struct sc_expand *e, uint32_t node, struct sc_call *call)
{
  const struct sc_reader *reader = e->reader;
  for (bool out = true; out && !reader->nodes[node].truncated;) {
    const struct sc_edge *edge = &reader->edges[reader->nodes[node].parent_edge];
    if (edge->owner == SC_NONE || sc_graph_at(e->graph, e->bases[node])->kind == SC_LOCATION_FOREIGN)
      return;
    const struct scale_site_slot *slot = &reader->functions[reader->nodes[edge->owner].function].slots[edge->slot];
    *call = (struct sc_call){e->bases[node], slot->line, slot->column};
    out = slot->flags & SCALE_SLOT_OUT;
    node = edge->owner;
  }
}

/* Tallies come in the order of their nodes. */
static int place_tallies(struct sc_expand *e, uint32_t index)
{
  const struct sc_reader *reader = e->reader;
  for (; e->next_tally < reader->tally_count && reader->tallies[e->next_tally].node <= index; e->next_tally++) {
    const struct sc_tally *tally = &reader->tallies[e->next_tally];
    struct scale_tally data;
    if (tally->node < index)
      continue;
    memcpy(&data, reader->data + tally->offset, sizeof data);
    if (!sc_tallies_counted(&data))
      continue;
    const struct scale_site_event *site = sc_tallies_site(reader, tally);
    struct sc_call *call = &e->tallies[e->next_tally];
    SC_TRY(sc_expand_loc(e, reader->nodes[index].function, site->loc, e->contexts, &call->context));
    call->line = site->line;
    call->column = site->column;
    if (site->flags & SCALE_SITE_OUT)
      call_outwards(e, index, call);
  }
  return 0;
}

static int add_expanded_node(struct sc_expand *e, uint32_t index)
{
  const struct sc_node *node = &e->reader->nodes[index];
  const unsigned char *data = e->reader->data + node->offset;
  const struct sc_function *function = &e->reader->functions[node->function];
  uint32_t context;
  SC_TRY(add_function(e, node->function, e->bases[index], e->lines[index], data, node->entries, e->contexts));
  SC_TRY(add_metric(e, e->contexts[0], SC_METRIC_DEPTH, depth_of(data)));
  SC_TRY(place_tallies(e, index));
  for (uint32_t i = node->first_edge; i < node->first_edge + node->edge_count; i++) {
    if (!makes_contexts(e, i))
      continue;
    uint32_t loc = function->slots[e->reader->edges[i].slot].loc;
    SC_TRY(sc_expand_loc(e, node->function, loc, e->contexts, &context));
    SC_TRY(add_expanded_edge(e, context, function, i));
  }
  return 0;
}

int sc_expand_root(struct sc_expand *e, const struct sc_edge *edge, uint32_t *parent)
{
  if (edge->slot == 1 && e->truncated == SC_NONE)
    SC_TRY(child_context(e, e->process, SC_LOCATION_TRUNCATED, "", &e->truncated));
  *parent = edge->slot == 1 ? e->truncated : e->process;
  return 0;
}

static int add_roots(struct sc_expand *e)
{
  for (uint32_t i = 0; i < e->reader->root_edge_count; i++) {
    uint32_t parent;
    if (!makes_contexts(e, i))
      continue;
    SC_TRY(sc_expand_root(e, &e->reader->edges[i], &parent));
    SC_TRY(add_expanded_edge(e, parent, NULL, i));
  }
  return 0;
}

int sc_expand_begin(struct sc_expand *e)
{
  const struct sc_reader *reader = e->reader;
  size_t locs = 0, most = 0;
  e->truncated = SC_NONE;
  e->first_loc = sc_mem_new(reader->function_count, sizeof *e->first_loc);
  for (size_t i = 0; e->first_loc && i < reader->function_count; i++) {
    uint32_t count = reader->functions[i].sites.loc_count;
    e->first_loc[i] = (uint32_t)locs;
    locs += count;
    most = count > most ? count : most;
  }
  e->bases = sc_mem_new(reader->node_count, sizeof *e->bases);
  e->lines = sc_mem_new(reader->node_count, sizeof *e->lines);
  e->locations = sc_mem_new(locs, sizeof *e->locations);
  e->contexts = sc_mem_new(most, sizeof *e->contexts);
  e->callee_contexts = sc_mem_new(most, sizeof *e->callee_contexts);
  e->tallies = sc_mem_new(reader->tally_count, sizeof *e->tallies);
  if (!e->first_loc || !e->bases || !e->lines || !e->locations || !e->contexts || !e->callee_contexts || !e->tallies)
    return SC_E_NOMEM;
  memset(e->tallies, 0xff, reader->tally_count * sizeof *e->tallies);
  memset(e->locations, 0xff, locs * sizeof *e->locations);
  return child_context(e, 0, SC_LOCATION_PROCESS, sc_path_last(reader->info.exe), &e->process);
}

void sc_expand_end(struct sc_expand *e)
{
  free(e->tallies);
  free(e->bases);
  free(e->lines);
  free(e->first_loc);
  free(e->locations);
  free(e->contexts);
  free(e->callee_contexts);
}

static void add_expanded_totals(const struct sc_expand *e)
{
  const sc_reader_info *info = &e->reader->info;
  sc_run *run = sc_graph_run(e->graph, e->run);
  run->processes++;
  run->threads += info->threads;
  run->nodes += info->nodes;
  run->truncated_nodes += info->truncated_nodes;
  run->lost_bytes += info->lost_bytes;
  run->lost_records += info->lost_records;
  run->lost_events += info->lost_events;
  run->lost_processes += info->lost_children;
  if (!run->lost_reason)
    run->lost_reason = info->lost_reason;
  run->untimed += e->reader->tally_count && !info->timed;
}

/* Usage comes last: its rows stand at contexts that the nodes before have made. */
int sc_reader_merge(const sc_reader *reader, sc_graph *graph, size_t run)
{
  int err = 0;
  struct sc_expand e = {.reader = reader, .graph = graph, .run = run};
  if (run >= sc_graph_run_count(graph))
    return sc_err_set(SC_E_INTERNAL, "no such run (%zu)", run);
  SC_GOTO(sc_expand_begin(&e));
  SC_GOTO(add_roots(&e));
  for (uint32_t i = 0; i < reader->node_count; i++)
    if (reader->nodes[i].live)
      SC_GOTO(add_expanded_node(&e, i));
  SC_GOTO(sc_expand_usages(reader, graph, run, e.tallies));
  add_expanded_totals(&e);
out:
  sc_expand_end(&e);
  return err;
}
