/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/readers.h"

#include <math.h>

#include "transitions/model/tuning.h"

/* At the largest size. */
typedef struct shared_part {
  double each;    /* shared acquires for each exclusive one */
  double seconds; /* mean shared hold */
} shared_part;

static shared_part shared_of(const sc_resources *r, const sc_resource_cell *cell)
{
  double holds = 0, seconds = 0, shared = 0, all = 0;
  for (size_t run = r->starts[r->size_count - 1]; run < r->run_count; run++) {
    holds += sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_HOLDS);
    seconds += sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_SECONDS);
    shared += sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_ACQUIRES);
    all += sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES);
  }
  if (!(holds > 0) || !(shared > 0) || !(all > shared))
    return (shared_part){0};
  return (shared_part){shared / (all - shared), seconds / holds};
}

/* How long an exclusive acquire waits until no reader is left, those that come meanwhile among them: what is left of a
 * busy period of readers who never wait for each other (M/G/infinity). There are some if they came by chance, or
 * because they waited for the exclusive hold before. */
static double drain_readers(const shared_part *shared, double throughput, double busy)
{
  double rate = throughput * shared->each, together = fmin(rate * shared->seconds, SC_READERS_MOST);
  if (!(together > 0))
    return 0;
  return (1 - (1 - busy) * exp(-together)) * expm1(together) / rate;
}

/* Exclusive holds keep readers waiting: what that adds to the share of time spent waiting. */
static double waited_by_readers(const sc_resources *r, const sc_resource_cell *cell, const sc_queue *q,
                                double throughput)
{
  size_t run = r->starts[r->size_count - 1];
  double shared = sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_ACQUIRES);
  double busy =
      sc_resource_cell_occupancy(r, cell, run)->active_seconds - sc_resource_cell_sum(cell, run, SC_USAGE_WAIT_SECONDS);
  if (!(shared > 0) || !(busy > 0) || q->customers <= 1)
    return 0;
  return throughput / q->stations * sc_queue_blocked(q->hold, busy / shared) * (q->customers - 1) / q->customers;
}

/* A writer waits until the readers inside have left, which lengthens its stay as a longer hold would; how many there
 * are depends on how often writers come in turn. Halving the step keeps the two from swinging around the solution. */
sc_queue_result sc_readers_solve(const sc_resources *r, const sc_resource_cell *cell, const sc_queue *queue)
{
  shared_part shared = shared_of(r, cell);
  if (!(shared.each > 0) || queue->detached)
    return sc_queue_solve(queue);
  sc_queue_result result = {0};
  double delay = 0;
  for (int i = 0; i < SC_READERS_STEPS; i++) {
    sc_queue q = *queue;
    q.hold += delay;
    result = sc_queue_solve(&q);
    delay = (delay + drain_readers(&shared, result.throughput / q.stations, result.utilisation)) / 2;
  }
  result.share = fmin(1, result.share + waited_by_readers(r, cell, queue, result.throughput));
  result.utilisation *= queue->hold > 0 ? queue->hold / (queue->hold + delay) : 0;
  double others = queue->customers > 1 ? (queue->customers - 1) / queue->customers : 0;
  result.blocked = (result.blocked + shared.each * result.utilisation * others) / (1 + shared.each);
  return result;
}

double sc_readers_can_wait(const sc_resources *r, const sc_resource_cell *cell, double utilisation)
{
  double each = shared_of(r, cell).each;
  return (1 + each * fmin(1, utilisation)) / (1 + each);
}
