/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <cjson/cJSON.h>

#include "runner/discover/discover.h"
#include "runner/discover/internal.h"
#include "runner/llm/answer.h"

/* What a language model said, and what it was asked. A question is about a type, or about a function below a type that
 * it took for a resource; `hash` is that of its text, so that an answer holds as long as the code is what it was. */

typedef struct sc_llm_answer {
  const char *type, *function; /* interned; function NULL: about the type */
  uint64_t hash;               /* of the question */
  enum sc_answer_verdict verdict;
  const char *reason;                    /* interned, printable */
  uint32_t type_number, function_number; /* of the facts; SC_FACTS_NONE as long as nobody asked for it */
} sc_llm_answer;

/* A function that deals with units of a type. */
typedef struct sc_llm_pair {
  uint32_t type, function;
} sc_llm_pair;

typedef struct sc_llm {
  sc_discover_llm options;
  SC_FACTS_ARRAY(sc_llm_answer, answers);
  sc_index index; /* of answers, by type and function */
  SC_FACTS_ARRAY(sc_llm_pair, pairs);
  sc_facts_slice *below; /* [types_count], of `pairs`: a type's functions */
  size_t requests, asked, answered, strange, invalid, unusable, left; /* asked: questions; left: without an answer */
  size_t stale; /* answers of the file to a question that is another one now */
  double tokens;
  unsigned failures; /* one behind the other */
  sc_buf fault;      /* of the last request without a usable answer */
} sc_llm;

/* Without questions and answers yet; what options refer to must outlive it. SC_E_NOMEM. */
int sc_llm_new(const sc_discover_llm *options, sc_llm **llm) SC_CHECK;
void sc_llm_free(sc_llm *llm);

/* ---- questions ---- */
/* Which functions deal with which types. */
int sc_llm_pair_up(sc_discovery *d) SC_CHECK;
/* What is known of a type, or of a function below it, as JSON; NULL: out of memory. */
cJSON *sc_llm_type(const sc_discovery *d, uint32_t type);
cJSON *sc_llm_function(const sc_discovery *d, uint32_t function);
/* A request as it is sent, in one line: about types, or about functions below the type `below`; both are consumed. */
int sc_llm_request(const sc_discover_llm *options, cJSON *below, cJSON *items, sc_buf *body) SC_CHECK;

/* ---- answers ---- */
/* Reads the file, if it is there; SC_E_INPUT where it is no such file. */
int sc_llm_load(sc_discovery *d) SC_CHECK;
int sc_llm_save(const sc_discovery *d) SC_CHECK;
/* The answer about a type (function NULL) or a function below it; NULL. Both are interned. */
sc_llm_answer *sc_llm_find(const sc_llm *llm, const char *type, const char *function);
/* The answer about a type, if it is to what was asked about it now; NULL. */
const sc_llm_answer *sc_llm_of_type(const sc_llm *llm, const char *type);
/* Adds it, or puts it in the place of another; the reason is as it came. */
int sc_llm_put(sc_discovery *d, const sc_llm_answer *answer) SC_CHECK;

/* What the answers say becomes evidence where the code bears it out, or is rejected. */
int sc_llm_believe(sc_discovery *d) SC_CHECK;
/* What it takes a resource's type for: 1: a resource, -1: none, 0: it does not say. */
int sc_llm_takes(const sc_discovery *d, const sc_resource *resource, const sc_llm_answer **answer);
