/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/surface_internal.h"

/*
 * The hypotheses: sums of products of the parameters' factors, as in Calotoiu et al., "Fast multi-parameter
 * performance modeling" (CLUSTER 2016), but any sum of up to six products and not a list of patterns. Pairs are all
 * tried; larger sums extend the best smaller ones (a beam search), each by the term that leaves the smallest residual.
 */
enum { BEAM = 48, CORNERS = (1 << SC_SURFACE_PARAMETERS) + 1 };

/* Half of a residual variance is from the fit, half from validation; below the floor it is rounding. */
static const double forward_weight = 0.5, measured_floor = 1e-9, screening_floor = 1e-7;
/* A growing hypothesis costs more than a constant, a product of factors more than one. */
static const double growing_cost = 5, product_cost = 1;
/* Sums are judged up to this multiple of the largest values: they must not fall below zero, but for this share of their
 * parts; and parts of this much above the sum cancel. */
static const double beyond = 10, negative_share = 0.05, cancelling = 20;

typedef struct set {
  unsigned short column[SC_SURFACE_TERMS];
  size_t count;
  double rss, score;
} set;

typedef struct search {
  const sc_surface_points *points;
  const sc_surface_space *space;
  size_t columns;
  double *x;           /* [columns][points] weighted values, of length 1 */
  double *gram;        /* [columns][columns] */
  double *xy;          /* [columns] */
  double *norm;        /* [columns]; 0: not usable */
  double *corner;      /* [columns][CORNERS] values at the corners and beyond */
  double *cost;        /* [columns] */
  double *y, *left;    /* [points] weighted values and residuals */
  double yy, rounding; /* sum of the values' squares, and what of it rounding may leave */
  set *found;          /* [SC_SURFACE_FINALISTS] best of all sizes that may be counts */
  size_t found_count;
} search;

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

/* Column c is a factor for each parameter: digits of a number with a base for each. */
static sc_surface_term term_of(const sc_surface_space *space, size_t parameters, size_t c)
{
  sc_surface_term term = {.coefficient = 1};
  for (size_t p = 0; p < parameters; c /= space->count[p++])
    term.factor[p] = space->factor[p][c % space->count[p]].term;
  return term;
}

static double cost_of(const search *s, size_t c)
{
  double cost = 0;
  size_t factors = 0;
  for (size_t p = 0; p < s->points->parameters; c /= s->space->count[p++]) {
    cost += s->space->factor[p][c % s->space->count[p]].cost;
    factors += c % s->space->count[p] > 0;
  }
  return cost + (factors > 1 ? product_cost * (double)(factors - 1) : 0);
}

/* Corner 0 has all parameters at their largest; then come all combinations of smallest and far beyond. */
static void corner_at(const sc_surface_points *points, size_t corner, double *at)
{
  for (size_t p = 0; p < points->parameters; p++) {
    bool far = corner == 0 || (corner - 1) >> p & 1;
    at[p] = !far ? points->low[p] : points->values[p] < 2 || corner == 0 ? points->high[p] : points->high[p] * beyond;
  }
}

static void fill_column(search *s, size_t c)
{
  const sc_surface_points *points = s->points;
  sc_surface_term term = term_of(s->space, points->parameters, c);
  double *x = s->x + c * points->count, length = 0, at[SC_SURFACE_PARAMETERS];
  for (size_t i = 0; i < points->count; i++) {
    x[i] = sc_surface_term_value(&term, points->parameters, points->at + i * points->parameters) *
           sqrt(points->repeats[i]) / points->scale[i];
    length = fmax(length, fabs(x[i]));
  }
  bool usable = length > 0 && isfinite(length);
  double square = 0;
  for (size_t i = 0; i < points->count && usable; i++)
    square += (x[i] / length) * (x[i] / length);
  s->norm[c] = usable ? length * sqrt(square) : 0;
  s->xy[c] = 0;
  for (size_t i = 0; i < points->count; i++) {
    x[i] = usable ? x[i] / s->norm[c] : 0;
    s->xy[c] += x[i] * s->y[i];
  }
  for (size_t k = 0; k < CORNERS; k++) {
    corner_at(points, k, at);
    double value = sc_surface_term_value(&term, points->parameters, at);
    s->corner[c * CORNERS + k] = usable ? value / s->norm[c] : 0;
  }
  s->cost[c] = cost_of(s, c);
}

static void fill(search *s)
{
  const sc_surface_points *points = s->points;
  s->yy = 0;
  for (size_t i = 0; i < points->count; i++) {
    s->y[i] = points->y[i] * sqrt(points->repeats[i]) / points->scale[i];
    s->yy += s->y[i] * s->y[i];
  }
  s->rounding = s->yy * screening_floor * screening_floor;
  for (size_t c = 0; c < s->columns; c++)
    fill_column(s, c);
  for (size_t c = 0; c < s->columns; c++) {
    for (size_t d = 0; d <= c; d++) {
      double sum = 0;
      for (size_t i = 0; i < points->count; i++)
        sum += s->x[c * points->count + i] * s->x[d * points->count + i];
      s->gram[c * s->columns + d] = s->gram[d * s->columns + c] = sum;
    }
  }
}

static int prepare(sc_surface_engine *engine, search *s)
{
  const sc_surface_points *points = &engine->points;
  *s = (search){.points = points, .space = &engine->space, .columns = 1};
  for (size_t p = 0; p < points->parameters; p++)
    s->columns *= engine->space.count[p];
  size_t n = points->count, c = s->columns, need = c * (n + c + 3 + CORNERS) + 2 * n;
  SC_TRY(sc_mem_grow(&engine->numbers, &engine->numbers_capacity, need, sizeof *engine->numbers));
  s->x = engine->numbers;
  s->gram = s->x + c * n;
  s->xy = s->gram + c * c;
  s->norm = s->xy + c;
  s->cost = s->norm + c;
  s->corner = s->cost + c;
  s->y = s->corner + c * CORNERS;
  s->left = s->y + n;
  fill(s);
  return 0;
}

static bool same(const set *a, const set *b)
{
  return a->count == b->count && memcmp(a->column, b->column, a->count * sizeof *a->column) == 0;
}

static void insert(set *list, size_t *count, size_t most, const set *one)
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

/* A set of columns with its Cholesky factor, coefficients and residual. */
typedef struct basis {
  set set;
  double l[SC_SURFACE_TERMS][SC_SURFACE_TERMS], coefficient[SC_SURFACE_TERMS];
} basis;

static bool solve(search *s, const set *of, basis *parent)
{
  double z[SC_SURFACE_TERMS];
  size_t n = s->points->count;
  parent->set = *of;
  for (size_t i = 0; i < of->count; i++) {
    double pivot = s->gram[of->column[i] * s->columns + of->column[i]], side = s->xy[of->column[i]];
    for (size_t j = 0; j < i; j++) {
      double sum = s->gram[of->column[i] * s->columns + of->column[j]];
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

/* A count is not negative where it was measured, nor far beyond, and no difference of parts that nearly cancel. */
static bool sane(const search *s, const unsigned short *column, const double *coefficient, size_t count)
{
  for (size_t k = 0; k < CORNERS; k++) {
    double sum = 0, parts = 0;
    for (size_t j = 0; j < count; j++) {
      double part = coefficient[j] * s->corner[column[j] * CORNERS + k];
      sum += part;
      parts += fabs(part);
    }
    if (!(sum >= -negative_share * parts) || (k == 0 && parts > cancelling * sum))
      return false;
  }
  return true;
}

static double prior(const search *s, const set *one)
{
  double cost = 0, possible = 0;
  bool growing = false;
  for (size_t j = 0; j < one->count; j++) {
    cost += s->cost[one->column[j]];
    growing = growing || one->column[j] > 0;
    possible += log((double)(s->columns - j) / (double)(j + 1));
  }
  /* The more sums of a size there are, the less likely is each: Chen and Chen's extended BIC (Biometrika 95, 2008),
   * with gamma = 1/2. */
  return cost + possible + (growing ? growing_cost : 0);
}

static size_t free_of(const search *s, const set *one)
{
  bool used[SC_SURFACE_PARAMETERS] = {false};
  for (size_t j = 0; j < one->count; j++) {
    size_t c = one->column[j];
    for (size_t p = 0; p < s->points->parameters; c /= s->space->count[p++])
      used[p] = used[p] || s->space->factor[p][c % s->space->count[p]].free;
  }
  return (size_t)used[0] + used[1] + used[2];
}

/* What column c adds to the parent: its part along the parent's columns, and how far it leads off them. */
static bool project(const search *s, const basis *parent, size_t c, double *v, double *pivot)
{
  *pivot = 1;
  if (s->norm[c] == 0)
    return false;
  for (size_t i = 0; i < parent->set.count; i++) {
    if (parent->set.column[i] == c)
      return false;
    v[i] = s->gram[c * s->columns + parent->set.column[i]];
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

/* All sums of one more term than the parent; good ones go into the next beam, those that may be counts are found. */
static void extend(search *s, const basis *parent, size_t from, set *beam, size_t *beamed)
{
  size_t n = s->points->count, k = parent->set.count;
  for (size_t c = from; c < s->columns; c++) {
    double v[SC_SURFACE_TERMS], coefficient[SC_SURFACE_TERMS], pivot, along = 0;
    if (!project(s, parent, c, v, &pivot))
      continue;
    for (size_t i = 0; i < n; i++)
      along += s->left[i] * s->x[c * n + i];
    set one = parent->set;
    one.column[one.count++] = (unsigned short)c;
    one.rss = fmax(0, parent->set.rss - along * along / pivot);
    one.score = sc_surface_score(s->points, one.rss + s->rounding, NAN, one.count + free_of(s, &one), prior(s, &one));
    bool wanted = s->found_count < SC_SURFACE_FINALISTS || one.score < s->found[s->found_count - 1].score;
    if (wanted) {
      adjust(parent, v, along / pivot, coefficient);
      wanted = sane(s, one.column, coefficient, one.count);
    }
    for (size_t at = k; at > 0 && one.column[at - 1] > c; at--) { /* ascending: equal sets look equal */
      one.column[at] = one.column[at - 1];
      one.column[at - 1] = (unsigned short)c;
    }
    insert(beam, beamed, BEAM, &one);
    if (wanted)
      insert(s->found, &s->found_count, SC_SURFACE_FINALISTS, &one);
  }
}

static void explore(search *s)
{
  set beam[2][BEAM];
  size_t count[2] = {0, 0}, now = 0;
  basis parent = {.set = {.rss = s->yy}};
  size_t most = s->points->count - 1 < SC_SURFACE_TERMS ? s->points->count - 1 : SC_SURFACE_TERMS;
  memcpy(s->left, s->y, s->points->count * sizeof *s->left);
  extend(s, &parent, 0, beam[0], &count[0]);
  for (size_t c = 0; c < s->columns && most > 1; c++) { /* all pairs */
    set one = {.column = {(unsigned short)c}, .count = 1};
    if (s->norm[c] > 0 && solve(s, &one, &parent))
      extend(s, &parent, c + 1, beam[1], &count[1]);
  }
  for (size_t k = 3; k <= most; k++) {
    now = !now;
    count[!now] = 0;
    for (size_t i = 0; i < count[now]; i++)
      if (solve(s, &beam[now][i], &parent))
        extend(s, &parent, 0, beam[!now], &count[!now]);
  }
}

int sc_surface_search(sc_surface_engine *engine)
{
  search s;
  set found[SC_SURFACE_FINALISTS];
  engine->ranks = 0;
  SC_TRY(prepare(engine, &s));
  s.found = found;
  explore(&s);
  for (size_t i = 0; i < s.found_count; i++) {
    sc_surface_candidate *made = &engine->ranked[engine->ranks++];
    *made = (sc_surface_candidate){.count = found[i].count, .score = found[i].score};
    made->parameters = found[i].count + free_of(&s, &found[i]);
    made->cost = prior(&s, &found[i]);
    for (size_t j = 0; j < made->count; j++)
      made->terms[j] = term_of(&engine->space, engine->points.parameters, found[i].column[j]);
  }
  return 0;
}
