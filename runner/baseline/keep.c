/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which contexts matter enough to stand in a baseline. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "runner/baseline/internal.h"
#include "runner/text/tuning.h"

enum { DEEPEST = 1000 }; /* that is written */

/* Keeps every context whose values, summed with those below, are a part of the whole that counts. */
static void keep_large(sc_baseline_writer *w, double *values)
{
  double total = 0;
  uint32_t count = sc_graph_context_count(w->graph);
  for (uint32_t c = 0; c < count; c++)
    total += values[c];
  for (uint32_t c = count; c-- > 1;) {
    if (total > 0 && values[c] >= SC_BASELINE_NEGLIGIBLE * total)
      w->kept[c] = true;
    values[sc_graph_parent(w->graph, c)] += values[c];
  }
}

static void keep_measured(sc_baseline_writer *w, double *values)
{
  for (size_t i = 0; i < w->run_count; i++)
    for (enum sc_metric metric = SC_METRIC_COUNT; metric <= SC_METRIC_COST; metric++) {
      for (uint32_t c = 0; c < sc_graph_context_count(w->graph); c++)
        values[c] = sc_graph_value(w->graph, w->runs[i], c, metric);
      keep_large(w, values);
    }
}

/* What is beyond all numbers is kept. */
static double bound_kept_value(double value) { return isfinite(value) ? value : 1e300; }

static int keep_predicted(sc_baseline_writer *w, double *values)
{
  const sc_analysis *a = w->loaded->analysis;
  const sc_analysis_options *options = sc_analysis_get_options(a);
  for (size_t t = 0; t < options->target_count; t++)
    for (int cost = 0; cost < 2; cost++) {
      for (uint32_t c = 0; c < sc_graph_context_count(w->graph); c++) {
        sc_interval value = {0};
        if (sc_analysis_in_scope(a, c))
          SC_TRY(cost ? sc_analysis_cost(a, c, options->targets[t], &value)
                      : sc_analysis_count(a, c, options->targets[t], &value));
        values[c] = bound_kept_value(value.value);
      }
      keep_large(w, values);
    }
  return 0;
}

static void mark_parents(sc_baseline_writer *w)
{
  w->kept[0] = true;
  for (uint32_t c = sc_graph_context_count(w->graph); c-- > 1;)
    if (w->kept[c])
      w->kept[sc_graph_parent(w->graph, c)] = true;
}

/* What is left out, or too deep, is held by the nearest context above that is kept. */
static int list_left_out_series(sc_baseline_writer *w)
{
  uint32_t count = sc_graph_context_count(w->graph), *depth = sc_mem_new(count, sizeof *depth);
  if (!depth)
    return SC_E_NOMEM;
  for (uint32_t c = 1; c < count; c++) {
    uint32_t parent = sc_graph_parent(w->graph, c);
    depth[c] = depth[parent] + 1;
    w->kept[c] &= depth[c] <= DEEPEST;
    w->holder[c] = w->kept[c] ? c : w->holder[parent];
  }
  for (uint32_t c = count; c-- > 1;)
    if (!w->kept[c]) {
      w->next_left_out[c] = w->left_out[w->holder[c]];
      w->left_out[w->holder[c]] = c;
    }
  free(depth);
  return 0;
}

int sc_baseline_keep(sc_baseline_writer *w)
{
  uint32_t count = sc_graph_context_count(w->graph);
  double *values = sc_mem_new(count, sizeof *values);
  int err = SC_E_NOMEM;
  w->kept = sc_mem_new(count, sizeof *w->kept);
  w->holder = sc_mem_new(count, sizeof *w->holder);
  w->left_out = sc_mem_new(count, sizeof *w->left_out);
  w->next_left_out = sc_mem_new(count, sizeof *w->next_left_out);
  if (!values || !w->kept || !w->holder || !w->left_out || !w->next_left_out)
    goto out;
  keep_measured(w, values);
  SC_GOTO(keep_predicted(w, values));
  mark_parents(w);
  err = list_left_out_series(w);
out:
  free(values);
  return err;
}
