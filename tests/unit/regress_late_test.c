/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series in which something new begins late: how often the intervals hold. */
#include "unit.h"

#include <math.h>

#include "regress/choose/fit.h"
#include "regress/choose/late.h"
#include "regress/core/term.h"

enum { SIZES = 8, REPEATS = 3, SERIES = 150 };
static const double STEP = 2, SMALLEST = 100;

/* What a program counts: `before` everywhere, and from `threshold` on `after` beside it. */
typedef struct program {
  int before, after;
  double slope, by, threshold;
} program;

static double truth(const program *p, double n)
{
  const double before[] = {p->slope * n + 40, p->slope * n * log2(n), n * (n - 1) / 2, 300};
  const double after[] = {p->by * (n - p->threshold), p->by * n, p->by * n * log2(n), p->by * n * n / 400,
                          p->by * (n - p->threshold) * (n - p->threshold) / 100};
  return before[p->before] + (n > p->threshold ? after[p->after] : 0);
}

/* Numbers from 0 to 1, the same in every run. */
static double draw(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

static double draw_normal(uint64_t *state) { return sqrt(-2 * log(1 - draw(state))) * cos(2 * M_PI * draw(state)); }

static program draw_program(uint64_t *state, size_t behind)
{
  program p = {(int)(4 * draw(state)), (int)(5 * draw(state)), 1 + floor(20 * draw(state)), 1 + floor(10 * draw(state)),
               0};
  p.threshold = SMALLEST * pow(STEP, (double)(SIZES - behind) - 1 + draw(state));
  return p;
}

static sc_model fit(const program *p, double noise, uint64_t *state)
{
  double n[SIZES * REPEATS], y[SIZES * REPEATS];
  size_t repeats = noise > 0 ? REPEATS : 1;
  sc_model model;
  for (size_t i = 0; i < SIZES * repeats; i++) {
    n[i] = SMALLEST * pow(STEP, (double)(i / repeats));
    y[i] = noise > 0 ? truth(p, n[i]) * exp(noise * draw_normal(state)) : round(truth(p, n[i]));
  }
  sc_series series = {n, y, SIZES * repeats, noise == 0};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  return model;
}

/* The share of intervals at `times` the largest size that hold. */
static double covered(size_t behind, double noise, double times)
{
  uint64_t state = 1;
  size_t held = 0;
  for (size_t i = 0; i < SERIES; i++) {
    program p = draw_program(&state, behind);
    sc_model model = fit(&p, noise, &state);
    double n = times * SMALLEST * pow(STEP, SIZES - 1), value = truth(&p, n);
    sc_interval at;
    assert_int_equal(sc_model_predict(&model, n, 0.95, &at), 0);
    held += at.low <= value + 0.51 && at.high >= value - 0.51;
  }
  return (double)held / SERIES;
}

TEST(two_sizes_leave_open_how_it_grows)
{
  static const double noises[] = {0, 0.01}, times[] = {4, 10};
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < 2; k++) {
      double share = covered(2, noises[i], times[k]);
      if (share < 0.9)
        fail_msg("noise %g, at %g times the largest size: %g %% of the intervals hold", noises[i], times[k],
                 100 * share);
    }
}

/* Four sizes behind the change show it: 10 n, and from 800 on 30 n. */
TEST(more_sizes_show_it)
{
  static const double n[] = {100, 200, 400, 800, 1600, 3200, 6400, 12800};
  double y[SIZES];
  sc_model model;
  sc_interval at;
  for (size_t i = 0; i < SIZES; i++)
    y[i] = n[i] < 800 ? 10 * n[i] : 30 * n[i];
  sc_series series = {n, y, SIZES, true};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  assert_int_equal(sc_model_predict(&model, 128000, 0.95, &at), 0);
  assert_true(at.low > 0.95 * 30 * 128000 && at.high < 1.05 * 30 * 128000);
}

/* A smooth sum is no change, though its second term shows late: 20 n + n^2 / 400. */
TEST(a_sum_is_no_change)
{
  double n[SIZES], y[SIZES];
  sc_model model;
  sc_interval at;
  for (size_t i = 0; i < SIZES; i++) {
    n[i] = SMALLEST * pow(STEP, (double)i);
    y[i] = 20 * n[i] + n[i] * n[i] / 400 + 7 * sqrt(n[i]);
  }
  sc_series series = {n, y, SIZES, false};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  assert_int_equal(sc_model_predict(&model, 128000, 0.95, &at), 0);
  assert_true(at.high < 1.3 * at.value && at.low > 0.7 * at.value);
}

/* ---- the courses themselves: 10 n, or another function, at 100 to 800, and what lies off it at two sizes behind ----
 */
enum { EARLY = 4, ALL = 6 };
typedef struct course {
  double n[ALL * 2], y[ALL * 2];
  size_t count;
} course;

static double ten(double n) { return 10 * n; }

static course course_of(double (*f)(double), double n0, double n1, double gap0, double gap1)
{
  return (course){{100, 200, 400, 800, n0, n1}, {f(100), f(200), f(400), f(800), f(n0) + gap0, f(n1) + gap1}, ALL};
}

static sc_model widen(const course *c, sc_model model)
{
  sc_points points = {0};
  assert_int_equal(sc_points_gather(&(sc_series){c->n, c->y, c->count, false}, &points), 0);
  sc_late_widen(&points, &model);
  sc_points_free(&points);
  return model;
}

static double rival_at(const sc_model *model, size_t rival, double n)
{
  return sc_term_sum(model->rivals[rival].terms, model->rivals[rival].term_count, n);
}

#define near_to(value, expected) unit_near_by(value, expected, 1e-8)

enum { STRAIGHT, ALONE, STEEP };

TEST(three_courses_pass_through_both)
{
  course c = course_of(ten, 1600, 3200, 1600, 6400);
  sc_model m = widen(&c, (sc_model){0});
  assert_int_equal(m.rival_count, 3);
  near_to(rival_at(&m, STRAIGHT, 1e4), 1e5 + 3 * 1e4 - 3200);
  near_to(rival_at(&m, ALONE, 6400), 38400.0 * 38400 / 17600); /* the same factor once more */
  near_to(rival_at(&m, STEEP, 1e4), 1e5 + 6400 * (1e4 / 3200) * (1e4 / 3200));
  for (size_t i = 0; i < 3; i++)
    assert_true(m.rivals[i].mass == 1 && m.rivals[i].error == -1 && m.rivals[i].deviation[0] == 0.01 &&
                m.rivals[i].deviation[1] == 0.01);
  assert_true(m.mass == 1);
  c = course_of(ten, 1600, 3200, 800, 7200); /* steeper than a square: 0.00125 (n - 800)^2 */
  m = widen(&c, (sc_model){.mass = 0.5});
  near_to(rival_at(&m, STEEP, 1e4), 1e5 + 0.00125 * 9200 * 9200);
  near_to(rival_at(&m, STRAIGHT, 1e4), 1e5 + 4 * 1e4 - 5600);
  assert_true(m.mass == 0.5 && m.rivals[ALONE].mass == 0.5);
  for (double power = 1.8; power < 2; power += 0.1) { /* less steep: that power */
    c = course_of(ten, 1600, 3200, 6400 / exp2(power), 6400);
    m = widen(&c, (sc_model){0});
    near_to(rival_at(&m, STEEP, 1e4), 1e5 + 6400 * pow(1e4 / 3200, power));
  }
  c = course_of(ten, 1600, 3200, 6400 / 4.84, 6400); /* by 2.2 squared: from where 1,600 less it are 2.2 times fewer */
  m = widen(&c, (sc_model){0});
  double from = (2.2 * 1600 - 3200) / 1.2;
  near_to(rival_at(&m, STEEP, 1e4), 1e5 + 6400 * (1e4 - from) * (1e4 - from) / ((3200 - from) * (3200 - from)));
  c = course_of(ten, 1600, 3200, -8000, -24000); /* less than before: 8,000 at both */
  m = widen(&c, (sc_model){0});
  near_to(rival_at(&m, ALONE, 1e5), 8000);
  c = course_of(ten, 1600, 3200, -8000, -25000); /* falls: its power is 0 */
  m = widen(&c, (sc_model){0});
  near_to(rival_at(&m, ALONE, 1e5), 7000);
}

static double log_line(double n) { return 3 * n * log2(n); }
static double square(double n) { return n * n / 50; }
static double constant(double n) { return 700 + 0 * n; }
static double line_more(double n) { return 2 * n + 90; }
static double log_line_more(double n) { return log_line(n) + 900; }
static double square_more(double n) { return square(n) + 70; }
static double square_line(double n) { return square(n) + 5 * n; }
static double log_and_line(double n) { return log_line(n) + 8 * n; }
static double falling(double n) { return 1e4 - 5 * n; }

TEST(what_the_earlier_sizes_follow_continues)
{
  static double (*const functions[])(double) = {ten,           log_line,    square,      constant,    line_more,
                                                log_line_more, square_more, square_line, log_and_line};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    double last = functions[i](3200);
    course c = course_of(functions[i], 1600, 3200, last / 2, last);
    sc_model m = widen(&c, (sc_model){0});
    assert_int_equal(m.rival_count, 3);
    near_to(rival_at(&m, STRAIGHT, 12800), functions[i](12800) + 4 * last);
    near_to(rival_at(&m, STEEP, 12800), functions[i](12800) + 4 * last);
  }
  course c = course_of(falling, 900, 1000, 3000, 3000);
  assert_int_equal(widen(&c, (sc_model){0}).rival_count, 0); /* nothing that grows */
}

/* Both are 3% off and more, on the same side, with counts, and 1.1 times apart; of other models nothing is asked. */
TEST(where_it_applies)
{
  static const struct {
    double n1, gap0, gap1;
    size_t rivals;
  } cases[] = {{2000, 310, 6000, 3},     {2000, 300, 6000, 0},   {2000, 6000, 630, 3},  {2000, 6000, 610, 0},
               {2000, -6000, 6000, 0},   {1100, 900, 900, 3},    {1099, 900, 900, 0},   {2000, -10000, -5000, 0},
               {2000, -5000, -20000, 0}, {2000, -290, -5000, 0}, {2000, -300, -5000, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    course c = course_of(ten, 1000, cases[i].n1, cases[i].gap0, cases[i].gap1);
    if (widen(&c, (sc_model){0}).rival_count != cases[i].rivals)
      fail_msg("case %zu", i);
  }
  course c = course_of(ten, 1600, 3200, 1600, 6400);
  assert_int_equal(widen(&c, (sc_model){.verdict = SC_VERDICT_CANNOT_TELL}).rival_count, 0);
  assert_int_equal(widen(&c, (sc_model){.exact = true}).rival_count, 0);
  c.n[4] = 3200, c.y[4] = c.y[5];
  c.count = ALL - 1; /* four sizes alone lie before it */
  c.n[3] = 1600, c.y[3] = 17600;
  assert_int_equal(widen(&c, (sc_model){0}).rival_count, 0);
}

TEST(they_take_the_place_of_the_least)
{
  course c = course_of(ten, 1600, 3200, 1600, 6400);
  sc_model m = widen(&c, (sc_model){.rival_count = 2});
  assert_int_equal(m.rival_count, SC_MODEL_RIVALS);
  near_to(rival_at(&m, 2, 1e4), 1e5 + 3 * 1e4 - 3200);
  near_to(rival_at(&m, 3, 1e4), 1e5 + 6400 * (1e4 / 3200) * (1e4 / 3200));
  m = widen(&c, (sc_model){.rival_count = SC_MODEL_RIVALS});
  assert_true(m.rival_count == SC_MODEL_RIVALS && m.rivals[2].term_count == 0);
}

/* Two repeats 2% from their mean at every size but the first: a mean errs by 2%, a value by 2% sqrt 2. */
TEST(noise_widens_them)
{
  course one = course_of(ten, 1600, 3200, 4800, 19200), c = {.count = 0};
  for (size_t i = 0; i < ALL; i++)
    for (size_t k = 0; k < (i ? 2 : 1); k++) {
      c.n[c.count] = one.n[i];
      c.y[c.count++] = one.y[i] * (i ? k ? 1.02 : 0.98 : 1);
    }
  sc_model m = widen(&c, (sc_model){0});
  double noise = 0.02 * M_SQRT2, doublings = M_SQRT2 * noise / M_LN2;
  assert_int_equal(m.rival_count, 3);
  near_to(m.rivals[ALONE].deviation[0], noise + doublings * M_LN2);
  near_to(m.rivals[ALONE].deviation[1], noise + doublings * log(64));
  near_to(m.rivals[STEEP].deviation[0], noise + doublings * (20800.0 / 4800) * M_LN2);
  near_to(m.rivals[STRAIGHT].deviation[1], noise + doublings * (20800.0 / 4800) * log(64));
  /* six times that noise is 17%: 3,200 of 19,200 is less */
  for (size_t k = 7; k < 9; k++)
    c.y[k] = (16000 + 3200) * (k == 7 ? 0.98 : 1.02);
  assert_int_equal(widen(&c, (sc_model){0}).rival_count, 0);
}

/* One event at each of the first sizes has half a count of rounding, which the counts behind them do not. */
TEST(growth_behind_single_events)
{
  static const double y[] = {1, 1, 1, 1, 1, 502, 622, 761};
  static const double n[][8] = {{100, 200, 300, 400, 500, 1000, 1240, 1520},
                                {50, 100, 136, 185, 251, 342, 400, 499},
                                {250, 300, 350, 400, 450, 1004, 1244, 1522}};
  for (size_t i = 0; i < COUNT(n); i++) {
    sc_model model;
    sc_interval at;
    sc_series series = {n[i], y, COUNT(y), true};
    assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
    assert_int_equal(model.verdict, SC_VERDICT_MODEL);
    assert_true(model.order.exponent == 1 && model.piece_count == 1);
    assert_float_equal(sc_model_value(&model, n[i][2]), 1, 1e-6);
    assert_int_equal(sc_model_predict(&model, 10 * n[i][7], 0.95, &at), 0);
    double line = 761 + 139 * 9 * n[i][7] / (n[i][7] - n[i][6]);
    assert_true(fabs(at.value - line) < 0.1 * line && at.low <= line && line <= at.high);
  }
}

/* A thousandth above and below in turn: a second coefficient explains less than it costs, and the first is that of the
 * least relative errors. */
TEST(few_coefficients_follow_the_earlier_sizes)
{
  course c = course_of(ten, 1600, 3200, 1600, 6400);
  double up = 0, squares = 0;
  for (size_t i = 0; i < EARLY; i++) {
    c.y[i] *= i % 2 ? 0.999 : 1.001;
    up += c.n[i] / c.y[i], squares += c.n[i] / c.y[i] * (c.n[i] / c.y[i]);
  }
  sc_model m = widen(&c, (sc_model){0});
  double slope = up / squares, gaps[] = {17600 - slope * 1600, 38400 - slope * 3200};
  assert_int_equal(m.rival_count, 3);
  assert_int_equal(m.rivals[STEEP].term_count, 2);
  double power = log(gaps[1] / gaps[0]) / M_LN2;
  near_to(rival_at(&m, STEEP, 1e4), power <= 2 ? slope * 1e4 + gaps[1] * pow(1e4 / 3200, power) : NAN);
}
