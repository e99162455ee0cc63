/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/blame_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* A run's row before it is added to the others of its kind. */
typedef struct source {
  sc_blame_row row;
  size_t run;
  uint32_t index;
} source;

static int order(double a, double b) { return (a > b) - (a < b); }

static int compare_rows(const void *left, const void *right)
{
  const sc_blame_row *a = left, *b = right;
  int by = order(a->at.context, b->at.context);
  by = by ? by : order(a->resource, b->resource);
  by = by ? by : strcmp(a->at.via, b->at.via);
  by = by ? by : order(a->at.line, b->at.line);
  by = by ? by : order(a->at.column, b->at.column);
  by = by ? by : order(a->at.shared, b->at.shared);
  return by ? by : order(a->event, b->event);
}

static int compare_sources(const void *left, const void *right)
{
  return compare_rows(&((const source *)left)->row, &((const source *)right)->row);
}

static int compare_pairs(const void *left, const void *right)
{
  const sc_blame_pair *a = left, *b = right;
  int by = order(a->waiter, b->waiter);
  return by ? by : order(a->holder, b->holder);
}

bool sc_blame_takes(const sc_graph *graph, size_t run, const double *others)
{
  const sc_run *info = sc_graph_run_const(graph, run);
  return info->role != SC_RUN_TARGET && (!others || memcmp(info->others, others, sizeof info->others) == 0);
}

static bool counts(const sc_graph *graph, size_t run, double n, const double *others)
{
  return sc_graph_run_const(graph, run)->n == n && sc_blame_takes(graph, run, others);
}

/* The lower end of the last bucket that has a hold. */
static double longest(const sc_usage *usage)
{
  for (int i = SC_USAGE_BUCKETS; i-- > 0;)
    if (usage->buckets[i] > 0)
      return ldexp(1e-9, i);
  return 0;
}

static source *gather(const sc_graph *graph, double n, const double *others, size_t *count, size_t *pairs, size_t *runs)
{
  size_t all = 0;
  *count = *pairs = *runs = 0;
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    size_t some = 0;
    if (!counts(graph, run, n, others))
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
    const sc_usage *rows = counts(graph, run, n, others) ? sc_usage_rows(graph, run, &some) : NULL;
    for (size_t i = 0; i < some; i++) {
      if (sc_usage_blocks(graph, &rows[i]))
        continue;
      source *s = &sources[(*count)++];
      *s = (source){.run = run, .index = (uint32_t)i};
      s->row = (sc_blame_row){.at = {rows[i].context, rows[i].via, rows[i].line, rows[i].column, rows[i].shared},
                              .resource = rows[i].resource,
                              .event = rows[i].event};
      memcpy(s->row.values, rows[i].values, sizeof s->row.values);
      s->row.longest = longest(&rows[i]);
    }
  }
  return sources;
}

/* Adds equal sources up. */
static int add_up(source *sources, size_t count, double runs, sc_blame_sums *sums)
{
  sums->rows = sc_mem_new(count, sizeof *sums->rows);
  if (!sums->rows)
    return SC_E_NOMEM;
  if (count)
    qsort(sources, count, sizeof *sources, compare_sources);
  for (size_t i = 0; i < count; i++) {
    sc_blame_row *row = sums->row_count ? &sums->rows[sums->row_count - 1] : NULL;
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

static uint32_t row_of(const sc_blame_sums *sums, const sc_usage *usage)
{
  const sc_blame_row like = {.at = {usage->context, usage->via, usage->line, usage->column, usage->shared},
                             .resource = usage->resource,
                             .event = usage->event};
  const sc_blame_row *row = sc_blame_sums_row(sums, &like);
  return row ? (uint32_t)(row - sums->rows) : SC_USAGE_NONE;
}

static int add_pairs(const sc_graph *graph, double n, const double *others, size_t room, double runs,
                     sc_blame_sums *sums)
{
  size_t kept = 0;
  sums->pairs = sc_mem_new(room, sizeof *sums->pairs);
  if (!sums->pairs)
    return SC_E_NOMEM;
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    size_t count = 0, row_count;
    const sc_wait_pair *pairs = counts(graph, run, n, others) ? sc_usage_pairs(graph, run, &count) : NULL;
    const sc_usage *rows = sc_usage_rows(graph, run, &row_count);
    for (size_t i = 0; i < count; i++)
      if (!sc_usage_blocks(graph, &rows[pairs[i].waiter]))
        sums->pairs[sums->pair_count++] = (sc_blame_pair){
            .waiter = row_of(sums, &rows[pairs[i].waiter]),
            .holder = pairs[i].holder < row_count ? row_of(sums, &rows[pairs[i].holder]) : SC_USAGE_NONE,
            .waits = {pairs[i].waits / runs, pairs[i].seconds / runs}};
  }
  if (sums->pair_count)
    qsort(sums->pairs, sums->pair_count, sizeof *sums->pairs, compare_pairs);
  for (size_t i = 0; i < sums->pair_count; i++)
    if (kept && compare_pairs(&sums->pairs[kept - 1], &sums->pairs[i]) == 0) {
      sums->pairs[kept - 1].waits.count += sums->pairs[i].waits.count;
      sums->pairs[kept - 1].waits.seconds += sums->pairs[i].waits.seconds;
    } else
      sums->pairs[kept++] = sums->pairs[i];
  sums->pair_count = kept;
  return 0;
}

int sc_blame_sums_new(const sc_graph *graph, double n, const double *others, sc_blame_sums *sums)
{
  size_t count, pairs, runs;
  *sums = (sc_blame_sums){0};
  source *sources = gather(graph, n, others, &count, &pairs, &runs);
  if (!sources)
    return SC_E_NOMEM;
  int err = add_up(sources, count, (double)runs, sums);
  if (err == 0)
    err = add_pairs(graph, n, others, pairs, (double)runs, sums);
  free(sources);
  return err;
}

void sc_blame_sums_free(sc_blame_sums *sums)
{
  free(sums->rows);
  free(sums->pairs);
  *sums = (sc_blame_sums){0};
}

const sc_blame_row *sc_blame_sums_row(const sc_blame_sums *sums, const sc_blame_row *like)
{
  return sums->row_count ? bsearch(like, sums->rows, sums->row_count, sizeof *sums->rows, compare_rows) : NULL;
}

const sc_blame_pair *sc_blame_sums_pair(const sc_blame_sums *sums, const sc_blame_sums *other,
                                        const sc_blame_pair *like)
{
  sc_blame_pair wanted = {.holder = SC_USAGE_NONE};
  const sc_blame_row *waiter = sc_blame_sums_row(sums, &other->rows[like->waiter]);
  const sc_blame_row *holder =
      like->holder == SC_USAGE_NONE ? NULL : sc_blame_sums_row(sums, &other->rows[like->holder]);
  if (!waiter || (!holder && like->holder != SC_USAGE_NONE) || !sums->pair_count)
    return NULL;
  wanted.waiter = (uint32_t)(waiter - sums->rows);
  if (holder)
    wanted.holder = (uint32_t)(holder - sums->rows);
  return bsearch(&wanted, sums->pairs, sums->pair_count, sizeof *sums->pairs, compare_pairs);
}

static sc_blame_sum sum_of(const sc_blame_row *row, enum sc_usage_value count, enum sc_usage_value seconds)
{
  return row ? (sc_blame_sum){row->values[count], row->values[seconds]} : (sc_blame_sum){0};
}

sc_blame_sum sc_blame_waits(const sc_blame_row *row) { return sum_of(row, SC_USAGE_WAITS, SC_USAGE_WAIT_SECONDS); }

sc_blame_sum sc_blame_holds(const sc_blame_row *row) { return sum_of(row, SC_USAGE_HOLDS, SC_USAGE_HOLD_SECONDS); }
