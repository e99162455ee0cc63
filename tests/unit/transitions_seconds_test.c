/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seconds that go with a count, beside weighted least squares of its own. */
#include "unit.h"

#include <stdlib.h>

#include "transitions/model/seconds.h"
#include "transitions_scene.h"

static const double sizes[] = {100, 200, 400, 800, 1600, 3200};
enum { SIZES = 6 };

typedef struct scene {
  sc_graph *graph;
  sc_analysis *a;
  uint32_t linear, square; /* numbers of series */
} scene;

static double thrice(double n) { return 3 * n; }

static scene open_scene(void)
{
  scene s = {.graph = scene_new(sizes, SIZES, "")};
  uint32_t main = scene_main(s.graph), loop = scene_loop(s.graph, main, "main", 3, thrice, 0);
  uint32_t inner = scene_loop(s.graph, loop, "main", 4, scene_square, 0);
  s.a = scene_analyse(s.graph, (double[]){10000}, 1);
  s.linear = s.a->series[loop];
  s.square = s.a->series[inner];
  return s;
}

static void close_scene(scene *s)
{
  sc_analysis_free(s->a);
  sc_graph_free(s->graph);
}

static void near_to(double value, double expected)
{
  if (!(fabs(value - expected) <= 1e-7 * fabs(expected) + 1e-15))
    fail_msg("%.12g is not %.12g", value, expected);
}

/* y = start + each x, relative errors, those of short times by 5% of the longest. */
static sc_seconds_line reference(const double *x, const double *y)
{
  double least = 5e-4, w = 0, mx = 0, my = 0, xx = 0, xy = 0, squares = 0;
  for (size_t i = 0; i < SIZES; i++)
    least = fmax(least, 0.05 * y[i]);
  for (size_t i = 0; i < SIZES; i++) {
    double u = pow(fmax(y[i], least), -2);
    w += u, mx += u * x[i], my += u * y[i];
  }
  mx /= w, my /= w;
  for (size_t i = 0; i < SIZES; i++) {
    double u = pow(fmax(y[i], least), -2);
    xx += u * (x[i] - mx) * (x[i] - mx), xy += u * (x[i] - mx) * (y[i] - my);
  }
  sc_seconds_line l = {.each = xy / xx};
  l.start = my - l.each * mx;
  for (size_t i = 0; i < SIZES; i++)
    squares += pow((y[i] - l.start - l.each * x[i]) / fmax(y[i], least), 2);
  l.misfit = squares / SIZES;
  l.error = 2.5 * sqrt(squares / (SIZES - 2) / xx);
  return l;
}

/* What starts and exits scatter by, 0.5 ms, is no growth: the value stays, the upper end goes with the count. */
TEST(a_rise_that_does_not_show_is_none)
{
  scene s = open_scene();
  for (int shows = 0; shows < 2; shows++) {
    double y[SIZES], each = (shows ? 5.01e-4 : 4.99e-4) / (3 * (3200 - 100)), line = 1e-3 + each * 3 * 32000;
    sc_blend out = {0};
    sc_interval at;
    for (size_t i = 0; i < SIZES; i++)
      y[i] = 1e-3 + each * 3 * sizes[i];
    assert_int_equal(sc_seconds_load_scattering(s.a, y, &out), 0);
    assert_int_equal(sc_blend_predict(&out, s.a->models, 32000, 0.95, &at), 0);
    if (shows)
      near_to(at.value, line);
    else
      assert_true(at.value > 1e-3 && at.value < 1.5e-3);
    assert_true(at.high > line && at.high < 3 * line);
    sc_blend_free(&out);
    assert_int_equal(sc_seconds_load(s.a, y, SC_NONE, false, &out), 0); /* timed: a line as ever */
    near_to(sc_blend_value(&out, s.a->models, 32000), line);
    sc_blend_free(&out);
  }
  close_scene(&s);
}

TEST(the_best_line_is_that_of_least_squares)
{
  static const double wobble[SIZES] = {1.01, 0.985, 1.02, 0.99, 1.004, 0.996};
  double y[SIZES], x[SIZES], low, high;
  scene s = open_scene();
  for (int square = 0; square < 2; square++) {
    for (size_t i = 0; i < SIZES; i++) {
      x[i] = square ? sizes[i] * sizes[i] : 3 * sizes[i];
      y[i] = (0.4 + (square ? 1e-6 : 1e-3) * x[i]) * wobble[i];
    }
    sc_seconds_line l = sc_seconds_best_line(s.a, y, SC_NONE, &low, &high), r = reference(x, y);
    assert_int_equal(l.model, square ? s.square : s.linear);
    near_to(l.each, r.each);
    near_to(l.start, r.start);
    near_to(l.error, r.error);
    near_to(l.misfit, r.misfit);
    double at = r.start + r.each * (square ? 1e8 : 3e4);
    near_to(sc_seconds_line_at(s.a, &l, 10000), at);
    near_to(low, at);
    near_to(high, at);
    /* a count that is known to be the cause goes before a better one where it misses by little */
    l = sc_seconds_best_line(s.a, y, square ? s.linear : s.square, &low, &high);
    assert_int_equal(l.model, square ? s.square : s.linear);
    l = sc_seconds_best_line(s.a, y, square ? s.square : s.linear, &low, &high);
    near_to(l.each, r.each);
  }
  close_scene(&s);
}

/* All the same: once a run. Falling seconds have no slope, and a start is never negative. */
TEST(lines_are_not_negative)
{
  double y[SIZES] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, low, high;
  scene s = open_scene();
  sc_seconds_line l = sc_seconds_best_line(s.a, y, SC_NONE, &low, &high);
  near_to(sc_seconds_line_at(s.a, &l, 10000), 0.3);
  near_to(low, 0.3);
  near_to(high, 0.3);
  for (size_t i = 0; i < SIZES; i++)
    y[i] = 1 - 1e-4 * sizes[i];
  l = sc_seconds_best_line(s.a, y, s.linear, &low, &high);
  assert_true(l.each == 0);
  for (size_t i = 0; i < SIZES; i++)
    y[i] = 1e-3 * fmax(0, sizes[i] - 60);
  l = sc_seconds_best_line(s.a, y, s.linear, &low, &high);
  double xx = 0, xy = 0, least = 0.05 * y[SIZES - 1];
  for (size_t i = 0; i < SIZES; i++) {
    double u = pow(fmax(y[i], least), -2), x = 3 * sizes[i];
    xx += u * x * x, xy += u * x * y[i];
  }
  assert_true(l.start == 0 && l.model == s.linear);
  near_to(l.each, xy / xx);
  close_scene(&s);
}

static void expect_part(const sc_blend *blend, size_t i, uint32_t model, double value, double below, double above)
{
  const sc_blend_part *p = &blend->parts[i];
  assert_int_equal(p->model, model);
  near_to(p->value, value);
  near_to(p->low, value);
  near_to(p->high, value);
  near_to(p->below, below * below);
  near_to(p->above, above * above);
}

/* What is unsure of each second: the line's, the doubt, and what rivals say. */
TEST(lines_become_parts)
{
  static const double doubt[2] = {0.3, 0.4};
  sc_blend blend = {0};
  scene s = open_scene();
  sc_seconds_line l = {.model = s.linear, .start = 2, .each = 1e-3, .error = 4e-4}; /* 32 at 10,000 */
  assert_int_equal(sc_seconds_add_line(s.a, &l, 24, 40, doubt, &blend), 0);
  assert_int_equal(blend.count, 2);
  expect_part(&blend, 0, s.linear, 1e-3, sqrt(0.16 + 0.09 + 0.0625) * 1e-3, sqrt(0.16 + 0.16 + 0.0625) * 1e-3);
  assert_true(blend.parts[1].model == SC_SERIES_ONE && blend.parts[1].value == 2 && blend.parts[1].low == 1 &&
              blend.parts[1].high == 4 + 5e-4);
  sc_blend_free(&blend);
  assert_int_equal(sc_seconds_add(s.square, 5, 9, 8, 0, &blend), 0); /* not below zero */
  expect_part(&blend, 0, s.square, 5, 5, 8);
  assert_true(blend.count == 2 && blend.parts[1].value == 0 && blend.parts[1].high == 5e-4);
  sc_blend_free(&blend);
  assert_int_equal(sc_seconds_add(s.square, 0, 9, 8, 1, &blend), 0); /* the upper end alone goes with the count */
  expect_part(&blend, 0, s.square, 0, 0, 8);
  sc_blend_free(&blend);
  assert_int_equal(sc_seconds_add(s.square, 0, 9, 0, 1, &blend), 0); /* nothing does */
  assert_true(blend.count == 1 && blend.parts[0].model == SC_SERIES_ONE);
  sc_blend_free(&blend);
  close_scene(&s);
}

/* With one count alone, whatever explains them better: a factor of two. */
TEST(one_count_alone)
{
  double y[SIZES];
  sc_blend blend = {0};
  scene s = open_scene();
  for (size_t i = 0; i < SIZES; i++)
    y[i] = 0.1 + 2e-3 * 3 * sizes[i];
  assert_int_equal(sc_seconds_load(s.a, y, s.linear, true, &blend), 0);
  expect_part(&blend, 0, s.linear, 2e-3, 2e-3, hypot(2e-3, 2e-4));
  near_to(blend.parts[1].value, 0.1);
  sc_blend_free(&blend);
  assert_int_equal(sc_seconds_load(s.a, y, SC_NONE, true, &blend), 0);
  assert_int_equal(blend.parts[blend.count - 1].model, SC_SERIES_ONE);
  sc_blend_free(&blend);
  assert_int_equal(sc_seconds_load(s.a, y, SC_NONE, false, &blend), 0);
  expect_part(&blend, 0, s.linear, 2e-3, 2e-4, 2e-4); /* a tenth is never known better */
  sc_blend_free(&blend);
  close_scene(&s);
}

/* A quarter off on average, no count explains them, and a second's worth may be twice as many; less is as unsure as the
 * sizes make it. */
TEST(what_no_count_explains_is_unsure_by_a_factor_of_two)
{
  static const double off[SIZES] = {1, -1, 1, -1, 1, -1};
  scene s = open_scene();
  for (int badly = 0; badly < 2; badly++) {
    double y[SIZES], x[SIZES];
    sc_blend blend = {0};
    for (size_t i = 0; i < SIZES; i++) {
      x[i] = 3 * sizes[i];
      y[i] = 1e-3 * x[i] * exp(off[i] * (badly ? 0.33 : 0.2));
    }
    sc_seconds_line r = reference(x, y);
    assert_true(r.error < r.each && (r.misfit > 0.0625) == (badly == 1));
    unit_ok(sc_seconds_load(s.a, y, s.linear, false, &blend));
    double error = badly ? r.each : r.error;
    assert_int_equal(blend.parts[0].model, s.linear);
    near_to(blend.parts[0].value, r.each);
    near_to(blend.parts[0].below, pow(fmin(r.each, hypot(error, 0.1 * r.each)), 2));
    near_to(blend.parts[0].above, pow(hypot(error, 0.1 * r.each), 2));
    near_to(blend.parts[1].value, r.start);
    sc_blend_free(&blend);
  }
  close_scene(&s);
}
