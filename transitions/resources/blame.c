/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/blame.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/resources/blame_sums.h"

static const double worth_following = 0.1; /* of a holder's time with the resource */
static const double tolerance = 1.05;      /* of times that are compared */

static const sc_blame_end nobody = {.context = SC_USAGE_NONE};

static void find_sizes(sc_blame_slice *s, const double *others)
{
  double *sizes = s->blame->sizes;
  sizes[SC_BLAME_SMALL] = INFINITY;
  sizes[SC_BLAME_LARGE] = 0;
  for (size_t run = 0; run < sc_graph_run_count(s->graph); run++) {
    const sc_run *info = sc_graph_run_const(s->graph, run);
    if (!sc_blame_takes(s->graph, run, others))
      continue;
    sizes[SC_BLAME_SMALL] = fmin(sizes[SC_BLAME_SMALL], info->n);
    sizes[SC_BLAME_LARGE] = fmax(sizes[SC_BLAME_LARGE], info->n);
  }
}

static bool below(const sc_graph *graph, uint32_t context, uint32_t top)
{
  while (context > top) /* a parent's number is smaller than its children's */
    context = sc_graph_parent(graph, context);
  return context == top;
}

static uint32_t common(const sc_graph *graph, uint32_t a, uint32_t b)
{
  while (a != b)
    if (a > b)
      a = sc_graph_parent(graph, a);
    else
      b = sc_graph_parent(graph, b);
  return a;
}

/* The context in which the holder has it: its own if it is released in there too, else the nearest one around both, as
 * for a function that only locks. */
static uint32_t region(const sc_blame_slice *s, const sc_blame_row *holder)
{
  const sc_blame_sums *large = &s->sums[SC_BLAME_LARGE];
  uint32_t nearest = 0, own = holder->at.context;
  for (size_t i = 0; i < large->row_count; i++) {
    const sc_blame_row *row = &large->rows[i];
    if (row->resource != holder->resource || row->values[SC_USAGE_RELEASES] <= 0)
      continue;
    uint32_t both = common(s->graph, own, row->at.context);
    nearest = both > nearest ? both : nearest;
  }
  enum sc_location_kind kind = sc_graph_at(s->graph, nearest)->kind;
  return kind == SC_LOCATION_FUNCTION || kind == SC_LOCATION_LOOP ? nearest : own;
}

static uint32_t function_of(const sc_graph *graph, uint32_t context)
{
  while (context && sc_graph_at(graph, context)->kind == SC_LOCATION_LOOP)
    context = sc_graph_parent(graph, context);
  return context;
}

/* Whether `wait` can be inside of the holder's holds: behind it in the source, or not longer than they are, nor its
 * own holds longer than those around them. A condition's wait gives its lock back, and tells nothing. */
static bool inside(const sc_blame_slice *s, const sc_blame_row *wait, const sc_blame_row *holder)
{
  double held = sc_blame_holds(holder).seconds, waited = sc_blame_waits(wait).seconds;
  enum sc_resource_class kind = sc_usage_resource_at(s->graph, wait->resource)->resource_class;
  if (wait->resource == holder->resource || kind == SC_RESOURCE_CONDITION || waited < worth_following * held ||
      waited > tolerance * held)
    return false;
  if (wait->at.line && holder->at.line &&
      function_of(s->graph, wait->at.context) == function_of(s->graph, holder->at.context))
    return wait->at.line != holder->at.line ? wait->at.line > holder->at.line : wait->at.column > holder->at.column;
  return sc_blame_holds(wait).seconds <= tolerance * held;
}

/* What the holder itself waits for most while it holds; NULL: nothing. */
static const sc_blame_row *next_wait(const sc_blame_slice *s, const sc_blame_row *holder)
{
  const sc_blame_sums *large = &s->sums[SC_BLAME_LARGE];
  const sc_blame_row *worst = NULL;
  uint32_t top = region(s, holder);
  for (size_t i = 0; i < large->row_count; i++) {
    const sc_blame_row *row = &large->rows[i];
    if (sc_blame_waits(row).seconds > (worst ? sc_blame_waits(worst).seconds : 0) &&
        below(s->graph, row->at.context, top) && inside(s, row, holder))
      worst = row;
  }
  return worst;
}

/* The step of a wait: behind the holder for whom it waits longest. Returns that holder, NULL if nobody is known. */
static const sc_blame_row *step_of(const sc_blame_slice *s, const sc_blame_row *wait, sc_blame_step *step)
{
  const sc_blame_sums *small = &s->sums[SC_BLAME_SMALL], *large = &s->sums[SC_BLAME_LARGE];
  const sc_blame_pair *worst = NULL;
  for (size_t i = 0; i < large->pair_count; i++) {
    const sc_blame_pair *pair = &large->pairs[i];
    if (&large->rows[pair->waiter] == wait && pair->holder != SC_USAGE_NONE &&
        (!worst || pair->waits.seconds > worst->waits.seconds))
      worst = pair;
  }
  *step = (sc_blame_step){.resource = wait->resource, .waiter = wait->at, .holder = nobody};
  if (!worst) {
    step->waits[SC_BLAME_LARGE] = sc_blame_waits(wait);
    step->waits[SC_BLAME_SMALL] = sc_blame_waits(sc_blame_sums_row(small, wait));
    return NULL;
  }
  const sc_blame_row *holder = &large->rows[worst->holder];
  const sc_blame_pair *before = sc_blame_sums_pair(small, large, worst);
  step->holder = holder->at;
  step->waits[SC_BLAME_LARGE] = worst->waits;
  if (before)
    step->waits[SC_BLAME_SMALL] = before->waits;
  step->longest = holder->longest;
  step->holds[SC_BLAME_LARGE] = sc_blame_holds(holder);
  step->holds[SC_BLAME_SMALL] = sc_blame_holds(sc_blame_sums_row(small, holder));
  step->share = sc_blame_waits(wait).seconds > 0 ? worst->waits.seconds / sc_blame_waits(wait).seconds : 1;
  return holder;
}

static bool same_wait(const sc_blame_step *step, const sc_blame_row *row)
{
  return step->resource == row->resource && step->waiter.context == row->at.context &&
         step->waiter.line == row->at.line && step->waiter.column == row->at.column &&
         step->waiter.via == row->at.via && step->waiter.shared == row->at.shared;
}

/* From who waits most back along the holders. Ends, as every wait is followed once. */
static int find_chain(sc_blame_slice *s)
{
  sc_blame *blame = s->blame;
  const sc_blame_sums *large = &s->sums[SC_BLAME_LARGE];
  const sc_blame_row *wait = NULL;
  size_t capacity = 0;
  for (size_t i = 0; i < large->row_count; i++)
    if (large->rows[i].resource == s->resource && sc_blame_waits(&large->rows[i]).count > 0 &&
        (!wait || sc_blame_waits(&large->rows[i]).seconds > sc_blame_waits(wait).seconds))
      wait = &large->rows[i];
  while (wait) {
    for (size_t i = 0; i < blame->chain_count; i++)
      if (same_wait(&blame->chain[i], wait)) {
        blame->end = SC_BLAME_CYCLE;
        blame->cycle = i;
        return 0;
      }
    SC_TRY(sc_mem_grow(&blame->chain, &capacity, blame->chain_count + 1, sizeof *blame->chain));
    sc_blame_step *step = &blame->chain[blame->chain_count++];
    const sc_blame_row *holder = step_of(s, wait, step);
    blame->end = holder ? SC_BLAME_HOLDER : SC_BLAME_UNKNOWN;
    wait = holder ? next_wait(s, holder) : NULL;
    if (wait)
      step->waiting = fmin(sc_blame_waits(wait).seconds / sc_blame_holds(holder).seconds, 1);
  }
  return 0;
}

int sc_blame_new(const sc_graph *graph, uint32_t resource, const double *others, sc_blame *blame)
{
  sc_blame_slice s = {.graph = graph, .resource = resource, .blame = blame};
  int err;
  *blame = (sc_blame){0};
  find_sizes(&s, others);
  for (int size = 0; size < SC_BLAME_SIZES; size++)
    SC_GOTO(sc_blame_sums_new(graph, blame->sizes[size], others, &s.sums[size]));
  SC_GOTO(sc_blame_find_edges(&s));
  err = find_chain(&s);
out:
  for (int size = 0; size < SC_BLAME_SIZES; size++)
    sc_blame_sums_free(&s.sums[size]);
  return err;
}

void sc_blame_free(sc_blame *blame)
{
  free(blame->edges);
  free(blame->chain);
  *blame = (sc_blame){0};
}
