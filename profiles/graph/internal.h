/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"
#include "profiles/graph/usage_internal.h"

struct sc_graph_run {
  sc_run run;
  double *values[SC_METRIC_COUNT_OF_METRICS]; /* [lengths[metric]] by context; NULL while the metric has none */
  size_t lengths[SC_METRIC_COUNT_OF_METRICS];
  struct sc_usage_run usage;
};

struct sc_graph {
  sc_graph_tree tree;
  struct sc_usage_tables usage;
  struct sc_graph_run **runs; /* each on its own: sc_graph_run's pointers stay valid */
  size_t run_count, run_capacity;
  bool unfolded;
};
