/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which context of one side is which of the other: by locations, then through functions that came or went. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "transitions/compare/internal.h"
#include "transitions/model/tuning.h"

typedef struct pairs {
  uint32_t *heads; /* [count] matched contexts, a parent's pair before those below */
  size_t count, capacity;
  size_t done;      /* whose children were matched */
  uint32_t *child;  /* [places of the head] the child for a location of the context looked at last ... */
  uint32_t *parent; /* ... which is this one */
} pairs;

static int match_places(sc_compared *c, pairs *p, uint32_t base, uint32_t head)
{
  SC_TRY(sc_mem_grow(&p->heads, &p->capacity, p->count + 1, sizeof *p->heads));
  c->base.mate[base] = head;
  c->head.mate[head] = base;
  p->heads[p->count++] = head;
  return 0;
}

static int match_children(sc_compared *c, pairs *p, uint32_t base, uint32_t head)
{
  for (uint32_t h = sc_graph_first_child(c->head.graph, head); h; h = sc_graph_next_sibling(c->head.graph, h)) {
    uint32_t l = sc_graph_location_of(c->head.graph, h);
    p->child[l] = h;
    p->parent[l] = head;
  }
  for (uint32_t b = sc_graph_first_child(c->base.graph, base); b; b = sc_graph_next_sibling(c->base.graph, b)) {
    uint32_t l = c->base.places[sc_graph_location_of(c->base.graph, b)].mate;
    if (l == SC_NONE || !p->child[l] || p->parent[l] != head)
      continue;
    if (c->base.mate[b] == SC_COMPARE_NONE && c->head.mate[p->child[l]] == SC_COMPARE_NONE)
      SC_TRY(match_places(c, p, b, p->child[l]));
  }
  return 0;
}

static int match_down(sc_compared *c, pairs *p)
{
  while (p->done < p->count) {
    uint32_t head = p->heads[p->done++];
    SC_TRY(match_children(c, p, c->head.mate[head], head));
  }
  return 0;
}

typedef struct frontier {
  bool rest; /* something was left out there */
  uint32_t list[SC_MATCHING_CONTEXTS];
  unsigned char depth[SC_MATCHING_CONTEXTS];
  size_t count;
} frontier;

static void look_through(const sc_side *s, uint32_t context, unsigned depth, frontier *to)
{
  for (uint32_t c = sc_graph_first_child(s->graph, context); c && to->count < SC_MATCHING_CONTEXTS;
       c = sc_graph_next_sibling(s->graph, c)) {
    if (s->mate[c] != SC_COMPARE_NONE)
      continue;
    to->rest |= sc_sides_is_rest(s, c);
    to->depth[to->count] = (unsigned char)depth;
    to->list[to->count++] = c;
    if (depth < SC_MATCHING_DEPTH)
      look_through(s, c, depth + 1, to);
  }
}

static bool runs_alike(const sc_compared *c, uint32_t base, uint32_t head)
{
  sc_difference d =
      sc_grid_compare(&c->grid, sc_sides_curve(&c->base, base), sc_sides_curve(&c->head, head), NULL, NULL, true);
  return d.points && (d.equal || d.worst <= SC_LIKENESS_ALIKE);
}

/* The same location nearer to or farther from the pair: a function was inlined or extracted in between. */
static int match_displaced(sc_compared *c, pairs *p, const frontier *base, const frontier *head)
{
  for (size_t i = 0; i < base->count; i++) {
    uint32_t wanted = c->base.places[sc_graph_location_of(c->base.graph, base->list[i])].mate;
    size_t best = head->count;
    bool doubtful = base->rest || head->rest; /* its counterpart may have been left out */
    for (size_t k = 0; wanted != SC_NONE && k < head->count; k++)
      if (sc_graph_location_of(c->head.graph, head->list[k]) == wanted &&
          c->head.mate[head->list[k]] == SC_COMPARE_NONE &&
          (!doubtful || runs_alike(c, base->list[i], head->list[k])) &&
          (best == head->count || abs(head->depth[k] - base->depth[i]) < abs(head->depth[best] - base->depth[i])))
        best = k;
    if (best < head->count && c->base.mate[base->list[i]] == SC_COMPARE_NONE)
      SC_TRY(match_places(c, p, base->list[i], head->list[best]));
  }
  return match_down(c, p);
}

static bool is_free_loop(const sc_side *s, uint32_t context)
{
  return s->mate[context] == SC_COMPARE_NONE && sc_graph_at(s->graph, context)->kind == SC_LOCATION_LOOP;
}

/* A loop in a function that came or went may be one that stood elsewhere under this pair: it runs as often, or makes
 * the same calls. 0: it is not. */
static double alike_loops(const sc_compared *c, uint32_t base, uint32_t head)
{
  sc_difference d =
      sc_grid_compare(&c->grid, sc_sides_curve(&c->base, base), sc_sides_curve(&c->head, head), NULL, NULL, true);
  double calls = sc_likeness_children(c, base, head);
  bool alike = d.points && (d.equal || d.worst <= SC_LIKENESS_ALIKE);
  if (!alike && calls < SC_LIKENESS_CALLS)
    return 0;
  return (alike ? d.equal ? 3 : 2 : 0) + (calls < 0 ? 0.5 : 2 * calls);
}

static int match_moved_loops(sc_compared *c, pairs *p, const frontier *base, const frontier *head)
{
  for (size_t i = 0; i < base->count; i++) {
    size_t best = head->count;
    double most = 0;
    if (!is_free_loop(&c->base, base->list[i]))
      continue;
    for (size_t k = 0; k < head->count; k++) {
      if (!is_free_loop(&c->head, head->list[k]))
        continue;
      double points = alike_loops(c, base->list[i], head->list[k]);
      if (points > most) {
        most = points;
        best = k;
      }
    }
    if (best < head->count) {
      SC_TRY(match_places(c, p, base->list[i], head->list[best]));
      SC_TRY(match_down(c, p));
    }
  }
  return 0;
}

static int match_through(sc_compared *c, pairs *p, uint32_t base, uint32_t head)
{
  frontier *both = sc_mem_new(2, sizeof *both);
  int err = SC_E_NOMEM;
  if (!both)
    return err;
  look_through(&c->base, base, 1, &both[0]);
  look_through(&c->head, head, 1, &both[1]);
  if (!both[0].count || !both[1].count)
    err = 0;
  else
    err = match_displaced(c, p, &both[0], &both[1]);
  if (err == 0 && both[0].count && both[1].count)
    err = match_moved_loops(c, p, &both[0], &both[1]);
  free(both);
  return err;
}

static bool has_free_child(const sc_side *s, uint32_t context)
{
  for (uint32_t c = sc_graph_first_child(s->graph, context); c; c = sc_graph_next_sibling(s->graph, c))
    if (s->mate[c] == SC_COMPARE_NONE)
      return true;
  return false;
}

static bool is_renamed(const sc_compared *c, uint32_t base, uint32_t head)
{
  const sc_location *b = sc_graph_at(c->base.graph, base), *h = sc_graph_at(c->head.graph, head);
  uint32_t above = sc_graph_parent(c->head.graph, head);
  return strcmp(b->name, h->name) != 0 || strcmp(sc_path_last(b->file), sc_path_last(h->file)) != 0 ||
         c->head.mate[above] != sc_graph_parent(c->base.graph, base);
}

int sc_matching_run(sc_compared *c)
{
  int err = SC_E_NOMEM;
  pairs p = {.child = sc_mem_new(c->head.place_count, sizeof *p.child),
             .parent = sc_mem_new(c->head.place_count, sizeof *p.parent)};
  if (!p.child || !p.parent)
    goto out;
  SC_GOTO(match_places(c, &p, 0, 0));
  SC_GOTO(match_down(c, &p));
  for (size_t i = 0; i < p.count; i++) {
    uint32_t head = p.heads[i], base = c->head.mate[head];
    if (has_free_child(&c->head, head) && has_free_child(&c->base, base))
      SC_GOTO(match_through(c, &p, base, head));
  }
  for (size_t i = 1; i < p.count; i++) /* the root is no context of the program */
    c->out->renamed += is_renamed(c, c->head.mate[p.heads[i]], p.heads[i]);
  c->out->matched = p.count - 1;
out:
  free(p.heads);
  free(p.child);
  free(p.parent);
  return err;
}
