/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where points lie: lines, what they cannot tell apart, what is held out, and what errs alike. */
#include "unit.h"

#include <math.h>

#include "base/err.h"
#include "regress/surface/internal.h"

enum { MOST = 64 };

/* Two parameters at `count` places. */
static sc_surface_points gather(const double (*at)[2], const double *y, size_t count, bool counts)
{
  double zeros[MOST] = {0};
  sc_surface_points points = {0};
  sc_surface_series series = {.at = &at[0][0], .y = y ?: zeros, .count = count, .parameters = 2, .counts = counts};
  assert_int_equal(sc_surface_points_gather(&series, &points), 0);
  return points;
}

TEST(points_have_their_repeats_and_ranges)
{
  static const double at[][2] = {{20, 3}, {10, 3}, {20, 3}, {10, 5}};
  static const double y[] = {8, 2, 10, 1000};
  sc_surface_points p = gather(at, y, 4, false);
  assert_true(p.count == 3 && p.observations == 4 && p.parameters == 2 && !p.whole);
  assert_true(p.at[0] == 10 && p.at[1] == 3 && p.at[2] == 10 && p.at[3] == 5 && p.at[4] == 20 && p.at[5] == 3);
  assert_true(p.y[0] == 2 && p.y[1] == 1000 && p.y[2] == 9);
  assert_true(p.repeats[0] == 1 && p.repeats[2] == 2);
  assert_true(p.low[0] == 10 && p.high[0] == 20 && p.low[1] == 3 && p.high[1] == 5);
  assert_true(p.values[0] == 2 && p.values[1] == 2);
  assert_true(p.pure_degrees == 1 && p.rounding == 0 && p.y_max == 1000 && p.independent == 4);
  unit_near(p.pure_ss, 2.0 / 81); /* 8 and 10 are a ninth away from 9 */
  assert_true(p.scale[0] == 2 && p.scale[2] == 9);
  sc_surface_points_free(&p);
  p = gather(at, (double[]){0, 0.5, 0, 1000}, 4, false); /* not below a thousandth of the largest */
  assert_true(p.scale[0] == 1 && p.scale[1] == 1000 && p.scale[2] == 1);
  sc_surface_points_free(&p);
}

TEST(counts_are_whole_where_repeats_are_equal)
{
  static const double at[][2] = {{1, 1}, {2, 1}, {2, 1}};
  sc_surface_points p = gather(at, (double[]){2, 9, 9}, 3, true);
  assert_true(p.whole && p.count == 2);
  unit_near(p.rounding, 0.25 * (1.0 / 4 + 1.0 / 81) / 2); /* half a count */
  sc_surface_points_free(&p);
  for (int counts = 0; counts < 2; counts++) {
    p = gather(at, NULL, 3, counts); /* nothing but zeros */
    assert_true(p.scale[0] == 1 && p.scale[1] == 1 && p.rounding == (counts ? 0.25 : 0) && p.y_max == 0);
    sc_surface_points_free(&p);
  }
  p = gather(at, (double[]){0, 9, 9}, 3, true);
  assert_true(p.whole && p.scale[0] == 1);
  sc_surface_points_free(&p);
  static const double others[][3] = {{2, 9, 10}, {2.5, 9, 9}, {0x1p53, 9, 9}};
  for (size_t i = 0; i < 3; i++) {
    p = gather(at, others[i], 3, true);
    assert_false(p.whole);
    sc_surface_points_free(&p);
  }
  p = gather(at, (double[]){0x1p53 - 1, 9, 9}, 3, true);
  assert_true(p.whole);
  sc_surface_points_free(&p);
}

/* Deviations of 1% from medians: repeats beyond 5 * 1.4826 * 1.2 times that are left out, of three or more. */
TEST(outliers_are_five_deviations_away)
{
  static const double sizes[][2] = {{1, 1}, {1, 1}, {1, 1}, {2, 1}, {2, 1}, {2, 1}, {3, 1}, {3, 1}, {3, 1}};
  static const double off[] = {0.0889, -0.0889, 0.089, -0.089};
  for (size_t i = 0; i < 4; i++) {
    double y[] = {99, 100, 101, 101, 100, 99, 100, 100, 100 * (1 + off[i])};
    sc_surface_points p = gather(sizes, y, 9, false);
    assert_true(p.count == 3 && p.observations == (i < 2 ? 9 : 8));
    sc_surface_points_free(&p);
  }
  static const double two[][2] = {{1, 1}, {1, 1}, {2, 1}, {2, 1}, {2, 1}};
  sc_surface_points p = gather(two, (double[]){100, 900, 99, 100, 101}, 5, true);
  assert_true(p.observations == 5 && p.y[0] == 500); /* of two repeats neither is one */
  sc_surface_points_free(&p);
  static const double three[][2] = {{1, 1}, {1, 1}, {1, 1}, {2, 1}, {2, 1}, {2, 1}};
  p = gather(three, (double[]){99, 100, 900, 99, 100, 101}, 6, true);
  assert_true(p.observations == 5 && p.repeats[0] == 2 && p.y[0] == 99.5 && !p.whole);
  sc_surface_points_free(&p);
  static const double first[][2] = {{1, 1}, {1, 1}, {1, 1}, {2, 1}}; /* the first point alone has three */
  p = gather(first, (double[]){99, 100, 900, 100}, 4, false);
  assert_true(p.observations == 3 && p.repeats[0] == 2 && p.y[0] == 99.5);
  sc_surface_points_free(&p);
  /* of two halves that are far apart neither is one */
  static const double seven[][2] = {{1, 1}, {1, 1}, {1, 1}, {2, 1}, {2, 1}, {2, 1}, {2, 1},
                                    {3, 1}, {3, 1}, {3, 1}, {4, 1}, {4, 1}, {4, 1}};
  p = gather(seven, (double[]){99, 100, 101, 50, 150, 50, 150, 101, 100, 99, 100, 99, 101}, 13, false);
  assert_true(p.observations == 13 && p.repeats[1] == 4 && p.y[1] == 100 && p.repeats[2] == 3);
  sc_surface_points_free(&p);
  static const size_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (size_t i = 0; i < COUNT(orders); i++) { /* in whatever order */
    static const double repeats[] = {99, 100, 900};
    double y[] = {0, 0, 0, 101, 99, 100};
    for (size_t k = 0; k < 3; k++)
      y[k] = repeats[orders[i][k]];
    p = gather(three, y, 6, false);
    assert_true(p.observations == 5 && p.repeats[0] == 2 && p.y[0] == 99.5 && p.y[1] == 100);
    sc_surface_points_free(&p);
  }
  p = gather(three, (double[]){100, 100, 900, 100, 100, 100}, 6, false); /* most deviate by nothing: no measure */
  assert_true(p.observations == 6 && p.repeats[0] == 3);
  sc_surface_points_free(&p);
}

TEST(what_is_no_point)
{
  static const double places[][2] = {{1, 0}, {1, NAN}, {-1, 1}, {1, INFINITY}};
  sc_surface_points p = {0};
  double y = 1;
  for (size_t i = 0; i < 4; i++) {
    sc_surface_series s = {.at = places[i], .y = &y, .count = 1, .parameters = 2};
    assert_int_equal(sc_surface_points_gather(&s, &p), SC_E_INPUT);
    unit_has(sc_err_message(), i == 2 ? "for parameter 1" : "for parameter 2");
  }
  static const double ones[] = {1, 1, 1, 1};
  static const double values[] = {-1, NAN, INFINITY};
  for (size_t i = 0; i < 3; i++) {
    sc_surface_series s = {.at = ones, .y = (double[]){0, values[i]}, .count = 2, .parameters = 2};
    assert_int_equal(sc_surface_points_gather(&s, &p), SC_E_INPUT);
    unit_has(sc_err_message(), "point 1 has the value");
  }
  for (size_t parameters = 0; parameters <= 4; parameters++) {
    sc_surface_series s = {.at = ones, .y = (double[]){0}, .count = 1, .parameters = parameters};
    assert_int_equal(sc_surface_points_gather(&s, &p), parameters >= 1 && parameters <= 3 ? 0 : SC_E_INPUT);
  }
  sc_surface_points_free(&p);
}

/* Of five points four lie in lines along the first parameter, and three along the second. */
static const double cross[][2] = {{1, 1}, {2, 1}, {4, 1}, {1, 3}, {1, 5}, {8, 9}};

TEST(lines_are_points_that_differ_in_one_parameter)
{
  sc_surface_points p = gather(cross, NULL, 6, true);
  size_t index[7] = {5, 5, 5, 5, 5, 5, 5}, start[7]; /* what was there before, or stands behind, is of no account */
  sc_surface_lines lines = {index, start, 0};
  sc_surface_points_lines(&p, 0, &lines);
  assert_true(lines.count == 1 && start[0] == 0 && start[1] == 3);
  for (size_t i = 0; i < 3; i++)
    assert_true(p.at[2 * index[i]] == (double)(1 << i) && p.at[2 * index[i] + 1] == 1);
  sc_surface_points_lines(&p, 1, &lines);
  assert_true(lines.count == 1 && start[1] == 3);
  for (size_t i = 0; i < 3; i++)
    assert_true(p.at[2 * index[i]] == 1 && p.at[2 * index[i] + 1] == (double)(2 * i + 1));
  sc_surface_points_free(&p);
  static const double grid[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 2}};
  p = gather(grid, NULL, 5, true);
  sc_surface_points_lines(&p, 0, &lines);
  assert_true(lines.count == 2 && start[1] == 2 && start[2] == 5);
  sc_surface_points_lines(&p, 1, &lines);
  assert_true(lines.count == 2 && start[2] == 4); /* (3, 2) is alone */
  sc_surface_points_free(&p);
}

/* A point alone before a line, as one behind it, is in none. */
TEST(lines_close_up)
{
  static const double at[][2] = {{5, 1}, {1, 3}, {2, 3}, {4, 3}, {7, 4}, {1, 5}, {4, 5}};
  sc_surface_points p = gather(at, NULL, 7, true);
  size_t index[8] = {0}, start[8];
  sc_surface_lines lines = {index, start, 0};
  sc_surface_points_lines(&p, 0, &lines);
  assert_true(lines.count == 2 && start[0] == 0 && start[1] == 3 && start[2] == 5);
  static const double ns[] = {1, 2, 4, 1, 4};
  for (size_t i = 0; i < 5; i++)
    assert_true(p.at[2 * index[i]] == ns[i] && p.at[2 * index[i] + 1] == (i < 3 ? 3 : 5));
  sc_surface_points_free(&p);
}

TEST(columns_become_orthonormal)
{
  double columns[] = {0.6, 0.8, 0, /**/ 0.8, -0.6, 0, /**/ 5, 5, 3, /**/ 1, 2, 0, /**/ 0, 0, 0};
  unit_near(sc_surface_orthogonalise(columns, 3, 2), 3 / sqrt(59));
  assert_true(fabs(columns[6]) < 1e-12 && fabs(columns[7]) < 1e-12);
  unit_near(columns[8], 1);
  assert_true(sc_surface_orthogonalise(columns, 3, 3) < 1e-15); /* a sum of the others */
  assert_true(columns[9] == 0 && columns[10] == 0 && columns[11] == 0);
  assert_true(sc_surface_orthogonalise(columns, 3, 4) == 0);
  double first[] = {3, 4};
  unit_near(sc_surface_orthogonalise(first, 2, 0), 1);
  unit_near(first[0], 0.6);
  unit_near(first[1], 0.8);
}

TEST(crosses_and_lines_cannot_tell_sum_from_product)
{
  sc_surface_points p = gather(cross, NULL, 5, true); /* without the point off the axes */
  assert_true(sc_surface_points_aliased(&p, 0, 1) && sc_surface_points_aliased(&p, 1, 0));
  assert_false(sc_surface_points_together(&p, 0, 1));
  sc_surface_points_free(&p);
  p = gather(cross, NULL, 6, true);
  assert_false(sc_surface_points_aliased(&p, 0, 1) || sc_surface_points_aliased(&p, 1, 0));
  sc_surface_points_free(&p);
  static const double square[][2] = {{2, 3}, {2, 5}, {7, 3}, {7, 5}};
  p = gather(square, NULL, 4, true);
  assert_false(sc_surface_points_aliased(&p, 0, 1));
  sc_surface_points_free(&p);
  p = gather(square, NULL, 3, true);
  assert_true(sc_surface_points_aliased(&p, 0, 1));
  sc_surface_points_free(&p);
}

TEST(parameters_change_together_where_one_always_rises_or_falls)
{
  static const struct {
    double at[4][2];
    bool together;
  } cases[] = {{{{1, 2}, {2, 3}, {3, 9}, {4, 10}}, true},  {{{1, 9}, {2, 8}, {3, 2}, {4, 1}}, true},
               {{{1, 2}, {2, 3}, {3, 3}, {4, 10}}, false}, {{{1, 9}, {2, 8}, {3, 8}, {4, 1}}, false},
               {{{1, 2}, {2, 3}, {3, 2}, {4, 3}}, false},  {{{1, 2}, {2, 3}, {2, 4}, {4, 5}}, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_surface_points p = gather(cases[i].at, NULL, 4, true);
    assert_true(sc_surface_points_together(&p, 0, 1) == cases[i].together);
    sc_surface_points_free(&p);
  }
  /* with the second parameter the first goes up and down, while the points are in its order */
  static const double zigzag[][2] = {{1, 2}, {2, 9}, {3, 3}, {4, 10}}, falling[][2] = {{1, 9}, {2, 8}, {3, 2}, {4, 1}};
  sc_surface_points p = gather(zigzag, NULL, 4, true);
  assert_false(sc_surface_points_together(&p, 1, 0));
  sc_surface_points_free(&p);
  p = gather(falling, NULL, 4, true);
  assert_true(sc_surface_points_together(&p, 1, 0));
  sc_surface_points_free(&p);
}

/* Which points each fold holds out. */
static void fold(sc_surface_engine *engine, unsigned char held[SC_SURFACE_FOLDS][MOST])
{
  double room[MOST];
  for (size_t f = 0; f < SC_SURFACE_FOLDS; f++)
    engine->held[f] = held[f];
  engine->line_n = room;
  sc_surface_points_fold(engine);
  engine->line_n = NULL;
}

/* Along a parameter of four values the largest; off the axes the outer half. The axes are where most points lie. */
TEST(folds_hold_out_the_largest)
{
  static const double at[][2] = {{2, 1}, {4, 1},   {8, 1},  {16, 1}, {2, 5},   {2, 25},
                                 {4, 5}, {16, 25}, {8, 25}, {16, 5}, {8, 125}, {2, 0.5}};
  sc_surface_engine engine = {.points = gather(at, NULL, 12, true)};
  const sc_surface_points *p = &engine.points;
  unsigned char held[SC_SURFACE_FOLDS][MOST];
  fold(&engine, held);
  assert_true(engine.fold_used[0] && engine.fold_used[1] && !engine.fold_used[2]);
  assert_true(engine.fold_used[SC_SURFACE_PARAMETERS]);
  for (size_t i = 0; i < p->count; i++) {
    double n = p->at[2 * i], t = p->at[2 * i + 1];
    assert_true(held[0][i] == (n == 16) && held[1][i] == (t == 125) && !held[2][i]);
    /* (4, 5), (16, 25), (8, 25), (16, 5), (8, 125): the two farthest by their logarithms, 0.33 + 0.42, 1 + 0.71,
     * 0.67 + 0.71, 1 + 0.42 and 0.67 + 1 */
    assert_true(held[SC_SURFACE_PARAMETERS][i] == ((n == 16 && t == 25) || (n == 8 && t == 125)));
  }
  sc_surface_points_free(&engine.points);
  static const double few[][2] = {{2, 1}, {4, 1}, {8, 1}, {2, 5}, {4, 5}};
  engine.points = gather(few, NULL, 5, true);
  fold(&engine, held);
  for (size_t f = 0; f < SC_SURFACE_FOLDS; f++)
    assert_false(engine.fold_used[f]);
  sc_surface_points_free(&engine.points);
  static const double first[][2] = {{1, 16}, {2, 1}, {2, 2}, {2, 4}}; /* the first point has the largest value */
  engine.points = gather(first, NULL, 4, true);
  fold(&engine, held);
  assert_true(!engine.fold_used[0] && engine.fold_used[1] && held[1][0] && !held[1][1] && !held[1][2] && !held[1][3]);
  sc_surface_points_free(&engine.points);
}

/* Residuals by the first parameter: 3, 3 and -3, -3, and what is off by 1 in turn. Between two groups of two the sum of
 * squares is 36 with one degree of freedom, within them 4 with two. F is 18, by chance in 5.1%; of larger ones less. */
TEST(residuals_of_one_value_err_alike)
{
  double at[16][2], residuals[16];
  for (size_t each = 2; each <= 4; each += 2) {
    for (size_t i = 0; i < 2 * each; i++) {
      at[i][0] = 1 + (double)(i / each);
      at[i][1] = 1 + (double)(i % each);
      residuals[i] = (i < each ? 3 : -3) + (i % 2 ? 1 : -1);
    }
    sc_surface_points p = gather(at, NULL, 2 * each, true);
    double of_groups = 9 * 2 * (double)each, within = 2 * (double)each / (2 * (double)each - 2);
    double correlation = (of_groups - within) / (of_groups + ((double)each - 1) * within);
    unit_near(sc_surface_design_effect(&p, 0, residuals), each == 2 ? 1 : 1 + 3 * correlation);
    assert_true(sc_surface_design_effect(&p, 1, residuals) == 1); /* they differ less than by chance */
    for (size_t i = 0; i < 2 * each; i++)
      residuals[i] *= 1e-11;
    assert_true(sc_surface_design_effect(&p, 0, residuals) == 1); /* nothing to speak of */
    sc_surface_points_free(&p);
  }
}

/* A single value, or one point more than values, says nothing of what errs alike, however alike it is. */
TEST(few_residuals_err_by_accident)
{
  static const double one[][2] = {{1, 1}, {1, 2}, {1, 3}, {1, 4}}, two[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}};
  sc_surface_points p = gather(one, NULL, 4, true);
  assert_true(sc_surface_design_effect(&p, 0, (double[]){3, 3, 3, 3}) == 1);
  assert_true(sc_surface_design_effect(&p, 1, (double[]){3, 3, 3, 3}) == 1);
  sc_surface_points_free(&p);
  static const double alike[] = {3, 3.0001, -3, -3.0001};
  p = gather(two, NULL, 3, true);
  assert_true(sc_surface_design_effect(&p, 0, alike) == 1);
  sc_surface_points_free(&p);
  p = gather(two, NULL, 4, true); /* two points more */
  unit_near_by(sc_surface_design_effect(&p, 0, alike), 2, 1e-6);
  sc_surface_points_free(&p);
}

/* A single point off the axes is not held out; of two points the outer one is. */
TEST(mixed_points_are_held_out_from_two_on)
{
  static const double at[][2] = {{1, 1}, {2, 1}, {4, 1}, {1, 2}, {1, 4}, {2, 2}, {4, 4}};
  unsigned char held[SC_SURFACE_FOLDS][MOST];
  for (size_t count = 5; count <= 7; count++) {
    sc_surface_engine engine = {.points = gather(at, NULL, count, true)};
    fold(&engine, held);
    assert_true(engine.fold_used[SC_SURFACE_PARAMETERS] == (count == 7));
    for (size_t i = 0; i < count; i++)
      assert_true(held[SC_SURFACE_PARAMETERS][i] ==
                  (count == 7 && engine.points.at[2 * i] + engine.points.at[2 * i + 1] == 8));
    sc_surface_points_free(&engine.points);
  }
}

/* Squares of 1e-20 on average are nothing. */
TEST(rounding_does_not_err_alike)
{
  double at[8][2], residuals[8];
  for (int above = 0; above < 2; above++) {
    for (size_t i = 0; i < 8; i++) {
      at[i][0] = 1 + (double)(i / 4), at[i][1] = 1 + (double)(i % 4);
      residuals[i] = sqrt(above ? 1.01e-20 : 0.99e-20) * (i < 4 ? 1 : -1);
    }
    sc_surface_points p = gather(at, NULL, 8, true);
    assert_int_equal(sc_surface_design_effect(&p, 0, residuals) > 1, above);
    sc_surface_points_free(&p);
  }
}

/* Points that are gathered where others were before are the same as in fresh ones. */
TEST(what_was_gathered_before_is_of_no_account)
{
  static const double at[][2] = {{1, 1}, {2, 1}, {2, 1}, {2, 1}, {3, 1}, {3, 1}, {3, 1}, {3, 1}, {3, 1}, {3, 1}};
  static const double y[] = {5, 7, 7.07, 7.14, 9, 9.09, 9.18, 9, 900, 9};
  double zeros[MOST] = {0};
  sc_surface_points used = {0};
  for (size_t count = 1; count <= COUNT(y); count++) {
    double places[MOST][2];
    for (size_t i = 0; i < MOST; i++)
      memcpy(places[i], at[count - 1], sizeof places[i]);
    const sc_surface_series before = {.at = &places[0][0], .y = zeros, .count = MOST, .parameters = 2};
    const sc_surface_series now = {.at = &at[0][0], .y = y, .count = count, .parameters = 2};
    sc_surface_points fresh = gather(at, y, count, false);
    assert_int_equal(sc_surface_points_gather(&before, &used), 0);
    assert_int_equal(sc_surface_points_gather(&now, &used), 0);
    assert_true(used.count == fresh.count && used.observations == fresh.observations);
    assert_true(used.pure_ss == fresh.pure_ss && used.rounding == fresh.rounding && used.y_max == fresh.y_max);
    for (size_t i = 0; i < fresh.count; i++)
      assert_true(used.y[i] == fresh.y[i] && used.repeats[i] == fresh.repeats[i] && used.scale[i] == fresh.scale[i]);
    for (size_t p = 0; p < 2; p++)
      assert_true(used.values[p] == fresh.values[p] && used.low[p] == fresh.low[p] && used.high[p] == fresh.high[p]);
    sc_surface_points_free(&fresh);
  }
  sc_surface_points_free(&used);
}

/* Of values that are as frequent the smallest is the axis: 1 and not 2, so that (2, 4) alone lies off. */
TEST(axes_are_at_the_smallest_of_the_most_frequent)
{
  static const double at[][2] = {{1, 2}, {1, 5}, {2, 1}, {2, 4}, {3, 1}, {4, 1}};
  unsigned char held[SC_SURFACE_FOLDS][MOST];
  sc_surface_engine engine = {.points = gather(at, NULL, 6, true)};
  fold(&engine, held);
  assert_false(engine.fold_used[SC_SURFACE_PARAMETERS]);
  sc_surface_points_free(&engine.points);
}

/* A parameter with one value is no distance. */
TEST(the_outer_points_beside_a_fixed_parameter)
{
  static const double at[][3] = {{1, 7, 1}, {2, 7, 1}, {8, 7, 1}, {1, 7, 2}, {1, 7, 8},
                                 {8, 7, 8}, {2, 7, 2}, {8, 7, 4}, {4, 7, 2}};
  unsigned char held[SC_SURFACE_FOLDS][MOST];
  double zeros[MOST] = {0};
  sc_surface_engine engine = {0};
  sc_surface_series series = {.at = &at[0][0], .y = zeros, .count = COUNT(at), .parameters = 3, .counts = true};
  assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
  fold(&engine, held);
  assert_true(engine.fold_used[SC_SURFACE_PARAMETERS]);
  for (size_t i = 0; i < COUNT(at); i++) /* of four the two farthest */
    assert_true(held[SC_SURFACE_PARAMETERS][i] == (engine.points.at[3 * i] == 8 && engine.points.at[3 * i + 2] >= 4));
  sc_surface_points_free(&engine.points);
}

/* Two groups of four: F of 13.75 with one and six degrees of freedom happens by chance in 1%. Means of m and -m, and 1
 * from them in turn, have one of 6 m^2. */
TEST(what_happens_in_a_hundredth_is_no_accident)
{
  for (int above = 0; above < 2; above++) {
    double at[8][2], residuals[8], f = above ? 13.8 : 13.7;
    for (size_t i = 0; i < 8; i++) {
      at[i][0] = 1 + (double)(i / 4), at[i][1] = 1 + (double)(i % 4);
      residuals[i] = (i < 4 ? 1 : -1) * sqrt(f / 6) + (i % 2 ? 1 : -1);
    }
    sc_surface_points p = gather(at, NULL, 8, true);
    double correlation = (f - 1) / (f + 3); /* of four */
    unit_near(sc_surface_design_effect(&p, 0, residuals), above ? 1 + 3 * correlation : 1);
    sc_surface_points_free(&p);
  }
}
