/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rivals and their shares, computed by hand: everything at sizes 10 and 100, so that 64 times the largest is 6,400. */
#include "unit.h"

#include <math.h>

#include "regress/choose/rivals.h"
#include "regress/choose/spread.h"

enum { MOST = 9 };
static const double n[] = {10, 20, 50, 100}, y[] = {10, 20, 50, 100};

static sc_points points_of(bool counts)
{
  sc_points points = {0};
  assert_int_equal(sc_points_gather(&(sc_series){n, y, 4, counts}, &points), 0);
  return points;
}

/* `far`: what it predicts at 6,400. */
static sc_candidate candidate_of(double far, double score)
{
  return (sc_candidate){.terms = {{far / 6400, 1, 0}},
                        .count = 1,
                        .parameters = 1,
                        .score = score,
                        .forward_error = score,
                        .fit = {.rss = 0.03, .covariance = {{1e-4}}}};
}

static sc_model rivals_of(const sc_points *points, const sc_candidate *list, size_t count)
{
  const sc_candidate *ranked[MOST * 3];
  sc_model model = {.n_max = 100, .n_center = 25, .drift = 0.1};
  for (size_t i = 0; i < count; i++)
    ranked[i] = &list[i];
  sc_rivals_set(points, ranked, count, &model);
  return model;
}

/* A score of x more is a weight of exp(-x / 2), and a mass of that to the power of 1 / 0.8, of counts 1 / 1.5. */
TEST(each_is_a_rival_while_there_is_room)
{
  static const double tempers[] = {0.8, 1.5};
  const sc_candidate list[] = {candidate_of(1000, 4), candidate_of(800, 5), candidate_of(3000, 6)};
  for (int counts = 0; counts < 2; counts++) {
    sc_points points = points_of(counts);
    sc_model m = rivals_of(&points, list, 3);
    assert_true(m.rival_count == 2 && m.mass == 1);
    for (size_t i = 0; i < 2; i++) {
      double behind = (double)i + 1, far = i ? 3000 : 800;
      sc_spread s = sc_spread_of(&points, &list[i + 1]);
      unit_near(m.rivals[i].terms[0].coefficient, far / 6400);
      assert_true(m.rivals[i].term_count == 1 && m.rivals[i].error == 5 + (double)i);
      unit_near(m.rivals[i].weight, exp(-behind / 2));
      unit_near(m.rivals[i].mass, exp(-behind / 2 / tempers[counts]));
      unit_near(m.rivals[i].deviation[0], sc_spread_deviation(&s, &list[i + 1], 200));
      unit_near(m.rivals[i].deviation[1], sc_spread_deviation(&s, &list[i + 1], 6400));
    }
    unit_near(m.drift, 0.1);
    sc_points_free(&points);
  }
}

/* What is less than a thousandth as likely, or not above 0 far out, is left out; the chosen one stays anyway. */
TEST(who_is_no_rival)
{
  sc_points points = points_of(false);
  double last = -2 * 0.8 * log(1e-3);
  const sc_candidate list[] = {candidate_of(-5, 0), candidate_of(800, last - 0.01), candidate_of(900, last + 0.01),
                               candidate_of(-800, 1), candidate_of(0, 1)};
  sc_model m = rivals_of(&points, list, 5);
  assert_int_equal(m.rival_count, 1);
  unit_near(m.rivals[0].mass, 1e-3 * exp(0.01 / 1.6));
  assert_true(m.mass == 1);
  sc_points_free(&points);
}

/* Six: the two that lie nearest, 1,000 and 1,010, are one. Of them and the chosen one the chosen stays. */
TEST(the_nearest_are_one)
{
  sc_points points = points_of(false);
  sc_candidate list[] = {candidate_of(100, 0),   candidate_of(1010, 2), candidate_of(1000, 1),
                         candidate_of(10000, 2), candidate_of(300, 2),  candidate_of(4000, 2)};
  sc_model m = rivals_of(&points, list, 6);
  double a = exp(-1 / 1.6), b = exp(-2 / 1.6), apart = log(1.01), square = apart * apart * a * b / (a + b);
  double far = log(1000) + apart * b / (a + b), off = log(1000) - far;
  assert_int_equal(m.rival_count, 4);
  unit_near(m.rivals[0].terms[0].coefficient, 1000 / 6400.0); /* the likelier one */
  unit_near(m.rivals[0].weight, exp(-0.5));
  unit_near(m.rivals[0].mass, a + b);
  sc_spread s = sc_spread_of(&points, &list[2]);
  unit_near(m.rivals[0].deviation[1],
            hypot(sc_spread_deviation(&s, &list[2], 6400), sqrt(square / (a + b) + off * off)));
  unit_near(m.mass, 1);
  unit_near(m.drift, 0.1);
  /* now the nearest to the chosen one is its own, however likely */
  list[4] = candidate_of(102, 0.5);
  list[1] = candidate_of(2000, 2);
  m = rivals_of(&points, list, 6);
  b = exp(-0.5 / 1.6), apart = log(1.02), square = apart * apart * b / (1 + b);
  far = apart * b / (1 + b);
  assert_int_equal(m.rival_count, 4);
  unit_near(m.mass, 1 + b);
  unit_near(m.drift, hypot(0.1, sqrt(square / (1 + b) + far * far) / log(6400 / 25.0)));
  unit_near(m.rivals[0].weight, exp(-0.5));
  sc_points_free(&points);
}

/* Nearness counts with how likely both are: by the squares that merging adds. */
TEST(unlikely_ones_are_merged_first)
{
  sc_points points = points_of(false);
  const sc_candidate list[] = {candidate_of(100, 0),   candidate_of(1000, 0),  candidate_of(1100, 0),
                               candidate_of(10000, 8), candidate_of(11500, 8), candidate_of(90000, 0)};
  sc_model m = rivals_of(&points, list, 6);
  double both = 2 * exp(-8 / 1.6);
  assert_int_equal(m.rival_count, 4);
  unit_near(m.rivals[3].mass, both);
  unit_near(m.rivals[3].weight, exp(-4));
  sc_points_free(&points);
}

/* 23 rivals are looked at; where the best was refused, what is doubted as it is weighs a tenth at most. */
TEST(many_and_refused_ones)
{
  sc_candidate list[MOST * 3];
  sc_points points = points_of(true);
  double mass = 0;
  for (size_t i = 0; i < 26; i++) {
    list[i] = candidate_of(100 * (double)(i + 1), 0.01 * (double)i);
    mass += i > 0 && i < 24 ? exp(-0.01 * (double)i / 3) : 0;
  }
  sc_model m = rivals_of(&points, list, 26);
  double sum = m.mass - 1;
  for (size_t i = 0; i < m.rival_count; i++)
    sum += m.rivals[i].mass;
  unit_near(sum, mass);
  list[1].terms[0].exponent = 2;
  list[1].fit.forward[0] = 1;
  points.refused = true;
  m = rivals_of(&points, list, 2);
  unit_near(m.rivals[0].mass, pow(0.1, 1 / 1.5));
  unit_near(m.rivals[0].weight, 0.1);
  list[1].score = 6; /* less likely than that anyhow */
  m = rivals_of(&points, list, 2);
  unit_near(m.rivals[0].weight, exp(-3));
  points.refused = false;
  list[1].score = 0.01;
  m = rivals_of(&points, list, 2);
  unit_near(m.rivals[0].weight, exp(-0.005));
  sc_points_free(&points);
}
