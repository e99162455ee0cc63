/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An answer at values of all parameters is what the analysis moved there says (move.c), which reports, pages and
 * exports read, too: one total has one value and one interval.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/several/internal.h"

static int find_analysis(const sc_several *s, const double *others, const sc_analysis **analysis)
{
  struct sc_several_moved *m = s->moved;
  size_t bytes = (s->parameters - 1) * sizeof *others;
  *analysis = s->judge->loaded.analysis;
  if (sc_workload_is_base(s->judge->loaded.workload, others)) /* the study's own */
    return 0;
  if (m->analysis && memcmp(m->others, others, bytes) != 0) {
    sc_analysis_free(m->analysis);
    m->analysis = NULL;
  }
  if (!m->analysis)
    SC_TRY(sc_several_move_analysis(s, others, &m->analysis));
  memcpy(m->others, others, bytes);
  *analysis = m->analysis;
  return 0;
}

static int add_predicted_rows(const sc_analysis *analysis, const sc_graph *graph, sc_several_answer *a)
{
  double n = a->point.at[0];
  size_t capacity = 0;
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++) {
    sc_rank_row row = {.context = c};
    if (!sc_analysis_in_scope(analysis, c))
      continue;
    SC_TRY(sc_analysis_count(analysis, c, n, &row.count));
    if (a->costs)
      SC_TRY(sc_analysis_cost(analysis, c, n, &row.cost));
    row.executions = row.count.value * sc_location_weight(sc_graph_at(graph, c));
    row.counted = row.count.value > 0;
    if (!row.counted && !(row.cost.value > 0))
      continue;
    SC_TRY(sc_mem_grow(&a->rows, &capacity, a->row_count + 1, sizeof *a->rows));
    a->rows[a->row_count++] = row;
  }
  return 0;
}

static int predict_elapsed(const sc_analysis *analysis, sc_several_answer *a)
{
  if (!a->timed)
    return 0;
  SC_TRY(sc_analysis_elapsed(analysis, a->point.at[0], &a->elapsed));
  return sc_analysis_elapsed_parts(analysis, a->point.at[0], &a->parts);
}

int sc_several_predict(const sc_several *s, const sc_several_point *point, sc_several_answer *a)
{
  const sc_analysis *analysis;
  double n = point->at[0];
  *a = (sc_several_answer){.point = *point, .checked = s->checked, .costs = s->costs, .timed = s->time != NULL};
  for (size_t i = 0; i < s->parameters; i++)
    a->beyond[i] = point->at[i] / s->high[i];
  a->beyond_varied = n / s->high_varied;
  SC_TRY(find_analysis(s, point->at + 1, &analysis));
  SC_TRY(add_predicted_rows(analysis, s->graph, a));
  SC_TRY(sc_analysis_total_executions(analysis, n, &a->executions));
  if (a->costs)
    SC_TRY(sc_analysis_total(analysis, n, &a->cost));
  a->untold = sc_analysis_untold(analysis)->count;
  a->untold_share = sc_analysis_untold(analysis)->count_share;
  return predict_elapsed(analysis, a);
}

void sc_several_answer_free(sc_several_answer *answer)
{
  free(answer->rows);
  *answer = (sc_several_answer){0};
}
