/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "profiles/graph/index.h"

/* A map from two 64-bit keys to a 32-bit value. Zero-initialise. */
typedef struct sc_sampler_keys {
  struct sc_sampler_cell {
    uint64_t first, second;
    uint32_t value;
  } * cells;
  size_t room, count;
  sc_index index; /* number of a cell + 1 */
} sc_sampler_keys;

/* Address of the value until the next put, or NULL. */
uint32_t *sc_sampler_keys_get(const sc_sampler_keys *table, uint64_t first, uint64_t second);
/* Sets or replaces. */
int sc_sampler_keys_put(sc_sampler_keys *table, uint64_t first, uint64_t second, uint32_t value) SC_CHECK;
void sc_sampler_keys_free(sc_sampler_keys *table);

/* Strings and their numbers, from 0. Zero-initialise. */
typedef struct sc_sampler_strings {
  sc_index index; /* number + 1 */
  char **texts;
  size_t count, room;
} sc_sampler_strings;

/* The number of a string (its first `length` bytes); added if new. */
int sc_sampler_strings_add(sc_sampler_strings *strings, const char *text, size_t length, uint32_t *number) SC_CHECK;
/* The number if it is known, else UINT32_MAX. */
uint32_t sc_sampler_strings_find(const sc_sampler_strings *strings, const char *text, size_t length);
void sc_sampler_strings_free(sc_sampler_strings *strings);
