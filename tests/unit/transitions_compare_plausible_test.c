/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order that a change counts for, where data leave several open: of the base the lowest, of the head the highest.
 */
#include "unit.h"

#include <math.h>

#include "transitions/compare/internal.h"

/* A side with one context, whose count has this model and was measured as `means` at 10, 100 and 1,000. */
typedef struct one_side {
  sc_analysis analysis;
  sc_model models[2];
  unsigned char scope[1];
  uint32_t series[1];
  double sizes[3], means[6];
  sc_side side;
} one_side;

static void make(one_side *s, const sc_model *model)
{
  *s = (one_side){.models = {{.exact = true}, *model}, .scope = {1}, .series = {1}, .sizes = {10, 100, 1000}};
  s->analysis = (sc_analysis){.scope = s->scope, .series = s->series, .models = s->models, .contexts = 1};
  s->side = (sc_side){.a = &s->analysis, .sizes = s->sizes, .size_count = 3, .means = s->means, .contexts = 1};
}

static sc_model model_of(double exponent, double low)
{
  return (sc_model){.order = {exponent, 0, (int)lround(exponent), 0, 0}, .exponent_low = low};
}

static void add_rival(sc_model *model, sc_term lead, double weight)
{
  sc_rival *rival = &model->rivals[model->rival_count++];
  *rival = (sc_rival){.terms = {lead}, .term_count = 1, .weight = weight};
}

static void counts_as(const sc_model *model, bool head, bool undecided, sc_order expected)
{
  one_side s;
  bool is_undecided = !undecided;
  make(&s, model);
  sc_order order = sc_plausible_order(&s.side, 0, head, &is_undecided);
  assert_int_equal(is_undecided, undecided);
  unit_near(order.exponent + 1, expected.exponent + 1);
  unit_near(order.log_exponent + 1, expected.log_exponent + 1);
  assert_int_equal(order.integer, expected.integer);
  unit_near(order.base + 1, expected.base + 1);
  unit_near(order.beside + 1, expected.beside + 1);
}

TEST(without_rivals_an_order_is_its_own)
{
  sc_model m = model_of(1.5, 1.5);
  counts_as(&m, false, false, m.order);
  counts_as(&m, true, false, m.order);
  m.exponent_low = 1.11; /* by less than 0.4 */
  counts_as(&m, false, false, m.order);
  m.exponent_low = 1.09;
  counts_as(&m, false, true, (sc_order){1.09, 0, 1, 0, 0});
  counts_as(&m, true, true, m.order);
  m.exact = true;
  counts_as(&m, false, false, m.order);
}

TEST(rivals_count_from_a_twentieth_of_the_weight)
{
  static const sc_order square = {2, 0, 2, 0, 0}, cube_log = {3, 1, 3, 0, 0}, low = {1, 0, 1, 0, 0};
  sc_model m = model_of(2, 2);
  add_rival(&m, (sc_term){1, 3, 1}, 0.049);
  add_rival(&m, (sc_term){1, 1, 0}, 0.049);
  counts_as(&m, true, false, square);
  m.rivals[0].weight = 0.05;
  counts_as(&m, true, true, cube_log);
  counts_as(&m, false, true, square);
  m.rivals[0].weight = 0.049, m.rivals[1].weight = 0.05;
  counts_as(&m, false, true, low);
  counts_as(&m, true, true, square);
  m.rivals[1].term_count = 0; /* the constant 0 has no order */
  counts_as(&m, false, false, square);
  m.rivals[1] = (sc_rival){.terms = {{1, 0.5, 0, 1.5}}, .term_count = 1, .weight = 1};
  counts_as(&m, true, true, (sc_order){SC_ORDER_EXPONENTIAL, 0, SC_ORDER_EXPONENTIAL, 1.5, 0.5});
  counts_as(&m, false, true, square);
}

/* What has no model counts for an end of the interval of the power law: exactly n^2 is measured, at 5% in the least. */
TEST(without_a_model_the_power_law_bounds_the_order)
{
  one_side s;
  bool undecided;
  sc_model none = {.verdict = SC_VERDICT_CANNOT_TELL};
  make(&s, &none);
  for (size_t i = 0; i < 3; i++)
    s.means[3 + i] = s.sizes[i] * s.sizes[i];
  sc_order low = sc_plausible_order(&s.side, 0, false, &undecided);
  assert_true(undecided && low.exponent < 2 && low.exponent > 1.5 && low.integer == 2);
  sc_order high = sc_plausible_order(&s.side, 0, true, &undecided);
  assert_true(undecided);
  unit_near(high.exponent - 2, 2 - low.exponent); /* as far above as below */
  s.means[3] = 0;                                 /* two sizes with a count say nothing */
  low = sc_plausible_order(&s.side, 0, false, &undecided);
  assert_true(!undecided && low.exponent == 0 && low.integer == 0);
}

static bool rises(const sc_model *base, const sc_model *head, double explained)
{
  static one_side before, after;
  make(&before, base);
  make(&after, head);
  const sc_compared c = {.base = before.side, .head = after.side};
  return sc_plausible_rise(&c, 0, 0, explained);
}

TEST(orders_may_rise_where_one_is_open)
{
  sc_model sure = model_of(1, 1), other = model_of(2, 2), open = model_of(1, 1), root = model_of(0, 0);
  add_rival(&open, (sc_term){1, 2, 0}, 0.5);
  assert_false(rises(&sure, &other, 0)); /* for all that is known, it does: not this rule's */
  assert_true(rises(&sure, &open, 0));
  assert_true(rises(&sure, &open, 0.6)); /* of a step of 1, 0.4 must be left */
  assert_false(rises(&sure, &open, 0.61));
  assert_false(rises(&other, &open, 0));
  sc_model below = other; /* a base that may have been linear */
  add_rival(&below, (sc_term){1, 1, 0}, 0.5);
  assert_true(rises(&below, &other, 0));
  add_rival(&root, (sc_term){1, 0.45, 0}, 0.5); /* no whole order more, and not superlinear */
  assert_false(rises(&root, &root, 0));
  sc_model steep = model_of(1, 1);
  add_rival(&steep, (sc_term){1, 1.45, 0}, 0.5); /* superlinear it is */
  assert_true(rises(&sure, &steep, 0));
  sc_model none = {.verdict = SC_VERDICT_CANNOT_TELL};
  assert_false(rises(&none, &none, 0));
}
