/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/rank.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/compare.h"

static int predict_rank_row(const sc_analysis *analysis, uint32_t context, double n, sc_rank_row *row)
{
  const sc_location *location = sc_graph_at(sc_analysis_graph(analysis), context);
  *row = (sc_rank_row){.context = context};
  SC_TRY(sc_analysis_cost(analysis, context, n, &row->cost));
  row->counted = sc_location_is_counted(location) && sc_analysis_model(analysis, context)->verdict == SC_VERDICT_MODEL;
  if (row->counted)
    SC_TRY(sc_analysis_count(analysis, context, n, &row->count));
  row->executions = row->count.value * sc_location_weight(location);
  return 0;
}

static int compare_for_rank(double a, double b, const sc_rank_row *left, const sc_rank_row *right)
{
  return SC_COMPARE(b, a) ?: SC_COMPARE(left->context, right->context);
}

static int by_cost(const void *a, const void *b)
{
  const sc_rank_row *left = a, *right = b;
  return compare_for_rank(left->cost.value, right->cost.value, left, right);
}

static int by_rank_count(const void *a, const void *b)
{
  const sc_rank_row *left = a, *right = b;
  return compare_for_rank(left->executions, right->executions, left, right);
}

/* The rows in the making. What comes later has a larger context: equal, it is behind those that are here. */
typedef struct keeping {
  sc_rank_row *rows;
  size_t count, room, most;
  double least_cost, least_executions; /* of the largest that were kept; < 0: not yet full */
} keeping;

/* Leaves the largest by cost, and the largest of the others by executions. */
static void keep_largest(keeping *k)
{
  qsort(k->rows, k->count, sizeof *k->rows, by_cost);
  qsort(k->rows + k->most, k->count - k->most, sizeof *k->rows, by_rank_count);
  k->least_cost = k->rows[k->most - 1].cost.value;
  k->least_executions = k->rows[2 * k->most - 1].executions;
  k->count = 2 * k->most;
}

static int keep_row(keeping *k, const sc_rank_row *row)
{
  if (!(row->cost.value > k->least_cost) && !(row->executions > k->least_executions))
    return 0;
  SC_TRY(sc_mem_grow(&k->rows, &k->room, k->count + 1, sizeof *k->rows));
  k->rows[k->count++] = *row;
  if (k->count == 4 * k->most)
    keep_largest(k);
  return 0;
}

static int predict_wanted(const sc_analysis *analysis, double n, const sc_rank_wanted *wanted, keeping *k)
{
  uint32_t contexts = sc_graph_context_count(sc_analysis_graph(analysis));
  for (size_t i = 0; i < (wanted->contexts ? wanted->count : contexts - 1); i++) {
    uint32_t context = wanted->contexts ? wanted->contexts[i] : (uint32_t)i + 1;
    sc_rank_row row;
    if (!context || !sc_analysis_in_scope(analysis, context))
      continue;
    SC_TRY(predict_rank_row(analysis, context, n, &row));
    if (row.cost.value > 0 || row.count.value > 0)
      SC_TRY(keep_row(k, &row));
  }
  return 0;
}

int sc_rank_predict(const sc_analysis *analysis, double n, const sc_rank_wanted *wanted, sc_rank_row **rows,
                    size_t *count)
{
  keeping k = {.most = wanted->most, .least_cost = -1, .least_executions = -1};
  int err = predict_wanted(analysis, n, wanted, &k);
  if (err < 0) {
    free(k.rows);
    k = (keeping){0};
  }
  *rows = k.rows;
  *count = k.count;
  return err;
}

void sc_rank_sort(sc_rank_row *rows, size_t count, enum sc_rank_by by)
{
  if (count)
    qsort(rows, count, sizeof *rows, by == SC_RANK_COST ? by_cost : by_rank_count);
}
