/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"

/* What was loaded of a study, and models of all its runs, for judges of it at several places. */
typedef struct sc_judge_shared sc_judge_shared;
/* Keeps that for the next place with the same sizes of the focused parameter. Zero-initialise. */
typedef struct sc_judge_cache {
  sc_judge_shared **list; /* [count] */
  size_t count, capacity;
} sc_judge_cache;
/* After all judges that were opened with it are closed. */
void sc_judge_cache_free(sc_judge_cache *cache);

/* Opens the study (operand, -o or scale.db), fits with --models or as the study was made, predicts at --at or the
 * workload's targets; where --at has one combination of further parameters, the study judged there.
 * sc_judge_close also after an error. */
int sc_judge_open(const sc_options *options, sc_judge *judge) SC_CHECK;
/* The same with a cache (NULL: none), of a study and not of a baseline. The study and the options must be the same each
 * time but for --at. */
int sc_judge_open_in(sc_judge_cache *cache, const sc_options *options, sc_judge *judge) SC_CHECK;
/* The base that `diff` names, with the models and the targets of the head. The same; with a cache the head must have
 * been opened with it, too. */
int sc_judge_open_base_in(sc_judge_cache *cache, const sc_options *options, const sc_judge *head,
                          sc_judge *judge) SC_CHECK;
/* As sc_judge_open, at the base values, without findings of what grows along further parameters. */
int sc_judge_open_unvaried(const sc_options *options, sc_judge *judge) SC_CHECK;
void sc_judge_close(sc_judge *judge);
