/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "profiles/graph/pool.h"

/* What the compiler wrote about each translation unit (docs/facts-format.md), checked and merged into one program.
 * Strings are interned: equal ones have one address. A type is known by one name, its aliases replaced. */

#define SC_FACTS_NONE UINT32_MAX

/* A part of one of the program's arrays. */
typedef struct sc_facts_slice {
  uint32_t first, count;
} sc_facts_slice;

/* A field of a record, or a global. */
typedef struct sc_facts_place {
  const char *text;   /* "item.refcount", "::free_list" */
  const char *record; /* "item"; NULL: a global */
  const char *field;  /* "refcount", "free_list" */
} sc_facts_place;

enum sc_facts_from {
  SC_FACTS_OTHER,
  SC_FACTS_ARGUMENT,
  SC_FACTS_GLOBAL,
  SC_FACTS_LOCAL,
  SC_FACTS_CALL,
  SC_FACTS_WRITTEN, /* by a call, to where one of its arguments points */
  SC_FACTS_WALKED,
  SC_FACTS_NULL,
  SC_FACTS_CONSTANT,
  SC_FACTS_FUNCTION
};

/* One of the things that a value may be, or where a record comes from. */
typedef struct sc_facts_value {
  enum sc_facts_from from;
  bool address;      /* the address of the field or global */
  uint32_t number;   /* ARGUMENT, CALL, WRITTEN: which; GLOBAL: its place; WALKED: the field read there, or NONE */
  uint32_t argument; /* WRITTEN: of the call */
  const char *name;  /* GLOBAL, FUNCTION */
  uint32_t place;    /* loaded from this field of it; SC_FACTS_NONE: it itself */
  bool behind;       /* it is a pointer to a pointer, and this is what that points to */
} sc_facts_value;

typedef struct sc_facts_type_ref {
  const char *name; /* "" if unknown */
  unsigned pointers;
  bool out; /* an argument: a pointer to a pointer that is written */
} sc_facts_type_ref;

enum sc_facts_result { SC_FACTS_UNUSED, SC_FACTS_USED, SC_FACTS_TESTED, SC_FACTS_STORED, SC_FACTS_RETURNED };

typedef struct sc_facts_call {
  const char *callee;       /* NULL: indirect */
  uint32_t target;          /* the program's function; SC_FACTS_NONE */
  uint32_t through;         /* place of an indirect call; SC_FACTS_NONE */
  sc_facts_slice arguments; /* of program.lists */
  uint64_t last;            /* bit i: argument i is not used again afterwards */
  uint32_t line;
  enum sc_facts_result result;
  bool conditional, loop;
} sc_facts_call;

enum { SC_FACTS_NET_UNKNOWN = 2 };

typedef struct sc_facts_counter {
  uint32_t place, line;
  sc_facts_value base;
  int step, net; /* net: of all paths; SC_FACTS_NET_UNKNOWN where they differ */
  bool tested_zero, conditional;
  bool ring; /* x = (x + 1) % n: it goes round, and counts nothing */
} sc_facts_counter;

enum sc_facts_link_kind { SC_FACTS_POP, SC_FACTS_PUSH, SC_FACTS_TAIL, SC_FACTS_UNLINK, SC_FACTS_APPEND, SC_FACTS_TAKE };

typedef struct sc_facts_link {
  enum sc_facts_link_kind kind;
  uint32_t head, link, count, line; /* places, or SC_FACTS_NONE */
  sc_facts_slice unit;              /* of program.values */
  sc_facts_value base;
  bool conditional;
} sc_facts_link;

typedef struct sc_facts_store {
  uint32_t place, line; /* place: SC_FACTS_NONE: where the base points to */
  sc_facts_value base;
  sc_facts_slice value; /* of program.values */
  bool conditional;
} sc_facts_store;

typedef struct sc_facts_wait {
  uint32_t call; /* of the function's calls */
  bool loop;
  sc_facts_slice rereads; /* of program.places_listed */
} sc_facts_wait;

typedef struct sc_facts_function {
  const char *name, *shown; /* linkage name, and for people */
  uint32_t unit;            /* where it stands first */
  const char *file;
  uint32_t line;
  bool is_static, address_taken;
  bool copied;       /* static, and in several units: a header's */
  uint32_t namesake; /* another one of the same linkage name; SC_FACTS_NONE */
  sc_facts_type_ref result;
  sc_facts_slice arguments; /* of program.type_refs */
  sc_facts_slice calls, counters, links, stores, waits;
  sc_facts_slice returns; /* of program.values */
} sc_facts_function;

typedef struct sc_facts_field {
  const char *name;
  sc_facts_type_ref type;
} sc_facts_field;

typedef struct sc_facts_type {
  const char *name;
  const char *shown; /* as people write it: "item" of "_stritem" */
  sc_facts_slice fields;
} sc_facts_type;

typedef struct sc_facts_unit {
  const char *folder, *name;
} sc_facts_unit;

/* Pairs of interned strings, looked up by their first. */
typedef struct sc_facts_alias {
  const char *from, *to;
} sc_facts_alias;

#define SC_FACTS_ARRAY(type, name) \
  type *name;                      \
  size_t name##_count, name##_capacity

/* Zero-initialise. */
typedef struct sc_facts {
  sc_pool strings;
  SC_FACTS_ARRAY(sc_facts_unit, units);
  SC_FACTS_ARRAY(sc_facts_type, types);
  SC_FACTS_ARRAY(sc_facts_field, fields);
  SC_FACTS_ARRAY(sc_facts_alias, aliases);
  SC_FACTS_ARRAY(sc_facts_place, places);
  SC_FACTS_ARRAY(sc_facts_function, functions);
  SC_FACTS_ARRAY(sc_facts_type_ref, type_refs);
  SC_FACTS_ARRAY(sc_facts_call, calls);
  SC_FACTS_ARRAY(sc_facts_counter, counters);
  SC_FACTS_ARRAY(sc_facts_link, links);
  SC_FACTS_ARRAY(sc_facts_store, stores);
  SC_FACTS_ARRAY(sc_facts_wait, waits);
  SC_FACTS_ARRAY(sc_facts_slice, lists); /* values of each argument of a call */
  SC_FACTS_ARRAY(sc_facts_value, values);
  SC_FACTS_ARRAY(uint32_t, places_listed);
  sc_index unit_index, place_index, alias_index, type_index, function_index;
} sc_facts;

/* Goes through a slice of an array: SC_FACTS_EACH (call, facts->calls, function->calls) ... An array without elements
 * is NULL. */
#define SC_FACTS_EACH(item, array, slice)                                              \
  for (__typeof__(*(array)) *item = (slice).count ? (array) + (slice).first : NULL,    \
                            *item##_end = (slice).count ? item + (slice).count : NULL; \
       item < item##_end; item++)

/* Adds the facts of one unit: a JSON object of `length` bytes. *added is false for a unit that is there already, of
 * which nothing is added. SC_E_INPUT: "NAME:LINE: functions 3, calls 2: ...", with a hint; facts have to be freed in
 * any case. */
int sc_facts_add(sc_facts *facts, const char *text, size_t length, const char *name, size_t line, bool *added) SC_CHECK;
/* When all units are there: finds the function of each call. */
int sc_facts_link_calls(sc_facts *facts) SC_CHECK;
void sc_facts_free(sc_facts *facts);

/* The value is what a call of the function returned, not something in it or behind it. */
static inline bool sc_facts_is_result(const sc_facts_value *value)
{
  return value->from == SC_FACTS_CALL && !value->address && value->place == SC_FACTS_NONE && !value->behind;
}

/* The value is what the function's caller handed over, not something in it or behind it. */
static inline bool sc_facts_is_argument(const sc_facts_value *value)
{
  return value->from == SC_FACTS_ARGUMENT && !value->address && value->place == SC_FACTS_NONE && !value->behind;
}

/* Whether it adds an element to a list or an array. */
static inline bool sc_facts_puts_in(enum sc_facts_link_kind kind)
{
  return kind == SC_FACTS_PUSH || kind == SC_FACTS_TAIL || kind == SC_FACTS_APPEND;
}

/* The number of the function of this linkage name that stands in the file, if there are several; SC_FACTS_NONE. */
uint32_t sc_facts_find_in(const sc_facts *facts, const char *name, const char *file);
/* NULL where it is not known. */
const sc_facts_type *sc_facts_type_of(const sc_facts *facts, const char *name);
const sc_facts_field *sc_facts_field_of(const sc_facts *facts, uint32_t place);
