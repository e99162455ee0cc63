/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>

#include "transitions/model/order.h"

static sc_order power(double exponent, double log) { return (sc_order){exponent, log, (int)round(exponent)}; }

static sc_model model_of(double exponent, double log)
{
  return (sc_model){.order = power(exponent, log), .points = 4, .fit_error = 0.1, .exponent_low = exponent};
}

TEST(an_order_carries_what_grows_by_less_than_0_4_more)
{
  const sc_order outer = power(2, 0), below = power(1.59, 0), at = power(1.6, 0), above = power(1.61, 0);
  assert_false(sc_order_carried(&below, &outer, SC_FIT_DEFAULT));
  assert_false(sc_order_carried(&at, &outer, SC_FIT_DEFAULT));
  assert_true(sc_order_carried(&above, &outer, SC_FIT_DEFAULT));
  const sc_order one = power(1, 0), two = power(2, 0), three = power(3, 0);
  assert_false(sc_order_carried(&one, &outer, SC_FIT_DELTA_INFER));
  assert_true(sc_order_carried(&two, &outer, SC_FIT_DELTA_INFER));
  assert_true(sc_order_carried(&three, &outer, SC_FIT_DELTA_INFER));
}

TEST(superlinear_from_1_4_on)
{
  const sc_order below = power(1.39, 0), at = power(1.4, 0);
  assert_false(sc_order_superlinear(&below));
  assert_true(sc_order_superlinear(&at));
}

static enum sc_rise rise(double from, double from_log, double to, double to_log)
{
  const sc_order order = power(from, from_log);
  const sc_model model = model_of(to, to_log);
  return sc_order_rise(&order, &model, SC_FIT_DEFAULT);
}

TEST(orders_rise_by_0_4)
{
  assert_int_equal(rise(1.25, 0, 1.64, 0), SC_RISE_NONE);
  assert_int_equal(rise(1.25, 0, 1.66, 0), SC_RISE_ORDER);
  assert_int_equal(rise(1, 0, 2, 0), SC_RISE_ORDER);
  assert_int_equal(rise(2, 0, 2, 0), SC_RISE_NONE);
  /* half an order in what is sublinear: from n^0.75 on */
  assert_int_equal(rise(0.3, 0, 0.74, 0), SC_RISE_ORDER); /* to the next whole one */
  assert_int_equal(rise(0.51, 0, 0.95, 0), SC_RISE_ORDER);
  assert_int_equal(rise(0.99, 0, 1.395, 0), SC_RISE_ORDER);
  assert_int_equal(rise(1, 0, 1.399, 0), SC_RISE_NONE);
  assert_int_equal(rise(0, 0, 0.45, 0), SC_RISE_NONE);
}

TEST(fractions_of_an_order_need_four_sizes_and_a_good_fit)
{
  const sc_order from = power(0.51, 0), linear = power(1, 0);
  sc_model model = model_of(0.95, 0), steep = model_of(1.45, 0);
  assert_int_equal(sc_order_rise(&from, &model, SC_FIT_DEFAULT), SC_RISE_ORDER);
  assert_int_equal(sc_order_rise(&linear, &steep, SC_FIT_DEFAULT), SC_RISE_ORDER);
  model.points = steep.points = 3;
  assert_int_equal(sc_order_rise(&from, &model, SC_FIT_DEFAULT), SC_RISE_NONE);
  assert_int_equal(sc_order_rise(&linear, &steep, SC_FIT_DEFAULT), SC_RISE_NONE);
  model.exact = steep.exact = true;
  assert_int_equal(sc_order_rise(&from, &model, SC_FIT_DEFAULT), SC_RISE_ORDER);
  assert_int_equal(sc_order_rise(&linear, &steep, SC_FIT_DEFAULT), SC_RISE_ORDER);
  model = model_of(0.95, 0);
  model.fit_error = 0.101;
  assert_int_equal(sc_order_rise(&from, &model, SC_FIT_DEFAULT), SC_RISE_NONE);
}

TEST(logarithms_rise_from_n_to_the_0_75_on)
{
  assert_int_equal(rise(1, 0, 1, 1), SC_RISE_LOG);
  assert_int_equal(rise(1, 0, 1, 0.9), SC_RISE_NONE);
  assert_int_equal(rise(0.75, 0, 0.75, 1), SC_RISE_LOG);
  assert_int_equal(rise(0.74, 0, 0.74, 1), SC_RISE_NONE);
  assert_int_equal(rise(1.3, 0, 1, 1), SC_RISE_LOG);
  assert_int_equal(rise(1.45, 0, 1, 1), SC_RISE_NONE);
}

TEST(the_papers_engine_compares_whole_orders)
{
  const sc_order from = power(1.4, 0);
  const sc_model same = model_of(1.49, 5), more = model_of(1.51, 0);
  assert_int_equal(sc_order_rise(&from, &same, SC_FIT_DELTA_INFER), SC_RISE_NONE);
  assert_int_equal(sc_order_rise(&from, &more, SC_FIT_DELTA_INFER), SC_RISE_ORDER);
}

TEST(what_slower_growth_explains_is_not_supported)
{
  sc_model model = model_of(2, 0);
  model.exact = true;
  model.exponent_low = 1.4;
  assert_true(sc_order_supported(&model));
  model.exponent_low = 1.39;
  assert_false(sc_order_supported(&model));
  model.order = power(1.39, 0);
  assert_true(sc_order_supported(&model));
}

/* n^2 + c n at 1,000. */
static sc_model sum_of(double c)
{
  return (sc_model){
      .terms = {{1, 2, 0}, {c, 1, 0}}, .term_count = 2, .order = {2, 0, 2}, .points = 5, .exponent_low = 2};
}

TEST(terms_with_less_than_a_hundredth_hardly_count_yet)
{
  sc_model model = sum_of(98900); /* 1,000 of 99,900 */
  sc_order_at(&model, 1000);
  assert_true(model.order.exponent == 2 && model.later_from == 0 && model.exponent_low == 2);
  model = sum_of(99100);
  sc_order_at(&model, 1000);
  assert_true(model.order.exponent == 1 && model.later.exponent == 2 && model.exponent_low == 1);
  assert_float_equal(model.later_from, 99100, 1e-6); /* where both are the same */
  model = sum_of(99100);
  model.piece_count = 1; /* nor does what holds for larger sizes alone */
  model.pieces[0].until = 1001;
  sc_order_at(&model, 1000);
  assert_true(model.order.exponent == 2);
  model.pieces[0].until = 1000;
  sc_order_at(&model, 1000);
  assert_true(model.order.exponent == 1);
}

/* Before the last change of a model another piece holds, whose order is not this one's. */
TEST(orders_before_a_change_are_left)
{
  sc_model m = {.terms = {{1e-9, 2, 0}, {5, 1, 0}}, .term_count = 2, .order = {2, 0, 2, 0, 0}, .exponent_low = 2};
  m.pieces[0] = (sc_piece){.terms = {{1, 1, 0}}, .term_count = 1, .until = 1000};
  m.piece_count = 1;
  sc_model before = m, behind = m;
  sc_order_at(&before, 999);
  assert_true(before.order.exponent == 2 && before.later_from == 0);
  sc_order_at(&behind, 1000);
  assert_true(behind.order.exponent == 1 && behind.later.exponent == 2 && behind.exponent_low == 1);
  unit_near_by(behind.later_from, 5e9, 1e-6);
}
