/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask/ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* How the unit is called on the command line. */
static const char *metric_of(const char *unit) { return strcmp(unit, "s") == 0 ? "time" : unit; }

int sc_ask_parse_limit(const char *text, const char *unit, double *limit)
{
  const char *equals = strchr(text, '='), *value = equals ? equals + 1 : text, *metric = metric_of(unit);
  size_t length = equals ? (size_t)(equals - text) : strlen(metric);
  if (equals && (strlen(metric) != length || strncmp(text, metric, length) != 0)) {
    (void)sc_err_set(SC_E_USAGE, "this study's costs are in %s, not %.*s", strcmp(unit, "s") == 0 ? "time" : unit,
                     (int)length, text);
    if (strncmp(text, "time=", 5) == 0)
      return sc_err_hint(SC_E_USAGE, "measure with --event task-clock --restart, or ask for --limit %s=1e9", metric);
    return sc_err_hint(SC_E_USAGE, "--limit %s=%s", metric, strcmp(unit, "s") == 0 ? "200ms" : "1e9");
  }
  int err = strcmp(unit, "s") == 0 ? sc_workload_parse_time(value, limit) : sc_workload_parse_size(value, limit);
  return err < 0 ? sc_err_prefix(SC_E_USAGE, "--limit") : 0;
}

static int answer_limit(sc_ask *ask, const char *text)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  ask->limit = sc_mem_new(1, sizeof *ask->limit);
  if (!ask->limit)
    return SC_E_NOMEM;
  ask->limit->smallest = ask->n_min;
  SC_TRY(sc_ask_parse_limit(text, ask->unit, &ask->limit->limit));
  SC_TRY(sc_analysis_total(analysis, ask->n_min, &ask->limit->at_smallest));
  return sc_analysis_limit(analysis, ask->limit->limit, ask->n_min, &ask->limit->n);
}

static int answer_size(sc_ask *ask, double n, sc_ask_size *size)
{
  size->n = n;
  SC_TRY(sc_analysis_total(ask->judge->loaded.analysis, n, &size->total));
  return sc_rank_predict(ask->judge->loaded.analysis, n, &size->rows, &size->row_count);
}

int sc_ask_answer(const sc_judge *judge, const double *sizes, size_t size_count, const char *limit, sc_ask *ask)
{
  *ask = (sc_ask){.judge = judge, .top = 10, .unit = sc_analysis_cost_unit(judge->loaded.analysis)};
  sc_analysis_range(judge->loaded.analysis, &ask->n_min, &ask->n_max);
  ask->sizes = sc_mem_new(size_count, sizeof *ask->sizes);
  if (!ask->sizes)
    return SC_E_NOMEM;
  for (; ask->size_count < size_count; ask->size_count++)
    SC_TRY(answer_size(ask, sizes[ask->size_count], &ask->sizes[ask->size_count]));
  return limit ? answer_limit(ask, limit) : 0;
}

void sc_ask_free(sc_ask *ask)
{
  for (size_t i = 0; i < ask->size_count; i++)
    free(ask->sizes[i].rows);
  free(ask->sizes);
  free(ask->limit);
  *ask = (sc_ask){0};
}
