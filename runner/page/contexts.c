/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data of all contexts, in columns: their tree, counts and models. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "runner/page/parts.h"

/* Distinct parts of counts and costs. Contexts refer to them by number, as many have the same. */
typedef struct parts {
  sc_index index;
  sc_blend_part *list;
  size_t count, capacity;
} parts;

static bool same_blend(const sc_blend_part *a, const sc_blend_part *b)
{
  return a->model == b->model && a->value == b->value && a->low == b->low && a->high == b->high &&
         a->below == b->below && a->above == b->above;
}

/* Number 0: none. */
static int add_page_context_part(parts *all, const sc_blend_part *part, uint32_t *number)
{
  double numbers[] = {part->model, part->value, part->low, part->high, part->below, part->above};
  *number = 0;
  if (!(part->value > 0) && !(part->high > 0) && !(part->above > 0))
    return 0;
  uint32_t hash = sc_hash_key(numbers, sizeof numbers);
  SC_TRY(sc_index_reserve(&all->index, all->count + 1));
  sc_index_slot *slot = sc_index_first(&all->index, hash);
  while (slot->number && !same_blend(&all->list[slot->number - 1], part))
    slot = sc_index_next(&all->index, slot);
  if (!slot->number) {
    SC_TRY(sc_mem_grow(&all->list, &all->capacity, all->count + 1, sizeof *all->list));
    all->list[all->count++] = *part;
    sc_index_take(&all->index, slot, hash, (uint32_t)all->count);
  }
  *number = slot->number;
  return 0;
}

/* [model, value] or [model, value, low, high, below, above], the last two as half widths. */
static void write_page_context_parts(const parts *all, sc_page_json *json)
{
  sc_page_open(json, "parts", '[');
  for (size_t i = 0; i < all->count; i++) {
    const sc_blend_part *p = &all->list[i];
    bool sure = p->low == p->value && p->high == p->value && p->below == 0 && p->above == 0;
    sc_page_open(json, NULL, '[');
    sc_page_integer(json, NULL, p->model);
    sc_page_number(json, NULL, p->value, 7);
    if (!sure) {
      sc_page_number(json, NULL, p->low, 5);
      sc_page_number(json, NULL, p->high, 5);
      sc_page_number(json, NULL, sqrt(p->below), 5);
      sc_page_number(json, NULL, sqrt(p->above), 5);
    }
    sc_page_close(json, ']');
  }
  sc_page_close(json, ']');
}

typedef struct columns {
  uint32_t *count, *cost; /* parts */
  unsigned char *open;
  uint32_t contexts;
} columns;

static int fill_columns(const sc_page_study *study, parts *all, columns *c)
{
  const sc_analysis *analysis = study->judge->loaded.analysis;
  for (uint32_t i = 0; i < c->contexts; i++) {
    sc_blend_part count, cost;
    if (!sc_analysis_in_scope(analysis, i))
      continue;
    c->open[i] = sc_analysis_parts(analysis, i, &count, &cost);
    SC_TRY(add_page_context_part(all, &count, &c->count[i]));
    SC_TRY(add_page_context_part(all, &cost, &c->cost[i]));
  }
  return 0;
}

/* The model of a context's own count, by number; -1: it has none, or is not counted. */
static int64_t own_model(const sc_analysis *analysis, uint32_t context)
{
  const sc_model *model = sc_analysis_model(analysis, context), *first = sc_analysis_model_at(analysis, 0);
  size_t count = sc_analysis_model_count(analysis);
  return model >= first && model < first + count ? model - first : -1;
}

static void write_columns(const sc_page_study *study, const columns *c, sc_page_json *json)
{
  sc_page_open(json, "model", '[');
  for (uint32_t i = 0; i < c->contexts; i++)
    sc_page_integer(json, NULL, own_model(study->judge->loaded.analysis, i));
  sc_page_close(json, ']');
  sc_page_open(json, "count", '[');
  for (uint32_t i = 0; i < c->contexts; i++)
    sc_page_integer(json, NULL, c->count[i]);
  sc_page_close(json, ']');
  sc_page_open(json, "cost", '[');
  for (uint32_t i = 0; i < c->contexts; i++)
    sc_page_integer(json, NULL, c->cost[i]);
  sc_page_close(json, ']');
  sc_page_open(json, "open", '[');
  for (uint32_t i = 0; i < c->contexts; i++)
    if (c->open[i])
      sc_page_integer(json, NULL, i);
  sc_page_close(json, ']');
}

static double page_context_measured(const sc_page_study *study, uint32_t context, size_t run, enum sc_metric metric)
{
  const sc_judge *judge = study->judge;
  return sc_graph_value(judge->loaded.graph, sc_analysis_run(judge->loaded.analysis, run), context, metric);
}

static bool page_context_sampled(const sc_page_study *study, size_t run)
{
  const sc_judge *judge = study->judge;
  return sc_graph_run_const(judge->loaded.graph, sc_analysis_run(judge->loaded.analysis, run))->cost_event[0];
}

/* What was measured: the counts of each model once, and own costs of contexts that were sampled. Away from the base
 * values that would be another place's. */
static int write_page_context_series(const sc_page_study *study, sc_page_json *json)
{
  const sc_analysis *analysis = study->judge->loaded.analysis;
  size_t runs = sc_analysis_run_count(analysis), models = sc_analysis_model_count(analysis);
  uint32_t contexts = sc_graph_context_count(study->judge->loaded.graph);
  bool moved = sc_analysis_moved(analysis);
  uint32_t *example;
  SC_TRY(SC_NEW(example, models));
  for (uint32_t c = contexts; c-- > 1;)
    if (own_model(analysis, c) >= 0)
      example[own_model(analysis, c)] = c;
  sc_page_open(json, "counts", '[');
  for (size_t m = 0; m < models; m++) {
    sc_page_open(json, NULL, '[');
    for (size_t r = 0; example[m] && !moved && r < runs; r++)
      sc_page_number(json, NULL, page_context_measured(study, example[m], r, SC_METRIC_COUNT), 7);
    sc_page_close(json, ']');
  }
  sc_page_close(json, ']');
  free(example);
  sc_page_open(json, "costs", '[');
  for (uint32_t c = 0; c < contexts; c++) {
    double sum = 0;
    for (size_t r = 0; r < runs; r++)
      sum += page_context_measured(study, c, r, SC_METRIC_COST);
    if (!(sum > 0) || moved || !sc_analysis_in_scope(analysis, c))
      continue;
    sc_page_open(json, NULL, '[');
    sc_page_integer(json, NULL, c);
    for (size_t r = 0; r < runs; r++)
      sc_page_number(json, NULL,
                     page_context_sampled(study, r) ? page_context_measured(study, c, r, SC_METRIC_COST) : NAN, 4);
    sc_page_close(json, ']');
  }
  sc_page_close(json, ']');
  return 0;
}

int sc_page_contexts_write(sc_page_study *study, sc_page_json *json)
{
  int err = 0;
  parts all = {0};
  columns c = {.contexts = sc_graph_context_count(study->judge->loaded.graph)};
  c.count = sc_mem_new(c.contexts, sizeof *c.count);
  c.cost = sc_mem_new(c.contexts, sizeof *c.cost);
  c.open = sc_mem_new(c.contexts, 1);
  if (!c.count || !c.cost || !c.open) {
    err = SC_E_NOMEM;
    goto out;
  }
  SC_GOTO(fill_columns(study, &all, &c));
  write_page_context_parts(&all, json);
  sc_page_open(json, "contexts", '{');
  write_columns(study, &c, json);
  sc_page_close(json, '}');
  err = write_page_context_series(study, json);
out:
  free(c.count);
  free(c.cost);
  free(c.open);
  free(all.list);
  sc_index_free(&all.index);
  return err;
}
