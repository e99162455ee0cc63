/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>
#include <string.h>

#include "base/buf.h"

/* A hash table from two 64-bit keys to a 32-bit value, and one that numbers strings. Zero-initialise. */
typedef struct sc_sampler_table {
  struct sc_sampler_cell {
    uint64_t first, second;
    uint32_t value;
    uint32_t used;
  } * cells;
  size_t room, count; /* room is 0 or a power of two */
} sc_sampler_table;

/* Address of the value, or NULL. */
uint32_t *sc_sampler_table_get(const sc_sampler_table *table, uint64_t first, uint64_t second);
/* Sets or replaces. */
int sc_sampler_table_put(sc_sampler_table *table, uint64_t first, uint64_t second, uint32_t value) SC_CHECK;
void sc_sampler_table_free(sc_sampler_table *table);

typedef struct sc_sampler_strings {
  sc_sampler_table table; /* hash, tie -> number */
  char **texts;
  size_t count, room;
} sc_sampler_strings;

/* The number of a string (its first `length` bytes); added if new. */
int sc_sampler_strings_add(sc_sampler_strings *strings, const char *text, size_t length, uint32_t *number) SC_CHECK;
/* The number if it is known, else UINT32_MAX. */
uint32_t sc_sampler_strings_find(const sc_sampler_strings *strings, const char *text, size_t length);
void sc_sampler_strings_free(sc_sampler_strings *strings);
