/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/index.h"

/* A set of strings. Equal strings have one address, which stays valid until sc_pool_free. Zero-initialise. */
typedef struct sc_pool {
  sc_index index; /* numbers from 1 */
  const char **strings;
  size_t count, capacity;
  struct sc_pool_block *blocks;
} sc_pool;

/* The set's copy of `text`, or NULL with the last error set (SC_E_NOMEM). */
const char *sc_pool_intern(sc_pool *pool, const char *text);
void sc_pool_free(sc_pool *pool);
