/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/pools.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/listeners.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/pool_load.h"
#include "transitions/resources/roles.h"

/* Whether threads of a role wait for connections from outside. */
static bool role_accepts(const sc_resources *r, uint32_t role)
{
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(r->graph, sc_analysis_run(r->analysis, run), &rows);
    for (; rows; rows--, row++)
      if (sc_rlistens(row) && sc_rrole_of(r, row->context) == role)
        return true;
  }
  return false;
}

/* A library's conditions are of one name: of several, who brings work from outside waits for another one than that
 * which it signals, and those that it wakes signal that, mostly before they wait: their queue by itself (try_apart)
 * would look like one of threads that ask. */
static bool brings_work(const sc_resources *r, const sc_rpart *p)
{
  return p->signals > 0 && sc_rmetric_last(r, &r->cells[p->resource], SC_RMETRIC_INSTANCES) > 1 &&
         role_accepts(r, p->role);
}

/* Who signals, and waits at most once in its life, waits for the others to end, and never for work. */
static bool only_asks(const sc_resources *r, const sc_rpart *p)
{
  double threads = 0;
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++)
    threads += sc_rrole_threads(r, run, p->role);
  return p->waits == 0 || (p->waits <= threads && p->waits <= SC_POOLS_MINOR * p->signals) || brings_work(r, p);
}

/* Who waits for the condition, and who else signals it. False if these are not its users. */
static bool find_roles(sc_rload *c)
{
  sc_rpool *pool = &c->pool;
  double waits = 0, all = 0, most = 0, theirs = 0;
  bool brought = false;
  for (size_t i = 0; i < c->all->count; i++) {
    const sc_rpart *p = &c->all->list[i];
    if (p->resource != pool->resource)
      continue;
    bool asks = only_asks(c->r, p);
    waits = fmax(waits, asks ? 0 : p->waits);
    brought = brought || brings_work(c->r, p);
    most = fmax(most, asks ? p->signals : 0);
  }
  for (size_t i = 0; i < c->all->count; i++) {
    const sc_rpart *p = &c->all->list[i];
    if (p->resource != pool->resource)
      continue;
    bool asks = only_asks(c->r, p);
    all += asks || !brought ? p->signals : 0;
    if (!asks && p->waits > SC_POOLS_MINOR * waits && pool->worker_count < SC_RPOOL_ROLES) {
      pool->take = p->waits == waits ? p->wait : pool->take;
      pool->workers[pool->worker_count++] = p->role;
    } else if (asks && p->signals > SC_POOLS_MINOR * most && pool->client_count < SC_RPOOL_ROLES) {
      pool->clients[pool->client_count++] = p->role;
      theirs += p->signals;
    }
  }
  return pool->worker_count && pool->client_count && theirs >= SC_POOLS_CLIENTS * all;
}

/* Of the queue of one role: its threads, as many in all runs of the larger sizes; 0: they are not. */
static double servers_of_role(const sc_rload *c)
{
  const sc_resources *r = c->r;
  double servers = 0;
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++) {
    double one = sc_rrole_threads(r, run, c->pool.workers[0]);
    if (servers > 0 && one != servers)
      return 0;
    servers = one;
  }
  return servers;
}

/* Of all that wait for the condition: as many in all runs of a size, at all larger sizes, for a pool that grows with
 * its clients is never too small; 0: they are not. One that starts threads as they are needed shows how many it may
 * have only where there are more clients than that. */
static double servers_of_all(const sc_rload *c)
{
  const sc_resources *r = c->r;
  const sc_resource_cell *cell = &r->cells[c->pool.resource];
  double servers = 0, one, first;
  for (size_t size = r->size_count / 2; size < r->size_count; size++) {
    if (!sc_rmetric_at(r, cell, size, SC_RMETRIC_THREADS, &one))
      return 0;
    one -= sc_rload_asking(c, r->starts[size]);
    if (servers > 0 && one != servers)
      return 0;
    servers = one;
    for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
      if (sc_resource_cell_occupancy(r, cell, run)->threads - sc_rload_asking(c, run) > servers)
        return 0;
  }
  bool grew = sc_rmetric_at(r, cell, 0, SC_RMETRIC_THREADS, &first) && first - sc_rload_asking(c, 0) < servers;
  return grew && r->sizes[r->size_count - 1] <= servers ? 0 : servers;
}

static bool find_servers(sc_rload *c)
{
  c->pool.as.capacity = c->by_role ? servers_of_role(c) : servers_of_all(c);
  return c->pool.as.capacity >= 1;
}

/* Whether a role signals one condition in front of where it waits for the other one: it asks, and waits for the answer.
 */
static bool asks_first(const sc_rpart *asks, const sc_rpart *waits, const sc_resources *r)
{
  return asks && waits && asks->signals > 0 && waits->waits > 0 && sc_rcall_order(r, &asks->signal, &waits->wait) < 0;
}

/* The condition that clients wait for and workers signal: of several the one waited for most often. */
static void find_answers(sc_rload *c)
{
  double most = 0;
  for (size_t i = 0; i < c->all->count; i++) {
    const sc_rpart *p = &c->all->list[i];
    double by_workers = 0, all = 0;
    if (p->resource == c->pool.resource || !(p->waits > most) ||
        !sc_rrole_in(c->pool.clients, c->pool.client_count, p->role))
      continue;
    for (size_t k = 0; k < c->all->count; k++) {
      const sc_rpart *other = &c->all->list[k];
      if (other->resource != p->resource)
        continue;
      all += other->signals;
      by_workers += sc_rrole_in(c->pool.workers, c->pool.worker_count, other->role) ? other->signals : 0;
    }
    if (by_workers < SC_POOLS_CLIENTS * all || !(all > 0))
      continue;
    most = p->waits;
    c->pool.answers = p->resource;
    c->pool.closed = asks_first(sc_rpart_of(c->all, c->pool.resource, p->role), p, c->r);
  }
}

/* Those that wait are the ones who ask: they signal something else first, which their "clients" wait for. Not where
 * those have their work from outside, and are only told who is idle. */
static bool is_turned_round(const sc_rload *c)
{
  for (size_t w = 0; w < c->pool.worker_count; w++)
    for (size_t i = 0; i < c->all->count; i++) {
      const sc_rpart *theirs = &c->all->list[i];
      if (theirs->resource == c->pool.resource || !(theirs->waits > 0) ||
          !sc_rrole_in(c->pool.clients, c->pool.client_count, theirs->role))
        continue;
      if (asks_first(sc_rpart_of(c->all, theirs->resource, c->pool.workers[w]),
                     sc_rpart_of(c->all, c->pool.resource, c->pool.workers[w]), c->r) &&
          !role_accepts(c->r, theirs->role))
        return true;
    }
  return false;
}

typedef struct candidates {
  sc_rload *list;
  size_t count, capacity;
} candidates;

/* Looks whether there is a pool of these workers and clients, and what it had to do. *fits: whether there is. */
static int try_roles(sc_rload *c, bool *fits)
{
  *fits = false;
  if (!find_servers(c))
    return 0;
  find_answers(c);
  if (is_turned_round(c))
    return 0;
  SC_TRY(sc_rload_make(c));
  *fits = sc_rload_fits(c);
  return 0;
}

/* All that wait for it serve one queue, and all others that signal it are clients. */
static int try_together(sc_rload *c, bool *fits)
{
  *fits = false;
  return find_roles(c) ? try_roles(c, fits) : 0;
}

/* The queue of one role: others that signal it are its clients, whatever they wait for by the same name. */
static bool find_one_role(sc_rload *c, const sc_rpart *own)
{
  sc_rpool *pool = &c->pool;
  pool->workers[0] = own->role;
  pool->worker_count = 1;
  pool->take = own->wait;
  double most = 0;
  for (size_t i = 0; i < c->all->count; i++)
    if (c->all->list[i].resource == pool->resource && c->all->list[i].role != own->role)
      most = fmax(most, c->all->list[i].signals);
  for (size_t i = 0; i < c->all->count; i++) {
    const sc_rpart *p = &c->all->list[i];
    if (p->resource == pool->resource && p->role != own->role && p->signals > SC_POOLS_MINOR * most &&
        pool->client_count < SC_RPOOL_ROLES)
      pool->clients[pool->client_count++] = p->role;
  }
  return pool->client_count && !asks_first(own, own, c->r);
}

/* How many roles wait for it frequently. */
static size_t count_waiting(const sc_rparts *all, uint32_t resource)
{
  double most = 0;
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].resource == resource)
      most = fmax(most, all->list[i].waits);
  for (size_t i = 0; i < all->count; i++)
    count += all->list[i].resource == resource && all->list[i].waits > SC_POOLS_MINOR * most;
  return count;
}

/* A class of the program's own around a condition gives one name to the conditions of all its objects. Where there are
 * several, and several roles wait, each role may have a queue of its own: the busiest is reported. */
static int try_apart(sc_rload *c, bool *fits)
{
  const sc_resources *r = c->r;
  const sc_rpool none = c->pool;
  int err = 0;
  double instances = sc_rmetric_last(r, &r->cells[c->pool.resource], SC_RMETRIC_INSTANCES);
  *fits = false;
  if (!(instances > 1) || count_waiting(c->all, c->pool.resource) < 2)
    return 0;
  for (size_t i = 0; !err && i < c->all->count; i++) {
    bool one = false;
    sc_rload other = {.r = r, .all = c->all, .pool = none, .by_role = true};
    if (c->all->list[i].resource != none.resource || !(c->all->list[i].waits > 0) ||
        !find_one_role(&other, &c->all->list[i]))
      continue;
    err = try_roles(&other, &one);
    if (!err && one && (!*fits || sc_rload_share(&other) > sc_rload_share(c))) {
      sc_rload better = other;
      other = *c;
      *c = better;
      *fits = true;
    }
    sc_rload_free(&other);
  }
  return err;
}

static int try_condition(const sc_resources *r, const sc_rparts *all, uint32_t resource, candidates *found)
{
  int err = 0;
  bool fits;
  sc_rload c = {.r = r, .all = all, .pool = {.resource = resource, .answers = SC_USAGE_NONE, .limit = 1}};
  if (!sc_rpart_queues(r, resource) || !r->cells[resource].in_scope)
    return 0;
  SC_GOTO(try_apart(&c, &fits));
  if (!fits)
    SC_GOTO(try_together(&c, &fits));
  if (!fits)
    goto out;
  SC_GOTO(sc_mem_grow(&found->list, &found->capacity, found->count + 1, sizeof *found->list));
  found->list[found->count++] = c;
  return 0;
out:
  sc_rload_free(&c);
  return err;
}

/* Where one pool hands its work on to another, the busier one sets the pace of both. */
static void limit_by_busier(sc_rload *c, const sc_rload *other)
{
  bool linked = false;
  for (size_t i = 0; i < c->pool.client_count; i++)
    linked = linked || sc_rrole_in(other->pool.workers, other->pool.worker_count, c->pool.clients[i]);
  for (size_t i = 0; i < other->pool.client_count; i++)
    linked = linked || sc_rrole_in(c->pool.workers, c->pool.worker_count, other->pool.clients[i]);
  double busiest = sc_rload_share(other);
  if (linked && busiest > 0)
    c->pool.limit = fmin(c->pool.limit, sc_rload_share(c) / busiest);
}

static int keep_pool(sc_resources *r, const sc_rload *c)
{
  sc_rpool *pool = r->pools[c->pool.resource] = sc_mem_new(1, sizeof *pool);
  if (!pool)
    return SC_E_NOMEM;
  *pool = c->pool;
  double servers = pool->as.capacity;
  pool->as = *sc_usage_resource_at(r->graph, pool->resource);
  pool->as.idle = false;
  pool->as.capacity = servers;
  sc_rload_write(r, c);
  return 0;
}

int sc_rpools_find(sc_resources *r)
{
  int err = 0;
  sc_rparts all = {0};
  candidates found = {0};
  if ((r->kind != SC_PARAMETER_THREADS && r->kind != SC_PARAMETER_CLIENTS) || r->size_count < SC_POOLS_SIZES)
    return 0;
  SC_GOTO(sc_rparts_gather(r, &all));
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
        limit_by_busier(&found.list[i], &found.list[k]);
  for (size_t i = 0; i < found.count; i++) /* now that nobody looks at their cells as conditions any more */
    SC_GOTO(keep_pool(r, &found.list[i]));
out:
  for (size_t i = 0; i < found.count; i++)
    sc_rload_free(&found.list[i]);
  free(found.list);
  free(all.list);
  return err;
}

bool sc_resources_pool(const sc_resources *r, uint32_t resource, sc_thread_pool *pool)
{
  const sc_rpool *found = resource < r->resource_count ? sc_rpool_at(r, resource) : NULL;
  *pool = (sc_thread_pool){.answers = SC_USAGE_NONE};
  if (found)
    *pool = (sc_thread_pool){found->as.capacity, found->answers, found->closed, found->clients, found->client_count};
  return found;
}

void sc_rpools_free(sc_resources *r)
{
  for (uint32_t i = 0; r->pools && i < r->resource_count; i++)
    free(r->pools[i]);
  free(r->pools);
}
