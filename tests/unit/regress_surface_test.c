/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regress/surface/surface.h"

enum { MOST = 2000 };

static const char *const names[] = {"n", "t", "m"};
static const double sizes[] = {20, 57, 160, 453, 1280}, threads[] = {1, 2, 4, 8, 16}, others[] = {3, 5, 11, 24, 50};

typedef double function(const double *x);
typedef struct points {
  double at[MOST * 3], y[MOST];
  size_t count, parameters;
} points;

static void add(points *p, double n, double t, double m, double y)
{
  double x[] = {n, t, m};
  memcpy(p->at + p->count * p->parameters, x, p->parameters * sizeof *x);
  p->y[p->count++] = y;
}

/* Points with at most `off` parameters away from their first values; the diagonal too, if asked for. */
static void measure(points *p, size_t parameters, size_t off, bool diagonal, function *f)
{
  p->count = 0;
  p->parameters = parameters;
  for (size_t i = 0; i < 5; i++)
    for (size_t j = 0; j < 5; j++)
      for (size_t k = 0; k < (parameters == 3 ? 5 : 1); k++) {
        double x[] = {sizes[i], threads[j], others[k]};
        bool on = diagonal && i == j && (parameters < 3 || j == k);
        if ((size_t)(i > 0) + (j > 0) + (k > 0) <= off || on)
          add(p, x[0], x[1], x[2], f(x));
      }
}

static sc_surface fit(const points *p, bool counts)
{
  const sc_fit_options options = SC_FIT_OPTIONS_DEFAULT;
  sc_surface_series series = {p->at, p->y, p->count, p->parameters, counts, names};
  sc_surface surface;
  assert_int_equal(sc_surface_fit(&series, &options, &surface), 0);
  return surface;
}

static sc_interval predict(const sc_surface *surface, double n, double t, double m)
{
  sc_interval interval;
  assert_int_equal(sc_surface_predict(surface, (double[]){n, t, m}, 0.95, &interval), 0);
  assert_true(interval.low >= 0 && interval.low <= interval.value && interval.value <= interval.high);
  return interval;
}

static const char *formula(const sc_surface *surface)
{
  static char text[400];
  int length = sc_surface_format_brief(surface, names, 0, text, sizeof text);
  assert_int_equal(length, strlen(text));
  return text;
}

static double n_t(const double *x) { return x[0] * x[1]; }
static double n_t_less(const double *x) { return x[0] * (x[1] - 1); }
static double square_t(const double *x) { return x[0] * x[0] * x[1] + 3 * x[0]; }
static double sum(const double *x) { return 5 * x[0] + 7 * x[1]; }
static double pairs_t(const double *x) { return x[0] * (x[0] - 1) / 2 * (x[1] - 1); }
static double linear(const double *x) { return 17 * x[0] + 3; }
static double constant(const double *x) { return 42; }
static double rounded(const double *x) { return x[1] * floor(1001 * x[0] / x[1]); }
static double slight(const double *x) { return 1000 * x[0] + x[1]; }
static double n_t_m(const double *x) { return x[0] * x[1] * x[2]; }
static double n_t_and_m(const double *x) { return x[0] * x[1] + x[2] * x[2] + 5; }
static double halving(const double *x) { return x[0] * ceil(log2(x[0])) * x[1]; }
static double shared(const double *x) { return 1000 * x[0] / x[1] + 50 * x[1] * log2(x[1]) + 20; }
static double shifted(const double *x) { return (x[0] + 300) * (x[1] + 2.5); }
static double power(const double *x) { return 2 * pow(x[0], 1.2) * x[1] + 30; }
static double limited(const double *x) { return 40 * x[0] * x[1] / (x[1] + 6); }
static double filling(const double *x) { return 40 * x[0] * -expm1(-x[1] / 5); }
static double sorting(const double *x) { return 3 * x[0] * log2(x[0]) * x[1] + 100 * x[1]; }

static const struct exact_case {
  function *f;
  size_t parameters;
  const char *text;
} exact_cases[] = {{n_t, 2, "n t"},
                   {n_t_less, 2, "n t - n"},
                   {square_t, 2, "n^2 t + 3 n"},
                   {sum, 2, "5 n + 7 t"},
                   {pairs_t, 2, "0.5 n^2 t - 0.5 n^2 - 0.5 n t + 0.5 n"},
                   {halving, 2, "n ceil(log2(n)) t"},
                   {n_t_m, 3, "n t m"},
                   {n_t_and_m, 3, "n t + m^2 + 5"}};

static void exact_counts(bool grid)
{
  static points p;
  const double far[] = {64001, 96, 777};
  for (size_t i = 0; i < sizeof exact_cases / sizeof *exact_cases; i++) {
    measure(&p, exact_cases[i].parameters, grid ? 3 : 1, true, exact_cases[i].f);
    sc_surface surface = fit(&p, true);
    assert_int_equal(surface.verdict, SC_VERDICT_MODEL);
    assert_true(surface.exact);
    assert_string_equal(formula(&surface), exact_cases[i].text);
    sc_interval at = predict(&surface, far[0], far[1], far[2]);
    assert_true(at.value == exact_cases[i].f(far) && at.low == at.value && at.high == at.value);
  }
}

TEST(recognises_exact_counts_on_a_grid) { exact_counts(true); }
TEST(recognises_exact_counts_on_axes_and_a_diagonal) { exact_counts(false); }

/* 1, 2, 4 and 8 threads that call once each, at three sizes. */
TEST(few_values_of_one_parameter_are_enough)
{
  points p = {.parameters = 2};
  static const double n[] = {1000, 8000, 64000};
  for (size_t i = 0; i < 3; i++)
    for (double t = 1; t <= 8; t *= 2)
      add(&p, n[i], t, 1, t);
  sc_surface surface = fit(&p, true);
  assert_true(surface.exact && !surface.effective[0] && surface.effective[1]);
  sc_interval at = predict(&surface, 1e6, 64, 1);
  assert_true(at.value == 64 && at.low == 64 && at.high == 64);
  sc_model slice;
  const double there[] = {64000, 64, 1};
  assert_int_equal(sc_surface_slice(&surface, there, 0, &slice), 0);
  assert_true(slice.exact && sc_model_value(&slice, 1e6) == 64);
}

/* Two values more than terms: of three values one term is sure as a sum of products, two are not. */
TEST(values_confirm_terms_of_one_parameter)
{
  for (size_t terms = 1; terms <= 2; terms++)
    for (size_t values = 3; values <= 4; values++) {
      points p = {.parameters = 2};
      for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < values; k++)
          add(&p, sizes[i], threads[k], 1, 3 * threads[k] + 5 * (double)(terms - 1));
      sc_surface surface = fit(&p, true);
      assert_true((surface.along == -1) == (values >= terms + 2));
      assert_true(surface.along == -1 ? surface.exact && surface.effective[1] : surface.along == 1);
    }
}

/* The same with the parameters in the other order. */
TEST(few_values_of_the_first_parameter_are_enough)
{
  points p = {.parameters = 2};
  static const double n[] = {1000, 8000, 64000};
  for (size_t i = 0; i < 3; i++)
    for (double t = 1; t <= 8; t *= 2)
      add(&p, t, n[i], 1, 3 * t);
  sc_surface surface = fit(&p, true);
  assert_true(surface.exact && surface.effective[0] && !surface.effective[1] && surface.along == -1);
  sc_interval at = predict(&surface, 64, 1e6, 1);
  assert_true(at.value == 192 && at.low == 192 && at.high == 192);
}

static double places(const double *x) { return x[0] - x[1] + 1; }
static double comparisons(const double *x) { return x[1] * (x[0] - x[1] + 1); }

/* A pattern of m characters at all places of a text of n, as a study measures it: m varies at three of the sizes, and
 * the longest pattern times ten has no place in the shortest text. */
TEST(counts_that_end_along_one_parameter_are_exact)
{
  static const double n[] = {500, 2000, 8000}, m[] = {16, 64, 256};
  static const struct {
    function *f;
    const char *text;
  } cases[] = {{places, "n - t + 1"}, {comparisons, "n t - t^2 + t"}};
  for (size_t c = 0; c < 2; c++) {
    points p = {.parameters = 2};
    for (double size = 500; size <= 8000; size *= 2)
      add(&p, size, 4, 1, cases[c].f((double[]){size, 4}));
    for (size_t i = 0; i < 3; i++)
      for (size_t k = 0; k < 3; k++)
        add(&p, n[i], m[k], 1, cases[c].f((double[]){n[i], m[k]}));
    sc_surface surface = fit(&p, true);
    assert_true(surface.exact);
    assert_string_equal(formula(&surface), cases[c].text);
    const double far[] = {1e5, 1000};
    sc_interval at = predict(&surface, far[0], far[1], 1);
    assert_true(at.value == cases[c].f(far) && at.low == at.value && at.high == at.value);
    assert_true(predict(&surface, 100, 1000, 1).value == 0);
  }
}

TEST(one_count_off_is_not_exact)
{
  static points p;
  measure(&p, 2, 2, false, square_t);
  p.y[13]++;
  sc_surface surface = fit(&p, true);
  assert_false(surface.exact);
  const double far[] = {64000, 64};
  sc_interval at = predict(&surface, far[0], far[1], 0);
  assert_true(at.high > at.low);
  assert_true(fabs(at.value / square_t(far) - 1) < 0.01);
}

TEST(large_counts_stay_exact)
{
  static points p = {.parameters = 2};
  p.count = 0;
  for (double n = 1000003; n < 6000000; n += 1000003)
    for (double t = 1; t <= 4; t++)
      add(&p, n, t, 0, n * 99991 * t + t);
  sc_surface surface = fit(&p, true);
  assert_true(surface.exact);
  assert_string_equal(formula(&surface), "99991 n t + t");
}

TEST(finds_sums_and_products_of_measurements)
{
  static points p;
  static const struct {
    function *f;
    double exponent[2], log_exponent[2];
  } cases[] = {{shared, {1, 1}, {0, 1}},  {shifted, {1, 1}, {0, 0}}, {power, {1.2, 1}, {0, 0}},
               {sorting, {1, 1}, {1, 0}}, {limited, {1, 0}, {0, 0}}, {filling, {1, 0}, {0, 0}}};
  const double far[] = {64000, 64};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    measure(&p, 2, 2, false, cases[i].f);
    sc_surface surface = fit(&p, false);
    assert_int_equal(surface.verdict, SC_VERDICT_MODEL);
    assert_true(surface.interacting && surface.r2 > 1 - 1e-9 && surface.fit_error < 1e-9);
    for (size_t q = 0; q < 2; q++) {
      assert_true(fabs(surface.order[q].exponent - cases[i].exponent[q]) < 1e-6);
      assert_true(surface.order[q].log_exponent == cases[i].log_exponent[q]);
    }
    assert_true(fabs(predict(&surface, far[0], far[1], 0).value / cases[i].f(far) - 1) < 1e-6);
  }
}

TEST(parameters_without_effect_drop_out)
{
  static points p;
  measure(&p, 2, 2, false, linear);
  sc_surface surface = fit(&p, true);
  assert_true(surface.exact && surface.effective[0] && !surface.effective[1] && !surface.interacting);
  assert_string_equal(formula(&surface), "17 n + 3");
  assert_true(predict(&surface, 1e6, 1, 0).high == 17e6 + 3 && predict(&surface, 1e6, 512, 0).low == 17e6 + 3);
  assert_true(surface.order[0].exponent == 1 && surface.order[1].exponent == 0);
  measure(&p, 3, 3, false, constant);
  surface = fit(&p, true);
  assert_true(surface.exact && !surface.effective[0] && !surface.effective[1] && !surface.effective[2]);
  assert_string_equal(formula(&surface), "42");
}

TEST(a_fixed_parameter_is_not_judged)
{
  static points p = {.parameters = 2};
  p.count = 0;
  for (size_t i = 0; i < 5; i++)
    add(&p, sizes[i], 4, 0, 17 * sizes[i] + 3);
  sc_surface surface = fit(&p, true);
  assert_int_equal(surface.verdict, SC_VERDICT_MODEL);
  assert_true(surface.fixed[1] && !surface.fixed[0]);
  assert_string_equal(surface.why, "t was always 4: what it does is not known");
  assert_true(predict(&surface, 1000, 4, 0).high == 17003);
  sc_interval elsewhere = predict(&surface, 1000, 8, 0);
  assert_true(elsewhere.low == 0 && isinf(elsewhere.high));
}

/* What ends as a constant had an effect before. */
TEST(a_parameter_with_a_limit_has_an_effect)
{
  static points p = {.parameters = 2};
  for (double n = 50; n <= 3200; n *= 2)
    add(&p, n, 4, 0, fmin(n, 300));
  sc_surface surface = fit(&p, true);
  assert_true(surface.error == surface.line.error);
  assert_true(surface.along == 0 && surface.line.piece_count == 1 && surface.order[0].exponent == 0);
  assert_true(surface.effective[0] && !surface.effective[1] && predict(&surface, 1e6, 4, 0).value == 300);
}

TEST(axes_alone_leave_sum_and_product_open)
{
  static points p;
  const double far[] = {12800, 64};
  measure(&p, 2, 1, false, n_t);
  sc_surface surface = fit(&p, true);
  assert_int_equal(surface.verdict, SC_VERDICT_CANNOT_TELL);
  assert_true(surface.ambiguous && !surface.exact);
  assert_non_null(strstr(surface.why, "n and t"));
  bool apart = !surface.interacting, together = surface.interacting;
  for (size_t i = 0; i < surface.rival_count; i++) {
    const sc_surface rival = {.form = surface.rivals[i], .parameters = 2, .along = -1};
    apart = apart || !strstr(formula(&rival), "n t");
    together = together || strstr(formula(&rival), "n t");
  }
  assert_true(apart && together);
  sc_interval at = predict(&surface, far[0], far[1], 0);
  assert_true(at.low <= (far[0] + 20 * far[1] - 20) * (1 + 1e-9) && at.high >= n_t(far) * (1 - 1e-9));
  /* On the axes both say the same. */
  at = predict(&surface, 12800, 1, 0);
  assert_true(fabs(at.low / 12800 - 1) < 1e-6 && fabs(at.high / 12800 - 1) < 1e-6);
}

TEST(the_deciding_point_decides)
{
  static points p;
  static function *const cases[] = {n_t, sum, square_t};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double at[3];
    measure(&p, 2, 1, false, cases[i]);
    sc_surface surface = fit(&p, true);
    assert_int_equal(surface.verdict, SC_VERDICT_CANNOT_TELL);
    assert_true(sc_surface_deciding(&surface, at));
    assert_true(at[0] > sizes[0] && at[1] > threads[0]);
    add(&p, at[0], at[1], 0, cases[i](at));
    surface = fit(&p, true);
    assert_int_equal(surface.verdict, SC_VERDICT_MODEL);
    const double far[] = {64000, 64};
    assert_true(fabs(predict(&surface, far[0], far[1], 0).value / cases[i](far) - 1) < 1e-6);
  }
}

TEST(axes_of_zeros_say_nothing)
{
  static points p;
  measure(&p, 2, 1, false, n_t_less);
  sc_surface surface = fit(&p, true);
  assert_int_equal(surface.verdict, SC_VERDICT_CANNOT_TELL);
  assert_false(surface.exact);
  sc_interval at = predict(&surface, 12800, 64, 0);
  assert_true(at.low == 0 && isinf(at.high));
}

/* With two values of t, too: what it does where n has effect is not known. With one value nothing is said of t. */
TEST(two_values_of_zeros_say_nothing)
{
  for (int values = 1; values <= 2; values++) {
    points p = {.parameters = 2};
    for (size_t i = 0; i < 5; i++)
      add(&p, sizes[i], 1, 0, 3 * (sizes[i] - sizes[0]));
    if (values > 1)
      add(&p, sizes[0], 2, 0, 0);
    sc_surface surface = fit(&p, true);
    assert_int_equal(surface.verdict, values > 1 ? SC_VERDICT_CANNOT_TELL : SC_VERDICT_MODEL);
    assert_true(surface.exact == (values == 1));
    assert_string_equal(surface.why,
                        values > 1 ? "all values with another t are 0: what it does where n has effect is undecided"
                                   : "t was always 1: what it does is not known");
  }
}

/* The first of two parameters with one value is named, unless the model is undecided for another reason. */
TEST(what_was_not_varied_is_named_once)
{
  points p = {.parameters = 3};
  for (size_t i = 0; i < 5; i++)
    add(&p, sizes[i], 4, 7, 17 * sizes[i]);
  sc_surface surface = fit(&p, true);
  assert_int_equal(surface.verdict, SC_VERDICT_MODEL);
  assert_string_equal(surface.why, "t was always 4: what it does is not known");
  p.count = 2; /* two sizes show no growth */
  surface = fit(&p, true);
  assert_int_equal(surface.verdict, SC_VERDICT_CANNOT_TELL);
  assert_null(strstr(surface.why, "was always"));
  p.count = 0;
  p.parameters = 2;
  for (size_t i = 0; i < 5; i++)
    for (size_t k = 0; k < 4; k++)
      add(&p, sizes[i], threads[k], 0, sizes[i] * threads[k]);
  surface = fit(&p, true);
  assert_string_equal(surface.why, "");
}

/* The form of a model of one parameter has the line's terms and their covariance. */
TEST(lines_are_forms_too)
{
  points p = {.parameters = 2};
  for (size_t i = 0; i < 15; i++)
    add(&p, sizes[i % 5], 4, 0, (7 * sizes[i % 5] + 900) * (1 + 0.02 * sin(37.0 * (double)i)));
  sc_surface surface = fit(&p, false);
  assert_true(surface.along == 0 && surface.form.term_count == surface.line.term_count && surface.line.term_count == 2);
  for (size_t i = 0; i < 2; i++) {
    assert_true(surface.form.terms[i].coefficient == surface.line.terms[i].coefficient);
    assert_true(surface.form.terms[i].factor[0].exponent == surface.line.terms[i].exponent);
    for (size_t j = 0; j < 2; j++)
      assert_true(surface.form.covariance[i][j] == surface.line.covariance[i][j] && surface.line.covariance[i][j] != 0);
  }
  assert_true(surface.form.sigma == surface.line.sigma && surface.form.drift[0] == surface.line.drift);
}

/* On axes alone a fitted exponent is the model's in its product, too: 3 n^1.37 + 50 t or as much of either by the
 * other. */
static double free_sum(const double *x) { return 3 * pow(x[0], 1.37) + 50 * x[1]; }
static double free_product(const double *x) { return 3 * pow(x[0], 1.37) * x[1]; }

TEST(fitted_exponents_stay_on_axes)
{
  static function *const cases[] = {free_sum, free_product};
  static points p;
  for (size_t i = 0; i < 2; i++) {
    measure(&p, 2, 1, false, cases[i]);
    sc_surface surface = fit(&p, false);
    assert_true(surface.ambiguous && surface.rival_count > 0);
    bool powers = true;
    for (size_t r = 0; r <= surface.rival_count; r++) {
      const sc_surface_form *form = r ? &surface.rivals[r - 1] : &surface.form;
      for (size_t k = 0; k < form->term_count; k++) {
        double e = form->terms[k].factor[0].exponent;
        powers = powers && (e == 0 || fabs(e - 1.37) < 1e-4);
      }
    }
    sc_interval at = predict(&surface, 5000, 64, 0);
    double both = i ? pow(5000, 1.37) * 64 * 3 : 3 * pow(5000, 1.37) + 3200;
    assert_true(powers);
    assert_true(at.low <= both && at.high >= both);
  }
}

TEST(two_values_show_no_function)
{
  static points p = {.parameters = 2};
  p.count = 0;
  for (size_t i = 0; i < 5; i++)
    for (size_t j = 0; j < 2; j++)
      add(&p, sizes[i], threads[j], 0, sizes[i] * threads[j]);
  sc_surface surface = fit(&p, true);
  assert_int_equal(surface.verdict, SC_VERDICT_CANNOT_TELL);
  assert_non_null(strstr(surface.why, "t has only 2 values"));
  assert_true(isinf(predict(&surface, 100, 64, 0).high));
}

TEST(three_values_show_a_function)
{
  static points p = {.parameters = 2};
  p.count = 0;
  for (size_t i = 0; i < 5; i++)
    for (size_t j = 0; j < 3; j++)
      add(&p, sizes[i], threads[j], 0, sizes[i] * threads[j] * (1 + 0.001 * sin((double)(i * 3 + j))));
  sc_surface surface = fit(&p, false);
  assert_int_equal(surface.verdict, SC_VERDICT_MODEL);
  assert_true(surface.effective[0] && surface.effective[1] && surface.interacting);
}

TEST(parameters_that_change_together_cannot_be_told_apart)
{
  static points p = {.parameters = 2};
  p.count = 0;
  for (size_t i = 0; i < 5; i++)
    add(&p, sizes[i], sizes[i] / 10, 0, 3 * sizes[i]);
  sc_surface surface = fit(&p, false);
  assert_int_equal(surface.verdict, SC_VERDICT_CANNOT_TELL);
}

TEST(little_data_is_no_error)
{
  static points p = {.parameters = 2};
  p.count = 0;
  sc_surface surface = fit(&p, true);
  assert_int_equal(surface.verdict, SC_VERDICT_CANNOT_TELL);
  double at[2];
  assert_false(sc_surface_deciding(&surface, at));
  for (size_t i = 0; i < 4; i++) {
    add(&p, sizes[i % 2], threads[i / 2], 0, 5 + (double)i);
    surface = fit(&p, true);
    assert_int_equal(surface.verdict, SC_VERDICT_CANNOT_TELL);
    assert_true(isinf(predict(&surface, 100, 64, 0).high));
  }
}

/* Sums of twelve even numbers are nearly normal; a fixed sequence, so that the test is the same everywhere. */
static double normal(uint64_t *seed)
{
  double total = -6;
  for (int i = 0; i < 12; i++) {
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    total += (double)(*seed >> 11) / 0x1p53;
  }
  return total;
}

TEST(noise_leaves_the_form_and_gives_an_interval)
{
  static points p;
  static function *const cases[] = {n_t, sum, sorting, shared};
  const double far[] = {12800, 32};
  uint64_t seed = 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double truth = cases[i](far);
    p = (points){.parameters = 2};
    for (size_t r = 0; r < 25 * 5; r++) {
      const double x[] = {sizes[r % 5], threads[r / 5 % 5]};
      add(&p, x[0], x[1], 0, cases[i](x) * (1 + 0.01 * normal(&seed)));
    }
    sc_surface surface = fit(&p, false);
    assert_int_equal(surface.verdict, SC_VERDICT_MODEL);
    assert_true(surface.interacting == (cases[i] != sum));
    assert_int_equal(surface.points, 25);
    sc_interval at = predict(&surface, far[0], far[1], 0);
    assert_true(fabs(at.value / truth - 1) < 0.03);
    assert_true(at.low < truth && truth < at.high && at.high - at.low < 0.2 * truth);
  }
}

TEST(disturbed_repeats_do_not_matter)
{
  static points p;
  const double far[] = {12800, 32};
  uint64_t seed = 5;
  p = (points){.parameters = 2};
  for (size_t r = 0; r < 25 * 5; r++) {
    const double x[] = {sizes[r % 5], threads[r / 5 % 5]};
    bool disturbed = r < 25 && r % 3 == 0; /* a third of the points have one */
    add(&p, x[0], x[1], 0, n_t(x) * (disturbed ? 3 : 1 + 0.01 * normal(&seed)));
  }
  sc_surface surface = fit(&p, false);
  assert_int_equal(surface.verdict, SC_VERDICT_MODEL);
  assert_int_equal(surface.form.term_count, 1);
  sc_interval at = predict(&surface, far[0], far[1], 0);
  assert_true(fabs(at.value / n_t(far) - 1) < 0.01);
  assert_true(at.low < n_t(far) && n_t(far) < at.high && at.high - at.low < 0.2 * n_t(far));
}

TEST(a_sum_without_formula_cannot_be_told)
{
  static points p = {.parameters = 2};
  p.count = 0;
  uint64_t seed = 7;
  for (size_t i = 0; i < 25; i++)
    add(&p, sizes[i % 5], threads[i / 5], 0, exp(3 * normal(&seed)));
  sc_surface surface = fit(&p, false);
  assert_int_equal(surface.verdict, SC_VERDICT_CANNOT_TELL);
  assert_true(isinf(predict(&surface, 100, 64, 0).high));
}

TEST(order_and_context_do_not_matter)
{
  static points p, turned;
  const sc_fit_options options = SC_FIT_OPTIONS_DEFAULT;
  sc_surface_engine *engine;
  assert_int_equal(sc_surface_new(&options, &engine), 0);
  static function *const cases[] = {shared, power, n_t_m, linear, sorting};
  static const size_t parameters[] = {2, 2, 3, 2, 2};
  for (size_t i = 0; i < 5; i++) {
    measure(&p, parameters[i], 3, false, cases[i]);
    turned = (points){.parameters = parameters[i]};
    for (size_t k = p.count; k-- > 0;) {
      const double *x = p.at + k * p.parameters;
      add(&turned, x[0], x[1], p.parameters == 3 ? x[2] : 0, p.y[k]);
    }
    sc_surface one = fit(&p, false), other;
    sc_surface_series series = {turned.at, turned.y, turned.count, turned.parameters, false, names};
    assert_int_equal(sc_surface_run(engine, &series, &other), 0);
    char text[400];
    strcpy(text, formula(&one));
    assert_string_equal(formula(&other), text);
    assert_true(predict(&one, 5000, 50, 50).high == predict(&other, 5000, 50, 50).high);
  }
  sc_surface_free(engine);
}

static void same_form(const sc_surface_form *one, const sc_surface_form *other)
{
  assert_true(one->term_count == other->term_count && one->degrees == other->degrees);
  assert_true(one->sigma == other->sigma && one->weight == other->weight && one->error == other->error);
  for (size_t i = 0; i < one->term_count; i++) {
    assert_true(one->terms[i].coefficient == other->terms[i].coefficient);
    assert_true(one->covariance[i][0] == other->covariance[i][0]);
  }
}

/* Whatever was fitted before, a context says what a fresh one does: buffers, hypotheses and folds are not carried over.
 */
TEST(contexts_remember_nothing)
{
  static function *const cases[] = {shared, n_t, sum, limited, n_t_and_m, square_t, pairs_t, linear};
  static points before, now;
  sc_surface_engine *engine;
  assert_int_equal(sc_surface_new(&SC_FIT_OPTIONS_DEFAULT, &engine), 0);
  for (size_t i = 0; i < COUNT(cases); i++)
    for (int axes = 0; axes < 2; axes++) {
      sc_surface used;
      measure(&before, 3, 2, false, cases[(i + 3) % COUNT(cases)]); /* more points, of more parameters */
      sc_surface_series large = {before.at, before.y, before.count, 3, false, names};
      assert_int_equal(sc_surface_run(engine, &large, &used), 0);
      measure(&now, cases[i] == n_t_and_m ? 3 : 2, axes ? 1 : 2, false, cases[i]);
      sc_surface fresh = fit(&now, i % 2 == 0);
      sc_surface_series series = {now.at, now.y, now.count, now.parameters, i % 2 == 0, names};
      assert_int_equal(sc_surface_run(engine, &series, &used), 0);
      assert_true(used.verdict == fresh.verdict && used.rival_count == fresh.rival_count && used.exact == fresh.exact);
      assert_string_equal(used.why, fresh.why);
      assert_true(used.error == fresh.error && used.r2 == fresh.r2 && used.fit_error == fresh.fit_error);
      same_form(&used.form, &fresh.form);
      for (size_t r = 0; r < used.rival_count; r++)
        same_form(&used.rivals[r], &fresh.rivals[r]);
    }
  sc_surface_free(engine);
}

TEST(writes_formulas)
{
  const sc_term none = {0}, n = {.exponent = 1}, log_t = {.log_exponent = 1};
  sc_surface s = {.parameters = 2, .along = -1, .form = {.term_count = 3}};
  s.form.terms[0] = (sc_surface_term){2.5, {n, {.exponent = -1}}};
  s.form.terms[1] = (sc_surface_term){-1, {{.exponent = 1, .log_exponent = 1}, log_t}};
  s.form.terms[2] = (sc_surface_term){7, {none, {.exponent = -0.5, .log_exponent = 1}}};
  assert_string_equal(formula(&s), "2.5 n / t - n log2(n) log2(t) + 7 log2(t) / t^0.5");
  char text[200];
  int length = sc_surface_expression(&s, names, text, sizeof text);
  assert_string_equal(text, "2.5 * n / t - n * log2(n) * log2(t) + 7 * log2(t) / t^0.5");
  assert_int_equal(length, strlen(text));
  assert_int_equal(sc_surface_expression(&s, names, NULL, 0), length);
  assert_int_equal(sc_surface_format_brief(&s, names, 0, text, 8), strlen(formula(&s)));
  assert_string_equal(text, "2.5 n /");
  s.form.terms[0] = (sc_surface_term){1, {none, {.exponent = -2}}};
  s.form.terms[1] = (sc_surface_term){1.0 / 6, {{.exponent = 1, .shape = SC_SHAPE_CEIL_LOG, .log_exponent = 1}, none}};
  s.form.term_count = 2;
  s.exact = true;
  assert_string_equal(formula(&s), "1 / t^2 + 1/6 n ceil(log2(n))");
  const sc_term fills = {.shape = SC_SHAPE_APPROACH, .scale = 5}, limit = {.shape = SC_SHAPE_HYPERBOLIC, .scale = 6};
  s.form.terms[0] = (sc_surface_term){2, {n, fills}}; /* what has a quotient is in brackets, once */
  s.form.terms[1] = (sc_surface_term){3, {n, limit}};
  s.exact = false;
  assert_string_equal(formula(&s), "2 n (1 - exp(-t / 5)) + 3 n (t / (t + 6))");
  /* coefficients of 1, to a ten billionth, are not written */
  s.form.terms[0] = (sc_surface_term){1 + 0.9e-10, {n, n}};
  s.form.terms[1] = (sc_surface_term){1 - 1.1e-10, {n, n}};
  assert_true(sc_surface_expression(&s, names, text, sizeof text) > 0);
  assert_string_equal(text, "n * t + 0.99999999989 * n * t");
  s.form.term_count = 0;
  assert_string_equal(formula(&s), "0");
}

TEST(values_are_never_negative)
{
  sc_surface s = {.parameters = 2, .along = -1, .form = {.term_count = 2, .degrees = 3, .sigma = 0.1}};
  s.form.terms[0] = (sc_surface_term){1000, {{0}, {0}}};
  s.form.terms[1] = (sc_surface_term){-1, {{.exponent = 1}, {.exponent = 1}}};
  assert_true(sc_surface_value(&s, (double[]){10, 10}) == 900);
  assert_true(sc_surface_value(&s, (double[]){1000, 10}) == 0);
  assert_true(predict(&s, 1000, 10, 0).low == 0);
}

/* At fixed values of the others a surface is a model of one parameter, with the same values and intervals. */
static void slices(const points *p, bool counts, double width_off)
{
  sc_surface surface = fit(p, counts);
  static const double further[][2] = {{1, 3}, {3, 7}, {64, 200}};
  for (size_t i = 0; i < 3; i++) {
    double at[] = {1, further[i][0], further[i][1]};
    sc_model model;
    assert_int_equal(sc_surface_slice(&surface, at, 0, &model), 0);
    assert_int_equal(model.verdict, surface.verdict);
    for (double n = 20; n < 1e6; n *= 3) {
      sc_interval whole, slice;
      at[0] = n;
      assert_int_equal(sc_surface_predict(&surface, at, 0.95, &whole), 0);
      assert_int_equal(sc_model_predict(&model, n, 0.95, &slice), 0);
      if (fabs(slice.value - whole.value) > 1e-9 * whole.value ||
          fabs((slice.high - slice.low) - (whole.high - whole.low)) > width_off * (whole.high - whole.low) + 1e-9)
        fail_msg("n = %g, t = %g: %g (%g to %g) instead of %g (%g to %g)", n, at[1], slice.value, slice.low, slice.high,
                 whole.value, whole.low, whole.high);
    }
  }
}

static double exact_sum(const double *x) { return x[0] * (x[0] - 1) / 2 * (x[1] - 1) + 3 * x[0] * x[1] + 5 * x[0]; }
static double exact_three(const double *x) { return x[0] * x[1] * x[2] + 2 * x[0] + 7 * x[2]; }
static double of_threads(const double *x) { return 5 * x[1] * x[1] + 3; }
static double two_sizes(const double *x) { return 3.7 * x[0] * log2(x[0]) * x[1] + 11 * x[0] + 40 * x[1]; }

TEST(a_slice_is_the_model_there)
{
  points p;
  sc_model model;
  measure(&p, 2, 2, false, exact_sum);
  slices(&p, true, 0);
  sc_surface surface = fit(&p, true);
  assert_int_equal(sc_surface_slice(&surface, (double[]){1, 1}, 0, &model), 0);
  assert_true(model.exact && model.term_count == 1 && model.order.exponent == 1);
  assert_int_equal(sc_surface_slice(&surface, (double[]){1, 2}, 0, &model), 0);
  assert_true(model.exact && model.order.exponent == 2);
  measure(&p, 3, 3, false, exact_three);
  slices(&p, true, 0);
  measure(&p, 2, 2, false, of_threads);
  slices(&p, true, 0.2); /* lower ends are taken as quotients here */
  measure(&p, 2, 2, false, two_sizes);
  srand(7);
  for (size_t i = 0; i < p.count; i++)
    p.y[i] *= 1 + 0.04 * ((double)rand() / RAND_MAX - 0.5);
  slices(&p, false, 0.5);
}

static void refused(const double *at, const double *y, size_t count, size_t parameters, const char *part)
{
  const sc_fit_options options = SC_FIT_OPTIONS_DEFAULT;
  sc_surface_series series = {.at = at, .y = y, .count = count, .parameters = parameters};
  sc_surface surface;
  assert_int_equal(sc_surface_fit(&series, &options, &surface), SC_E_INPUT);
  assert_non_null(strstr(sc_err_message(), part));
}

TEST(bad_input_is_refused)
{
  const double good[] = {1, 2, 3, 4, 5, 6, 7, 8}, zero[] = {1, 2, 3, 0}, nan_at[] = {1, 2, NAN, 4};
  const double negative[] = {1, -1}, infinite[] = {1, INFINITY};
  refused(zero, good, 2, 2, "point 1 has the value 0 for parameter 2");
  refused(nan_at, good, 2, 2, "point 1 has the value nan for parameter 1");
  refused(good, negative, 2, 2, "point 1 has the value -1");
  refused(good, infinite, 2, 2, "point 1 has the value inf");
  refused(good, good, 2, 4, "4 parameters");
  refused(good, good, 2, 0, "0 parameters");
  const sc_fit_options paper = {.engine = SC_FIT_DELTA_INFER, .r2_threshold = 0.9};
  sc_surface_series series = {.at = good, .y = good, .count = 4, .parameters = 2};
  sc_surface surface;
  assert_int_equal(sc_surface_fit(&series, &paper, &surface), SC_E_INPUT);
  series.parameters = 1;
  assert_int_equal(sc_surface_fit(&series, &paper, &surface), 0);
  sc_interval at;
  assert_int_equal(sc_surface_predict(&surface, (double[]){0}, 0.95, &at), SC_E_INPUT);
  assert_int_equal(sc_surface_predict(&surface, (double[]){NAN}, 0.95, &at), SC_E_INPUT);
  assert_int_equal(sc_surface_predict(&surface, (double[]){1}, 1, &at), SC_E_INPUT);
}

/* Whatever finite numbers come, there is an answer, and no NaN in it. */
TEST(hostile_numbers_give_answers)
{
  static const double strange[] = {1, 2, 3, 1e-300, 1e300, 0x1p53, 0x1p63, 1e-9, 7, 1e9, DBL_MAX, DBL_MIN, 0.5};
  enum { STRANGE = sizeof strange / sizeof *strange };
  static points p;
  uint64_t seed = 3;
  for (size_t round = 0; round < 300; round++) {
    size_t kind = round % 3 ? STRANGE : 3;
    p = (points){.parameters = 2 + round % 2};
    for (size_t i = 0; i < 3 + round % 30; i++) {
      double x[4];
      for (size_t q = 0; q < 4; q++) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        x[q] = strange[(seed >> 33) % kind];
      }
      add(&p, x[0], x[1], x[2], round % 5 ? x[3] : 0);
    }
    sc_surface surface = fit(&p, round % 2);
    for (size_t i = 0; i < STRANGE; i++)
      predict(&surface, strange[i], strange[STRANGE - 1 - i], strange[i]);
    double at[3];
    (void)formula(&surface);
    sc_surface_deciding(&surface, at);
  }
}

/* What is divided among threads and rounded down is no more work with more of them; a little that is exact is. */
TEST(test_rounding_is_no_effect)
{
  points p;
  measure(&p, 2, 2, false, rounded);
  sc_surface surface = fit(&p, true);
  assert_int_equal(surface.verdict, SC_VERDICT_MODEL);
  assert_true(surface.effective[0] && !surface.effective[1]);
  assert_float_equal(predict(&surface, 1e6, 1000, 0).value / 1.001e9, 1, 0.01);
  measure(&p, 2, 2, false, slight);
  surface = fit(&p, true);
  assert_true(surface.exact && surface.effective[0] && surface.effective[1]);
}

static double of_second(const double *x) { return 3 * x[1] * x[1] + x[1]; }

/* Whichever parameter alone was changed is the one that the model is of. */
TEST(one_parameter_that_varies)
{
  points p = {.parameters = 3};
  for (size_t i = 0; i < 5; i++)
    add(&p, 20, sizes[i], 3, of_second((double[]){20, sizes[i], 3}));
  sc_surface s = fit(&p, true);
  assert_true(s.verdict == SC_VERDICT_MODEL && s.exact && s.effective[1] && !s.effective[0] && !s.effective[2]);
  assert_true(s.order[1].exponent == 2);
  assert_true(predict(&s, 20, 1000, 3).value == 3001000);
}

/* Three values of one parameter prove a line where another one varies beside it, whether or not a third one stands
 * still, and not where that changed on other lines alone. */
TEST(what_stands_still_is_no_doubt)
{
  for (int still = 0; still < 2; still++) {
    points p = {.parameters = still ? 3 : 2};
    for (size_t i = 0; i < 3; i++)
      for (size_t j = 0; j < 3; j++)
        add(&p, sizes[i], threads[j], 7, linear(&sizes[i]));
    sc_surface s = fit(&p, true);
    assert_true(s.verdict == SC_VERDICT_MODEL && s.exact && s.effective[0] && !s.effective[1]);
    assert_true(predict(&s, 1e4, 2, 7).value == 170003);
  }
}
