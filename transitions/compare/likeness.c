/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How alike two functions or loops are: the evidence for a rename. docs/diff.md has the points. */
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "transitions/compare/internal.h"
#include "transitions/model/tuning.h"

enum { CALLEES = 64 };

/* Dice's coefficient of the pairs of letters. */
static double alike_names(const char *a, const char *b)
{
  size_t x = strlen(a), y = strlen(b), common = 0;
  bool used[128] = {false};
  if (strcmp(a, b) == 0)
    return 1;
  if (x < 2 || y < 2 || x > 128 || y > 128)
    return 0;
  for (size_t i = 0; i + 1 < x; i++)
    for (size_t k = 0; k + 1 < y; k++)
      if (!used[k] && a[i] == b[k] && a[i + 1] == b[k + 1]) {
        used[k] = true;
        common++;
        break;
      }
  return 2.0 * (double)common / (double)(x + y - 2);
}

/* The name without template arguments and parameters: "ns::list<int>::push(int)" is "ns::list::push". */
static void stem_of(const char *display, char *stem, size_t room)
{
  size_t length = 0;
  int depth = 0;
  for (; *display && (*display != '(' || depth) && length + 1 < room; display++) {
    depth += *display == '<';
    if (!depth)
      stem[length++] = *display;
    depth -= *display == '>' && depth > 0;
  }
  stem[length] = '\0';
}

static bool same_stem(const sc_location *a, const sc_location *b)
{
  char x[512], y[512];
  if (!strchr(a->display, '(') && !strchr(b->display, '('))
    return false; /* C */
  stem_of(a->display, x, sizeof x);
  stem_of(b->display, y, sizeof y);
  return *x && strcmp(x, y) == 0;
}

/* What the contexts of a location call, through loops: distinct locations. */
typedef struct callees {
  uint32_t list[CALLEES];
  size_t count, loops;
} callees;

static void add_callees(const sc_side *s, uint32_t context, unsigned depth, callees *to)
{
  for (uint32_t c = sc_graph_first_child(s->graph, context); c; c = sc_graph_next_sibling(s->graph, c)) {
    uint32_t l = sc_graph_location_of(s->graph, c);
    size_t i = 0;
    if (s->places[l].at->kind == SC_LOCATION_WORK) /* what a function is like is known before its calls are paired */
      continue;
    if (s->places[l].at->kind == SC_LOCATION_LOOP) {
      to->loops++;
      if (depth < 16)
        add_callees(s, c, depth + 1, to);
      continue;
    }
    while (i < to->count && to->list[i] != l)
      i++;
    if (i == to->count && i < CALLEES)
      to->list[to->count++] = l;
  }
}

static double alike_callees(const sc_compared *c, const callees *base, const callees *head)
{
  double common = 0;
  for (size_t i = 0; i < base->count; i++)
    for (size_t k = 0; k < head->count; k++)
      common += c->base.places[base->list[i]].mate == head->list[k];
  size_t most = base->count > head->count ? base->count : head->count;
  return most ? common / (double)most : -1;
}

static callees callees_of_place(const sc_side *s, uint32_t location)
{
  callees all = {.count = 0};
  unsigned looked = 0;
  for (uint32_t i = s->places[location].first; looked < SC_LIKENESS_CONTEXTS && (i || !looked);
       i = s->next[i], looked++)
    add_callees(s, i, 0, &all);
  return all;
}

double sc_likeness_children(const sc_compared *c, uint32_t base, uint32_t head)
{
  callees x = {.count = 0}, y = {.count = 0};
  add_callees(&c->base, base, 0, &x);
  add_callees(&c->head, head, 0, &y);
  return alike_callees(c, &x, &y);
}

static uint32_t likeness_caller(const sc_side *s, uint32_t context)
{
  do
    context = sc_graph_parent(s->graph, context);
  while (context && sc_graph_at(s->graph, context)->kind == SC_LOCATION_LOOP);
  return sc_graph_location_of(s->graph, context);
}

/* Share of the callers of the one that call the other too. */
static double alike_callers(const sc_compared *c, const sc_place *base, const sc_place *head)
{
  double common = 0, all = 0;
  for (uint32_t i = base->first; i && all < SC_LIKENESS_CONTEXTS; i = c->base.next[i], all++) {
    uint32_t wanted = c->base.places[likeness_caller(&c->base, i)].mate, looked = 0;
    for (uint32_t k = head->first; k && looked < SC_LIKENESS_CONTEXTS; k = c->head.next[k], looked++)
      if (likeness_caller(&c->head, k) == wanted) {
        common++;
        break;
      }
  }
  return all > 0 ? common / all : 0;
}

static double points_of_curve(const sc_difference *d, bool *alike)
{
  *alike = d->points && (d->equal || d->worst <= SC_LIKENESS_ALIKE);
  return !d->points ? 0 : d->equal ? SC_LIKENESS_SAME_CURVE : *alike ? SC_LIKENESS_ALIKE_CURVE : 0;
}

double sc_likeness_functions(const sc_compared *c, uint32_t base, uint32_t head)
{
  const sc_place *b = &c->base.places[base], *h = &c->head.places[head];
  bool stem = same_stem(b->at, h->at), alike;
  double callers = alike_callers(c, b, h);
  if (!(callers > 0) && !stem)
    return 0;
  double names = alike_names(b->at->name, h->at->name);
  callees x = callees_of_place(&c->base, base), y = callees_of_place(&c->head, head);
  double calls = alike_callees(c, &x, &y);
  sc_difference d = sc_grid_compare(&c->grid, c->base.totals + base * c->base.size_count,
                                    c->head.totals + head * c->head.size_count, NULL, NULL, true);
  double points = points_of_curve(&d, &alike) + SC_LIKENESS_CALLERS * callers + SC_LIKENESS_NAMES * names +
                  (stem ? SC_LIKENESS_STEM : 0);
  bool same_file = strcmp(sc_path_last(b->file), sc_path_last(h->file)) == 0;
  if (!alike && !stem && names < SC_LIKENESS_NAME && (calls < SC_LIKENESS_CALLS || x.count < 2))
    return 0;
  points += calls < 0 ? (x.loops == y.loops) : SC_LIKENESS_CALLED * calls;
  points += same_file;
  points += same_file && labs((long)b->at->line - (long)h->at->line) <= SC_LIKENESS_NEAR;
  points += x.loops && x.loops == y.loops;
  return points;
}

/* Loops of the same function around a context. */
static unsigned likeness_nesting(const sc_side *s, uint32_t context)
{
  unsigned depth = 0;
  while ((context = sc_graph_parent(s->graph, context)) && sc_graph_at(s->graph, context)->kind == SC_LOCATION_LOOP)
    depth++;
  return depth;
}

double sc_likeness_loops(const sc_compared *c, uint32_t base, uint32_t head)
{
  const sc_place *b = &c->base.places[base], *h = &c->head.places[head];
  if (b->at->kind == SC_LOCATION_WORK && strcmp(b->at->name, h->at->name) != 0)
    return 0; /* another library function */
  const sc_place *f = &c->base.places[b->function], *g = &c->head.places[h->function];
  size_t bs = c->base.size_count, hs = c->head.size_count;
  bool each_alike, alike;
  sc_difference each = sc_grid_compare(&c->grid, c->base.totals + base * bs, c->head.totals + head * hs,
                                       c->base.totals + b->function * bs, c->head.totals + h->function * hs, true);
  sc_difference all =
      sc_grid_compare(&c->grid, c->base.totals + base * bs, c->head.totals + head * hs, NULL, NULL, true);
  double points = 0.5 + SC_LIKENESS_EACH * points_of_curve(&each, &each_alike) + (points_of_curve(&all, &alike) > 0);
  long moved = ((long)b->at->line - (long)f->at->line) - ((long)h->at->line - (long)g->at->line);
  points += moved == 0 ? SC_LIKENESS_UNMOVED : b->at->line == h->at->line ? SC_LIKENESS_LINE : 0;
  points += b->at->column == h->at->column ? SC_LIKENESS_COLUMN : 0;
  points += likeness_nesting(&c->base, b->first) == likeness_nesting(&c->head, h->first) ? 1 : -1;
  callees x = callees_of_place(&c->base, base), y = callees_of_place(&c->head, head);
  double calls = alike_callees(c, &x, &y);
  return points + SC_LIKENESS_LOOP_CALLS * (calls < 0 ? 0.25 : calls);
}
