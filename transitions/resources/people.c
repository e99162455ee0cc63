/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/people.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/roles.h"
#include "transitions/resources/typical.h"

/* Who takes part in a finding: code sites, tasks, and who waited for whom. All from the runs at the largest size. */

static double amount_of(const sc_usage *row, enum sc_resource_role role, bool peak)
{
  const double *v = row->values;
  switch (role) {
  case SC_ROLE_ACQUIRES:
    return v[SC_USAGE_ACQUIRES];
  case SC_ROLE_HOLDS:
    return v[SC_USAGE_HOLD_SECONDS];
  case SC_ROLE_KEEPS:
    return peak ? v[SC_USAGE_PEAK] : fmax(0, v[SC_USAGE_UNITS] - v[SC_USAGE_RETURNED_UNITS]);
  case SC_ROLE_WAITS:
    return v[SC_USAGE_WAIT_SECONDS];
  case SC_ROLE_FAILS:
    return v[SC_USAGE_FAILURES];
  }
  return 0;
}

const char *sc_resource_role_name(enum sc_resource_role role)
{
  static const char *const names[] = {"acquires", "holds", "keeps", "waits", "fails"};
  return (unsigned)role < sizeof names / sizeof *names ? names[role] : "";
}

static bool is_row_concerned(const sc_resources *r, const sc_findings_draft *draft, const sc_usage *row)
{
  if (row->resource != draft->question->cell->resource)
    return false;
  for (size_t i = 0; i < draft->site_count; i++)
    if (sc_resource_cell_has(r, draft->sites[i], row))
      return true;
  return !draft->site_count;
}

static int compare_people_sites(const void *a, const void *b)
{
  const sc_resource_site *x = a, *y = b;
  return SC_COMPARE(x->role, y->role) ?: SC_COMPARE(x->context, y->context) ?: SC_COMPARE(x->line, y->line) ?:
         SC_COMPARE(x->column, y->column) ?: strcmp(x->via, y->via);
}

static size_t place_of(const sc_findings_draft *draft, enum sc_resource_role role)
{
  size_t i = 0;
  while (i < draft->form->role_count && draft->form->roles[i] != role)
    i++;
  return i;
}

/* In the rule's order of roles, then by what weigh_sites() put there, then by amount. */
static int rank_sites(const void *a, const void *b, void *draft)
{
  const sc_resource_site *x = a, *y = b;
  size_t left = place_of(draft, x->role), right = place_of(draft, y->role);
  return SC_COMPARE(left, right) ?: SC_COMPARE(y->share, x->share) ?: SC_COMPARE(y->amount, x->amount)
                                                                 ?: compare_people_sites(a, b);
}

static bool is_row_of(const sc_usage *row, const sc_resource_site *site)
{
  return row->context == site->context && row->line == site->line && row->column == site->column &&
         !strcmp(row->via, site->via);
}

/* Seconds that others waited for the holds of a site, in the runs of the largest size. Who waits for a hold that lost
 * its processor waits for that, wherever it was. */
static double waited_for(const sc_resources *r, uint32_t resource, const sc_resource_site *site)
{
  double seconds = 0;
  for (size_t run = r->starts[r->size_count - 1]; run < r->run_count; run++) {
    size_t count, rows, index = sc_analysis_run(r->analysis, run);
    const sc_wait_pair *pairs = sc_usage_pairs(r->graph, index, &count);
    const sc_usage *row = sc_usage_rows(r->graph, index, &rows);
    for (size_t i = 0; i < count; i++)
      if (pairs[i].holder != SC_USAGE_NONE && row[pairs[i].waiter].resource == resource &&
          row[pairs[i].holder].resource == resource && is_row_of(&row[pairs[i].holder], site))
        seconds += fmin(pairs[i].seconds, pairs[i].waits * sc_rtypical_longest(row[pairs[i].holder].buckets));
  }
  return seconds;
}

/* Whether a site holds alone in one of these runs. */
static bool holds_alone(const sc_resources *r, uint32_t resource, const sc_resource_site *site)
{
  for (size_t run = r->starts[r->size_count - 1]; run < r->run_count; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(r->graph, sc_analysis_run(r->analysis, run), &rows);
    for (size_t i = 0; i < rows; i++)
      if (row[i].resource == resource && !row[i].shared && is_row_of(&row[i], site))
        return true;
  }
  return false;
}

/* Of the holds of a lock that is shared what is worst is not what takes longest, as readers keep nobody waiting but
 * writers, but what others waited for; where nobody waited, those that hold alone. Puts what sites are ranked by where
 * their share will stand. */
static void weigh_sites(const sc_findings_draft *draft, sc_resource_site *sites, size_t count)
{
  const sc_question *q = draft->question;
  bool shared = q->cell->exclusive && sc_resource_cell_sum(q->cell, q->r->run_count - 1, SC_RSUM_SHARED_ACQUIRES) > 0;
  bool waited = false;
  for (size_t i = 0; i < count; i++) {
    bool weighed = shared && sites[i].role == SC_ROLE_HOLDS;
    sites[i].share = weighed ? waited_for(q->r, q->cell->resource, &sites[i]) : 0;
    waited |= sites[i].share > 0;
  }
  for (size_t i = 0; i < count && shared && !waited; i++)
    sites[i].share = sites[i].role == SC_ROLE_HOLDS && holds_alone(q->r, q->cell->resource, &sites[i]);
}

/* Adds up what stands for the same site, ranks, and keeps the first ones of each role. */
static size_t merge_sites(const sc_findings_draft *draft, sc_resource_site *sites, size_t count)
{
  double totals[SC_ROLE_FAILS + 1] = {0};
  size_t merged = 0, kept = 0, in_role = 0;
  if (!count)
    return 0;
  qsort(sites, count, sizeof *sites, compare_people_sites);
  for (size_t i = 0; i < count; i++) {
    totals[sites[i].role] += sites[i].amount;
    if (merged && compare_people_sites(&sites[merged - 1], &sites[i]) == 0)
      sites[merged - 1].amount += sites[i].amount;
    else
      sites[merged++] = sites[i];
  }
  weigh_sites(draft, sites, merged);
  qsort_r(sites, merged, sizeof *sites, rank_sites, (void *)draft);
  for (size_t i = 0; i < merged; i++) {
    in_role = i && sites[i].role == sites[i - 1].role ? in_role + 1 : 0;
    if (in_role >= SC_PEOPLE_MOST)
      continue;
    sites[kept] = sites[i];
    sites[kept].share = totals[sites[i].role] > 0 ? fmin(1, sites[i].amount / totals[sites[i].role]) : 0;
    kept++;
  }
  return kept;
}

static int rank_tasks(const void *a, const void *b)
{
  const sc_resource_task *x = a, *y = b;
  return SC_COMPARE(y->amount, x->amount) ?: SC_COMPARE(x->context, y->context);
}

static void rank_participants(const sc_findings_draft *draft, sc_resource_finding *f)
{
  double total = 0;
  f->site_count = merge_sites(draft, f->sites, f->site_count);
  if (f->task_count)
    qsort(f->tasks, f->task_count, sizeof *f->tasks, rank_tasks);
  for (size_t i = 0; i < f->task_count; i++)
    total += f->tasks[i].amount;
  for (size_t i = 0; i < f->task_count; i++)
    f->tasks[i].share = f->tasks[i].amount / total;
  f->task_count = f->task_count < SC_PEOPLE_MOST ? f->task_count : SC_PEOPLE_MOST;
}

static int fill_sites(const sc_resources *r, const sc_findings_draft *draft, sc_resource_finding *f)
{
  const sc_draft_form *form = draft->form;
  size_t capacity = 0, from = r->starts[r->size_count - 1];
  for (size_t run = from; run < r->run_count; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(r->graph, sc_analysis_run(r->analysis, run), &rows);
    for (; rows; rows--, row++) {
      if (!is_row_concerned(r, draft, row))
        continue;
      for (size_t i = 0; i < form->role_count; i++) {
        double amount = amount_of(row, form->roles[i], form->peak) / (double)(r->run_count - from);
        if (!(amount > 0))
          continue;
        SC_TRY(sc_mem_grow(&f->sites, &capacity, f->site_count + 1, sizeof *f->sites));
        f->sites[f->site_count++] = (sc_resource_site){.role = form->roles[i],
                                                       .context = row->context,
                                                       .via = row->via,
                                                       .line = row->line,
                                                       .column = row->column,
                                                       .amount = amount};
      }
    }
  }
  return 0;
}

/* Adds an amount to the task that a context belongs to. `capacity`: of the finding's tasks. */
static int add_task(const sc_resources *r, sc_resource_finding *f, size_t *capacity, uint32_t context, double amount)
{
  uint32_t task = sc_graph_task(r->graph, context, (const char *const *)r->tasks, r->task_count);
  size_t i = 0;
  while (i < f->task_count && f->tasks[i].context != task)
    i++;
  if (i == f->task_count) {
    SC_TRY(sc_mem_grow(&f->tasks, capacity, i + 1, sizeof *f->tasks));
    f->tasks[f->task_count++] = (sc_resource_task){.context = task};
  }
  f->tasks[i].amount += amount;
  return 0;
}

static int fill_tasks(const sc_resources *r, const sc_findings_draft *draft, sc_resource_finding *f)
{
  size_t capacity = 0, from = r->starts[r->size_count - 1];
  for (size_t run = from; run < r->run_count; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(r->graph, sc_analysis_run(r->analysis, run), &rows);
    for (; rows; rows--, row++) {
      double amount = is_row_concerned(r, draft, row) ? amount_of(row, draft->form->roles[0], draft->form->peak) : 0;
      if (amount > 0)
        SC_TRY(add_task(r, f, &capacity, row->context, amount / (double)(r->run_count - from)));
    }
  }
  return 0;
}

/* Who takes part in a finding about a pool, at the largest size measured: the statements of its workers that take time,
 * where its clients wait, and where they ask. */
typedef struct listing {
  const sc_resources *r;
  const sc_rpool *pool;
  sc_resource_finding *finding;
  size_t site_capacity, task_capacity;
  double runs;
} listing;

static int add_site(listing *l, const sc_resource_site *site)
{
  sc_resource_finding *f = l->finding;
  for (size_t i = 0; i < f->site_count; i++) {
    sc_resource_site *s = &f->sites[i];
    if (s->role == site->role && s->context == site->context && s->line == site->line && s->column == site->column) {
      s->amount += site->amount;
      return 0;
    }
  }
  SC_TRY(sc_mem_grow(&f->sites, &l->site_capacity, f->site_count + 1, sizeof *f->sites));
  f->sites[f->site_count++] = *site;
  return 0;
}

/* The statement of the function, or loop, from which workers also take what is to be done: what is below it are
 * details. */
static int add_service(listing *l, const sc_rcall *call, uint32_t column, const char *via, double seconds)
{
  uint32_t around = sc_graph_common(l->r->graph, call->context, l->pool->take.context), below;
  uint32_t line = sc_rcall_line_in(l->r, call, around, &below);
  bool own = below == around;
  return add_site(l, &(sc_resource_site){.role = SC_ROLE_HOLDS,
                                         .context = line ? around : call->context,
                                         .via = own || !line ? via : sc_graph_at(l->r->graph, below)->name,
                                         .line = line ? line : call->line,
                                         .column = own ? column : 0,
                                         .amount = seconds});
}

static bool is_worker(const listing *l, uint32_t context)
{
  return sc_rrole_in(l->pool->workers, l->pool->worker_count, sc_rrole_of(l->r, context));
}

static bool is_client(const listing *l, uint32_t context)
{
  return sc_rrole_in(l->pool->clients, l->pool->client_count, sc_rrole_of(l->r, context));
}

static int add_use(listing *l, const sc_usage *row, enum sc_resource_role role, double amount)
{
  return add_site(l, &(sc_resource_site){.role = role,
                                         .context = row->context,
                                         .via = row->via,
                                         .line = row->line,
                                         .column = row->column,
                                         .amount = amount});
}

static int list_usage(listing *l, const sc_usage *row, double *seen)
{
  double waited = row->values[SC_USAGE_WAIT_SECONDS] / l->runs, signals = row->values[SC_USAGE_WRITES] / l->runs;
  enum sc_resource_class class = sc_usage_resource_at(l->r->graph, row->resource)->resource_class;
  if (row->resource == l->pool->resource && signals > 0 && is_client(l, row->context)) {
    SC_TRY(add_use(l, row, SC_ROLE_ACQUIRES, signals));
    return add_task(l->r, l->finding, &l->task_capacity, row->context, signals);
  }
  if (row->resource == l->pool->answers && waited > 0 && is_client(l, row->context))
    return add_use(l, row, SC_ROLE_WAITS, waited);
  if (row->resource == l->pool->resource || !(waited > 0) || !is_worker(l, row->context) ||
      !(sc_resource_class_blocks(class) || class == SC_RESOURCE_MUTEX || class == SC_RESOURCE_RWLOCK))
    return 0;
  *seen += waited;
  return add_service(l, &(sc_rcall){row->context, row->line, row->column}, row->column, row->via, waited);
}

/* What was not waited for is processor time: where samples say so, or else nobody knows. */
static int add_unseen(listing *l, double seconds)
{
  const sc_resources *r = l->r;
  double all = 0;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t c = 1; c < sc_graph_context_count(r->graph) && (!pass || all > 0); c++) {
      double cost = 0;
      for (size_t run = r->starts[r->size_count - 1]; run < r->run_count; run++)
        cost += sc_graph_value(r->graph, sc_analysis_run(r->analysis, run), c, SC_METRIC_COST);
      if (!(cost > 0) || !is_worker(l, c))
        continue;
      all += pass ? 0 : cost;
      if (pass)
        SC_TRY(add_service(l, &(sc_rcall){c, sc_graph_at(r->graph, c)->line, 0}, 0, sc_graph_at(r->graph, c)->name,
                           seconds * cost / all));
    }
  if (all > 0)
    return 0;
  return add_site(l, &(sc_resource_site){.role = SC_ROLE_HOLDS,
                                         .context = l->pool->take.context,
                                         .via = "",
                                         .line = l->pool->take.line,
                                         .amount = seconds});
}

/* Sites and tasks of a finding about a pool, not ranked yet. */
static int fill_from_pool(const sc_resources *r, const sc_rpool *pool, sc_resource_finding *f)
{
  size_t from = r->starts[r->size_count - 1];
  listing l = {.r = r, .pool = pool, .finding = f, .runs = (double)(r->run_count - from)};
  double seen = 0, served = sc_rmetric_last(r, &r->cells[pool->resource], SC_RMETRIC_HOLD_TOTAL);
  for (size_t run = from; run < r->run_count; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(r->graph, sc_analysis_run(r->analysis, run), &rows);
    for (; rows; rows--, row++)
      SC_TRY(list_usage(&l, row, &seen));
  }
  if (served - seen > SC_PEOPLE_UNSEEN * served)
    SC_TRY(add_unseen(&l, served - seen));
  return 0;
}

static uint32_t context_of(const sc_usage *rows, size_t count, uint32_t index)
{
  return index < count ? rows[index].context : SC_USAGE_NONE;
}

/* Calls what() for every pair of the resource in the runs of a size. */
typedef int (*visit_pair)(void *user, const sc_resource_pair *pair);
static int over_pairs(const sc_resources *r, uint32_t resource, size_t size, visit_pair what, void *user)
{
  for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++) {
    size_t count, rows, index = sc_analysis_run(r->analysis, run);
    const sc_wait_pair *pairs = sc_usage_pairs(r->graph, index, &count);
    const sc_usage *row = sc_usage_rows(r->graph, index, &rows);
    for (size_t i = 0; i < count; i++) {
      const sc_wait_pair *p = &pairs[i];
      if (row[p->waiter].resource != resource || sc_usage_pair_nested(r->graph, row, p))
        continue;
      sc_resource_pair pair = {.waiter = row[p->waiter].context,
                               .holder = context_of(row, rows, p->holder),
                               .waiter_line = row[p->waiter].line,
                               .waiter_column = row[p->waiter].column,
                               .holder_line = p->holder < rows ? row[p->holder].line : 0,
                               .holder_column = p->holder < rows ? row[p->holder].column : 0,
                               .waits = p->waits,
                               .seconds = p->seconds};
      SC_TRY(what(user, &pair));
    }
  }
  return 0;
}

typedef struct pair_list {
  sc_resource_pair *list;
  double *small_waits; /* [capacity] of the same pair at the smallest size */
  size_t count, capacity, waits_capacity;
} pair_list;

static int compare_ends(const sc_resource_pair *x, const sc_resource_pair *y)
{
  return SC_COMPARE(x->waiter, y->waiter) ?: SC_COMPARE(x->holder, y->holder) ?:
         SC_COMPARE(x->waiter_line, y->waiter_line) ?: SC_COMPARE(x->waiter_column, y->waiter_column) ?:
         SC_COMPARE(x->holder_line, y->holder_line) ?: SC_COMPARE(x->holder_column, y->holder_column);
}

static sc_resource_pair *find_listed_pair(const pair_list *pairs, const sc_resource_pair *pair)
{
  for (size_t i = 0; i < pairs->count; i++)
    if (compare_ends(&pairs->list[i], pair) == 0)
      return &pairs->list[i];
  return NULL;
}

static int add_large(void *user, const sc_resource_pair *pair)
{
  pair_list *pairs = user;
  sc_resource_pair *found = find_listed_pair(pairs, pair);
  if (!found) {
    SC_TRY(sc_mem_grow(&pairs->list, &pairs->capacity, pairs->count + 1, sizeof *pairs->list));
    SC_TRY(sc_mem_grow(&pairs->small_waits, &pairs->waits_capacity, pairs->count + 1, sizeof(double)));
    pairs->small_waits[pairs->count] = 0;
    pairs->list[pairs->count++] = *pair;
    return 0;
  }
  found->waits += pair->waits;
  found->seconds += pair->seconds;
  return 0;
}

static int add_small_pair(void *user, const sc_resource_pair *pair)
{
  pair_list *pairs = user;
  sc_resource_pair *found = find_listed_pair(pairs, pair);
  if (found) {
    found->seconds_small += pair->seconds;
    pairs->small_waits[found - pairs->list] += pair->waits;
  }
  return 0;
}

static int rank_pairs(const void *a, const void *b)
{
  const sc_resource_pair *x = a, *y = b;
  return SC_COMPARE(y->seconds, x->seconds) ?: compare_ends(x, y);
}

static int fill_pairs(const sc_resources *r, const sc_findings_draft *draft, sc_resource_finding *f)
{
  pair_list pairs = {0};
  size_t last = r->size_count - 1;
  double total = 0, runs = (double)(r->run_count - r->starts[last]);
  int err = over_pairs(r, draft->question->cell->resource, last, add_large, &pairs);
  if (!err && last)
    err = over_pairs(r, draft->question->cell->resource, 0, add_small_pair, &pairs);
  for (size_t i = 0; i < pairs.count; i++) {
    sc_resource_pair *p = &pairs.list[i];
    p->seconds_small = pairs.small_waits[i] > 0 ? p->seconds_small / pairs.small_waits[i] : 0;
    p->waits /= runs;
    p->seconds /= runs;
    total += p->seconds;
  }
  for (size_t i = 0; i < pairs.count; i++)
    pairs.list[i].share = total > 0 ? pairs.list[i].seconds / total : 0;
  if (pairs.count)
    qsort(pairs.list, pairs.count, sizeof *pairs.list, rank_pairs);
  free(pairs.small_waits);
  f->pairs = pairs.list;
  f->pair_count = pairs.count < SC_PEOPLE_MOST ? pairs.count : SC_PEOPLE_MOST;
  return err;
}

int sc_people_fill(const sc_resources *r, const sc_findings_draft *draft, sc_resource_finding *f)
{
  const sc_rpool *pool = sc_rpool_at(r, draft->question->cell->resource);
  if (pool) {
    SC_TRY(fill_from_pool(r, pool, f));
  } else {
    SC_TRY(fill_sites(r, draft, f));
    SC_TRY(fill_tasks(r, draft, f));
  }
  rank_participants(draft, f);
  return draft->site_count || pool ? 0 : fill_pairs(r, draft, f);
}
