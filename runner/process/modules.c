/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "runner/process/identity.h"

int sc_modules_add(const sc_module *module, sc_execute_result *result)
{
  sc_module copy = *module;
  if (!copy.build_id[0])
    (void)sc_identity_hash(module->path, copy.build_id); /* gone: it stays without identity */
  for (size_t i = 0; i < result->module_count; i++)
    if (!strcmp(result->modules[i].path, copy.path) && !strcmp(result->modules[i].build_id, copy.build_id))
      return 0;
  sc_module *larger = realloc(result->modules, (result->module_count + 1) * sizeof *larger);
  if (!larger)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  result->modules = larger;
  copy.path = sc_mem_copy_string(module->path);
  if (!copy.path)
    return SC_E_NOMEM;
  result->modules[result->module_count++] = copy;
  return 0;
}

static int compare_module_ids(const void *a, const void *b)
{
  return strcmp(((const sc_module *)a)->build_id, ((const sc_module *)b)->build_id);
}

void sc_modules_set_build(sc_execute_result *result, sc_run *run)
{
  uint64_t hash = SC_HASH_START;
  qsort(result->modules, result->module_count, sizeof *result->modules, compare_module_ids);
  for (size_t i = 0; i < result->module_count; i++)
    hash = sc_hash_string(hash, result->modules[i].build_id);
  sc_hash_format(hash, run->build);
}
