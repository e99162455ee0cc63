/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a baseline: read, checked, and what was accepted is sound. */
#include "fuzz.h"

#include <string.h>

#include "runner/baseline/baseline.h"

static void use(const sc_graph *graph, const sc_workload *workload)
{
  if (!workload || !workload->parameter)
    abort();
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++)
    if (sc_graph_parent(graph, c) >= c)
      abort();
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(graph, run, &rows);
    if (!(sc_graph_run_const(graph, run)->n > 0))
      abort();
    for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
      if (!(sc_graph_value(graph, run, c, SC_METRIC_COUNT) >= 0) ||
          !(sc_graph_value(graph, run, c, SC_METRIC_COST) >= 0))
        abort();
    for (; rows; rows--, row++)
      if (row->context >= sc_graph_context_count(graph) || row->resource >= sc_usage_resource_count(graph))
        abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_loaded loaded;
  char *machine;
  if (sc_baseline_parse((const char *)data, size, "fuzz", &loaded, &machine) == 0)
    use(loaded.graph, loaded.workload);
  else if (!sc_err_message()[0])
    abort();
  free(machine);
  sc_loaded_free(&loaded);
  return 0;
}
