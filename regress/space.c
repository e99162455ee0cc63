/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/space.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/term.h"

/* How loops and recursion compose: integer powers from nesting, logarithms from halving and trees, square roots from
 * divisor scans, grids and perimeters. Slowest first. The cost is -2 log of how much rarer the form is. */
static const struct {
  double exponent, log_exponent;
  float cost;
} growths[SC_SPACE_GROWTHS] = {{0, 1, 1},   {0, 2, 4},   {0.5, 0, 2}, {0.5, 1, 6}, {1, 0, 0},   {1, 1, 0},
                               {1, 2, 4},   {1.5, 0, 3}, {1.5, 1, 6}, {2, 0, 0},   {2, 1, 2},   {2, 2, 6},
                               {2.5, 0, 4}, {2.5, 1, 8}, {3, 0, 0},   {3, 1, 3},   {3.5, 0, 6}, {4, 0, 1}};

/* The price of growth: a constant stays one until the data speak against it. */
static const float growth_cost = 5;

sc_term sc_space_term(size_t column)
{
  if (column == 0)
    return (sc_term){0, 0, 0};
  return (sc_term){0, growths[column - 1].exponent, growths[column - 1].log_exponent};
}

/* Terms that nearly cancel extrapolate to anything; a leading term that is a hundredth of the whole at the largest size
 * is the shape of another term's residual, not growth. On a constant alone there is no such term, so growth may be
 * small there, and this is the one form that may fall: a constant that something growing is taken from. */
bool sc_space_shape(double lead, double sum, double magnitude, bool on_constant)
{
  static const double cancellation = 20, share = 0.03;
  if (magnitude > cancellation * fabs(sum))
    return false;
  return on_constant ? lead != 0 : lead > share * sum;
}

static bool polynomial(size_t column)
{
  sc_term t = sc_space_term(column);
  return t.log_exponent == 0 && t.exponent == floor(t.exponent);
}

static void add(sc_space *space, sc_space_candidate candidate)
{
  space->candidates[space->candidate_count++] = candidate;
}

int sc_space_new(sc_space *space)
{
  size_t most = 1 + 2 * SC_SPACE_GROWTHS + SC_SPACE_GROWTHS * (SC_SPACE_GROWTHS - 1);
  *space = (sc_space){0};
  space->candidates = sc_mem_new(most, sizeof *space->candidates);
  if (!space->candidates)
    return SC_E_NOMEM;
  add(space, (sc_space_candidate){{0}, 1, 0});
  for (unsigned char g = 1; g <= SC_SPACE_GROWTHS; g++) {
    float cost = growths[g - 1].cost + growth_cost;
    add(space, (sc_space_candidate){{g}, 1, cost});
    add(space, (sc_space_candidate){{g, 0}, 2, cost});
    for (unsigned char l = 1; l < g; l++) {
      /* A lower term is usually the loop body's own linear or constant part; other pairs are less usual. */
      float pair = cost + growths[l - 1].cost + (polynomial(g) && polynomial(l) ? 0.f : 2.f);
      add(space, (sc_space_candidate){{g, l}, 2, pair});
      add(space, (sc_space_candidate){{g, l, 0}, 3, pair});
    }
  }
  return 0;
}

void sc_space_free(sc_space *space)
{
  free(space->candidates);
  free(space->basis);
  *space = (sc_space){0};
}

int sc_space_prepare(sc_space *space, const sc_points *points)
{
  if (space->ready)
    return 0;
  if (points->count > space->capacity || !space->basis) {
    double *basis = sc_mem_new(points->count * SC_SPACE_COLUMNS, sizeof *basis);
    if (!basis)
      return SC_E_NOMEM;
    free(space->basis);
    space->basis = basis;
    space->capacity = points->count;
  }
  for (size_t c = 0; c < SC_SPACE_COLUMNS; c++) {
    sc_term term = sc_space_term(c);
    for (size_t i = 0; i < points->count; i++)
      space->basis[c * space->capacity + i] = sc_term_basis(&term, points->n[i]);
  }
  space->ready = true;
  return 0;
}

typedef struct gram {
  double product[SC_SPACE_COLUMNS][SC_SPACE_COLUMNS]; /* of the columns, each divided by its norm */
  double right[SC_SPACE_COLUMNS];                     /* with the target */
  double last[SC_SPACE_COLUMNS];                      /* the scaled column at the largest size */
  double total;                                       /* target with itself */
} gram;

static void gather(const sc_space *space, const sc_points *points, gram *g)
{
  double norm[SC_SPACE_COLUMNS];
  size_t count = points->count;
  memset(g, 0, sizeof *g);
  for (size_t a = 0; a < SC_SPACE_COLUMNS; a++) {
    const double *x = space->basis + a * space->capacity;
    for (size_t b = 0; b <= a; b++) {
      const double *z = space->basis + b * space->capacity;
      double sum = 0;
      for (size_t i = 0; i < count; i++)
        sum += x[i] * z[i] * points->repeats[i] / (points->scale[i] * points->scale[i]);
      g->product[a][b] = sum;
    }
    for (size_t i = 0; i < count; i++)
      g->right[a] += x[i] * points->y[i] * points->repeats[i] / (points->scale[i] * points->scale[i]);
    norm[a] = g->product[a][a] > 0 && isfinite(g->product[a][a]) ? sqrt(g->product[a][a]) : INFINITY;
    g->last[a] = x[count - 1] / norm[a];
    g->right[a] /= norm[a];
  }
  for (size_t a = 0; a < SC_SPACE_COLUMNS; a++)
    for (size_t b = 0; b <= a; b++)
      g->product[b][a] = g->product[a][b] /= norm[a] * norm[b];
  for (size_t i = 0; i < count; i++)
    g->total += points->y[i] * points->y[i] * points->repeats[i] / (points->scale[i] * points->scale[i]);
}

static double screen_one(const gram *g, const sc_space_candidate *candidate)
{
  size_t p = candidate->count;
  double a[SC_SPACE_CANDIDATE_TERMS * SC_SPACE_CANDIDATE_TERMS], x[SC_SPACE_CANDIDATE_TERMS];
  for (size_t i = 0; i < p; i++) {
    x[i] = g->right[candidate->column[i]];
    for (size_t j = 0; j < p; j++)
      a[i * p + j] = g->product[candidate->column[i]][candidate->column[j]];
    if (!isfinite(a[i * p + i]) || !(a[i * p + i] > 0))
      return INFINITY;
  }
  gsl_matrix_view matrix = gsl_matrix_view_array(a, p, p);
  gsl_vector_view vector = gsl_vector_view_array(x, p);
  if (p > 1) {
    if (gsl_linalg_cholesky_decomp1(&matrix.matrix) != GSL_SUCCESS ||
        gsl_linalg_cholesky_svx(&matrix.matrix, &vector.vector) != GSL_SUCCESS)
      return INFINITY;
  }
  double explained = 0, lead = x[0] * g->last[candidate->column[0]], rest = 0, size = 0;
  for (size_t i = 0; i < p; i++) {
    double part = x[i] * g->last[candidate->column[i]];
    explained += x[i] * g->right[candidate->column[i]];
    rest += part;
    size += fabs(part);
  }
  bool on_constant = p == 2 && candidate->column[1] == 0;
  if (!sc_space_shape(lead, rest, size, on_constant))
    return INFINITY;
  return fmax(g->total - explained, 0);
}

void sc_space_screen(const sc_space *space, const sc_points *points, size_t max_terms, double *rss)
{
  gram g;
  gather(space, points, &g);
  for (size_t i = 0; i < space->candidate_count; i++)
    rss[i] = space->candidates[i].count <= max_terms ? screen_one(&g, &space->candidates[i]) : INFINITY;
}
