/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far predictions are from what was measured, and what follows for others: distances computed by hand. */
#include "unit.h"

#include <math.h>

#include "transitions/resources/check.h"

static const double LN2 = 0.69314718055994531, NORMAL95 = 1.959963984540054;

static sc_interval exactly(double value) { return (sc_interval){value, value, value}; }

/* Of a prediction of exactly that. */
static void add(sc_check *c, double n, double predicted, double measured)
{
  sc_interval p = exactly(predicted), m = exactly(measured);
  sc_check_add(c, n, &p, &m);
}

static void applied(const sc_check *c, double n, double weight, sc_interval p, double value, double low, double high)
{
  sc_check_apply(c, n, 0.95, weight, false, &p);
  unit_near(p.value, value);
  unit_near(p.low, low);
  unit_near(p.high, high);
}

TEST(distances_are_of_logarithms_or_odds)
{
  static const struct {
    bool share;
    double predicted, measured, off;
  } cases[] = {
      {false, 1, 2, 0.69314718055994531},        {false, 8, 2, -2 * 0.69314718055994531},
      {true, 0.5, 0.8, 2 * 0.69314718055994531}, /* odds of 1 and 4 */
      {false, 1, 1e-9, -16.11809565095832},      /* below a ten-millionth all are the same */
      {true, 0.5, 0, -16.118095550958316},       /* ln(1e-7 / (1 - 1e-7)) */
      {false, 1, 1e9, 16.11809565095832},        /* above ten million */
      {false, 1, 9e6, 16.012735135300492},       {true, 0.5, 0.995, 4.5951198501345898}, /* above 0.99: ln 99 */
      {true, 0.5, 0.98, 3.8918202981106265}};                                            /* ln 49 */
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_check c = {.share = cases[i].share};
    add(&c, 1, cases[i].predicted, cases[i].measured);
    unit_near(c.off[0], cases[i].off);
    assert_true(c.predicted[0] == cases[i].predicted && c.measured[0] == cases[i].measured && c.n[0] == 1);
  }
}

TEST(repeats_spread_by_half_of_their_range)
{
  sc_check c = {0};
  sc_check_add(&c, 1, &(sc_interval){1, 1, 1}, &(sc_interval){2, 1, 4});
  sc_check_add(&c, 2, &(sc_interval){1, 1, 1}, &(sc_interval){10, 0, 16}); /* none at all counts as a tenth */
  unit_near(c.spread[0], LN2);
  unit_near(c.spread[1], 2 * LN2);
  sc_check_add(&c, 3, &(sc_interval){INFINITY, 1, INFINITY}, &(sc_interval){2, 1, 4});
  sc_check_add(&c, 3, &(sc_interval){1, 1, 1}, &(sc_interval){NAN, 1, 4});
  assert_int_equal(c.count, 2);
  for (size_t i = 2; i < SC_CHECK_SIZES + 2; i++)
    add(&c, (double)i + 1, 1, 1);
  assert_int_equal(c.count, SC_CHECK_SIZES);
}

TEST(missed_is_what_both_intervals_leave_out)
{
  static const struct {
    bool share, strict;
    sc_interval predicted, measured;
    bool missed;
  } cases[] = {{false, false, {10, 8, 12}, {13, 12, 14}, false}, /* they touch */
               {false, false, {10, 8, 12}, {13, 12.1, 14}, true},
               {false, false, {10, 8, 12}, {7, 6, 8}, false},
               {false, false, {10, 8, 12}, {7, 6, 7.9}, true},
               {false, true, {10, 8, 12}, {11, 10, 12}, false},
               {false, true, {10, 8, 12}, {11, 10.1, 12}, true},
               {false, true, {10, 8, 12}, {9, 8, 10}, false},
               {false, true, {10, 8, 12}, {9, 8, 9.9}, true},
               {true, false, {0.5, 0.5, 0.5}, {0.519, 0.519, 0.519}, false}, /* by less than 0.02 */
               {true, false, {0.5, 0.5, 0.5}, {0.521, 0.521, 0.521}, true},
               {true, false, {0.002, 0.002, 0.002}, {0.0054, 0.0054, 0.0054}, false}, /* and less than e-fold odds */
               {true, false, {0.002, 0.002, 0.002}, {0.0055, 0.0055, 0.0055}, true},
               {false, false, {0.5, 0.5, 0.5}, {0.51, 0.51, 0.51}, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_check c = {.share = cases[i].share, .strict = cases[i].strict};
    sc_check_add(&c, 1, &cases[i].predicted, &cases[i].measured);
    if (c.missed != cases[i].missed)
      fail_msg("case %zu", i);
  }
  sc_check c = {0};
  add(&c, 1, 1, 2);
  add(&c, 2, 1, 0.25);
  add(&c, 3, 1, 3);
  assert_int_equal(c.worst, 1);
}

/* Distances of 0.1, 0.2, 0.3 and 0.4: the upper half settles at 0.35 and is 0.05 around it, which is the least doubt.
 */
TEST(the_upper_half_settles)
{
  sc_check c = {0}, one = {0}, two = {0}, wide = {0}, hits = {0};
  for (int i = 0; i < 4; i++)
    add(&c, exp2(i), 1, exp(0.1 * (i + 1)));
  sc_check_finish(&c);
  unit_near(c.settled, 0.35);
  unit_near(c.doubt, 0.05);
  unit_near(c.slope, 0.1 / LN2);
  add(&one, 7, 1, 3);
  sc_check_finish(&one);
  unit_near(one.settled, log(3));
  assert_true(one.slope == 0 && one.doubt == 0.05);
  add(&two, 7, 1, 2), add(&two, 14, 1, 8); /* two have no slope: both deviate by ln 2 from their mean */
  sc_check_finish(&two);
  unit_near(two.settled, 3 * LN2);
  unit_near(two.doubt, sqrt(2) * LN2);
  assert_true(two.slope == 0);
  for (int i = 0; i < 3; i++) /* the upper half of three are two */
    sc_check_add(&wide, exp2(i), &(sc_interval){1, 1, 1}, &(sc_interval){exp(i), exp(i - 0.3), exp(i + 0.3)});
  sc_check_finish(&wide);
  unit_near(wide.settled, 1.5);
  unit_near(wide.doubt, hypot(sqrt(0.5 * 0.5 - 0.3 * 0.3 / 2), 0.3 / 2)); /* what repeats explain is no error */
  unit_near(wide.doubt_busy, hypot(0.5, 0.3));
  for (int i = 0; i < 3; i++) /* not missed: not corrected, and all of the distance is in doubt */
    sc_check_add(&hits, exp2(i), &(sc_interval){1, 0.1, 10}, &(sc_interval){exp(0.3), exp(0.3), exp(0.3)});
  sc_check_finish(&hits);
  unit_near(hits.doubt, 0.3);
  assert_true(hits.slope == 0 && sc_check_shift(&hits, 2) == 0);
}

/* At 1, 2, 4 and 8 a slope b makes b sqrt(5) ln 2 of all distances, which must be more than 2 standard errors: of 0.05
 * at least, and of d sqrt(2) where the sizes lie d above and below a line. */
TEST(slopes_are_certain_from_two_standard_errors_on)
{
  static const struct {
    double b, d;
    bool certain;
  } cases[] = {{0.064, 0, false}, {0.065, 0, true},    {-0.064, 0, false},
               {-0.065, 0, true}, {0.364, 0.2, false}, {0.366, 0.2, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_check c = {0};
    static const double beside[] = {1, -1, -1, 1};
    for (int k = 0; k < 4; k++)
      add(&c, exp2(k), 1, exp(1 + cases[i].b * k * LN2 + cases[i].d * beside[k]));
    sc_check_finish(&c);
    unit_near(c.slope + 1, cases[i].certain ? 1 + cases[i].b : 1);
  }
}

/* 0.2 at 10 and 0.6 at 40; the latter settles, and beyond it stays. At 1,000 of 3 sizes it does not. */
TEST(shifts_lie_between_sizes)
{
  sc_check c = {0}, three = {0};
  add(&c, 10, 1, exp(0.2)), add(&c, 40, 1, exp(0.6));
  sc_check_finish(&c);
  static const double at[][2] = {{1, 0.2}, {10, 0.2}, {20, 0.4}, {28.284271247461902, 0.5}, {40, 0.6}, {400, 0.6}};
  for (size_t i = 0; i < COUNT(at); i++)
    unit_near(sc_check_shift(&c, at[i][0]), at[i][1]);
  add(&three, 10, 1, exp(0.2)), add(&three, 20, 1, exp(0.4)), add(&three, 40, 1, exp(0.8));
  sc_check_finish(&three);
  unit_near(sc_check_shift(&three, 400), 0.6 + 0.2 / 10); /* less and less of its own */
  unit_near(sc_check_shift(&three, 28.284271247461902), 0.6);
}

TEST(predictions_are_corrected_and_widened)
{
  sc_check c = {0};
  double off = NORMAL95 * 0.05;
  add(&c, 10, 1, 2);
  sc_check_finish(&c);
  applied(&c, 5, 1, exactly(3), 6, 6 * exp(-off), 6 * exp(off));
  applied(&c, 10, 1, exactly(3), 6, 2, 6 * exp(off)); /* what was measured there is possible */
  applied(&c, 20, 1, exactly(3), 6, 6 * exp(-off * (1 + LN2)), 6 * exp(off * (1 + LN2)));
  applied(&c, 5, 0.5, exactly(3), 3 * sqrt(2), 3 * sqrt(2) * exp(-off), 3 * sqrt(2) * exp(off));
  applied(&c, 5, 1, (sc_interval){3, 2, 6}, 6, 6 * exp(-hypot(log(1.5), off)), 6 * exp(hypot(LN2, off)));
  applied(&c, 5, 1, (sc_interval){3, 0, 6}, 6, 0, 6 * exp(hypot(LN2, off))); /* it may be nothing at all */
  sc_interval open = {3, 2, INFINITY}, unknown = {INFINITY, 2, INFINITY};
  sc_check_apply(&c, 5, 0.95, 1, false, &open);
  sc_check_apply(&c, 5, 0.95, 1, false, &unknown);
  assert_true(isinf(open.high) && isinf(unknown.value) && unknown.low == 2);
  unit_near(open.value, 6);
  sc_interval busy = exactly(3);
  c.doubt_busy = 0.2; /* repeats differ because of what else the machine does */
  sc_check_apply(&c, 5, 0.95, 1, true, &busy);
  unit_near(busy.low, 6 * exp(-NORMAL95 * 0.2));
  unit_near(busy.high, 6 * exp(NORMAL95 * 0.2));
  c.elsewhere = true; /* nobody expects here what was measured there */
  applied(&c, 10, 1, exactly(3), 6, 6 * exp(-off), 6 * exp(off));
}

/* A distance that grows by 0.1 a doubling, seen up to 8, once more as far away: half of the range and of the slope. */
TEST(certain_slopes_widen_one_side)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    sc_check c = {0};
    for (int i = 0; i < 4; i++)
      add(&c, exp2(i), 1, exp(sign * (1 + 0.1 * i)));
    sc_check_finish(&c);
    double value = exp(sign * (1.25 + 0.05 / 8)), off = NORMAL95 * 0.05 * 2, more = 0.3;
    applied(&c, 64, 1, exactly(1), value, value * exp(-off - (sign < 0 ? more : 0)),
            value * exp(off + (sign > 0 ? more : 0)));
  }
}

/* Halfway between two sizes a quarter of what they differ by is in doubt, and the mean of their spreads. */
TEST(between_sizes_that_differ_is_doubt)
{
  sc_check c = {0};
  sc_check_add(&c, 1, &(sc_interval){1, 1, 1}, &(sc_interval){2, 2 * exp(-0.2), 2 * exp(0.2)});
  sc_check_add(&c, 4, &(sc_interval){1, 1, 1}, &(sc_interval){4, 4 * exp(-0.4), 4 * exp(0.4)});
  sc_check_finish(&c);
  double off = NORMAL95 * hypot(0.3, LN2 / 4), at = 2 * sqrt(2);
  applied(&c, 2, 1, exactly(1), at, at * exp(-off), at * exp(off));
}

TEST(shares_stay_shares)
{
  sc_check c = {.share = true}, falls = {.share = true}, hits = {.share = true};
  double off = NORMAL95 * 0.05;
  add(&c, 10, 0.5, 0.8); /* four times the odds */
  sc_check_finish(&c);
  applied(&c, 5, 1, exactly(0.2), 0.5, 1 / (1 + exp(off)), 1 / (1 + exp(-off)));
  applied(&c, 5, 1, exactly(1), 1, 1 / (1 + exp(off) / 99), 1);
  add(&falls, 10, 0.99, 0.5); /* a 99th of the odds: what is above 0.99 begins there */
  sc_check_finish(&falls);
  applied(&falls, 5, 1, exactly(0.999), 0.5, 1 / (1 + exp(off)), 1 / (1 + exp(-off)));
  add(&hits, 10, 0.5, 0.5);
  sc_check_finish(&hits);
  applied(&hits, 5, 1, (sc_interval){0.5, 0.5, 1}, 0.5, 1 / (1 + exp(off)), 1);
  applied(&hits, 5, 1, (sc_interval){0, 0, 0.3}, 0, 0, 0.3); /* nothing was predicted, and nothing was there */
}

TEST(what_is_missed_is_corrected)
{
  sc_check check = {.share = true};
  for (double n = 1; n < 9; n *= 2)
    sc_check_add(&check, n, &(sc_interval){0.13, 0.13, 0.13}, &(sc_interval){0.89, 0.88, 0.9});
  sc_check_finish(&check);
  assert_true(check.missed);
  for (double n = 0.5; n < 1000; n *= 3) {
    sc_interval p = {0.13, 0.13, 0.13};
    sc_check_apply(&check, n, 0.95, 1, false, &p);
    unit_near_by(p.value, 0.89, 1e-9);
    assert_true(p.low < 0.885 && p.high > 0.895 && p.high < 1);
  }
  sc_check hits = {.share = true}, none = {.share = true};
  sc_interval p = {0.5, 0.4, 0.6}, same = p;
  sc_check_add(&hits, 10, &p, &(sc_interval){0.55, 0.5, 0.57});
  sc_check_finish(&hits);
  assert_true(!hits.missed && sc_check_shift(&hits, 7) == 0);
  sc_check_apply(&hits, 20, 0.95, 1, false, &p);
  assert_true(p.value == 0.5 && p.low < 0.4 && p.high > 0.6);
  sc_check_finish(&none);
  sc_check_apply(&none, 20, 0.95, 1, false, &same);
  assert_true(same.low == 0.4 && same.high == 0.6);
}

/* By less than is worth a correction, but outside of the interval: it is possible there all the same, and only there.
 */
TEST(what_was_measured_is_possible)
{
  sc_check check = {.share = true};
  const sc_interval predicted = {0.025, 0.02, 0.03}, measured = {0.039, 0.038, 0.04};
  for (double n = 1; n <= 4; n++)
    sc_check_add(&check, n, &predicted, n == 1 ? &measured : &predicted);
  sc_check_finish(&check);
  assert_false(check.missed);
  sc_interval there = {0.025, 0.0249, 0.0251}, next = there;
  sc_check_apply(&check, 1, 0.95, 1, false, &there);
  sc_check_apply(&check, 2, 0.95, 1e-9, false, &next);
  assert_true(there.value == 0.025 && there.low <= 0.0249 && there.high >= 0.039);
  assert_true(next.high < 0.039);
}
