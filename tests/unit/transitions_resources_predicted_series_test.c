/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a series says of other sizes, and what bounds that: series made by hand. */
#include "unit.h"

#include <gsl/gsl_cdf.h>

#include "regress/core/line.h"
#include "transitions/resources/growth.h"
#include "transitions/resources/series.h"
#include "transitions_resources_made.h"

static const sc_resource heap = {SC_RESOURCE_HEAP, "heap", "a.c", 1}, lock = {SC_RESOURCE_MUTEX, "lock", "a.c", 1};
enum { SIZES = 4 };

/* Values at 100 to 800, and whatever the model is. */
static sc_rseries *set(made_resources *m, int metric, const double values[SIZES])
{
  sc_rseries *s = &m->series[metric];
  made_power(m, metric, 1, 0);
  s->shown.values = values;
  s->shown.model = (sc_model){.verdict = SC_VERDICT_CANNOT_TELL, .error = -1, .why = ""};
  return s;
}

/* c n^exponent, known without an error, but not exactly. */
static sc_model power_of(double c, double exponent, double logarithms)
{
  return (sc_model){.verdict = SC_VERDICT_MODEL,
                    .terms = {{.coefficient = c, .exponent = exponent, .log_exponent = logarithms}},
                    .term_count = 1,
                    .order = {exponent, logarithms, (int)exponent, (int)logarithms, 0},
                    .degrees = 1000,
                    .points = SIZES,
                    .n_min = 100,
                    .n_max = 800,
                    .exponent_low = exponent};
}

static sc_interval predicted(const made_resources *m, int metric, double n)
{
  sc_interval i;
  unit_ok(sc_rseries_predict(&m->r, &m->cells[0], metric, n, &i));
  return i;
}

TEST(without_a_model_it_is_about_what_it_was)
{
  static const double values[SIZES] = {3, 9, 5, 6}, falling[SIZES] = {9, 7, 6, 2}, same[SIZES] = {100, 100, 100, 100};
  made_resources *m = made_new(&lock, 1, SIZES, 1);
  sc_rseries *s = set(m, SC_RMETRIC_WAIT, values);
  made_is(predicted(m, SC_RMETRIC_WAIT, 200), 6, 3, 9);
  made_is(predicted(m, SC_RMETRIC_WAIT, 100), 6, 3, 9);
  made_is(predicted(m, SC_RMETRIC_WAIT, 800), 6, 3, 9);
  made_is(predicted(m, SC_RMETRIC_WAIT, 99), 6, 0, INFINITY);
  made_is(predicted(m, SC_RMETRIC_WAIT, 801), 6, 0, INFINITY);
  s->shown.values = falling;
  made_is(predicted(m, SC_RMETRIC_WAIT, 300), 2, 2, 9);
  s->shown.sizes = same;
  made_is(predicted(m, SC_RMETRIC_WAIT, 100), 2, 0, INFINITY); /* of one size */
  m->cells[0].series[SC_RMETRIC_WAIT] = NULL;
  made_is(predicted(m, SC_RMETRIC_WAIT, 100), 0, 0, 0);
  made_free(m);
}

TEST(trends_stand_in_and_tighten)
{
  static const double n[] = {100, 100, 200, 200, 400, 400, 800, 800}, y[] = {1, 1.1, 2.1, 2, 3.9, 4.2, 8.3, 8};
  static const double values[SIZES] = {1, 2, 4, 8};
  made_resources *m = made_new(&lock, 1, SIZES, 1);
  sc_rseries *s = set(m, SC_RMETRIC_HOLD, values);
  double slope, exponent;
  sc_interval trend, model, out;
  assert_true(sc_trend_fit(n, y, 8, 0, &s->trend));
  unit_ok(sc_rseries_exponent(&m->r, &m->cells[0], SC_RMETRIC_HOLD, &exponent));
  assert_true(exponent == 0 && !sc_rseries_model(s) && !sc_rseries_model(NULL));
  s->trended = true;
  s->slope = 0.7;
  sc_trend_predict(&s->trend, 1600, 0.95, &trend);
  made_is(predicted(m, SC_RMETRIC_HOLD, 1600), trend.value, trend.low, trend.high);
  unit_ok(sc_rseries_exponent(&m->r, &m->cells[0], SC_RMETRIC_HOLD, &exponent));
  unit_near(exponent, s->trend.slope);
  unit_ok(sc_rseries_slope(&m->r, &m->cells[0], SC_RMETRIC_HOLD, &slope));
  assert_true(slope == 0.7);
  s->trend.residual = 5; /* a slope of nothing */
  unit_ok(sc_rseries_exponent(&m->r, &m->cells[0], SC_RMETRIC_HOLD, &exponent));
  assert_true(exponent == 0);
  s->trend.residual = 0.05;
  s->shown.model = power_of(2, 0.5, 0);
  s->shown.model.covariance[0][0] = 4;
  unit_ok(sc_model_predict(&s->shown.model, 1600, 0.95, &model));
  s->trend.freedom = 2; /* as many as four sizes have by themselves */
  made_is(predicted(m, SC_RMETRIC_HOLD, 1600), 80, model.low, model.high);
  s->trend.freedom = 2.5; /* the repeats know more */
  sc_trend_predict(&s->trend, 1600, 0.95, &trend);
  out = predicted(m, SC_RMETRIC_HOLD, 1600);
  made_is(out, 80, 80 * trend.low / trend.value, 80 * trend.high / trend.value);
  assert_true(out.low > model.low && out.high < model.high);
  s->shown.model.covariance[0][0] = 0; /* unless the model knows better */
  made_is(predicted(m, SC_RMETRIC_HOLD, 1600), 80, 80, 80);
  unit_ok(sc_rseries_exponent(&m->r, &m->cells[0], SC_RMETRIC_HOLD, &exponent));
  assert_true(exponent == 0.5 && sc_rseries_model(s) == &s->shown.model);
  s->trended = false;
  s->doubt = (sc_growth_doubt){.exponent = 0.1, .state = 0.2};
  sc_interval wide = {80, 80, 80};
  sc_growth_widen(&s->doubt, 800, 1600, 0.95, &wide);
  out = predicted(m, SC_RMETRIC_HOLD, 1600);
  made_is(out, 80, wide.low, wide.high);
  assert_true(wide.high > 90);
  s->doubt = (sc_growth_doubt){.seconds = 5, .each = 1e-9, .by = 1};
  out = predicted(m, SC_RMETRIC_HOLD, 1600);
  assert_true(out.value < 5.1 && out.high == 80);
  made_free(m);
}

/* Bytes on a heap, 24 at three sizes and 40 at the largest: as steep as that from the size before. */
TEST(small_heaps_are_followed_along_their_last_rise)
{
  static const struct {
    double values[SIZES], before, size; /* 0: not followed */
  } cases[] = {{{24, 24, 24, 40}, 24, 400}, {{24, 40, 40, 40}, 24, 100}, {{8, 24, 24, 40}, 24, 400},
               {{24, 24, 24, 24}, 0, 0},    {{24, 40, 39, 40}, 0, 0},    {{0, 0, 0, 40}, 0, 0},
               {{24, 24, 24, 88}, 24, 400}, {{24, 24, 24, 89}, 0, 0},    {{1, 2, 2, 3}, 2, 400}};
  static const int metrics[] = {SC_RMETRIC_UNITS, SC_RMETRIC_PEAK};
  for (size_t k = 0; k < COUNT(metrics); k++)
    for (size_t i = 0; i < COUNT(cases); i++) {
      made_resources *m = made_new(&heap, 1, SIZES, 1);
      double last = cases[i].values[SIZES - 1], n = 3200;
      sc_rseries *s = set(m, metrics[k], cases[i].values);
      m->cells[0].made[SC_RMETRIC_UNITS] = true;
      s->shown.model = power_of(30, 0, 0);
      double at = last * pow(n / 800, log(last / cases[i].before) / log(800 / cases[i].size));
      sc_interval plain = {30, 30, 30}, out = predicted(m, metrics[k], n);
      if (metrics[k] == SC_RMETRIC_UNITS) /* which is no less than at a smaller size: none is there */
        assert_true(out.value >= 30);
      if (cases[i].before > 0)
        made_is(out, at > 30 ? sqrt(at * 30) : 30, fmin(30, last), fmax(30, at * last / cases[i].before));
      else
        made_is(out, plain.value, plain.low, plain.high);
      made_is(predicted(m, metrics[k], 800), 30, 30, 30);
      s->shown.model.exact = true;
      made_is(predicted(m, metrics[k], n), 30, 30, 30);
      made_free(m);
    }
  made_resources *m = made_new(&lock, 1, SIZES, 1);
  static const double values[SIZES] = {24, 24, 24, 40};
  set(m, SC_RMETRIC_UNITS, values)->shown.model = power_of(30, 0, 0);
  made_is(predicted(m, SC_RMETRIC_UNITS, 3200), 30, 30, 30); /* locks have no allocator */
  made_free(m);
}

/* A heap of n log n may be a line as well, by what its points lie beside one. */
TEST(a_peak_of_n_log_n_may_be_a_line)
{
  static const double values[SIZES] = {799, 1602, 3197, 6403}, two[SIZES] = {100, 100, 800, 800};
  for (int which = 0; which < 6; which++) {
    made_resources *m = made_new(&heap, 1, SIZES, 1);
    sc_rseries *s = set(m, SC_RMETRIC_PEAK, values);
    double n = which == 1 ? 800 : 3200, most = 3 * n * log2(n), squares = 0;
    sc_line_sums sums = {0};
    m->cells[0].made[SC_RMETRIC_UNITS] = true;
    s->shown.model = power_of(3, which == 4 ? 2 : 1, which == 2 ? 0 : 1);
    if (which == 3)
      s->shown.sizes = two; /* two points: a line leaves nothing beside it */
    s->shown.model.exact = which == 5;
    for (size_t i = 0; i < SIZES; i++)
      sc_line_add(&sums, m->sizes[i], values[i], values[i]);
    sc_line line = sc_line_fit(&sums);
    for (size_t i = 0; i < SIZES; i++)
      squares += sc_line_miss(&line, m->sizes[i], values[i], values[i]);
    double off =
        gsl_cdf_tdist_Pinv(0.975, 2) * sqrt(squares / 2) * hypot(line.start + line.each * n, sqrt(line.spread) * n);
    sc_interval out = predicted(m, SC_RMETRIC_PEAK, n);
    if (which == 0) {
      made_is(out, most, fmax(line.start + line.each * n - off, 6403), most);
      assert_true(out.low < most && out.low > 6403);
      made_is(predicted(m, SC_RMETRIC_PEAK, 801), 3 * 801 * log2(801), 6403,
              3 * 801 * log2(801)); /* no less than it was */
    } else {
      assert_true(out.low == out.value);
    }
    made_free(m);
  }
}

/* No more is out than was ever acquired: where that was so in all runs. */
TEST(a_peak_is_bound_by_its_units)
{
  static const double peaks[SIZES] = {10, 20, 40, 80}, units[SIZES] = {10, 30, 50, 90}, less[SIZES] = {10, 30, 39, 90};
  static const struct {
    double peak, unit; /* of n, at 1600 */
    bool exact, other; /* of them */
    double value;      /* over n */
    const double *units;
  } cases[] = {{0.2, 0.1, false, false, 0.1, units}, {0.2, 0.1, false, true, 0.1, units},
               {0.2, 0.1, true, false, 0.2, units},  {0.2, 0.1, true, true, 0.1, units},
               {0.1, 0.2, false, true, 0.1, units},  {0.2, 0.1, false, true, 0.2, less}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    made_resources *m = made_new(&lock, 1, SIZES, 1);
    sc_rseries *peak = set(m, SC_RMETRIC_PEAK, peaks), *unit = set(m, SC_RMETRIC_UNITS, cases[i].units);
    peak->shown.model = power_of(cases[i].peak, 1, 0);
    peak->shown.model.exact = cases[i].exact;
    unit->shown.model = power_of(cases[i].unit, 1, 0);
    unit->shown.model.exact = cases[i].other;
    for (size_t run = 0; run < SIZES; run++)
      made_sum(m, 0, run, SC_USAGE_PEAK, peaks[run]);
    sc_interval out = predicted(m, SC_RMETRIC_PEAK, 1600);
    unit_near(out.value, 1600 * cases[i].value);
    unit_near(out.high, 1600 * cases[i].value);
    /* a peak above all units is wrong, and says nothing of how little it may be: what it was at the largest size */
    bool wrong = cases[i].value < cases[i].peak;
    unit_near(out.low, wrong ? 80 : 1600 * cases[i].value);
    unit->shown.count = SIZES - 1; /* not of the same runs */
    unit_near(predicted(m, SC_RMETRIC_PEAK, 1600).value, 1600 * cases[i].peak);
    made_free(m);
  }
}

/* Counts that never fell are at least what they were at the next smaller size; the lower end, at its least repeat. */
TEST(counts_do_not_fall)
{
  static const double runs[2 * SIZES] = {90, 110, 140, 160, 150, 150, 310, 290};
  static const struct {
    double n, value, low;
  } cases[] = {{100, 1, 1}, {101, 100, 90}, {200, 100, 90}, {300, 150, 140}, {401, 150, 150}, {801, 300, 290}};
  static const int metrics[] = {SC_RMETRIC_ACQUIRES, SC_RMETRIC_UNITS, SC_RMETRIC_RELEASES, SC_RMETRIC_WAITS};
  static const int sums[] = {SC_USAGE_ACQUIRES, SC_USAGE_UNITS, SC_USAGE_RELEASES, SC_USAGE_WAITS};
  for (size_t k = 0; k < COUNT(metrics); k++) {
    made_resources *m = made_new(&lock, 1, SIZES, 2);
    sc_rseries *s = set(m, metrics[k], runs);
    s->shown.count = 2 * SIZES;
    s->shown.model = power_of(1, 0, 0);
    for (size_t run = 0; run < 2 * SIZES; run++)
      made_sum(m, 0, run, sums[k], runs[run]);
    for (size_t i = 0; i < COUNT(cases); i++)
      made_is(predicted(m, metrics[k], cases[i].n), k < 3 ? cases[i].value : 1, k < 3 ? cases[i].low : 1,
              k < 3 ? cases[i].value : 1);
    made_sum(m, 0, 4, sums[k], 149); /* which fell */
    made_is(predicted(m, metrics[k], 801), 1, 1, 1);
    made_free(m);
  }
}
