/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/pool_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sample.h"
#include "regress/core/median.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/roles.h"

enum { REPEATS = 64, SIZES = 64, PLACES = 64 /* that workers take work in */ };

static uint32_t out_of_loop(const sc_graph *graph, uint32_t context)
{
  return sc_graph_at(graph, context)->kind == SC_LOCATION_LOOP ? sc_graph_parent(graph, context) : context;
}

/* Whether a context is a function that waits each time it is called, as a wrapper of pthread_cond_wait does: it is
 * entered only where nothing is there to be taken. *caller: the function that calls it. */
static bool wraps_wait(const sc_rload *c, size_t index, uint32_t context, double waits, uint32_t *caller)
{
  const sc_graph *graph = c->r->graph;
  if (sc_graph_at(graph, context)->kind != SC_LOCATION_FUNCTION || sc_graph_executions(graph, index, context) != waits)
    return false;
  *caller = out_of_loop(graph, sc_graph_parent(graph, context));
  enum sc_location_kind kind = sc_graph_at(graph, *caller)->kind;
  return (kind == SC_LOCATION_FUNCTION || kind == SC_LOCATION_LOOP) &&
         sc_graph_executions(graph, index, *caller) > c->pool.as.capacity;
}

/* The context that is entered once for each item that is taken: around the loop that waits. */
static uint32_t take_of(const sc_rload *c, size_t index, const sc_usage *row)
{
  uint32_t take = out_of_loop(c->r->graph, row->context), caller;
  if (take == row->context)
    while (wraps_wait(c, index, take, row->values[SC_USAGE_WAITS], &caller))
      take = caller;
  return take;
}

/* Whether a row is of the queue, and says of signals, or else of waits. *role: of those that make them. */
static bool is_at_queue(const sc_rload *c, const sc_usage *row, bool signals, uint32_t *role)
{
  if (row->resource != c->pool.resource || sc_rpart_signals(row) != signals)
    return false;
  *role = sc_rrole_of(c->r, row->context);
  return true;
}

/* Those that wait for work, and are no clients that wait for something else by the same name. */
static bool is_wait_for_work(const sc_rload *c, const sc_usage *row)
{
  uint32_t role;
  if (!is_at_queue(c, row, false, &role))
    return false;
  return c->by_role ? sc_rrole_in(c->pool.workers, c->pool.worker_count, role)
                    : !sc_rrole_in(c->pool.clients, c->pool.client_count, role);
}

/* A client's. */
static bool is_request(const sc_rload *c, const sc_usage *row)
{
  uint32_t role;
  return is_at_queue(c, row, true, &role) && sc_rrole_in(c->pool.clients, c->pool.client_count, role);
}

/* The context that takes work is entered for each take. How often a semaphore was taken is counted. */
static double takes_in(const sc_rload *c, size_t run)
{
  const sc_resources *r = c->r;
  uint32_t seen[PLACES];
  size_t rows, count = 0, index = sc_analysis_run(r->analysis, run);
  const sc_usage *row = sc_usage_rows(r->graph, index, &rows);
  bool counts = sc_rpart_counts(r, c->pool.resource);
  double sum = 0;
  for (; rows; rows--, row++) {
    if (!is_wait_for_work(c, row))
      continue;
    if (counts) {
      sum += sc_rpart_times(r, row);
      continue;
    }
    uint32_t take = take_of(c, index, row);
    if (count == PLACES || sc_rrole_in(seen, count, take))
      continue;
    seen[count++] = take;
    sum += sc_graph_executions(r->graph, index, take);
  }
  return sum;
}

static double requests_in(const sc_rload *c, size_t run)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(c->r->graph, sc_analysis_run(c->r->analysis, run), &rows);
  double sum = 0;
  for (; rows; rows--, row++)
    sum += is_request(c, row) ? sc_rpart_times(c->r, row) : 0;
  return sum;
}

/* Whether workers give up waiting after some time, and come again: then more come for work than there is. */
static bool waits_timed(const sc_rload *c, size_t run)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(c->r->graph, sc_analysis_run(c->r->analysis, run), &rows);
  for (; rows; rows--, row++)
    if (is_wait_for_work(c, row) && (strstr(row->via, "timedwait") || strstr(row->via, "clockwait")))
      return true;
  return false;
}

/* The last take of each worker is the one that ends it. Clients that signal all of their queues by one name, or workers
 * that come for nothing, make one of the two too many. */
static double items_in(const sc_rload *c, double requests, double takes)
{
  double served = fmax(0, takes - c->pool.as.capacity);
  if ((c->by_role || c->timed) && requests > 0 && served > 0)
    return fmin(requests, served);
  return fmax(requests, served);
}

/* What those that wait for work did, of all that is recorded of the queue. */
static double sum_of_workers(const sc_rload *c, size_t run, enum sc_usage_value value)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(c->r->graph, sc_analysis_run(c->r->analysis, run), &rows);
  double sum = 0;
  for (; rows; rows--, row++)
    sum += is_wait_for_work(c, row) ? row->values[value] : 0;
  return sum;
}

/* From the first event to the last; the last answer may come after the last request, and workers may never end. */
static double span_of(const sc_rload *c, size_t run)
{
  const sc_resources *r = c->r;
  double span = sc_resource_cell_occupancy(r, &r->cells[c->pool.resource], run)->span_seconds;
  if (c->pool.answers == SC_USAGE_NONE)
    return span;
  return fmax(span, sc_resource_cell_occupancy(r, &r->cells[c->pool.answers], run)->span_seconds);
}

static double busy_without(double room, double idle) { return fmin(fmax(room - idle, 0), room); }

/* Before a worker waits for the first time, and after the last time, nobody sees what it does. Where it is known when
 * work came, such time counts as busy in the share that workers are busy at all: those that have nothing to do begin
 * one after another, and are told to end so. */
double sc_pool_busy(const sc_pool_times *t)
{
  double room = t->threads * t->span, busy = busy_without(room, t->idle), active = fmin(t->active, room);
  double unseen = room - active, most = t->threads * t->loaded;
  if (!(t->loaded > 0) || !(active > 0))
    return busy;
  return fmin(busy, busy_without(active, t->idle) + fmin(1, busy / most) * unseen);
}

/* From the first request to the last, and until that is served: as long as its service takes, or its answer was waited
 * for. Before and after that nobody asks for anything. What workers were busy for they were busy in it. */
double sc_pool_loaded(const sc_pool_times *t, double busy)
{
  if (!(t->loaded > 0) || !(t->items > 0))
    return t->span;
  double last = fmax(busy, t->answered) / t->items;
  return fmin(t->span, fmax(t->loaded + last, busy / t->threads));
}

double sc_pool_waited(bool closed, double answered, double busy) { return fmax(0, answered - (closed ? busy : 0)); }

double sc_rload_asking(const sc_rload *c, size_t run)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(c->r->graph, sc_analysis_run(c->r->analysis, run), &rows);
  uint32_t seen[SC_RPOOL_ROLES], role;
  size_t count = 0;
  double threads = 0;
  for (; rows; rows--, row++)
    if (row->values[SC_USAGE_WAITS] > 0 && is_at_queue(c, row, false, &role) &&
        sc_rrole_in(c->pool.clients, c->pool.client_count, role) && sc_rrole_add(seen, &count, SC_RPOOL_ROLES, role))
      threads += sc_rrole_threads(c->r, run, role);
  return threads;
}

/* Workers that are started when there is work for them are not there before: at smaller sizes there may be fewer. */
static double threads_in(const sc_rload *c, size_t run)
{
  double seen =
      sc_resource_cell_occupancy(c->r, &c->r->cells[c->pool.resource], run)->threads - sc_rload_asking(c, run);
  return seen >= 1 ? fmin(seen, c->pool.as.capacity) : c->pool.as.capacity;
}

static void fill_run(sc_rload *c, size_t run)
{
  const sc_resources *r = c->r;
  const sc_resource_cell *cell = &r->cells[c->pool.resource];
  const sc_occupancy *o = sc_resource_cell_occupancy(r, cell, run);
  double servers = c->pool.as.capacity;
  double takes = takes_in(c, run), requests = requests_in(c, run);
  double items = items_in(c, requests, takes);
  sc_pool_times times = {.threads = c->by_role ? servers : threads_in(c, run),
                         .span = span_of(c, run),
                         .idle = sum_of_workers(c, run, SC_USAGE_WAIT_SECONDS),
                         .active = c->by_role ? 0 : o->active_seconds, /* others' may be in it */
                         .loaded = o->loaded_seconds,
                         .items = items};
  if (c->pool.answers != SC_USAGE_NONE)
    times.answered = sc_resource_cell_sum(&r->cells[c->pool.answers], run, SC_USAGE_WAIT_SECONDS);
  double busy = sc_pool_busy(&times), span = sc_pool_loaded(&times, busy);
  c->columns[SC_RLOAD_TAKES][run] = takes - servers;
  c->columns[SC_RLOAD_REQUESTS][run] = requests;
  c->columns[SC_RLOAD_ITEMS][run] = items;
  c->columns[SC_RLOAD_WAITS][run] = sum_of_workers(c, run, SC_USAGE_WAITS);
  c->columns[SC_RLOAD_BUSY][run] = busy;
  c->columns[SC_RLOAD_ANSWER][run] = items > 0 ? times.answered / items : 0;
  c->columns[SC_RLOAD_SPAN][run] = span;
  c->columns[SC_RLOAD_SHARE][run] = span > 0 ? busy / (servers * span) : 0;
}

/* Medians of the sizes; returns how many. */
static size_t by_size(const sc_rload *c, enum sc_rload_column column, const double *over, double n[SIZES],
                      double y[SIZES])
{
  const sc_resources *r = c->r;
  size_t count = 0;
  for (size_t size = 0; size < r->size_count && count < SIZES; size++) {
    double room[REPEATS];
    sc_sample values = sc_sample_begin(room, REPEATS);
    for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
      if (!over || over[run] > 0)
        sc_sample_add(&values, c->columns[column][run] / (over ? over[run] : 1));
    n[count] = r->sizes[size];
    y[count] = sc_median(room, values.count);
    count += values.count > 0;
  }
  return count;
}

static double find_column_slope(const sc_rload *c, enum sc_rload_column column, const double *over)
{
  double n[SIZES], y[SIZES];
  size_t count = by_size(c, column, over, n, y);
  return sc_trend_slope(n, y, count);
}

/* From the lower half of the sizes to the upper one: ratio of their medians. */
static double rise_of(const sc_rload *c, enum sc_rload_column column)
{
  double n[SIZES], y[SIZES];
  size_t count = by_size(c, column, NULL, n, y), half = count / 2;
  if (!half)
    return 1;
  double low = sc_median(y, half), high = sc_median(y + count - half, half);
  return low > 0 ? high / low : high > 0 ? INFINITY : 1;
}

/* Clients are the threads that wait for their answers, or else those that ask; where these don't get more, somebody
 * outside asks by way of them, and the parameter is their number. */
static void count_customers(sc_rload *c)
{
  const sc_resources *r = c->r;
  for (int from = c->pool.closed ? 0 : 1; from < 3; from++) {
    for (size_t run = 0; run < r->run_count; run++) {
      double threads = 0;
      for (size_t i = 0; from == 1 && i < c->pool.client_count; i++)
        threads += sc_rrole_threads(r, run, c->pool.clients[i]);
      if (from == 0)
        threads = sc_resource_cell_occupancy(r, &r->cells[c->pool.answers], run)->threads;
      c->columns[SC_RLOAD_CUSTOMERS][run] = from == 2 ? r->run_sizes[run] : threads;
    }
    double slope = find_column_slope(c, SC_RLOAD_CUSTOMERS, NULL);
    if (slope >= SC_POOL_LOAD_THREADS && slope <= 1 / SC_POOL_LOAD_THREADS)
      return;
  }
}

/* Takes all that is there at once, in a time that does not depend on how much that is: more work is no more to do. */
static bool takes_batches(const sc_rload *c)
{
  double n[SIZES], y[SIZES];
  size_t count = by_size(c, SC_RLOAD_REQUESTS, c->columns[SC_RLOAD_TAKES], n, y);
  if (count < 2 || y[count - 1] < SC_POOL_LOAD_BATCHES || y[count - 1] < SC_POOL_LOAD_BATCHES * y[0])
    return false;
  return fabs(find_column_slope(c, SC_RLOAD_BUSY, c->columns[SC_RLOAD_TAKES])) <=
         fabs(find_column_slope(c, SC_RLOAD_BUSY, c->columns[SC_RLOAD_ITEMS]));
}

/* Workers that wake for nothing far more often than for a request are busy with that, or wait for a processor to do it:
 * what a request takes is not told from it. */
static bool wakes_in_vain(const sc_rload *c)
{
  double n[SIZES], items[SIZES], takes[SIZES];
  size_t count = by_size(c, SC_RLOAD_ITEMS, NULL, n, items);
  by_size(c, SC_RLOAD_TAKES, NULL, n, takes);
  return count && c->timed && takes[count - 1] > SC_POOL_LOAD_VAIN * items[count - 1];
}

/* From half to half; or, where most sizes saturate it, from the smallest one. */
static bool gets_busier(const sc_rload *c)
{
  double n[SIZES], share[SIZES];
  size_t count = by_size(c, SC_RLOAD_SHARE, NULL, n, share), half = count / 2;
  double first = share[0], rise = rise_of(c, SC_RLOAD_SHARE), high = sc_median(share + count - half, half);
  return rise >= SC_POOL_LOAD_BUSIER || (high >= SC_POOL_LOAD_SATURATED && high >= first * SC_POOL_LOAD_BUSIER);
}

static bool is_pool(const sc_rload *c)
{
  double n[SIZES], items[SIZES];
  size_t count = by_size(c, SC_RLOAD_ITEMS, NULL, n, items);
  if (!count || items[count - 1] < SC_POOL_LOAD_ITEMS || takes_batches(c) || wakes_in_vain(c))
    return false;
  if (!c->pool.closed && find_column_slope(c, SC_RLOAD_ITEMS, NULL) < SC_POOL_LOAD_GROW)
    return false;
  return gets_busier(c) || (c->pool.answers != SC_USAGE_NONE && rise_of(c, SC_RLOAD_ANSWER) >= SC_POOL_LOAD_LATER);
}

/* The time that clients are known to wait for workers to get at what they asked for. */
static double waited_for_answers(const sc_rload *c, size_t run)
{
  double answered = c->columns[SC_RLOAD_ANSWER][run] * c->columns[SC_RLOAD_ITEMS][run];
  return sc_pool_waited(c->pool.closed, answered, c->columns[SC_RLOAD_BUSY][run]);
}

/* Time that clients spent on something else than having their requests served. */
static double away_for(const sc_rload *c, size_t run)
{
  return fmax(0, c->columns[SC_RLOAD_CUSTOMERS][run] * c->columns[SC_RLOAD_SPAN][run] - c->columns[SC_RLOAD_BUSY][run]);
}

/* Clients that wait for answers were there for the time between their requests; the first request comes at the
 * beginning. */
static double active_for(const sc_rload *c, size_t run, double waited)
{
  const sc_resources *r = c->r;
  double customers = c->columns[SC_RLOAD_CUSTOMERS][run], items = c->columns[SC_RLOAD_ITEMS][run],
         held = c->columns[SC_RLOAD_BUSY][run];
  if (c->pool.closed && items >= SC_POOL_LOAD_EACH * customers) {
    const sc_resource_cell *cell = &r->cells[c->pool.answers];
    double apart = sc_resource_cell_occupancy(r, cell, run)->active_seconds -
                   sc_resource_cell_sum(cell, run, SC_USAGE_WAIT_SECONDS);
    return waited + held + fmax(0, apart) * items / (items - customers);
  }
  return fmax(customers * c->columns[SC_RLOAD_SPAN][run], waited + held);
}

/* The time between requests of a client where workers are idle; 0: they never are. */
static double find_idle_interval(const sc_rload *c)
{
  double room[REPEATS];
  sc_sample values = sc_sample_begin(room, REPEATS);
  for (size_t run = 0; run < c->r->run_count; run++)
    if (c->columns[SC_RLOAD_SHARE][run] <= SC_POOL_LOAD_IDLE && c->columns[SC_RLOAD_ITEMS][run] > 0)
      sc_sample_add(&values, away_for(c, run) / c->columns[SC_RLOAD_ITEMS][run]);
  return values.count ? sc_median(room, values.count) : 0;
}

/* Nobody sees what clients wait for that read from a socket, or use a future. Where workers are hardly ever idle, what
 * they stay away for longer than otherwise (`between` requests) counts as waiting. */
static double waited_unseen(const sc_rload *c, size_t run, double between)
{
  if (c->columns[SC_RLOAD_SHARE][run] <= SC_POOL_LOAD_IDLE || !(between > 0))
    return 0;
  return fmax(0, away_for(c, run) - between * c->columns[SC_RLOAD_ITEMS][run]);
}

bool sc_rload_fits(sc_rload *c)
{
  if (!is_pool(c))
    return false;
  bool unseen = c->pool.answers == SC_USAGE_NONE;
  double between = unseen ? find_idle_interval(c) : 0;
  for (size_t run = 0; run < c->r->run_count; run++) {
    double waited = unseen ? waited_unseen(c, run, between) : waited_for_answers(c, run);
    c->columns[SC_RLOAD_WAITED][run] = waited;
    c->columns[SC_RLOAD_ACTIVE][run] = active_for(c, run, waited);
  }
  return true;
}

/* What is asked for is an acquire, and its service a hold, as of any resource with units. */
void sc_rload_write(sc_resources *r, const sc_rload *c)
{
  sc_resource_cell *cell = &r->cells[c->pool.resource];
  for (size_t run = 0; run < r->run_count; run++) {
    double items = c->columns[SC_RLOAD_ITEMS][run], waited = c->columns[SC_RLOAD_WAITED][run];
    sc_occupancy *o = &r->occupancies[run * r->resource_count + c->pool.resource];
    double *sums = &cell->sums[run * SC_RSUM_COUNT];
    memset(sums, 0, SC_RSUM_COUNT * sizeof *sums);
    sums[SC_USAGE_ACQUIRES] = sums[SC_USAGE_UNITS] = sums[SC_USAGE_HOLDS] = items;
    sums[SC_USAGE_RETURNED] = sums[SC_USAGE_RETURNED_UNITS] = sums[SC_USAGE_RELEASES] = items;
    sums[SC_USAGE_HOLD_SECONDS] = c->columns[SC_RLOAD_BUSY][run];
    sums[SC_USAGE_WAIT_SECONDS] = waited;
    if (waited > 0 || !c->pool.closed) /* for those that found no worker idle */
      sums[SC_USAGE_WAITS] = fmax(0, items - c->columns[SC_RLOAD_WAITS][run]);
    sums[SC_USAGE_PEAK] = fmin(c->pool.as.capacity, items);
    *o = (sc_occupancy){.resource = c->pool.resource,
                        .instances = 1,
                        .threads = c->columns[SC_RLOAD_CUSTOMERS][run],
                        .active_seconds = c->columns[SC_RLOAD_ACTIVE][run],
                        .span_seconds = c->columns[SC_RLOAD_SPAN][run]};
  }
  cell->exclusive = true;
  cell->used = false;
}

void sc_rload_free(sc_rload *c)
{
  for (int column = 0; column < SC_RLOAD_COLUMNS; column++)
    free(c->columns[column]);
}

/* How often threads waited where work is taken. */
static double waits_at_take(const sc_rload *c, size_t index)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(c->r->graph, index, &rows);
  for (; rows; rows--, row++)
    if (is_wait_for_work(c, row) && row->context == c->pool.take.context)
      return row->values[SC_USAGE_WAITS];
  return 0;
}

/* Whether a context is a function that does nothing but wait, not even lock, each time it is called: it is another name
 * of pthread_cond_wait, whoever calls it. */
static bool only_waits(const sc_rload *c, size_t index, uint32_t context, double waits, uint32_t *caller)
{
  size_t rows;
  const sc_graph *graph = c->r->graph;
  const sc_usage *row = sc_usage_rows(graph, index, &rows);
  if (sc_graph_at(graph, context)->kind != SC_LOCATION_FUNCTION || sc_graph_executions(graph, index, context) != waits)
    return false;
  for (; rows; rows--, row++)
    if (row->resource != c->pool.resource && sc_graph_common(graph, row->context, context) == context)
      return false;
  *caller = sc_graph_parent(graph, context);
  while (sc_graph_at(graph, *caller)->kind == SC_LOCATION_LOOP)
    *caller = sc_graph_parent(graph, *caller);
  return sc_graph_at(graph, *caller)->kind == SC_LOCATION_FUNCTION;
}

/* Work is not taken in a wrapper of pthread_cond_wait, but where that is called. */
static void leave_wrapper(sc_rload *c)
{
  const sc_graph *graph = c->r->graph;
  size_t last = sc_analysis_run(c->r->analysis, c->r->run_count - 1);
  uint32_t context = c->pool.take.context, caller;
  double waits = waits_at_take(c, last);
  while (waits > 0 && (wraps_wait(c, last, context, waits, &caller) || only_waits(c, last, context, waits, &caller))) {
    c->pool.take = (sc_rcall){sc_graph_parent(graph, context), sc_graph_call_line(graph, context), 0};
    context = caller;
  }
}

int sc_rload_make(sc_rload *c)
{
  for (int column = 0; column < SC_RLOAD_COLUMNS; column++)
    if (!(c->columns[column] = sc_mem_new(c->r->run_count + 1, sizeof *c->columns[column])))
      return SC_E_NOMEM;
  c->timed = waits_timed(c, c->r->run_count - 1);
  for (size_t run = 0; run < c->r->run_count; run++)
    fill_run(c, run);
  leave_wrapper(c);
  count_customers(c);
  return 0;
}

double sc_rload_share(const sc_rload *c)
{
  double n[SIZES], y[SIZES];
  size_t count = by_size(c, SC_RLOAD_SHARE, NULL, n, y);
  return count ? y[count - 1] : 0;
}
