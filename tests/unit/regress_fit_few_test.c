/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What few sizes, few events and repeats of one count show. */
#include "unit.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress_fit_scene.h"

/* Called once from some size on. One such size alone is no growth, nor is it a rule. */
TEST(once_from_a_size_on)
{
  static const double n[] = {100, 251, 398, 1003, 1591, 2753, 6036};
  static const double often[] = {0, 0, 0, 1, 1, 1, 1}, last[] = {0, 0, 0, 0, 0, 0, 1};
  sc_model m = fit(n, often, 7, true);
  assert_int_equal(m.verdict, SC_VERDICT_MODEL);
  assert_true(m.exact && m.order.exponent == 0 && sc_model_value(&m, 1e6) == 1 && m.n_min == 1003);
  m = fit(n, last, 7, true);
  assert_false(m.exact);
  assert_true(m.order.exponent == 0);
}

/* Called once at three sizes: that is a rule; at two it may be chance. */
TEST(once_at_three_sizes)
{
  static const double n[] = {100, 251, 398, 1003, 1591, 2753, 6036};
  for (size_t events = 1; events <= 4; events++) {
    double y[7];
    for (size_t i = 0; i < 7; i++)
      y[i] = i + events >= 7;
    sc_model m = fit(n, y, 7, true);
    assert_true((m.n_min == n[7 - events]) == (events >= 3) && m.exact == (events >= 3));
  }
}

/* Few events at the largest sizes alone: growth by any power, or none. Many of them, or at most sizes, show it. */
TEST(a_few_late_events_are_no_growth)
{
  static const double n[] = {100, 283, 800, 1131, 1600, 2263, 3200, 4525, 6400};
  static const double few[] = {0, 0, 0, 0, 0, 0, 1, 3, 9}, many[] = {0, 0, 0, 0, 125, 353, 1000, 2828, 8000};
  static const double long_seen[] = {0, 0, 0, 1, 2, 4, 9, 17, 36};
  sc_model m = fit(n, few, 9, true);
  assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
  m = fit(n, many, 9, true);
  assert_true(m.verdict == SC_VERDICT_MODEL && m.order.exponent > 2);
  m = fit(n, long_seen, 9, true);
  assert_true(m.verdict == SC_VERDICT_MODEL && m.order.exponent > 1.4);
}

/* A square is doubted where at most 29 events are seen at five sizes at most, behind two without any. */
TEST(few_events_are_doubted_up_to_three_limits)
{
  static const double n[] = {100, 400, 1600, 2263, 3200, 4525, 6400, 9051};
  static const struct {
    double y[8];
    size_t from, count;
    bool doubted;
  } cases[] = {{{0, 0, 2, 4, 8, 16, 29}, 0, 7, true},     /* at the limits */
               {{0, 0, 2, 4, 8, 16, 30}, 0, 7, false},    /* one event more */
               {{0, 0, 2, 4, 8, 16, 29}, 1, 7, false},    /* one size without events */
               {{0, 0, 1, 2, 4, 8, 16, 29}, 0, 8, false}, /* six sizes with some */
               {{0, 0, 6, 10, 14, 21, 29}, 0, 7, false}}; /* nothing above n log n */
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_model m = fit(n + cases[i].from, cases[i].y + cases[i].from, cases[i].count - cases[i].from, true);
    assert_int_equal(strncmp(m.why, "only 29 events", 14) == 0, cases[i].doubted);
    assert_int_equal(m.verdict == SC_VERDICT_CANNOT_TELL, cases[i].doubted);
  }
}

/* Few and small counts are known to half of one only: a constant is not the better for it. */
TEST(small_counts_grow)
{
  static const double n[] = {10, 20, 40, 80}, y[] = {1, 2, 4, 8};
  sc_model m = fit(n, y, 4, true);
  assert_int_equal(m.verdict, SC_VERDICT_MODEL);
  assert_int_equal(m.order.integer, 1);
  assert_true(fabs(sc_model_value(&m, 800) - 80) < 8);
}

TEST(too_few_sizes)
{
  double y[4] = {10, 20, 10, 20}, n[4] = {100, 200, 100, 200}, same[2] = {7, 7};
  sc_model m = fit(n, y, 0, true);
  assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
  assert_true(m.why[0] != '\0');
  assert_true(m.error < 0); /* not known, and not 0 */
  for (size_t count = 1; count <= 4; count++) {
    m = fit(n, y, count, true); /* more points, but never more than two sizes */
    assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
    assert_non_null(strstr(m.why, "at least 3"));
    assert_non_null(strstr(m.why, count == 1 ? "1 size " : "2 sizes ")); /* the third and fourth are repeats */
  }
  m = fit(n, same, 2, true);
  assert_int_equal(m.verdict, SC_VERDICT_MODEL);
  assert_true(m.exact && m.order.integer == 0);
}

TEST(three_sizes_do)
{
  static const double n[] = {50, 100, 200};
  static const double line[] = {50, 100, 200}, square[] = {2500, 10000, 40000}, scan[] = {2550, 10100, 40200};
  sc_model m = fit(n, line, 3, true);
  assert_true(m.exact && m.order.integer == 1);
  m = fit(n, square, 3, true);
  assert_true(m.exact && m.order.integer == 2);
  m = fit(n, scan, 3, true);
  assert_true(m.exact && m.order.integer == 2);
  assert_true(sc_model_value(&m, 5000) == 5000.0 * 5001);
}

/* A count that repeats itself is one observation: three of each make no quartic of four that scatter. */
TEST(equal_repeats_tell_nothing_more)
{
  enum { SIZES = 20, REPEATS = 3 };
  static const double sizes[SIZES] = {250,  500,  649,  759,  888,  1000, 1216, 1422, 1664, 2000,
                                      2278, 2666, 3119, 3649, 4000, 4269, 4995, 5844, 6838, 8000};
  static const double counts[SIZES] = {[16] = 13, 9, 6, 7};
  double n[SIZES * REPEATS], y[SIZES * REPEATS];
  for (size_t i = 0; i < SIZES * REPEATS; i++) {
    n[i] = sizes[i / REPEATS];
    y[i] = counts[i / REPEATS];
  }
  sc_model once = fit(sizes, counts, SIZES, true), often = fit(n, y, SIZES * REPEATS, true);
  sc_interval first, second;
  assert_int_equal(sc_model_predict(&once, 100000, 0.95, &first), 0);
  assert_int_equal(sc_model_predict(&often, 100000, 0.95, &second), 0);
  assert_true(first.value < 20);
  assert_true(second.value == first.value && second.low == first.low && second.high == first.high);
}

/* The whole blocks that std::deque::erase moves, n items being erased from the middle one by one: a square that begins
 * late. Cubes and other sums of three terms pass through the four or five sizes with counts. */
TEST(four_sizes_speak_for_no_three_numbers)
{
  static const struct {
    double n[8], y[8];
  } cases[] = {{{100, 200, 400, 800, 1131, 1600}, {0, 0, 17, 557, 1289, 2941}},
               {{100, 200, 400, 800, 843, 1600}, {0, 0, 17, 574, 660, 3515}},
               {{50, 100, 200, 241, 400}, {0, 5, 137, 216, 733}},
               {{100, 200, 400, 800, 1125, 1600}, {0, 0, 17, 557, 1274, 2941}},
               {{50, 100, 200, 400, 452, 800}, {0, 0, 73, 517, 680, 2445}},
               {{128, 256, 512, 565, 1024}, {0, 63, 573, 732, 3129}}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    size_t count = cases[i].n[5] > 0 ? 6 : 5;
    sc_model m = fit(cases[i].n, cases[i].y, count, true);
    assert_int_equal(m.verdict, SC_VERDICT_MODEL);
    assert_int_equal(m.order.integer, 2);
  }
}

/* There is something to show: the power law through both, or the only count; and that it is a guess. */
TEST(one_size_or_two_give_a_guess)
{
  static const double n[] = {100, 200}, y[] = {200, 800}, none[] = {0, 0};
  sc_model m = fit(n, y, 2, true);
  assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
  assert_true(fabs(sc_model_value(&m, 400) - 3200) < 1e-6 && fabs(sc_model_value(&m, 100) - 200) < 1e-6);
  m = fit(n, y, 1, true);
  assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
  assert_true(sc_model_value(&m, 400) == 200 && m.term_count == 1);
  m = fit(n, none, 2, true);
  assert_true(sc_model_value(&m, 400) == 0 && m.term_count == 0);
  static const double same[][2] = {{70, 70}, {1, 1}, {0.25, 0.25}};
  for (int i = 0; i < 5; i++) { /* constants are no guess, neither as times nor as counts; 0.25 is only a time */
    m = fit(n, same[i / 2], 2, i % 2);
    assert_true(m.verdict == SC_VERDICT_MODEL && sc_model_value(&m, 400) == same[i / 2][0] && m.order.exponent == 0);
  }
}

/* One size or two are shown as the last value, or as the power law through both where they have one. */
TEST(two_sizes_are_a_guess)
{
  static const struct {
    double y[2];
    size_t count, terms;
    double exponent;
  } cases[] = {{{5, 20}, 2, 1, 2},  {{0.25, 1}, 2, 1, 2}, {{1, 0.25}, 2, 1, -2}, {{5, 0}, 2, 0, 0},
               {{20, 5}, 2, 1, -2}, {{7, 0}, 1, 1, 0},    {{0, 0}, 1, 0, 0}};
  static const double n[] = {100, 200};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_model model;
    assert_int_equal(sc_fit_select(&(sc_series){n, cases[i].y, cases[i].count, false}, &SC_FIT_OPTIONS_DEFAULT, &model),
                     0);
    assert_int_equal(model.verdict, SC_VERDICT_CANNOT_TELL);
    assert_int_equal(model.term_count, cases[i].terms);
    if (model.term_count) {
      unit_near(model.terms[0].exponent + 10, cases[i].exponent + 10);
      unit_near(sc_term_sum(model.terms, 1, n[cases[i].count - 1]), cases[i].y[cases[i].count - 1]);
    }
  }
}
