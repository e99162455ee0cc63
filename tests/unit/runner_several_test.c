/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study of three parameters whose truth is known, asked about points far beyond what was measured. */
#include "unit.h"

#include "runner/several/several.h"

#include <math.h>
#include <stdlib.h>

#include "runner/several/internal.h"
#include "runner/several/open.h"
#include "study_scene.h"
#include "transitions/model/predict.h"
#include "transitions/model/time_growth.h"

static const char workload[] =
    "<workload name=\"w\"><parameter name=\"n\"><range low=\"100\" high=\"1600\"/></parameter>"
    "<parameter name=\"t\"><sizes>1 2 3 4 8</sizes></parameter><parameter name=\"m\" base=\"4\"><sizes>2 4 8 16 "
    "32</sizes>"
    "</parameter><command><arg>p</arg><arg>{n}{t}{m}</arg></command></workload>";

static const char two_parameters[] =
    "<workload name=\"w\"><parameter name=\"n\"><range low=\"100\" high=\"1600\"/></parameter>"
    "<parameter name=\"t\"><sizes>1 2 4 "
    "8</sizes></parameter><command><arg>p</arg><arg>{n}{t}</arg></command></workload>";

typedef struct fixture {
  char path[TEMPORARY_PATH];
  sc_study *study;
  sc_graph *graph;
  uint32_t top, product, sum, absent;
  void (*times)(double count, double n, double t, double m, sc_run *run); /* NULL: none */
} fixture;

/* One processor; 2 ms of waiting for each of 3 n + 5 m, t of them at a time. */
static void waits_together(double count, double n, double t, double m, sc_run *run)
{
  run->user_seconds = 1e-6 * count;
  run->has_waits = true;
  run->waits[SC_WAIT_IO] = 1e-3 + 2e-3 * (3 * n + 5 * m) / t;
  run->wall_seconds = run->user_seconds + run->waits[SC_WAIT_IO];
}

/* Half a millisecond more or less says nothing: 1 ns for each of at most 409,600 iterations. */
static void starts_scatter(double count, double n, double t, double m, sc_run *run)
{
  run->user_seconds = 1e-6 * count;
  run->has_waits = true;
  run->waits[SC_WAIT_IO] = 1e-3 + 1e-9 * n * t * m;
  run->wall_seconds = run->user_seconds + run->waits[SC_WAIT_IO];
}

/* As many processors as threads, up to four. */
static void runs_together(double count, double n, double t, double m, sc_run *run)
{
  run->user_seconds = 1e-4 * count;
  run->has_waits = true;
  run->wall_seconds = run->user_seconds / fmin(t, 4);
}

/* n t m iterations, 3 n + 5 m, and n (t - 1), none of them at the base; 1 us each. */
static void run(fixture *f, double n, double t, double m)
{
  size_t index;
  bool base = t == 1 && (m == 4 || m == 0);
  double all = 1 + n * t * (m > 0 ? m : 1) + 3 * n + 5 * m + n * (t - 1);
  sc_run made = {.n = n,
                 .role = base ? SC_RUN_TRAINING : SC_RUN_VARIED,
                 .others = {t, m},
                 .samples = 1000,
                 .cost_event = "task-clock"};
  const struct {
    uint32_t context;
    double count;
  } values[] = {{f->top, 1}, {f->product, n * t * (m > 0 ? m : 1)}, {f->sum, 3 * n + 5 * m}, {f->absent, n * (t - 1)}};
  if (f->times)
    f->times(all, n, t, m, &made);
  assert_int_equal(sc_graph_begin_run(f->graph, &made, &index), 0);
  for (size_t i = 0; i < 4; i++)
    if (values[i].count > 0) {
      assert_int_equal(sc_graph_add(f->graph, index, values[i].context, SC_METRIC_COUNT, values[i].count), 0);
      assert_int_equal(sc_graph_add(f->graph, index, values[i].context, SC_METRIC_COST, 1e-6 * values[i].count), 0);
    }
  unit_ok(sc_study_save_run(f->study, f->graph, index, NULL, 0));
}

static const double sizes[] = {100, 200, 400, 800, 1600};

static fixture *make(const char *of)
{
  fixture *f = calloc(1, sizeof *f);
  temporary_path(f->path);
  unlink(f->path);
  f->study = study_open(f->path, SC_STUDY_CREATE);
  assert_int_equal(sc_study_put(f->study, "workload", of), 0);
  assert_int_equal(sc_study_put(f->study, "machine", "a machine, 4 processors"), 0);
  assert_int_equal(sc_graph_new(&f->graph), 0);
  uint32_t process = study_context(f->graph, 0, &(sc_location){.kind = SC_LOCATION_PROCESS, .name = "p"});
  f->top = study_context(f->graph, process, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "main"});
  uint32_t *const loops[] = {&f->product, &f->sum, &f->absent};
  for (uint32_t i = 0; i < 3; i++)
    *loops[i] = study_context(f->graph, f->top,
                              &(sc_location){.kind = SC_LOCATION_LOOP, .name = "main", .file = "p.c", .line = 10 + i});
  return f;
}

static void run_all(fixture *f)
{
  static const double ts[] = {2, 3, 4, 8}, ms[] = {2, 8, 16, 32};
  for (size_t i = 0; i < 5; i++)
    run(f, sizes[i], 1, 4);
  for (size_t i = 0; i < 5; i += 2) { /* as drives do */
    for (size_t v = 0; v < 4; v++)
      run(f, sizes[i], ts[v], 4);
    for (size_t v = 0; v < 4; v++)
      run(f, sizes[i], 1, ms[v]);
    run(f, sizes[i], 8, 32);
  }
  run(f, 100, 3, 32);
  run(f, 100, 8, 8);
}

static int set_up(void **state)
{
  fixture *f = *state = make(workload);
  run_all(f);
  return 0;
}

static int set_up_waiting(void **state)
{
  fixture *f = *state = make(workload);
  f->times = waits_together;
  run_all(f);
  return 0;
}

static int set_up_scattering(void **state)
{
  fixture *f = *state = make(workload);
  f->times = starts_scatter;
  run_all(f);
  return 0;
}

static int set_up_parallel(void **state)
{
  static const double ts[] = {2, 4, 8};
  fixture *f = *state = make(two_parameters);
  f->times = runs_together;
  for (size_t i = 0; i < 5; i++)
    run(f, sizes[i], 1, 0);
  for (size_t i = 0; i < 5; i += 2)
    for (size_t v = 0; v < 3; v++)
      run(f, sizes[i], ts[v], 0);
  return 0;
}

static int tear_down(void **state)
{
  fixture *f = *state;
  sc_graph_free(f->graph);
  sc_study_close(f->study);
  unlink(f->path);
  free(f);
  return 0;
}

static void open_study(const fixture *f, const char *at, sc_judge *judge, sc_several **several)
{
  const sc_options options = {.verb = SC_VERB_ASK, .operand = f->path, .at = (char *)at};
  sc_options base = options;
  base.at = NULL;
  assert_int_equal(sc_several_asked(&options), 1);
  unit_ok(sc_judge_open(&base, judge));
  unit_ok(sc_several_new(judge, several));
}

static const sc_rank_row *row_of(const sc_several_answer *answer, uint32_t context)
{
  for (size_t i = 0; i < answer->row_count; i++)
    if (answer->rows[i].context == context)
      return &answer->rows[i];
  fail_msg("context %u is not in the answer", context);
  return NULL;
}

static void expect_exact(const sc_interval *interval, double value)
{
  if (interval->value != value || interval->low != value || interval->high != value)
    fail_msg("%.17g (%.17g to %.17g) instead of %.17g", interval->value, interval->low, interval->high, value);
}

TEST_OF(fixture *f, counts_are_exact_in_three_parameters)
{
  sc_judge judge;
  sc_several *several;
  sc_several_point *points;
  sc_several_answer answer;
  size_t count;
  open_study(f, "n=1e6,t=64,m=10x", &judge, &several);
  assert_int_equal(sc_several_points(several, "n=1e6,t=64,m=10x", &points, &count), 0);
  assert_int_equal(count, 1);
  assert_true(points[0].at[0] == 1e6 && points[0].at[1] == 64 && points[0].at[2] == 320);
  assert_int_equal(sc_several_predict(several, &points[0], &answer), 0);
  expect_exact(&row_of(&answer, f->product)->count, 1e6 * 64 * 320);
  expect_exact(&row_of(&answer, f->sum)->count, 3e6 + 5 * 320);
  expect_exact(&row_of(&answer, f->absent)->count, 63e6);
  expect_exact(&answer.executions, 1e6 * 64 * 320 + 3e6 + 1600 + 63e6 + 1);
  assert_true(answer.beyond[0] == 625 && answer.beyond[1] == 8 && answer.beyond[2] == 10);
  assert_true(answer.beyond_varied == 625 && answer.untold == 0);
  assert_true(answer.costs && answer.cost.low <= 20546 && answer.cost.high >= 20546);
  assert_true(answer.cost.value > 0.99 * 20546.0016 && answer.cost.value < 1.01 * 20546.0016);
  assert_true(answer.checked > 0.99 && answer.checked < 1.01);
  sc_several_answer_free(&answer);
  free(points);
  sc_several_free(several);
  sc_judge_close(&judge);
}

/* Judged elsewhere, a study has the models of that place, and predicts what the models of all parameters do. */
TEST_OF(fixture *f, a_judge_moves)
{
  sc_judge judge, moved;
  sc_several *several;
  sc_several_answer answer;
  sc_interval count, total;
  const sc_several_point point = {{1e6, 64, 320}};
  open_study(f, "n=1e6,t=64,m=320", &judge, &several);
  assert_int_equal(sc_several_move(several, point.at + 1, &moved), 0);
  const sc_analysis *analysis = moved.loaded.analysis;
  assert_int_equal(sc_several_predict(several, &point, &answer), 0);
  assert_int_equal(sc_analysis_total(analysis, 1e6, &total), 0);
  if (fabs(total.value - answer.cost.value) > 1e-3 * answer.cost.value)
    fail_msg("%g instead of %g", total.value, answer.cost.value);
  assert_true(total.low <= 20546 && total.high >= 20546);
  const uint32_t contexts[] = {f->product, f->sum, f->absent};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(sc_analysis_count(analysis, contexts[i], 1e6, &count), 0);
    expect_exact(&count, row_of(&answer, contexts[i])->count.value);
  }
  assert_true(sc_several_beyond(several, moved.others) == 10);
  sc_several_answer_free(&answer);
  sc_several_leave(&moved);
  sc_several_free(several);
  sc_judge_close(&judge);
}

/* A loop that hides in what a process pays to start, by which nobody knows whether an execution costs the same. */
static void is_short(double count, double n, double t, double m, sc_run *run)
{
  (void)n, (void)t, (void)m;
  run->user_seconds = run->wall_seconds = 0.1 + 1e-6 * count;
}

static int set_up_short(void **state)
{
  fixture *f = *state = make(workload);
  f->times = is_short;
  run_all(f);
  return 0;
}

/* That is not known at other values either. */
TEST_WITH(time_that_is_open_is_open_elsewhere, set_up_short, tear_down)
{
  static const double places[][2] = {{1, 4}, {2, 4}, {1, 8}};
  sc_judge judge, moved;
  sc_several *several;
  double factors[3];
  open_study(*state, "n=32000,t=2,m=4", &judge, &several);
  for (size_t i = 0; i < 3; i++) {
    sc_interval total, steady;
    assert_int_equal(sc_several_place(several, places[i], &moved), 0);
    const sc_analysis *a = moved.loaded.analysis;
    assert_int_equal(sc_analysis_time_growth(a).state, SC_TIME_UNCHECKED);
    assert_int_equal(sc_analysis_total(a, 32000, &total), 0);
    assert_int_equal(sc_predict_steady_total(a, 32000, &steady), 0);
    factors[i] = total.high / steady.high;
    sc_several_leave(&moved);
  }
  if (!(factors[0] > 2 && fabs(log(factors[1] / factors[0])) < 0.5 && fabs(log(factors[2] / factors[0])) < 0.5))
    fail_msg("wider by %g, elsewhere by %g and %g", factors[0], factors[1], factors[2]);
  sc_several_free(several);
  sc_judge_close(&judge);
}

/* Judges at several places share what was loaded where the sizes are the same, and say what each says alone. */
TEST_OF(fixture *f, judges_share_what_was_loaded)
{
  static const char *const places[] = {"n=1e6,t=64,m=320", "n=1e6,t=8,m=4", "n=1e6", "n=2e6,t=8,m=4"};
  sc_judge together[4], alone;
  sc_judge_cache cache = {0};
  for (size_t i = 0; i < 4; i++) {
    const sc_options options = {.verb = SC_VERB_REPORT, .operand = f->path, .at = (char *)places[i]};
    sc_interval total, expected;
    double n = i < 3 ? 1e6 : 2e6;
    assert_int_equal(sc_judge_open_in(&cache, &options, &together[i]), 0);
    assert_int_equal(sc_judge_open(&options, &alone), 0);
    assert_int_equal(sc_analysis_total(together[i].loaded.analysis, n, &total), 0);
    assert_int_equal(sc_analysis_total(alone.loaded.analysis, n, &expected), 0);
    assert_memory_equal(&total, &expected, sizeof total);
    assert_int_equal(together[i].findings.count, alone.findings.count);
    sc_judge_close(&alone);
  }
  assert_int_equal(cache.count, 2);
  assert_ptr_equal(together[0].loaded.graph, together[1].loaded.graph);
  assert_ptr_equal(together[0].several, together[1].several);
  assert_ptr_equal(together[0].loaded.graph, together[2].loaded.graph);
  assert_null(together[2].several);
  assert_ptr_not_equal(together[0].loaded.graph, together[3].loaded.graph);
  sc_judge_close(&together[1]);
  sc_judge_cache_free(&cache); /* what is open stays */
  assert_true(sc_graph_run_count(together[0].loaded.graph) > 0);
  sc_judge_close(&together[0]);
  sc_judge_close(&together[2]);
  sc_judge_close(&together[3]);
}

TEST_OF(fixture *f, what_is_left_out_is_at_its_base)
{
  sc_judge judge;
  sc_several *several;
  sc_several_point *points;
  size_t count;
  open_study(f, "t=2,n=5", &judge, &several);
  assert_int_equal(sc_several_points(several, "t=2,3,n=5,1e3;n=7", &points, &count), 0);
  static const double expected[][3] = {{5, 2, 4}, {5, 3, 4}, {1000, 2, 4}, {1000, 3, 4}, {7, 1, 4}};
  assert_int_equal(count, 5);
  for (size_t i = 0; i < 5; i++)
    assert_memory_equal(points[i].at, expected[i], sizeof expected[i]);
  free(points);
  /* Without a size of the focused parameter at ten times the largest one, of a study without targets. */
  assert_int_equal(sc_several_points(several, "t=2,3", &points, &count), 0);
  static const double targets[][3] = {{16000, 2, 4}, {16000, 3, 4}};
  assert_int_equal(count, 2);
  for (size_t i = 0; i < 2; i++)
    assert_memory_equal(points[i].at, targets[i], sizeof targets[i]);
  free(points);
  static const char *const bad[] = {"n=1,q=2", "n=0,t=1", "n=1,t=x", "n=1,n=2,t=3", "5,t=2"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (sc_several_points(several, bad[i], &points, &count) != SC_E_USAGE || points || !*sc_err_hint_text())
      fail_msg("%s was taken: %s", bad[i], sc_err_message());
  sc_several_free(several);
  sc_judge_close(&judge);
}

TEST_OF(const fixture *f, one_parameter_is_asked_as_ever)
{
  static const char *const plain[] = {"1e6", "n=1e6", "q=5", "n=1,q=2", "10x", "="};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    const sc_options options = {.verb = SC_VERB_ASK, .operand = f->path, .at = (char *)plain[i]};
    assert_int_equal(sc_several_asked(&options), 0);
  }
}

static void predict_at(const fixture *f, const char *at, sc_several_answer *answer, sc_judge *judge,
                       sc_several **several)
{
  sc_several_point *points;
  size_t count;
  open_study(f, at, judge, several);
  assert_int_equal(sc_several_points(*several, at, &points, &count), 0);
  assert_int_equal(sc_several_predict(*several, &points[0], answer), 0);
  free(points);
}

static void close_all(sc_several_answer *answer, sc_judge *judge, sc_several *several)
{
  sc_several_answer_free(answer);
  sc_several_free(several);
  sc_judge_close(judge);
}

static void expect_about(const sc_interval *at, double truth, double off)
{
  if (!(fabs(at->value / truth - 1) < off && at->low < truth && at->high > truth && at->high < 4 * truth))
    fail_msg("%g (%g to %g) instead of %g", at->value, at->low, at->high, truth);
}

/* Requests under way at a time: what is waited for is divided among them. */
TEST_WITH(waiting_is_shared_among_workers, set_up_waiting, tear_down)
{
  sc_judge judge;
  sc_several *several;
  sc_several_answer a;
  predict_at(*state, "n=16000,t=64", &a, &judge, &several);
  assert_true(a.timed);
  double on = 1e-6 * (16000.0 * 64 * 4 + 3 * 16000 + 20 + 16000 * 63 + 1), waits = 2e-3 * (3 * 16000 + 20) / 64;
  expect_about(&a.elapsed, on + waits, 0.1);
  assert_true(fabs(a.parts.processor / on - 1) < 0.1 && fabs(a.parts.waits[SC_WAIT_IO] / waits - 1) < 0.1);
  assert_true(a.parts.measured && a.parts.waits[SC_WAIT_LOCK] == 0);
  close_all(&a, &judge, several);
  predict_at(*state, "n=16000,t=1", &a, &judge, &several); /* the study's own, at the base */
  sc_interval base;
  assert_int_equal(sc_analysis_elapsed(judge.loaded.analysis, 16000, &base), 0);
  assert_memory_equal(&a.elapsed, &base, sizeof base);
  close_all(&a, &judge, several);
}

TEST_WITH(waiting_that_does_not_show_does_not_grow, set_up_scattering, tear_down)
{
  sc_judge judge;
  sc_several *several;
  sc_several_answer a;
  predict_at(*state, "n=16000,t=64", &a, &judge, &several);
  assert_true(a.timed);
  assert_true(a.parts.waits[SC_WAIT_IO] >= 1e-3 && a.parts.waits[SC_WAIT_IO] < 1.5e-3); /* not 5 ms */
  close_all(&a, &judge, several);
}

/* More threads than the machine has processors bring nothing: as measured at 8, so at 64. */
TEST_WITH(no_more_runs_at_once_than_there_are_processors, set_up_parallel, tear_down)
{
  sc_judge judge;
  sc_several *several;
  sc_several_answer a;
  predict_at(*state, "n=16000,t=64", &a, &judge, &several);
  assert_true(a.timed);
  expect_about(&a.elapsed, a.cost.value / 4, 0.05);
  close_all(&a, &judge, several);
  predict_at(*state, "n=16000,t=2", &a, &judge, &several);
  expect_about(&a.elapsed, a.cost.value / 2, 0.05);
  close_all(&a, &judge, several);
}

/* Left before anything was measured. */
TEST(studies_without_a_workload)
{
  char path[TEMPORARY_PATH];
  sc_workload *none;
  temporary_path(path);
  unlink(path);
  sc_study_close(study_open(path, SC_STUDY_CREATE));
  assert_int_equal(sc_several_workload(path, &none), SC_E_TOOLITTLE);
  assert_null(none);
  assert_non_null(strstr(sc_err_message(), "holds no workload"));
  unlink(path);
}
