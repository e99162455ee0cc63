/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "regress/core/model.h"
#include "regress/core/term.h"

TEST(compares_orders)
{
  sc_order rising[] = {{0, 0, 0}, {0, 1, 0}, {0.5, 0, 1}, {1, 0, 1}, {1, 1, 1}, {1.5, 0, 2}, {2, 0, 2}, {2, 1, 2}};
  size_t count = sizeof rising / sizeof *rising;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      assert_int_equal(sc_model_compare_order(&rising[i], &rising[j]), (i > j) - (i < j));
  assert_int_equal(sc_model_compare_order(&(sc_order){1.98, 0, 2}, &(sc_order){2, 0, 2}), 0);
  assert_int_equal(sc_model_compare_order(&(sc_order){1.051, 0, 1}, &(sc_order){1.14, 0, 1}), 0); /* tenths */
  assert_int_equal(sc_model_compare_order(&(sc_order){1.049, 0, 1}, &(sc_order){1.051, 0, 1}), -1);
}

TEST(never_predicts_below_zero)
{
  sc_model m = {.terms = {{-1, 1, 0}, {1000, 0, 0}}, .term_count = 2, .sigma = 0.1, .scatter = 0.1, .degrees = 3};
  sc_interval at;
  assert_true(sc_model_value(&m, 5000) == 0);
  assert_int_equal(sc_model_predict(&m, 5000, 0.95, &at), 0);
  assert_true(at.value == 0 && at.low == 0);
  assert_int_equal(sc_model_predict(&m, 900, 0.95, &at), 0);
  assert_true(at.value == 100 && at.low >= 0 && at.low < 100 && at.high > 100);
}

/* Below a change point as above it, with the interval and the rivals. */
TEST(scales_all_of_a_model)
{
  const sc_model count = {.terms = {{2, 2, 0}},
                          .term_count = 1,
                          .pieces = {{.terms = {{5, 1, 0}}, .term_count = 1, .until = 100}},
                          .piece_count = 1,
                          .order = {.exponent = 2, .integer = 2},
                          .later = {.exponent = 3, .integer = 3},
                          .later_from = 1e6,
                          .exponent_low = 1.8,
                          .covariance = {{0.01}},
                          .degrees = 4,
                          .n_max = 1000,
                          .y_max = 2e6,
                          .rivals = {{.terms = {{3, 2, 0}}, .term_count = 1, .weight = 0.2}},
                          .rival_count = 1};
  sc_model cost = count;
  sc_interval before, after;
  sc_model_scale(&cost, 4, 1);
  const double sizes[] = {50, 500, 1e5};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(sc_model_predict(&count, sizes[i], 0.95, &before), 0);
    assert_int_equal(sc_model_predict(&cost, sizes[i], 0.95, &after), 0);
    assert_true(fabs(after.value / (4 * sizes[i] * before.value) - 1) < 1e-12);
    assert_true(fabs(after.low / (4 * sizes[i] * before.low) - 1) < 1e-9);
    assert_true(fabs(after.high / (4 * sizes[i] * before.high) - 1) < 1e-9);
  }
  assert_true(cost.order.exponent == 3 && cost.order.integer == 3 && cost.later.integer == 4);
  assert_true(fabs(cost.exponent_low - 2.8) < 1e-12 && cost.y_max == 8e9);
}

/* 2^n as often, each for n: n 2^n, which is above 2^n and below 3^n. */
TEST(scaled_exponentials_stay_below_larger_bases)
{
  sc_model twice = {.terms = {{1, 0, 0, .base = 2}}, .term_count = 1, .n_max = 20, .y_max = 1 << 20}, cost;
  const sc_term three = {1, 0, 0, .base = 3};
  const sc_order thrice = sc_term_order(&three, 1);
  twice.order = sc_term_order(twice.terms, 1);
  twice.exponent_low = twice.order.exponent;
  cost = twice;
  sc_model_scale(&cost, 1, 1);
  const sc_order order = sc_term_order(cost.terms, 1);
  assert_int_equal(sc_model_compare_order(&cost.order, &order), 0);
  assert_true(sc_model_compare_order(&cost.order, &twice.order) > 0);
  assert_true(sc_model_compare_order(&cost.order, &thrice) < 0);
  assert_true(cost.exponent_low == SC_ORDER_EXPONENTIAL);
}

TEST(interval_is_the_t_interval)
{
  /* A constant 100 with standard error 2 and 4 degrees of freedom: the t quantile is 2.776445. Below, the same factor:
   * 100 / (1 + 2 * 2.776445 / 100). */
  sc_model m = {.terms = {{100, 0, 0}}, .term_count = 1, .covariance = {{4}}, .degrees = 4};
  sc_interval at;
  assert_int_equal(sc_model_predict(&m, 50, 0.95, &at), 0);
  assert_true(fabs(at.high - (100 + 2 * 2.776445)) < 1e-4);
  assert_true(fabs(at.low - 94.739182) < 1e-4);
}

/* Models that the data cannot separate share the interval by their masses. Without deviations of their own each is one
 * value, and the interval's ends are those whose neighbours have more than 2.5%. */
TEST(interval_averages_the_rivals)
{
  sc_model m = {.terms = {{1, 1, 0}}, .term_count = 1, .degrees = 4, .n_max = 1000, .mass = 0.9, .rival_count = 1};
  m.rivals[0] = (sc_rival){.terms = {{0.1, 1, 1}}, .term_count = 1, .weight = 0.1, .mass = 0.1};
  sc_interval at;
  assert_int_equal(sc_model_predict(&m, 1 << 20, 0.95, &at), 0);
  assert_true(at.low == 1 << 20);
  assert_true(fabs(at.high / (2.0 * (1 << 20)) - 1) < 1e-3);
  m.rivals[0].mass = 0.01; /* 1% of the whole is out of the 2.5% */
  assert_int_equal(sc_model_predict(&m, 1 << 20, 0.95, &at), 0);
  assert_true(fabs(at.high / (1 << 20) - 1) < 1e-3);
}

/* Two equally likely values 100 and 200, each with standard error 10 of a t distribution with 96 degrees of freedom or
 * more: the upper end is the 95% quantile of the upper one, 200 + 10 * 1.661; the lower end below 100 by the factor. */
TEST(interval_is_the_mixture_quantile)
{
  sc_model m = {
      .terms = {{100, 0, 0}}, .term_count = 1, .covariance = {{100}}, .degrees = 96, .n_max = 1000, .mass = 1};
  m.rival_count = 1;
  m.rivals[0] = (sc_rival){.terms = {{200, 0, 0}}, .term_count = 1, .weight = 1, .deviation = {0.05, 0.05}};
  sc_interval at;
  assert_int_equal(sc_model_predict(&m, 5000, 0.95, &at), 0);
  assert_true(fabs(at.high - 216.61) < 0.5);
  assert_true(fabs(at.low - 100 / 1.1661) < 0.3);
}

TEST(exact_has_no_width_and_unknown_all_of_it)
{
  sc_model m = {.terms = {{2, 1, 0}}, .term_count = 1, .exact = true};
  sc_interval at;
  assert_int_equal(sc_model_predict(&m, 1e9, 0.95, &at), 0);
  assert_true(at.low == 2e9 && at.high == 2e9);
  m.exact = false;
  m.verdict = SC_VERDICT_CANNOT_TELL;
  assert_int_equal(sc_model_predict(&m, 1e9, 0.95, &at), 0);
  assert_true(at.low == 0 && isinf(at.high));
}

TEST(refuses_nonsense)
{
  sc_model m = {0};
  sc_interval at;
  assert_int_equal(sc_model_predict(&m, 0, 0.95, &at), SC_E_INPUT);
  assert_int_equal(sc_model_predict(&m, -1, 0.95, &at), SC_E_INPUT);
  assert_int_equal(sc_model_predict(&m, NAN, 0.95, &at), SC_E_INPUT);
  assert_int_equal(sc_model_predict(&m, 10, 1, &at), SC_E_INPUT);
  assert_int_equal(sc_model_predict(&m, 10, 0, &at), SC_E_INPUT);
}

TEST(pieces_in_their_order)
{
  sc_model m = {.terms = {{1, 2, 0, 0, 0, 0}},
                .term_count = 1,
                .pieces = {{.terms = {{70, 0, 0, 0, 0, 0}}, .term_count = 1, .until = 10},
                           {.terms = {{5, 1, 0, 0, 0, 0}}, .term_count = 1, .until = 300}},
                .piece_count = 2,
                .exact = true};
  char text[100];
  sc_model_format(&m, "n", text, sizeof text);
  assert_string_equal(text, "n < 10: 70; n < 300: 5 n; else n^2");
  sc_model_expression(&m, "n", text, sizeof text);
  assert_string_equal(text, "where(n < 10, 70, where(n < 300, 5 * n, n^2))");
  assert_true(sc_model_value(&m, 9) == 70 && sc_model_value(&m, 10) == 50 && sc_model_value(&m, 299) == 1495 &&
              sc_model_value(&m, 300) == 90000);
}

/* Bases count before the powers beside them, and these before logarithms. */
TEST(orders_of_exponentials)
{
  static const sc_order orders[] = {{1000, 0, 1000, 0.5, 0},
                                    {1000, 0, 1000, 1.5, 3},
                                    {1000, 0, 1000, 2, 0},
                                    {1000, 0, 1000, 2, 0.5},
                                    {1000, 0, 1000, 2, 1}};
  for (size_t i = 1; i < 5; i++)
    for (size_t k = 1; k < 5; k++)
      assert_int_equal(sc_model_compare_order(&orders[i], &orders[k]), (i > k) - (i < k));
  const sc_order bare = {2, 0, 2, 0, 0}, logarithm = {2, 1, 2, 0, 0};
  assert_true(sc_model_compare_order(&bare, &logarithm) < 0 && sc_model_compare_order(&logarithm, &bare) > 0);
  assert_true(sc_model_compare_order(&(sc_order){.exponent = 2.04}, &bare) == 0); /* to a tenth */
  assert_true(sc_model_compare_order(&(sc_order){.exponent = 2.06}, &bare) > 0);
}

/* A rival's error is known at twice and at 64 times the largest size, and a straight line of the logarithm between
 * them and beyond; below twice it is that there. The rival's share is all: 1.984984 of its errors at 96 degrees. */
TEST(errors_of_rivals_lie_on_a_line)
{
  static const struct {
    double n, near, far, deviation;
  } cases[] = {{1500, 0.05, 0.2, 0.05},
               {2000, 0.05, 0.2, 0.05},
               {11313.708498984760, 0.05, 0.2, 0.125},
               {64000, 0.05, 0.2, 0.2},
               {2048000, 0.05, 0.2, 0.35},
               {64000, 0.2, 0.05, 0.05},
               {11313.708498984760, 0.2, 0.05, 0.125},
               {1e9, 0.2, 0.05, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_model m = {.terms = {{100, 0, 0}}, .term_count = 1, .degrees = 96, .n_max = 1000, .mass = 1e-6};
    sc_interval at;
    m.rival_count = 1;
    m.rivals[0] = (sc_rival){.terms = {{100, 0, 0}}, .term_count = 1, .weight = 1, .mass = 1};
    m.rivals[0].deviation[0] = cases[i].near, m.rivals[0].deviation[1] = cases[i].far;
    assert_int_equal(sc_model_predict(&m, cases[i].n, 0.95, &at), 0);
    assert_true(fabs(at.high - 100 * (1 + 1.984984 * cases[i].deviation)) < 1e-2);
  }
}

TEST(intervals_add_up)
{
  sc_interval sum = {1, 0.5, 2}, more = {10, 7, 16};
  sc_interval_add(&sum, &more);
  assert_true(sum.value == 11 && sum.low == 7.5 && sum.high == 18);
}

/* Two terms, a piece and a rival; what stands behind them is of no account. */
static sc_model counted_parts(bool spoilt)
{
  sc_model m = {.terms = {{3, 2, 0}, {5, 1, 0}},
                .term_count = 2,
                .order = {.exponent = 2, .integer = 2},
                .covariance = {{1e-4, 1e-5}, {1e-5, 2e-3}},
                .degrees = 5,
                .sigma = 0.02,
                .scatter = 0.01,
                .drift = 0.03,
                .n_center = 200,
                .n_min = 100,
                .n_max = 1000,
                .y_max = 3e6,
                .points = 7,
                .mass = 0.7,
                .exponent_low = 2,
                .r2 = 0.99,
                .piece_count = 1,
                .rival_count = 1};
  m.pieces[0] = (sc_piece){.terms = {{40, 1, 0}}, .term_count = 1, .until = 150, .until_low = 120, .until_high = 180};
  m.rivals[0] = (sc_rival){
      .terms = {{9, 1.9, 0}}, .term_count = 1, .weight = 0.3, .mass = 0.3, .error = 0.05, .deviation = {0.02, 0.04}};
  if (!spoilt)
    return m;
  const sc_term nothing = {NAN, 7, 3, 0, SC_SHAPE_PLAIN, 0};
  for (size_t i = 0; i < SC_MODEL_TERMS; i++) {
    for (size_t j = 0; j < SC_MODEL_TERMS; j++)
      m.covariance[i][j] = i < 2 && j < 2 ? m.covariance[i][j] : NAN;
    m.terms[i] = i < 2 ? m.terms[i] : nothing;
    if (i > 0 && i < COUNT(m.pieces[0].terms))
      m.pieces[0].terms[i] = nothing;
    m.rivals[0].terms[i] = i < 1 ? m.rivals[0].terms[i] : nothing;
  }
  for (size_t i = 1; i < SC_MODEL_PIECES; i++)
    m.pieces[i] = (sc_piece){.terms = {nothing}, .term_count = 1, .until = 1e9, .until_low = 1e9, .until_high = 1e9};
  for (size_t i = 1; i < SC_MODEL_RIVALS; i++)
    m.rivals[i] = (sc_rival){.terms = {nothing}, .term_count = 1, .weight = 1, .mass = 1, .deviation = {NAN, NAN}};
  return m;
}

TEST(parts_behind_the_count_are_of_no_account)
{
  sc_model clean = counted_parts(false), spoilt = counted_parts(true);
  for (double n = 50; n < 1e6; n *= 3) {
    sc_interval one, other;
    assert_int_equal(sc_model_predict(&clean, n, 0.95, &one), 0);
    assert_int_equal(sc_model_predict(&spoilt, n, 0.95, &other), 0);
    assert_true(one.value == other.value && one.low == other.low && one.high == other.high);
    assert_true(one.low < one.value && one.high > one.value);
    assert_true(sc_model_value(&clean, n) == sc_model_value(&spoilt, n));
  }
  assert_true(sc_model_deciding_size(&clean) == sc_model_deciding_size(&spoilt));
  for (int way = 0; way < 3; way++) {
    char text[2][200];
    for (int i = 0; i < 2; i++) {
      const sc_model *m = i ? &spoilt : &clean;
      (void)(way == 0   ? sc_model_format(m, "n", text[i], sizeof text[i])
             : way == 1 ? sc_model_format_brief(m, "n", 0, text[i], sizeof text[i])
                        : sc_model_expression(m, "n", text[i], sizeof text[i]));
    }
    assert_string_equal(text[0], text[1]);
  }
  sc_model_scale(&clean, 3, 1);
  sc_model_scale(&spoilt, 3, 1);
  sc_interval one, other;
  assert_int_equal(sc_model_predict(&clean, 5000, 0.95, &one), 0);
  assert_int_equal(sc_model_predict(&spoilt, 5000, 0.95, &other), 0);
  assert_true(one.value == other.value && one.low == other.low && one.high == other.high);
}
