/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask/flat.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "runner/text/context.h"
#include "runner/text/tuning.h"
#include "transitions/suppose/portion.h"

typedef struct named {
  char *title;
  const sc_rank_row *row;
  size_t rank;
} named;

static int compare_flat_titles(const void *a, const void *b)
{
  const named *x = a, *y = b;
  return strcmp(x->title, y->title) ?: SC_COMPARE(x->rank, y->rank);
}

static int compare_executed(const void *a, const void *b)
{
  const sc_flat_row *x = a, *y = b;
  return SC_COMPARE(y->executed, x->executed) ?: SC_COMPARE(x->context, y->context);
}

static int compare_values(const void *a, const void *b)
{
  const sc_flat_row *x = a, *y = b;
  return SC_COMPARE(y->value.value, x->value.value) ?: SC_COMPARE(x->context, y->context);
}

/* What is one context has its own interval; the errors of several go together as in any part of the program. */
static int predict_group(const sc_judge *judge, double n, const named *group, size_t count, enum sc_rank_by by,
                         sc_interval *out)
{
  enum sc_portion_metric metric = by == SC_RANK_COST ? SC_PORTION_COST : SC_PORTION_UNITS;
  sc_portion *portion = NULL;
  int err;
  *out = by == SC_RANK_COST ? group->row->cost : group->row->count;
  if (count == 1)
    return 0;
  uint32_t *contexts;
  SC_TRY(SC_NEW(contexts, count));
  for (size_t i = 0; i < count; i++)
    contexts[i] = group[i].row->context;
  SC_GOTO(sc_portion_new(judge->loaded.analysis, contexts, count, metric, NULL, &portion));
  err = sc_portion_predict(portion, n, out);
out:
  sc_portion_free(portion);
  free(contexts);
  return err;
}

static int add_flat_group(const sc_judge *judge, double n, named *group, size_t count, enum sc_rank_by by,
                          sc_flat *flat)
{
  sc_flat_row *row = &flat->rows[flat->count];
  *row = (sc_flat_row){.context = group->row->context, .contexts = count};
  SC_TRY(predict_group(judge, n, group, count, by, &row->value));
  for (size_t i = 0; i < count; i++) {
    row->counted |= group[i].row->counted;
    row->count += group[i].row->counted ? group[i].row->count.value : 0;
    row->executed += group[i].row->counted ? group[i].row->executions : 0;
  }
  if (!(row->value.value > 0)) /* its room is the next one's */
    return 0;
  row->title = group->title;
  group->title = NULL;
  flat->count++;
  return 0;
}

static int flat_name(const sc_judge *judge, const sc_rank_row *row, char **title)
{
  sc_buf text = {0};
  sc_context_title(judge->loaded.graph, row->context, &text);
  *title = sc_buf_take(&text);
  return *title ? 0 : SC_E_NOMEM;
}

static int gather_groups(const sc_judge *judge, double n, named *all, size_t count, enum sc_rank_by by, sc_flat *flat)
{
  if (count)
    qsort(all, count, sizeof *all, compare_flat_titles);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && strcmp(all[end].title, all[i].title) == 0; end++)
      ;
    SC_TRY(add_flat_group(judge, n, all + i, end - i, by, flat));
  }
  if (flat->count)
    qsort(flat->rows, flat->count, sizeof *flat->rows, by == SC_RANK_COST ? compare_values : compare_executed);
  return 0;
}

int sc_flat_make(const sc_judge *judge, double n, sc_rank_row *rows, size_t count, enum sc_rank_by by, sc_flat *flat)
{
  size_t most = count < SC_FLAT_CONTEXTS ? count : SC_FLAT_CONTEXTS, used = 0;
  named *all = sc_mem_new(most, sizeof *all);
  int err = SC_E_NOMEM;
  *flat = (sc_flat){.rows = sc_mem_new(most, sizeof *flat->rows)};
  if (!all || !flat->rows)
    goto out;
  sc_rank_sort(rows, count, by);
  for (; used < most; used++) {
    all[used] = (named){.row = &rows[used], .rank = used};
    SC_GOTO(flat_name(judge, &rows[used], &all[used].title));
  }
  err = gather_groups(judge, n, all, used, by, flat);
out:
  for (size_t i = 0; all && i < most; i++)
    free(all[i].title);
  free(all);
  return err;
}

void sc_flat_free(sc_flat *flat)
{
  for (size_t i = 0; i < flat->count; i++)
    free(flat->rows[i].title);
  free(flat->rows);
  *flat = (sc_flat){0};
}
