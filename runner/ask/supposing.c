/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask/supposing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is changed, and all that is in it. */
static uint32_t *list_affected_contexts(const sc_supposing *s, size_t *count)
{
  const sc_graph *graph = s->judge->loaded.graph;
  uint32_t all = sc_graph_context_count(graph);
  uint32_t *list = sc_mem_new(all, sizeof *list);
  unsigned char *in = sc_mem_new(all, 1);
  *count = 0;
  for (uint32_t c = 1; list && in && c < all; c++) {
    in[c] = in[sc_graph_parent(graph, c)];
    for (size_t i = 0; i < s->item_count && !in[c]; i++)
      in[c] = sc_suppose_changes(s->suppose, i, c);
    if (in[c])
      list[(*count)++] = c;
  }
  if (!in) {
    free(list);
    list = NULL;
  }
  free(in);
  return list;
}

typedef struct portions {
  sc_portion *before, *after, *part_before, *part_after;
} portions;

static int make_portions(const sc_supposing *s, portions *p)
{
  const sc_analysis *analysis = s->judge->loaded.analysis;
  size_t count;
  *p = (portions){0};
  uint32_t *part = list_affected_contexts(s, &count);
  if (!part)
    return SC_E_NOMEM;
  int err;
  SC_GOTO(sc_portion_new(analysis, NULL, 0, SC_PORTION_COST, NULL, &p->before));
  SC_GOTO(sc_portion_new(analysis, NULL, 0, SC_PORTION_COST, s->suppose, &p->after));
  SC_GOTO(sc_portion_new(analysis, part, count, SC_PORTION_COST, NULL, &p->part_before));
  err = sc_portion_new(analysis, part, count, SC_PORTION_COST, s->suppose, &p->part_after);
out:
  free(part);
  return err;
}

static void free_portions(portions *p)
{
  sc_portion_free(p->before);
  sc_portion_free(p->after);
  sc_portion_free(p->part_before);
  sc_portion_free(p->part_after);
}

/* The order that a place has now. */
static void order_after(const sc_supposing *s, const sc_finding *f, char *text, size_t size)
{
  const char *variable = s->judge->loaded.workload->parameter;
  for (size_t i = f->spread ? 0 : s->item_count; i-- > 0;)
    if (sc_suppose_changes(s->suppose, i, f->context)) {
      snprintf(text, size, "%.60s", s->items[i].what);
      return;
    }
  sc_model_format_order(&f->to, variable, text, size);
}

/* The finding that costs most after the change. */
static int find_supposing_worst(sc_supposing *s, double n, double total)
{
  const sc_findings *findings = &s->judge->findings;
  for (size_t i = 0; i < findings->count; i++) {
    const sc_finding *f = &findings->list[i];
    sc_portion *members;
    sc_interval cost;
    if (f->along) /* what is supposed is of the focused parameter */
      continue;
    SC_TRY(
        sc_portion_new(s->judge->loaded.analysis, f->members, f->member_count, SC_PORTION_COST, s->suppose, &members));
    int err = sc_portion_predict(members, n, &cost);
    sc_portion_free(members);
    if (err < 0)
      return err;
    if (s->has_worst && cost.value <= s->worst.cost)
      continue;
    s->has_worst = cost.value > 0;
    s->worst =
        (sc_supposing_worst){.finding = f, .n = n, .cost = cost.value, .share = total > 0 ? cost.value / total : 0};
    order_after(s, f, s->worst.order, sizeof s->worst.order);
  }
  return 0;
}

int sc_supposing_answer(sc_supposing *supposing)
{
  const sc_analysis_options *asked = sc_analysis_get_options(supposing->judge->loaded.analysis);
  portions p;
  size_t largest = 0;
  int err;
  SC_TRY(SC_NEW(supposing->sizes, asked->target_count));
  SC_GOTO(make_portions(supposing, &p));
  for (size_t i = 0; i < asked->target_count; i++) {
    sc_supposing_size *size = &supposing->sizes[i];
    size->n = asked->targets[i];
    SC_GOTO(sc_portion_predict(p.before, size->n, &size->before));
    SC_GOTO(sc_portion_predict(p.after, size->n, &size->after));
    SC_GOTO(sc_portion_predict(p.part_before, size->n, &size->part_before));
    SC_GOTO(sc_portion_predict(p.part_after, size->n, &size->part_after));
    supposing->size_count++;
    largest = size->n > supposing->sizes[largest].n ? i : largest;
  }
  if (supposing->size_count)
    err = find_supposing_worst(supposing, supposing->sizes[largest].n, supposing->sizes[largest].after.value);
out:
  free_portions(&p);
  return err;
}

void sc_supposing_free(sc_supposing *supposing)
{
  for (size_t i = 0; supposing->items && i < supposing->item_count; i++) {
    free(supposing->items[i].text);
    free(supposing->items[i].places);
  }
  free(supposing->items);
  free(supposing->sizes);
  sc_suppose_free(supposing->suppose);
  *supposing = (sc_supposing){0};
}
