/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies, as files of SQLite that somebody sent. */
#include "fuzz.h"
#include "profiles/study/internal.h"

static int ignore(void *user, const sc_module *module)
{
  (void)user;
  return module->path ? 0 : SC_E_INTERNAL;
}

/* Checksums are put right first, or nearly every input would end at them. */
static const char *seal(const char *path)
{
  struct sc_study study = {.path = (char *)path};
  if (sqlite3_open(path, &study.db) == SQLITE_OK &&
      sqlite3_exec(study.db, "SELECT 1 FROM checksum", NULL, NULL, NULL) == SQLITE_OK)
    (void)!sc_study_sums_seal(&study);
  sqlite3_close(study.db);
  return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_study *study;
  sc_graph *graph;
  char *value = NULL;
  if (sc_study_open(seal(fuzz_file(data, size, 1)), SC_STUDY_READ, &study) == 0) {
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
