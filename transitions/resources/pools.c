/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/pools.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sample.h"
#include "transitions/resources/roles.h"

/* Of what all roles do to a condition: less is not what it is for (the signal with which main ends its workers). */
static const double MINOR = 0.1;
static const double BY_CLIENTS = 0.5; /* of the signals: threads that mostly wake each other meet, or take turns */
static const double ITEMS_ENOUGH = 16;
static const double REQUESTS_EACH = 3; /* of a client, for the time between them */
static const double ITEMS_GROW = 0.5;  /* exponent: clients bring their own work, and don't share what there is */
static const double THREADS_GROW = 0.5;
static const double BUSIER = 1.15, ANSWERED_LATER = 1.5; /* from the lower to the upper half of the sizes */
static const double SATURATED = 0.8, IDLE = 0.7;         /* busy shares: from the first on, and below the second */
static const double BATCHES = 1.05; /* requests of one take, and times as many at the largest size as at the smallest */
static const size_t SIZES_ENOUGH = 3;
enum { REPEATS = 64, SIZES = 64 };

/* What one role does to a condition, in all runs. */
typedef struct part {
  uint32_t resource, role;
  double waits, signals;
  sc_rcall wait, signal; /* of the one place that does most */
  double wait_most, signal_most;
} part;

typedef struct parts {
  part *list;
  size_t count, capacity;
} parts;

/* One value for each run. */
enum column { ITEMS, TAKES, REQUESTS, BUSY, SHARE, ANSWER, CUSTOMERS, WAITS, SPAN, WAITED, ACTIVE, COLUMNS };

typedef struct candidate {
  const sc_resources *r;
  const parts *all;
  sc_rpool pool;
  double *columns[COLUMNS]; /* [run_count] */
} candidate;

bool sc_rpool_has(const uint32_t *roles, size_t count, uint32_t role)
{
  for (size_t i = 0; i < count; i++)
    if (roles[i] == role)
      return true;
  return false;
}

static bool is_condition(const sc_resources *r, uint32_t resource)
{
  return resource < r->resource_count &&
         sc_usage_resource_at(r->graph, resource)->resource_class == SC_RESOURCE_CONDITION;
}

static bool signals(const sc_usage *row) { return row->event == SC_USAGE_EVENT_WRITE; }

static int find_part(parts *all, uint32_t resource, uint32_t role, part **out)
{
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].resource == resource && all->list[i].role == role) {
      *out = &all->list[i];
      return 0;
    }
  SC_TRY(sc_mem_grow(&all->list, &all->capacity, all->count + 1, sizeof *all->list));
  all->list[all->count] = (part){.resource = resource, .role = role};
  *out = &all->list[all->count++];
  return 0;
}

static int add_row(const sc_resources *r, const sc_usage *row, parts *all)
{
  part *p;
  double waits = row->values[SC_USAGE_WAITS], writes = row->values[SC_USAGE_WRITES];
  if (!is_condition(r, row->resource) || row->context >= sc_graph_context_count(r->graph))
    return 0;
  SC_TRY(find_part(all, row->resource, sc_rrole_of(r, row->context), &p));
  if (signals(row) && writes > p->signal_most) {
    p->signal_most = writes;
    p->signal = (sc_rcall){row->context, row->line};
  } else if (!signals(row) && waits > p->wait_most) {
    p->wait_most = waits;
    p->wait = (sc_rcall){row->context, row->line};
  }
  p->signals += signals(row) ? writes : 0;
  p->waits += signals(row) ? 0 : waits;
  return 0;
}

static int gather_parts(const sc_resources *r, parts *all)
{
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(r->graph, sc_analysis_run(r->analysis, run), &rows);
    for (; rows; rows--, row++)
      SC_TRY(add_row(r, row, all));
  }
  return 0;
}

static const part *part_of(const parts *all, uint32_t resource, uint32_t role)
{
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].resource == resource && all->list[i].role == role)
      return &all->list[i];
  return NULL;
}

/* Who waits for the condition, and who else signals it. False if these are not its users. */
static bool find_roles(candidate *c)
{
  sc_rpool *pool = &c->pool;
  double waits = 0, all = 0, most = 0, theirs = 0;
  for (size_t i = 0; i < c->all->count; i++) {
    const part *p = &c->all->list[i];
    if (p->resource != pool->resource)
      continue;
    waits = fmax(waits, p->waits);
    all += p->signals;
    most = fmax(most, p->waits > 0 ? 0 : p->signals);
  }
  for (size_t i = 0; i < c->all->count; i++) {
    const part *p = &c->all->list[i];
    if (p->resource != pool->resource)
      continue;
    if (p->waits > MINOR * waits && pool->worker_count < SC_RPOOL_ROLES) {
      pool->take = p->waits == waits ? p->wait.context : pool->take;
      pool->take_line = p->waits == waits ? p->wait.line : pool->take_line;
      pool->workers[pool->worker_count++] = p->role;
    } else if (p->waits == 0 && p->signals > MINOR * most && pool->client_count < SC_RPOOL_ROLES) {
      pool->clients[pool->client_count++] = p->role;
      theirs += p->signals;
    }
  }
  return pool->worker_count && pool->client_count && theirs >= BY_CLIENTS * all;
}

/* As many at all larger sizes: a pool that grows with its clients is never too small. */
static bool find_servers(candidate *c)
{
  const sc_resources *r = c->r;
  const sc_rcell *cell = &r->cells[c->pool.resource];
  double servers = 0, one;
  for (size_t size = r->size_count / 2; size < r->size_count; size++) {
    if (!sc_rmetric_at(r, cell, size, SC_RMETRIC_THREADS, &one) || (servers > 0 && one != servers))
      return false;
    servers = one;
  }
  c->pool.as.capacity = servers;
  return servers >= 1;
}

/* Whether a role signals one condition in front of where it waits for the other one: it asks, and waits for the answer.
 */
static bool asks_first(const part *asks, const part *waits, const sc_resources *r)
{
  return asks && waits && asks->signals > 0 && waits->waits > 0 && sc_rcall_order(r, &asks->signal, &waits->wait) < 0;
}

/* The condition that clients wait for and workers signal: of several the one waited for most often. */
static void find_answers(candidate *c)
{
  double most = 0;
  for (size_t i = 0; i < c->all->count; i++) {
    const part *p = &c->all->list[i];
    double by_workers = 0, all = 0;
    if (p->resource == c->pool.resource || !(p->waits > most) ||
        !sc_rpool_has(c->pool.clients, c->pool.client_count, p->role))
      continue;
    for (size_t k = 0; k < c->all->count; k++) {
      const part *other = &c->all->list[k];
      if (other->resource != p->resource)
        continue;
      all += other->signals;
      by_workers += sc_rpool_has(c->pool.workers, c->pool.worker_count, other->role) ? other->signals : 0;
    }
    if (by_workers < BY_CLIENTS * all || !(all > 0))
      continue;
    most = p->waits;
    c->pool.answers = p->resource;
    c->pool.closed = asks_first(part_of(c->all, c->pool.resource, p->role), p, c->r);
  }
}

/* Those that wait are the ones who ask: they signal something else first, which their "clients" wait for. */
static bool is_turned_round(const candidate *c)
{
  for (size_t w = 0; w < c->pool.worker_count; w++)
    for (size_t i = 0; i < c->all->count; i++) {
      const part *theirs = &c->all->list[i];
      if (theirs->resource == c->pool.resource || !(theirs->waits > 0) ||
          !sc_rpool_has(c->pool.clients, c->pool.client_count, theirs->role))
        continue;
      if (asks_first(part_of(c->all, theirs->resource, c->pool.workers[w]),
                     part_of(c->all, c->pool.resource, c->pool.workers[w]), c->r))
        return true;
    }
  return false;
}

/* ---- what happened in each run ---- */

/* The context that is entered once for each item that is taken: around the loop that waits. */
static uint32_t take_of(const sc_resources *r, uint32_t context)
{
  return sc_graph_at(r->graph, context)->kind == SC_LOCATION_LOOP ? sc_graph_parent(r->graph, context) : context;
}

static double takes_in(const candidate *c, size_t run)
{
  const sc_resources *r = c->r;
  uint32_t seen[SIZES];
  size_t rows, count = 0, index = sc_analysis_run(r->analysis, run);
  const sc_usage *row = sc_usage_rows(r->graph, index, &rows);
  double sum = 0;
  for (; rows; rows--, row++) {
    if (row->resource != c->pool.resource || signals(row) || row->context >= sc_graph_context_count(r->graph))
      continue;
    uint32_t take = take_of(r, row->context);
    if (count == SIZES || sc_rpool_has(seen, count, take))
      continue;
    seen[count++] = take;
    sum += sc_graph_executions(r->graph, index, take);
  }
  return sum;
}

static double requests_in(const candidate *c, size_t run)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(c->r->graph, sc_analysis_run(c->r->analysis, run), &rows);
  double sum = 0;
  for (; rows; rows--, row++)
    if (row->resource == c->pool.resource && signals(row) && row->context < sc_graph_context_count(c->r->graph) &&
        sc_rpool_has(c->pool.clients, c->pool.client_count, sc_rrole_of(c->r, row->context)))
      sum += row->values[SC_USAGE_WRITES];
  return sum;
}

/* From the first event to the last; the last answer may come after the last request, and workers may never end. */
static double span_of(const candidate *c, size_t run)
{
  const sc_resources *r = c->r;
  double span = sc_rcell_occupancy(r, &r->cells[c->pool.resource], run)->span_seconds;
  if (c->pool.answers == SC_USAGE_NONE)
    return span;
  return fmax(span, sc_rcell_occupancy(r, &r->cells[c->pool.answers], run)->span_seconds);
}

static void fill_run(candidate *c, size_t run)
{
  const sc_resources *r = c->r;
  const sc_rcell *cell = &r->cells[c->pool.resource];
  double span = c->columns[SPAN][run] = span_of(c, run), servers = c->pool.as.capacity;
  double waited = sc_rcell_sum(cell, run, SC_USAGE_WAIT_SECONDS), room = servers * span;
  double takes = takes_in(c, run), requests = requests_in(c, run);
  double items = fmax(requests, takes - servers); /* the last take of each is the one that ends it */
  c->columns[TAKES][run] = takes - servers;
  c->columns[REQUESTS][run] = requests;
  c->columns[ITEMS][run] = fmax(items, 0);
  c->columns[WAITS][run] = sc_rcell_sum(cell, run, SC_USAGE_WAITS);
  c->columns[BUSY][run] = fmin(fmax(room - waited, 0), room);
  c->columns[SHARE][run] = room > 0 ? c->columns[BUSY][run] / room : 0;
  if (c->pool.answers != SC_USAGE_NONE && items > 0)
    c->columns[ANSWER][run] = sc_rcell_sum(&r->cells[c->pool.answers], run, SC_USAGE_WAIT_SECONDS) / items;
}

/* Medians of the sizes; returns how many. */
static size_t by_size(const candidate *c, enum column column, const double *over, double n[SIZES], double y[SIZES])
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
    y[count] = sc_rmetric_median(room, values.count);
    count += values.count > 0;
  }
  return count;
}

static double slope_of(const candidate *c, enum column column, const double *over)
{
  double n[SIZES], y[SIZES];
  size_t count = by_size(c, column, over, n, y);
  return sc_trend_slope(n, y, count);
}

/* From the lower half of the sizes to the upper one: ratio of their medians. */
static double rise_of(const candidate *c, enum column column)
{
  double n[SIZES], y[SIZES];
  size_t count = by_size(c, column, NULL, n, y), half = count / 2;
  if (!half)
    return 1;
  double low = sc_rmetric_median(y, half), high = sc_rmetric_median(y + count - half, half);
  return low > 0 ? high / low : high > 0 ? INFINITY : 1;
}

/* Clients are the threads that wait for their answers, or else those that ask; where these don't get more, somebody
 * outside asks by way of them, and the parameter is their number. */
static void count_customers(candidate *c)
{
  const sc_resources *r = c->r;
  for (int from = c->pool.closed ? 0 : 1; from < 3; from++) {
    for (size_t run = 0; run < r->run_count; run++) {
      double threads = 0;
      for (size_t i = 0; from == 1 && i < c->pool.client_count; i++)
        threads += sc_rrole_threads(r, run, c->pool.clients[i]);
      if (from == 0)
        threads = sc_rcell_occupancy(r, &r->cells[c->pool.answers], run)->threads;
      c->columns[CUSTOMERS][run] = from == 2 ? r->run_sizes[run] : threads;
    }
    double slope = slope_of(c, CUSTOMERS, NULL);
    if (slope >= THREADS_GROW && slope <= 1 / THREADS_GROW)
      return;
  }
}

/* Takes all that is there at once, in a time that does not depend on how much that is: more work is no more to do. */
static bool takes_batches(const candidate *c)
{
  double n[SIZES], y[SIZES];
  size_t count = by_size(c, REQUESTS, c->columns[TAKES], n, y);
  if (count < 2 || y[count - 1] < BATCHES || y[count - 1] < BATCHES * y[0])
    return false;
  return fabs(slope_of(c, BUSY, c->columns[TAKES])) <= fabs(slope_of(c, BUSY, c->columns[ITEMS]));
}

/* From half to half; or, where most sizes saturate it, from the smallest one. */
static bool gets_busier(const candidate *c)
{
  double n[SIZES], share[SIZES];
  size_t count = by_size(c, SHARE, NULL, n, share), half = count / 2;
  double first = share[0], rise = rise_of(c, SHARE), high = sc_rmetric_median(share + count - half, half);
  return rise >= BUSIER || (high >= SATURATED && high >= first * BUSIER);
}

static bool is_pool(const candidate *c)
{
  double n[SIZES], items[SIZES];
  size_t count = by_size(c, ITEMS, NULL, n, items);
  if (!count || items[count - 1] < ITEMS_ENOUGH || takes_batches(c))
    return false;
  if (!c->pool.closed && slope_of(c, ITEMS, NULL) < ITEMS_GROW)
    return false;
  return gets_busier(c) || (c->pool.answers != SC_USAGE_NONE && rise_of(c, ANSWER) >= ANSWERED_LATER);
}

/* ---- the cell ---- */

/* The time that clients are known to wait for workers to get at what they asked for. */
static double waited_for_answers(const candidate *c, size_t run)
{
  double answered = c->columns[ANSWER][run] * c->columns[ITEMS][run];
  return fmax(0, answered - (c->pool.closed ? c->columns[BUSY][run] : 0));
}

/* Time that clients spent on something else than having their requests served. */
static double away_for(const candidate *c, size_t run)
{
  return fmax(0, c->columns[CUSTOMERS][run] * c->columns[SPAN][run] - c->columns[BUSY][run]);
}

/* Of clients that wait for answers it is known from when to when they were there: the time between their requests, the
 * first of which comes at the beginning. */
static double active_for(const candidate *c, size_t run, double waited)
{
  const sc_resources *r = c->r;
  double customers = c->columns[CUSTOMERS][run], items = c->columns[ITEMS][run], held = c->columns[BUSY][run];
  if (c->pool.closed && items >= REQUESTS_EACH * customers) {
    const sc_rcell *cell = &r->cells[c->pool.answers];
    double apart = sc_rcell_occupancy(r, cell, run)->active_seconds - sc_rcell_sum(cell, run, SC_USAGE_WAIT_SECONDS);
    return waited + held + fmax(0, apart) * items / (items - customers);
  }
  return fmax(customers * c->columns[SPAN][run], waited + held);
}

/* The time between requests of a client where workers are idle; 0: they never are. */
static double time_between(const candidate *c)
{
  double room[REPEATS];
  sc_sample values = sc_sample_begin(room, REPEATS);
  for (size_t run = 0; run < c->r->run_count; run++)
    if (c->columns[SHARE][run] <= IDLE && c->columns[ITEMS][run] > 0)
      sc_sample_add(&values, away_for(c, run) / c->columns[ITEMS][run]);
  return values.count ? sc_rmetric_median(room, values.count) : 0;
}

/* Nobody sees what clients wait for that read from a socket, or use a future. Where workers are hardly ever idle, what
 * they stay away for longer than otherwise counts as waiting. */
static double waited_unseen(const candidate *c, size_t run)
{
  double between = time_between(c);
  if (c->columns[SHARE][run] <= IDLE || !(between > 0))
    return 0;
  return fmax(0, away_for(c, run) - between * c->columns[ITEMS][run]);
}

/* While the cells of conditions still say what was recorded of them. */
static void fill_times(candidate *c)
{
  for (size_t run = 0; run < c->r->run_count; run++) {
    double waited = c->pool.answers == SC_USAGE_NONE ? waited_unseen(c, run) : waited_for_answers(c, run);
    c->columns[WAITED][run] = waited;
    c->columns[ACTIVE][run] = active_for(c, run, waited);
  }
}

/* What is asked for is an acquire, and its service a hold, as of any resource with units. */
static void rewrite(sc_resources *r, const candidate *c)
{
  sc_rcell *cell = &r->cells[c->pool.resource];
  for (size_t run = 0; run < r->run_count; run++) {
    double items = c->columns[ITEMS][run], waited = c->columns[WAITED][run];
    sc_occupancy *o = &r->occupancies[run * r->resource_count + c->pool.resource];
    double *sums = &cell->sums[run * SC_RSUM_COUNT];
    memset(sums, 0, SC_RSUM_COUNT * sizeof *sums);
    sums[SC_USAGE_ACQUIRES] = sums[SC_USAGE_UNITS] = sums[SC_USAGE_HOLDS] = items;
    sums[SC_USAGE_RETURNED] = sums[SC_USAGE_RETURNED_UNITS] = sums[SC_USAGE_RELEASES] = items;
    sums[SC_USAGE_HOLD_SECONDS] = c->columns[BUSY][run];
    sums[SC_USAGE_WAIT_SECONDS] = waited;
    if (waited > 0 || !c->pool.closed) /* for those that found no worker idle */
      sums[SC_USAGE_WAITS] = fmax(0, items - c->columns[WAITS][run]);
    sums[SC_USAGE_PEAK] = fmin(c->pool.as.capacity, items);
    *o = (sc_occupancy){.resource = c->pool.resource,
                        .instances = 1,
                        .threads = c->columns[CUSTOMERS][run],
                        .active_seconds = c->columns[ACTIVE][run],
                        .span_seconds = c->columns[SPAN][run]};
  }
  cell->exclusive = true;
  cell->used = false;
}

/* ---- all of them ---- */

typedef struct candidates {
  candidate *list;
  size_t count, capacity;
} candidates;

static void free_columns(candidate *c)
{
  for (int column = 0; column < COLUMNS; column++)
    free(c->columns[column]);
}

static int make_columns(candidate *c)
{
  for (int column = 0; column < COLUMNS; column++)
    if (!(c->columns[column] = sc_mem_new(c->r->run_count + 1, sizeof *c->columns[column])))
      return SC_E_NOMEM;
  return 0;
}

static int try_condition(const sc_resources *r, const parts *all, uint32_t resource, candidates *found)
{
  int err = 0;
  candidate c = {.r = r, .all = all, .pool = {.resource = resource, .answers = SC_USAGE_NONE, .limit = 1}};
  if (!is_condition(r, resource) || !r->cells[resource].in_scope || !find_roles(&c) || !find_servers(&c))
    return 0;
  find_answers(&c);
  if (is_turned_round(&c))
    return 0;
  SC_GOTO(make_columns(&c));
  for (size_t run = 0; run < r->run_count; run++)
    fill_run(&c, run);
  count_customers(&c);
  if (!is_pool(&c))
    goto out;
  fill_times(&c);
  SC_GOTO(sc_mem_grow(&found->list, &found->capacity, found->count + 1, sizeof *found->list));
  found->list[found->count++] = c;
  return 0;
out:
  free_columns(&c);
  return err;
}

static double last_share(const candidate *c)
{
  double n[SIZES], y[SIZES];
  size_t count = by_size(c, SHARE, NULL, n, y);
  return count ? y[count - 1] : 0;
}

/* Of two pools of which one does the work that the other one hands on, the busier one sets the pace of both. */
static void limit(candidate *c, const candidate *other)
{
  bool linked = false;
  for (size_t i = 0; i < c->pool.client_count; i++)
    linked = linked || sc_rpool_has(other->pool.workers, other->pool.worker_count, c->pool.clients[i]);
  for (size_t i = 0; i < other->pool.client_count; i++)
    linked = linked || sc_rpool_has(c->pool.workers, c->pool.worker_count, other->pool.clients[i]);
  double busiest = last_share(other);
  if (linked && busiest > 0)
    c->pool.limit = fmin(c->pool.limit, last_share(c) / busiest);
}

static int keep(sc_resources *r, const candidate *c)
{
  sc_rpool *pool = r->pools[c->pool.resource] = sc_mem_new(1, sizeof *pool);
  if (!pool)
    return SC_E_NOMEM;
  *pool = c->pool;
  double servers = pool->as.capacity;
  pool->as = *sc_usage_resource_at(r->graph, pool->resource);
  pool->as.idle = false;
  pool->as.capacity = servers;
  rewrite(r, c);
  return 0;
}

int sc_rpools_find(sc_resources *r)
{
  int err = 0;
  parts all = {0};
  candidates found = {0};
  if ((r->kind != SC_PARAMETER_THREADS && r->kind != SC_PARAMETER_CLIENTS) || r->size_count < SIZES_ENOUGH)
    return 0;
  SC_GOTO(gather_parts(r, &all));
  for (uint32_t i = 0; i < r->resource_count && all.count; i++)
    SC_GOTO(try_condition(r, &all, i, &found));
  if (!found.count)
    goto out;
  r->pools = sc_mem_new(r->resource_count, sizeof *r->pools);
  if (!r->pools) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (size_t i = 0; i < found.count; i++)
    for (size_t k = 0; k < found.count; k++)
      if (i != k)
        limit(&found.list[i], &found.list[k]);
  for (size_t i = 0; i < found.count; i++) /* now that nobody looks at their cells as conditions any more */
    SC_GOTO(keep(r, &found.list[i]));
out:
  for (size_t i = 0; i < found.count; i++)
    free_columns(&found.list[i]);
  free(found.list);
  free(all.list);
  return err;
}

double sc_resources_pool(const sc_resources *r, uint32_t resource, uint32_t *answers)
{
  const sc_rpool *pool = resource < r->resource_count ? sc_rpool_at(r, resource) : NULL;
  *answers = pool ? pool->answers : SC_USAGE_NONE;
  return pool ? pool->as.capacity : 0;
}

void sc_rpools_free(sc_resources *r)
{
  for (uint32_t i = 0; r->pools && i < r->resource_count; i++)
    free(r->pools[i]);
  free(r->pools);
}
