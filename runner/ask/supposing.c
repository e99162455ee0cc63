/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask/supposing.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "regress/growth.h"

enum { MOST = 16 };

/* A supposition as it is given, and what it refers to. */
typedef struct draft {
  sc_supposition what;
  sc_places places;
  uint32_t *body; /* of the places; NULL: the places themselves */
} draft;

/* "0.5x", "x0.5", "2 x": a factor; false if it is none. */
static bool take_factor(const char *text, double *times)
{
  size_t length = strlen(text), digits;
  bool front = *text == 'x';
  text += front;
  text += strspn(text, " ");
  length = strlen(text);
  digits = sc_number_read(text, length, times);
  text += digits;
  if (digits && !front) {
    text += strspn(text, " ");
    front = *text == 'x';
    text += front;
  }
  return digits && front && !*text && *times >= 0 && isfinite(*times);
}

static char *trim(char *text)
{
  text += strspn(text, " \t");
  size_t length = strlen(text);
  while (length && isspace((unsigned char)text[length - 1]))
    text[--length] = '\0';
  return text;
}

/* Cuts " per call" off. */
static bool take_per_call(char *text)
{
  static const char *const words[] = {" per call", " each call", " a call"};
  size_t length = strlen(text);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (length > strlen(words[i]) && strcmp(text + length - strlen(words[i]), words[i]) == 0) {
      text[length - strlen(words[i])] = '\0';
      return true;
    }
  return false;
}

static int parse_growth(const char *variable, char *text, draft *d, sc_supposing_item *item)
{
  char order[64];
  if (take_factor(text, &d->what.times)) {
    d->what.scaled = true;
    snprintf(item->what, sizeof item->what, "%.4g times as often", d->what.times);
    return 0;
  }
  d->what.per_call = take_per_call(text);
  if (sc_growth_parse(text, variable, &d->what.order) < 0)
    return sc_err_hint(SC_E_USAGE, "orders are: constant, log n, n, n log n, n^1.5, n^2, each with \"per call\" behind "
                                   "it if in each call; or a factor: 0.5x");
  sc_model_format_order(&d->what.order, variable, order, sizeof order);
  snprintf(item->what, sizeof item->what, "%.60s%s", order, d->what.per_call ? " per call" : "");
  return 0;
}

static int parse_one(const sc_judge *judge, const char *text, draft *d, sc_supposing_item *item)
{
  const sc_graph *graph = judge->loaded.graph;
  char *copy = sc_mem_copy_string(text), *equals = copy ? strrchr(copy, '=') : NULL;
  int err = SC_E_NOMEM;
  item->text = sc_mem_copy_string(text);
  if (!copy || !item->text)
    goto out;
  if (!equals || !*trim(copy) || equals == trim(copy)) {
    err = sc_err_hint(sc_err_set(SC_E_USAGE, "\"%.80s\" is not FUNCTION=ORDER", text),
                      "for example 'check_open_blocks=n log n', 'blocks.c:1075=log n per call' or 'parse=0.5x'");
    goto out;
  }
  *equals = '\0';
  SC_GOTO(parse_growth(judge->loaded.workload->parameter, trim(equals + 1), d, item));
  SC_GOTO(sc_places_find(graph, trim(copy), &d->places));
  d->what.contexts = d->places.contexts;
  d->what.context_count = d->places.count;
  if (!d->what.scaled && !d->places.loop) {
    SC_GOTO(sc_places_body(graph, &d->places, &d->body, &d->what.context_count));
    d->what.contexts = d->body;
  }
out:
  free(copy);
  return err < 0 ? sc_err_prefix(err, "--suppose") : 0;
}

static void drop(draft *d)
{
  sc_places_free(&d->places);
  free(d->body);
}

static sc_supposing_place *same_place(const sc_graph *graph, sc_supposing_item *item, uint32_t context)
{
  for (size_t i = 0; i < item->place_count; i++)
    if (sc_graph_location_of(graph, item->places[i].context) == sc_graph_location_of(graph, context))
      return &item->places[i];
  return NULL;
}

/* Names what a supposition changes. */
static int describe(sc_supposing *s, size_t index, const draft *d)
{
  const sc_analysis *analysis = s->judge->loaded.analysis;
  sc_supposing_item *item = &s->items[index];
  size_t capacity = 0;
  double low, high;
  sc_analysis_range(analysis, &low, &high);
  for (size_t i = 0; i < d->what.context_count; i++) {
    uint32_t c = d->what.contexts[i];
    sc_interval here, best;
    if (!sc_suppose_changes(s->suppose, index, c) || !sc_analysis_in_scope(analysis, c))
      continue;
    sc_supposing_place *place = same_place(s->judge->loaded.graph, item, c);
    SC_TRY(sc_analysis_count(analysis, c, high, &here));
    if (!place) {
      SC_TRY(sc_mem_grow(&item->places, &capacity, item->place_count + 1, sizeof *item->places));
      place = &item->places[item->place_count++];
      *place = (sc_supposing_place){.context = c};
    }
    SC_TRY(sc_analysis_count(analysis, place->context, high, &best));
    if (here.value > best.value)
      place->context = c;
    SC_TRY(sc_analysis_count(analysis, c, low, &here));
    place->anchor_count += here.value;
  }
  return 0;
}

static int split(const char *list, sc_supposing *s, draft *drafts)
{
  int err = 0;
  for (const char *at = list; err == 0 && *at;) {
    size_t length = strcspn(at, ";");
    sc_buf one = {0};
    if (s->item_count == MOST)
      return sc_err_set(SC_E_USAGE, "--suppose: more than %d suppositions", MOST);
    sc_buf_add(&one, at, length);
    err = sc_buf_finish(&one);
    if (err == 0)
      err = parse_one(s->judge, one.text, &drafts[s->item_count], &s->items[s->item_count]);
    s->item_count++;
    sc_buf_free(&one);
    at += length + (at[length] != '\0');
  }
  return err;
}

int sc_supposing_parse(const sc_judge *judge, const char *list, sc_supposing *supposing)
{
  draft drafts[MOST] = {0};
  sc_supposition what[MOST];
  int err;
  *supposing = (sc_supposing){.judge = judge, .items = sc_mem_new(MOST, sizeof *supposing->items)};
  if (!supposing->items)
    return SC_E_NOMEM;
  SC_GOTO(split(list, supposing, drafts));
  for (size_t i = 0; i < supposing->item_count; i++)
    what[i] = drafts[i].what;
  err = sc_suppose_new(judge->loaded.analysis, what, supposing->item_count, &supposing->suppose);
  if (err < 0) {
    (void)sc_err_prefix(err, "--suppose");
    goto out;
  }
  for (size_t i = 0; i < supposing->item_count; i++)
    SC_GOTO(describe(supposing, i, &drafts[i]));
out:
  for (size_t i = 0; i < MOST; i++)
    drop(&drafts[i]);
  return err;
}

/* What is changed, and all that is in it. */
static uint32_t *affected(const sc_supposing *s, size_t *count)
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
  uint32_t *part = affected(s, &count);
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
  for (size_t i = s->item_count; i-- > 0;)
    if (sc_suppose_changes(s->suppose, i, f->context)) {
      snprintf(text, size, "%.60s", s->items[i].what);
      return;
    }
  sc_model_format_order(&f->to, variable, text, size);
}

/* The finding that costs most after the change. */
static int find_worst(sc_supposing *s, double n, double total)
{
  const sc_findings *findings = &s->judge->findings;
  for (size_t i = 0; i < findings->count; i++) {
    const sc_finding *f = &findings->list[i];
    sc_portion *members;
    sc_interval cost;
    SC_TRY(
        sc_portion_new(s->judge->loaded.analysis, f->members, f->member_count, SC_PORTION_COST, s->suppose, &members));
    int err = sc_portion_predict(members, n, &cost);
    sc_portion_free(members);
    if (err < 0)
      return err;
    if (s->has_worst && cost.value <= s->worst.cost)
      continue;
    s->has_worst = cost.value > 0;
    s->worst = (sc_supposing_worst){
        .context = f->context, .n = n, .cost = cost.value, .share = total > 0 ? cost.value / total : 0};
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
  supposing->sizes = sc_mem_new(asked->target_count, sizeof *supposing->sizes);
  if (!supposing->sizes)
    return SC_E_NOMEM;
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
    err = find_worst(supposing, supposing->sizes[largest].n, supposing->sizes[largest].after.value);
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
