/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "regress/surface_columns.h"

/*
 * The hypotheses: sums of products of the parameters' factors, as in Calotoiu et al., "Fast multi-parameter
 * performance modeling" (CLUSTER 2016), but any sum of up to six products and not a list of patterns. Pairs are all
 * tried; larger sums extend the best smaller ones (a beam search), each by the term that leaves the smallest residual.
 */
enum { BEAM = 48 };

/* Half of a residual variance is from the fit, half from validation; below the floor it is rounding. */
static const double forward_weight = 0.5, measured_floor = 1e-9;

typedef struct exploration {
  sc_surface_columns columns;
  sc_surface_set found[SC_SURFACE_FINALISTS]; /* the best of all sizes that may be counts */
  size_t found_count;
} exploration;

/* A set with its Cholesky factor and coefficients. */
typedef struct basis {
  sc_surface_set set;
  double l[SC_SURFACE_TERMS][SC_SURFACE_TERMS], coefficient[SC_SURFACE_TERMS];
} basis;

double sc_surface_score(const sc_surface_points *points, double rss, double forward_square, size_t parameters,
                        double cost)
{
  double all = (double)points->observations, p = (double)parameters, lack = rss / all;
  if (!isnan(forward_square))
    lack = (1 - forward_weight) * lack + forward_weight * forward_square;
  double variance = points->pure_ss / all + lack + points->rounding + measured_floor * measured_floor;
  /* Hurvich and Tsai's corrected AIC while observations are few, Schwarz's BIC when they are many. */
  return all * log(variance) + fmax(2 * p * all / fmax(all - p - 1, 1), p * log(all)) + cost;
}

static bool same(const sc_surface_set *a, const sc_surface_set *b)
{
  return a->count == b->count && memcmp(a->column, b->column, a->count * sizeof *a->column) == 0;
}

static void insert(sc_surface_set *list, size_t *count, size_t most, const sc_surface_set *one)
{
  size_t at = *count;
  if (at == most && list[most - 1].score <= one->score)
    return;
  for (size_t i = 0; i < *count; i++)
    if (same(&list[i], one))
      return;
  if (at < most)
    ++*count;
  else
    at--;
  for (; at > 0 && list[at - 1].score > one->score; at--)
    list[at] = list[at - 1];
  list[at] = *one;
}

/* Coefficients, and the residuals in columns.left. False if the columns depend on each other. */
static bool solve(sc_surface_columns *s, const sc_surface_set *of, basis *parent)
{
  double z[SC_SURFACE_TERMS];
  size_t n = s->points->count;
  parent->set = *of;
  for (size_t i = 0; i < of->count; i++) {
    double pivot = s->gram[of->column[i] * s->count + of->column[i]], side = s->xy[of->column[i]];
    for (size_t j = 0; j < i; j++) {
      double sum = s->gram[of->column[i] * s->count + of->column[j]];
      for (size_t m = 0; m < j; m++)
        sum -= parent->l[i][m] * parent->l[j][m];
      parent->l[i][j] = sum / parent->l[j][j];
      pivot -= parent->l[i][j] * parent->l[i][j];
      side -= parent->l[i][j] * z[j];
    }
    if (!(pivot > 1e-11))
      return false;
    parent->l[i][i] = sqrt(pivot);
    z[i] = side / parent->l[i][i];
  }
  for (size_t i = of->count; i-- > 0;) {
    for (size_t j = i + 1; j < of->count; j++)
      z[i] -= parent->l[j][i] * parent->coefficient[j];
    parent->coefficient[i] = z[i] / parent->l[i][i];
  }
  memcpy(s->left, s->y, n * sizeof *s->left);
  for (size_t j = 0; j < of->count; j++)
    for (size_t i = 0; i < n; i++)
      s->left[i] -= parent->coefficient[j] * s->x[of->column[j] * n + i];
  parent->set.rss = 0;
  for (size_t i = 0; i < n; i++)
    parent->set.rss += s->left[i] * s->left[i];
  return true;
}

/* What column c adds to the parent: its part along the parent's columns, and how far it leads off them. */
static bool project(const sc_surface_columns *s, const basis *parent, size_t c, double *v, double *pivot)
{
  *pivot = 1;
  if (s->norm[c] == 0)
    return false;
  for (size_t i = 0; i < parent->set.count; i++) {
    if (parent->set.column[i] == c)
      return false;
    v[i] = s->gram[c * s->count + parent->set.column[i]];
    for (size_t j = 0; j < i; j++)
      v[i] -= parent->l[i][j] * v[j];
    v[i] /= parent->l[i][i];
    *pivot -= v[i] * v[i];
  }
  return *pivot > 1e-10;
}

/* The coefficients of the parent's columns beside a new one that has `last`, which comes behind them. */
static void adjust(const basis *parent, const double *v, double last, double *coefficient)
{
  size_t k = parent->set.count;
  double back[SC_SURFACE_TERMS];
  for (size_t i = k; i-- > 0;) {
    back[i] = v[i];
    for (size_t j = i + 1; j < k; j++)
      back[i] -= parent->l[j][i] * back[j];
    back[i] /= parent->l[i][i];
    coefficient[i] = parent->coefficient[i] - back[i] * last;
  }
  coefficient[k] = last;
}

/* The residuals' inner product with column c. One column's residuals need no sum over the points. */
static double residual_along(const sc_surface_columns *s, const basis *parent, size_t c)
{
  size_t n = s->points->count;
  if (parent->set.count == 1)
    return s->xy[c] - parent->coefficient[0] * s->gram[c * s->count + parent->set.column[0]];
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += s->left[i] * s->x[c * n + i];
  return sum;
}

/* All sums of one more term than the parent; good ones go into the next beam, those that may be counts are found. */
static void extend(exploration *search, const basis *parent, size_t from, sc_surface_set *beam, size_t *beamed)
{
  const sc_surface_columns *s = &search->columns;
  size_t k = parent->set.count;
  for (size_t c = from; c < s->count; c++) {
    double v[SC_SURFACE_TERMS], coefficient[SC_SURFACE_TERMS], pivot;
    if (!project(s, parent, c, v, &pivot))
      continue;
    double along = residual_along(s, parent, c);
    sc_surface_set one = parent->set;
    one.column[one.count++] = (unsigned short)c;
    one.rss = parent->set.rss - along * along / pivot;
    one.rss = one.rss > s->rounding ? one.rss : 0; /* the fewest terms first of all that leave nothing */
    one.score = sc_surface_score(s->points, one.rss + s->rounding, NAN, one.count + sc_surface_columns_free(s, &one),
                                 sc_surface_columns_prior(s, &one));
    double worst = *beamed == BEAM ? beam[BEAM - 1].score : INFINITY;
    double worst_found =
        search->found_count == SC_SURFACE_FINALISTS ? search->found[SC_SURFACE_FINALISTS - 1].score : INFINITY;
    if ((one.score >= worst && one.score >= worst_found) || !sc_surface_columns_told(s, &one))
      continue;
    adjust(parent, v, along / pivot, coefficient);
    bool found = one.score < worst_found && sc_surface_columns_sane(s, &one, coefficient);
    for (size_t at = k; at > 0 && one.column[at - 1] > c; at--) { /* ascending: equal sets look equal */
      one.column[at] = one.column[at - 1];
      one.column[at - 1] = (unsigned short)c;
    }
    insert(beam, beamed, BEAM, &one);
    if (found)
      insert(search->found, &search->found_count, SC_SURFACE_FINALISTS, &one);
  }
}

static void explore(exploration *search)
{
  sc_surface_columns *s = &search->columns;
  sc_surface_set beam[2][BEAM];
  size_t count[2] = {0, 0}, now = 1, points = s->points->count;
  basis parent = {.set = {.rss = s->yy}};
  size_t most = points - 1 < SC_SURFACE_TERMS ? points - 1 : SC_SURFACE_TERMS;
  memcpy(s->left, s->y, points * sizeof *s->left);
  extend(search, &parent, 0, beam[0], &count[0]);
  for (size_t c = 0; c < s->count && most > 1; c++) { /* all pairs */
    sc_surface_set one = {.column = {(unsigned short)c}, .count = 1};
    if (s->norm[c] > 0 && solve(s, &one, &parent))
      extend(search, &parent, c + 1, beam[1], &count[1]);
  }
  for (size_t k = 3; k <= most; k++) {
    count[!now] = 0;
    for (size_t i = 0; i < count[now]; i++)
      if (solve(s, &beam[now][i], &parent))
        extend(search, &parent, 0, beam[!now], &count[!now]);
    now = !now;
  }
}

int sc_surface_search(sc_surface_engine *engine, const sc_surface_pair *pair)
{
  exploration search = {.found_count = 0};
  engine->ranks = 0;
  SC_TRY(sc_surface_columns_fill(engine, pair, &search.columns));
  explore(&search);
  for (size_t i = 0; i < search.found_count; i++) {
    const sc_surface_set *set = &search.found[i];
    sc_surface_candidate *made = &engine->ranked[engine->ranks++];
    *made = (sc_surface_candidate){.count = set->count, .score = set->score};
    made->free = sc_surface_columns_free(&search.columns, set);
    made->parameters = set->count + made->free;
    made->cost = sc_surface_columns_prior(&search.columns, set);
    for (size_t j = 0; j < made->count; j++)
      made->terms[j] = sc_surface_columns_term(&search.columns, set->column[j]);
  }
  return 0;
}
