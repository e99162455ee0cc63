/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions/resources/scalability.h"
#include "transitions/resources/usl.h"
#include "transitions_resources_scene.h"

static void near_to(double value, double expected, double relative)
{
  if (!(fabs(value - expected) <= relative * fabs(expected) + 1e-9))
    fail_msg("%.12g is not %.12g", value, expected);
}

static const double sizes[] = {1, 2, 4, 8, 16, 32};
enum { SIZES = 6 };

TEST(recovers_parameters)
{
  static const sc_usl truths[] = {{1000, 0.05, 0.001, 0}, {3.5e6, 0.3, 0, 0}, {1e-3, 0, 0.02, 0}, {42, 0, 0, 0}};
  for (size_t t = 0; t < sizeof truths / sizeof *truths; t++) {
    double x[SIZES];
    sc_usl usl;
    for (size_t i = 0; i < SIZES; i++)
      x[i] = sc_usl_at(&truths[t], sizes[i]);
    assert_int_equal(sc_usl_fit(sizes, x, SIZES, &usl), 0);
    near_to(usl.lambda, truths[t].lambda, 1e-6);
    near_to(usl.sigma, truths[t].sigma, 1e-5);
    near_to(usl.kappa, truths[t].kappa, 1e-5);
    near_to(usl.error, 0, 1e-6);
  }
}

TEST(peak_is_where_throughput_is_highest)
{
  sc_usl usl = {.lambda = 1000, .sigma = 0.05, .kappa = 0.001};
  double peak = sc_usl_peak(&usl);
  near_to(peak, sqrt(0.95 / 0.001), 1e-12);
  near_to(sc_usl_peak_throughput(&usl), sc_usl_at(&usl, peak), 1e-12);
  assert_true(sc_usl_at(&usl, peak) > sc_usl_at(&usl, 0.9 * peak) &&
              sc_usl_at(&usl, peak) > sc_usl_at(&usl, 1.1 * peak));
  usl.kappa = 0;
  assert_true(isinf(sc_usl_peak(&usl)));
  near_to(sc_usl_peak_throughput(&usl), 20000, 1e-12); /* Amdahl's limit */
  usl.sigma = 0;
  assert_true(isinf(sc_usl_peak_throughput(&usl)));
  usl = (sc_usl){.lambda = 1, .sigma = 1.5, .kappa = 0.1};
  assert_true(sc_usl_peak(&usl) == 1);
}

TEST(superlinear_speedup_stays_within_bounds)
{
  double x[SIZES];
  sc_usl usl;
  for (size_t i = 0; i < SIZES; i++)
    x[i] = 100 * pow(sizes[i], 1.2);
  assert_int_equal(sc_usl_fit(sizes, x, SIZES, &usl), 0);
  assert_true(usl.sigma == 0 && usl.kappa == 0 && usl.lambda > 100);
}

TEST(intervals_hold_the_truth)
{
  sc_usl truth = {.lambda = 1000, .sigma = 0.05, .kappa = 0.002};
  int held = 0;
  scene_seed = 7;
  for (int round = 0; round < 20; round++) {
    double n[3 * SIZES], x[3 * SIZES];
    sc_usl usl;
    sc_usl_intervals i;
    for (size_t k = 0; k < 3 * SIZES; k++) {
      n[k] = sizes[k / 3];
      x[k] = sc_usl_at(&truth, n[k]) * scene_noise(0.05);
    }
    assert_int_equal(sc_usl_fit(n, x, 3 * SIZES, &usl), 0);
    assert_int_equal(sc_usl_bootstrap(&usl, n, x, 3 * SIZES, 0.95, &i), 0);
    assert_true(i.sigma.low <= i.sigma.value && i.sigma.value <= i.sigma.high && i.kappa.low >= 0);
    held += i.peak.low <= sc_usl_peak(&truth) && sc_usl_peak(&truth) <= i.peak.high;
  }
  assert_true(held >= 16);
}

TEST(bad_numbers_are_refused)
{
  sc_usl usl;
  double zero[] = {1, 0, 1, 1}, small[] = {0.5, 2, 3, 4}, bad[] = {1, NAN, 1, 1}, n[] = {1, 2, 3, 4},
         x[] = {1, 2, 3, 4};
  assert_int_equal(sc_usl_fit(n, zero, 4, &usl), SC_E_INPUT);
  assert_int_equal(sc_usl_fit(small, x, 4, &usl), SC_E_INPUT);
  assert_int_equal(sc_usl_fit(n, bad, 4, &usl), SC_E_INPUT);
  assert_int_equal(sc_usl_fit(n, x, 2, &usl), SC_E_INPUT);
}

/* n threads answer 10 n requests; `serve` calls `lookup`, which is a task too, but part of it. */
static sc_graph *server(size_t count, bool timed)
{
  sc_usl truth = {.lambda = 500, .sigma = 0.1, .kappa = 0.004};
  sc_graph *graph = scene_new(sizes, count, "");
  uint32_t main = scene_main(graph),
           serve =
               scene_context(graph, main, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "serve", .file = ""});
  uint32_t lookup =
      scene_context(graph, serve, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "lookup", .file = ""});
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(sc_graph_add(graph, i, serve, SC_METRIC_COUNT, 10 * sizes[i]), 0);
    assert_int_equal(sc_graph_add(graph, i, lookup, SC_METRIC_COUNT, 70 * sizes[i]), 0);
    if (timed)
      sc_graph_run(graph, i)->wall_seconds = 10 * sizes[i] / sc_usl_at(&truth, sizes[i]);
  }
  return graph;
}

static const sc_scalability *scale(const sc_graph *graph, enum sc_parameter_kind kind, sc_analysis **a,
                                   sc_resources **r)
{
  static const char *tasks[] = {"serve", "lookup"};
  sc_resource_options options = {.kind = kind, .tasks = tasks, .task_count = 2};
  *a = scene_analyse(graph, (double[]){64}, 1);
  assert_int_equal(sc_resources_new(*a, &options, r), 0);
  return sc_resources_scalability(*r);
}

TEST(requests_are_the_work_of_a_server)
{
  sc_analysis *a;
  sc_resources *r;
  sc_graph *graph = server(SIZES, true);
  const sc_scalability *s = scale(graph, SC_PARAMETER_THREADS, &a, &r);
  assert_true(s->known);
  assert_int_equal(s->count, SIZES);
  near_to(s->lambda.value, 500, 1e-4);
  near_to(s->sigma.value, 0.1, 1e-3);
  near_to(s->kappa.value, 0.004, 1e-3);
  near_to(s->peak.value, sqrt(0.9 / 0.004), 1e-3);
  scene_drop(graph, a, r);
}

TEST(what_cannot_be_told_says_why)
{
  static const struct {
    size_t count;
    bool timed;
    enum sc_parameter_kind kind;
  } cases[] = {{3, true, SC_PARAMETER_THREADS}, {SIZES, false, SC_PARAMETER_CLIENTS}, {SIZES, true, SC_PARAMETER_DATA}};
  for (size_t i = 0; i < 3; i++) {
    sc_analysis *a;
    sc_resources *r;
    sc_graph *graph = server(cases[i].count, cases[i].timed);
    const sc_scalability *s = scale(graph, cases[i].kind, &a, &r);
    assert_false(s->known);
    assert_true(s->why && *s->why);
    scene_drop(graph, a, r);
  }
}

/* Of many fits to resampled throughputs the middle ones: half of them, or all but a twentieth, lie as far from their
 * middle as 0.67 and 1.96 standard deviations. */
TEST(the_level_sets_the_width)
{
  sc_usl truth = {.lambda = 1000, .sigma = 0.2, .kappa = 0.02}, usl;
  sc_usl_intervals half, most, all;
  double n[5 * SIZES], x[5 * SIZES];
  scene_seed = 3;
  for (size_t k = 0; k < 5 * SIZES; k++) {
    n[k] = sizes[k / 5];
    x[k] = sc_usl_at(&truth, n[k]) * scene_noise(0.03);
  }
  assert_int_equal(sc_usl_fit(n, x, 5 * SIZES, &usl), 0);
  assert_int_equal(sc_usl_bootstrap(&usl, n, x, 5 * SIZES, 0.5, &half), 0);
  assert_int_equal(sc_usl_bootstrap(&usl, n, x, 5 * SIZES, 0.95, &most), 0);
  assert_int_equal(sc_usl_bootstrap(&usl, n, x, 5 * SIZES, 0.9999, &all), 0);
  const sc_interval *lists[] = {&half.lambda, &most.lambda, &all.lambda, &half.sigma, &most.sigma, &all.sigma,
                                &half.kappa,  &most.kappa,  &all.kappa,  &half.peak,  &most.peak,  &all.peak};
  for (size_t i = 0; i < 12; i += 3) {
    double narrow = lists[i]->high - lists[i]->low, wide = lists[i + 1]->high - lists[i + 1]->low;
    near_to(wide / narrow, 1.96 / 0.674, 0.25);
    assert_true(lists[i + 2]->low < lists[i + 1]->low && lists[i + 2]->high > lists[i + 1]->high);
  }
  near_to(half.lambda.value, usl.lambda, 1e-12);
  near_to(half.sigma.value, usl.sigma, 1e-12);
  near_to(half.kappa.value, usl.kappa, 1e-12);
  near_to(half.peak.value, sc_usl_peak(&usl), 1e-12);
  near_to(half.peak_throughput.value, sc_usl_peak_throughput(&usl), 1e-12);
}

/* Throughputs that lie on the curve leave nothing to resample. */
TEST(a_law_that_holds_has_no_width)
{
  sc_usl truth = {.lambda = 1000, .sigma = 0.2, .kappa = 0.02}, usl;
  sc_usl_intervals i;
  double x[SIZES];
  for (size_t k = 0; k < SIZES; k++)
    x[k] = sc_usl_at(&truth, sizes[k]);
  assert_int_equal(sc_usl_fit(sizes, x, SIZES, &usl), 0);
  assert_int_equal(sc_usl_bootstrap(&usl, sizes, x, SIZES, 0.95, &i), 0);
  near_to(i.lambda.low, 1000, 1e-6);
  near_to(i.lambda.high, 1000, 1e-6);
  near_to(i.sigma.low, 0.2, 1e-5);
  near_to(i.kappa.high, 0.02, 1e-5);
  near_to(i.peak.low, sqrt(0.8 / 0.02), 1e-5);
  near_to(i.peak_throughput.high, sc_usl_at(&truth, sqrt(0.8 / 0.02)), 1e-6);
}

static double squares_of(const sc_usl *u, const double *n, const double *x, size_t count)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += pow(u->lambda * n[i] / (1 + u->sigma * (n[i] - 1) + u->kappa * n[i] * (n[i] - 1)) / x[i] - 1, 2);
  return sum;
}

/* No law nearby misses the throughputs by less, whichever of its numbers is changed, one or two at a time. */
TEST(the_fit_misses_by_least)
{
  static const sc_usl truths[] = {{1000, 0.05, 0.001, 0}, {1000, 0.3, 0.02, 0}, {1e-3, 0, 0.02, 0}, {42, 0.5, 0, 0}};
  static const double off[] = {-1e-3, 0, 1e-3};
  for (unsigned round = 0; round < 40; round++) {
    double x[SIZES], error = 0;
    sc_usl u;
    scene_seed = round + 1;
    for (size_t i = 0; i < SIZES; i++)
      x[i] = sc_usl_at(&truths[round % 4], sizes[i]) * scene_noise(0.1);
    assert_int_equal(sc_usl_fit(sizes, x, SIZES, &u), 0);
    double least = squares_of(&u, sizes, x, SIZES);
    for (size_t i = 0; i < 27; i++) {
      sc_usl v = {u.lambda * (1 + off[i % 3]), fmax(0, u.sigma + 0.1 * off[i / 3 % 3]),
                  fmax(0, u.kappa + 0.01 * off[i / 9]), 0};
      assert_true(squares_of(&v, sizes, x, SIZES) >= least * (1 - 1e-9));
    }
    for (size_t i = 0; i < SIZES; i++)
      error += fabs(sc_usl_at(&u, sizes[i]) / x[i] - 1) / SIZES;
    near_to(u.error, error, 1e-12);
  }
}

TEST(three_points_from_one_thread_on_are_enough)
{
  static const double n[] = {1, 2, 4}, zero[] = {0, 2, 4};
  double x[3], far[] = {1, 2, INFINITY};
  sc_usl usl, truth = {.lambda = 7, .sigma = 0.1, .kappa = 0.02};
  for (size_t i = 0; i < 3; i++)
    x[i] = sc_usl_at(&truth, n[i]);
  assert_int_equal(sc_usl_fit(n, x, 3, &usl), 0);
  near_to(usl.lambda, 7, 1e-6);
  near_to(usl.sigma, 0.1, 1e-5);
  near_to(usl.kappa, 0.02, 1e-5);
  assert_int_equal(sc_usl_fit(zero, x, 3, &usl), SC_E_INPUT);
  assert_int_equal(sc_usl_fit(far, x, 3, &usl), SC_E_INPUT);
  assert_int_equal(sc_usl_fit(n, far, 3, &usl), SC_E_INPUT);
}

/* At a share of 1 that is serial one thread does as much as any number; what is next to nothing is nothing. */
TEST(laws_at_their_edges)
{
  sc_usl serial = {.lambda = 5, .sigma = 1, .kappa = 0.5}, slight = {.lambda = 5, .sigma = 0.5, .kappa = 1e-9};
  assert_true(sc_usl_peak(&serial) == 1 && sc_usl_peak_throughput(&serial) == 5);
  serial.kappa = 0;
  assert_true(isinf(sc_usl_peak(&serial)) && sc_usl_peak_throughput(&serial) == 5);
  slight.kappa = 0;
  near_to(sc_usl_peak_throughput(&slight), 10, 1e-12);
  slight = (sc_usl){.lambda = 5, .sigma = 0.75, .kappa = 1}; /* would be at half a thread */
  assert_true(sc_usl_peak(&slight) == 1 && sc_usl_peak_throughput(&slight) == 5);
}

/* At the minimum residuals are at right angles to what each free parameter changes: closer than differences would get.
 */
TEST(residuals_are_at_right_angles_to_the_parameters)
{
  static const double off[][SIZES] = {{1.01, 0.98, 1.02, 0.99, 1.01, 0.995}, {0.9, 1.1, 1.05, 0.97, 0.92, 1.06}};
  static const sc_usl truths[] = {{1000, 0.05, 0.001, 0}, {2e-3, 0.2, 0.004, 0}, {5, 0.3, 0, 0}, {7e5, 0, 0.02, 0}};
  for (size_t t = 0; t < COUNT(truths); t++)
    for (size_t k = 0; k < COUNT(off); k++) {
      double x[SIZES], along[3] = {0}, own[3] = {0}, left = 0;
      sc_usl usl;
      for (size_t i = 0; i < SIZES; i++)
        x[i] = sc_usl_at(&truths[t], sizes[i]) * off[k][i];
      assert_int_equal(sc_usl_fit(sizes, x, SIZES, &usl), 0);
      for (size_t i = 0; i < SIZES; i++) {
        double n = sizes[i], at = sc_usl_at(&usl, n), below = usl.lambda * n / at, off_by = at / x[i] - 1;
        const double by[3] = {at / usl.lambda / x[i], -at * (n - 1) / below / x[i], -at * n * (n - 1) / below / x[i]};
        left += off_by * off_by;
        for (size_t p = 0; p < 3; p++) {
          along[p] += off_by * by[p];
          own[p] += by[p] * by[p];
        }
      }
      const bool is_free[] = {true, usl.sigma > 0, usl.kappa > 0};
      for (size_t p = 0; p < 3; p++) {
        double cosine = along[p] / sqrt(left * own[p]);
        if (is_free[p] ? !(fabs(cosine) < 1e-8) : cosine < -1e-8) /* at a bound it would go beyond */
          fail_msg("case %zu, %zu: parameter %zu is off by %g", t, k, p, cosine);
      }
    }
}
