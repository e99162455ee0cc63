/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/blame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/model/tuning.h"

static const sc_blame_end nobody = {.context = SC_USAGE_NONE};
enum { EXPECTED = 8 }; /* edges of who would wait */

/* Usages and wait pairs of all runs of one size, added up and divided by the number of runs. */
typedef struct blame_row {
  sc_blame_end at;
  uint32_t resource;
  enum sc_usage_event event;
  double values[SC_USAGE_VALUES];
  double longest; /* hold, in seconds: at least so long, from the histogram; 0: no hold ended */
} blame_row;

typedef struct blame_pair {
  uint32_t waiter, holder; /* rows; holder SC_USAGE_NONE: not known */
  sc_blame_sum waits;
} blame_pair;

typedef struct blame_sums {
  blame_row *rows; /* by context, resource, via, shared, event */
  size_t row_count;
  blame_pair *pairs; /* by waiter, holder */
  size_t pair_count;
  blame_pair *nested; /* waits for another resource while the waiter's own thread had what `holder` acquired */
  size_t nested_count;
} blame_sums;

/* A resource being blamed. */
typedef struct blame_slice {
  const sc_graph *graph;
  uint32_t resource;
  blame_sums sums[SC_BLAME_SIZES];
  sc_blame *blame;
} blame_slice;

/* ---- sums over the runs of a size ---- */

/* A run's row before it is added to the others of its kind. */
typedef struct source {
  blame_row row;
  size_t run;
  uint32_t index;
} source;

static int compare_rows(const void *left, const void *right)
{
  const blame_row *a = left, *b = right;
  return SC_COMPARE(a->at.context, b->at.context) ?: SC_COMPARE(a->resource, b->resource) ?:
         strcmp(a->at.via, b->at.via) ?: SC_COMPARE(a->at.line, b->at.line) ?: SC_COMPARE(a->at.column, b->at.column) ?:
         SC_COMPARE(a->at.shared, b->at.shared) ?: SC_COMPARE(a->event, b->event);
}

static int compare_sources(const void *left, const void *right)
{
  return compare_rows(&((const source *)left)->row, &((const source *)right)->row);
}

static int compare_pairs(const void *left, const void *right)
{
  const blame_pair *a = left, *b = right;
  return SC_COMPARE(a->waiter, b->waiter) ?: SC_COMPARE(a->holder, b->holder);
}

/* Whether a run is no target, and has these values of further parameters (NULL: any). */
static bool takes_run(const sc_graph *graph, size_t run, const double *others)
{
  const sc_run *info = sc_graph_run_const(graph, run);
  return info->role != SC_RUN_TARGET && (!others || memcmp(info->others, others, sizeof info->others) == 0);
}

static bool blame_counts(const sc_graph *graph, size_t run, double n, const double *others)
{
  return sc_graph_run_const(graph, run)->n == n && takes_run(graph, run, others);
}

/* The lower end of the last bucket that has a hold. */
static double blame_longest(const sc_usage *usage)
{
  for (int i = SC_USAGE_BUCKETS; i-- > 0;)
    if (usage->buckets[i] > 0)
      return ldexp(1e-9, i);
  return 0;
}

/* Counted first, so that one array holds all: rows are sorted and joined next, and pairs refer to them. */
static source *gather_sources(const sc_graph *graph, double n, const double *others, size_t *count, size_t *pairs,
                              size_t *runs)
{
  size_t all = 0;
  *count = *pairs = *runs = 0;
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    size_t some = 0;
    if (!blame_counts(graph, run, n, others))
      continue;
    (void)sc_usage_rows(graph, run, &some);
    all += some;
    (void)sc_usage_pairs(graph, run, &some);
    *pairs += some;
    ++*runs;
  }
  source *sources = sc_mem_new(all, sizeof *sources);
  for (size_t run = 0; sources && run < sc_graph_run_count(graph); run++) {
    size_t some = 0;
    const sc_usage *rows = blame_counts(graph, run, n, others) ? sc_usage_rows(graph, run, &some) : NULL;
    for (size_t i = 0; i < some; i++) {
      if (sc_usage_blocks(graph, &rows[i]))
        continue;
      source *s = &sources[(*count)++];
      *s = (source){.run = run, .index = (uint32_t)i};
      s->row = (blame_row){.at = {rows[i].context, rows[i].via, rows[i].line, rows[i].column, rows[i].shared},
                           .resource = rows[i].resource,
                           .event = rows[i].event};
      memcpy(s->row.values, rows[i].values, sizeof s->row.values);
      s->row.longest = blame_longest(&rows[i]);
    }
  }
  return sources;
}

/* Adds equal sources up. */
static int add_up_blame(source *sources, size_t count, double runs, blame_sums *sums)
{
  sums->rows = sc_mem_new(count, sizeof *sums->rows);
  if (!sums->rows)
    return SC_E_NOMEM;
  if (count)
    qsort(sources, count, sizeof *sources, compare_sources);
  for (size_t i = 0; i < count; i++) {
    blame_row *row = sums->row_count ? &sums->rows[sums->row_count - 1] : NULL;
    if (!row || compare_rows(row, &sources[i].row) != 0) {
      row = &sums->rows[sums->row_count++];
      *row = sources[i].row;
      memset(row->values, 0, sizeof row->values);
    }
    row->longest = fmax(row->longest, sources[i].row.longest);
    for (size_t v = 0; v < SC_USAGE_VALUES; v++)
      row->values[v] += sources[i].row.values[v] / runs;
  }
  return 0;
}

/* The same row in other sums; NULL: it has none. */
static const blame_row *find_row(const blame_sums *sums, const blame_row *like)
{
  return sums->row_count ? bsearch(like, sums->rows, sums->row_count, sizeof *sums->rows, compare_rows) : NULL;
}

static uint32_t row_of(const blame_sums *sums, const sc_usage *usage)
{
  const blame_row like = {.at = {usage->context, usage->via, usage->line, usage->column, usage->shared},
                          .resource = usage->resource,
                          .event = usage->event};
  const blame_row *row = find_row(sums, &like);
  return row ? (uint32_t)(row - sums->rows) : SC_USAGE_NONE;
}

/* Adds equal ones up, in order. How many are left. */
static size_t join_pairs(blame_pair *pairs, size_t count)
{
  size_t kept = 0;
  if (count)
    qsort(pairs, count, sizeof *pairs, compare_pairs);
  for (size_t i = 0; i < count; i++)
    if (kept && compare_pairs(&pairs[kept - 1], &pairs[i]) == 0) {
      pairs[kept - 1].waits.count += pairs[i].waits.count;
      pairs[kept - 1].waits.seconds += pairs[i].waits.seconds;
    } else
      pairs[kept++] = pairs[i];
  return kept;
}

/* Means over the runs at one size. Nested ones are kept apart: they say what a holder waits for itself. */
static int add_pairs(const sc_graph *graph, double n, const double *others, size_t room, double runs, blame_sums *sums)
{
  sums->pairs = sc_mem_new(room, sizeof *sums->pairs);
  sums->nested = sc_mem_new(room, sizeof *sums->nested);
  if (!sums->pairs || !sums->nested)
    return SC_E_NOMEM;
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    size_t count = 0, row_count;
    const sc_wait_pair *pairs = blame_counts(graph, run, n, others) ? sc_usage_pairs(graph, run, &count) : NULL;
    const sc_usage *rows = sc_usage_rows(graph, run, &row_count);
    for (size_t i = 0; i < count; i++)
      if (!sc_usage_blocks(graph, &rows[pairs[i].waiter])) {
        blame_pair pair = {.waiter = row_of(sums, &rows[pairs[i].waiter]),
                           .holder = pairs[i].holder < row_count ? row_of(sums, &rows[pairs[i].holder]) : SC_USAGE_NONE,
                           .waits = {pairs[i].waits / runs, pairs[i].seconds / runs}};
        if (sc_usage_pair_nested(graph, rows, &pairs[i]) && pair.holder != SC_USAGE_NONE)
          sums->nested[sums->nested_count++] = pair;
        else
          sums->pairs[sums->pair_count++] = pair;
      }
  }
  sums->pair_count = join_pairs(sums->pairs, sums->pair_count);
  sums->nested_count = join_pairs(sums->nested, sums->nested_count);
  return 0;
}

static int new_sums(const sc_graph *graph, double n, const double *others, blame_sums *sums)
{
  size_t count, pairs, runs;
  *sums = (blame_sums){0};
  source *sources = gather_sources(graph, n, others, &count, &pairs, &runs);
  if (!sources)
    return SC_E_NOMEM;
  int err = add_up_blame(sources, count, (double)runs, sums);
  if (err == 0)
    err = add_pairs(graph, n, others, pairs, (double)runs, sums);
  free(sources);
  return err;
}

static void free_sums(blame_sums *sums)
{
  free(sums->rows);
  free(sums->pairs);
  free(sums->nested);
  *sums = (blame_sums){0};
}

/* The same pair in the sums of another size; NULL: they have none. */
static const blame_pair *find_blame_pair(const blame_sums *sums, const blame_sums *other, const blame_pair *like)
{
  blame_pair wanted = {.holder = SC_USAGE_NONE};
  const blame_row *waiter = find_row(sums, &other->rows[like->waiter]);
  const blame_row *holder = like->holder == SC_USAGE_NONE ? NULL : find_row(sums, &other->rows[like->holder]);
  if (!waiter || (!holder && like->holder != SC_USAGE_NONE) || !sums->pair_count)
    return NULL;
  wanted.waiter = (uint32_t)(waiter - sums->rows);
  if (holder)
    wanted.holder = (uint32_t)(holder - sums->rows);
  return bsearch(&wanted, sums->pairs, sums->pair_count, sizeof *sums->pairs, compare_pairs);
}

static sc_blame_sum blame_sum_of(const blame_row *row, enum sc_usage_value count, enum sc_usage_value seconds)
{
  return row ? (sc_blame_sum){row->values[count], row->values[seconds]} : (sc_blame_sum){0};
}

/* How often and how long a row waited, and had what it acquired; 0 of NULL. */
static sc_blame_sum waits_of(const blame_row *row) { return blame_sum_of(row, SC_USAGE_WAITS, SC_USAGE_WAIT_SECONDS); }

static sc_blame_sum holds_of(const blame_row *row) { return blame_sum_of(row, SC_USAGE_HOLDS, SC_USAGE_HOLD_SECONDS); }

/* ---- edges: every pair of contexts, or, where nobody waits yet, who would ---- */

/* What a row waited that is in no pair with a known holder. */
static sc_blame_sum untold_waits(const blame_sums *sums, const blame_row *row)
{
  sc_blame_sum left = waits_of(row);
  for (size_t i = 0; row && i < sums->pair_count; i++)
    if (&sums->rows[sums->pairs[i].waiter] == row && sums->pairs[i].holder != SC_USAGE_NONE) {
      left.count -= sums->pairs[i].waits.count;
      left.seconds -= sums->pairs[i].waits.seconds;
    }
  return (sc_blame_sum){fmax(left.count, 0), fmax(left.seconds, 0)};
}

static void add_edge(blame_slice *s, const sc_blame_edge *edge)
{
  sc_blame *blame = s->blame;
  const sc_blame_sum *all = &blame->waits[SC_BLAME_LARGE], *own = &edge->waits[SC_BLAME_LARGE];
  sc_blame_edge *added = &blame->edges[blame->edge_count++];
  *added = *edge;
  added->share = all->seconds > 0 ? own->seconds / all->seconds : own->count / all->count;
}

/* Waits whose holder nobody saw stay an edge to nobody: left out, the shares of the others would seem to explain
 * all. */
static void add_measured(blame_slice *s)
{
  const blame_sums *small = &s->sums[SC_BLAME_SMALL], *large = &s->sums[SC_BLAME_LARGE];
  for (size_t i = 0; i < large->pair_count; i++) {
    const blame_pair *pair = &large->pairs[i], *before = find_blame_pair(small, large, pair);
    const blame_row *waiter = &large->rows[pair->waiter];
    if (waiter->resource != s->resource || pair->holder == SC_USAGE_NONE)
      continue;
    sc_blame_edge edge = {
        .resource = s->resource, .waiter = waiter->at, .holder = large->rows[pair->holder].at, .waits[1] = pair->waits};
    if (before)
      edge.waits[SC_BLAME_SMALL] = before->waits;
    add_edge(s, &edge);
  }
  for (size_t i = 0; i < large->row_count; i++) {
    const blame_row *row = &large->rows[i];
    sc_blame_sum left = row->resource == s->resource ? untold_waits(large, row) : (sc_blame_sum){0};
    if (left.count < 0.5)
      continue;
    add_edge(s, &(sc_blame_edge){.resource = s->resource,
                                 .waiter = row->at,
                                 .holder = nobody,
                                 .waits = {untold_waits(small, find_row(small, row)), left}});
  }
}

static int compare_edges(const void *left, const void *right)
{
  const sc_blame_edge *a = left, *b = right;
  return SC_COMPARE(b->share, a->share);
}

static bool blame_excludes(enum sc_resource_class kind)
{
  return sc_resource_class_locks(kind) || kind == SC_RESOURCE_SEMAPHORE || kind == SC_RESOURCE_OTHER;
}

static bool blame_acquires(const blame_slice *s, const blame_row *row)
{
  return row->resource == s->resource && row->event == SC_USAGE_EVENT_ACQUIRE;
}

/* Keeps the EXPECTED largest. */
static void keep_worst(sc_blame *blame, const sc_blame_edge *edge)
{
  size_t at = blame->edge_count;
  while (at > 0 && blame->edges[at - 1].share < edge->share)
    at--;
  if (at == EXPECTED)
    return;
  blame->edge_count += blame->edge_count < EXPECTED;
  memmove(&blame->edges[at + 1], &blame->edges[at], (blame->edge_count - 1 - at) * sizeof *edge);
  blame->edges[at] = *edge;
}

/* Nobody waited: whoever acquires it most would, for whoever holds it longest. */
static void add_expected(blame_slice *s)
{
  const blame_sums *large = &s->sums[SC_BLAME_LARGE];
  double all = 0;
  if (!blame_excludes(sc_usage_resource_at(s->graph, s->resource)->resource_class))
    return;
  for (size_t w = 0; w < large->row_count; w++)
    for (size_t h = 0; blame_acquires(s, &large->rows[w]) && h < large->row_count; h++) {
      const blame_row *waiter = &large->rows[w], *holder = &large->rows[h];
      double share = waiter->values[SC_USAGE_ACQUIRES] * holder->values[SC_USAGE_HOLD_SECONDS];
      if (!blame_acquires(s, holder) || !(share > 0) || (waiter->at.shared && holder->at.shared))
        continue;
      all += share;
      keep_worst(s->blame,
                 &(sc_blame_edge){.resource = s->resource, .waiter = waiter->at, .holder = holder->at, .share = share});
    }
  for (size_t i = 0; i < s->blame->edge_count; i++)
    s->blame->edges[i].share /= all;
  s->blame->expected = s->blame->edge_count > 0;
}

/* Fills in blame->edges, waits and expected. */
static int find_edges(blame_slice *s)
{
  size_t room = EXPECTED + s->sums[SC_BLAME_LARGE].pair_count + s->sums[SC_BLAME_LARGE].row_count;
  for (int size = 0; size < SC_BLAME_SIZES; size++)
    for (size_t i = 0; i < s->sums[size].row_count; i++)
      if (s->sums[size].rows[i].resource == s->resource) {
        sc_blame_sum waits = waits_of(&s->sums[size].rows[i]);
        s->blame->waits[size].count += waits.count;
        s->blame->waits[size].seconds += waits.seconds;
      }
  s->blame->edges = sc_mem_new(room, sizeof *s->blame->edges);
  if (!s->blame->edges)
    return SC_E_NOMEM;
  if (!(s->blame->waits[SC_BLAME_LARGE].count > 0))
    add_expected(s);
  else {
    add_measured(s);
    qsort(s->blame->edges, s->blame->edge_count, sizeof *s->blame->edges, compare_edges);
  }
  return 0;
}

/* ---- the slice ---- */

static void find_sizes(blame_slice *s, const double *others)
{
  double *sizes = s->blame->sizes;
  sizes[SC_BLAME_SMALL] = INFINITY;
  sizes[SC_BLAME_LARGE] = 0;
  for (size_t run = 0; run < sc_graph_run_count(s->graph); run++) {
    const sc_run *info = sc_graph_run_const(s->graph, run);
    if (!takes_run(s->graph, run, others))
      continue;
    sizes[SC_BLAME_SMALL] = fmin(sizes[SC_BLAME_SMALL], info->n);
    sizes[SC_BLAME_LARGE] = fmax(sizes[SC_BLAME_LARGE], info->n);
  }
}

/* The context in which the holder has it: its own if it is released in there too, else the nearest one around both, as
 * for a function that only locks. */
static uint32_t blame_region(const blame_slice *s, const blame_row *holder)
{
  const blame_sums *large = &s->sums[SC_BLAME_LARGE];
  uint32_t nearest = 0, own = holder->at.context;
  for (size_t i = 0; i < large->row_count; i++) {
    const blame_row *row = &large->rows[i];
    if (row->resource != holder->resource || row->values[SC_USAGE_RELEASES] <= 0)
      continue;
    uint32_t both = sc_graph_common(s->graph, own, row->at.context);
    nearest = both > nearest ? both : nearest;
  }
  enum sc_location_kind kind = sc_graph_at(s->graph, nearest)->kind;
  return kind == SC_LOCATION_FUNCTION || kind == SC_LOCATION_LOOP ? nearest : own;
}

static uint32_t blame_function_of(const sc_graph *graph, uint32_t context)
{
  while (context && sc_graph_at(graph, context)->kind == SC_LOCATION_LOOP)
    context = sc_graph_parent(graph, context);
  return context;
}

/* Whether `wait` can be inside of the holder's holds: behind it in the source, or not longer than they are, nor its
 * own holds longer than those around them. A condition's wait gives its lock back, and tells nothing. */
static bool blame_inside(const blame_slice *s, const blame_row *wait, const blame_row *holder)
{
  double held = holds_of(holder).seconds, waited = waits_of(wait).seconds;
  enum sc_resource_class kind = sc_usage_resource_at(s->graph, wait->resource)->resource_class;
  if (wait->resource == holder->resource || kind == SC_RESOURCE_CONDITION || waited < SC_BLAME_WORTH * held ||
      waited > SC_BLAME_TOLERANCE * held)
    return false;
  if (wait->at.line && holder->at.line &&
      blame_function_of(s->graph, wait->at.context) == blame_function_of(s->graph, holder->at.context))
    return wait->at.line != holder->at.line ? wait->at.line > holder->at.line : wait->at.column > holder->at.column;
  return holds_of(wait).seconds <= SC_BLAME_TOLERANCE * held;
}

/* As next_wait, by the waits that were recorded inside of holds. */
static const blame_row *next_recorded(const blame_slice *s, const blame_row *holder, double *waited)
{
  const blame_sums *large = &s->sums[SC_BLAME_LARGE];
  const blame_row *worst = NULL;
  for (size_t i = 0; i < large->nested_count; i++) {
    const blame_pair *pair = &large->nested[i];
    if (&large->rows[pair->holder] != holder || pair->waits.seconds <= *waited ||
        pair->waits.seconds < SC_BLAME_WORTH * holds_of(holder).seconds)
      continue;
    *waited = pair->waits.seconds;
    worst = &large->rows[pair->waiter];
  }
  return worst;
}

/* What the holder itself waits for most while it holds, and how long; NULL: nothing. */
static const blame_row *next_wait(const blame_slice *s, const blame_row *holder, double *waited)
{
  const blame_sums *large = &s->sums[SC_BLAME_LARGE];
  const blame_row *worst = NULL;
  *waited = 0;
  if (large->nested_count)
    return next_recorded(s, holder, waited);
  uint32_t top = blame_region(s, holder);
  for (size_t i = 0; i < large->row_count; i++) {
    const blame_row *row = &large->rows[i];
    if (waits_of(row).seconds > (worst ? waits_of(worst).seconds : 0) &&
        sc_graph_within(s->graph, row->at.context, top) && blame_inside(s, row, holder))
      worst = row;
  }
  *waited = waits_of(worst).seconds;
  return worst;
}

/* The step of a wait: behind the holder for whom it waits longest. Returns that holder, NULL if nobody is known. */
static const blame_row *step_of(const blame_slice *s, const blame_row *wait, sc_blame_step *step)
{
  const blame_sums *small = &s->sums[SC_BLAME_SMALL], *large = &s->sums[SC_BLAME_LARGE];
  const blame_pair *worst = NULL;
  for (size_t i = 0; i < large->pair_count; i++) {
    const blame_pair *pair = &large->pairs[i];
    if (&large->rows[pair->waiter] == wait && pair->holder != SC_USAGE_NONE &&
        (!worst || pair->waits.seconds > worst->waits.seconds))
      worst = pair;
  }
  *step = (sc_blame_step){.resource = wait->resource, .waiter = wait->at, .holder = nobody};
  if (!worst) {
    step->waits[SC_BLAME_LARGE] = waits_of(wait);
    step->waits[SC_BLAME_SMALL] = waits_of(find_row(small, wait));
    return NULL;
  }
  const blame_row *holder = &large->rows[worst->holder];
  const blame_pair *before = find_blame_pair(small, large, worst);
  step->holder = holder->at;
  step->waits[SC_BLAME_LARGE] = worst->waits;
  if (before)
    step->waits[SC_BLAME_SMALL] = before->waits;
  step->longest = holder->longest;
  step->holds[SC_BLAME_LARGE] = holds_of(holder);
  step->holds[SC_BLAME_SMALL] = holds_of(find_row(small, holder));
  step->share = waits_of(wait).seconds > 0 ? worst->waits.seconds / waits_of(wait).seconds : 1;
  return holder;
}

static bool same_wait(const sc_blame_step *step, const blame_row *row)
{
  return step->resource == row->resource && step->waiter.context == row->at.context &&
         step->waiter.line == row->at.line && step->waiter.column == row->at.column &&
         step->waiter.via == row->at.via && step->waiter.shared == row->at.shared;
}

/* From who waits most back along the holders. Ends, as every wait is followed once. */
static int find_chain(blame_slice *s)
{
  sc_blame *blame = s->blame;
  const blame_sums *large = &s->sums[SC_BLAME_LARGE];
  const blame_row *wait = NULL;
  size_t capacity = 0;
  for (size_t i = 0; i < large->row_count; i++)
    if (large->rows[i].resource == s->resource && waits_of(&large->rows[i]).count > 0 &&
        (!wait || waits_of(&large->rows[i]).seconds > waits_of(wait).seconds))
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
    const blame_row *holder = step_of(s, wait, step);
    blame->end = holder ? SC_BLAME_HOLDER : SC_BLAME_UNKNOWN;
    double waited = 0;
    wait = holder ? next_wait(s, holder, &waited) : NULL;
    if (wait)
      step->waiting = fmin(waited / holds_of(holder).seconds, 1);
  }
  return 0;
}

int sc_blame_new(const sc_graph *graph, uint32_t resource, const double *others, sc_blame *blame)
{
  blame_slice s = {.graph = graph, .resource = resource, .blame = blame};
  int err;
  *blame = (sc_blame){0};
  find_sizes(&s, others);
  for (int size = 0; size < SC_BLAME_SIZES; size++)
    SC_GOTO(new_sums(graph, blame->sizes[size], others, &s.sums[size]));
  SC_GOTO(find_edges(&s));
  err = find_chain(&s);
out:
  for (int size = 0; size < SC_BLAME_SIZES; size++)
    free_sums(&s.sums[size]);
  return err;
}

void sc_blame_free(sc_blame *blame)
{
  free(blame->edges);
  free(blame->chain);
  *blame = (sc_blame){0};
}
