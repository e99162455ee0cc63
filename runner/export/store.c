/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/export/store.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/buf.h"
#include "runner/resources/json.h"
#include "runner/text/findings_json.h"

/* Appends the text of `item`, which is deleted; NULL: what it was to be made of is missing. */
static int take_text(cJSON *item, char **texts, size_t *count)
{
  texts[*count] = item ? cJSON_PrintUnformatted(item) : NULL;
  cJSON_Delete(item);
  if (!texts[*count])
    return sc_err_set(SC_E_NOMEM, "out of memory");
  ++*count;
  return 0;
}

static int make_models(const sc_judge *judge, sc_study_model *models, char **texts, size_t *count)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  for (uint32_t c = 1; c < sc_graph_context_count(judge->loaded.graph); c++) {
    if (!sc_location_is_counted(sc_graph_at(judge->loaded.graph, c)) || !sc_analysis_in_scope(analysis, c))
      continue;
    cJSON *model = sc_findings_json_model(sc_analysis_model(analysis, c), judge->loaded.workload->parameter);
    SC_TRY(take_text(model, texts, count));
    models[*count - 1] = (sc_study_model){.context = c, .metric = SC_METRIC_COUNT, .json = texts[*count - 1]};
  }
  return 0;
}

static int make_findings(const sc_judge *judge, char **texts, size_t *count)
{
  cJSON *report = sc_findings_json_tree(judge->loaded.analysis, &judge->findings, SC_JSON_SITES_WORTH);
  cJSON *list = cJSON_GetObjectItem(report, "findings");
  int err = report ? 0 : SC_E_NOMEM;
  while (err == 0 && list && list->child)
    err = take_text(cJSON_DetachItemViaPointer(list, list->child), texts, count);
  cJSON_Delete(report);
  return err;
}

/* Those about resources stand behind the others. */
static int make_resource_findings(const sc_judge *judge, char **texts, size_t *count)
{
  size_t findings = 0;
  const sc_resource_finding *list = judge->resources ? sc_resources_findings(judge->resources, &findings) : NULL;
  for (size_t i = 0; i < findings; i++) {
    sc_json json = {0};
    cJSON *item = cJSON_CreateObject();
    sc_resource_json_finding(&json, judge, &list[i], i + 1, item);
    if (json.failed) {
      cJSON_Delete(item);
      item = NULL;
    }
    SC_TRY(take_text(item, texts, count));
  }
  return 0;
}

static void free_texts(char **texts, size_t count)
{
  for (size_t i = 0; texts && i < count; i++)
    free(texts[i]);
  free(texts);
}

static size_t resource_findings(const sc_judge *judge)
{
  size_t count = 0;
  if (judge->resources)
    (void)sc_resources_findings(judge->resources, &count);
  return count;
}

int sc_store_analysis(const sc_judge *judge)
{
  size_t contexts = sc_graph_context_count(judge->loaded.graph), model_count = 0, finding_count = 0;
  sc_study *study = NULL;
  sc_study_model *models = sc_mem_new(contexts, sizeof *models);
  char **model_texts = sc_mem_new(contexts, sizeof *model_texts);
  char **finding_texts = sc_mem_new(judge->findings.count + resource_findings(judge), sizeof *finding_texts);
  int err = SC_E_NOMEM;
  if (!models || !model_texts || !finding_texts)
    goto out;
  SC_GOTO(make_models(judge, models, model_texts, &model_count));
  SC_GOTO(make_findings(judge, finding_texts, &finding_count));
  SC_GOTO(make_resource_findings(judge, finding_texts, &finding_count));
  SC_GOTO(sc_study_open(judge->study, SC_STUDY_WRITE, &study));
  err = sc_study_save_analysis(study, judge->loaded.graph, models, model_count, (const char *const *)finding_texts,
                               finding_count);
out:
  sc_study_close(study);
  free(models);
  free_texts(model_texts, model_count);
  free_texts(finding_texts, finding_count);
  return err;
}
