/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "profiles/layout.inc"

/*
 * Probe sets: JSON files that say which of a program's own functions do something to a resource, and how much work
 * functions of its libraries do (docs/probe-sets.md).
 * Nothing here depends on how a call of such a function is caught. Errors are SC_E_INPUT (SC_E_IO for a file that
 * cannot be read), "FILE:LINE: what is wrong", with what is allowed there as the hint.
 */

enum {
  SC_PROBES_FILE_BYTES = 1 << 20,
  SC_PROBES_EVENTS = 1000,     /* of all sets together, with those of work */
  SC_PROBES_TEXT_BYTES = 1023, /* of a name */
  SC_PROBES_ARGUMENTS = 64,
  SC_PROBES_TERMS = 8,              /* of an amount of work */
  SC_PROBES_LINES_BYTES = 120 << 10 /* Linux takes no longer string of the environment than 128 KiB */
};

/* What a call returns, or "always". */
typedef enum sc_probes_outcome {
  SC_PROBES_ALWAYS,
  SC_PROBES_ZERO,
  SC_PROBES_NONZERO,
  SC_PROBES_NEGATIVE,
  SC_PROBES_NONNEGATIVE,
  SC_PROBES_NOT_MINUS_ONE
} sc_probes_outcome;

typedef struct sc_probes_unit {
  enum { SC_PROBES_NONE, SC_PROBES_ARGUMENT, SC_PROBES_FIELD, SC_PROBES_RESULT } from;
  unsigned argument;
  uint32_t offset; /* FIELD: bytes behind what the argument points to */
} sc_probes_unit;

typedef struct sc_probes_amount {
  enum { SC_PROBES_CONSTANT, SC_PROBES_VALUE, SC_PROBES_PRODUCT, SC_PROBES_RETURNED, SC_PROBES_ALL } from;
  uint32_t number;      /* CONSTANT */
  unsigned argument[2]; /* VALUE: the first; PRODUCT: both */
} sc_probes_amount;

typedef struct sc_probes_alias {
  const char *from, *to;
} sc_probes_alias;

typedef struct sc_probes_resource {
  const char *name;                         /* NULL: found in debug information, each lock's own */
  const char *word;                         /* its class as the set says it: "pool" */
  enum scale_resource_class resource_class; /* as the profile says it */
  bool global, idle;
  bool counted;      /* no lock: one unit may be acquired several times before it is released (reference counts) */
  uint32_t capacity; /* 0: not known */
  double weight;     /* utility of its probes, 0 to 1; < 0: not given */
  sc_probes_alias *aliases;
  size_t alias_count;
} sc_probes_resource;

typedef struct sc_probes_event {
  const char *function; /* linkage name */
  const sc_probes_resource *resource;
  enum scale_event event;
  sc_probes_unit unit;
  sc_probes_amount units;
  sc_probes_outcome success;
  bool timed;
  sc_probes_outcome waited; /* timed: the calls that waited */
  enum { SC_PROBES_EXCLUSIVE, SC_PROBES_SHARED, SC_PROBES_SHARED_IF } sharing;
  unsigned sharing_argument; /* SHARED_IF: this argument is this constant */
  int32_t sharing_value;
  const char *touches;             /* name of a second resource it uses, or NULL */
  const struct sc_probes_set *set; /* where it stands */
  const struct cJSON *item;
} sc_probes_event;

/* A part of an amount of work. */
typedef struct sc_probes_term {
  enum {
    SC_PROBES_TERM_NUMBER,
    SC_PROBES_TERM_ARGUMENT,
    SC_PROBES_TERM_FIELD, /* a number behind the address in an argument */
    SC_PROBES_TERM_RESULT,
    SC_PROBES_TERM_END,          /* the address that is left where an argument points */
    SC_PROBES_TERM_LENGTH,       /* of the string in an argument */
    SC_PROBES_TERM_RESULT_LENGTH /* of the string that is returned */
  } from;
  enum { SC_PROBES_PLUS, SC_PROBES_MINUS, SC_PROBES_TIMES, SC_PROBES_LEAST } join; /* with what stands before it */
  unsigned argument;
  uint32_t number; /* NUMBER; FIELD: bytes behind the address */
  unsigned size;   /* FIELD: its bytes: 1, 2, 4 or 8 */
} sc_probes_term;

/* How much work one call of a function does: its terms, joined from left to right. */
typedef struct sc_probes_work {
  const char *function; /* linkage name */
  enum scale_work_unit unit;
  sc_probes_term terms[SC_PROBES_TERMS];
  size_t term_count; /* at least 1 */
  bool after;        /* fields are read after the call */
  const struct sc_probes_set *set;
  const struct cJSON *item;
} sc_probes_work;

/* The events of any number of sets. Zero-initialise. */
typedef struct sc_probes {
  sc_probes_event *events;
  size_t event_count, event_capacity;
  sc_probes_work *works;
  size_t work_count, work_capacity;
  struct sc_probes_set *sets; /* what all the pointers lead to */
} sc_probes;

/* Reads one more set. What another set says in the same words is not repeated; what contradicts it is an error. On an
 * error some events may have been added. */
int sc_probes_read(sc_probes *probes, const char *path) SC_CHECK;
/* The same from memory; errors name it `name`. */
int sc_probes_parse(sc_probes *probes, const char *text, size_t bytes, const char *name) SC_CHECK;
void sc_probes_free(sc_probes *probes);

/* One line per event for the environment variable SCALE_EVENTS: the columns of instrument/events/resources.def, then
 * resource name, capacity, aliases (in the first line of their resource), the second resource, separated by tabs. Of
 * work: function, "work", amount and unit as in instrument/events/library_work.def. */
int sc_probes_lines(const sc_probes *probes, sc_buf *lines) SC_CHECK;
/* The same to be read by people. */
int sc_probes_table(const sc_probes *probes, sc_buf *table) SC_CHECK;

/* Words as probe sets and lines have them. */
const char *sc_probes_event_word(enum scale_event event);
const char *sc_probes_outcome_word(sc_probes_outcome outcome);
