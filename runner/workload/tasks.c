/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parameter means and what a request is: for the analysis only, so that a study keeps its runs. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/workload/internal.h"

static const char *const kinds[] = {[SC_PARAMETER_DATA] = "data",
                                    [SC_PARAMETER_WORK] = "work",
                                    [SC_PARAMETER_THREADS] = "threads",
                                    [SC_PARAMETER_CLIENTS] = "clients"};

const char *sc_workload_kind_name(enum sc_parameter_kind kind) { return kinds[kind]; }

enum sc_parameter_kind sc_workload_kind(const char *name)
{
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i], name) == 0)
      return (enum sc_parameter_kind)i;
  return SC_PARAMETER_DATA;
}

/* Only names that can hardly mean anything else: a wrong guess changes what is predicted of locks and pools. */
enum sc_parameter_kind sc_workload_kind_by_name(const char *parameter)
{
  static const struct {
    const char *name;
    enum sc_parameter_kind kind;
  } plain[] = {{"threads", SC_PARAMETER_THREADS},
               {"workers", SC_PARAMETER_THREADS},
               {"clients", SC_PARAMETER_CLIENTS},
               {"connections", SC_PARAMETER_CLIENTS}};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strcmp(plain[i].name, parameter) == 0)
      return plain[i].kind;
  return SC_PARAMETER_DATA;
}

void sc_workload_free_tasks(sc_workload *workload)
{
  for (size_t i = 0; i < workload->task_count; i++)
    free(workload->tasks[i]);
  free(workload->tasks);
  workload->tasks = NULL;
  workload->task_count = 0;
}

/* Options replace what the workload file says, as everywhere. */
int sc_workload_set_tasks(sc_workload *workload, const char *kind, const char *tasks)
{
  if (kind)
    workload->kind = sc_workload_kind(kind);
  if (!tasks)
    return 0;
  sc_workload_free_tasks(workload);
  size_t capacity = 0;
  for (size_t length; *tasks; tasks += length + (tasks[length] != '\0')) {
    length = strcspn(tasks, ";");
    if (!length)
      continue;
    SC_TRY(sc_mem_grow(&workload->tasks, &capacity, workload->task_count + 1, sizeof *workload->tasks));
    char *task = strndup(tasks, length);
    if (!task)
      return sc_err_set(SC_E_NOMEM, "out of memory");
    workload->tasks[workload->task_count++] = task;
  }
  return 0;
}
