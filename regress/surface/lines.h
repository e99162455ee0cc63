/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/surface/internal.h"

/* What the lines along one parameter say of its functions. */
enum { SC_SURFACE_GROWTHS = 22 };
/* Two growths of the table, x being the first. */
enum { SC_SURFACE_LOG = 6, SC_SURFACE_INVERSE = 14 };

typedef struct sc_surface_rating {
  bool lines;                              /* there are some; else the scores are prior costs */
  double score[SC_SURFACE_GROWTHS + 1];    /* of each growth from 1 on, lower is better */
  size_t pair[SC_SURFACE_PAIRS][2], pairs; /* the best sets of one (the second is 0) or two, best first */
  double pair_score[SC_SURFACE_PAIRS];
} sc_surface_rating;

/* Rates what may stand for parameter `p` by lines along it: points that differ in it alone. */
void sc_surface_lines_rate(const sc_surface_engine *engine, size_t p, sc_surface_rating *rating);
/* scatter.c: the same where there are no lines, from all points. */
int sc_surface_scatter_rate(sc_surface_engine *engine, size_t p, sc_surface_rating *rating) SC_CHECK;
/* Puts a set of one or two growths (`j` 0) among the best, if its score is. */
void sc_surface_lines_keep(sc_surface_rating *rating, size_t i, size_t j, double score);
/* A growth of the table, from 1 on; 0 is the constant. */
sc_term sc_surface_lines_term(size_t column);
/* Its prior cost. */
double sc_surface_lines_cost(size_t column);
/* The score of a fit to lines with `observations` together. */
double sc_surface_lines_score(const sc_surface_engine *engine, size_t observations, double rss, size_t parameters,
                              double cost);

/* free.c: x^e, e fitted with coefficients and constants of their own for each line; whether it is one that the
 * table lacks. */
bool sc_surface_free_power(const sc_surface_engine *engine, size_t p, sc_surface_factor *factor);
/* x / (x + s), what a fixed rate limits, or 1 - exp(-x / s), what fills up at random, if it fits better than `score`.
 */
bool sc_surface_free_limit(const sc_surface_engine *engine, size_t p, double score, sc_surface_factor *factor);
