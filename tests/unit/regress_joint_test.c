/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where pieces of a model meet, and hypotheses in pieces beside a search of its own. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/forms/joint.h"
#include "regress/forms/segment.h"

/* 10 n up to 400, then a line of another slope behind it. */
TEST(pieces_meet_or_jump)
{
  static const double n[] = {100, 200, 400, 800, 1600};
  static const struct {
    sc_term behind[2];
    double scatter, until;
    size_t jumps;
  } cases[] = {{{{2, 1, 0}, {4000, 0, 0}}, 0, 500, 0}, /* meets at 500 */
               {{{2, 1, 0}, {3200, 0, 0}}, 0, 400, 0}, /* exactly at an end */
               {{{2, 1, 0}, {6400, 0, 0}}, 0, 800, 0},
               {{{2, 1, 0}, {6800, 0, 0}}, 0.0251, 800, 0}, /* 400 of 8,000 off at 800: 5% */
               {{{2, 1, 0}, {6800, 0, 0}}, 0.0249, 800, 1},
               {{{2, 1, 0}, {3000, 0, 0}}, 0.0251, 400, 0}, /* 200 of 4,000 off at 400 */
               {{{2, 1, 0}, {3000, 0, 0}}, 0.0249, 800, 1},
               {{{20, 1, 0}, {0, 0, 0}}, 0.5, 400, 0}, /* as far at both: the larger one counts where they are equal */
               {{{20, 1, 0}, {0, 0, 0}}, 0.49, 800, 1}};
  sc_points points = {.n = (double *)n, .count = 5};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_candidate made = {.terms = {cases[i].behind[0], cases[i].behind[1]}, .count = 2, .piece_count = 1};
    made.pieces[0] = (sc_piece){.terms = {{10, 1, 0}}, .term_count = 1};
    assert_int_equal(sc_joint_place(&points, (size_t[]){3}, cases[i].scatter, &made), cases[i].jumps);
    assert_true(made.pieces[0].until_low == 400 && made.pieces[0].until_high == 800);
    if (i != 7) /* either end */
      unit_near_by(made.pieces[0].until, cases[i].until, 1e-9);
  }
  /* two changes: the middle piece, 4,000, meets the first at 400 and jumps to the last */
  sc_candidate made = {.terms = {{100, 1, 0}}, .count = 1, .piece_count = 2};
  made.pieces[0] = (sc_piece){.terms = {{10, 1, 0}}, .term_count = 1};
  made.pieces[1] = (sc_piece){.terms = {{4000, 0, 0}}, .term_count = 1};
  assert_int_equal(sc_joint_place(&points, (size_t[]){2, 4}, 0, &made), 1);
  assert_true(made.pieces[0].until_low == 200 && made.pieces[0].until_high == 400);
  unit_near_by(made.pieces[0].until, 400, 1e-9);
  assert_true(made.pieces[1].until_low == 800 && made.pieces[1].until_high == 1600 && made.pieces[1].until == 1600);
}

/* ---- hypotheses in pieces, by trying all ---- */
enum { SIZES = 9 };
static const struct {
  sc_term first, second;
  bool two;
  double cost;
} forms[] = {{{0}, {0}, false, 0},
             {{0, 1, 0}, {0}, false, 0},
             {{0, 1, 1}, {0}, false, 1},
             {{0, 2, 0}, {0}, false, 0},
             {{0, 0, 1}, {0}, false, 2},
             {{0, 0.5, 0}, {0}, false, 3},
             {{0, 1.5, 0}, {0}, false, 4},
             {{0, 2, 1}, {0}, false, 3},
             {{0, 3, 0}, {0}, false, 1},
             {{0, 1, 0}, {0}, true, 2},
             {{0, 1, 1}, {0}, true, 4},
             {{0, 2, 0}, {0}, true, 3},
             {{0, 2, 0}, {0, 1, 0}, true, 3},
             {{0, 3, 0}, {0}, true, 4}};
static const double n[SIZES] = {10, 20, 40, 80, 160, 320, 640, 1280, 2560};

static bool fit_piece(sc_wls *wls, const sc_points *points, size_t first, size_t end, size_t form, sc_term *terms,
                      sc_wls_result *fit)
{
  size_t count = forms[form].two ? 2 : 1;
  sc_points part = sc_points_part(points, first, end - first);
  terms[0] = forms[form].first, terms[1] = forms[form].second;
  return end - first > count && sc_wls_fit(wls, &part, terms, count, fit) == 0 &&
         sc_candidate_sane(fit, terms, count, true);
}

/* The score of two pieces, or infinity. */
static double score_two(sc_wls *wls, const sc_points *points, size_t split, size_t head, size_t tail)
{
  sc_candidate made = {.piece_count = 1, .parameters = 0, .first = split};
  sc_wls_result first;
  if (!fit_piece(wls, points, 0, split, head, made.pieces[0].terms, &first) ||
      !fit_piece(wls, points, split, points->count, tail, made.terms, &made.fit))
    return INFINITY;
  made.pieces[0].term_count = forms[head].two ? 2 : 1;
  made.count = forms[tail].two ? 2 : 1;
  made.parameters = made.pieces[0].term_count + made.count;
  double rss = first.rss + made.fit.rss, forward = made.fit.forward[0];
  if (isnan(forward) || made.terms[0].coefficient < 0 ||
      (tail == 12 && made.fit.part[0] < (points->whole ? 0.3 : 0.1) * (made.fit.part[0] + made.fit.part[1])))
    return INFINITY;
  double scatter = sqrt((points->pure_ss + rss) / (double)(points->observations - made.parameters)) + 1e-9;
  double jumps = (double)sc_joint_place(points, &split, scatter, &made), whole = points->whole ? 2 : 1;
  double splits = (double)points->count - 3; /* two sizes on each side */
  sc_points end = sc_points_part(points, split, points->count - split);
  double cost = (forms[head].cost + forms[tail].cost + (points->whole ? 8 : 6)) * whole + 2 * log(splits) + 6 * jumps +
                sc_candidate_sign_cost(&end, &made.fit, made.count);
  return sc_candidate_score(points, rss, forward * forward, made.parameters, cost);
}

static double best_of_two(sc_wls *wls, const sc_points *points)
{
  double best = INFINITY;
  for (size_t split = 2; split + 2 <= points->count; split++)
    for (size_t head = 0; head < 10; head++)
      for (size_t tail = 0; tail < COUNT(forms); tail++)
        if (head != tail || head == 0)
          best = fmin(best, score_two(wls, points, split, head, tail));
  return best;
}

static double bend(double x) { return x < 130 ? 5 * x : 1.2 * x * x / 30 + 30; }
static double step(double x) { return x < 300 ? 70 : 500; }
static double logs(double x) { return x < 100 ? 9 * log2(x) : x * log2(x) / 11; }
static double mixed(double x) { return x < 50 ? 3 * sqrt(x) : x * x / 400 + 2 * x; }

TEST(the_best_two_pieces_are_found)
{
  static double (*const functions[])(double) = {bend, step, logs, mixed};
  static const double wobble[SIZES] = {1.01, 0.995, 1.004, 0.99, 1.006, 0.997, 1.008, 0.993, 1.002};
  sc_engine engine = {.options = &SC_FIT_OPTIONS_DEFAULT};
  sc_candidate list[SC_SEGMENT_MOST];
  assert_int_equal(sc_wls_new(&engine.wls), 0);
  assert_int_equal(sc_space_new(&engine.space, true), 0);
  for (size_t f = 0; f < COUNT(functions); f++)
    for (int counted = 0; counted < 2; counted++)
      for (size_t sizes = SIZES - 1; sizes <= SIZES; sizes++) {
        double y[SIZES];
        for (size_t i = 0; i < SIZES; i++)
          y[i] = counted ? round(functions[f](n[i]) * wobble[i]) : functions[f](n[i]) * wobble[i];
        assert_int_equal(sc_points_gather(&(sc_series){n, y, sizes, counted}, &engine.points), 0);
        engine.space.ready = false;
        assert_int_equal(sc_space_prepare(&engine.space, &engine.points), 0);
        sc_candidate perfect = {.fit = {.rss = 0}};
        size_t count = sc_segment_find(&engine, &perfect, 1e9, list);
        double least = INFINITY, expected = best_of_two(engine.wls, &engine.points);
        for (size_t i = 0; i < count; i++) {
          assert_int_equal(list[i].piece_count, 1);
          least = fmin(least, list[i].score);
        }
        if (!(fabs(least - expected) <= 1e-6))
          fail_msg("function %zu of %zu sizes: %.10g is not %.10g", f, sizes, least, expected);
        assert_int_equal(sc_segment_find(&engine, &perfect, expected - 40, list), 0);
      }
  sc_points_free(&engine.points);
  sc_space_free(&engine.space);
  sc_wls_free(engine.wls);
}

/* Three pieces where the best so far misses by more than noise, from seven sizes on. */
TEST(when_three_pieces_are_tried)
{
  static const double y[SIZES] = {70, 70, 70, 140, 281, 560, 2240, 8900, 35800};
  static const double shorter[6] = {70, 71, 140, 281, 1120, 4480};
  sc_engine engine = {.options = &SC_FIT_OPTIONS_DEFAULT};
  sc_candidate list[SC_SEGMENT_MOST], best = {.parameters = 1};
  assert_int_equal(sc_wls_new(&engine.wls), 0);
  assert_int_equal(sc_space_new(&engine.space, true), 0);
  assert_int_equal(sc_points_gather(&(sc_series){n, y, SIZES, false}, &engine.points), 0);
  assert_int_equal(sc_space_prepare(&engine.space, &engine.points), 0);
  for (int missed = 0; missed < 2; missed++) {
    best.fit.rss = missed ? 1 : 8 * 0.9e-12; /* eight degrees of freedom: 1e-6 is nothing */
    size_t count = sc_segment_find(&engine, &best, 1e9, list), least = 0;
    for (size_t i = 1; i < count; i++)
      least = list[i].score < list[least].score ? i : least;
    assert_int_equal(list[least].piece_count, 1 + missed);
    if (!missed)
      continue;
    unit_near_by(list[least].pieces[0].until, 40, 0.02);
    unit_near_by(list[least].pieces[1].until, 320, 0.02);
    assert_true(list[least].pieces[0].terms[0].exponent == 0 && list[least].pieces[1].terms[0].exponent == 1 &&
                list[least].terms[0].exponent == 2 && list[least].parameters == 3 && list[least].first == 6);
  }
  assert_int_equal(sc_points_gather(&(sc_series){n, shorter, 6, false}, &engine.points), 0);
  engine.space.ready = false;
  assert_int_equal(sc_space_prepare(&engine.space, &engine.points), 0);
  size_t count = sc_segment_find(&engine, NULL, 1e9, list);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(list[i].piece_count, 1);
  engine.points.count = 4;
  assert_int_equal(sc_segment_find(&engine, NULL, 1e9, list), 0);
  sc_points_free(&engine.points);
  sc_space_free(&engine.space);
  sc_wls_free(engine.wls);
}
