/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a language model in two phases: first about types, then about functions below those that it took for resources,
 * so that most functions need not be asked about. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "runner/discover/llm.h"
#include "runner/llm/post.h"

/* Questions of one request. */
typedef struct batch {
  sc_discovery *d;
  uint32_t below; /* the type that its functions are below; SC_FACTS_NONE: it is about types */
  size_t count;
  sc_llm_answer questions[(int)SC_LLM_TYPES > (int)SC_LLM_FUNCTIONS ? (int)SC_LLM_TYPES : (int)SC_LLM_FUNCTIONS];
  cJSON *items; /* an array of as many */
} batch;

/* The question about a type or function: an answer without a verdict. */
static sc_llm_answer question_of(const batch *b, uint32_t number, uint64_t hash)
{
  const sc_facts *facts = &b->d->facts;
  bool type = b->below == SC_FACTS_NONE;
  return (sc_llm_answer){.type = facts->types[type ? number : b->below].name,
                         .function = type ? NULL : facts->functions[number].name,
                         .hash = hash,
                         .type_number = type ? number : b->below,
                         .function_number = type ? SC_FACTS_NONE : number};
}

/* ---- one request ----------------------------------------------------------------------------------------------- */

/* Keeps an answer to one of the questions, the first one to each. */
static int take_answer(void *user, const sc_answer_one *one)
{
  batch *b = user;
  sc_llm *llm = b->d->llm;
  for (size_t i = 0; i < b->count; i++) {
    sc_llm_answer answer = b->questions[i];
    if (strcmp(answer.function ? answer.function : answer.type, one->name) != 0)
      continue;
    const sc_llm_answer *found = sc_llm_find(llm, answer.type, answer.function);
    if (found && found->hash == answer.hash)
      break;
    answer.verdict = one->verdict;
    answer.reason = one->reason;
    SC_TRY(sc_llm_put(b->d, &answer));
    llm->left--;
    return 1;
  }
  return 0;
}

/* What a request may cost at most, in tokens. */
static double cost_of(const sc_buf *body) { return ceil((double)body->length / SC_LLM_BYTES) + SC_LLM_REPLY; }

static bool may_ask(const sc_llm *llm, const sc_buf *body)
{
  return llm->requests < llm->options.requests && llm->tokens + cost_of(body) <= llm->options.tokens &&
         llm->failures < SC_LLM_FAILURES;
}

static void keep_fault(sc_llm *llm, const char *fault)
{
  llm->unusable++;
  llm->failures++;
  sc_buf_free(&llm->fault);
  sc_buf_puts(&llm->fault, fault);
}

/* The first request tells whether there is a service at all; what fails later leaves what was learnt. */
static int post_failed(sc_llm *llm, int err)
{
  if (err != SC_E_IO)
    return err;
  if (llm->requests > 1) {
    keep_fault(llm, sc_err_message());
    return 0;
  }
  (void)sc_err_prefix(err, "the language model cannot be asked");
  return sc_err_hint(err, "see whether the service is there and what its URL is; without --llm the code and the names "
                          "decide alone");
}

static int ask_service(batch *b, const sc_buf *body)
{
  sc_llm *llm = b->d->llm;
  const sc_post_to to = {llm->options.url, llm->options.key, llm->options.timeout};
  sc_answer_sum sum;
  sc_buf answer = {0};
  llm->requests++;
  int err = sc_post(&to, body->text, body->length, &answer);
  if (err < 0) {
    llm->tokens += cost_of(body);
    err = post_failed(llm, err);
  } else if ((err = sc_answer_read(answer.text ? answer.text : "", answer.length, b->below != SC_FACTS_NONE,
                                   take_answer, b, &sum)) == 0) {
    llm->tokens += sum.tokens > 0 ? sum.tokens : cost_of(body);
    llm->answered += sum.taken;
    llm->strange += sum.strange;
    llm->invalid += sum.invalid;
    if (sum.fault || !sum.taken)
      keep_fault(llm, sum.fault ? sum.fault : "it answers nothing that was asked");
    else
      llm->failures = 0;
    if (sum.taken) /* they are paid for: nothing that comes later may lose them */
      err = sc_llm_save(b->d);
  }
  sc_buf_free(&answer);
  return err;
}

/* Makes the request, or shows it, and empties the batch. */
static int batch_end(batch *b)
{
  sc_llm *llm = b->d->llm;
  cJSON *below = NULL, *items = b->items;
  sc_buf body = {0};
  if (!b->count)
    return 0;
  b->items = NULL;
  if (b->below != SC_FACTS_NONE && !(below = sc_llm_type(b->d, b->below))) {
    cJSON_Delete(items);
    return SC_E_NOMEM;
  }
  int err = sc_llm_request(&llm->options, below, items, &body);
  if (err == 0 && llm->options.dry)
    fprintf(llm->options.dry, "%s\n", body.text);
  else if (err == 0 && llm->options.url && may_ask(llm, &body))
    err = ask_service(b, &body);
  b->count = 0;
  sc_buf_free(&body);
  return err;
}

/* Takes an item as one more question, or frees it. */
static int batch_put(batch *b, const sc_llm_answer *question, cJSON *item)
{
  if (!b->items)
    b->items = cJSON_CreateArray();
  if (!cJSON_AddItemToArray(b->items, item)) {
    cJSON_Delete(item);
    return sc_err_set(SC_E_NOMEM, "out of memory");
  }
  b->questions[b->count++] = *question;
  return b->count == (question->function ? SC_LLM_FUNCTIONS : SC_LLM_TYPES) ? batch_end(b) : 0;
}

/* Notes the answer that is there; asks where it is missing, or is to what the code was before. */
static int batch_add(batch *b, uint32_t number)
{
  sc_llm *llm = b->d->llm;
  cJSON *item = b->below == SC_FACTS_NONE ? sc_llm_type(b->d, number) : sc_llm_function(b->d, number);
  char *text = item ? cJSON_PrintUnformatted(item) : NULL;
  if (!text) {
    cJSON_Delete(item);
    return sc_err_set(SC_E_NOMEM, "out of memory");
  }
  const sc_llm_answer question = question_of(b, number, sc_hash_string(SC_HASH_START, text));
  sc_llm_answer *answer = sc_llm_find(llm, question.type, question.function);
  cJSON_free(text);
  llm->asked++;
  if (answer && answer->hash == question.hash) {
    answer->type_number = question.type_number;
    answer->function_number = question.function_number;
    cJSON_Delete(item);
    return 0;
  }
  llm->stale += answer != NULL;
  llm->left++;
  return batch_put(b, &question, item);
}

/* ---- the phases ---------------------------------------------------------------------------------------------------
 */

static int by_use(const void *a, const void *b, void *user)
{
  const uint32_t *x = a, *y = b;
  const sc_discovery *d = user;
  return SC_COMPARE(d->llm->below[*y].count, d->llm->below[*x].count)
             ?: strcmp(d->facts.types[*x].name, d->facts.types[*y].name);
}

/* The types that are asked about, those that most functions deal with first. */
static int order_types(sc_discovery *d, uint32_t **types, size_t *count)
{
  *count = 0;
  SC_TRY(SC_NEW(*types, d->facts.types_count + 1));
  for (uint32_t i = 0; i < d->facts.types_count; i++)
    if (d->llm->below[i].count >= SC_LLM_USERS)
      (*types)[(*count)++] = i;
  if (*count)
    qsort_r(*types, *count, sizeof **types, by_use, d);
  return 0;
}

static int ask_types(sc_discovery *d, const uint32_t *types, size_t count)
{
  batch b = {.d = d, .below = SC_FACTS_NONE};
  int err = 0;
  for (size_t i = 0; err == 0 && i < count; i++)
    err = batch_add(&b, types[i]);
  if (err == 0)
    err = batch_end(&b);
  cJSON_Delete(b.items);
  return err;
}

/* Whether its functions are asked about; nothing is known of it yet where requests are only shown. */
static bool is_llm_taken(const sc_discovery *d, uint32_t type)
{
  const sc_llm_answer *answer = sc_llm_of_type(d->llm, d->facts.types[type].name);
  return answer ? answer->verdict != SC_ANSWER_NONE : d->llm->options.dry != NULL;
}

static int ask_functions(sc_discovery *d, uint32_t type)
{
  batch b = {.d = d, .below = type};
  const sc_facts_slice below = d->llm->below[type];
  int err = 0;
  for (uint32_t i = below.first; err == 0 && i < below.first + below.count; i++)
    err = batch_add(&b, d->llm->pairs[i].function);
  if (err == 0)
    err = batch_end(&b);
  cJSON_Delete(b.items);
  return err;
}

static int ask_all(sc_discovery *d, const uint32_t *types, size_t count)
{
  SC_TRY(ask_types(d, types, count));
  for (size_t i = 0; i < count; i++)
    if (is_llm_taken(d, types[i]))
      SC_TRY(ask_functions(d, types[i]));
  return 0;
}

int sc_discovery_ask(sc_discovery *d)
{
  sc_llm *llm = d->llm;
  uint32_t *types = NULL;
  size_t count;
  int err;
  if (!llm)
    return 0;
  if (llm->options.url && !llm->options.dry)
    SC_TRY(sc_post_check(&(sc_post_to){llm->options.url, llm->options.key, llm->options.timeout}));
  SC_GOTO(sc_llm_load(d));
  SC_GOTO(sc_llm_pair_up(d));
  SC_GOTO(order_types(d, &types, &count));
  SC_GOTO(ask_all(d, types, count));
  err = sc_llm_believe(d);
out:
  free(types);
  return err;
}
