/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What a service answers to a question about types or functions, held against what was asked for: services are known to
 * answer with status 200 and any text. */

enum sc_answer_verdict {
  SC_ANSWER_NONE,
  SC_ANSWER_EXCLUSIVE, /* of a type: a resource, whose units one task at a time has */
  SC_ANSWER_SHARED,    /* the same, of several */
  SC_ANSWER_ACQUIRE,   /* of a function */
  SC_ANSWER_RELEASE,
  SC_ANSWER_WAIT,
  SC_ANSWER_VERDICTS
};
const char *sc_answer_word(enum sc_answer_verdict verdict); /* "none", "exclusive", ... */
/* Whether the word is one of those that may be said of a function, or of a type. */
bool sc_answer_verdict_of(const char *word, bool function, enum sc_answer_verdict *verdict);

typedef struct sc_answer_one {
  const char *name;
  enum sc_answer_verdict verdict;
  const char *reason; /* as it came */
} sc_answer_one;
/* 1: it is taken; 0: it was not asked for; negative: an error, which ends the reading. */
typedef int (*sc_answer_fn)(void *user, const sc_answer_one *one);

typedef struct sc_answer_sum {
  size_t taken, strange, invalid; /* strange: not asked for; invalid: of another form */
  double tokens;                  /* that the service counted; 0: it does not say */
  const char *fault;              /* why nothing of it can be used; NULL */
} sc_answer_sum;

/* Reads the body of an answer to a question about functions, or about types. */
int sc_answer_read(const char *body, size_t length, bool functions, sc_answer_fn visit, void *user,
                   sc_answer_sum *sum) SC_CHECK;
