/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One question a place: what a hundred contexts do in one line would be a hundred findings otherwise. */
#include "transitions/resources/groups.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/resources/draft.h"

typedef struct placed {
  const sc_resource_cell *cell;
  uint32_t resource, location, line, column;
  double weight;
} placed;

int sc_groups_add(sc_groups *groups, const sc_resource_cell *cell, double weight)
{
  SC_TRY(sc_mem_grow(&groups->list, &groups->capacity, groups->count + 1, sizeof *groups->list));
  groups->list[groups->count++] = (sc_group_member){cell, weight};
  return 0;
}

static int compare_placed(const void *a, const void *b)
{
  const placed *x = a, *y = b;
  return SC_COMPARE(x->resource, y->resource) ?: SC_COMPARE(x->location, y->location) ?: SC_COMPARE(x->line, y->line) ?:
         SC_COMPARE(x->column, y->column) ?: SC_COMPARE(y->weight, x->weight) ?: SC_COMPARE(x->cell, y->cell);
}

static bool group_same_place(const placed *a, const placed *b)
{
  return a->resource == b->resource && a->location == b->location && a->line == b->line && a->column == b->column;
}

/* A resource as a whole stands nowhere: it is a group by itself. */
static uint32_t group_location_of(const sc_resources *r, const sc_resource_cell *cell)
{
  return cell->context == SC_USAGE_NONE ? UINT32_MAX : sc_graph_location_of(r->graph, cell->context);
}

/* Contexts that reach one line are one place to whoever mends it. Sorted by weight within a place, the first asks. */
int sc_groups_judge(sc_groups *groups, sc_resources *r, const sc_draft_form *form,
                    int (*ask)(const sc_resources *r, const sc_resource_cell *cell, sc_question *q))
{
  int err = SC_E_NOMEM;
  placed *all = sc_mem_new(groups->count + 1, sizeof *all);
  const sc_resource_cell **members = sc_mem_new(groups->count + 1, sizeof *members);
  if (!all || !members)
    goto out;
  for (size_t i = 0; i < groups->count; i++) {
    const sc_resource_cell *cell = groups->list[i].cell;
    all[i] = (placed){.cell = cell,
                      .resource = cell->resource,
                      .location = group_location_of(r, cell),
                      .line = cell->line,
                      .column = cell->column,
                      .weight = groups->list[i].weight};
  }
  qsort(all, groups->count, sizeof *all, compare_placed);
  err = 0;
  for (size_t i = 0, next; !err && i < groups->count; i = next) {
    for (next = i; next < groups->count && group_same_place(&all[next], &all[i]); next++)
      members[next - i] = all[next].cell;
    sc_question q;
    err = ask(r, members[0], &q);
    if (!err)
      err = sc_draft_judge(r, form, &q, members, next - i, NULL);
  }
out:
  free(all);
  free(members);
  free(groups->list);
  *groups = (sc_groups){0};
  return err;
}
