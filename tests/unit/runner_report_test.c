/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people read: a study whose truth is known, judged, and said in words. */
#include "unit.h"

#include "transitions_scene.h"

#include <stdlib.h>

#include "runner/report/elapsed.h"
#include "runner/report/json.h"
#include "runner/report/outcome.h"
#include "runner/report/text.h"
#include "runner/review/review.h"
#include "runner/several/open.h"
#include "runner/text/context.h"
#include "runner/text/text_options.h"
#include "runner/text/tuning.h"

typedef struct fixture {
  sc_judge judge;
  uint32_t inner;
} fixture;

static char *const program[] = {"./program", "{n}", NULL};

/* Processor time is what was sampled; so long each run waits for a processor, too. */
static void scene_elapse(sc_graph *graph, double ready)
{
  for (size_t r = 0; r < sc_graph_run_count(graph); r++) {
    sc_run *run = sc_graph_run(graph, r);
    run->user_seconds = run->n * (run->n + 1) / 2 * 1e-6;
    run->has_waits = true;
    run->waits[SC_WAIT_RUNNABLE] = ready;
    run->wall_seconds = run->user_seconds + ready;
  }
}

/* main > loop (n) > function (n) > loop (n (n - 1) / 2), 1 us an iteration; 64,000 was run for real. */
static fixture *set_up_waiting(const char *event, double each, double target_extra, double ready)
{
  static const double sizes[] = {100, 300, 700, 1500, 3000, 6400}, target[] = {64000};
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  sc_loaded *l = &f->judge.loaded;
  f->judge.study = "scale.db";
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"n=100..6400", "64000"}, (char **)program, &l->workload), 0);
  for (int i = 0; i < 2; i++) {
    sc_graph *graph = i ? scene_new(target, 1, event) : scene_new(sizes, 6, event);
    uint32_t top = scene_main(graph);
    uint32_t outer = scene_loop(graph, top, "main", 10, scene_n, each);
    uint32_t callee = scene_function(graph, outer, "check_open_blocks", scene_n, 0);
    f->inner = scene_loop(graph, callee, "check_open_blocks", 1075, scene_triangle, each);
    if (i)
      assert_int_equal(sc_graph_add(graph, 0, f->inner, SC_METRIC_COUNT, target_extra), 0);
    if (ready > 0)
      scene_elapse(graph, i ? ready : 0);
    *(i ? &l->targets : &l->graph) = graph;
  }
  l->analysis = scene_analyse(l->graph, target, 1);
  f->judge.findings = scene_infer(l->analysis);
  return f;
}

static fixture *set_up(const char *event, double each, double target_extra)
{
  return set_up_waiting(event, each, target_extra, 0);
}

static void tear_down(fixture *f)
{
  sc_judge_close(&f->judge);
  free(f);
}

static const sc_text_options plain = {.width = 100, .style = {"", "", "", "", ""}};

typedef int (*printer)(FILE *out, const sc_judge *judge, const sc_text_options *options);

static char *print(printer print_it, const fixture *f, const sc_text_options *options)
{
  char *text;
  FILE *out = unit_stream(&text);
  int err = print_it(out, &f->judge, options);
  fclose(out);
  unit_ok(err);
  if (getenv("SCALE_TEST_SHOW"))
    puts(text);
  return text;
}

static int compare(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  return sc_report_compare_print(out, judge, 64000, options);
}

static int compare_json(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  static const double sizes[] = {64000};
  return sc_report_json_compare(out, judge, sizes, 1);
}

#define has_not(text, part)                      \
  do {                                           \
    if (strstr(text, part))                      \
      fail_msg("\"%s\" is in:\n%s", part, text); \
  } while (0)

static void fits(const char *text)
{
  for (; *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != '\0')) {
    if (strcspn(text, "\n") > 100)
      fail_msg("longer than 100 columns: %.*s", (int)strcspn(text, "\n"), text);
    if (strcspn(text, "\n") && text[strcspn(text, "\n") - 1] == ' ')
      fail_msg("ends in a blank: %.*s", (int)strcspn(text, "\n"), text);
  }
}

TEST(report_leads_with_the_quadratic_loop)
{
  fixture *f = set_up("task-clock", 1e-6, 0);
  char *text = print(sc_report_text_print, f, &plain);
  unit_has(text, "Measured at n = 100 to 6,400: 6 sizes, 6 runs. Predicted: 64,000.");
  unit_has(text, "1. check_open_blocks (scene.c:1075:3): quadratic loop, 0.5 n^2 - 0.5 n iterations\n");
  unit_has(text, "   In          program > main > ");
  unit_has(text, "   Predicted   n = 64,000: ");
  unit_has(text, "Total processor time");
  unit_has(text, "scale-run report --details\n");
  unit_has(text, "Next: scale-run ask --limit time=1s\n");
  fits(text);
  free(text);
  sc_text_options full = plain;
  full.details = true;
  text = print(sc_report_text_print, f, &full);
  unit_has(text, "process program\n");
  unit_has(text, "loop scene.c:1075:3");
  unit_has(text, "<-- here");
  fits(text);
  free(text);
  tear_down(f);
}

TEST(report_without_times_says_so)
{
  fixture *f = set_up("", 0, 0);
  char *text = print(sc_report_text_print, f, &plain);
  unit_has(text, "No time was sampled");
  unit_has(text, "scale-run doctor");
  has_not(text, "processor time");
  fits(text);
  free(text);
  tear_down(f);
}

TEST(runs_too_short_for_times_are_named)
{
  fixture *f = set_up("task-clock", 0, 0);
  char *text = print(sc_report_text_print, f, &plain);
  unit_has(text, "The runs were too short to be sampled");
  has_not(text, "No time was sampled");
  free(text);
  tear_down(f);
}

TEST(time_without_a_place_is_named)
{
  fixture *f = set_up("task-clock", 1e-6, 0);
  sc_graph *graph = f->judge.loaded.graph;
  char *text = print(sc_report_text_print, f, &plain);
  has_not(text, "could be placed in no function");
  free(text);
  assert_int_equal(sc_graph_add(graph, 0, sc_graph_first_child(graph, 0), SC_METRIC_COST, 1e6), 0);
  text = print(sc_report_text_print, f, &plain);
  unit_has(text, "of the cost (");
  unit_has(text, "could be placed in no function");
  free(text);
  tear_down(f);
}

TEST(brief_report_is_short)
{
  fixture *f = set_up("task-clock", 1e-6, 0);
  sc_text_options brief = plain;
  brief.brief = true;
  char *text = print(sc_report_text_print, f, &brief);
  unit_has(text, "1. check_open_blocks (scene.c:1075:3): quadratic loop");
  unit_has(text, "Next: scale-run report\n");
  has_not(text, "Evidence");
  fits(text);
  free(text);
  tear_down(f);
}

TEST(comparison_shows_the_error)
{
  fixture *f = set_up("task-clock", 1e-6, 0);
  char *text = print(compare, f, &plain);
  unit_has(text, "Predicted and actual at n = 64,000\n");
  unit_has(text, "2,047,968,000");
  unit_has(text, "exact");
  has_not(text, "outside");
  fits(text);
  free(text);
  tear_down(f);
  f = set_up("task-clock", 1e-6, 1e9);
  text = print(compare, f, &plain);
  unit_has(text, "3,047,968,000  -32.8%");
  unit_has(text, "-32.8%  outside\n");
  fits(text);
  free(text);
  tear_down(f);
}

/* Next to no time, but a sixth of what is executed: that is why it is in the verdict. */
TEST(verdict_tells_the_share_that_counts)
{
  static const struct {
    double share, executed;
    const char *text;
  } cases[] = {{0.0004, 0.16, "check_open_blocks (scene.c:1075:3), <0.1% of the total and 16% of the executions ("},
               {0, 0.16, "check_open_blocks (scene.c:1075:3), 16% of the executions ("},
               {0.4, 0.16, "check_open_blocks (scene.c:1075:3), 40% of the total ("}};
  fixture *f = set_up("task-clock", 1e-6, 0);
  sc_findings *findings = &f->judge.findings;
  size_t count = findings->count;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_undecided place = {.context = f->inner, .share = cases[i].share, .executed = cases[i].executed};
    sc_findings kept = *findings;
    findings->count = 0;
    findings->undecided = &place;
    findings->undecided_count = 1;
    sc_buf text = {0};
    sc_outcome outcome;
    unit_ok(sc_outcome_of(&f->judge, NULL, &outcome));
    unit_ok(sc_outcome_text(&f->judge, &outcome, &text));
    assert_int_equal(sc_buf_finish(&text), 0);
    unit_has(text.text, cases[i].text);
    sc_buf_free(&text);
    *findings = kept;
  }
  assert_int_equal(findings->count, count);
  tear_down(f);
}

/* 2,048 s on a processor as predicted, and three times as long without one: not the prediction's fault, it is said. */
TEST(comparison_says_where_the_elapsed_time_went)
{
  fixture *f = set_up_waiting("task-clock", 1e-6, 0, 3 * 2048);
  char *text = print(compare, f, &plain);
  unit_has(text,
           "outside\n  75% of the elapsed time at n = 64,000, as it ran, is not processor time: 75% ready, but the\n"
           "  processors were busy. On an idle machine, or with more processors, it may take less.\n");
  fits(text);
  free(text);
  text = print(compare_json, f, &plain);
  cJSON *verify = cJSON_Parse(text);
  assert_non_null(verify);
  const cJSON *spent =
      cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(verify, "sizes"), 0), "actual_elapsed");
  assert_true(cJSON_IsTrue(cJSON_GetObjectItem(spent, "mostly_waiting")));
  assert_true(cJSON_GetObjectItem(cJSON_GetObjectItem(spent, "parts"), "runnable")->valuedouble == 3 * 2048);
  cJSON_Delete(verify);
  free(text);
  tear_down(f);
  f = set_up_waiting("task-clock", 1e-6, 0, 20); /* within the interval: nothing to explain */
  text = print(compare, f, &plain);
  has_not(text, "as it ran");
  free(text);
  tear_down(f);
}

static double number_at(const cJSON *object, const char *name)
{
  const cJSON *item = cJSON_GetObjectItem(object, name);
  assert_true(cJSON_IsNumber(item));
  return item->valuedouble;
}

TEST(json_is_complete)
{
  fixture *f = set_up("task-clock", 1e-6, 0);
  char *text = print(compare_json, f, &plain);
  cJSON *verify = cJSON_Parse(text);
  assert_non_null(verify);
  const cJSON *finding = cJSON_GetArrayItem(
      cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(verify, "sizes"), 0), "findings"), 0);
  assert_true(number_at(finding, "relative_error") == 0);
  assert_true(cJSON_IsTrue(cJSON_GetObjectItem(finding, "within_interval")));
  cJSON_Delete(verify);
  free(text);
  tear_down(f);
}

/* Names of C++ lose their parameters, long ones their template arguments; operators stay whole. */
TEST(names_are_short)
{
  static const char *const names[][2] = {
      {"Panel::onChanged(void*, unsigned long)", "Panel::onChanged (a.cpp:7)"},
      {"run(void (*)(int), int) const", "run (a.cpp:7)"},
      {"main::{lambda(int)#1}::operator()(int) const", "main::lambda (a.cpp:7)"},
      {"Set::operator<(Set const&) const &", "Set::operator< (a.cpp:7)"},
      {"(anonymous namespace)::help()", "(anonymous namespace)::help (a.cpp:7)"},
      {"std::vector<std::pair<int, long>, std::allocator<std::pair<int, long> > >::push_back(int)",
       "vector::push_back (a.cpp:7)"},
      {"main", "main (a.cpp:7)"},
      {"odd)", "odd) (a.cpp:7)"},
      {"evil\033[2J\n", "evil?[2J? (a.cpp:7)"},
  };
  sc_graph *graph = scene_new(NULL, 0, "");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    sc_location location = {
        .kind = SC_LOCATION_FUNCTION, .name = names[i][0], .display = names[i][0], .file = "/src/a.cpp", .line = 7};
    sc_buf text = {0};
    sc_context_step(graph, scene_context(graph, 0, &location), &text);
    assert_int_equal(sc_buf_finish(&text), 0);
    assert_string_equal(text.text, names[i][1]);
    sc_buf_free(&text);
  }
  sc_graph_free(graph);
}

static int status(const fixture *f, const char *fail_on)
{
  sc_notices notices;
  int err = sc_notices_of_study(&f->judge, &notices);
  if (err == 0)
    err = sc_notices_status(&notices, fail_on);
  sc_notices_free(&notices);
  return err;
}

TEST(fail_on_decides_the_status)
{
  fixture *f = set_up("task-clock", 1e-6, 0);
  assert_int_equal(status(f, NULL), 0);
  assert_int_equal(status(f, "none"), 0);
  assert_int_equal(status(f, "any"), 1);
  assert_int_equal(status(f, "superlinear"), 1);
  for (size_t i = 0; i < f->judge.findings.count; i++)
    f->judge.findings.list[i].superlinear = false;
  assert_int_equal(status(f, "superlinear"), 0);
  assert_int_equal(status(f, "any"), 1);
  tear_down(f);
}

static int report_json(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  return sc_report_json_print(out, judge, options->notices, options->all);
}

static void set_budgets(fixture *f, const sc_budget *budgets, size_t count)
{
  sc_workload *workload = f->judge.loaded.workload;
  workload->budgets = calloc(count, sizeof *budgets);
  assert_non_null(workload->budgets);
  workload->budget_count = count;
  for (size_t i = 0; i < count; i++)
    workload->budgets[i] =
        (sc_budget){.text = strdup("time"), .metric = strdup("time"), .n = budgets[i].n, .limit = budgets[i].limit};
}

/* At 1 us an iteration, n takes (n + n (n - 1) / 2) us; 64,000 was run for real. */
TEST(every_budget_is_judged)
{
  static const sc_budget budgets[] = {
      {.n = 20000, .limit = 300}, {.n = 20000, .limit = 100}, {.n = 20000, .limit = 200.01}, {.n = 64000, .limit = 9}};
  static const char *const verdicts[] = {"kept", "broken", "cannot_tell", "broken"};
  fixture *f = set_up("task-clock", 1e-6, 0);
  assert_int_equal(status(f, "budget"), 0);
  set_budgets(f, budgets, 4);
  char *text = print(sc_report_text_print, f, &plain);
  unit_has(text, "Budgets");
  unit_has(text, "BROKEN when run");
  unit_has(text, "cannot tell");
  free(text);
  text = print(report_json, f, &plain);
  cJSON *report = cJSON_Parse(text), *list = cJSON_GetObjectItem(report, "budgets");
  assert_int_equal(cJSON_GetArraySize(list), 4);
  for (int i = 0; i < 4; i++) {
    const cJSON *item = cJSON_GetArrayItem(list, i), *predicted = cJSON_GetObjectItem(item, "predicted");
    assert_true(number_at(item, "n") == budgets[i].n && number_at(item, "limit") == budgets[i].limit);
    assert_true(number_at(predicted, "low") <= number_at(predicted, "high"));
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(item, "verdict")), verdicts[i]);
    assert_int_equal(cJSON_IsNumber(cJSON_GetObjectItem(item, "actual")), i == 3);
  }
  cJSON_Delete(report);
  free(text);
  assert_int_equal(status(f, "budget"), 1);
  f->judge.loaded.workload->budgets[1].limit = 300;
  f->judge.loaded.workload->budgets[3].limit = 9000;
  assert_int_equal(status(f, "budget"), 0);
  tear_down(f);
}

/* However steady an execution's time was: larger data may not fit into the caches any more. */
TEST(time_may_rise_with_the_caches)
{
  fixture *f = set_up("task-clock", 1e-6, 0);
  sc_interval count, far;
  assert_int_equal(sc_analysis_total(f->judge.loaded.analysis, 64000, &far), 0);
  assert_true(far.high > 1.2 * far.value && far.high < 1.6 * far.value);
  assert_true(far.low > 0.9 * far.value);
  assert_int_equal(sc_analysis_count(f->judge.loaded.analysis, f->inner, 64000, &count), 0);
  assert_true(count.high < 1.001 * count.value); /* counts have no caches */
  tear_down(f);
}

TEST(without_time_no_budget_is_judged)
{
  fixture *f = set_up("", 0, 0);
  set_budgets(f, &(sc_budget){.n = 1000, .limit = 1e-9}, 1);
  char *text = print(sc_report_text_print, f, &plain);
  unit_has(text, "cannot tell: no time was measured");
  free(text);
  assert_int_equal(status(f, "budget"), 0);
  tear_down(f);
}

/* Calls wait 100 ms, and 20 of the parts are waits: 80 are ready time too, but no more than the 74 predicted. */
TEST(ready_time_is_not_told_twice)
{
  sc_elapsed_parts parts = {.measured = true, .processor = 0.026};
  sc_buf text = {0};
  parts.waits[SC_WAIT_IO] = 0.02;
  parts.waits[SC_WAIT_RUNNABLE] = 0.074;
  sc_report_elapsed_shared_note(&parts, 0.022, &text); /* less than a tenth in both */
  parts.measured = false;
  sc_report_elapsed_shared_note(&parts, 0.1, &text);
  assert_int_equal(text.length, 0);
  parts.measured = true;
  sc_report_elapsed_shared_note(&parts, 0.1, &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_string_equal(text.text, " Of that 74 ms passed until a processor was free again: as ready time above.");
  sc_buf_free(&text);
}

/* From SC_REPORT_BUSY on, of runs that are long enough and whose waits were measured. */
TEST(a_busy_machine_is_said)
{
  static const struct {
    double ready, all;
    bool measured, said;
  } cases[] = {{SC_REPORT_BUSY + 1e-6, 1, true, true},
               {SC_REPORT_BUSY - 1e-6, 1, true, false},
               {0.3, 1, false, false},
               {0.3, 0.001, true, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_elapsed_parts parts = {.measured = cases[i].measured, .processor = (1 - cases[i].ready) * cases[i].all};
    sc_buf text = {0};
    parts.waits[SC_WAIT_RUNNABLE] = cases[i].ready * cases[i].all;
    assert_int_equal(sc_report_elapsed_parts_note(&parts, "n = 100", &text), cases[i].said);
    assert_int_equal(sc_buf_finish(&text), 0);
    if (cases[i].said)
      assert_string_equal(text.text,
                          "10% of the elapsed time at n = 100 is ready, but the processors were busy: it was measured "
                          "beside other work, and is as much shorter on an idle machine, and longer on a busier one.");
    else
      assert_int_equal(text.length, 0);
    sc_buf_free(&text);
  }
}

/* An order within SC_REPORT_WHOLE of a whole one is called by its word. */
TEST(orders_near_whole_ones_have_their_word)
{
  static const struct {
    double exponent, log_exponent;
    const char *word;
  } orders[] = {{2 + SC_REPORT_WHOLE - 1e-6, 0, "quadratic"},
                {2 - SC_REPORT_WHOLE + 1e-6, 0, "quadratic"},
                {2 + SC_REPORT_WHOLE + 1e-6, 0, "n^2.03"},
                {1, 1, "n log n"}};
  for (size_t i = 0; i < COUNT(orders); i++) {
    sc_buf out = {0};
    sc_order order = {orders[i].exponent, orders[i].log_exponent, (int)lround(orders[i].exponent), 0, 0};
    sc_report_order_word(&order, "n", &out);
    assert_string_equal(out.text, orders[i].word);
    sc_buf_free(&out);
  }
}

TEST(confidence_has_three_words)
{
  assert_string_equal(sc_text_confidence(SC_TEXT_HIGH), "high");
  assert_string_equal(sc_text_confidence(SC_TEXT_HIGH - 1e-9), "medium");
  assert_string_equal(sc_text_confidence(SC_TEXT_MEDIUM), "medium");
  assert_string_equal(sc_text_confidence(SC_TEXT_MEDIUM - 1e-9), "low");
}
