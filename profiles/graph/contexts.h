/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "profiles/graph/index.h"

/* A tree of contexts in which every (parent, location) stands once. Context 0 is the root and always there once
 * sc_contexts_begin was called; a parent's number is smaller than its children's. About 44 bytes a context. */
typedef struct sc_context {
  uint32_t parent, location;
  uint32_t first_child, last_child, next_sibling; /* 0 = none */
  uint32_t call; /* function: line of its call in the parent's file, of several calls the first one's; 0 = unknown */
} sc_context;

typedef struct sc_contexts {
  sc_context *list;
  size_t capacity;
  uint32_t count;
  uint32_t last;    /* found or made last */
  sc_index table;   /* the root is not in it */
  uint32_t indexed; /* contexts before this one are in the table; the others are put there when one is looked for */
  uint32_t *uses;   /* [location]: contexts that stand for it */
  size_t use_capacity;
} sc_contexts;

enum { SC_CONTEXTS_NONE = UINT32_MAX };

/* Makes the root, context 0, of zero-initialised contexts. SC_E_NOMEM; sc_contexts_free also after an error. */
int sc_contexts_begin(sc_contexts *contexts, uint32_t root_location) SC_CHECK;
/* The child of `parent` for `location`, or SC_CONTEXTS_NONE. */
uint32_t sc_contexts_find(sc_contexts *contexts, uint32_t parent, uint32_t location);
/* The same, made if absent. */
int sc_contexts_intern(sc_contexts *contexts, uint32_t parent, uint32_t location, uint32_t *context) SC_CHECK;
/* Adds one that is not there yet, which nobody looks up: of a file that has each once. */
int sc_contexts_append(sc_contexts *contexts, uint32_t parent, uint32_t location, uint32_t *context) SC_CHECK;
/* Whether every (parent, location) stands once: *twice else. `locations`: more than any location's number. */
int sc_contexts_check(const sc_contexts *contexts, uint32_t locations, bool *twice) SC_CHECK;
/* Notes a line from which a context is called; the first in the source is kept. True: it is a new one. */
bool sc_contexts_call(sc_contexts *contexts, uint32_t context, uint32_t line);
/* Number of contexts that stand for a location. */
uint32_t sc_contexts_uses(const sc_contexts *contexts, uint32_t location);
void sc_contexts_free(sc_contexts *contexts);
