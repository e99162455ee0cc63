/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* A process "demo" under construction, and the graph that its profile is merged into. Include unit.h before. */
#include "graph_paths.h"
#include "scprof_file.h"

#define FUNCTION(n)                                       \
  {                                                       \
    0, SCALE_LOC_FUNCTION, 7, 0, 0, 0, n, "demo.c", { 0 } \
  }
#define LENGTH(a) ((uint32_t)(sizeof(a) / sizeof *(a)))

struct fixture {
  struct builder b;
  sc_graph *graph;
  size_t run;
  char path[TEMPORARY_PATH];
};

/* The command's arguments are separated by NULs. */
static inline struct fixture *expand_new(const char *command, size_t bytes)
{
  struct fixture *f = calloc(1, sizeof *f);
  builder_begin(&f->b, "/usr/bin/demo", command, bytes);
  assert_int_equal(sc_graph_new(&f->graph), 0);
  assert_int_equal(sc_graph_begin_run(f->graph, &(sc_run){.n = 10}, &f->run), 0);
  temporary_path(f->path);
  return f;
}

static inline int tear_down(void **state)
{
  struct fixture *f = *state;
  scprof_file_drop(&f->b, f->path);
  sc_graph_free(f->graph);
  free(f);
  return 0;
}

static inline void merge(struct fixture *f) { scprof_file_merge(&f->b, f->path, f->graph, f->run); }
