/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "runner/ask/ask.h"
#include "runner/context.h"
#include "runner/report_json.h"

static void add_row(cJSON *list, const sc_ask *ask, const sc_rank_row *row, double total)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  cJSON *object = cJSON_CreateObject();
  cJSON_AddItemToArray(list, object);
  cJSON_AddItemToObject(object, "context", sc_report_json_context(sc_analysis_graph(analysis), row->context));
  cJSON_AddItemToObject(object, "cost", sc_report_json_interval(&row->cost));
  if (total > 0)
    cJSON_AddNumberToObject(object, "share", row->cost.value / total);
  if (!row->counted)
    return;
  char model[256];
  sc_model_format(sc_analysis_model(analysis, row->context), ask->judge->loaded.workload->parameter, model,
                  sizeof model);
  cJSON_AddItemToObject(object, "count", sc_report_json_interval(&row->count));
  cJSON_AddStringToObject(object, "counts", sc_context_counts(sc_analysis_graph(analysis), row->context));
  cJSON_AddStringToObject(object, "model", model);
}

static void add_ranking(cJSON *object, const char *name, const sc_ask *ask, const sc_ask_size *size, bool costs)
{
  cJSON *list = cJSON_AddArrayToObject(object, name);
  for (size_t i = 0; i < size->row_count && i < ask->top && (!costs || size->rows[i].cost.value > 0); i++)
    add_row(list, ask, &size->rows[i], size->total.value);
}

static void add_size(cJSON *list, const sc_ask *ask, const sc_ask_size *size)
{
  cJSON *object = cJSON_CreateObject();
  cJSON_AddItemToArray(list, object);
  cJSON_AddNumberToObject(object, "n", size->n);
  cJSON_AddItemToObject(object, "total", sc_report_json_interval(&size->total));
  cJSON_AddNumberToObject(object, "beyond_measured", size->n / ask->n_max);
  if (size->n < ask->n_min)
    cJSON_AddStringToObject(object, "warning", "below the sizes measured");
  sc_rank_sort(size->rows, size->row_count, SC_RANK_COST);
  add_ranking(object, "most_costly", ask, size, true);
  sc_rank_sort(size->rows, size->row_count, SC_RANK_COUNT);
  add_ranking(object, "most_executed", ask, size, false);
}

int sc_ask_print_json(FILE *out, sc_ask *ask)
{
  cJSON *document = sc_report_json_document(ask->judge, "ask");
  cJSON *list = cJSON_AddArrayToObject(document, "sizes");
  for (size_t i = 0; i < ask->size_count; i++)
    add_size(list, ask, &ask->sizes[i]);
  if (ask->limit) {
    cJSON *limit = cJSON_AddObjectToObject(document, "limit");
    bool already = ask->limit->at_smallest.value >= ask->limit->limit;
    cJSON_AddNumberToObject(limit, "value", ask->limit->limit);
    cJSON_AddBoolToObject(limit, "exceeded_at_smallest", already);
    cJSON_AddBoolToObject(limit, "reached", already || isfinite(ask->limit->n.value));
    cJSON_AddBoolToObject(limit, "cannot_tell",
                          !already && sc_analysis_untold(ask->judge->loaded.analysis)->unbounded &&
                              !(ask->limit->n.value <= ask->n_max));
    cJSON_AddItemToObject(limit, "n", sc_report_json_interval(&ask->limit->n));
  }
  return sc_report_json_write(out, document);
}
