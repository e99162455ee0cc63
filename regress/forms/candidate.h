/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/engine.h"

/* A hypothesis under examination. */
typedef struct sc_candidate {
  sc_term terms[SC_MODEL_TERMS];
  size_t count, parameters; /* terms; fitted numbers, free exponents and those of earlier pieces included */
  size_t first;             /* the terms hold from this point on; below it, the pieces (segment.c) */
  sc_piece pieces[SC_MODEL_CHANGES];
  size_t piece_count;
  double cost; /* prior cost, units of -2 log likelihood */
  sc_wls_result fit;
  double forward_square, forward_error; /* mean square and mean size of the relative errors in forward validation */
  double score;                         /* lower is better */
} sc_candidate;

/* The variance a score is made of: pure error, lack of fit, rounding. `forward_square` may be NAN: not known yet. */
double sc_candidate_variance(const sc_points *points, double rss, double forward_square);
/* Whether three fitted numbers or more, with one size more than these and no repeats, describe counts that no exact
 * formula gives: of hundreds of forms some pass through four sizes by chance. */
bool sc_candidate_hits_by_chance(const sc_points *points, size_t parameters);
/* Hurvich and Tsai's corrected AIC while observations are few, Schwarz's BIC when they are many. */
double sc_candidate_penalty(double observations, size_t parameters);
/* Score from fit and forward validation; see docs/models.md. `forward` may be NAN: not known yet. */
double sc_candidate_score(const sc_points *points, double rss, double forward_square, size_t parameters, double cost);
/* Fits, validates forward on the largest sizes, scores. SC_E_NUMERIC if it is not a count function (falls below zero,
 * cancels, cannot be solved). */
int sc_candidate_examine(sc_engine *engine, sc_candidate *candidate) SC_CHECK;
/* Sum of the squares, in the values' unit, that its terms leave of them. */
double sc_candidate_left(const sc_points *points, const sc_candidate *candidate);
/* What nested loops, sorts and trees make: whole powers, with a logarithm or without. A logarithm by itself stands
 * beside nothing that grows faster. */
bool sc_candidate_common(const sc_candidate *candidate);
/* Moves ranked[index] to the front; the others keep their order. */
void sc_candidate_prefer(const sc_candidate **ranked, size_t index);
/* What the price of a hypothesis is raised by for parts that are taken away: the costs of a program's parts add up. */
double sc_candidate_sign_cost(const sc_points *points, const sc_wls_result *fit, size_t count);
/* Whether fitted terms may be a count's growth: above zero, not parts that cancel, a leading term that leads. `leads`:
 * one on a constant must grow. */
bool sc_candidate_sane(const sc_wls_result *fit, const sc_term *terms, size_t count, bool leads);
