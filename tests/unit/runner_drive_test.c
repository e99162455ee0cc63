/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/drive/drive.h"
#include "runner/loaded/load.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "drive_target.h"
#include "runner/process/scratch.h"
#include "study_scene.h"

static char self[4096];

struct fixture {
  char *directory, *study;
  sc_workload *workload;
  sc_drive_options options;
  size_t begun, ended, resumed, warnings, fitted, skipped;
  double largest;      /* size that was begun */
  double skipped_size; /* the first */
  size_t skipped_but_run;
  sc_plan_state plan; /* as it was told last */
  double first_width; /* the total's, by the first sizes */
  double sizes[100];  /* those begun, in their order */
  char why[200];      /* of the last size */
  char warning[2000], hint[1000], stop[400];
  volatile int interrupted;
  size_t budget_after; /* number of runs after which the budget is used up; 0: as in the options */
  size_t interrupt_at; /* number of the run that is interrupted while it begins */
};

static void listen(void *user, const sc_drive_event *event)
{
  struct fixture *f = user;
  f->begun += event->kind == SC_DRIVE_RUN_BEGIN;
  f->ended += event->kind == SC_DRIVE_RUN_END;
  f->fitted += event->kind == SC_DRIVE_FITTED;
  if (event->kind == SC_DRIVE_SKIPPED && f->skipped++ == 0)
    f->skipped_size = event->n;
  f->skipped_but_run += event->kind == SC_DRIVE_RUN_BEGIN && f->skipped && event->n == f->skipped_size;
  if (event->kind == SC_DRIVE_RUN_BEGIN && event->n > f->largest)
    f->largest = event->n;
  if (event->kind == SC_DRIVE_RUN_BEGIN && f->begun <= 100)
    f->sizes[f->begun - 1] = event->n;
  if (event->kind == SC_DRIVE_RUN_BEGIN)
    snprintf(f->why, sizeof f->why, "%s", event->why);
  if (event->kind == SC_DRIVE_STOPPED)
    snprintf(f->stop, sizeof f->stop, "%s", event->text);
  if (event->planned)
    f->plan = event->plan;
  if (event->kind == SC_DRIVE_FITTED && f->fitted == 1)
    f->first_width = event->plan.width;
  if (event->kind == SC_DRIVE_RESUMED)
    f->resumed = event->run_number;
  if (event->kind == SC_DRIVE_WARNING) {
    f->warnings++;
    snprintf(f->warning, sizeof f->warning, "%s", event->text);
    snprintf(f->hint, sizeof f->hint, "%s", event->hint);
  }
  if (event->kind == SC_DRIVE_RUN_BEGIN && f->begun == f->interrupt_at)
    f->interrupted = 1;
  if (event->kind == SC_DRIVE_RUN_END && f->ended == f->budget_after)
    f->options.budget_seconds = 1e-9;
}

static int set_up(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  if (!f || sc_scratch_make(NULL, &f->directory, NULL) < 0 || asprintf(&f->study, "%s/scale.db", f->directory) < 0)
    return -1;
  f->options = (sc_drive_options){.study_path = f->study,
                                  .fit = SC_FIT_OPTIONS_DEFAULT,
                                  .event = "none",
                                  .scratch = f->directory,
                                  .interrupted = &f->interrupted,
                                  .report = listen,
                                  .user = f};
  *state = f;
  return 0;
}

static int tear_down(void **state)
{
  struct fixture *f = *state;
  sc_workload_free(f->workload);
  sc_scratch_remove(f->directory);
  free(f->directory);
  free(f->study);
  free(f);
  return 0;
}

static void use(struct fixture *f, const char *mode, const char *more)
{
  char text[6000];
  snprintf(
      text, sizeof text,
      "<workload name=\"w\"><parameter name=\"n\"><range low=\"100\" high=\"800\"/><validation "
      "count=\"2\"/></parameter>"
      "%s<command timeout=\"20s\"><arg>%s</arg><arg>--target</arg><arg>%s</arg><arg>{n}</arg></command></workload>",
      more, self, mode);
  sc_workload_free(f->workload);
  f->workload = NULL;
  unit_ok(sc_workload_parse(text, "test", &f->workload));
}

static int drive(struct fixture *f)
{
  f->begun = f->ended = f->resumed = f->warnings = f->fitted = f->skipped = 0;
  f->largest = f->skipped_size = 0;
  f->skipped_but_run = 0;
  f->interrupted = 0;
  return sc_drive_study(f->workload, &f->options);
}

static void expect_success(struct fixture *f)
{
  int err = drive(f);
  if (err < 0)
    fail_msg("%s: %s (%s)", sc_err_sentence(err), sc_err_message(), sc_err_hint_text());
}

static void expect_error(struct fixture *f, int code, const char *words)
{
  int err = drive(f);
  if (err != code || !strstr(sc_err_message(), words) || !*sc_err_hint_text())
    fail_msg("%d: \"%s\" (hint: \"%s\"), expected %d with \"%s\"", err, sc_err_message(), sc_err_hint_text(), code,
             words);
}

static size_t stored_runs(const struct fixture *f)
{
  sc_graph *graph = study_load(f->study);
  size_t runs = sc_graph_run_count(graph);
  sc_graph_free(graph);
  return runs;
}

static uint32_t find_loop(const sc_graph *graph)
{
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++)
    if (sc_graph_at(graph, c)->kind == SC_LOCATION_LOOP && sc_graph_at(graph, c)->line == TARGET_LOOP)
      return c;
  fail_msg("no loop in the graph");
  return 0;
}

FIXTURE_TEST(test_study_and_models)
{
  const double target = 1e6;
  sc_loaded loaded;
  sc_interval at;
  use(f, "plain", "");
  expect_success(f);
  assert_int_equal(f->begun, f->ended);
  assert_int_equal(f->ended, 5 + 1 + 1); /* first sizes, the smallest twice, one beyond them */
  assert_true(f->largest == 1600);
  assert_non_null(strstr(f->stop, "target precision reached"));
  assert_true(f->fitted >= 1);
  assert_int_equal(f->warnings, 0);
  assert_int_equal(stored_runs(f), f->ended);
  assert_int_equal(sc_drive_verify(f->workload, &f->options, 5000, NULL), 0);
  assert_int_equal(sc_loaded_read(f->study, &f->options.fit, &target, 1, &loaded), 0);
  assert_int_equal(sc_graph_run_count(loaded.targets), 1);
  uint32_t loop = find_loop(loaded.graph);
  assert_true(sc_graph_value(loaded.targets, 0, loop, SC_METRIC_COUNT) == 5000.0 * 4999 / 2);
  assert_int_equal(sc_analysis_count(loaded.analysis, loop, target, &at), 0);
  assert_true(at.value > 0.999 * 5e11 && at.value < 1.001 * 5e11);
  assert_int_equal(sc_analysis_model(loaded.analysis, loop)->order.integer, 2);
  sc_loaded_free(&loaded);
}

FIXTURE_TEST(test_resume_runs_nothing_again)
{
  use(f, "plain", "");
  expect_success(f);
  size_t runs = f->ended;
  expect_success(f);
  assert_int_equal(f->begun, 0);
  assert_int_equal(f->resumed, runs);
  use(f, "plain", "<title>Other</title><repeats>2</repeats>"); /* more repeats: only what is missing is run */
  expect_success(f);
  assert_int_equal(f->resumed, runs);
  assert_true(f->ended > 0 && f->ended < runs);
}

FIXTURE_TEST(test_interruption_and_resume)
{
  use(f, "plain", "");
  f->interrupt_at = 4;
  expect_error(f, SC_E_INTERRUPTED, "interrupted");
  assert_int_equal(stored_runs(f), f->ended);
  f->interrupt_at = 0;
  size_t before = f->ended;
  expect_success(f);
  assert_int_equal(f->resumed, before);
  assert_int_equal(stored_runs(f), before + f->ended);
}

static void expect_sizes(const struct fixture *f, const double *sizes, size_t count)
{
  assert_true(f->begun >= count);
  for (size_t i = 0; i < count; i++)
    assert_true(f->sizes[i] == sizes[i]);
}

/* Repeats of the first sizes are not made one behind the other; an interrupted round goes on where it stopped. */
FIXTURE_TEST(test_rounds)
{
  static const double rounds[] = {100, 168, 283, 476, 800, 800, 476, 283, 168, 100, 100, 168, 283, 476, 800};
  static const double rest[] = {283, 168, 100, 100, 168, 283, 476, 800};
  use(f, "plain", "<repeats>3</repeats>");
  expect_success(f);
  expect_sizes(f, rounds, 15);
  assert_int_equal(f->ended, 15 + 3);
  assert_true(f->sizes[15] == 1600 && f->sizes[17] == 1600); /* chosen by what all of them measured */
  assert_int_equal(f->fitted, 2);
  f->options.restart = true;
  f->interrupt_at = 7;
  expect_error(f, SC_E_INTERRUPTED, "interrupted");
  size_t kept = stored_runs(f);
  assert_in_range(kept, 6, 7); /* the seventh may have ended before it was stopped */
  f->options.restart = false;
  f->interrupt_at = 0;
  expect_success(f);
  expect_sizes(f, kept == 6 ? rounds + 6 : rest, 8);
  assert_int_equal(kept + f->ended, 15 + 3);
}

/* A size that ran, and later is stopped, keeps what it has: no other size takes its place. */
FIXTURE_TEST(test_repeat_that_takes_too_long)
{
  char mark[4200];
  snprintf(mark, sizeof mark, "%s/mark", f->directory);
  setenv("SC_TEST_MARK", mark, 1);
  use(f, "sleep-again", "<repeats>3</repeats>");
  f->options.timeout_seconds = 12; /* on a busy machine start-ups alone can look as if 800 took 3 s */
  f->budget_after = 5 * 3 - 2;
  int err = drive(f);
  unsetenv("SC_TEST_MARK");
  assert_int_equal(err, 0);
  assert_int_equal(f->begun, 5 * 3 - 1);
  assert_int_equal(stored_runs(f), 5 * 3 - 2); /* 800 once */
  assert_int_equal(f->skipped, 0);
  assert_true(f->sizes[4] == 800 && f->sizes[5] == 800 && f->sizes[13] == 476);
}

FIXTURE_TEST(test_other_workload)
{
  use(f, "plain", "");
  expect_success(f);
  size_t runs = f->ended;
  use(f, "fork", "");
  expect_error(f, SC_E_MISMATCH, "another workload");
  assert_int_equal(stored_runs(f), runs);
  f->options.restart = true;
  expect_success(f);
  assert_int_equal(f->resumed, 0);
  char *old;
  assert_true(asprintf(&old, "%s.old", f->study) > 0);
  assert_int_equal(access(old, F_OK), 0);
  free(old);
}

FIXTURE_TEST(test_other_build)
{
  use(f, "plain", "");
  f->interrupt_at = 4;
  expect_error(f, SC_E_INTERRUPTED, "interrupted");
  f->interrupt_at = 0;
  size_t before = stored_runs(f);
  setenv("SC_TEST_BUILD", "\x12\x34", 1);
  expect_error(f, SC_E_MISMATCH, "another build of /usr/bin/demo");
  unsetenv("SC_TEST_BUILD");
  assert_int_equal(stored_runs(f), before);
}

/* A profile that was not begun is a loss of its run, not the end of the study. */
FIXTURE_TEST(test_unbegun_profile)
{
  use(f, "unbegun", "");
  f->options.restart = true;
  expect_success(f);
  assert_true(f->warnings > 0);
  sc_graph *graph = study_load(f->study);
  assert_true(sc_graph_run_count(graph) > 3);
  for (size_t i = 0; i < sc_graph_run_count(graph); i++)
    assert_int_equal(sc_graph_run_const(graph, i)->lost_processes, 1);
  sc_graph_free(graph);
}

FIXTURE_TEST(test_bad_programs)
{
  static const struct {
    const char *mode;
    int code;
    const char *words;
  } bad[] = {
      {"status", SC_E_TARGET, "cannot open the database"},
      {"crash", SC_E_TARGET, "signal 6"},
      {"none", SC_E_NOPROFILE, "wrote no profile"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    use(f, bad[i].mode, "");
    f->options.restart = true;
    expect_error(f, bad[i].code, bad[i].words);
    assert_int_equal(stored_runs(f), 0);
  }
}

/* One process of two left a profile that is cut: each run states the loss, and the study goes on. */
FIXTURE_TEST(test_damaged_profile_is_a_stated_loss)
{
  use(f, "damaged", "");
  expect_success(f);
  sc_graph *graph = study_load(f->study);
  assert_int_equal(sc_graph_run_count(graph), f->ended);
  for (uint32_t run = 0; run < sc_graph_run_count(graph); run++)
    assert_true(sc_graph_run(graph, run)->lost_bytes > 0);
  sc_graph_free(graph);
}

/* After a first run that failed, the mended command needs no --restart. */
FIXTURE_TEST(test_study_without_runs_is_free)
{
  use(f, "status", "");
  expect_error(f, SC_E_TARGET, "status 3");
  use(f, "plain", "");
  expect_success(f);
}

FIXTURE_TEST(test_timeout_keeps_what_was_measured)
{
  sc_loaded loaded;
  char text[6000];
  snprintf(text, sizeof text,
           "<workload name=\"w\"><parameter name=\"n\"><range low=\"100\" high=\"800\"/><first>100 200 400 "
           "800</first></parameter><command timeout=\"4s\"><arg>%s</arg><arg>--target</arg><arg>sleep-large</arg>"
           "<arg>{n}</arg></command></workload>",
           self);
  assert_int_equal(sc_workload_parse(text, "test", &f->workload), 0);
  expect_error(f, SC_E_TIMEOUT, "at n = 800");
  assert_int_equal(stored_runs(f), 4); /* 100 twice, 200, 400 */
  assert_int_equal(sc_loaded_read(f->study, &f->options.fit, NULL, 0, &loaded), 0);
  assert_int_equal(sc_analysis_model(loaded.analysis, find_loop(loaded.graph))->order.integer, 2);
  sc_loaded_free(&loaded);
}

/* At the user's own time-out the run is stopped and the study continues at smaller sizes; so it does when resumed. */
FIXTURE_TEST(test_stopped_run_gives_way)
{
  use(f, "sleep-large", "");
  f->options.timeout_seconds = 3;
  expect_success(f);
  assert_true(f->begun > f->ended && f->begun <= f->ended + 3); /* what ran too long is not tried size by size */
  assert_true(f->warnings >= 1);
  assert_non_null(strstr(f->hint, "--timeout"));
  size_t runs = stored_runs(f);
  assert_int_equal(runs, f->ended);
  expect_success(f);
  assert_int_equal(f->begun, 0);
  assert_int_equal(stored_runs(f), runs);
}

FIXTURE_TEST(test_steep_growth_is_seen_coming)
{
  char text[6000];
  snprintf(
      text, sizeof text,
      "<workload name=\"w\"><parameter name=\"n\"><range low=\"100\" high=\"800\"/></parameter><command><arg>%s</arg>"
      "<arg>--target</arg><arg>steep</arg><arg>{n}</arg></command></workload>",
      self);
  assert_int_equal(sc_workload_parse(text, "test", &f->workload), 0);
  expect_success(f);
  assert_true(f->skipped >= 1);
  assert_true(f->skipped_size > 283); /* first sizes are 100, 168, 283, 476, 800 */
  assert_int_equal(f->skipped_but_run, 0);
  assert_int_equal(f->begun, f->ended);
  expect_success(f);
  assert_int_equal(f->begun, 0);
  assert_int_equal(f->skipped, 0);
}

FIXTURE_TEST(test_targets_and_lists_end_the_sizes)
{
  char *argv[] = {self, "--target", "plain", "{n}", NULL};
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=100..800+", "900"}, argv, &f->workload), 0);
  expect_success(f);
  assert_true(f->largest > 800 && f->largest <= 900);
  sc_workload_free(f->workload);
  f->options.restart = true;
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=100..800", "900"}, argv, &f->workload), 0);
  expect_success(f);
  assert_true(f->largest == 800);
  sc_workload_free(f->workload);
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=100,200,400", "1e6"}, argv, &f->workload), 0);
  expect_success(f);
  assert_true(f->largest == 400);
}

static void use_further(struct fixture *f, const char *words)
{
  char *argv[] = {self, "--target", "plain", "{n}", "{t}", NULL};
  sc_workload_free(f->workload);
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){words, "900"}, argv, &f->workload), 0);
}

/* Runs of this role, checked: what a run counts is what its values say. */
static size_t count_varied(const struct fixture *f, enum sc_run_role role)
{
  sc_graph *graph = study_load(f->study);
  size_t count = 0;
  for (size_t r = 0; r < sc_graph_run_count(graph); r++) {
    const sc_run *run = sc_graph_run_const(graph, r);
    double expected = run->n * (run->n - 1) / 2 * run->others[0];
    assert_true(sc_graph_value(graph, r, find_loop(graph), SC_METRIC_COUNT) == expected);
    assert_true((run->others[0] == 2) == (run->role < SC_RUN_VARIED));
    count += run->role == role;
  }
  sc_graph_free(graph);
  return count;
}

/* Other values of a further parameter are run at the smallest, the middle and the largest of the first sizes; what is
 * studied at the base does not see them. Both after more values and after an interruption, the study resumes. */
FIXTURE_TEST(test_further_parameters)
{
  sc_loaded loaded;
  use_further(f, "n=100..800;t=2,1,4");
  f->interrupt_at = 9; /* the first sizes are 6 runs */
  assert_int_equal(drive(f), SC_E_INTERRUPTED);
  assert_int_equal(count_varied(f, SC_RUN_VARIED), 2);
  f->interrupt_at = 0;
  expect_success(f);
  assert_int_equal(count_varied(f, SC_RUN_VARIED), 6);
  size_t base = stored_runs(f) - 6;
  use_further(f, "n=100..800;t=2,1,4,8");
  expect_success(f);
  assert_int_equal(f->begun, 3);
  assert_true(f->largest == 800 && f->sizes[0] == 100 && f->sizes[1] > 200 && f->sizes[1] < 400);
  assert_string_equal(f->why, "t = 8");
  assert_int_equal(sc_drive_verify(f->workload, &f->options, 1000, (const double[]){16, 0}), 0);
  assert_int_equal(count_varied(f, SC_RUN_VARIED_TARGET), 1);
  assert_int_equal(count_varied(f, SC_RUN_TARGET), 0);
  assert_int_equal(sc_drive_verify(f->workload, &f->options, 1000, (const double[]){2, 0}), 0);
  assert_int_equal(count_varied(f, SC_RUN_TARGET), 1);
  assert_int_equal(sc_loaded_read(f->study, &f->options.fit, NULL, 0, &loaded), 0);
  assert_int_equal(sc_graph_run_count(loaded.graph), base);
  assert_int_equal(sc_graph_run_count(loaded.targets), 1);
  sc_loaded_free(&loaded);
  use_further(f, "n=100..800;t=1,2,4");
  expect_error(f, SC_E_MISMATCH, "another workload");
}

static size_t plain_at(const struct fixture *f, double n)
{
  sc_graph *graph = study_load(f->study);
  size_t count = 0;
  for (size_t r = 0; r < sc_graph_run_count(graph); r++) {
    const sc_run *run = sc_graph_run_const(graph, r);
    if (run->role != SC_RUN_PLAIN || run->n != n)
      continue;
    count++;
    assert_true(run->wall_seconds > 0 && !run->cost_event[0] && run->build[0]);
    for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
      assert_true(sc_graph_value(graph, r, c, SC_METRIC_COUNT) == 0);
  }
  sc_graph_free(graph);
  return count;
}

/* A few runs of another program beside those of the study: they are kept apart, made once, and again for a size that is
 * run for real. */
FIXTURE_TEST(test_plain_program)
{
  sc_loaded loaded;
  use(f, "plain", "");
  expect_success(f);
  size_t before = stored_runs(f);
  double largest = f->largest;
  f->options.plain = "/bin/true";
  expect_success(f);
  assert_int_equal(f->warnings, 0);
  assert_true(plain_at(f, largest) >= 3 && stored_runs(f) >= before + 6);
  before = stored_runs(f);
  expect_success(f);
  assert_int_equal(f->begun, 0);
  f->options.plain = NULL; /* the study knows it */
  assert_int_equal(sc_drive_verify(f->workload, &f->options, 6400, NULL), 0);
  assert_int_equal(plain_at(f, 6400), 1);
  assert_int_equal(sc_loaded_read(f->study, &f->options.fit, NULL, 0, &loaded), 0);
  assert_true(loaded.plain.runs >= 3 && loaded.plain.high == largest && loaded.plain.slowdown > 0);
  assert_int_equal(sc_graph_run_count(loaded.targets), 1);
  assert_int_equal(sc_graph_run_count(loaded.plains), stored_runs(f) - 1 - sc_graph_run_count(loaded.graph));
  sc_loaded_free(&loaded);
}

/* What is wrong with the plain program, is said before anything runs, or costs the study nothing. */
FIXTURE_TEST(test_plain_program_that_fails)
{
  use(f, "plain", "");
  f->options.plain = "/proc/self/exe/program";
  expect_error(f, SC_E_USAGE, "no such program");
  f->options.plain = "/bin/false";
  expect_success(f);
  double largest = f->largest;
  assert_int_equal(f->warnings, 1);
  assert_non_null(strstr(f->warning, "/bin/false could not be measured"));
  assert_true(stored_runs(f) > 5 && plain_at(f, largest) == 0);
  f->options.plain = self; /* it writes profiles, whatever it was built with */
  expect_success(f);
  assert_int_equal(f->warnings, 1);
  assert_non_null(strstr(f->warning, "it is instrumented"));
}

/* Of two, also both away from their bases. */
FIXTURE_TEST(test_two_further_parameters)
{
  char *argv[] = {self, "--target", "plain", "{n}", "{t}{m}", NULL};
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"n=100,200,400;t=1,2,3;m=1,2,4", NULL}, argv, &f->workload), 0);
  expect_success(f);
  sc_study *study;
  sc_graph *graph;
  size_t mixed = 0, varied = 0;
  assert_int_equal(sc_study_open(f->study, SC_STUDY_READ, &study), 0);
  assert_int_equal(sc_graph_new(&graph), 0);
  assert_int_equal(sc_study_load_roles(study, 1u << SC_RUN_VARIED, graph), 0);
  varied = sc_graph_run_count(graph);
  for (size_t r = 0; r < varied; r++)
    mixed += sc_graph_run_const(graph, r)->others[0] != 1 && sc_graph_run_const(graph, r)->others[1] != 1;
  assert_int_equal(varied, 2 * 2 * 3 + 5);
  assert_int_equal(mixed, 5);
  sc_graph_free(graph);
  sc_study_close(study);
}

FIXTURE_TEST(test_too_little)
{
  sc_loaded loaded;
  use(f, "large", "");
  expect_error(f, SC_E_TARGET, "status 4");
  assert_int_equal(sc_loaded_read(f->study, &f->options.fit, NULL, 0, &loaded), SC_E_TOOLITTLE);
  assert_true(*sc_err_hint_text() != '\0');
}

FIXTURE_TEST(test_unsteady_program)
{
  use(f, "unsteady", "");
  expect_success(f);
  assert_int_equal(f->warnings, 1);
  assert_non_null(strstr(f->warning, "from run to run"));
  assert_non_null(strstr(f->warning, "demo.c:3"));
  assert_non_null(strstr(f->hint, "hash seeds"));
  expect_success(f); /* nothing left to run, but still worth a warning */
  assert_int_equal(f->warnings, 1);
}

/* Less than a percent is no other behaviour. */
FIXTURE_TEST(test_nearly_steady_program)
{
  use(f, "nearly", "");
  expect_success(f);
  assert_int_equal(f->warnings, 0);
}

FIXTURE_TEST(test_forking_program)
{
  sc_loaded loaded;
  use(f, "fork", "");
  expect_success(f);
  assert_int_equal(sc_loaded_read(f->study, &f->options.fit, NULL, 0, &loaded), 0);
  const sc_run *run = sc_graph_run_const(loaded.graph, 0);
  assert_int_equal(run->processes, 2);
  assert_true(sc_graph_value(loaded.graph, 0, find_loop(loaded.graph), SC_METRIC_COUNT) ==
              run->n * (run->n - 1) / 2 + run->n);
  sc_loaded_free(&loaded);
}

static void set_target(struct fixture *f, double target)
{
  free(f->workload->targets);
  f->workload->targets = calloc(1, sizeof *f->workload->targets);
  f->workload->targets[0] = target;
  f->workload->target_count = 1;
}

FIXTURE_TEST(test_small_target)
{
  use(f, "plain", "");
  set_target(f, 50);
  expect_success(f);
  assert_int_equal(f->warnings, 1);
  assert_non_null(strstr(f->warning, "n = 50 is below the measured"));
}

FIXTURE_TEST(test_algorithm_1)
{
  use(f, "rough", "");
  f->options.refine = SC_DRIVE_REFINE_ALGORITHM;
  expect_success(f);
  assert_true(f->ended >= 5 + 1 + 2); /* first sizes, the smallest twice, random ones */
  assert_true(f->fitted >= 1);
  assert_non_null(strstr(f->stop, " models with an average error of "));
  assert_non_null(strstr(f->stop, " on validation runs, at first "));
  expect_success(f);
  assert_int_equal(f->begun, 0);
}

/* What no model meets exactly is measured at larger sizes, for the target's sake; when that has ended, the same options
 * have nothing left to do, and others decide anew. */
FIXTURE_TEST(test_sizes_for_the_target)
{
  use(f, "rough", "");
  set_target(f, 20000);
  f->options.precision = 0.001;
  expect_success(f);
  assert_true(f->plan.stop != SC_PLAN_RUNNING && f->plan.stop != SC_PLAN_ACCURATE);
  assert_true(f->plan.iteration >= 2 && f->plan.target == 20000);
  assert_true(f->plan.width > 0.001 && f->plan.width < f->first_width);
  assert_true(f->largest > 800 && f->largest < 20000);
  assert_non_null(strstr(f->why, "the total count at n = 20,000 from +-"));
  assert_int_equal(f->warnings, 0);
  size_t runs = f->ended;
  char stop[sizeof f->stop];
  memcpy(stop, f->stop, sizeof stop);
  expect_success(f);
  assert_int_equal(f->begun, 0);
  assert_int_equal(f->plan.iteration, 0);
  assert_true(strncmp(f->stop, stop, strlen(f->stop)) == 0);
  f->options.precision = 0.9;
  expect_success(f);
  assert_int_equal(f->resumed, runs);
  assert_int_equal(f->begun, 0);
  assert_int_equal(f->plan.stop, SC_PLAN_ACCURATE);
}

/* An interrupted plan measures nothing twice. (Sizes depend on times, too: two studies need not have the same.) */
FIXTURE_TEST(test_interrupted_plan_goes_on)
{
  use(f, "rough", "");
  set_target(f, 20000);
  f->options.precision = 0.001;
  f->interrupt_at = 7; /* the first that was chosen */
  expect_error(f, SC_E_INTERRUPTED, "interrupted");
  size_t kept = stored_runs(f);
  f->interrupt_at = 0;
  expect_success(f);
  assert_int_equal(f->resumed, kept);
  assert_true(f->begun >= 1 && f->plan.stop != SC_PLAN_RUNNING);
  for (size_t i = 0; i < f->begun; i++)
    assert_true(f->sizes[i] != 100 && f->sizes[i] != 800); /* the ends of the first sizes */
  assert_int_equal(stored_runs(f), kept + f->ended);
}

FIXTURE_TEST(test_budget)
{
  use(f, "rough", "");
  set_target(f, 20000);
  f->options.precision = 0.001;
  f->options.budget_seconds = 1000;
  f->budget_after = 6;
  expect_success(f);
  assert_int_equal(f->ended, 6); /* the first sizes, the smallest twice */
  assert_int_equal(f->plan.stop, SC_PLAN_BUDGET);
  assert_non_null(strstr(f->warning, "used up"));
  f->options.refine = SC_DRIVE_REFINE_ALGORITHM;
  expect_success(f);
  assert_int_equal(f->ended, 0);
  assert_non_null(strstr(f->warning, "used up"));
  f->options.refine = SC_DRIVE_REFINE_TARGET;
  f->budget_after = 0;
  f->options.budget_seconds = 100; /* more time goes on */
  expect_success(f);
  assert_true(f->ended >= 1);
}

/* Of whatever the study is at when the time is over: nothing further is begun, and what was left out is said. */
FIXTURE_TEST(test_budget_holds_everywhere)
{
  static const struct {
    size_t runs;
    const char *words;
  } cases[] = {{2, "left out: n = 283, 476, 800; 18 runs of further parameters"},
               {3, "left out: n = 476, 800; 18 runs"},
               {7, "8 repeats of first sizes; 18 runs of further parameters"},
               {17, "16 runs of further parameters"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    use_further(f, "n=100..800;t=2,1,4");
    f->workload->repeats = 3;
    f->options.restart = i > 0;
    f->options.budget_seconds = 1000;
    f->budget_after = cases[i].runs;
    expect_success(f);
    assert_int_equal(f->begun, cases[i].runs);
    assert_int_equal(f->ended, cases[i].runs);
    if (!strstr(f->warning, "used up") || !strstr(f->warning, cases[i].words))
      fail_msg("%s", f->warning);
  }
}

/* A run, or a step of one, that hangs is stopped when the time is over. */
FIXTURE_TEST(test_budget_cuts_a_run)
{
  static const char *const steps[] = {
      "", "<prepare><command><arg>sleep</arg><arg>60</arg></command></prepare>",
      "<setup><command><arg>sleep</arg><arg>60</arg></command></setup>",
      "<service><command><arg>sleep</arg><arg>60</arg></command><ready output=\"never\" timeout=\"50s\"/></service>",
      "<generate file=\"{dir}/empty\"><text repeat=\"1e12\"></text></generate>"};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    double start = sc_clock_now();
    use(f, *steps[i] ? "plain" : "sleep", steps[i]);
    f->options.restart = i > 0;
    f->options.budget_seconds = 1;
    expect_success(f);
    assert_int_equal(f->begun, 1);
    assert_int_equal(f->ended, 0);
    assert_non_null(strstr(f->warning, "left out: n = 100, 168"));
    assert_true(sc_clock_now() - start < 20); /* not the minute that it takes */
    assert_int_equal(stored_runs(f), 0);
  }
}

FIXTURE_TEST(test_setup_and_teardown)
{
  char more[2000];
  snprintf(more, sizeof more,
           "<setup><command stdout=\"%s/made\"><arg>echo</arg><arg>{n}</arg></command></setup>"
           "<prepare><command><arg>test</arg><arg>-s</arg><arg>%s/made</arg></command></prepare>"
           "<teardown><command><arg>rm</arg><arg>%s/made</arg></command></teardown>",
           f->directory, f->directory, f->directory);
  use(f, "plain", more);
  expect_success(f);
  snprintf(more, sizeof more, "%s/made", f->directory);
  assert_int_not_equal(access(more, F_OK), 0);
  use(f, "plain", "<setup><command><arg>false</arg></command></setup>");
  f->options.restart = true;
  expect_error(f, SC_E_WORKLOAD, "<setup>");
}

FIXTURE_TEST(test_foreign_study)
{
  unit_write_file(f->study,
                  "This is not a database, but a text of some length, so that it cannot be taken for an empty one.\n");
  use(f, "plain", "");
  expect_error(f, SC_E_DAMAGED, f->study);
}

int main(int argc, char **argv)
{
  if ((argc == 4 || argc == 5) && !strcmp(argv[1], "--target"))
    return target_main(argv[2], argv[3], argv[4]);
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    return 1;
  return unit_run(NULL, NULL);
}
