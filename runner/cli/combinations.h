/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/options/options.h"
#include "runner/several/open.h"

/* What a verb's answers at several combinations share. */
typedef struct sc_combination {
  sc_judge_cache *cache; /* for sc_judge_open_in; NULL: there is one combination */
  struct sc_page *page;  /* to add to instead of printing; NULL: print */
  size_t number;         /* of the combination, from 1 on; 0: there is one */
  bool printed;          /* set by the verb once it has; what fails then fails the verb, but not the others' answers */
} sc_combination;
/* What a verb does at one combination: prints where the options say, and returns 0, 1 or an error. */
typedef int (*sc_combination_fn)(const sc_options *options, sc_combination *combination);

/* A verb where its question holds: --at, and without any further parameter in it the study's targets of these; where
 * the answer is of one combination (`one`) the largest. Returns what the verb does. */
int sc_combinations_at_targets(const sc_options *options, bool one, int (*verb)(const sc_options *options)) SC_CHECK;

/* A verb at each combination of further parameters in --at, "n=1e6,threads=8,64" two of them, and its documents of the
 * format (NULL: text) as one. 1 if `one` ever returns it. */
int sc_combinations_each(const sc_options *options, const char *format, sc_combination_fn one) SC_CHECK;
/* The same with what the caller has open of the study (runner/several/open.h). */
int sc_combinations_each_in(sc_judge_cache *cache, const sc_options *options, const char *format,
                            sc_combination_fn one) SC_CHECK;
