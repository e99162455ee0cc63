/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/sampler/images.h"

/* Addresses to what the programmer wrote: functions, inlined ones too, each with the loop it is in. */

typedef struct sc_sampler_frame {
  const char *name; /* without the suffixes compilers add; "" if unknown */
  const char *file; /* "" if unknown */
  uint32_t line;    /* tells plain names apart; 0 for linkage names and if unknown */
  uint32_t ordinal; /* of the innermost source loop in this function; 0 = none or unknown */
  bool linkage;     /* name is the linkage name; else a plain one, as written */
  bool debug;       /* from debugging information; else only from the symbol table */
} sc_sampler_frame;

typedef struct sc_sampler_place_frames {
  uint32_t count;
  uint32_t ids[]; /* outermost first: numbers of distinct frames */
} sc_sampler_place_frames;

typedef struct sc_sampler_symbols sc_sampler_symbols;

/* SC_E_NOMEM. Frees all frames; freeing NULL does nothing. */
int sc_sampler_symbols_new(sc_sampler_symbols **symbols) SC_CHECK;
void sc_sampler_symbols_free(sc_sampler_symbols *symbols);
/* The frames of an address in a mapped file; NULL in *frames if nothing is known about it. Owned by `symbols`. */
int sc_sampler_symbols_find(sc_sampler_symbols *symbols, const sc_sampler_map *map, uint64_t pc,
                            const sc_sampler_place_frames **frames) SC_CHECK;
/* The number of a frame (copied; its name without suffixes). */
int sc_sampler_symbols_add(sc_sampler_symbols *symbols, const sc_sampler_frame *frame, uint32_t *id) SC_CHECK;
const sc_sampler_frame *sc_sampler_symbols_frame(const sc_sampler_symbols *symbols, uint32_t id);
/* Length of a symbol's name without ".__scale", ".cold", ".llvm.1" and the like. */
size_t sc_sampler_symbol_stem(const char *name);
