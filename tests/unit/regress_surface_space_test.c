/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which factors and sets of factors are tried: those that the lines speak for, in the order in which they do. */
#include "unit.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress_surface_scene.h"

typedef double function(const double *at);

static void begin(surface_scene *s, const double *at, size_t count, size_t parameters, function *f, bool counts)
{
  double y[SURFACE_POINTS];
  for (size_t i = 0; i < count; i++)
    y[i] = f(at + i * parameters);
  surface_begin(s, &(sc_surface_series){at, y, count, parameters, counts});
  assert_int_equal(sc_fit_new(&s->engine.options, &s->engine.fit), 0);
  s->engine.line_n = calloc(SURFACE_POINTS, sizeof(double));
  s->engine.line_y = calloc(SURFACE_POINTS, sizeof(double));
  assert_true(s->engine.line_n && s->engine.line_y);
  assert_int_equal(sc_surface_space_choose(&s->engine), 0);
}

static void grid(surface_scene *s, function *f, bool counts)
{
  double at[SURFACE_GRID][2];
  surface_grid(at);
  begin(s, &at[0][0], SURFACE_GRID, 2, f, counts);
}

/* The factor's column of the table, 0 if it is not there. */
static size_t column_of(const sc_surface_factor *factor)
{
  for (size_t c = 1; c <= SC_SURFACE_GROWTHS; c++) {
    sc_term term = sc_surface_lines_term(c);
    if (sc_surface_same_factor(&term, &factor->term))
      return c;
  }
  return 0;
}

/* What the lines say best comes first, the line itself before all; sets are the rated pairs whose factors are there. */
static void check_as_rated(surface_scene *s, size_t p, double dear)
{
  sc_surface_space *space = &s->engine.space;
  sc_surface_rating rating;
  sc_surface_lines_rate(&s->engine, p, &rating);
  assert_true(rating.lines);
  size_t first = 1 + space->exact[p], place[SC_SURFACE_GROWTHS + 1] = {0}, sets = 0;
  double before = -INFINITY;
  for (size_t i = first; i < space->count[p] && !space->factor[p][i].free; i++) {
    size_t c = column_of(&space->factor[p][i]);
    assert_true(c > 0);
    assert_true(space->factor[p][i].cost == dear * sc_surface_lines_cost(c));
    place[c] = i;
    if (c > 1 && i > first) {
      assert_true(rating.score[c] >= before);
      before = rating.score[c];
    }
  }
  for (size_t i = 0; i < rating.pairs && sets < SC_SURFACE_SETS - 2; i++) {
    size_t a = place[rating.pair[i][0]], b = rating.pair[i][1] ? place[rating.pair[i][1]] : 0;
    if (!a || (rating.pair[i][1] && !b))
      continue;
    assert_true(sets < space->sets[p] && space->set[p][sets][0] == a && space->set[p][sets][1] == b);
    sets++;
  }
  assert_true(sets > 0 && space->sets[p] >= sets);
}

static double line(const double *at) { return (3 + at[1] * at[1]) * at[0]; }
static double parabola(const double *at) { return (3 + 2 * at[1]) * at[0] * at[0] + 100 * at[1] * at[0] + 7; }
static double root(const double *at) { return (1 + at[1]) * sqrt(at[0]) + 9; }

TEST(growths_are_tried_in_the_order_of_their_ratings)
{
  static function *functions[] = {line, parabola, root};
  for (size_t f = 0; f < COUNT(functions); f++) {
    surface_scene s;
    grid(&s, functions[f], false);
    for (size_t p = 0; p < 2; p++) {
      assert_true(s.engine.space.count[p] >= 9 && s.engine.space.count[p] <= 10);
      assert_true(sc_term_is_constant(&s.engine.space.factor[p][0].term, 1));
      assert_int_equal(column_of(&s.engine.space.factor[p][1]), 1);
      assert_int_equal(s.engine.space.exact[p], 0);
      check_as_rated(&s, p, 1);
    }
    surface_end(&s);
  }
}

/* Whole numbers that are a formula along the lines: its functions come first, and table's growths cost twice. */
TEST(exact_lines_come_first)
{
  surface_scene s;
  grid(&s, line, true);
  const sc_surface_space *space = &s.engine.space;
  assert_true(space->exact[0] == 1 && column_of(&space->factor[0][1]) == 1 && space->factor[0][1].cost == 0);
  for (size_t i = 2; i < space->count[0]; i++) /* n is there already, and not once more */
    assert_true(column_of(&space->factor[0][i]) > 1 &&
                space->factor[0][i].cost == 2 * sc_surface_lines_cost(column_of(&space->factor[0][i])));
  assert_int_equal(space->count[0], 9);
  surface_end(&s);
}

static double steps(const double *at) { return at[1] * ceil(at[0] / 16) * 5; }
static double some_steps(const double *at) { return at[1] == 1 ? 3 * at[0] : steps(at); }
static double last_steps(const double *at) { return at[1] == 8 ? 5 * ceil(at[0] / 16) : 3 * at[0] * at[1]; }
static double middle_steps(const double *at) { return at[1] == 2 ? 5 * ceil(at[0] / 16) : 3 * at[0] * at[1]; }

/* Blocks of 16 are in no table. The first line, the middle one and the last are asked. */
TEST(forms_of_the_first_the_middle_and_the_last_line)
{
  static const struct {
    function *f;
    size_t exact, blocks; /* which of them has the block, 1 first */
  } cases[] = {{steps, 1, 1}, {some_steps, 2, 2}, {last_steps, 2, 2}, {middle_steps, 2, 2}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    surface_scene s;
    grid(&s, cases[i].f, true);
    assert_int_equal(s.engine.space.exact[0], cases[i].exact);
    const sc_term *term = &s.engine.space.factor[0][cases[i].blocks].term;
    assert_true(term->shape == SC_SHAPE_CEIL_BLOCK && term->scale == 16 && term->coefficient == 1);
    surface_end(&s);
  }
}

static double free_power(const double *at) { return (2 + at[1]) * pow(at[0], 1.37); }
static double free_beside(const double *at) { return free_power(at) + 5000 * at[1]; }
static double limited(const double *at) { return 1000 * (2 + at[1]) * at[0] / (at[0] + 130); }
static double filling(const double *at) { return 1000 * (2 + at[1]) * -expm1(-at[0] / 130) + 300 * at[1]; }

/* Exponents and scales that were fitted to all lines are factors at the end, each a set of itself. */
TEST(free_exponents_and_scales)
{
  static const struct {
    function *f;
    enum sc_shape shape;
    double number;
  } cases[] = {{free_power, SC_SHAPE_PLAIN, 1.37},
               {free_beside, SC_SHAPE_PLAIN, 1.37},
               {limited, SC_SHAPE_HYPERBOLIC, 130},
               {filling, SC_SHAPE_APPROACH, 130}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    surface_scene s;
    grid(&s, cases[i].f, false);
    const sc_surface_space *space = &s.engine.space;
    size_t found = 0;
    for (size_t f = 1; f < space->count[0]; f++)
      if (space->factor[0][f].free && space->factor[0][f].term.shape == cases[i].shape)
        found = f;
    assert_true(found >= 9 && space->factor[0][found].cost == 10 && space->factor[0][found].term.coefficient == 1);
    const sc_term *term = &space->factor[0][found].term;
    unit_near_by(cases[i].shape == SC_SHAPE_PLAIN ? term->exponent : term->scale, cases[i].number, 1e-4);
    bool alone = false;
    for (size_t k = 0; k < space->sets[0]; k++)
      alone |= space->set[0][k][0] == found && space->set[0][k][1] == 0;
    assert_true(alone && space->sets[0] <= SC_SURFACE_SETS);
    check_as_rated(&s, 0, 1);
    surface_end(&s);
  }
}

/* An exponent of the table is not fitted once more. */
TEST(known_exponents_are_not_free)
{
  surface_scene s;
  grid(&s, root, false);
  for (size_t i = 0; i < s.engine.space.count[0]; i++)
    assert_true(!s.engine.space.factor[0][i].free || s.engine.space.factor[0][i].term.shape != SC_SHAPE_PLAIN);
  surface_end(&s);
}

/* Of two values any function is a line; of one there is nothing to tell. */
TEST(few_values)
{
  double at[12][3];
  surface_scene s;
  for (size_t i = 0; i < 12; i++)
    at[i][0] = 10 << i / 2, at[i][1] = i % 2 ? 4 : 1, at[i][2] = 5;
  begin(&s, &at[0][0], 12, 3, line, false);
  const sc_surface_space *space = &s.engine.space;
  assert_true(space->count[1] == 2 && space->exact[1] == 1 && space->sets[1] == 0);
  assert_true(space->factor[1][1].term.exponent == 1 && space->factor[1][1].term.coefficient == 1);
  assert_true(space->count[2] == 1 && space->exact[2] == 0 && space->sets[2] == 0);
  assert_true(space->factor[2][0].term.coefficient == 1 && space->factor[2][0].term.exponent == 0);
  assert_int_equal(space->count[0], 9); /* two vary */
  surface_end(&s);
}

static double three(const double *at) { return at[0] * at[1] + at[2]; }

/* Three parameters that vary have fewer factors each: six and a free one. */
TEST(three_parameters_have_fewer_factors)
{
  double at[27][3];
  surface_scene s;
  for (size_t i = 0; i < 27; i++)
    at[i][0] = 10 << i / 9, at[i][1] = 1 << i / 3 % 3, at[i][2] = 3 << i % 3;
  begin(&s, &at[0][0], 27, 3, three, false);
  for (size_t p = 0; p < 3; p++)
    assert_int_equal(s.engine.space.count[p], 6);
  surface_end(&s);
}

/* Where no two points share a line, log x and 1/x are tried, too. */
TEST(without_lines)
{
  double at[20][2];
  surface_scene s;
  for (size_t i = 0; i < 20; i++)
    at[i][0] = 20 * pow(1.3, (double)i), at[i][1] = 1 + (double)(i * 7 % 20) / 2;
  begin(&s, &at[0][0], 20, 2, line, false);
  for (size_t p = 0; p < 2; p++) {
    const sc_surface_factor *factor = s.engine.space.factor[p];
    assert_int_equal(column_of(&factor[1]), 1);
    assert_int_equal(column_of(&factor[2]), SC_SURFACE_LOG);
    assert_int_equal(column_of(&factor[3]), SC_SURFACE_INVERSE);
    for (size_t i = 0; i < s.engine.space.count[p]; i++)
      assert_false(factor[i].free); /* nothing to fit an exponent to */
    assert_int_equal(s.engine.space.count[p], 9);
  }
  surface_end(&s);
}

/* A limit has to be seen in four values. */
TEST(limits_need_four_values)
{
  static const double ns[] = {20, 90, 300, 1000};
  for (size_t values = 3; values <= 4; values++) {
    double at[16][2];
    surface_scene s;
    bool limit = false;
    for (size_t i = 0; i < 4 * values; i++)
      at[i][0] = ns[i / 4], at[i][1] = 1 << i % 4;
    begin(&s, &at[0][0], 4 * values, 2, limited, false);
    for (size_t f = 0; f < s.engine.space.count[0]; f++)
      limit = limit || s.engine.space.factor[0][f].term.shape == SC_SHAPE_HYPERBOLIC;
    assert_true(limit == (values == 4));
    surface_end(&s);
  }
}
