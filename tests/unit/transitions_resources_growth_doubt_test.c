/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the machine adds to times that change with the size. */
#include "unit.h"

#include "transitions/resources/growth.h"
#include "transitions_resources_made.h"

static const double level = 0.95, wide = 1.959963984540054; /* standard deviations */

/* The exponent's doubt grows with the distance, in logarithms; that of the state is all there at twice the size. */
TEST(doubt_widens_beyond_the_sizes)
{
  const struct {
    double exponent, state, n, error;
  } cases[] = {{0.1, 0, 800, 0.1 * M_LN2},
               {0.1, 0, 3200, 0.3 * M_LN2},
               {0, 0.2, 800, 0.2},
               {0, 0.2, 6400, 0.2},
               {0, 0.2, 4e8, 0.2},
               {0, 0.2, 400 * M_SQRT2, 0.1},
               {0.3, 0.4, 800, hypot(0.3 * M_LN2, 0.4)},
               {0.1, 0.2, 800, hypot(0.1 * M_LN2, 0.2)},
               {0.1, 0.2, 400, 0},
               {0.1, 0.2, 200, 0},
               {0, 0, 800, 0},
               {0, 0, 3200, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double error = cases[i].error;
    sc_growth_doubt doubt = {.exponent = cases[i].exponent, .state = cases[i].state};
    sc_interval at = {6, 5, 7}, none = {6, 0, INFINITY}, alone = {6, 6, 6};
    sc_growth_widen(&doubt, 400, cases[i].n, level, &alone);
    unit_near(alone.low, 6 * exp(-wide * error));
    unit_near(alone.high, 6 * exp(wide * error));
    sc_growth_widen(&doubt, 400, cases[i].n, level, &at);
    unit_near(at.low, fmin(5, alone.low));
    unit_near(at.high, fmax(7, alone.high));
    sc_growth_widen(&doubt, 400, cases[i].n, level, &none);
    assert_true(none.value == 6 && none.low == 0 && isinf(none.high));
  }
}

typedef struct judged {
  bool believed;
  sc_growth_doubt doubt;
} judged;

/* Times at 100, 200, 400 and 800, in microseconds. Holds have two runs each, and the longer one does not count. */
static judged judge(int metric, const double *times, size_t count, double slope)
{
  static const sc_resource kind[] = {{SC_RESOURCE_MUTEX, "lock", "a.c", 1}};
  static const double n[] = {100, 200, 400, 800};
  made_resources *m = made_new(kind, 1, 4, 2);
  double seconds[4];
  judged result;
  for (size_t i = 0; i < 4; i++) {
    seconds[i] = times[i] * 1e-6;
    for (size_t k = 0; k < 2; k++) {
      made_sum(m, 0, 2 * i + k, SC_USAGE_HOLDS, 10);
      made_sum(m, 0, 2 * i + k, SC_USAGE_HOLD_SECONDS, 10 * seconds[i] * (k ? 1.5 : 1));
    }
  }
  const sc_growth growth = {.metric = metric, .n = n, .seconds = seconds, .count = count, .slope = slope};
  assert_int_equal(sc_growth_judge(&m->r, &m->cells[0], &growth, &result.believed, &result.doubt), 0);
  made_free(m);
  return result;
}

/* From the lower to the upper half it rises by more than 20 us, else the machine may have done it. A tenth of it may be
 * the machine's, and 10 us. */
TEST(long_changes_are_believed)
{
  static const double up[] = {90, 110, 140, 160}, more[] = {90, 110, 119, 123}, down[] = {130, 110, 95, 95},
                      down_less[] = {129, 109, 99, 101};
  judged j = judge(SC_RMETRIC_HOLD, up, 4, 0.5);
  assert_true(j.believed && j.doubt.state == 0.15);
  unit_near(j.doubt.exponent, hypot(0.1, 10.0 / 50) / log(8));
  j = judge(SC_RMETRIC_HOLD, more, 4, 0.1);
  assert_true(j.believed);
  unit_near(j.doubt.exponent, hypot(0.1, 10.0 / 21) / log(8));
  j = judge(SC_RMETRIC_HOLD, down, 4, -0.3); /* of a fall there is no doubt but the state */
  assert_true(!j.believed && j.doubt.exponent == 0 && j.doubt.state == 0.15);
  j = judge(SC_RMETRIC_THINK, down, 4, -0.3); /* think times that fall ask for more */
  assert_true(j.believed && j.doubt.state == 0.15);
  unit_near(j.doubt.exponent, hypot(0.1, 10.0 / 25) / log(8));
  j = judge(SC_RMETRIC_THINK, down_less, 4, -0.3);
  assert_true(!j.believed && j.doubt.state == 0.15);
  unit_near(j.doubt.exponent, 0.15);
  j = judge(SC_RMETRIC_THINK, up, 4, 0.5);
  assert_true(!j.believed && j.doubt.exponent == 0);
}

TEST(what_cannot_be_judged_is_believed)
{
  static const double up[] = {90, 110, 140, 160};
  judged j = judge(SC_RMETRIC_ACQUIRES, up, 4, 0.5);
  assert_true(j.believed && j.doubt.state == 0 && j.doubt.exponent == 0);
  j = judge(SC_RMETRIC_HOLD, up, 1, 0);
  assert_true(j.believed && j.doubt.state == 0 && j.doubt.exponent == 0);
  assert_true(judge(SC_RMETRIC_THINK, up, 2, 0.5).doubt.state == 0.15);
}

/* From half to half of the sizes, by more than the machine makes of a time: 20 us. */
TEST(growth_is_believed_from_twenty_microseconds_on)
{
  static const double falls[] = {100, 100, 79, 79}, little[] = {100, 100, 81, 81}, rises[] = {100, 100, 121, 121};
  judged j = judge(SC_RMETRIC_THINK, falls, 4, -0.2);
  assert_true(j.believed);
  unit_near(j.doubt.state, 0.15);
  unit_near(j.doubt.exponent, hypot(0.1, 10.0 / 21) / log(8));
  j = judge(SC_RMETRIC_THINK, little, 4, -0.2);
  assert_false(j.believed);
  unit_near(j.doubt.exponent, 0.1); /* half of the slope */
  j = judge(SC_RMETRIC_THINK, rises, 4, 0.2);
  assert_true(!j.believed && j.doubt.exponent == 0); /* think times that rise need no belief */
  j = judge(SC_RMETRIC_HOLD, rises, 4, 0.2);
  assert_true(j.believed);
  unit_near(j.doubt.exponent, hypot(0.1, 10.0 / 21) / log(8));
  j = judge(SC_RMETRIC_HOLD, falls, 4, -0.2);
  assert_true(!j.believed && j.doubt.exponent == 0 && j.doubt.state == 0.15);
  j = judge(SC_RMETRIC_UTILISATION, rises, 4, 0.2); /* no time */
  assert_true(j.believed && j.doubt.exponent == 0 && j.doubt.state == 0);
}
