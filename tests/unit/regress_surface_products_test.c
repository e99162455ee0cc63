/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of six products of what the lines of each parameter look like: too many terms for the beam, so that they are
 * found where the sets of functions are tried, and not elsewhere. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "regress/surface/columns.h"

enum { FACTORS = 10, FACTORS_OF_THREE = 7, SIDE = 5, POINTS = SIDE * SIDE * SIDE, SETS = 3 };
static const double exponents[FACTORS] = {0, 1, 2, 3, 0.5, 1.5, 2.5, -1, -0.5, -2};
static const double values[3][SIDE] = {{10, 20, 50, 80, 300}, {1, 2, 4, 8, 30}, {3, 7, 8, 20, 90}};

/* The two functions of each of up to three parameters, and the place of their set in its list. */
typedef struct scene {
  size_t parameters, sets[3], place[3];
  size_t functions[3][2]; /* the second may be 0 */
} scene;

static double factor_of(size_t p, size_t k, double x) { return pow(x / values[p][2], exponents[k]); }

/* A product of the sums of all functions of the parameters, six terms of it. */
static double value(const scene *s, const double *at)
{
  double sum = 0;
  size_t terms = 0;
  for (size_t i = 0; i < 27; i++) {
    const size_t which[] = {i % 3, i / 3 % 3, i / 9};
    double part = 1 + 0.07 * (double)i;
    bool in = true;
    for (size_t p = 0; p < 3; p++) {
      in = in && (which[p] == 0 || (p < s->parameters && s->functions[p][which[p] - 1]));
      part *= in && which[p] ? factor_of(p, s->functions[p][which[p] - 1], at[p]) : 1;
    }
    if (in && terms < SC_SURFACE_TERMS)
      sum += part, terms++;
  }
  return 1000 * sum;
}

static sc_surface_engine engine;

static void search(const scene *s)
{
  double at[POINTS * 3], y[POINTS];
  size_t count = 0;
  engine = (sc_surface_engine){.options = SC_FIT_OPTIONS_DEFAULT};
  for (size_t p = 0; p < s->parameters; p++) {
    engine.space.count[p] = s->sets[p] == 0 ? 1 : s->parameters < 3 || s->sets[0] == 0 ? FACTORS : FACTORS_OF_THREE;
    engine.space.sets[p] = s->sets[p];
    for (size_t f = 0; f < engine.space.count[p]; f++)
      engine.space.factor[p][f] = (sc_surface_factor){{1, exponents[f], 0, 0, SC_SHAPE_PLAIN, 0}, 1, false};
    for (size_t i = 0; i < s->sets[p]; i++) /* at other places functions that it does not have */
      for (size_t k = 0; k < 2; k++)
        engine.space.set[p][i][k] = i == s->place[p] ? s->functions[p][k] : k ? 0 : engine.space.count[p] - 1;
  }
  for (size_t i = 0; i < POINTS; i++) {
    const double x[] = {values[0][i % SIDE], values[1][i / SIDE % SIDE], values[2][i / SIDE / SIDE]};
    if (s->parameters < 3 && i >= SIDE * SIDE)
      break;
    memcpy(at + count * s->parameters, x, s->parameters * sizeof *x);
    y[count] = value(s, x) * (1 + 0.001 * sin(37.0 * (double)count));
    count++;
  }
  const sc_surface_series series = {.at = at, .y = y, .count = count, .parameters = s->parameters};
  assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
  assert_int_equal(sc_surface_search(&engine, &(sc_surface_pair){0, 1, SC_SURFACE_ANY}), 0);
}

/* Whether a hypothesis of six terms has no other functions than the scene. */
static bool found(const scene *s)
{
  bool any = false;
  search(s);
  for (size_t i = 0; i < engine.ranks; i++) {
    bool all = engine.ranked[i].count == SC_SURFACE_TERMS;
    for (size_t j = 0; j < engine.ranked[i].count; j++)
      for (size_t p = 0; p < s->parameters; p++) {
        double e = engine.ranked[i].terms[j].factor[p].exponent;
        all = all && (e == 0 || e == exponents[s->functions[p][0]] || e == exponents[s->functions[p][1]]);
      }
    any = any || all;
  }
  sc_surface_points_free(&engine.points);
  free(engine.numbers);
  return any;
}

TEST(products_of_sets_are_found_at_any_place)
{
  for (size_t place = 0; place < SETS; place++) {
    assert_true(found(&(scene){2, {SETS, 1, 0}, {place, 0, 0}, {{1, 2}, {3, 0}, {0}}}));
    assert_true(found(&(scene){2, {1, SETS, 0}, {0, place, 0}, {{1, 2}, {3, 0}, {0}}}));
    assert_true(found(&(scene){2, {SETS, SETS, 0}, {place, 2 - place, 0}, {{1, 2}, {3, 0}, {0}}}));
  }
  assert_false(found(&(scene){2, {1, 1, 0}, {1, 0, 0}, {{1, 2}, {3, 0}, {0}}})); /* not listed, and so not found */
}

/* Of three parameters that have sets two each are tried; one of two values has none, and does not end the list. */
TEST(products_of_three_parameters)
{
  for (size_t k = 0; k < 8; k++)
    assert_true(found(&(scene){3, {2, 2, 2}, {k & 1, k >> 1 & 1, k >> 2}, {{1, 0}, {2, 0}, {3, 0}}}));
  for (size_t place = 0; place < 2; place++)
    assert_true(found(&(scene){3, {SETS, 2, 1}, {place, 0, 0}, {{1, 0}, {2, 0}, {3, 0}}}));
  assert_false(found(&(scene){3, {SETS, 2, 1}, {2, 0, 0}, {{1, 0}, {2, 0}, {3, 0}}}));
  for (size_t k = 0; k < 4; k++)
    assert_true(found(&(scene){3, {0, 2, 2}, {0, k & 1, k >> 1}, {{0}, {1, 2}, {2, 0}}}));
}
