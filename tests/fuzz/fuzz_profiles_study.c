/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies, as files of SQLite that somebody sent. */
#include "fuzz.h"
#include "study.h"

static int ignore(void *user, const sc_module *module)
{
  (void)user;
  return module->path ? 0 : SC_E_INTERNAL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_study *study;
  sc_graph *graph;
  char *value = NULL;
  if (sc_study_open(fuzz_study(data, size), SC_STUDY_READ, &study) == 0) {
    if (sc_graph_new(&graph) < 0)
      abort();
    int err = sc_study_load(study, graph);
    err = err < 0 ? err : sc_study_modules(study, ignore, NULL);
    err = err < 0 ? err : sc_study_get(study, "workload", &value);
    (void)err;
    free(value);
    sc_graph_free(graph);
    sc_study_close(study);
  }
  return 0;
}
