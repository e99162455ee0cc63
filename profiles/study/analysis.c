/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes models and findings into a study, for those who query it with SQL. */
#include <stdlib.h>

#include "profiles/study/internal.h"

static const char what_save[] = "save the analysis";

static int insert_models(sc_study *study, const sc_graph *graph, const uint32_t *ids, const sc_study_model *models,
                         size_t count)
{
  sqlite3_stmt *row = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(study, "INSERT OR REPLACE INTO model VALUES (?1, ?2, ?3)", &row, what_save));
  for (size_t i = 0; i < count; i++) {
    if (models[i].context >= sc_graph_context_count(graph) ||
        (unsigned)models[i].metric >= SC_METRIC_COUNT_OF_METRICS) {
      err = sc_err_set(SC_E_INTERNAL, "model %zu belongs to no context or metric", i);
      goto out;
    }
    sqlite3_bind_int64(row, 1, ids[models[i].context]);
    sqlite3_bind_text(row, 2, sc_study_metrics[models[i].metric], -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 3, models[i].json, -1, SQLITE_STATIC);
    SC_GOTO(sc_study_sql_run(study, row, what_save));
  }
out:
  sqlite3_finalize(row);
  return err;
}

static int insert_findings(sc_study *study, const char *const *findings, size_t count)
{
  sqlite3_stmt *row = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(study, "INSERT INTO finding VALUES (?1, ?2)", &row, what_save));
  for (size_t i = 0; i < count; i++) {
    sqlite3_bind_int64(row, 1, (int64_t)i + 1);
    sqlite3_bind_text(row, 2, findings[i], -1, SQLITE_STATIC);
    SC_GOTO(sc_study_sql_run(study, row, what_save));
  }
out:
  sqlite3_finalize(row);
  return err;
}

int sc_study_save_analysis(sc_study *study, const sc_graph *graph, const sc_study_model *models, size_t model_count,
                           const char *const *findings_json, size_t finding_count)
{
  int err;
  uint32_t *ids = NULL;
  SC_TRY(sc_study_sql_begin(study, what_save));
  SC_GOTO(sc_study_mirror_save(study, graph, &ids));
  SC_GOTO(sc_study_sql_exec(study, "DELETE FROM model; DELETE FROM finding", what_save));
  SC_GOTO(insert_models(study, graph, ids, models, model_count));
  SC_GOTO(insert_findings(study, findings_json, finding_count));
  SC_GOTO(sc_study_sums_save(study, SC_STUDY_MODELS | SC_STUDY_FINDINGS | SC_STUDY_LOCATIONS | SC_STUDY_CONTEXTS, 0,
                             what_save));
out:
  err = sc_study_sql_end(study, err, what_save);
  free(ids);
  return err;
}
