/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the searches say of noisy points with unequal repeats is what least squares by another way say: of every sum of
 * products, of every pair of growths along lines, and of every growth of points without lines. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "regress/core/term.h"
#include "regress/surface/columns.h"
#include "regress_surface_scene.h"

enum { MOST = SURFACE_POINTS, MOST_COLUMNS = 24 };

/* Deviations of some percent, the same in every run. */
static double noise(size_t i) { return 1 + 0.03 * sin(37.0 * (double)i + 0.3) + 0.02 * cos(11.0 * (double)(i * i)); }

/* ---- least squares ---- */

typedef struct squares {
  long double column[MOST_COLUMNS][MOST], y[MOST];
  size_t count, columns;
} squares;

/* Householder would do as well: columns are made orthogonal one after the other, twice. What is left of y; and the
 * coefficients, unless NULL. */
static double solve(const squares *given, double *coefficient)
{
  static squares s;
  long double r[MOST_COLUMNS][MOST_COLUMNS] = {{0}}, right[MOST_COLUMNS], left = 0;
  s = *given;
  for (size_t c = 0; c < s.columns; c++) {
    for (size_t pass = 0; pass < 2 * c; pass++) {
      long double along = 0;
      for (size_t i = 0; i < s.count; i++)
        along += s.column[pass % c][i] * s.column[c][i];
      for (size_t i = 0; i < s.count; i++)
        s.column[c][i] -= along * s.column[pass % c][i];
      r[pass % c][c] += along;
    }
    for (size_t i = 0; i < s.count; i++)
      r[c][c] += s.column[c][i] * s.column[c][i];
    r[c][c] = sqrtl(r[c][c]);
    right[c] = 0;
    for (size_t i = 0; i < s.count; i++)
      right[c] += (s.column[c][i] /= r[c][c]) * s.y[i];
    for (size_t i = 0; i < s.count; i++)
      s.y[i] -= right[c] * s.column[c][i];
  }
  for (size_t i = 0; i < s.count; i++)
    left += s.y[i] * s.y[i];
  for (size_t c = s.columns; coefficient && c-- > 0;) {
    for (size_t d = c + 1; d < s.columns; d++)
      right[c] -= r[c][d] * (long double)coefficient[d];
    coefficient[c] = (double)(right[c] / r[c][c]);
  }
  return (double)left;
}

static double weight_of(const sc_surface_points *points, size_t i)
{
  return sqrt(points->repeats[i]) / points->scale[i];
}

/* ---- points ---- */

typedef struct scene {
  surface_scene of;
  double at[MOST][3], y[MOST];
  size_t count;
} scene;

static void add(scene *s, double n, double t, double y)
{
  size_t repeats = 1 + s->count * s->count % 3;
  for (size_t r = 0; r < repeats; r++) {
    s->at[s->count][0] = n, s->at[s->count][1] = t, s->at[s->count][2] = 1;
    s->y[s->count] = y * noise(s->count);
    s->count++;
  }
}

/* Beside two parameters that vary there may be a third that does not. */
static void gather(scene *s, size_t parameters)
{
  double at[MOST * 3];
  for (size_t i = 0; i < s->count; i++)
    memcpy(at + i * parameters, s->at[i], parameters * sizeof *at);
  sc_surface_series series = {.at = at, .y = s->y, .count = s->count, .parameters = parameters};
  surface_begin(&s->of, &series);
}

static void end(scene *s)
{
  surface_end(&s->of);
  free(s);
}

/* ---- sums of products ---- */

enum { FACTORS = 3, COLUMNS = FACTORS * FACTORS };
static const double exponents[2][FACTORS] = {{0, 1, 2}, {0, 1, -1}}, costs[2][FACTORS] = {{0, 0.5, 2}, {0, 3, 4}};
static const double ns[] = {10, 20, 40, 80, 160}, ts[] = {1, 2, 4, 8, 16};

static double product(size_t column, const double *at)
{
  return pow(at[0], exponents[0][column % FACTORS]) * pow(at[1], exponents[1][column / FACTORS]);
}

static scene *begin_search(double (*f)(double n, double t), size_t parameters, bool free)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  for (size_t i = 0; i < COUNT(ns) * COUNT(ts); i++)
    add(s, ns[i / COUNT(ts)], ts[i % COUNT(ts)], f(ns[i / COUNT(ts)], ts[i % COUNT(ts)]));
  gather(s, parameters);
  for (size_t p = 0; p < 2; p++) {
    s->of.engine.space.count[p] = FACTORS;
    for (size_t k = 0; k < FACTORS; k++)
      s->of.engine.space.factor[p][k] =
          (sc_surface_factor){{1, exponents[p][k], 0, 0, SC_SHAPE_PLAIN, 0}, costs[p][k], free && k == 2};
  }
  s->of.engine.space.count[2] = 1;
  s->of.engine.space.factor[2][0] = (sc_surface_factor){.term = {.coefficient = 1}};
  return s;
}

typedef struct rated {
  double score;
  unsigned set; /* a bit for each column */
} rated;

static int by_score(const void *left, const void *right)
{
  const rated *a = left, *b = right;
  return SC_COMPARE(a->score, b->score);
}

/* What the set's least squares are worth, if it may be counts. */
static bool rate(scene *s, const sc_surface_columns *columns, unsigned set, rated *made)
{
  static squares q;
  const sc_surface_points *points = &s->of.engine.points;
  sc_surface_set listed = {.rss = 1};
  double coefficient[SC_SURFACE_TERMS];
  uint64_t bits = 0;
  double cost = 0;
  q.count = points->count, q.columns = 0;
  for (size_t c = 0; c < COLUMNS; c++) {
    if (!(set >> c & 1))
      continue;
    for (size_t i = 0; i < q.count; i++)
      q.column[q.columns][i] = product(c, points->at + i * points->parameters) * weight_of(points, i);
    q.columns++;
    listed.column[listed.count++] = (unsigned short)c;
    bits |= columns->bits[c];
    cost += columns->cost[c];
  }
  for (size_t i = 0; i < q.count; i++)
    q.y[i] = points->y[i] * weight_of(points, i);
  double left = solve(&q, coefficient);
  for (size_t j = 0; j < listed.count; j++)
    coefficient[j] *= columns->norm[listed.column[j]];
  size_t numbers = listed.count + sc_surface_columns_free(columns, bits);
  *made = (rated){sc_surface_score(points, left + columns->rounding, NAN, numbers,
                                   sc_surface_columns_prior(columns, listed.count, cost, bits)),
                  set};
  return sc_surface_columns_sane(columns, &listed, coefficient);
}

static unsigned set_of(const sc_surface_candidate *c)
{
  unsigned set = 0;
  for (size_t j = 0; j < c->count; j++)
    for (size_t column = 0; column < COLUMNS; column++)
      if (c->terms[j].factor[0].exponent == exponents[0][column % FACTORS] &&
          c->terms[j].factor[1].exponent == exponents[1][column / FACTORS])
        set |= 1u << column;
  return set;
}

/* Of all sums of one and two products the best are kept, best first; of larger ones good ones with their own score. */
static void search_all(double (*f)(double n, double t), size_t parameters, bool free)
{
  scene *s = begin_search(f, parameters, free);
  sc_surface_columns columns;
  sc_surface_pair any = {0, 1, SC_SURFACE_ANY};
  rated all[COLUMNS * COLUMNS], one;
  size_t at = 0, larger = 0;
  assert_int_equal(sc_surface_search(&s->of.engine, &any), 0);
  size_t ranks = s->of.engine.ranks;
  assert_int_equal(sc_surface_columns_fill(&s->of.engine, &any, &columns), 0);
  for (size_t k = 1; k <= 2; k++) {
    size_t count = 0;
    for (unsigned set = 1; set < 1u << COLUMNS; set++)
      if ((size_t)__builtin_popcount(set) == k && rate(s, &columns, set, &one))
        all[count++] = one;
    qsort(all, count, sizeof *all, by_score);
    for (size_t i = 0; i < count && i < SC_SURFACE_FINALISTS / SC_SURFACE_TERMS; i++, at++) {
      assert_true(at < ranks);
      unit_near(s->of.engine.ranked[at].score, all[i].score);
      assert_int_equal(set_of(&s->of.engine.ranked[at]), all[i].set);
    }
  }
  for (; at < ranks; at++, larger++) {
    assert_true(s->of.engine.ranked[at].count > 2);
    assert_true(rate(s, &columns, set_of(&s->of.engine.ranked[at]), &one));
    unit_near_by(s->of.engine.ranked[at].score, one.score, 1e-7);
  }
  assert_true(larger > 6);
  end(s);
}

static double sum(double n, double t) { return 3 * n * t + 40 * n + 500 / t; }
static double square(double n, double t) { return n * n + 30 * n * t + 2000; }
static double shared(double n, double t) { return 200 * n / t + 0.3 * n * n + 100 * t; }

TEST(sums_of_products_have_the_score_of_their_least_squares)
{
  static double (*const functions[])(double, double) = {sum, square, shared};
  for (size_t i = 0; i < COUNT(functions); i++)
    for (size_t parameters = 2; parameters <= 3; parameters++)
      for (int free = 0; free <= 1; free++)
        search_all(functions[i], parameters, free);
}

static double six(double n, double t) { return (n * n + 30 * n + 2000) * (t + 2); }

/* Products of what the parameters' lines look like are tried for themselves, up to six terms. */
TEST(products_of_the_sets_of_lines_are_all_tried)
{
  scene *s = begin_search(six, 2, false);
  bool all = false;
  static const size_t sets[2][2][2] = {{{2, 0}, {1, 2}}, {{2, 0}, {1, 0}}}; /* the second of each has what it takes */
  for (size_t p = 0; p < 2; p++) {
    s->of.engine.space.sets[p] = 2;
    memcpy(s->of.engine.space.set[p], sets[p], sizeof sets[p]);
  }
  assert_int_equal(sc_surface_search(&s->of.engine, &(sc_surface_pair){0, 1, SC_SURFACE_ANY}), 0);
  for (size_t i = 0; i < s->of.engine.ranks; i++) {
    all = all || set_of(&s->of.engine.ranked[i]) == 0x3f;
    for (size_t k = 0; k < i; k++) /* nothing is there twice, though it is found both ways */
      assert_int_not_equal(set_of(&s->of.engine.ranked[i]), set_of(&s->of.engine.ranked[k]));
  }
  assert_true(all);
  end(s);
}

/* ---- lines ---- */

static double growth(size_t column, double x)
{
  sc_term term = sc_surface_lines_term(column);
  return pow(x, term.exponent) * pow(log2(x), term.log_exponent);
}

/* Of one line: what the growths i and j, with a constant or not, leave. */
static double left_of_line(const sc_surface_points *points, const size_t *index, size_t count, size_t i, size_t j,
                           size_t constant)
{
  static squares q;
  size_t set[] = {i, j, 0}, growths = i == j ? 1 : 2;
  set[growths] = 0;
  q.count = count, q.columns = growths + constant;
  for (size_t k = 0; k < count; k++) {
    double weight = weight_of(points, index[k]);
    q.y[k] = points->y[index[k]] * weight;
    for (size_t c = 0; c < q.columns; c++)
      q.column[c][k] = growth(set[c], points->at[index[k] * points->parameters]) * weight;
  }
  return q.columns >= count ? 0 : solve(&q, NULL);
}

/* The better of the pair with a constant on each line and without. */
static double pair_score(const scene *s, size_t i, size_t j)
{
  const sc_surface_points *points = &s->of.engine.points;
  const sc_surface_lines *lines = &s->of.engine.lines[0];
  double best = INFINITY, cost = sc_surface_lines_cost(i) + (i == j ? 0 : sc_surface_lines_cost(j));
  for (size_t constant = 0; constant <= 1; constant++) {
    double left = 0;
    size_t fitted = 0, observations = 0, numbers = (i == j ? 1 : 2) + constant;
    for (size_t l = 0; l < lines->count; l++) {
      size_t count = lines->start[l + 1] - lines->start[l];
      if (count < 3)
        continue;
      left += left_of_line(points, lines->index + lines->start[l], count, i, j, constant);
      fitted += numbers < count ? numbers : count;
      observations += count;
    }
    best = fmin(best, sc_surface_lines_score(&s->of.engine, observations, left, fitted, cost));
  }
  return best;
}

static double along(double n, double t) { return (2 + t) * n * log2(n) + 300 / t; }

/* Lines of six, four, three and two sizes, the last one too short. */
TEST(growths_along_lines_have_the_score_of_their_least_squares)
{
  static const double n[] = {20, 50, 90, 200, 450, 1000};
  static const size_t sizes[] = {6, 6, 4, 3, 2};
  scene *s = calloc(1, sizeof *s);
  sc_surface_rating rating;
  assert_non_null(s);
  for (size_t l = 0; l < COUNT(sizes); l++)
    for (size_t i = 0; i < sizes[l]; i++)
      add(s, n[i], ts[l], along(n[i], ts[l]));
  gather(s, 2);
  sc_surface_lines_rate(&s->of.engine, 0, &rating);
  assert_true(rating.lines && rating.pairs == SC_SURFACE_PAIRS);
  double least = INFINITY, scores[SC_SURFACE_GROWTHS + 1];
  for (size_t i = 1; i <= SC_SURFACE_GROWTHS; i++)
    scores[i] = INFINITY;
  for (size_t i = 1; i <= SC_SURFACE_GROWTHS; i++)
    for (size_t j = i; j <= SC_SURFACE_GROWTHS; j++) {
      double score = pair_score(s, i, j);
      scores[i] = fmin(scores[i], score), scores[j] = fmin(scores[j], score), least = fmin(least, score);
    }
  for (size_t i = 1; i <= SC_SURFACE_GROWTHS; i++)
    unit_near_by(rating.score[i], scores[i], 1e-6);
  unit_near_by(rating.pair_score[0], least, 1e-6);
  for (size_t k = 0; k < rating.pairs; k++) {
    size_t i = rating.pair[k][0], j = rating.pair[k][1] ? rating.pair[k][1] : i;
    unit_near_by(rating.pair_score[k], pair_score(s, i, j), 1e-6);
  }
  end(s);
}

/* ---- numbers that are searched for ---- */

typedef double shape(double x, double number);
static double power(double x, double e) { return pow(x, e); }
static double hyperbolic(double x, double scale) { return x / (x + scale); }
static double approach(double x, double scale) { return -expm1(-x / scale); }

/* What the function with this number leaves on all lines of three points and more, beside a constant of each or not. */
static double left_of(const scene *s, size_t p, shape *of, double number, bool constant)
{
  static squares q;
  const sc_surface_points *points = &s->of.engine.points;
  const sc_surface_lines *lines = &s->of.engine.lines[p];
  double left = 0;
  q.columns = 1 + constant;
  for (size_t l = 0; l < lines->count; l++) {
    q.count = lines->start[l + 1] - lines->start[l];
    for (size_t k = 0; k < q.count; k++) {
      size_t i = lines->index[lines->start[l] + k];
      double weight = weight_of(points, i);
      q.y[k] = points->y[i] * weight;
      q.column[0][k] = of(points->at[i * points->parameters + p], number) * weight;
      q.column[1][k] = weight;
    }
    left += q.count < 3 ? 0 : solve(&q, NULL);
  }
  return left;
}

/* The least that any of the numbers leaves. */
static double least_left(const scene *s, size_t p, shape *of, const double *range, bool constant)
{
  double least = INFINITY;
  for (int i = 0; i <= 400; i++) {
    double number =
        of == power ? range[0] + (range[1] - range[0]) * i / 400 : range[0] * pow(range[1] / range[0], i / 400.0);
    if (fabs(number) > 0.03)
      least = fmin(least, left_of(s, p, of, number, constant));
  }
  return least;
}

static scene *begin_lines(double (*f)(double n, double t))
{
  static const double n[] = {20, 50, 90, 200, 450, 1000}, t[] = {1, 2, 4, 9, 20};
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  for (size_t i = 0; i < COUNT(n) * COUNT(t); i++)
    if (i % 11 != 5 || i < 20) /* a line is shorter */
      add(s, n[i / COUNT(t)], t[i % COUNT(t)], f(n[i / COUNT(t)], t[i % COUNT(t)]));
  gather(s, 2);
  return s;
}

static double free_alone(double n, double t) { return (2 + t) * pow(n, 1.3); }
static double free_beside(double n, double t) { return (2 + t) * pow(n, 1.3) + 3e5 / t; }
static double free_falling(double n, double t) { return 1e5 * t * pow(n, -0.4); }

/* A constant is taken where it leaves less than a quarter. */
TEST(free_powers_leave_the_least_squares)
{
  static double (*const functions[])(double, double) = {free_alone, free_beside, free_falling};
  static const double range[] = {-2, 5};
  for (size_t i = 0; i < COUNT(functions); i++) {
    scene *s = begin_lines(functions[i]);
    sc_surface_factor factor;
    double with = least_left(s, 0, power, range, true), alone = least_left(s, 0, power, range, false);
    bool constant = with < alone / 4;
    assert_true(constant == (i == 1) && sc_surface_free_power(&s->of.engine, 0, &factor));
    double e = factor.term.exponent, left = left_of(s, 0, power, e, constant);
    assert_true(left <= (constant ? with : alone));
    assert_true(left < left_of(s, 0, power, e - 1e-3, constant) && left < left_of(s, 0, power, e + 1e-3, constant));
    end(s);
  }
}

static double limited(double n, double t) { return n * 40 * t / (t + 6); }
static double limited_beside(double n, double t) { return n * (40 * t / (t + 6) + 20); }
static double filling(double n, double t) { return n * 40 * -expm1(-t / 5); }

/* The shape with the better score, if that is better than what there is. */
TEST(limits_leave_the_least_squares)
{
  static double (*const functions[])(double, double) = {limited, limited_beside, filling};
  static const double range[] = {0.25, 80};
  for (size_t i = 0; i < COUNT(functions); i++) {
    scene *s = begin_lines(functions[i]);
    const sc_surface_points *points = &s->of.engine.points;
    sc_surface_factor factor;
    assert_true(sc_surface_free_limit(&s->of.engine, 1, INFINITY, &factor));
    assert_int_equal(factor.term.shape, i == 2 ? SC_SHAPE_APPROACH : SC_SHAPE_HYPERBOLIC);
    shape *of = i == 2 ? approach : hyperbolic;
    double with = least_left(s, 1, of, range, true), alone = least_left(s, 1, of, range, false);
    bool constant = with < alone / 4;
    double scale = factor.term.scale, left = left_of(s, 1, of, scale, constant);
    assert_true(left <= (constant ? with : alone) * (1 + 1e-9));
    assert_true(left <= left_of(s, 1, of, scale * 1.001, constant) &&
                left <= left_of(s, 1, of, scale / 1.001, constant));
    size_t lines = s->of.engine.lines[1].count, numbers = 1 + lines * (constant ? 2 : 1);
    double score = sc_surface_lines_score(&s->of.engine, s->of.engine.lines[1].start[lines], left, numbers, 10);
    assert_true(sc_surface_free_limit(&s->of.engine, 1, score + 1e-6, &factor));
    assert_false(sc_surface_free_limit(&s->of.engine, 1, score - 1e-6, &factor));
    assert_true(points->count == s->of.engine.lines[1].start[lines]); /* all are in lines */
    end(s);
  }
}

/* ---- points without lines ---- */

static double anywhere(double n, double t) { return (3 * t + 2) * pow(n, 1.5) + 100 * t; }

/* Each growth is fitted with 1, t, 1/t and log t, alone and times these; a parameter with one value adds no column. */
TEST(growths_without_lines_have_the_score_of_their_least_squares)
{
  static squares q;
  for (size_t parameters = 2; parameters <= 3; parameters++) {
    scene *s = calloc(1, sizeof *s);
    sc_surface_rating rating = {.pairs = 0};
    assert_non_null(s);
    for (size_t i = 0; i < 18; i++) {
      double n = 20 * pow(1.3, (double)i), t = 1.5 + (double)(i * 7 % 18) / 2;
      add(s, n, t, anywhere(n, t));
    }
    gather(s, parameters);
    const sc_surface_points *points = &s->of.engine.points;
    assert_int_equal(sc_surface_scatter_rate(&s->of.engine, 0, &rating), 0);
    for (size_t g = 1; g <= SC_SURFACE_GROWTHS; g++) {
      q.count = points->count, q.columns = 8;
      for (size_t i = 0; i < q.count; i++) {
        const double *at = points->at + i * parameters;
        const double of_t[] = {1, at[1], 1 / at[1], log2(at[1])};
        q.y[i] = points->y[i] * weight_of(points, i);
        for (size_t c = 0; c < q.columns; c++)
          q.column[c][i] = of_t[c % 4] * (c < 4 ? 1 : growth(g, at[0])) * weight_of(points, i);
      }
      double score =
          sc_surface_lines_score(&s->of.engine, points->observations, solve(&q, NULL), 8, sc_surface_lines_cost(g));
      unit_near_by(rating.score[g], score, 1e-6);
    }
    assert_int_equal(rating.pairs, SC_SURFACE_PAIRS);
    end(s);
  }
}
