/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "check_open_blocks=n log n": from words to suppositions. */
#include "runner/ask/supposing.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "regress/core/growth.h"

enum { MOST = 16 };

/* A supposition as it is given, and what it refers to. */
typedef struct draft {
  sc_supposition what;
  sc_places places;
  uint32_t *body; /* of the places; NULL: the places themselves */
} draft;

/* "0.5x", "x0.5", "2 x": a factor; false if it is not one. */
static bool take_factor(const char *text, double *times)
{
  bool front = *text == 'x';
  text += front;
  text += strspn(text, " ");
  size_t digits = sc_number_read(text, strlen(text), times);
  text += digits;
  if (digits && !front) {
    text += strspn(text, " ");
    front = *text == 'x';
    text += front;
  }
  return digits && front && !*text && *times >= 0 && isfinite(*times);
}

static char *trim_supposing(char *text)
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

/* The function, its loops, and the library functions that they call. */
static int list_written(const sc_graph *graph, draft *d)
{
  uint32_t *body = NULL, *work = NULL;
  size_t loops = 0, works = 0;
  int err;
  SC_GOTO(sc_places_body(graph, &d->places, &body, &loops));
  if (!d->places.work)
    SC_GOTO(sc_places_work(graph, &d->places, 0, &work, &works));
  d->body = sc_mem_new(loops + works, sizeof *d->body);
  if (!d->body) {
    err = SC_E_NOMEM;
    goto out;
  }
  memcpy(d->body, body, loops * sizeof *body);
  if (works)
    memcpy(d->body + loops, work, works * sizeof *work);
  d->what.contexts = d->body;
  d->what.context_count = loops + works;
out:
  free(body);
  free(work);
  return err;
}

static int parse_one(const sc_judge *judge, const char *text, draft *d, sc_supposing_item *item)
{
  const sc_graph *graph = judge->loaded.graph;
  char *copy = sc_mem_copy_string(text), *equals = copy ? strrchr(copy, '=') : NULL;
  int err = SC_E_NOMEM;
  item->text = sc_mem_copy_string(text);
  if (!copy || !item->text)
    goto out;
  if (!equals || !*trim_supposing(copy) || equals == trim_supposing(copy)) {
    err = sc_err_hint(sc_err_set(SC_E_USAGE, "\"%.80s\" is not FUNCTION=ORDER", text),
                      "for example 'check_open_blocks=n log n', 'blocks.c:1075=log n per call' or 'parse=0.5x'");
    goto out;
  }
  *equals = '\0';
  SC_GOTO(parse_growth(judge->loaded.workload->parameter, trim_supposing(equals + 1), d, item));
  SC_GOTO(sc_places_find(graph, trim_supposing(copy), &d->places));
  d->what.contexts = d->places.contexts;
  d->what.context_count = d->places.count;
  if (!d->what.scaled && !d->places.loop) {
    SC_GOTO(list_written(graph, d));
  }
out:
  free(copy);
  return err < 0 ? sc_err_prefix(err, "--suppose") : 0;
}

static void drop_supposing(draft *d)
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

static double measured_at_smallest(const sc_analysis *analysis, uint32_t context)
{
  const sc_graph *graph = sc_analysis_graph(analysis);
  double sum = 0, low, high;
  size_t runs = 0;
  sc_analysis_range(analysis, &low, &high);
  for (; runs < sc_analysis_run_count(analysis); runs++) { /* ascending by size */
    size_t run = sc_analysis_run(analysis, runs);
    if (sc_graph_run_const(graph, run)->n > low)
      break;
    sum += sc_graph_value(graph, run, context, SC_METRIC_COUNT);
  }
  return runs ? sum / (double)runs : 0;
}

/* Names what a supposition changes. */
static int describe_draft(sc_supposing *s, size_t index, const draft *d)
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
    bool known = sc_analysis_model(analysis, c)->verdict == SC_VERDICT_MODEL;
    place->anchor_count += known ? here.value : measured_at_smallest(analysis, c);
  }
  return 0;
}

static int split_supposing(const char *list, sc_supposing *s, draft *drafts)
{
  int err = 0;
  for (const char *at = list; err == 0 && *at;) {
    size_t length = strcspn(at, ";");
    sc_buf one = {0};
    if (s->item_count == MOST)
      return sc_err_set(SC_E_USAGE, "--suppose: more than %d suppositions", MOST);
    sc_buf_add(&one, at, length);
    err = sc_buf_finish(&one) ?: parse_one(s->judge, one.text, &drafts[s->item_count], &s->items[s->item_count]);
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
  SC_GOTO(split_supposing(list, supposing, drafts));
  for (size_t i = 0; i < supposing->item_count; i++)
    what[i] = drafts[i].what;
  err = sc_suppose_new(judge->loaded.analysis, what, supposing->item_count, &supposing->suppose);
  if (err < 0) {
    (void)sc_err_prefix(err, "--suppose");
    if (err == SC_E_USAGE)
      (void)sc_err_hint(err, "\"per call\" is about a function's loops; without it how often it is executed in a run");
    goto out;
  }
  for (size_t i = 0; i < supposing->item_count; i++)
    SC_GOTO(describe_draft(supposing, i, &drafts[i]));
out:
  for (size_t i = 0; i < MOST; i++)
    drop_supposing(&drafts[i]);
  return err;
}
