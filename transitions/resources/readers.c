/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers and writers of one lock, as the C library has them: a writer waits until no reader is left, and one that
 * waits keeps no reader out. */
#include "transitions/resources/readers.h"

#include <math.h>

#include "transitions/model/tuning.h"
#include "transitions/resources/demand_terms.h"
#include "transitions/resources/sharing.h"

/* At the largest size. */
typedef struct shared_part {
  double each;    /* shared acquires for each exclusive one */
  double seconds; /* shared hold */
} shared_part;

/* The machine makes holds longer, and never shorter: the mean of the run of the larger sizes where it is least. How
 * many read at a time stands in an exponent. */
static double least_shared(const sc_resources *r, const sc_resource_cell *cell)
{
  double least = INFINITY;
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++) {
    double holds = sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_HOLDS);
    if (holds >= SC_DEMAND_ACQUIRES)
      least = fmin(least, sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_SECONDS) / holds);
  }
  return least;
}

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
  return (shared_part){shared / (all - shared), fmin(seconds / holds, least_shared(r, cell))};
}

/* Threads at one instance: who reads, and how often. */
typedef struct crowd {
  double writers, readers;
  double both;     /* share of the writers that read as well: while they wait, they do not */
  double seconds;  /* of one shared hold */
  double between;  /* of a reader, from one shared hold to the next */
  sc_queue writes; /* exclusive holds alone, by those that write */
} crowd;

static crowd crowd_of(const sc_resources *r, const sc_resource_cell *cell, const sc_queue *queue,
                      const shared_part *shared)
{
  double all = queue->customers / queue->stations, cycle = queue->hold + queue->think;
  double writers = fmin(queue->customers, sc_rsharing_writers(cell, queue->customers));
  double presence = sc_demand_presence(r, cell); /* of the threads; they are as many as they are, there or not */
  crowd c = {.writers = writers / queue->stations,
             .readers = presence * sc_rsharing_readers(cell, queue->customers / presence) / queue->stations,
             .both = sc_rsharing_both(cell),
             .seconds = shared->seconds,
             .writes = *queue};
  double part = queue->customers > 0 ? writers / queue->customers : 1;
  c.writes.customers = writers;
  c.writes.think = fmax(0, cycle * part - queue->hold);
  c.writes.think_work = fmin(c.writes.think, queue->think_work * part);
  double reads = sc_rsharing_apart(cell) ? cell->sharing.reader_cycle
                 : all > 0               ? c.readers / all * (cycle - c.both * queue->hold) / shared->each
                                         : 0;
  c.between = fmax(reads - shared->seconds, SC_QUEUE_AWAY * shared->seconds);
  return c;
}

/* How long it takes until none of `inside` readers, and of the others of `all` that come meanwhile, is left: who reads
 * stays for `seconds`, and each of the others comes `rate` times a second. From j readers to j - 1 takes until one of
 * them leaves, or as long as it takes from j + 1 to j and once more. */
static double drain_readers(double all, double inside, double seconds, double rate)
{
  double most = ceil(fmin(all, SC_QUEUE_MANY)), step = 0, sum = 0;
  for (double j = most; j >= 1; j--) {
    step = fmin(seconds / j + fmax(0, all - j) / j * seconds * rate * step, SC_READERS_NEVER);
    sum += step * fmax(0, fmin(1, inside - (j - 1)));
  }
  return sum;
}

/* Of `all` readers, each there with that probability: how long until none is left, on average. */
static double drain_some(double all, double there, double seconds, double rate)
{
  double any = -expm1(all * log1p(-fmin(there, 1 - 1e-12)));
  return any > 0 ? any * drain_readers(all, fmin(all, all * there / any), seconds, rate) : 0;
}

/* Readers that do not wait to write, seen by one who writes. */
static double free_readers(const crowd *c, const sc_queue_result *result)
{
  double away = c->writers - result->throughput / c->writes.stations * c->writes.think;
  return fmax(0, c->readers - c->both * fmax(away, fmin(1, c->writers)));
}

/* How long a writer waits for readers. When the lock was given back by the last one those came in that had waited
 * meanwhile, together; they leave, and come again together about `between` later: until then only others do. Whoever
 * did not wait is there by chance, the more surely the longer that is ago. `stay`: of a writer, its own wait included.
 */
static double writer_delay(const crowd *c, const sc_queue_result *result, double stay)
{
  double idle = INFINITY, chance = c->seconds / (c->seconds + c->between), mixed = 1;
  if (result->throughput > 0) {
    idle = fmax(0, c->writes.stations / result->throughput - stay);
    double turns = idle * (1 / c->seconds + 1 / c->between);
    mixed = turns / (1 + turns);
  }
  double gathered = -expm1(-c->writes.hold / c->between), others = 1 - gathered * fmin(1, exp(1 - idle / c->between));
  return drain_some(free_readers(c, result), chance * mixed * others + gathered * exp(-idle / c->seconds), c->seconds,
                    others / c->between);
}

/* A writer waits until the readers inside have left, which lengthens its stay as a longer hold would; the longer that
 * takes the fewer come who read and write. *delay: how long it is. */
static sc_queue_result solve_writers(const crowd *c, double *delay)
{
  sc_queue_result result = {0};
  double low = 0, high = SC_READERS_NEVER;
  for (int i = 0; i < SC_READERS_STEPS; i++) {
    sc_queue q = c->writes;
    *delay = i ? (low > 0 ? sqrt(low * high) : high * SC_QUEUE_AWAY) : 0;
    q.hold += *delay;
    result = sc_queue_solve(&q);
    double found = writer_delay(c, &result, q.hold);
    if (!i && !(found > 0))
      break;
    if (found > *delay)
      low = *delay;
    else
      high = *delay;
  }
  return result;
}

/* Exclusive holds keep readers waiting: how long all of them, for each of these. */
static double waited_by_readers(const crowd *c, const sc_queue_result *result)
{
  return free_readers(c, result) * sc_queue_blocked(c->writes.hold, c->between + c->seconds);
}

static bool is_shared(const shared_part *shared, const sc_queue *queue)
{
  return shared->each > 0 && !queue->detached && queue->customers > 0;
}

sc_queue_result sc_readers_solve(const sc_resources *r, const sc_resource_cell *cell, const sc_queue *queue)
{
  shared_part shared = shared_of(r, cell);
  if (!is_shared(&shared, queue))
    return sc_queue_solve(queue);
  crowd c = crowd_of(r, cell, queue, &shared);
  double delay, others = queue->customers > 1 ? (queue->customers - 1) / queue->customers : 0, each = shared.each;
  sc_queue_result result = solve_writers(&c, &delay);
  double none = pow(c.between / (c.between + c.seconds), fmax(0, c.readers - c.both));
  double blocked = waited_by_readers(&c, &result);
  result.share = fmin(1, (result.wait + delay + blocked) * result.throughput / queue->customers);
  result.cycle -= delay;
  if (sc_rsharing_apart(cell) && result.throughput > 0) { /* readers come as often however seldom there is a writer */
    double reading = fmax(0, c.readers * c.writes.stations / result.throughput - blocked);
    each = reading / (c.between + c.seconds);
    result.cycle = (1 - result.share) * queue->customers / result.throughput / (1 + each);
  }
  result.utilisation *= queue->hold > 0 ? queue->hold / (queue->hold + delay) : 0;
  result.blocked = 1 - (1 - result.blocked) * none;
  result.blocked = (result.blocked + each * result.utilisation * others) / (1 + each);
  return result;
}

double sc_readers_kept_out(const sc_resources *r, const sc_resource_cell *cell, const sc_queue *queue, double longer,
                           bool in_step)
{
  shared_part shared = shared_of(r, cell);
  double delay;
  shared.seconds *= longer;
  if (!is_shared(&shared, queue))
    return 0;
  crowd c = crowd_of(r, cell, queue, &shared);
  if (in_step)
    c.readers = fmin(1, c.readers);
  sc_queue_result result = solve_writers(&c, &delay);
  return fmin(1, (result.wait + delay) * result.throughput / fmax(c.writes.customers, 1e-12));
}

double sc_readers_can_wait(const sc_resources *r, const sc_resource_cell *cell, double utilisation)
{
  double each = shared_of(r, cell).each;
  return (1 + each * fmin(1, utilisation)) / (1 + each);
}
