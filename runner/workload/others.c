/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters beside the focused one. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "runner/workload/internal.h"

_Static_assert((int)SC_RUN_OTHERS == (int)SC_EXPAND_OTHERS, "each has a placeholder");

/* Fewer than three values of a parameter say nothing of its form (regress/surface). */
enum { LEAST_VALUES = 3 };

void sc_workload_base(const sc_workload *workload, double *others)
{
  for (size_t i = 0; i < SC_RUN_OTHERS; i++)
    others[i] = i < workload->other_count ? workload->others[i].base : 0;
}

bool sc_workload_is_base(const sc_workload *workload, const double *others)
{
  for (size_t i = 0; i < workload->other_count; i++)
    if (others[i] != workload->others[i].base)
      return false;
  return true;
}

sc_expand_vars sc_workload_vars(const sc_workload *workload, double n, const double *others)
{
  sc_expand_vars vars = {.parameter = workload->parameter, .n = n};
  for (size_t i = 0; i < workload->other_count; i++) {
    vars.other_names[i] = workload->others[i].name;
    vars.others[i] = others ? others[i] : workload->others[i].base;
  }
  return vars;
}

static int check_values(const sc_workload_other *other)
{
  bool base = false;
  for (size_t i = 0; i < other->count; i++)
    base = base || other->values[i] == other->base;
  if (!base) {
    (void)sc_err_set(SC_E_INPUT, "the base value %g of %s is not one of its values", other->base, other->name);
    return sc_err_hint(SC_E_INPUT, "leave base out, and the first value is the base");
  }
  if (other->count >= LEAST_VALUES)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "%s has %zu different value%s: %d or more are needed to see how it matters", other->name,
                   other->count, other->count == 1 ? "" : "s", LEAST_VALUES);
  return sc_err_hint(SC_E_INPUT, "for example %s=1,2,4,8", other->name);
}

static int check_distinct(const sc_workload *workload, size_t index)
{
  const char *name = workload->others[index].name;
  bool twice = strcmp(name, workload->parameter) == 0;
  for (size_t i = 0; i < index; i++)
    twice = twice || strcmp(name, workload->others[i].name) == 0;
  if (!twice)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "two parameters are called %s", name);
  return sc_err_hint(SC_E_INPUT, "each has a name of its own, which stands in braces");
}

int sc_workload_complete_others(sc_workload *workload)
{
  for (size_t i = 0; i < workload->other_count; i++) {
    sc_workload_other *other = &workload->others[i];
    SC_TRY(sc_workload_check_name(other->name));
    SC_TRY(check_distinct(workload, i));
    if (!(other->base > 0))
      other->base = other->values[0];
    sc_workload_sort_sizes(other->values, &other->count);
    SC_TRY(check_values(other));
  }
  return 0;
}

void sc_workload_free_others(sc_workload *workload)
{
  for (size_t i = 0; i < workload->other_count; i++) {
    free(workload->others[i].name);
    free(workload->others[i].unit);
    free(workload->others[i].values);
  }
}

/* A workload of one parameter has the hash that it always had. */
uint64_t sc_workload_hash_others(const sc_workload *workload, uint64_t hash)
{
  for (size_t i = 0; i < workload->other_count; i++) {
    char base[64];
    sc_expand_number(workload->others[i].base, base, sizeof base);
    hash = sc_hash_string(hash, workload->others[i].name);
    hash = sc_hash_string(hash, base);
  }
  return hash;
}
