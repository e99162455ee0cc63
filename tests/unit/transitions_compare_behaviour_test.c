/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether one model grows by a higher order than another: yes, no, or the data cannot tell. */
#include "unit.h"

#include <math.h>

#include "transitions/compare/internal.h"

/* n^exponent (log n)^log through eight sizes, known to that. */
static sc_model power(double exponent, double log_exponent, bool exact)
{
  return (sc_model){.verdict = SC_VERDICT_MODEL,
                    .terms = {{3, exponent, log_exponent, 0, 0, 0}},
                    .term_count = 1,
                    .order = {exponent, log_exponent, (int)lround(exponent), 0, 0},
                    .exponent_low = exponent,
                    .exact = exact,
                    .points = 8,
                    .r2 = 1,
                    .n_min = 100,
                    .n_max = 12800};
}

static int rise(sc_model base, sc_model head, double explained) { return sc_behaviour_rise(&base, &head, explained); }

/* Two fifths of an exponent more, which what is around does not explain. */
TEST(an_order_rises_by_a_step)
{
  assert_int_equal(rise(power(1, 0, true), power(2, 0, true), 0), 1);
  assert_int_equal(rise(power(2, 0, true), power(1, 0, true), 0), 0);
  assert_int_equal(rise(power(1, 0, true), power(1, 0, true), 0), 0);
  assert_int_equal(rise(power(1, 0, true), power(2, 0, true), 0.59), 1);
  assert_int_equal(rise(power(1, 0, true), power(2, 0, true), 0.6), 1); /* 2 - 1 - 0.6 is 0.4, to the last bit */
  assert_int_equal(rise(power(1, 0, true), power(2, 0, true), 0.61), 0);
  assert_int_equal(rise(power(1, 0, true), power(2, 0, true), 1), 0);
  assert_int_equal(rise(power(1, 0, true), power(2, 0, true), -1), 1);
  assert_int_equal(rise(power(1, 0, false), power(1.41, 0, false), 0), 1);
  assert_int_equal(rise(power(1, 0, false), power(1.39, 0, false), 0), 0);
}

/* A logarithm more is one where both are exact and nothing around grows. */
TEST(a_logarithm_more_is_a_rise_of_exact_counts)
{
  assert_int_equal(rise(power(1, 0, true), power(1, 1, true), 0), 1);
  assert_int_equal(rise(power(1, 0, false), power(1, 1, true), 0), 0);
  assert_int_equal(rise(power(1, 0, true), power(1, 1, false), 0), 0);
  assert_int_equal(rise(power(1, 0, true), power(1, 1, true), 0.1), 0);
  assert_int_equal(rise(power(0, 0, true), power(0, 1, true), 0), 0); /* a binary search never matters */
}

/* A rival of either about as steep as the other leaves it open, from 5% on. */
TEST(rivals_leave_it_open)
{
  sc_model base = power(1, 0, false), head = power(2, 0, false);
  head.rivals[0] = (sc_rival){.terms = {{1, 1.19, 0, 0, 0, 0}}, .term_count = 1, .weight = 0.05};
  head.rival_count = 1;
  assert_int_equal(rise(base, head, 0), -1);
  head.rivals[0].terms[0].exponent = 1.21;
  assert_int_equal(rise(base, head, 0), 1);
  head.rivals[0].terms[0].exponent = 1;
  head.rivals[0].weight = 0.049;
  assert_int_equal(rise(base, head, 0), 1);
  head.rival_count = 0;
  base.rivals[0] = (sc_rival){.terms = {{1, 1.81, 0, 0, 0, 0}}, .term_count = 1, .weight = 0.05};
  base.rival_count = 1;
  assert_int_equal(rise(base, head, 0), -1);
  base.rivals[0].terms[0].exponent = 1.79;
  assert_int_equal(rise(base, head, 0), 1);
  base.rivals[0].terms[0].exponent = 3;
  base.rivals[0].term_count = 0; /* a constant 0 */
  assert_int_equal(rise(base, head, 0), 1);
  base = power(1.3, 0, false);
  head.exponent_low = 1.49; /* nor may the head be about as the base is */
  assert_int_equal(rise(base, head, 0), -1);
  head.exponent_low = 1.51;
  assert_int_equal(rise(base, head, 0), 1);
}

TEST(without_models_nothing_rises)
{
  sc_model none = power(2, 0, false);
  none.verdict = SC_VERDICT_CANNOT_TELL;
  assert_int_equal(rise(power(1, 0, true), none, 0), 0);
  assert_int_equal(rise(none, power(3, 0, true), 0), 0);
}
