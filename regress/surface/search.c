/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches the sums of products that describe the points best, from one term on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/tuning.h"
#include "regress/forms/candidate.h"
#include "regress/surface/columns.h"

/*
 * The hypotheses: sums of products of the parameters' factors, as in Calotoiu et al., "Fast multi-parameter
 * performance modeling" (CLUSTER 2016), but any sum of up to six products and not a list of patterns. Pairs are all
 * tried; larger sums extend the best smaller ones (a beam search), each by the term that leaves the smallest residual.
 */
enum { PRODUCTS = 27, QUOTA = SC_SURFACE_FINALISTS / SC_SURFACE_TERMS };

typedef struct exploration {
  sc_surface_columns columns;
  sc_surface_set found[SC_SURFACE_TERMS][QUOTA]; /* the best of each number of terms that may be counts */
  size_t found_count[SC_SURFACE_TERMS];
  size_t most;                /* terms */
  const unsigned short *list; /* the columns that sums are made of now, ascending */
  size_t listed;
} exploration;

/* A set with its Cholesky factor and coefficients. */
typedef struct basis {
  sc_surface_set set;
  double l[SC_SURFACE_TERMS][SC_SURFACE_TERMS], coefficient[SC_SURFACE_TERMS];
} basis;

double sc_surface_score(const sc_surface_points *points, double rss, double forward_square, size_t parameters,
                        double cost)
{
  double all = points->independent, lack = rss / (double)points->observations;
  if (!isnan(forward_square))
    lack = (1 - SC_SURFACE_FORWARD) * lack + SC_SURFACE_FORWARD * forward_square;
  double variance = points->pure_ss / (double)points->observations + lack + points->rounding +
                    SC_CANDIDATE_ROUNDING * SC_CANDIDATE_ROUNDING;
  return all * log(variance) + sc_candidate_penalty(all, parameters) + cost;
}

static bool same_set(const sc_surface_set *a, const sc_surface_set *b)
{
  return a->count == b->count && memcmp(a->column, b->column, a->count * sizeof *a->column) == 0;
}

static void insert_columns(sc_surface_set *list, size_t *count, size_t most, const sc_surface_set *one)
{
  size_t at = *count;
  if (at == most && list[most - 1].score <= one->score)
    return;
  for (size_t i = 0; i < *count; i++)
    if (same_set(&list[i], one))
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
static bool solve_columns(sc_surface_columns *s, const sc_surface_set *of, basis *parent)
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
static bool project_columns(const sc_surface_columns *s, const basis *parent, size_t c, double *v, double *pivot)
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
static void adjust_columns(const basis *parent, const double *v, double last, double *coefficient)
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

typedef struct traits {
  uint64_t bits;
  double cost;
} traits;

/* The factors and the cost of a set. */
static traits traits_of(const sc_surface_columns *s, const sc_surface_set *set)
{
  traits made = {0, 0};
  for (size_t j = 0; j < set->count; j++) {
    made.bits |= s->bits[set->column[j]];
    made.cost += s->cost[set->column[j]];
  }
  return made;
}

/* All sums of one more term than the parent; good ones go into the next beam, those that may be counts are found. */
static void extend_columns(exploration *search, const basis *parent, size_t from, sc_surface_set *beam, size_t *beamed)
{
  const unsigned short *list = search->list;
  const sc_surface_columns *s = &search->columns;
  size_t k = parent->set.count, *found_count = &search->found_count[k];
  sc_surface_set *found = search->found[k];
  const traits with = traits_of(s, &parent->set);
  for (size_t place = from; place < search->listed; place++) {
    size_t c = list[place];
    double v[SC_SURFACE_TERMS], coefficient[SC_SURFACE_TERMS], pivot;
    if (!project_columns(s, parent, c, v, &pivot))
      continue;
    double along = residual_along(s, parent, c);
    sc_surface_set one = parent->set;
    one.column[one.count++] = (unsigned short)c;
    one.rss = parent->set.rss - along * along / pivot;
    one.rss = one.rss > s->rounding ? one.rss : 0; /* the fewest terms first of all that leave nothing */
    uint64_t bits = with.bits | s->bits[c];
    one.score = sc_surface_score(s->points, one.rss + s->rounding, NAN, one.count + sc_surface_columns_free(s, bits),
                                 sc_surface_columns_prior(s, one.count, with.cost + s->cost[c], bits));
    double worst = *beamed == SC_SURFACE_BEAM ? beam[SC_SURFACE_BEAM - 1].score : INFINITY;
    double worst_found = *found_count == QUOTA ? found[QUOTA - 1].score : INFINITY;
    if ((one.score >= worst && one.score >= worst_found) || !sc_surface_columns_told(s, bits))
      continue;
    adjust_columns(parent, v, along / pivot, coefficient);
    bool wanted = one.score < worst_found && sc_surface_columns_sane(s, &one, coefficient);
    for (size_t at = k; at > 0 && one.column[at - 1] > c; at--) { /* ascending: equal sets look equal */
      one.column[at] = one.column[at - 1];
      one.column[at - 1] = (unsigned short)c;
    }
    insert_columns(beam, beamed, SC_SURFACE_BEAM, &one);
    if (wanted)
      insert_columns(found, found_count, QUOTA, &one);
  }
}

/* Sums of the listed columns: all pairs, and larger ones as far as the beam reaches. */
static void explore_columns(exploration *search, const unsigned short *list, size_t listed)
{
  sc_surface_columns *s = &search->columns;
  sc_surface_set beam[2][SC_SURFACE_BEAM];
  size_t count[2] = {0, 0}, now = 1, points = s->points->count;
  basis parent = {.set = {.rss = s->yy}};
  search->list = list;
  search->listed = listed;
  memcpy(s->left, s->y, points * sizeof *s->left);
  extend_columns(search, &parent, 0, beam[0], &count[0]);
  for (size_t i = 0; i < listed && search->most > 1; i++) {
    sc_surface_set one = {.column = {list[i]}, .count = 1};
    if (s->norm[list[i]] > 0 && solve_columns(s, &one, &parent))
      extend_columns(search, &parent, i + 1, beam[1], &count[1]);
  }
  for (size_t k = 3; k <= search->most; k++) {
    count[!now] = 0;
    for (size_t i = 0; i < count[now]; i++)
      if (solve_columns(s, &beam[now][i], &parent))
        extend_columns(search, &parent, 0, beam[!now], &count[!now]);
    now = !now;
  }
}

/* The columns whose factors are 1 or in the chosen sets of their parameters. */
static size_t list_products(const sc_surface_columns *s, const size_t *chosen, unsigned short *list)
{
  size_t listed = 0;
  for (size_t c = 0; c < s->count && listed < PRODUCTS; c++) {
    bool in = true;
    for (size_t p = 0; p < s->points->parameters && in; p++) {
      size_t digit = s->digit[c * SC_SURFACE_PARAMETERS + p];
      const size_t *set = s->space->set[p][chosen[p]];
      in = digit == 0 || (chosen[p] < s->space->sets[p] && (digit == set[0] || digit == set[1]));
    }
    if (in)
      list[listed++] = (unsigned short)c;
  }
  return listed;
}

/* What each parameter's lines look like is known: all products of their functions are tried for themselves, where
 * sums of many terms would not get into the beam. */
static void explore_products(exploration *search)
{
  const sc_surface_columns *s = &search->columns;
  size_t parameters = s->points->parameters, most[SC_SURFACE_PARAMETERS] = {1, 1, 1}, varying = 0;
  for (size_t p = 0; p < parameters; p++)
    varying += s->space->sets[p] > 0;
  for (size_t p = 0; p < parameters; p++)
    if (s->space->sets[p] > 0) /* of a parameter with two values there are none */
      most[p] = varying > 2 && s->space->sets[p] > 2 ? 2 : s->space->sets[p];
  /* NOLINTNEXTLINE(clang-analyzer-core.StackAddressEscape): read only while columns are explored */
  for (size_t i = 0; i < most[0] * most[1] * most[2]; i++) {
    const size_t chosen[] = {i % most[0], i / most[0] % most[1], i / most[0] / most[1]};
    unsigned short list[PRODUCTS];
    explore_columns(search, list, list_products(s, chosen, list));
  }
}

static void take_candidate(const sc_surface_columns *s, const sc_surface_set *set, sc_surface_candidate *made)
{
  *made = (sc_surface_candidate){.count = set->count, .score = set->score};
  const traits has = traits_of(s, set);
  made->free = sc_surface_columns_free(s, has.bits);
  made->parameters = set->count + made->free;
  made->cost = sc_surface_columns_prior(s, set->count, has.cost, has.bits);
  for (size_t j = 0; j < made->count; j++)
    made->terms[j] = sc_surface_columns_term(s, set->column[j]);
}

int sc_surface_search(sc_surface_engine *engine, const sc_surface_pair *pair)
{
  exploration search = {.most = SC_SURFACE_TERMS};
  size_t told = engine->points.count / SC_SURFACE_POINTS_PER_TERM;
  search.most = told < 2 ? 2 : told < SC_SURFACE_TERMS ? told : SC_SURFACE_TERMS;
  if (search.most >= engine->points.count)
    search.most = 1;
  engine->ranks = 0;
  SC_TRY(sc_surface_columns_fill(engine, pair, &search.columns));
  unsigned short *all;
  SC_TRY(SC_NEW(all, search.columns.count));
  for (size_t c = 0; c < search.columns.count; c++)
    all[c] = (unsigned short)c;
  explore_columns(&search, all, search.columns.count);
  free(all);
  explore_products(&search);
  for (size_t k = 0; k < search.most; k++)
    for (size_t i = 0; i < search.found_count[k]; i++)
      take_candidate(&search.columns, &search.found[k][i], &engine->ranked[engine->ranks++]);
  return 0;
}
