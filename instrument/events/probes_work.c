/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of work: how much a function of a library does, from JSON, as a line for the compiler pass and for people. */
#include <string.h>

#include "instrument/events/probes_internal.h"

static const char *const work_units[] = {"bytes", "characters", "elements", "operations", NULL};
/* In the order of a term's `join`. */
static const char *const work_joins[] = {"sum", "difference", "product", "least"};
enum { WORK_JOINS = sizeof work_joins / sizeof *work_joins };

/* ---- terms from JSON ----------------------------------------------------------------------------- */

static int work_add(const sc_probes_at *at, const cJSON *item, sc_probes_work *work, sc_probes_term term)
{
  if (work->term_count == SC_PROBES_TERMS) {
    sc_probes_fault(at, item, "more than %d terms", SC_PROBES_TERMS);
    return sc_err_hint(SC_E_INPUT, "count the part that grows");
  }
  work->terms[work->term_count++] = term;
  return 0;
}

/* What every way of writing a term is shown with. */
static int work_one_thing(const sc_probes_at *at)
{
  sc_probes_fault(at, NULL, "the number of units is one thing");
  return sc_err_hint(SC_E_INPUT,
                     "write a number, {\"argument\": 1}, {\"argument\": 0, \"field\": 16}, {\"pointee_of\": 1}, "
                     "{\"length_of\": 0}, {\"end_in\": 1}, {\"return\": true}, or a \"sum\", \"difference\", "
                     "\"product\" or \"least\" of these: {\"product\": [{\"argument\": 0}, 8]}");
}

/* {"argument": [0, 1]}: their product */
static int work_product(const sc_probes_at *at, const cJSON *list, sc_probes_work *work, sc_probes_term term)
{
  if (cJSON_GetArraySize(list) != 2) {
    sc_probes_fault(at, list, "a product has two factors");
    return sc_err_hint(SC_E_INPUT, "write {\"argument\": [0, 1]} for argument 0 times argument 1");
  }
  SC_TRY(sc_probes_value_argument(at, list->child, &term.argument));
  SC_TRY(work_add(at, list, work, term));
  term.join = SC_PROBES_TIMES;
  SC_TRY(sc_probes_value_argument(at, list->child->next, &term.argument));
  return work_add(at, list, work, term);
}

static int work_argument(const sc_probes_at *at, const cJSON *item, sc_probes_work *work, sc_probes_term term)
{
  term.from = SC_PROBES_TERM_ARGUMENT;
  if (cJSON_IsArray(item) && work->term_count == 0)
    return work_product(at, item, work, term);
  SC_TRY(sc_probes_value_argument(at, item, &term.argument));
  return work_add(at, item, work, term);
}

/* {"argument": 0, "field": 16, "size": 4}, {"pointee_of": 0, "size": 4} */
static int work_field(const sc_probes_at *at, const cJSON *argument, sc_probes_work *work, sc_probes_term term)
{
  const cJSON *field = cJSON_GetObjectItemCaseSensitive(at->item, "field");
  const cJSON *size = cJSON_GetObjectItemCaseSensitive(at->item, "size");
  double value = 0;
  term.from = SC_PROBES_TERM_FIELD;
  if (field)
    SC_TRY(sc_probes_value_integer(at, field, 0, INT32_MAX, &value));
  term.number = (uint32_t)value;
  value = 8;
  if (size)
    SC_TRY(sc_probes_value_integer(at, size, 1, 8, &value));
  term.size = (unsigned)value;
  if (term.size & (term.size - 1)) {
    sc_probes_fault(at, size, "'size' has to be 1, 2, 4 or 8");
    return sc_err_hint(SC_E_INPUT, "write how many bytes the field has");
  }
  SC_TRY(sc_probes_value_argument(at, argument, &term.argument));
  return work_add(at, argument, work, term);
}

/* {"length_of": 0}, {"length_of": "return"} */
static int work_length(const sc_probes_at *at, const cJSON *item, sc_probes_work *work, sc_probes_term term)
{
  term.from = SC_PROBES_TERM_LENGTH;
  if (cJSON_IsString(item) && strcmp(item->valuestring, "return") == 0)
    term.from = SC_PROBES_TERM_RESULT_LENGTH;
  else if (cJSON_IsString(item)) {
    sc_probes_fault(at, item, "'%.200s' is no 'length_of'", item->valuestring);
    return sc_err_hint(SC_E_INPUT, "write the number of an argument, from 0, or \"return\"");
  } else {
    SC_TRY(sc_probes_value_argument(at, item, &term.argument));
  }
  return work_add(at, item, work, term);
}

static int work_amount(const sc_probes_at *at, sc_probes_work *work, unsigned join);

/* {"difference": [A, B, ...]}: A less B, less ... */
static int work_list(const sc_probes_at *at, const cJSON *list, sc_probes_work *work, unsigned join)
{
  if (work->term_count) {
    sc_probes_fault(at, list, "'%s' behind something else", list->string);
    return sc_err_hint(SC_E_INPUT, "write it first: {\"sum\": [{\"product\": [...]}, ...]}");
  }
  if (!cJSON_IsArray(list) || !list->child || !list->child->next) {
    sc_probes_fault(at, list, "'%s' has to be a list of at least two", list->string);
    return sc_err_hint(SC_E_INPUT, "write {\"%s\": [{\"return\": true}, {\"argument\": 0}]}", list->string);
  }
  for (const cJSON *item = list->child; item; item = item->next) {
    sc_probes_at inside = sc_probes_inside(at, item, at->what);
    SC_TRY(work_amount(&inside, work, join));
  }
  return 0;
}

/* The one member of a term that names it, without those that say more about it; NULL: there is not one. */
static const cJSON *work_kind(const cJSON *object)
{
  const cJSON *kind = NULL;
  bool field = false, size = false, twice = false;
  for (const cJSON *member = object->child; member; member = member->next) {
    bool is_field = strcmp(member->string, "field") == 0, is_size = strcmp(member->string, "size") == 0;
    field |= is_field;
    size |= is_size;
    if (is_field || is_size)
      continue;
    twice |= kind != NULL;
    kind = member;
  }
  if (!kind || twice)
    return NULL;
  bool argument = strcmp(kind->string, "argument") == 0, pointee = strcmp(kind->string, "pointee_of") == 0;
  return (field && !argument) || (size && !field && !pointee) ? NULL : kind;
}

/* at->item: one term, or a list of them. `join`: with the terms that are there. */
static int work_amount(const sc_probes_at *at, sc_probes_work *work, unsigned join)
{
  static const char *const keys[] = {"argument", "field", "size",       "pointee_of", "return", "length_of",
                                     "end_in",   "sum",   "difference", "product",    "least",  NULL};
  sc_probes_term term = {.join = work->term_count ? join : SC_PROBES_PLUS};
  double number;
  if (cJSON_IsNumber(at->item)) {
    SC_TRY(sc_probes_value_integer(at, at->item, 0, UINT32_MAX, &number));
    term.number = (uint32_t)number;
    return work_add(at, at->item, work, term);
  }
  SC_TRY(sc_probes_value_object(at, keys));
  const cJSON *kind = work_kind(at->item);
  if (!kind)
    return work_one_thing(at);
  for (unsigned i = 0; i < WORK_JOINS; i++)
    if (strcmp(kind->string, work_joins[i]) == 0)
      return work_list(at, kind, work, i);
  if (strcmp(kind->string, "pointee_of") == 0 || cJSON_HasObjectItem(at->item, "field"))
    return work_field(at, kind, work, term);
  if (strcmp(kind->string, "argument") == 0)
    return work_argument(at, kind, work, term);
  if (strcmp(kind->string, "length_of") == 0)
    return work_length(at, kind, work, term);
  term.from = strcmp(kind->string, "return") == 0 ? SC_PROBES_TERM_RESULT : SC_PROBES_TERM_END;
  if (term.from == SC_PROBES_TERM_RESULT)
    SC_TRY(sc_probes_value_return(at, kind));
  else
    SC_TRY(sc_probes_value_argument(at, kind, &term.argument));
  return work_add(at, kind, work, term);
}

/* ---- an event from JSON ---------------------------------------------------------------------------- */

static int work_event(const sc_probes_at *at)
{
  static const char *const words[] = {"work", NULL};
  const cJSON *item;
  size_t index;
  SC_TRY(sc_probes_value_member(at, "event", &item));
  if (!sc_probes_is_resource_event(item))
    return sc_probes_value_word(at, item, words, &index);
  sc_probes_fault(at, item, "'%s' without a resource", item->valuestring);
  return sc_err_hint(SC_E_INPUT, "move it into \"events\" of a resource; allowed here: work");
}

int sc_probes_work_parse(const sc_probes_at *at, sc_probes_work *work)
{
  static const char *const keys[] = {"function", "event", "description", "units", "unit", "after", NULL};
  const cJSON *item;
  const char *description;
  size_t index;
  memset(work, 0, sizeof *work);
  work->unit = SCALE_UNIT_BYTES;
  if (cJSON_IsObject(at->item))
    SC_TRY(work_event(at));
  SC_TRY(sc_probes_value_object(at, keys));
  SC_TRY(sc_probes_value_member(at, "function", &item));
  SC_TRY(sc_probes_value_function(at, item, &work->function));
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "description")))
    SC_TRY(sc_probes_value_text(at, item, &description));
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "unit"))) {
    SC_TRY(sc_probes_value_word(at, item, work_units, &index));
    work->unit = (enum scale_work_unit)(SCALE_UNIT_BYTES + (int)index);
  }
  SC_TRY(sc_probes_value_flag(at, "after", &work->after));
  SC_TRY(sc_probes_value_member(at, "units", &item));
  sc_probes_at inside = sc_probes_inside(at, item, "the number of units");
  return work_amount(&inside, work, SC_PROBES_PLUS);
}

bool sc_probes_work_equal(const sc_probes_work *a, const sc_probes_work *b)
{
  bool same = a->unit == b->unit && a->after == b->after && a->term_count == b->term_count;
  for (size_t i = 0; same && i < a->term_count; i++) {
    const sc_probes_term *x = &a->terms[i], *y = &b->terms[i];
    same = x->from == y->from && x->join == y->join && x->argument == y->argument && x->number == y->number &&
           x->size == y->size;
  }
  return same;
}

/* ---- as text ------------------------------------------------------------------------------------------ */

static void work_line_term(sc_buf *to, const sc_probes_term *term)
{
  switch (term->from) {
  case SC_PROBES_TERM_NUMBER:
    sc_buf_printf(to, "%u", (unsigned)term->number);
    break;
  case SC_PROBES_TERM_ARGUMENT:
    sc_buf_printf(to, "arg:%u", term->argument);
    break;
  case SC_PROBES_TERM_FIELD:
    sc_buf_printf(to, "arg:%u->%u", term->argument, (unsigned)term->number);
    if (term->size != 8)
      sc_buf_printf(to, ":%u", term->size);
    break;
  case SC_PROBES_TERM_RESULT:
    sc_buf_puts(to, "ret");
    break;
  case SC_PROBES_TERM_END:
    sc_buf_printf(to, "end:%u", term->argument);
    break;
  case SC_PROBES_TERM_LENGTH:
    sc_buf_printf(to, "strlen:%u", term->argument);
    break;
  case SC_PROBES_TERM_RESULT_LENGTH:
    sc_buf_puts(to, "strlen:ret");
  }
}

void sc_probes_work_line(const sc_probes_work *work, sc_buf *to)
{
  sc_buf_printf(to, "%s\twork\t%s", work->function, work->after ? "after:" : "");
  for (size_t i = 0; i < work->term_count; i++) {
    if (i)
      sc_buf_printf(to, "%c", "+-*<"[work->terms[i].join]);
    work_line_term(to, &work->terms[i]);
  }
  sc_buf_printf(to, "\t%s\n", work_units[work->unit - SCALE_UNIT_BYTES]);
}

static void work_describe_term(sc_buf *to, const sc_probes_term *term)
{
  switch (term->from) {
  case SC_PROBES_TERM_NUMBER:
    sc_buf_printf(to, "%u", (unsigned)term->number);
    break;
  case SC_PROBES_TERM_ARGUMENT:
    sc_buf_printf(to, "argument %u", term->argument);
    break;
  case SC_PROBES_TERM_FIELD:
    sc_buf_printf(to, "field %u of argument %u", (unsigned)term->number, term->argument);
    if (term->size != 8)
      sc_buf_printf(to, " (%u bytes)", term->size);
    break;
  case SC_PROBES_TERM_RESULT:
    sc_buf_puts(to, "result");
    break;
  case SC_PROBES_TERM_END:
    sc_buf_printf(to, "end in argument %u", term->argument);
    break;
  case SC_PROBES_TERM_LENGTH:
    sc_buf_printf(to, "length of argument %u", term->argument);
    break;
  case SC_PROBES_TERM_RESULT_LENGTH:
    sc_buf_puts(to, "length of result");
  }
}

/* The first `count` terms: "(result - argument 0) * 4", "least of (result, argument 2)". */
static void work_describe_terms(sc_buf *to, const sc_probes_term *terms, size_t count)
{
  const sc_probes_term *last = &terms[count - 1];
  if (count == 1) {
    work_describe_term(to, last);
    return;
  }
  bool least = last->join == SC_PROBES_LEAST;
  bool first_part = last->join == SC_PROBES_TIMES && count > 2 && last[-1].join < SC_PROBES_TIMES;
  sc_buf_puts(to, least ? "least of (" : first_part ? "(" : "");
  work_describe_terms(to, terms, count - 1);
  sc_buf_puts(to, first_part ? ")" : "");
  if (least)
    sc_buf_puts(to, ", ");
  else
    sc_buf_printf(to, " %c ", "+-*"[last->join]);
  work_describe_term(to, last);
  sc_buf_puts(to, least ? ")" : "");
}

void sc_probes_work_describe(const sc_probes_work *work, sc_buf *to)
{
  work_describe_terms(to, work->terms, work->term_count);
  sc_buf_printf(to, "%s, in %s", work->after ? ", after the call" : "", work_units[work->unit - SCALE_UNIT_BYTES]);
}
