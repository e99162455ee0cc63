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

int sc_rank_predict(const sc_analysis *analysis, double n, sc_rank_row **rows, size_t *count)
{
  uint32_t contexts = sc_graph_context_count(sc_analysis_graph(analysis));
  int err = 0;
  *count = 0;
  SC_TRY(SC_NEW(*rows, contexts));
  for (uint32_t c = 1; c < contexts; c++) {
    if (!sc_analysis_in_scope(analysis, c))
      continue;
    SC_GOTO(predict_rank_row(analysis, c, n, &(*rows)[*count]));
    if ((*rows)[*count].cost.value > 0 || (*rows)[*count].count.value > 0)
      ++*count;
  }
out:
  if (err < 0) {
    free(*rows);
    *rows = NULL;
  }
  return err;
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

static int by_count(const void *a, const void *b)
{
  const sc_rank_row *left = a, *right = b;
  return compare_for_rank(left->executions, right->executions, left, right);
}

void sc_rank_sort(sc_rank_row *rows, size_t count, enum sc_rank_by by)
{
  qsort(rows, count, sizeof *rows, by == SC_RANK_COST ? by_cost : by_count);
}
