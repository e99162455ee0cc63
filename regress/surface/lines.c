/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/surface/lines.h"

/*
 * Along a line every sum of products is a sum of functions of one parameter, whose coefficients differ from line to
 * line while the functions do not. So the factors are found by fitting each set of functions to all lines at once, with
 * coefficients of their own for each line.
 */
enum { GROWTHS = SC_SURFACE_GROWTHS, COLUMNS = GROWTHS + 1, SET_MOST = 3 };

/* Prior costs as for one parameter, and what belongs to threads and processes: work divided among x (1/x), borders of
 * areas and volumes divided among x (x^-1/2, x^-2/3, x^1/3, x^2/3), trees over them (log x). */
static const struct growth {
  double exponent, log_exponent, cost;
} growths[GROWTHS] = {{1, 0, 0},       {2, 0, 0},       {3, 0, 0},   {4, 0, 1},    {1, 1, 0},  {0, 1, 1},
                      {0.5, 0, 2},     {2, 1, 2},       {3, 1, 3},   {1.5, 0, 3},  {0, 2, 4},  {1, 2, 4},
                      {2.5, 0, 4},     {-1, 0, 1},      {-2, 0, 6},  {-0.5, 0, 4}, {-1, 1, 6}, {-2.0 / 3, 0, 6},
                      {1.0 / 3, 0, 4}, {2.0 / 3, 0, 4}, {0.5, 1, 6}, {1.5, 1, 6}};

/* Sums over the lines for every set of columns: {i}, {1, i}, {i, j}, {1, i, j}. Column 0 is the constant. */
typedef struct tally {
  double rss[2][COLUMNS][COLUMNS]; /* [with a constant][i][j], i < j; [i][i] for one growth */
  size_t fitted[SET_MOST + 1];     /* [functions in a set]: numbers it fits, over all lines */
  size_t observations;
} tally;

typedef struct gram {
  double x[COLUMNS][COLUMNS], y[COLUMNS], yy;
  size_t count;
} gram;

sc_term sc_surface_lines_term(size_t column)
{
  if (column == 0)
    return (sc_term){.coefficient = 1};
  const struct growth *g = &growths[column - 1];
  return (sc_term){.coefficient = 1, .exponent = g->exponent, .log_exponent = g->log_exponent};
}

double sc_surface_lines_cost(size_t column) { return column ? growths[column - 1].cost : 0; }

static void add_products(const sc_surface_points *points, size_t p, const size_t *index, size_t count, gram *g)
{
  *g = (gram){.count = count};
  double top = points->high[p], by[COLUMNS], value[COLUMNS];
  for (size_t c = 0; c < COLUMNS; c++) {
    sc_term term = sc_surface_lines_term(c);
    by[c] = fabs(sc_term_basis(&term, top));
    by[c] = by[c] > 0 && isfinite(by[c]) ? by[c] : 1;
  }
  for (size_t i = 0; i < count; i++) {
    double weight = sqrt(points->repeats[index[i]]) / points->scale[index[i]];
    double x = points->at[index[i] * points->parameters + p], y = points->y[index[i]] * weight;
    for (size_t c = 0; c < COLUMNS; c++) {
      sc_term term = sc_surface_lines_term(c);
      value[c] = sc_term_basis(&term, x) / by[c] * weight;
    }
    for (size_t c = 0; c < COLUMNS; c++) {
      for (size_t d = 0; d <= c; d++)
        g->x[c][d] += value[c] * value[d];
      g->y[c] += value[c] * y;
    }
    g->yy += y * y;
  }
}

/* Residual sum of squares by Cholesky's factorisation; columns that depend on the others add nothing. */
static double gram_residual(const gram *g, const size_t *set, size_t count)
{
  double l[SET_MOST][SET_MOST], z[SET_MOST], rss = g->yy;
  for (size_t i = 0; i < count; i++) {
    double pivot = g->x[set[i]][set[i]], side = g->y[set[i]];
    for (size_t j = 0; j < i; j++) {
      double sum = set[i] > set[j] ? g->x[set[i]][set[j]] : g->x[set[j]][set[i]];
      for (size_t m = 0; m < j; m++)
        sum -= l[i][m] * l[j][m];
      l[i][j] = l[j][j] > 0 ? sum / l[j][j] : 0;
      pivot -= l[i][j] * l[i][j];
      side -= l[i][j] * z[j];
    }
    bool free = pivot > 1e-12 * g->x[set[i]][set[i]] && pivot > 0;
    l[i][i] = free ? sqrt(pivot) : 0;
    z[i] = free ? side / l[i][i] : 0;
    rss -= z[i] * z[i];
  }
  return count >= g->count ? 0 : fmax(rss, g->yy * 1e-15);
}

static void add_gram_line(const gram *g, tally *sums)
{
  sums->observations += g->count;
  for (size_t k = 1; k <= SET_MOST; k++)
    sums->fitted[k] += k < g->count ? k : g->count;
  for (size_t i = 1; i < COLUMNS; i++) {
    for (size_t j = i; j < COLUMNS; j++) {
      size_t set[SET_MOST] = {i, j}, count = i == j ? 1 : 2;
      sums->rss[0][i][j] += gram_residual(g, set, count);
      set[count] = 0;
      sums->rss[1][i][j] += gram_residual(g, set, count + 1);
    }
  }
}

void sc_surface_lines_keep(sc_surface_rating *rating, size_t i, size_t j, double score)
{
  size_t at = rating->pairs;
  if (at == SC_SURFACE_PAIRS && rating->pair_score[at - 1] <= score)
    return;
  if (at < SC_SURFACE_PAIRS)
    rating->pairs++;
  else
    at--;
  for (; at > 0 && rating->pair_score[at - 1] > score; at--) {
    memcpy(rating->pair[at], rating->pair[at - 1], sizeof rating->pair[at]);
    rating->pair_score[at] = rating->pair_score[at - 1];
  }
  rating->pair[at][0] = i;
  rating->pair[at][1] = i == j ? 0 : j;
  rating->pair_score[at] = score;
}

double sc_surface_lines_score(const sc_surface_engine *engine, size_t observations, double rss, size_t parameters,
                              double cost)
{
  sc_surface_points view = engine->points;
  view.pure_ss *= (double)observations / (double)view.observations;
  view.observations = observations;
  view.independent = (double)observations;
  return sc_surface_score(&view, rss, NAN, parameters, cost);
}

/* The score of each growth is that of the best set it is in. */
static void gram_score(const sc_surface_engine *engine, const tally *sums, sc_surface_rating *rating)
{
  for (size_t i = 1; i < COLUMNS; i++) {
    for (size_t j = i; j < COLUMNS; j++) {
      double best = INFINITY, cost = growths[i - 1].cost + (i == j ? 0 : growths[j - 1].cost);
      for (size_t constant = 0; constant <= 1; constant++) {
        size_t count = (i == j ? 1 : 2) + constant;
        best = fmin(best, sc_surface_lines_score(engine, sums->observations, sums->rss[constant][i][j],
                                                 sums->fitted[count], cost));
      }
      rating->score[i] = fmin(rating->score[i], best);
      rating->score[j] = fmin(rating->score[j], best);
      sc_surface_lines_keep(rating, i, j, best);
    }
  }
}

void sc_surface_lines_rate(const sc_surface_engine *engine, size_t p, sc_surface_rating *rating)
{
  const sc_surface_lines *lines = &engine->lines[p];
  tally sums = {.observations = 0};
  size_t longest = 0;
  gram g;
  *rating = (sc_surface_rating){.pairs = 0};
  for (size_t l = 0; l < lines->count; l++) {
    if (lines->start[l + 1] - lines->start[l] < SC_SURFACE_LINE_LEAST)
      continue;
    longest = lines->start[l + 1] - lines->start[l] > longest ? lines->start[l + 1] - lines->start[l] : longest;
    add_products(&engine->points, p, lines->index + lines->start[l], lines->start[l + 1] - lines->start[l], &g);
    add_gram_line(&g, &sums);
  }
  /* Lines that are there by accident show little. */
  rating->lines = 2 * sums.observations >= engine->points.count || 2 * longest >= engine->points.values[p];
  for (size_t i = 0; i < COLUMNS; i++)
    rating->score[i] = rating->lines ? INFINITY : sc_surface_lines_cost(i);
  if (rating->lines)
    gram_score(engine, &sums, rating);
}
