/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/hash.h"
#include "runner/discover/facts.h"

/* Where a unit is being read, for errors. */
typedef struct sc_facts_at {
  sc_facts *facts;
  const char *name;
  size_t line;
  const char *list;     /* "functions", "types"; NULL: the unit itself */
  const char *function; /* whose calls, ... are read; NULL */
  size_t index;
  uint32_t unit;
  const cJSON *files;
  const char **file_names; /* [file_count], interned */
  size_t file_count;
} sc_facts_at;

/* Sets SC_E_INPUT with the place and a hint. */
int sc_facts_fault(const sc_facts_at *at, const char *format, ...) SC_PRINTF(2, 3);

/* Members of an object; the value is checked. A missing text is "", a missing flag false, a missing number 0. */
int sc_facts_text(const sc_facts_at *at, const cJSON *object, const char *key, const char **text) SC_CHECK;
int sc_facts_flag(const sc_facts_at *at, const cJSON *object, const char *key, bool *flag) SC_CHECK;
int sc_facts_number(const sc_facts_at *at, const cJSON *object, const char *key, double most, uint32_t *value) SC_CHECK;
/* The list, whose elements are objects, or NULL where it is missing. */
int sc_facts_list(const sc_facts_at *at, const cJSON *object, const char *key, const cJSON **list) SC_CHECK;

/* Interns; NULL with SC_E_NOMEM set. */
const char *sc_facts_intern(sc_facts *facts, const char *text);
/* The type's one name. */
const char *sc_facts_canonical(const sc_facts *facts, const char *name);

/* PLACE, BASE and VALUE from their text. */
int sc_facts_parse_place(const sc_facts_at *at, const char *text, uint32_t *place) SC_CHECK;
int sc_facts_read_place(const sc_facts_at *at, const cJSON *object, const char *key, uint32_t *place) SC_CHECK;
int sc_facts_read_base(const sc_facts_at *at, const cJSON *object, sc_facts_value *base) SC_CHECK;
int sc_facts_parse_values(const sc_facts_at *at, const cJSON *item, sc_facts_slice *values) SC_CHECK;

/* calls, counters, ... of a function. */
int sc_facts_read_effects(const sc_facts_at *at, const cJSON *item, sc_facts_function *function) SC_CHECK;

/* A new element, zeroed, of an array of the facts; its number is the last. */
#define SC_FACTS_ADD(facts, name) \
  sc_mem_grow_zeroed(&(facts)->name, &(facts)->name##_capacity, (facts)->name##_count + 1, sizeof *(facts)->name)
