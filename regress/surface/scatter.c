/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well functions of a parameter explain points that lie on no lines. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/surface/lines.h"

/*
 * Without lines, what the other parameters do has to be taken out otherwise: a growth of parameter p is fitted with all
 * products of itself, or 1, and the commonest functions of the others.
 */
enum { COMMON = 4, COMMON_OF_TWO = 3 };
static const sc_term common[COMMON] = {
    {.exponent = 0}, {.exponent = 1}, {.exponent = -1}, {.exponent = 0, .log_exponent = 1}};

typedef struct scatter {
  const sc_surface_points *points;
  size_t p, functions, products; /* of each other parameter; of all of them */
  double *columns;               /* [2 * products + 1][points] */
} scatter;

/* Product number k of the functions of the other parameters. */
static double scatter_product(const scatter *s, size_t k, const double *at)
{
  double value = 1;
  for (size_t q = 0; q < s->points->parameters; q++) {
    if (q == s->p || s->points->values[q] < 2)
      continue;
    value *= sc_term_basis(&common[k % s->functions], at[q]);
    k /= s->functions;
  }
  return value;
}

/* Relative residual sum of squares with the term. The first columns, those without it, are there already. */
static double scatter_residual(const scatter *s, const sc_term *term)
{
  const sc_surface_points *points = s->points;
  size_t n = points->count, last = 2 * s->products;
  double total = 0;
  for (size_t i = 0; i < n; i++) {
    const double *at = points->at + i * points->parameters;
    double weight = sqrt(points->repeats[i]) / points->scale[i], y = points->y[i] * weight;
    double x = sc_term_basis(term, at[s->p]) / sc_term_basis(term, points->high[s->p]);
    for (size_t k = 0; k < s->products; k++)
      s->columns[(s->products + k) * n + i] = x * scatter_product(s, k, at) * weight;
    s->columns[last * n + i] = y;
    total += y * y;
  }
  double left = 1;
  for (size_t c = s->products; c <= last; c++)
    left = sc_surface_orthogonalise(s->columns, n, c);
  return left * left * total;
}

static void fill_common(const scatter *s)
{
  const sc_surface_points *points = s->points;
  for (size_t k = 0; k < s->products; k++) {
    for (size_t i = 0; i < points->count; i++)
      s->columns[k * points->count + i] =
          scatter_product(s, k, points->at + i * points->parameters) * sqrt(points->repeats[i]) / points->scale[i];
    sc_surface_orthogonalise(s->columns, points->count, k);
  }
}

int sc_surface_scatter_rate(sc_surface_engine *engine, size_t p, sc_surface_rating *rating)
{
  const sc_surface_points *points = &engine->points;
  size_t others = 0;
  for (size_t q = 0; q < points->parameters; q++)
    others += q != p && points->values[q] > 1;
  scatter s = {.points = points, .p = p, .functions = others > 1 ? COMMON_OF_TWO : COMMON, .products = 1};
  for (size_t q = 0; q < others; q++)
    s.products *= s.functions;
  if (points->count < 2 * s.products + SC_SURFACE_SPARE)
    return 0;
  SC_TRY(sc_mem_grow(&engine->numbers, &engine->numbers_capacity, (2 * s.products + 1) * points->count,
                     sizeof *engine->numbers));
  s.columns = engine->numbers;
  fill_common(&s);
  for (size_t i = 1; i <= SC_SURFACE_GROWTHS; i++) {
    sc_term term = sc_surface_lines_term(i);
    double rss = scatter_residual(&s, &term);
    rss = isfinite(rss) ? rss : INFINITY;
    rating->score[i] =
        sc_surface_lines_score(engine, points->observations, rss, 2 * s.products, sc_surface_lines_cost(i));
    sc_surface_lines_keep(rating, i, i, rating->score[i]);
  }
  return 0;
}
