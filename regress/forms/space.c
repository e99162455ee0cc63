/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hypotheses of sums and a screen for them. Over three hundred candidates a series are too many to fit one by
 * one: their residuals follow from one matrix of inner products of all columns, which is made once a series. */
#include "regress/forms/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"

/* How loops and recursion compose: integer powers from nesting, logarithms from halving and trees, square roots from
 * divisor scans, grids and perimeters. Slowest first. The cost is -2 log of how much rarer the form is. */
static const struct {
  double exponent, log_exponent;
  float cost;
} growths[SC_SPACE_GROWTHS] = {{0, 1, 1},   {0, 2, 4},   {0.5, 0, 2}, {0.5, 1, 6}, {1, 0, 0},   {1, 1, 0},
                               {1, 2, 4},   {1.5, 0, 3}, {1.5, 1, 6}, {2, 0, 0},   {2, 1, 2},   {2, 2, 6},
                               {2.5, 0, 4}, {2.5, 1, 8}, {3, 0, 0},   {3, 1, 3},   {3.5, 0, 6}, {4, 0, 1}};

sc_term sc_space_term(size_t column)
{
  if (column == 0)
    return (sc_term){0, 0, 0};
  return (sc_term){0, growths[column - 1].exponent, growths[column - 1].log_exponent};
}

/* Terms that nearly cancel extrapolate to anything; a leading term that is a hundredth of the whole at the largest size
 * is the shape of another term's residual, not growth, unless nothing is left of that. On a constant alone there is no
 * such term, so growth may be small there, and this is the one form that may fall: a constant that something growing is
 * taken from. */
bool sc_space_shape(double lead, double sum, double magnitude, bool on_constant, double rss)
{
  if (magnitude > SC_SPACE_CANCELLATION * fabs(sum))
    return false;
  if (on_constant)
    return fabs(lead) > SC_SPACE_ROUNDING * fabs(sum);
  return lead > SC_SPACE_SHARE * sum || (lead > SC_SPACE_SHARE_LEAST * sum && lead > SC_SPACE_CLEAR * sqrt(rss) * sum);
}

double sc_space_saturation(size_t index) { return 2 * pow(SC_SPACE_SATURATION_STEP, (double)index); }
double sc_space_power(size_t index) { return SC_SPACE_POWER_STEP * ((double)index + 0.5); }

static bool space_polynomial(size_t column)
{
  sc_term t = sc_space_term(column);
  return t.log_exponent == 0 && t.exponent == floor(t.exponent);
}

static void add_candidate(sc_space *space, sc_space_candidate candidate)
{
  space->candidates[space->candidate_count++] = candidate;
}

float sc_space_growth_cost(bool counted) { return counted ? SC_SPACE_COUNTED * SC_SPACE_GROWTH : SC_SPACE_GROWTH; }

static void add_growth(sc_space *space, unsigned char g, bool sums)
{
  float cost = growths[g - 1].cost + SC_SPACE_GROWTH, counted = SC_SPACE_COUNTED * cost;
  add_candidate(space, (sc_space_candidate){{g}, 1, cost, counted});
  add_candidate(space, (sc_space_candidate){{g, 0}, 2, cost, counted});
  for (unsigned char l = 1; sums && l < g; l++) {
    /* A lower term is usually the loop body's own linear or constant part; other pairs are less usual. */
    bool usual = space_polynomial(g) && space_polynomial(l);
    float pair = cost + growths[l - 1].cost + (usual ? 0 : SC_SPACE_PAIR_MEASURED);
    float counted_both = counted + SC_SPACE_COUNTED * growths[l - 1].cost + (usual ? 0 : SC_SPACE_PAIR_COUNTED);
    add_candidate(space, (sc_space_candidate){{g, l}, 2, pair, counted_both});
    add_candidate(space, (sc_space_candidate){{g, l, 0}, 3, pair, counted_both});
  }
}

int sc_space_new(sc_space *space, bool sums)
{
  size_t most = 1 + 2 * SC_SPACE_GROWTHS + SC_SPACE_GROWTHS * (SC_SPACE_GROWTHS - 1);
  *space = (sc_space){0};
  SC_TRY(SC_NEW(space->candidates, most));
  add_candidate(space, (sc_space_candidate){{0}, 1, 0, 0});
  for (unsigned char g = 1; g <= SC_SPACE_GROWTHS; g++)
    add_growth(space, g, sums);
  return 0;
}

void sc_space_free(sc_space *space)
{
  free(space->candidates);
  free(space->basis);
  *space = (sc_space){0};
}

/* Values of the columns depend on the sizes alone, and all series of a study have the same: made once, used by all. */
int sc_space_prepare(sc_space *space, const sc_points *points)
{
  if (space->ready)
    return 0;
  if (points->count > space->capacity || !space->basis) {
    double *basis =
        sc_mem_new(points->count * (SC_SPACE_COLUMNS + SC_SPACE_POWERS + 2 * SC_SPACE_SATURATIONS + SC_SPACE_SCRATCH),
                   sizeof *basis);
    if (!basis)
      return SC_E_NOMEM;
    free(space->basis);
    space->basis = basis;
    space->capacity = points->count;
  }
  space->powers = space->basis + points->count * SC_SPACE_COLUMNS;
  space->hyperbolic = space->powers + points->count * SC_SPACE_POWERS;
  space->approach = space->hyperbolic + points->count * SC_SPACE_SATURATIONS;
  space->scratch = space->approach + points->count * SC_SPACE_SATURATIONS;
  double center = points->log_n[points->count - 1];
  for (size_t i = 0; i < points->count; i++) {
    for (size_t c = 0; c < SC_SPACE_COLUMNS; c++) {
      sc_term term = sc_space_term(c);
      space->basis[i * SC_SPACE_COLUMNS + c] = sc_term_basis(&term, points->n[i]);
    }
    for (size_t e = 0; e < SC_SPACE_POWERS; e++)
      space->powers[e * points->count + i] = exp(sc_space_power(e) * (points->log_n[i] - center));
    for (size_t r = 0; r < SC_SPACE_SATURATIONS; r++) {
      double scale = sc_space_saturation(r) * points->n[points->count - 1];
      space->hyperbolic[r * points->count + i] = points->n[i] / (points->n[i] + scale);
      space->approach[r * points->count + i] = -expm1(-points->n[i] / scale);
    }
  }
  space->ready = true;
  return 0;
}

static void space_products(const sc_space *space, const sc_points *points, sc_space_products *g)
{
  for (size_t i = 0; i < points->count; i++) {
    const double *x = space->basis + i * SC_SPACE_COLUMNS;
    double w = points->weight[i] / (points->scale[i] * points->scale[i]), wy = w * points->y[i];
    for (size_t a = 0; a < SC_SPACE_COLUMNS; a++) {
      double wx = w * x[a];
      for (size_t b = 0; b <= a; b++)
        g->product[a][b] += wx * x[b];
      g->right[a] += wy * x[a];
    }
    g->total += wy * points->y[i];
  }
}

/* Columns are scaled to length 1, so that SC_SPACE_PARALLEL means the same for each pair. `beside` is the same
 * matrix with the constant projected out, which makes a candidate with a constant one term smaller. */
static void gather_products(const sc_space *space, const sc_points *points, sc_space_products *g)
{
  double norm[SC_SPACE_COLUMNS];
  memset(g, 0, sizeof *g);
  space_products(space, points, g);
  for (size_t a = 0; a < SC_SPACE_COLUMNS; a++) {
    bool usable = g->product[a][a] > 0 && isfinite(g->product[a][a]);
    norm[a] = usable ? 1 / sqrt(g->product[a][a]) : 0;
    g->last[a] = space->basis[(points->count - 1) * SC_SPACE_COLUMNS + a] * norm[a];
    g->right[a] *= norm[a];
  }
  for (size_t a = 0; a < SC_SPACE_COLUMNS; a++)
    for (size_t b = 0; b <= a; b++)
      g->product[b][a] = g->product[a][b] *= norm[a] * norm[b];
  for (size_t a = 0; a < SC_SPACE_COLUMNS; a++) {
    for (size_t b = 0; b < SC_SPACE_COLUMNS; b++)
      g->beside[a][b] = g->product[a][b] - g->product[a][0] * g->product[b][0];
    g->beside_right[a] = g->right[a] - g->product[a][0] * g->right[0];
  }
  g->beside_total = g->total - g->right[0] * g->right[0];
}

static double screen_single(const sc_space_products *g, const sc_space_candidate *candidate)
{
  size_t a = candidate->column[0];
  double part = g->right[a] * g->last[a];
  return part > 0 && sc_space_shape(part, part, part, false, INFINITY)
             ? sc_space_squares(g->total - g->right[a] * g->right[a])
             : INFINITY;
}

static double screen_on_constant(const sc_space_products *g, const sc_space_candidate *candidate)
{
  size_t a = candidate->column[0];
  if (!(g->beside[a][a] > SC_SPACE_PARALLEL))
    return INFINITY;
  double x = g->beside_right[a] / g->beside[a][a], lead = x * g->last[a];
  double level = (g->right[0] - x * g->product[a][0]) * g->last[0];
  if (!sc_space_shape(lead, lead + level, fabs(lead) + fabs(level), true, INFINITY))
    return INFINITY;
  return sc_space_squares(g->beside_total - x * g->beside_right[a]);
}

/* Two growth terms, with or without a constant: by Cramer's rule. */
static double screen_pair(const sc_space_products *g, const sc_space_candidate *candidate, bool constant)
{
  size_t a = candidate->column[0], b = candidate->column[1];
  const double(*m)[SC_SPACE_COLUMNS] = constant ? g->beside : g->product;
  const double *r = constant ? g->beside_right : g->right;
  double det = m[a][a] * m[b][b] - m[a][b] * m[a][b];
  if (!(det > SC_SPACE_PARALLEL * m[a][a] * m[b][b]))
    return INFINITY;
  double x = (r[a] * m[b][b] - r[b] * m[a][b]) / det, y = (r[b] * m[a][a] - r[a] * m[a][b]) / det;
  double lead = x * g->last[a], second = y * g->last[b], level = 0;
  if (constant)
    level = (g->right[0] - x * g->product[a][0] - y * g->product[b][0]) * g->last[0];
  double rss = sc_space_squares((constant ? g->beside_total : g->total) - x * r[a] - y * r[b]);
  if (!sc_space_shape(lead, lead + second + level, fabs(lead) + fabs(second) + fabs(level), false, rss))
    return INFINITY;
  return rss;
}

double sc_space_residual(const sc_space *space, const sc_space_candidate *candidate)
{
  const sc_space_products *g = &space->products;
  if (candidate->count == 1)
    return screen_single(g, candidate);
  if (candidate->count == 2 && candidate->column[1] == 0)
    return screen_on_constant(g, candidate);
  return screen_pair(g, candidate, candidate->count == 3);
}

void sc_space_gather(sc_space *space, const sc_points *points) { gather_products(space, points, &space->products); }
