/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is chosen among the sums of the space is what examining every one of them says: those with the least score
 * before validation are examined, and the one in the middle of the weight is chosen. */
#include "unit.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "regress/choose/doubt.h"
#include "regress/choose/fit.h"
#include "regress/choose/spread.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/forms/candidate.h"

enum { SIZES = 10, MOST = 40 };
static const double sizes[SIZES] = {20, 35, 57, 100, 160, 290, 453, 800, 1280, 2300};

typedef struct listed {
  double score;
  size_t at; /* in its list */
} listed;

static int by_score(const void *left, const void *right)
{
  const listed *a = left, *b = right;
  return SC_COMPARE(a->score, b->score) ?: SC_COMPARE(a->at, b->at);
}

static bool is_constant(const sc_candidate *c) { return sc_term_is_constant(c->terms, c->count); }

static double cost_of(const sc_points *points, const sc_space_candidate *c)
{
  return points->whole ? c->counted_cost : c->cost;
}

/* The hypotheses that are examined, best first. */
static size_t examine(sc_engine *engine, sc_candidate *out)
{
  const sc_points *points = &engine->points;
  const sc_space *space = &engine->space;
  static listed all[512];
  sc_candidate made[SC_SELECT_FINALISTS + 1];
  size_t count = 0, kept = 0;
  double margin = points->whole ? SC_SELECT_DIFFERENCE_COUNTED : SC_SELECT_DIFFERENCE_MEASURED;
  bool constant = false;
  assert_true(space->candidate_count <= COUNT(all));
  for (size_t i = 0; i < space->candidate_count; i++) {
    const sc_space_candidate *c = &space->candidates[i];
    double left = sc_space_residual(space, c);
    all[i] = (listed){isinf(left) ? INFINITY : sc_candidate_score(points, left, NAN, c->count, cost_of(points, c)), i};
  }
  qsort(all, space->candidate_count, sizeof *all, by_score);
  for (size_t k = 0; k < SC_SELECT_FINALISTS && all[k].score <= all[0].score + margin; k++) {
    const sc_space_candidate *c = &space->candidates[all[k].at];
    sc_candidate one = {.count = c->count, .parameters = c->count, .cost = cost_of(points, c)};
    for (size_t j = 0; j < c->count; j++)
      one.terms[j] = sc_space_term(c->column[j]);
    constant = constant || is_constant(&one);
    made[kept++] = one;
  }
  if (!constant)
    made[kept++] = (sc_candidate){.count = 1, .parameters = 1};
  for (size_t k = 0; k < kept; k++)
    if (sc_candidate_examine(engine, &made[k]) == 0) {
      size_t at = count++;
      for (; at > 0 && out[at - 1].score > made[k].score; at--)
        out[at] = out[at - 1];
      out[at] = made[k];
    }
  return count;
}

/* That whose prediction at 64 times the largest size has half of the weight below it or at it. */
static size_t middle_of(const sc_candidate *list, size_t count, double far)
{
  double total = 0, weight[MOST], value[MOST];
  for (size_t i = 0; i < count; i++) {
    double behind = list[i].score - list[0].score;
    weight[i] = behind > SC_SELECT_MIDDLE ? 0 : exp(-behind / 2);
    value[i] = sc_term_sum(list[i].terms, list[i].count, far);
    total += weight[i];
  }
  for (size_t i = 0; i < count; i++) {
    double below = 0;
    for (size_t k = 0; k < count; k++)
      below += value[k] < value[i] ? weight[k] : 0;
    if (weight[i] > 0 && below < total / 2 && below + weight[i] >= total / 2)
      return i;
  }
  fail_msg("no middle");
  return 0;
}

static size_t chosen_of(const sc_points *points, const sc_candidate *list, size_t count)
{
  if (is_constant(&list[0]) && sc_spread_of(points, &list[0]).variance > SC_SELECT_CONSTANT * SC_SELECT_CONSTANT)
    for (size_t i = 1; i < count && list[i].score <= list[0].score + SC_SELECT_GROWTH; i++)
      if (!is_constant(&list[i]) && list[i].terms[0].coefficient > 0)
        return i;
  /* of counts that grow in proportion or faster the likeliest, or one as good that programs commonly have */
  for (size_t i = 0; points->whole && list[0].terms[0].exponent >= 1 && i < count; i++)
    if (list[i].score <= list[0].score + SC_CANDIDATE_EQUAL && sc_candidate_common(&list[i]) &&
        sc_candidate_left(points, &list[i]) <= 0.1 * gsl_stats_tss(points->y, 1, points->count))
      return i;
  if (points->whole && list[0].terms[0].exponent >= 1)
    return 0;
  return middle_of(list, count, SC_RIVAL_FAR * points->n[points->count - 1]);
}

static double constant(double n) { return 5 + 0 * n; }
static double logarithm(double n) { return log2(n) + 3; }
static double root(double n) { return 7 * sqrt(n) + 1; }
static double line(double n) { return 3 * n + 100; }
static double sorted(double n) { return n * log2(n) + 20 * n; }
static double strange(double n) { return pow(n, 1.31); }
static double square(double n) { return n * n / 40 + 9 * n; }
static double cubic(double n) { return n * n * n / 3000 + 40 * n + 900; }

/* ---- rivals ---- */
/* Hypotheses that lead to about the same value, by the numbers of their members; one stands for all. */
typedef struct together {
  size_t member[MOST], count, stands;
  double mass, mean, square; /* of the logarithms of what they lead to: mean, and sum of squares around it */
} together;

static double temper;

static double mass_of(const sc_candidate *list, size_t chosen, size_t i)
{
  return exp(-(list[i].score - list[chosen].score) / 2 / temper);
}

static void measure_group(const sc_candidate *list, size_t chosen, const double *far, together *g)
{
  g->mass = g->mean = g->square = 0;
  g->stands = g->member[0];
  for (size_t k = 0; k < g->count; k++) {
    size_t i = g->member[k];
    g->mass += mass_of(list, chosen, i);
    g->mean += mass_of(list, chosen, i) * far[i];
    if (i == chosen || (g->stands != chosen && list[i].score < list[g->stands].score))
      g->stands = i;
  }
  g->mean /= g->mass;
  for (size_t k = 0; k < g->count; k++)
    g->square += mass_of(list, chosen, g->member[k]) * pow(far[g->member[k]] - g->mean, 2);
}

/* The nearest neighbours are put together until there are five groups, by what that adds to the squares. */
static size_t group_all(const sc_candidate *list, size_t count, size_t chosen, const double *far, together *groups)
{
  size_t made = 0;
  for (size_t i = 0; i < count; i++) {
    if (i != chosen && (mass_of(list, chosen, i) < SC_RIVALS_MASS_LEAST || isinf(far[i])))
      continue;
    size_t at = made++;
    for (; at > 0 && far[groups[at - 1].member[0]] > far[i]; at--)
      groups[at] = groups[at - 1];
    groups[at] = (together){.member = {i}, .count = 1};
  }
  for (size_t k = 0; k < made; k++)
    measure_group(list, chosen, far, &groups[k]);
  while (made > SC_MODEL_RIVALS + 1) {
    size_t nearest = 0;
    double least = INFINITY;
    for (size_t k = 0; k + 1 < made; k++) {
      together both = groups[k];
      for (size_t m = 0; m < groups[k + 1].count; m++)
        both.member[both.count++] = groups[k + 1].member[m];
      measure_group(list, chosen, far, &both);
      double more = both.square - groups[k].square - groups[k + 1].square;
      if (more < least)
        least = more, nearest = k;
    }
    for (size_t m = 0; m < groups[nearest + 1].count; m++)
      groups[nearest].member[groups[nearest].count++] = groups[nearest + 1].member[m];
    measure_group(list, chosen, far, &groups[nearest]);
    made--;
    for (size_t k = nearest + 1; k < made; k++)
      groups[k] = groups[k + 1];
  }
  return made;
}

/* Whether the model has the rivals that it should; not where a late change added some. */
static bool compare_rivals(const sc_points *points, const sc_candidate *list, size_t count, size_t chosen,
                           const sc_model *model)
{
  static together groups[MOST];
  temper = points->whole ? SC_RIVALS_TEMPER_COUNTED : SC_RIVALS_TEMPER_MEASURED;
  double far[MOST], at = SC_RIVAL_FAR * points->n[points->count - 1];
  for (size_t i = 0; i < model->rival_count; i++)
    if (model->rivals[i].error < 0)
      return false;
  for (size_t i = 0; i < count; i++) {
    double value = sc_term_sum(list[i].terms, list[i].count, at);
    far[i] = value > 0 || i == chosen ? log(fmax(value, points->y_max * 1e-6)) : INFINITY;
  }
  size_t made = group_all(list, count, chosen, far, groups);
  assert_int_equal(model->rival_count, made - 1);
  for (size_t k = 0, rank; k < made; k++) {
    const together *g = &groups[k];
    const sc_candidate *c = &list[g->stands];
    sc_spread spread = sc_spread_of(points, c);
    double inner = sqrt(g->square / g->mass + pow(far[g->stands] - g->mean, 2));
    if (g->stands == chosen) {
      unit_near(model->mass, g->mass);
      unit_near(model->drift, hypot(spread.drift, inner / log(at / spread.n_center)));
      continue;
    }
    rank = 0; /* the likeliest first */
    for (size_t j = 0; j < made; j++)
      rank += groups[j].stands != chosen && list[groups[j].stands].score < c->score;
    const sc_rival *rival = &model->rivals[rank];
    unit_near(rival->weight, fmin(1, exp(-(c->score - list[chosen].score) / 2)));
    unit_near(rival->mass, g->mass);
    unit_near(rival->error, c->forward_error);
    unit_near_by(sc_term_sum(rival->terms, rival->term_count, at), sc_term_sum(c->terms, c->count, at), 1e-8);
    unit_near(rival->deviation[0], sc_spread_deviation(&spread, c, SC_RIVAL_NEAR * model->n_max));
    unit_near(rival->deviation[1], hypot(sc_spread_deviation(&spread, c, at), inner));
  }
  return true;
}

typedef struct tried {
  /* Where the middle is not the likeliest; where a constant gave way; where rivals were compared, and how many. */
  size_t all, moved, constants, outgrown, with_rivals, rivals, counts;
} tried;

/* A model whose largest size is more than three times its value, by more than two errors of the repeats there, gives
 * way to the power law from the last size that is 1.5 times smaller. */
static bool is_outgrown(const sc_points *points, const sc_candidate *c, const sc_model *model)
{
  size_t last = points->count - 1, from = last;
  double value = fmax(0, sc_term_sum(c->terms, c->count, points->n[last]));
  double least = points->y[last] - 2 * sqrt(sc_points_noise(points, last)) * points->scale[last];
  if (!(least > 3 * value))
    return false;
  while (from > 0 && points->n[from] * 1.5 > points->n[last])
    from--;
  double e = log(points->y[last] / points->y[from]) / log(points->n[last] / points->n[from]);
  assert_int_equal(model->verdict, SC_VERDICT_CANNOT_TELL);
  assert_int_equal(model->term_count, e > 0 ? 1 : c->count);
  if (e > 0) {
    unit_near(model->terms[0].exponent, e);
    unit_near(model->terms[0].coefficient, points->y[last] / pow(points->n[last], e));
  }
  return true;
}

/* Whether doubt about counts, an exact end or a last level has a say in what is chosen: other tests are about that. */
static bool is_doubted(const sc_points *points, const sc_candidate *chosen, const sc_model *model)
{
  return points->counts && (!sc_doubt_proven(points, chosen) || model->exact || model->n_min > points->n[0] ||
                            chosen->terms[0].exponent > 1.2 || is_constant(chosen));
}

static void compare(double (*f)(double), double noise, size_t count, size_t repeats, bool counts, int space, tried *t)
{
  double n[MOST], y[MOST];
  sc_fit_options options = SC_FIT_OPTIONS_DEFAULT;
  sc_engine engine = {.options = &options};
  sc_candidate list[MOST];
  sc_model model;
  sc_term terms[SC_MODEL_TERMS];
  options.space = space;
  for (size_t i = 0; i < count * repeats; i++) {
    n[i] = sizes[i / repeats];
    y[i] = f(n[i]) * exp(noise * 1.5 * sin(37.3 * (double)((counts ? i / repeats : i) + t->all)));
    y[i] = counts ? round(y[i]) : y[i];
  }
  const sc_series series = {n, y, count * repeats, counts};
  assert_int_equal(sc_wls_new(&engine.wls), 0);
  assert_int_equal(sc_space_new(&engine.space, space != SC_FIT_SPACE_TERMS), 0);
  assert_int_equal(sc_points_gather(&series, &engine.points), 0);
  assert_int_equal(sc_space_prepare(&engine.space, &engine.points), 0);
  engine.points.stairs = counts ? sc_doubt_stairs(&engine.points) : 0;
  sc_space_gather(&engine.space, &engine.points);
  size_t ranks = examine(&engine, list), at = chosen_of(&engine.points, list, ranks);
  assert_int_equal(sc_fit_select(&series, &options, &model), 0);
  t->all++;
  t->moved += at > 0;
  t->constants += is_constant(&list[0]) && !is_constant(&list[at]);
  if (is_doubted(&engine.points, &list[at], &model))
    goto out;
  t->counts += counts;
  if (is_outgrown(&engine.points, &list[at], &model)) {
    t->outgrown++;
    goto out;
  }
  memcpy(terms, list[at].terms, sizeof terms);
  size_t kept = sc_term_sort(terms, list[at].count, NULL);
  bool same = model.term_count == kept;
  for (size_t i = 0; same && i < kept; i++)
    same = terms[i].exponent == model.terms[i].exponent && terms[i].log_exponent == model.terms[i].log_exponent &&
           fabs(terms[i].coefficient / model.terms[i].coefficient - 1) < 1e-9;
  if (!same)
    fail_msg("noise %g, %zu sizes, %zu repeats, space %d: n^%g chosen, n^%g expected", noise, count, repeats, space,
             model.terms[0].exponent, terms[0].exponent);
  unit_near(model.error, list[at].forward_error);
  unit_near(model.n_center, sc_spread_of(&engine.points, &list[at]).n_center);
  assert_true(counts ||
              (model.verdict == SC_VERDICT_MODEL) ==
                  (is_constant(&list[at]) ? model.sigma <= SC_SELECT_CONSTANT : model.r2 >= options.r2_threshold));
  if (compare_rivals(&engine.points, list, ranks, at, &model))
    t->with_rivals++, t->rivals += model.rival_count;
out:
  sc_points_free(&engine.points);
  sc_space_free(&engine.space);
  sc_wls_free(engine.wls);
}

TEST(the_middle_of_all_sums_is_chosen)
{
  static double (*const functions[])(double) = {constant, logarithm, root, line, sorted, strange, square, cubic};
  static const double noises[] = {0.003, 0.03, 0.1, 0.3, 0.5, 0.8, 1.2};
  tried t = {0};
  for (size_t f = 0; f < COUNT(functions); f++)
    for (size_t k = 0; k < COUNT(noises); k++)
      for (size_t count = 6; count <= SIZES; count += 2)
        for (size_t repeats = 1; repeats <= 3; repeats += 2) {
          compare(functions[f], noises[k], count, repeats, false, SC_FIT_SPACE_SUMS, &t);
          compare(functions[f], noises[k], count, repeats, false, SC_FIT_SPACE_TERMS, &t);
          compare(functions[f], noises[k], count, repeats, true, SC_FIT_SPACE_SUMS, &t);
        }
  assert_true(t.moved > 50 && t.constants > 20 && t.outgrown > 3 && t.with_rivals > 600 && t.rivals > 1000 &&
              t.counts > 100);
}
