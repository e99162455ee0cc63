/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolves callees that needed no node to their records, by name. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "profiles/scprof/internal.h"

/*
 * A callee that needed no node is known to its caller's slot by name only. Its record, if the process wrote one, says
 * which inlined functions it stands for, so every named slot is resolved to the record of that name.
 */
struct row {
  const char *name, *file; /* file: of a local function, else "" */
  uint32_t module, function;
};

static int compare_names(const struct row *a, const struct row *b)
{
  return strcmp(a->name, b->name) ?: strcmp(a->file, b->file);
}

static int compare_callees(const void *left, const void *right)
{
  const struct row *a = left, *b = right;
  return compare_names(a, b) ?: SC_COMPARE(a->module, b->module) ?: SC_COMPARE(a->function, b->function);
}

/* The function of that name: of the same module if there is one, else any. */
static uint32_t lookup_callee(const struct row *rows, size_t count, const struct row *wanted)
{
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_callees(&rows[middle], wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < count && compare_names(&rows[low], wanted) == 0)
    return rows[low].function;
  if (low > 0 && compare_names(&rows[low - 1], wanted) == 0)
    return rows[low - 1].function;
  return SC_NONE;
}

static struct row *index_functions(const struct sc_reader *reader)
{
  struct row *rows = sc_mem_new(reader->function_count, sizeof *rows);
  for (size_t i = 0; rows && i < reader->function_count; i++) {
    const struct sc_function *function = &reader->functions[i];
    sc_location self = sc_sites_location(function, 0);
    rows[i] = (struct row){self.name, self.local ? self.file : "", function->module, (uint32_t)i};
  }
  if (rows)
    qsort(rows, reader->function_count, sizeof *rows, compare_callees);
  return rows;
}

int sc_callees_resolve(struct sc_reader *reader)
{
  size_t slots = 0;
  for (size_t i = 0; i < reader->function_count; i++)
    slots += reader->functions[i].sites.slot_count;
  struct row *rows = index_functions(reader);
  uint32_t *callees = reader->callees = sc_mem_new(slots, sizeof *callees);
  for (size_t i = 0; rows && callees && i < reader->function_count; i++) {
    struct sc_function *function = &reader->functions[i];
    function->callees = callees;
    for (uint32_t s = 0; s < function->sites.slot_count; s++) {
      sc_location callee = sc_sites_callee(function, s);
      struct row wanted = {callee.name, callee.local ? callee.file : "", function->module, 0};
      *callees++ = *callee.name ? lookup_callee(rows, reader->function_count, &wanted) : SC_NONE;
    }
  }
  free(rows);
  return rows && reader->callees ? 0 : SC_E_NOMEM;
}
