/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers for scripts (docs/answers-format.md). */

#include "runner/points/internal.h"
#include "runner/text/context.h"
#include "runner/text/json_parts.h"

void sc_several_json_values(sc_json *json, cJSON *object, const char *key, const sc_several *s, const double *values)
{
  cJSON *list = sc_json_object(json, object, key);
  for (size_t i = 0; i < s->parameters; i++)
    sc_json_number(json, list, s->names[i], values[i]);
}

static void add_point_row(sc_json *json, cJSON *list, const sc_several *s, const sc_several_answer *a,
                          const sc_rank_row *row)
{
  cJSON *object = sc_json_object(json, list, NULL);
  sc_buf model = {0};
  bool exact;
  sc_json_answer_context(json, object, s->graph, row->context);
  if (a->costs)
    sc_json_interval(json, object, "cost", &row->cost);
  if (a->costs && a->cost.value > 0)
    sc_json_number(json, object, "share", row->cost.value / a->cost.value);
  if (!row->counted)
    return;
  sc_json_interval(json, object, "count", &row->count);
  sc_json_text(json, object, "counts", sc_context_counts(s->graph, row->context));
  (void)sc_several_count_formula(s, row->context, true, &model, &exact);
  sc_json_text(json, object, "model", sc_buf_finish(&model) == 0 ? model.text : "");
  sc_json_bool(json, object, "exact", exact);
  sc_buf_free(&model);
}

static void add_points_rows(sc_json *json, cJSON *object, const sc_several *s, sc_several_answer *a, size_t top,
                            bool costs)
{
  cJSON *list = sc_json_array(json, object, costs ? "most_costly" : "most_executed");
  sc_rank_sort(a->rows, a->row_count, costs ? SC_RANK_COST : SC_RANK_COUNT);
  for (size_t i = 0; i < a->row_count && i < top && (costs ? a->rows[i].cost.value > 0 : a->rows[i].counted); i++)
    add_point_row(json, list, s, a, &a->rows[i]);
}

static void add_points_elapsed(sc_json *json, cJSON *object, const sc_several_answer *a)
{
  cJSON *elapsed = sc_json_object(json, object, "elapsed");
  sc_json_interval(json, elapsed, "time", &a->elapsed);
  sc_json_elapsed_parts(json, elapsed, &a->parts);
}

void sc_several_json_point(sc_json *json, cJSON *list, const sc_several *s, sc_several_answer *a, size_t top)
{
  cJSON *object = sc_json_object(json, list, NULL);
  double beyond[SC_SURFACE_PARAMETERS];
  sc_several_json_values(json, object, "at", s, a->point.at);
  for (size_t i = 0; i < s->parameters; i++)
    beyond[i] = a->beyond[i];
  sc_several_json_values(json, object, "beyond_measured", s, beyond);
  sc_json_number(json, object, "beyond_varied", a->beyond_varied);
  sc_json_interval(json, object, "executions", &a->executions);
  sc_json_number(json, object, "untold", (double)a->untold);
  sc_json_number(json, object, "untold_share", a->untold_share);
  if (a->costs) {
    sc_json_interval(json, object, "total", &a->cost);
    sc_json_number(json, object, "measured_by_predicted", a->checked);
    add_points_rows(json, object, s, a, top, true);
  }
  add_points_rows(json, object, s, a, top, false);
  if (a->timed)
    add_points_elapsed(json, object, a);
}

void sc_several_json_measured(sc_json *json, cJSON *document, const sc_several *s)
{
  sc_several_json_values(json, document, "smallest", s, s->low);
  sc_several_json_values(json, document, "largest", s, s->high);
}
