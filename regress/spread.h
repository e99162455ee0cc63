/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_REGRESS_SPREAD_H
#define SC_REGRESS_SPREAD_H
#include "regress/candidate.h"

/* From the examined candidates to a model with everything its interval needs. */

/* Terms, order, residual scale, covariance, scatter and drift of the best candidate. */
void sc_spread_set(const sc_points *points, const sc_candidate *best, sc_model *model);
/* Rivals, from the candidates ranked best first. */
void sc_spread_rivals(sc_engine *engine, const sc_candidate *ranked, size_t ranks, sc_model *model);
#endif
