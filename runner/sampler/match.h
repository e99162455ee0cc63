/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"
#include "runner/sampler/symbol.h"

/*
 * Finds the calling context of a call chain in the tree that the exact profiles made. Chain and tree agree but where
 * the optimiser made frames vanish (tail calls), a debug location was lost, or the stack's copy was too short:
 * docs/cost.md says what is done then. The graph must not get new contexts while a matcher of it lives.
 */
typedef struct sc_sampler_matcher sc_sampler_matcher;

typedef struct sc_sampler_match {
  uint32_t context;
  bool matched; /* at least one function of the chain was found; else context is the process or the root */
  size_t frame; /* matched: index of the innermost frame that was found; those behind it are code that nobody counts */
} sc_sampler_match;

/* Refers to graph and symbols. SC_E_NOMEM; freeing NULL does nothing. */
int sc_sampler_matcher_new(const sc_graph *graph, size_t run, const sc_sampler_symbols *symbols,
                           sc_sampler_matcher **matcher) SC_CHECK;
void sc_sampler_matcher_free(sc_sampler_matcher *matcher);
/* `exe`: path of the process's executable, may be NULL. `frames`: numbers of `symbols`' frames, outermost first;
 * `complete`: they begin at the thread's start. */
int sc_sampler_matcher_find(sc_sampler_matcher *matcher, const char *exe, const uint32_t *frames, size_t count,
                            bool complete, sc_sampler_match *match) SC_CHECK;
/* The plain name in a demangled one: "f" in "ns::A<int>::f(char) const"; its length in *length. */
const char *sc_sampler_match_plain(const char *display, size_t *length);
