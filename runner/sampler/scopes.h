/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Functions and inlined calls of a file by address. libdw would search a whole compilation unit for every address;
 * this walks each unit once, when the first of its addresses is asked for. */
typedef struct sc_sampler_scopes sc_sampler_scopes;

typedef struct sc_sampler_scope {
  const char *name; /* linkage name if there is one, else the plain name; NULL if it has none */
  bool linkage;     /* name is certainly the linkage name */
  bool inlined;
  uint32_t call_ordinal; /* inlined: discriminator of the call, the loop it stands in */
  const char *call_file; /* inlined: file of the call, NULL if unknown */
  uint32_t call_line;    /* inlined: 0 if unknown */
} sc_sampler_scope;

/* Where one address is: scopes outermost first, and the line table's row of the innermost. Line tables alone describe
 * only functions into which others were inlined: for the rest there is a row but no scope. */
typedef struct sc_sampler_place {
  const sc_sampler_scope *scopes[256];
  size_t count;
  uint32_t ordinal; /* discriminator of the row */
  uint64_t row;     /* where the row starts */
  const char *file; /* of the row, NULL if unknown */
  uint32_t line;    /* of the row, 0 if unknown */
} sc_sampler_place;

/* `dwarf` must live longer. */
int sc_sampler_scopes_new(Dwarf *dwarf, sc_sampler_scopes **scopes) SC_CHECK;
void sc_sampler_scopes_free(sc_sampler_scopes *scopes);
/* Finds an address of the file (not of the process). Unknown addresses give count 0 and file NULL. */
int sc_sampler_scopes_find(sc_sampler_scopes *scopes, uint64_t address, sc_sampler_place *place) SC_CHECK;
