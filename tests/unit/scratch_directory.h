/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* A scratch directory for a group of tests, and the variables of a run in it. */
#include "runner/process/scratch.h"
#include "runner/workload/expand.h"

static char *directory;
static sc_expand_vars vars = {.parameter = "n", .n = 3};

static inline int set_up(void **state)
{
  int err = sc_scratch_make(NULL, &directory, NULL);
  vars.dir = directory;
  return err;
}

static inline int tear_down(void **state)
{
  sc_scratch_remove(directory);
  free(directory);
  return 0;
}
