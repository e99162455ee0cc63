/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a language model is asked: of the facts, what a person would look at first; never the source. */
#include "runner/discover/llm.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/utf8.h"
#include "runner/text/json_parts.h"
#include "runner/text/text_stream.h"

enum { TYPES = 32 }; /* of one function */

/* ---- which functions deal with which types ---------------------------------------------------------------------- */

typedef struct types_of {
  uint32_t numbers[TYPES];
  size_t count;
} types_of;

static void types_add(const sc_facts *facts, types_of *types, const char *name)
{
  const sc_facts_type *type = name ? sc_facts_type_of(facts, name) : NULL;
  uint32_t number = type ? (uint32_t)(type - facts->types) : 0;
  if (!type || !type->fields.count || types->count == TYPES)
    return;
  for (size_t i = 0; i < types->count; i++)
    if (types->numbers[i] == number)
      return;
  types->numbers[types->count++] = number;
}

static void types_place(const sc_facts *facts, types_of *types, uint32_t place)
{
  if (place != SC_FACTS_NONE)
    types_add(facts, types, facts->places[place].record);
}

static void types_collect(const sc_facts *facts, const sc_facts_function *function, types_of *types)
{
  if (function->result.pointers)
    types_add(facts, types, function->result.name);
  SC_FACTS_EACH (ref, facts->type_refs, function->arguments)
    if (ref->pointers)
      types_add(facts, types, ref->name);
  SC_FACTS_EACH (link, facts->links, function->links) {
    types_place(facts, types, link->head);
    types_place(facts, types, link->link);
  }
  SC_FACTS_EACH (counter, facts->counters, function->counters)
    types_place(facts, types, counter->place);
  SC_FACTS_EACH (store, facts->stores, function->stores)
    types_place(facts, types, store->place);
}

/* What only reads cannot be an event; a name must stand for one function. */
static bool is_worth_asking(const sc_facts_function *function)
{
  size_t does = (size_t)function->calls.count + function->links.count + function->counters.count +
                function->stores.count + function->waits.count;
  return does && function->namesake == SC_FACTS_NONE && strcmp(function->name, "main") != 0;
}

static int by_type(const void *a, const void *b)
{
  const sc_llm_pair *x = a, *y = b;
  return SC_COMPARE(x->type, y->type) ?: SC_COMPARE(x->function, y->function);
}

int sc_llm_pair_up(sc_discovery *d)
{
  const sc_facts *facts = &d->facts;
  sc_llm *llm = d->llm;
  SC_TRY(SC_NEW(llm->below, facts->types_count + 1));
  for (uint32_t i = 0; i < facts->functions_count; i++) {
    types_of types = {0};
    if (!is_worth_asking(&facts->functions[i]))
      continue;
    types_collect(facts, &facts->functions[i], &types);
    SC_TRY(sc_mem_grow(&llm->pairs, &llm->pairs_capacity, llm->pairs_count + types.count, sizeof *llm->pairs));
    for (size_t k = 0; k < types.count; k++)
      llm->pairs[llm->pairs_count++] = (sc_llm_pair){types.numbers[k], i};
  }
  if (llm->pairs_count)
    qsort(llm->pairs, llm->pairs_count, sizeof *llm->pairs, by_type);
  for (size_t i = 0; i < llm->pairs_count; i++) {
    sc_facts_slice *below = &llm->below[llm->pairs[i].type];
    below->first = below->count++ ? below->first : (uint32_t)i;
  }
  return 0;
}

/* ---- a type ----------------------------------------------------------------------------------------------------- */

static void put_type_ref(const sc_facts_type_ref *ref, sc_buf *out)
{
  sc_buf_puts(out, *ref->name ? ref->name : "?");
  sc_buf_puts(out, ref->pointers ? " " : "");
  for (unsigned i = 0; i < ref->pointers; i++)
    sc_buf_puts(out, "*");
}

/* Adds a composed text, and empties it; key NULL: to a list. */
static void put_line(sc_json *json, cJSON *parent, const char *key, sc_buf *text)
{
  if (sc_buf_finish(text) == 0)
    sc_json_string(json, parent, key, text->text);
  else
    json->failed = true;
  sc_buf_free(text);
}

static cJSON *finish_question(const sc_json *json, cJSON *item)
{
  if (!json->failed)
    return item;
  cJSON_Delete(item);
  (void)sc_err_set(SC_E_NOMEM, "out of memory");
  return NULL;
}

cJSON *sc_llm_type(const sc_discovery *d, uint32_t type)
{
  const sc_facts *facts = &d->facts;
  const sc_facts_type *known = &facts->types[type];
  sc_json json = {0};
  cJSON *item = cJSON_CreateObject();
  unsigned count = 0;
  sc_json_string(&json, item, "type", known->name);
  if (known->shown != known->name)
    sc_json_string(&json, item, "alias", known->shown);
  cJSON *list = sc_json_array(&json, item, "fields");
  SC_FACTS_EACH (field, facts->fields, known->fields) {
    sc_buf text = {0};
    if (count++ == SC_LLM_NAMES * 2)
      break;
    sc_buf_printf(&text, "%s: ", field->name);
    put_type_ref(&field->type, &text);
    put_line(&json, list, NULL, &text);
  }
  list = sc_json_array(&json, item, "functions");
  count = 0;
  SC_FACTS_EACH (pair, d->llm->pairs, d->llm->below[type])
    if (count++ < SC_LLM_NAMES * 2)
      sc_json_string(&json, list, NULL, facts->functions[pair->function].shown);
  return finish_question(&json, item);
}

/* ---- a function ---------------------------------------------------------------------------------------------------
 */

static void put_effects(sc_json *json, cJSON *list, const sc_facts *facts, const sc_facts_function *function)
{
  static const char *const does[] = {"takes the first of ",    "puts into the front of ",    "appends to ",
                                     "unlinks from the list ", "stores behind the last of ", "takes the last of "};
  unsigned count = 0;
  SC_FACTS_EACH (link, facts->links, function->links) {
    sc_buf text = {0};
    if (link->head == SC_FACTS_NONE || count++ >= SC_LLM_NAMES)
      continue;
    sc_buf_printf(&text, "%s%s", does[link->kind], facts->places[link->head].text);
    put_line(json, list, NULL, &text);
  }
  count = 0;
  SC_FACTS_EACH (counter, facts->counters, function->counters) {
    sc_buf text = {0};
    if (count++ >= SC_LLM_NAMES)
      break;
    sc_buf_printf(&text, "counts %s %s%s", facts->places[counter->place].text, counter->step > 0 ? "up" : "down",
                  counter->conditional ? " on some paths" : "");
    put_line(json, list, NULL, &text);
  }
  SC_FACTS_EACH (wait, facts->waits, function->waits)
    if (wait->loop) {
      sc_json_string(json, list, NULL, "blocks in a loop");
      break;
    }
}

/* Whether a list of names that has each once takes this one. */
static bool is_question_new(const cJSON *list, const char *name)
{
  for (const cJSON *item = list ? list->child : NULL; item; item = item->next)
    if (strcmp(item->valuestring, name) == 0)
      return false;
  return cJSON_GetArraySize(list) < SC_LLM_NAMES;
}

static const char *callee_name(const sc_facts *facts, const sc_facts_call *call)
{
  return call->target != SC_FACTS_NONE ? facts->functions[call->target].shown : call->callee;
}

cJSON *sc_llm_function(const sc_discovery *d, uint32_t number)
{
  const sc_facts *facts = &d->facts;
  const sc_facts_function *function = &facts->functions[number];
  sc_json json = {0};
  sc_buf text = {0};
  cJSON *item = cJSON_CreateObject();
  sc_json_string(&json, item, "function", function->name);
  if (function->shown != function->name)
    sc_json_string(&json, item, "shown", function->shown);
  sc_json_string(&json, item, "file", function->file);
  put_type_ref(&function->result, &text);
  put_line(&json, item, "returns", &text);
  cJSON *list = sc_json_array(&json, item, "arguments");
  SC_FACTS_EACH (ref, facts->type_refs, function->arguments) {
    put_type_ref(ref, &text);
    put_line(&json, list, NULL, &text);
  }
  put_effects(&json, sc_json_array(&json, item, "does"), facts, function);
  list = sc_json_array(&json, item, "calls");
  SC_FACTS_EACH (call, facts->calls, function->calls)
    if (callee_name(facts, call) && is_question_new(list, callee_name(facts, call)))
      sc_json_string(&json, list, NULL, callee_name(facts, call));
  list = sc_json_array(&json, item, "called_by");
  SC_FACTS_EACH (caller, d->calls_in, d->callers[number])
    if (is_question_new(list, facts->functions[caller->function].shown))
      sc_json_string(&json, list, NULL, facts->functions[caller->function].shown);
  return finish_question(&json, item);
}

/* ---- a request ----------------------------------------------------------------------------------------------------
 */

#define RESOURCE                                                                                                    \
  "An application-defined resource is a software resource whose use can affect performance: a pool, a cache, a "    \
  "queue, a buffer, a free list, a handle, a connection, a reference-counted object. Its units are acquired, used " \
  "and released by functions of the program. It is exclusive if one thread or owner at a time has a unit, and "     \
  "shared if several have."

static const char types_task[] = RESOURCE
    " You are given record types of a C or C++ program: their fields, and the functions that deal with them. "
    "First say to yourself what each type is for, by its name, its fields and its functions. Then say whether "
    "it is such a resource or a unit of one, or manages one. Answer none for configuration, statistics, results, "
    "iterators and what only holds arguments. Answer for each type with a reason of one short sentence.";
static const char functions_task[] = RESOURCE
    " You are given one such type, and functions of the program that deal with it: their types, what the "
    "compiler saw them do, what they call and what calls them. Say of each function whether it, when called, "
    "makes a unit the caller's or a structure's (acquire), gives one back or ends it (release), waits or makes "
    "room until one can be had (wait), or none of these. Answer none for a function that only looks at, compares, "
    "prints, reads or writes units. Answer for each function with a reason of one short sentence.";

static void put_message(sc_json *json, cJSON *list, const char *role, const char *content)
{
  cJSON *message = sc_json_object(json, list, NULL);
  sc_json_string(json, message, "role", role);
  sc_json_string(json, message, "content", content);
}

/* Services that can hold a model to a schema do; what comes is checked all the same. */
static cJSON *schema_of(bool functions)
{
  return cJSON_Parse(
      functions
          ? "{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"events\",\"strict\":true,\"schema\":{\"type\":"
            "\"object\",\"properties\":{\"functions\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
            "\"properties\":"
            "{\"function\":{\"type\":\"string\"},\"event\":{\"type\":\"string\",\"enum\":[\"acquire\",\"release\","
            "\"wait\",\"none\"]},\"reason\":{\"type\":\"string\"}},\"required\":[\"function\",\"event\",\"reason\"],"
            "\"additionalProperties\":false}}},\"required\":[\"functions\"],\"additionalProperties\":false}}}"
          : "{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"resources\",\"strict\":true,\"schema\":{\"type\":"
            "\"object\",\"properties\":{\"types\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":"
            "{\"type\":{\"type\":\"string\"},\"resource\":{\"type\":\"string\",\"enum\":[\"exclusive\",\"shared\","
            "\"none\"]},\"reason\":{\"type\":\"string\"}},\"required\":[\"type\",\"resource\",\"reason\"],"
            "\"additionalProperties\":false}}},\"required\":[\"types\"],\"additionalProperties\":false}}}");
}

/* In one line, in characters that may be shown: what is printed of it is what is sent. */
static int print_question_line(cJSON *document, sc_buf *body)
{
  char *json = cJSON_PrintUnformatted(document);
  sc_text_stream line = {NULL};
  int err = json ? sc_text_stream_open(&line) : sc_err_set(SC_E_NOMEM, "out of memory");
  SC_GOTO(err);
  sc_utf8_print_json(json, line.stream);
  SC_GOTO(sc_text_stream_close(&line, 0));
  sc_buf_add(body, line.text, line.length);
  err = sc_buf_finish(body);
out:
  free(line.text);
  cJSON_free(json);
  return err;
}

int sc_llm_request(const sc_discover_llm *options, cJSON *below, cJSON *items, sc_buf *body)
{
  bool functions = below;
  sc_json json = {0};
  cJSON *question = cJSON_CreateObject(), *root = cJSON_CreateObject();
  if (below)
    json.failed |= !cJSON_AddItemToObject(question, "resource", below);
  json.failed |= !cJSON_AddItemToObject(question, functions ? "functions" : "types", items);
  char *content = json.failed ? NULL : cJSON_PrintUnformatted(question);
  if (options->model)
    sc_json_string(&json, root, "model", options->model);
  sc_json_number(&json, root, "temperature", 0);
  sc_json_number(&json, root, "max_tokens", SC_LLM_REPLY);
  cJSON *messages = sc_json_array(&json, root, "messages");
  put_message(&json, messages, "system", functions ? functions_task : types_task);
  put_message(&json, messages, "user", content ? content : "");
  json.failed |= !cJSON_AddItemToObject(root, "response_format", schema_of(functions));
  int err = json.failed || !content ? sc_err_set(SC_E_NOMEM, "out of memory") : print_question_line(root, body);
  cJSON_free(content);
  cJSON_Delete(question);
  cJSON_Delete(root);
  return err;
}
