/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies whose runs what was found is held against. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "profiles/study/study.h"
#include "runner/discover/measure.h"
#include "runner/workload/workload.h"

/* All runs at the base values of further parameters. */
enum { ROLES = 1 << SC_RUN_TRAINING | 1 << SC_RUN_VALIDATION | 1 << SC_RUN_TARGET };

static int study_measure(sc_discovery *d, const char *path)
{
  sc_study *study = NULL;
  sc_graph *graph = NULL;
  sc_workload *workload = NULL;
  int err;
  SC_GOTO(sc_study_open(path, SC_STUDY_READ, &study));
  SC_GOTO(sc_workload_of_study(study, &workload));
  SC_GOTO(sc_graph_new(&graph));
  SC_GOTO(sc_study_load_roles(study, ROLES, graph));
  err = sc_discovery_measure(d, graph, path, workload ? workload->parameter : "n");
out:
  sc_workload_free(workload);
  sc_graph_free(graph);
  sc_study_close(study);
  return err;
}

int sc_discover_check(sc_discovery *discovery, const char *const *studies, size_t count)
{
  for (size_t i = 0; i < count; i++)
    SC_TRY(study_measure(discovery, studies[i]));
  return sc_discovery_check(discovery);
}

typedef struct modules {
  char **paths;
  size_t count, capacity;
} modules;

/* A sc_study_module_fn. */
static int add_module(void *user, const sc_module *module)
{
  modules *all = user;
  for (size_t i = 0; i < all->count; i++)
    if (strcmp(all->paths[i], module->path) == 0)
      return 0;
  if (access(module->path, R_OK) != 0 && all->count) /* one stays, to be named where all are gone */
    return 0;
  SC_TRY(sc_mem_grow(&all->paths, &all->capacity, all->count + 1, sizeof *all->paths));
  if (!(all->paths[all->count] = sc_mem_copy_string(module->path)))
    return SC_E_NOMEM;
  all->count++;
  return 0;
}

static int list_modules(const char *path, modules *all)
{
  sc_study *study = NULL;
  int err;
  SC_GOTO(sc_study_open(path, SC_STUDY_READ, &study));
  SC_GOTO(sc_study_modules(study, add_module, all));
  if (all->count == 0) {
    err = sc_err_set(SC_E_INPUT, "the study %s does not say which programs ran", path);
    (void)sc_err_hint(err, "name the program, too: scale-run discover PROGRAM --study %s", path);
  }
out:
  sc_study_close(study);
  return err;
}

int sc_discover_loaded(const char *study, const char *facts, const sc_discover_llm *llm, sc_discovery **discovery)
{
  modules all = {0};
  int err;
  SC_GOTO(list_modules(study, &all));
  err = sc_discover((const char *const *)all.paths, all.count, facts, llm, discovery);
out:
  for (size_t i = 0; i < all.count; i++)
    free(all.paths[i]);
  free(all.paths);
  return err;
}
