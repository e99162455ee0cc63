/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/* The command line, parsed by the one table in options.def. */
enum sc_verb {
#define VERB(code, name, operands, summary, description) SC_VERB_##code,
#include "runner/options/options.def"
  SC_VERB_COUNT, /* also: no verb, as in `scale-run --help` */
};
enum sc_option_kind {
  SC_OPTION_FLAG,
  SC_OPTION_TEXT,
  SC_OPTION_FILE,
  SC_OPTION_CHOICE,
  SC_OPTION_CHOICES,
  SC_OPTION_LIST,
  SC_OPTION_SIZE,
  SC_OPTION_TIME,
  SC_OPTION_RATIO,
  SC_OPTION_NUMBER,
  SC_OPTION_COUNT,
  SC_OPTION_FROM_ONE
};
typedef bool sc_option_type_FLAG;
typedef const char *sc_option_type_TEXT, *sc_option_type_FILE;
typedef const char *sc_option_type_CHOICE;  /* one of the choices; NULL: not given, the first */
typedef const char *sc_option_type_CHOICES; /* several of them, with commas in between; one may have a ratio of its own:
                                               "order,cost>2x" where "cost=1.5x" is a choice */
typedef char *sc_option_type_LIST;          /* all occurrences, joined with semicolons */
typedef double sc_option_type_SIZE, sc_option_type_TIME, sc_option_type_RATIO, sc_option_type_NUMBER;
typedef uint64_t sc_option_type_COUNT;
typedef uint64_t sc_option_type_FROM_ONE; /* 0: not given */

/* What was not given is NULL, 0 or false. */
typedef struct sc_options {
  enum sc_verb verb;
  const char *operand;   /* STUDY, WORKLOAD.xml, ...; NULL: none */
  const char **operands; /* [operand_count] of a verb that takes several, whose first `operand` is */
  size_t operand_count;
  char **program;   /* what follows "--", NULL-terminated; NULL: none */
  const char *page; /* --help=PAGE: sc_pages_print knows it; NULL: the usual help */
#define OPTION(verbs, field, kind, name, letter, argument, choices, help) sc_option_type_##kind field;
#include "runner/options/options.def"
} sc_options;

/* A row of the table; `verbs` has bit 1 << verb. */
typedef struct sc_option_row {
  unsigned verbs;
  enum sc_option_kind kind;
  const char *name;
  char letter; /* 0: none */
  const char *argument, *choices, *help;
  size_t offset; /* of its value in sc_options */
} sc_option_row;
/* Whether its `choices` are words to choose from; else they are a default for people. */
static inline bool sc_options_has_choices(const sc_option_row *row)
{
  return row->kind == SC_OPTION_CHOICE || row->kind == SC_OPTION_CHOICES;
}
/* A word that a CHOICE takes, and what it means; neither ends with its length. */
typedef struct sc_option_choice {
  const char *name, *help;
  int name_length, help_length; /* help_length 0: nothing is said about it */
} sc_option_choice;
typedef struct sc_verb_row {
  const char *name, *operands, *summary, *description;
} sc_verb_row;
extern const sc_option_row sc_options_table[];
extern const size_t sc_options_table_count;
extern const sc_verb_row sc_options_verbs[SC_VERB_COUNT];

/* Parses argv (argv[0] is skipped). SC_E_USAGE with a hint, naming the nearest verb or option, where it cannot.
 * *options refers to argv and is to be released with sc_options_free, also after an error. */
int sc_options_parse(int argc, char **argv, sc_options *options) SC_CHECK;
void sc_options_free(sc_options *options);

/* Whether a verb takes an option; of no verb (SC_VERB_COUNT): whether all do. */
bool sc_options_applies(enum sc_verb verb, const sc_option_row *row);
/* Goes through the choices of a row: *rest is row->choices at first. False behind the last. */
bool sc_options_next_choice(const char **rest, sc_option_choice *choice);
