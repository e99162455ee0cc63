/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a language model answered, in memory and in its file, which a person reviews. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/infile.h"
#include "runner/discover/llm.h"
#include "runner/text/json_write.h"
#include "runner/text/outfile.h"

enum { VERSION = 1, FILE_BYTES = 64 << 20, WHAT_BYTES = 4200, HASH_BYTES = 17, HEXADECIMAL = 16 };

int sc_llm_new(const sc_discover_llm *options, sc_llm **llm)
{
  SC_TRY(SC_NEW(*llm, 1));
  (*llm)->options = *options;
  return 0;
}

void sc_llm_free(sc_llm *llm)
{
  if (!llm)
    return;
  free(llm->answers);
  free(llm->pairs);
  free(llm->below);
  sc_index_free(&llm->index);
  sc_buf_free(&llm->fault);
  free(llm);
}

/* Where it is in the index, which has room, or belongs. */
static sc_index_slot *find_answer(const sc_llm *llm, const char *type, const char *function, uint32_t *hash)
{
  const char *key[2] = {type, function};
  *hash = sc_hash_key(key, sizeof key);
  sc_index_slot *slot = sc_index_first(&llm->index, *hash);
  for (; slot->number; slot = sc_index_next(&llm->index, slot)) {
    const sc_llm_answer *found = &llm->answers[slot->number - 1];
    if (found->type == type && found->function == function)
      break;
  }
  return slot;
}

sc_llm_answer *sc_llm_find(const sc_llm *llm, const char *type, const char *function)
{
  uint32_t hash, number = llm->index.slots ? find_answer(llm, type, function, &hash)->number : 0;
  return number ? &llm->answers[number - 1] : NULL;
}

const sc_llm_answer *sc_llm_of_type(const sc_llm *llm, const char *type)
{
  const sc_llm_answer *answer = sc_llm_find(llm, type, NULL);
  return answer && answer->type_number != SC_FACTS_NONE ? answer : NULL;
}

/* What a person may be shown of a reason, interned; NULL: out of memory. */
static const char *reason_shown(sc_discovery *d, const char *reason)
{
  sc_buf shown = {0};
  bool failed = sc_discovery_show(reason, SC_LLM_REASON, &shown) < 0;
  const char *text = failed ? NULL : sc_pool_intern(&d->facts.strings, shown.text);
  sc_buf_free(&shown);
  return text;
}

int sc_llm_put(sc_discovery *d, const sc_llm_answer *answer)
{
  sc_llm *llm = d->llm;
  sc_llm_answer copy = *answer;
  uint32_t hash;
  if (!(copy.reason = reason_shown(d, answer->reason)))
    return SC_E_NOMEM;
  SC_TRY(sc_index_reserve(&llm->index, llm->answers_count + 1));
  SC_TRY(sc_mem_grow(&llm->answers, &llm->answers_capacity, llm->answers_count + 1, sizeof *llm->answers));
  sc_index_slot *slot = find_answer(llm, copy.type, copy.function, &hash);
  if (!slot->number)
    sc_index_take(&llm->index, slot, hash, (uint32_t)++llm->answers_count);
  llm->answers[slot->number - 1] = copy;
  return 0;
}

/* ---- the file -----------------------------------------------------------------------------------------------------
 */

static int load_fault(const char *path, const char *what)
{
  return sc_err_hint(sc_err_set(SC_E_INPUT, "%s: invalid answers of a language model: %s", path, what),
                     "mend it, or move it aside: what is missing is asked again");
}

static const char *stored_text_of(const cJSON *item, const char *key)
{
  return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, key));
}

static int load_stored_one(sc_discovery *d, const char *path, const cJSON *item, bool function)
{
  const char *type = stored_text_of(item, "type"), *name = stored_text_of(item, "function"),
             *question = stored_text_of(item, "question");
  const char *word = stored_text_of(item, function ? "event" : "resource"), *reason = stored_text_of(item, "reason");
  sc_llm_answer answer = {.reason = reason, .type_number = SC_FACTS_NONE, .function_number = SC_FACTS_NONE};
  char *end = NULL;
  if (!type || !reason || !question || !word || (function && !name))
    return load_fault(path, "a member of an answer is missing, or no text");
  answer.hash = strtoull(question, &end, HEXADECIMAL);
  if (strlen(question) != HASH_BYTES - 1 || *end)
    return load_fault(path, "'question' does not have 16 hexadecimal digits");
  if (!sc_answer_verdict_of(word, function, &answer.verdict))
    return load_fault(path, function ? "'event' is not acquire, release, wait or none"
                                     : "'resource' is not exclusive, shared or none");
  answer.type = sc_pool_intern(&d->facts.strings, type);
  answer.function = function ? sc_pool_intern(&d->facts.strings, name) : NULL;
  if (!answer.type || (function && !answer.function))
    return SC_E_NOMEM;
  return sc_llm_put(d, &answer);
}

static int load_list(sc_discovery *d, const char *path, const cJSON *root, bool functions)
{
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, functions ? "functions" : "types");
  if (!cJSON_IsArray(list))
    return load_fault(path, functions ? "'functions' is not a list" : "'types' is not a list");
  for (const cJSON *item = list->child; item; item = item->next)
    SC_TRY(load_stored_one(d, path, item, functions));
  return 0;
}

static int load_text(sc_discovery *d, const char *path, const sc_buf *text)
{
  cJSON *root = cJSON_ParseWithLength(text->text, text->length);
  const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "schema_version");
  const char *document = stored_text_of(root, "document");
  int err;
  if (!document || strcmp(document, "llm-answers") != 0)
    err = load_fault(path, "it is another document, or no JSON");
  else if (!cJSON_IsNumber(version) || version->valuedouble != VERSION)
    err = load_fault(path, "it is of another version");
  else {
    err = load_list(d, path, root, false);
    if (err == 0)
      err = load_list(d, path, root, true);
  }
  cJSON_Delete(root);
  return err;
}

int sc_llm_load(sc_discovery *d)
{
  const char *path = d->llm->options.answers;
  char what[WHAT_BYTES];
  sc_buf text = {0};
  snprintf(what, sizeof what, "the answers %s", path);
  int err = sc_infile_read(path, SC_E_IO, what, FILE_BYTES, &text);
  if (err == SC_E_IO && errno == ENOENT) /* nothing was asked yet */
    err = d->llm->options.url || d->llm->options.dry
              ? 0
              : sc_err_hint(err, "give --llm URL, too: then it is asked, and what it answers is kept there");
  else if (err == 0)
    err = text.length > FILE_BYTES ? load_fault(path, "it is too large") : load_text(d, path, &text);
  sc_buf_free(&text);
  return err;
}

static void put_answer(sc_json *json, cJSON *list, const sc_llm_answer *answer)
{
  char question[HASH_BYTES];
  cJSON *item = sc_json_object(json, list, NULL);
  sc_hash_format(answer->hash, question);
  sc_json_string(json, item, "type", answer->type);
  if (answer->function)
    sc_json_string(json, item, "function", answer->function);
  sc_json_string(json, item, answer->function ? "event" : "resource", sc_answer_word(answer->verdict));
  sc_json_string(json, item, "reason", answer->reason);
  sc_json_string(json, item, "question", question);
}

static int save_to(FILE *out, const sc_llm *llm)
{
  sc_json json = {0};
  cJSON *root = cJSON_CreateObject();
  sc_json_number(&json, root, "schema_version", VERSION);
  sc_json_string(&json, root, "document", "llm-answers");
  sc_json_string(&json, root, "description",
                 "What a language model said; scale-run believes it where the code bears it out. Review it: what is "
                 "wrong may be changed here, and holds until the code changes.");
  sc_json_text(&json, root, "model", llm->options.model);
  cJSON *lists[2] = {sc_json_array(&json, root, "types"), sc_json_array(&json, root, "functions")};
  for (size_t i = 0; i < llm->answers_count; i++)
    put_answer(&json, lists[llm->answers[i].function != NULL], &llm->answers[i]);
  return sc_json_write(out, root, &json, 0);
}

int sc_llm_save(const sc_discovery *d)
{
  sc_outfile out;
  SC_TRY(sc_outfile_open(d->llm->options.answers, &out));
  return sc_outfile_close(&out, save_to(out.stream, d->llm));
}
