/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The most that processes had out together, without an event a unit: processes come in the order in which they
 * began, so a heap of those that live, by their ends, is enough: those that ended before the next one began are taken
 * off its top. Each process is taken with its own most, as if all of them had theirs at the same time: an upper bound,
 * and exact for one process. */
#include "profiles/graph/usage_lives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/graph/internal.h"

static void swap_alive(struct sc_usage_part *a, struct sc_usage_part *b)
{
  struct sc_usage_part part = *a;
  *a = *b;
  *b = part;
}

static void sum_outs(double to[SC_USAGE_OUTS], const double from[SC_USAGE_OUTS], double sign)
{
  for (int i = 0; i < SC_USAGE_OUTS; i++)
    to[i] += sign * from[i];
}

/* The process that was added last lives on among the others. */
static int push_own(struct sc_usage_alive *alive)
{
  SC_TRY(sc_mem_grow(&alive->heap, &alive->capacity, alive->count + 1, sizeof *alive->heap));
  size_t at = alive->count++;
  alive->heap[at] = alive->own;
  for (; at && alive->heap[at].ended < alive->heap[(at - 1) / 2].ended; at = (at - 1) / 2)
    swap_alive(&alive->heap[at], &alive->heap[(at - 1) / 2]);
  sum_outs(alive->sum, alive->own.out, 1);
  return 0;
}

static void pop_first(struct sc_usage_alive *alive)
{
  sum_outs(alive->sum, alive->heap[0].out, -1);
  alive->heap[0] = alive->heap[--alive->count];
  for (size_t at = 0, child; (child = 2 * at + 1) < alive->count; at = child) {
    if (child + 1 < alive->count && alive->heap[child + 1].ended < alive->heap[child].ended)
      child++;
    if (alive->heap[at].ended <= alive->heap[child].ended)
      break;
    swap_alive(&alive->heap[at], &alive->heap[child]);
  }
  /* Sums of doubles that were added and taken away leave a rest; nobody alive means exactly nothing out. */
  if (!alive->count)
    memset(alive->sum, 0, sizeof alive->sum);
}

static int begin_life(struct sc_usage_alive *alive, uint64_t began, uint64_t ended)
{
  if (alive->process)
    SC_TRY(push_own(alive));
  while (alive->count && alive->heap[0].ended < began)
    pop_first(alive);
  alive->own = (struct sc_usage_part){.ended = ended};
  alive->process = began;
  return 0;
}

int sc_usage_alive_add(struct sc_usage_alive *alive, uint64_t began, uint64_t ended, const sc_usage *more)
{
  const double *v = more->values;
  const double out[SC_USAGE_OUTS] = {[SC_USAGE_OUT_PEAK] = v[SC_USAGE_PEAK],
                                     [SC_USAGE_OUT_KEPT] = v[SC_USAGE_ACQUIRES] - v[SC_USAGE_RETURNED],
                                     [SC_USAGE_OUT_KEPT_UNITS] = v[SC_USAGE_UNITS] - v[SC_USAGE_RETURNED_UNITS]};
  if (alive->process != began)
    SC_TRY(begin_life(alive, began, ended));
  sum_outs(alive->own.out, out, 1);
  alive->kept_by_one = fmax(alive->kept_by_one, alive->own.out[SC_USAGE_OUT_KEPT]);
  for (int i = 0; i < SC_USAGE_OUTS; i++)
    alive->most[i] = fmax(alive->most[i], alive->sum[i] + alive->own.out[i]);
  return 0;
}

/* Returned is set such that acquired minus returned is the most that was kept at a time: what a short-lived child kept
 * died with it and is no leak of the program. */
void sc_usage_alive_set(const struct sc_usage_alive *alive, sc_usage *row)
{
  double *v = row->values;
  row->kept_by_one = alive->kept_by_one;
  v[SC_USAGE_PEAK] = alive->most[SC_USAGE_OUT_PEAK];
  v[SC_USAGE_RETURNED] = v[SC_USAGE_ACQUIRES] - alive->most[SC_USAGE_OUT_KEPT];
  v[SC_USAGE_RETURNED_UNITS] = v[SC_USAGE_UNITS] - alive->most[SC_USAGE_OUT_KEPT_UNITS];
}

void sc_usage_begin_process(sc_graph *graph, size_t run, uint64_t began, uint64_t ended)
{
  struct sc_usage_run *usage = &graph->runs[run]->usage;
  usage->process_began = began;
  usage->process_ended = ended;
}

static void forget_alive(struct sc_usage_alive **all, size_t *count)
{
  for (size_t i = 0; i < *count; i++)
    free((*all)[i].heap);
  free(*all);
  *all = NULL;
  *count = 0;
}

void sc_usage_forget_processes(struct sc_usage_run *run)
{
  forget_alive(&run->alive, &run->alive_capacity);
  forget_alive(&run->alive_whole, &run->alive_whole_capacity);
  run->process_began = 0;
}

void sc_usage_end_processes(sc_graph *graph, size_t run) { sc_usage_forget_processes(&graph->runs[run]->usage); }
