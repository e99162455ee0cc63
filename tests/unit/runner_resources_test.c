/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people read of resources: names looked up, findings and blame in words, in JSON and in Graphviz. */
#include "unit.h"

#include "transitions_resources_scene.h"

#include <stdlib.h>

#include "runner/ask/limit.h"
#include "runner/blame/blame.h"
#include "runner/resources/compare.h"
#include "runner/resources/find.h"
#include "runner/resources/finding.h"
#include "runner/resources/metric.h"
#include "runner/resources/numbers.h"
#include "runner/resources/section.h"
#include "runner/resources/words.h"
#include "runner/several/open.h"

enum { LOCK, INDEX, TABLE, HEAP, RESOURCES };

typedef struct fixture {
  sc_judge judge;
  uint32_t resources[RESOURCES], put, get, find;
} fixture;

static const double sizes[] = {100, 400, 1600}, target[] = {64000};
static char *const program[] = {"./program", "{n}", NULL};
static const sc_text_options plain = {.width = 100, .style = {"", "", "", "", ""}};

static uint32_t add_lock(const fixture *f, size_t run, uint32_t context, uint32_t resource, uint32_t line, double waits,
                         double waited, double held)
{
  uint32_t index;
  const sc_usage usage = {.context = context,
                          .resource = resource,
                          .via = "pthread_mutex_lock",
                          .line = line,
                          .event = SC_USAGE_EVENT_ACQUIRE,
                          .values = {[SC_USAGE_ACQUIRES] = 1000,
                                     [SC_USAGE_WAITS] = waits,
                                     [SC_USAGE_WAIT_SECONDS] = waited,
                                     [SC_USAGE_HOLDS] = 1000,
                                     [SC_USAGE_HOLD_SECONDS] = held},
                          .buckets = {[10] = 999, [27] = held > 8}}; /* one that took 134 ms or more */
  assert_int_equal(sc_usage_add(f->judge.loaded.graph, run, &usage, &index), 0);
  return index;
}

static void add_pair(const fixture *f, size_t run, uint32_t waiter, uint32_t holder, double waits, double seconds)
{
  const sc_wait_pair pair = {waiter, holder, waits, seconds};
  assert_int_equal(sc_usage_add_pair(f->judge.loaded.graph, run, &pair), 0);
}

/* worker > serve > put waits for get's order_lock; get, while it holds that, waits for find's index_lock. */
static fixture *set_up(void)
{
  static const sc_resource resources[RESOURCES] = {
      {.resource_class = SC_RESOURCE_MUTEX, .name = "order_lock", .file = "/src/book.c", .line = 41},
      {.resource_class = SC_RESOURCE_MUTEX, .name = "index_lock", .file = "/src/index.c", .line = 7},
      {.resource_class = SC_RESOURCE_MUTEX, .name = "order_lock", .file = "/src/table.c", .line = 3},
      {.resource_class = SC_RESOURCE_HEAP, .name = "heap", .file = ""}};
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  sc_loaded *l = &f->judge.loaded;
  const sc_workload_words words = {"n=100..1600", "64000", NULL, "serve"};
  f->judge.study = "scale.db";
  assert_int_equal(sc_workload_from_command(&words, (char **)program, &l->workload), 0);
  l->graph = scene_new(sizes, 3, "");
  for (int i = 0; i < RESOURCES; i++)
    assert_int_equal(sc_usage_resource(l->graph, &resources[i], &f->resources[i]), 0);
  uint32_t worker = scene_function(l->graph, scene_main(l->graph), "worker", scene_one, 0);
  uint32_t serve = scene_function(l->graph, worker, "serve", scene_n, 0);
  f->put = scene_function(l->graph, serve, "put", scene_n, 0);
  f->get = scene_function(l->graph, serve, "get", scene_n, 0);
  f->find = scene_function(l->graph, serve, "find", scene_n, 0);
  for (size_t run = 0; run < 3; run += 2) {
    double scale = run ? 1 : 0.01; /* the same, a hundred times shorter */
    uint32_t put = add_lock(f, run, f->put, f->resources[LOCK], 80, 800, 8 * scale, 0.1 * scale);
    uint32_t get = add_lock(f, run, f->get, f->resources[LOCK], 52, 0, 0, 9 * scale);
    uint32_t in = add_lock(f, run, f->get, f->resources[INDEX], 54, 700, 7 * scale, 0.2 * scale);
    uint32_t out = add_lock(f, run, f->find, f->resources[INDEX], 30, 0, 0, 8 * scale);
    add_pair(f, run, put, get, 800, 8 * scale);
    add_pair(f, run, in, out, 700, 7 * scale);
  }
  l->analysis = scene_analyse(l->graph, target, 1);
  return f;
}

static void tear_down(fixture *f)
{
  sc_judge_close(&f->judge);
  free(f);
}

static void fits(const char *text)
{
  for (; *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != '\0'))
    if (strcspn(text, "\n") > 100)
      fail_msg("longer than 100 columns: %.*s", (int)strcspn(text, "\n"), text);
}

static char *close_and_show(FILE *out, char **text, int err)
{
  fclose(out);
  unit_ok(err);
  if (getenv("SCALE_TEST_SHOW"))
    puts(*text);
  return *text;
}

static char *print_blame(const fixture *f, uint32_t resource, int form)
{
  static const sc_interval seconds = {7200, 3600, 14400}, each = {0.0072, 0.0036, 0.0144};
  char *text;
  FILE *out = unit_stream(&text);
  sc_blame_view view;
  assert_int_equal(sc_blame_view_make(&f->judge, resource, &view), 0);
  view.target_count = 1; /* there are no models here: what would be predicted is put in */
  view.seconds[0] = seconds;
  view.each[0] = each;
  int err = form == 'd' ? sc_blame_print_dot(out, &view) : form == 'j' ? sc_blame_print_json(out, &view) : 0;
  if (form == 't')
    sc_blame_print_text(out, &view, &plain);
  sc_blame_view_free(&view);
  return close_and_show(out, &text, err);
}

TEST(blame_goes_back_to_who_does_not_wait)
{
  fixture *f = set_up();
  char *text = print_blame(f, f->resources[LOCK], 't');
  unit_has(text, "order_lock (book.c:41), mutex\n");
  unit_has(text, "Who waits for whom at n = 1,600: 800 waits, 8.0 s in all, 10 ms each.");
  unit_has(text, "Predicted at n = 64,000: 2.0 h in all (60 min to 4.0 h), 7.2 ms each time it is acquired");
  unit_has(text, "1. 100%: put (scene.c:80), in main > worker > serve > put\n");
  unit_has(text, "waits for get (scene.c:52), in main > worker > serve > get\n");
  unit_has(text, "each hold 9.0 ms (at n = 100: 90 us, 100\n      times less), the longest more than 134 ms\n");
  unit_has(text, "each 10 ms (at n = 100: 100 us, 100 times less)");
  unit_has(text, "2. get (scene.c:52) itself waits, in line 54, in 78% of the time it holds, for index_lock\n   "
                 "(index.c:7): 100% of that for find");
  unit_has(text, "=> find (scene.c:30), in main > worker > serve > find is not itself waiting.");
  unit_has(text, "; at n = 100 1,000 times, 80 us each: above all it holds\n   longer.\n");
  fits(text);
  free(text);
  tear_down(f);
}

TEST(blame_draws_valid_graphs)
{
  fixture *f = set_up();
  char *text = print_blame(f, f->resources[LOCK], 'd');
  unit_has(text, "digraph blame {\n");
  unit_has(text, "c0 [label=\"serve\\nput (scene.c:80)\"];");
  unit_has(text, "c0 -> c1 [label=\"100%, 800 waits, 8.0 s\\nn = 64,000: 2.0 h\", penwidth=6.00, color=red];");
  unit_has(text, "index_lock (index.c:7)\\n700 waits, 7.0 s");
  unit_has(text, "fillcolor=mistyrose");
  assert_string_equal(text + strlen(text) - 2, "}\n");
  free(text);
  tear_down(f);
}

static double number_at(const cJSON *object, const char *name)
{
  const cJSON *item = cJSON_GetObjectItem(object, name);
  assert_true(cJSON_IsNumber(item));
  return item->valuedouble;
}

TEST(blame_as_json_has_the_chain)
{
  fixture *f = set_up();
  char *text = print_blame(f, f->resources[LOCK], 'j');
  cJSON *blame = cJSON_Parse(text);
  const cJSON *chain = cJSON_GetObjectItem(blame, "chain");
  assert_int_equal(cJSON_GetArraySize(chain), 2);
  assert_true(number_at(cJSON_GetObjectItem(cJSON_GetArrayItem(chain, 1), "holder"), "line") == 30);
  assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(blame, "end")), "holder");
  const cJSON *edge = cJSON_GetArrayItem(cJSON_GetObjectItem(blame, "edges"), 0);
  assert_true(number_at(edge, "share") == 1);
  const cJSON *largest = cJSON_GetObjectItem(cJSON_GetObjectItem(edge, "waits"), "largest");
  assert_true(number_at(largest, "count") == 800 && number_at(largest, "seconds") == 8);
  cJSON_Delete(blame);
  free(text);
  tear_down(f);
}

TEST(nobody_waits_is_said)
{
  fixture *f = set_up();
  char *text = print_blame(f, f->resources[HEAP], 't');
  unit_has(text, "heap\nNobody waits for it at n = 1,600.");
  free(text);
  add_lock(f, 2, f->put, f->resources[TABLE], 5, 0, 0, 1);
  text = print_blame(f, f->resources[TABLE], 't');
  unit_has(text, "these would wait first:");
  unit_has(text, "would wait for put (scene.c:5)");
  free(text);
  tear_down(f);
}

TEST(resources_are_found_by_what_tells_them_apart)
{
  static const struct {
    const char *text;
    int found; /* -1: not */
    const char *said, *hint;
  } cases[] = {{"index_lock", INDEX, NULL, NULL},
               {"heap", HEAP, NULL, NULL},
               {"ndex", INDEX, NULL, NULL},
               {"book.c", LOCK, NULL, NULL},
               {"order_lock (table.c:3)", TABLE, NULL, NULL},
               {"order_lock", -1, "\"order_lock\" can mean 2 resources", "\"order_lock (book.c:41)\", mutex; "},
               {"_lock", -1, "\"_lock\" can mean 3 resources", "index_lock (index.c:7)"},
               {"index_lokc", -1, "no resource \"index_lokc\"", "did you mean \"index_lock\"?"},
               {"pool", -1, "no resource \"pool\"", "report --resources"}};
  fixture *f = set_up();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t number = UINT32_MAX;
    int err = sc_resource_find(f->judge.loaded.graph, cases[i].text, &number);
    assert_int_equal(err, cases[i].found < 0 ? SC_E_USAGE : 0);
    if (cases[i].found >= 0)
      assert_int_equal(number, f->resources[cases[i].found]);
    else {
      unit_has(sc_err_message(), cases[i].said);
      unit_has(sc_err_hint_text(), cases[i].hint);
    }
  }
  uint32_t worst;
  assert_int_equal(sc_resource_find_worst(&f->judge, &worst), 0);
  assert_int_equal(worst, f->resources[LOCK]);
  tear_down(f);
}

/* What one function's calls do to the heap; cases without a context are of the whole. */
TEST(what_functions_do_to_resources_is_found_by_the_names_that_reports_print)
{
  enum { WHOLE, PUT_80, PUT_81, GET, FIND };
  fixture *f = set_up();
  sc_graph *graph = f->judge.loaded.graph;
  uint32_t again =
      scene_function(graph, scene_function(graph, scene_main(graph), "other", scene_one, 0), "find", scene_n, 0);
  const struct {
    uint32_t context, line;
  } calls[] = {{0}, {f->put, 80}, {f->put, 81}, {f->get, 52}, {f->find, 30}, {again, 30}};
  static const struct {
    const char *text;
    int found; /* -1: not */
    const char *hint;
  } cases[] = {
      {"heap", WHOLE, NULL},
      {"heap of put (scene.c:80)", PUT_80, NULL},
      {"heap of put (scene.c:81)", PUT_81, NULL},
      {"heap of get", GET, NULL},
      {"heap of find (scene.c:30), in main > worker > serve > find", FIND, NULL},
      {"heap of put", -1,
       "name one of them: \"heap of put (scene.c:80), in main > worker > serve > put\"; \"heap of put (scene.c:81), "
       "in main > worker > serve > put\""},
      {"heap of find (scene.c:30)", -1, "\"heap of find (scene.c:30), in main > other > find\""},
      {"heap of nobody", -1, "report --resources"},
      {"heap of ", -1, "report --resources"}};
  for (size_t run = 0; run < 3; run++)
    for (size_t i = 1; i < sizeof calls / sizeof *calls; i++) {
      const sc_usage usage = {.context = calls[i].context,
                              .resource = f->resources[HEAP],
                              .via = "malloc",
                              .line = calls[i].line,
                              .event = SC_USAGE_EVENT_ACQUIRE,
                              .values = {[SC_USAGE_ACQUIRES] = (double)i, [SC_USAGE_UNITS] = 8}};
      assert_int_equal(sc_usage_add(graph, run, &usage, NULL), 0);
    }
  assert_int_equal(sc_resources_new(f->judge.loaded.analysis, &(sc_resource_options){0}, &f->judge.resources), 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_resource_spot spot;
    int err = sc_resource_find_spot(&f->judge, cases[i].text, &spot);
    if (err != (cases[i].found < 0 ? SC_E_USAGE : 0))
      fail_msg("\"%s\": %d, %s", cases[i].text, err, sc_err_message());
    if (cases[i].found < 0) {
      unit_has(sc_err_hint_text(), cases[i].hint);
      continue;
    }
    assert_int_equal(spot.resource, f->resources[HEAP]);
    assert_int_equal(spot.line, calls[cases[i].found].line);
    assert_int_equal(spot.context, cases[i].found ? calls[cases[i].found].context : SC_USAGE_NONE);
    sc_resource_number number;
    assert_int_equal(sc_resource_number_make(&f->judge, &spot, SC_RMETRIC_ACQUIRES, &number), 1);
    assert_true(number.measured == (cases[i].found ? cases[i].found : 1 + 2 + 3 + 4 + 5));
    assert_true(number.predictions[0].value == number.measured);
    sc_resource_number_drop(&number);
  }
  tear_down(f);
}

static sc_resource_finding make_finding(const fixture *f, sc_resource_number *numbers, sc_resource_site *sites,
                                        sc_resource_task *tasks, sc_resource_pair *pairs, bool *holds)
{
  static sc_interval use[] = {{0.97, 0.91, 0.995}}, wait[] = {{1.2e-3, 0.9e-3, 1.5e-3}};
  numbers[0] = (sc_resource_number){.metric = SC_RMETRIC_UTILISATION, .measured = 0.42, .predictions = use};
  numbers[1] = (sc_resource_number){.metric = SC_RMETRIC_WAIT, .measured = 2e-6, .predictions = wait};
  sites[0] = (sc_resource_site){SC_ROLE_HOLDS, f->get, "pthread_mutex_lock", 52, 3, 9, 0.98};
  sites[1] = (sc_resource_site){SC_ROLE_WAITS, f->put, "pthread_mutex_lock", 80, 5, 8, 1};
  tasks[0] = (sc_resource_task){sc_graph_parent(f->judge.loaded.graph, f->get), 8, 1};
  pairs[0] = (sc_resource_pair){f->put, f->get, 80, 5, 52, 3, 800, 8, 1, 1e-4};
  holds[0] = true;
  return (sc_resource_finding){.rule = SC_RULE_SUPERLINEAR_LOOP, /* any will do */
                               .resource = f->resources[LOCK],
                               .severity = SC_SEVERITY_ERROR,
                               .confidence = 0.93,
                               .emergence = {12400, 9800, 15000},
                               .holds_measured = holds + 1,
                               .holds_predicted = holds,
                               .context = SC_USAGE_NONE,
                               .numbers = numbers,
                               .number_count = 2,
                               .sites = sites,
                               .site_count = 2,
                               .tasks = tasks,
                               .task_count = 1,
                               .pairs = pairs,
                               .pair_count = 1,
                               .evidence = "Measured points say so.",
                               .advice = "Hold it for a shorter time."};
}

TEST(findings_say_all_there_is)
{
  fixture *f = set_up();
  sc_resource_number numbers[2];
  sc_resource_site sites[2];
  sc_resource_task tasks[1];
  sc_resource_pair pairs[1];
  bool holds[4] = {false};
  const sc_resource_finding finding = make_finding(f, numbers, sites, tasks, pairs, holds);
  for (int brief = 0; brief < 2; brief++) {
    char *text;
    sc_text_options options = plain;
    FILE *out = unit_stream(&text);
    options.brief = brief;
    options.details = !brief;
    close_and_show(out, &text, sc_resource_finding_print(out, &f->judge, &finding, 1, &options));
    unit_has(text, "1. order_lock (book.c:41): mutex, superlinear-loop from n = 12,400 on (9,800 to 15,000)\n");
    unit_has(text, brief
                       ? "   at n = 64,000: utilisation 97% (91% to 99.5%); mean wait time 1.2 ms (900 us to 1.5 ms)\n"
                       : ", error]\n");
    if (!brief) {
      unit_has(text, "utilisation           42%  64,000        97%      91% to 99.5%");
      unit_has(text, "mean wait time     2.0 us  64,000     1.2 ms");
      unit_has(text, "   Holds       98% (9.0 s): get (scene.c:52), in main > worker > serve > get\n");
      unit_has(text, "   Waits       100% (8.0 s): put (scene.c:80), in main > worker > serve > put\n");
      unit_has(text, "   Tasks       100% serve (scene.c)\n");
      unit_has(text, "put (scene.c:80) while get (scene.c:52) holds it; each");
      unit_has(text, "predicted at 64,000\n");
      unit_has(text, "   Confidence  high (0.93)\n");
      unit_has(text, "   Do          Hold it for a shorter time.\n");
    }
    fits(text);
    free(text);
  }
  tear_down(f);
}

TEST(a_finding_about_a_context_names_it)
{
  static bool nowhere[3], at_largest[3] = {false, false, true};
  static const struct {
    sc_interval size;
    const char *headline;
    bool *measured;
  } cases[] = {
      {{50, 50, 50}, "heap of put (scene.c:80): superlinear-loop from the smallest measured size on", at_largest},
      {{5000, 5000, 5000}, "heap of put (scene.c:80): superlinear-loop from n = 5,000 on", nowhere},
      {{5000, 4000, INFINITY},
       "heap of put (scene.c:80): superlinear-loop from n = 5,000 on (4,000 or later)",
       nowhere},
      {{1600, 1600, 5000}, "heap of put (scene.c:80): superlinear-loop above n = 1,600 (1,600 to 5,000)", nowhere},
      {{1600, 400, 1600}, "heap of put (scene.c:80): superlinear-loop from n = 1,600 on (400 to 1,600)", at_largest},
      {{INFINITY, 9, INFINITY}, "heap of put (scene.c:80): superlinear-loop, below no size looked at", nowhere}};
  fixture *f = set_up();
  f->judge.resources = scene_resources(f->judge.loaded.analysis, SC_PARAMETER_WORK);
  sc_resource_site site = {SC_ROLE_KEEPS, f->put, "malloc", 80, 5, 1e6, 1};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const sc_resource_finding finding = {.rule = SC_RULE_SUPERLINEAR_LOOP,
                                         .resource = f->resources[HEAP],
                                         .context = f->put,
                                         .line = 80,
                                         .column = 5,
                                         .emergence = cases[i].size,
                                         .holds_measured = cases[i].measured,
                                         .sites = &site,
                                         .site_count = 1};
    sc_buf text = {0};
    sc_resource_finding_headline(&f->judge, &finding, &text);
    assert_int_equal(sc_buf_finish(&text), 0);
    assert_string_equal(text.text, cases[i].headline);
    sc_buf_free(&text);
  }
  tear_down(f);
}

TEST(names_are_fit_to_be_printed)
{
  const sc_resource hostile = {.resource_class = SC_RESOURCE_MUTEX,
                               .name = "\033[2Jlock\xff \xc3\xa4\xc2\x9b",
                               .file = "/src/a\nb.c",
                               .line = 3};
  sc_buf text = {0};
  sc_resource_words_name(&hostile, &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_string_equal(text.text, "?[2Jlock? \xc3\xa4\\u009b (a?b.c:3)");
  sc_buf_free(&text);
}

TEST(values_have_their_units)
{
  const sc_resource heap = {.resource_class = SC_RESOURCE_HEAP, .name = "heap", .file = ""};
  const sc_resource files = {.resource_class = SC_RESOURCE_DESCRIPTOR, .name = "descriptors", .file = ""};
  const sc_interval bytes = {3 << 20, 2 << 20, 4 << 20}, open_end = {0.5, 0.25, INFINITY}, exact = {7, 7, 7};
  assert_string_equal(sc_resource_words_value(SC_RMETRIC_PEAK, &heap, 3 << 20).s, "3.0 MiB");
  assert_string_equal(sc_resource_words_interval(SC_RMETRIC_PEAK, &heap, &bytes).s, "2.0 to 4.0 MiB");
  assert_string_equal(sc_resource_words_value(SC_RMETRIC_PEAK, &files, 12).s, "12");
  assert_string_equal(sc_resource_words_value(SC_RMETRIC_HOLD, &files, 2e-6).s, "2.0 us");
  assert_string_equal(sc_resource_words_value(SC_RMETRIC_UTILISATION, &files, 0.42).s, "42%");
  assert_string_equal(sc_resource_words_interval(SC_RMETRIC_UTILISATION, &files, &open_end).s, "25% to unbounded");
  assert_string_equal(sc_resource_words_interval(SC_RMETRIC_OUTSTANDING, &files, &exact).s, "exactly");
  assert_string_equal(sc_resource_words_amount(SC_ROLE_KEEPS, &files, 1).s, "1 descriptor");
  assert_string_equal(sc_resource_words_amount(SC_ROLE_KEEPS, &heap, 2048).s, "2.0 KiB");
  assert_string_equal(sc_resource_words_amount(SC_ROLE_HOLDS, &heap, 1.5).s, "1.5 s");
  assert_string_equal(sc_resource_words_amount(SC_ROLE_FAILS, &heap, 1500).s, "1,500");
}

TEST(metrics_are_read)
{
  static const struct {
    const char *text;
    enum sc_resource_metric metric;
  } good[] = {
      {"utilisation", SC_RMETRIC_UTILISATION}, {"util", SC_RMETRIC_UTILISATION}, {"mean-wait", SC_RMETRIC_WAIT},
      {"peak outstanding", SC_RMETRIC_PEAK},   {"waits", SC_RMETRIC_WAITS},      {"share", SC_RMETRIC_FAILURE_RATIO}};
  static const char *const bad[] = {"", "mean", "colour", "utilisations"};
  enum sc_resource_metric metric;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    assert_int_equal(sc_resource_metric_parse(good[i].text, &metric), 0);
    assert_int_equal(metric, good[i].metric);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(sc_resource_metric_parse(bad[i], &metric), SC_E_USAGE);
}

/* With 3 n + 4 acquires: reached at the size where the exact model says so, and at no earlier one. */
TEST(sizes_that_reach_a_limit_are_found)
{
  static const double measured[] = {100, 200, 400, 800, 1600};
  static const struct {
    double limit, size;
  } cases[] = {{30004, 10000}, {30003, 10000}, {30005, 10001}, {305, 101}, {100, 100}, {1e15, INFINITY}};
  const sc_resource lock = {.resource_class = SC_RESOURCE_MUTEX, .name = "lock", .file = ""};
  const sc_workload_words words = {"n=100..1600", "64000", NULL, NULL};
  sc_judge judge = {.study = "scale.db"};
  sc_loaded *l = &judge.loaded;
  uint32_t resource;
  assert_int_equal(sc_workload_from_command(&words, (char **)program, &l->workload), 0);
  l->graph = scene_new(measured, 5, "");
  uint32_t top = scene_main(l->graph);
  assert_int_equal(sc_usage_resource(l->graph, &lock, &resource), 0);
  for (size_t run = 0; run < 5; run++) {
    const sc_usage usage = {.context = top,
                            .resource = resource,
                            .via = "pthread_mutex_lock",
                            .event = SC_USAGE_EVENT_ACQUIRE,
                            .values = {[SC_USAGE_ACQUIRES] = 3 * measured[run] + 4}};
    const sc_occupancy occupancy = {resource, 1, 1, 1, 1};
    assert_int_equal(sc_usage_add(l->graph, run, &usage, NULL), 0);
    assert_int_equal(sc_usage_add_occupancy(l->graph, run, &occupancy), 0);
  }
  l->analysis = scene_analyse(l->graph, target, 1);
  assert_int_equal(sc_resources_new(l->analysis, &(sc_resource_options){0}, &judge.resources), 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[64];
    sc_limit limit;
    const sc_subject subject = {.kind = SC_SUBJECT_RESOURCE, .resource = sc_resources_whole(resource)};
    snprintf(text, sizeof text, i % 2 ? "acquires=%.0f" : "acquires(lock)=%.0f", cases[i].limit);
    assert_int_equal(sc_limit_find(&judge, &subject, NULL, text, &limit), 0);
    if (limit.n.value != cases[i].size && !(fabs(limit.n.value - cases[i].size) < 0.01))
      fail_msg("%g is reached at %.10g, not at %g", cases[i].limit, limit.n.value, cases[i].size);
    assert_true(limit.n.low <= limit.n.value && limit.n.high >= limit.n.value);
    assert_true(limit.farthest == 1.6e7);
    sc_limit_free(&limit);
  }
  sc_judge_close(&judge);
}

/* What was run for real, summed over contexts, a mean over runs; of a size nobody ran nothing is known. */
TEST(actual_sums_are_means_over_target_runs)
{
  static const double far[] = {64000, 64000};
  fixture *f = set_up();
  uint32_t number;
  double value;
  sc_graph *targets = f->judge.loaded.targets = scene_new(far, 2, "");
  for (size_t run = 0; run < 2; run++)
    sc_graph_run(targets, run)->role = SC_RUN_TARGET;
  assert_int_equal(
      sc_usage_resource(targets, sc_usage_resource_at(f->judge.loaded.graph, f->resources[INDEX]), &number), 0);
  uint32_t top = scene_main(targets);
  for (size_t run = 0; run < 2; run++) {
    const sc_usage usage = {.context = top,
                            .resource = number,
                            .via = "pthread_mutex_lock",
                            .event = SC_USAGE_EVENT_ACQUIRE,
                            .values = {[SC_USAGE_ACQUIRES] = run ? 30 : 10,
                                       [SC_USAGE_WAITS] = 8,
                                       [SC_USAGE_WAIT_SECONDS] = 4,
                                       [SC_USAGE_HOLDS] = 10,
                                       [SC_USAGE_HOLD_SECONDS] = run ? 1 : 0.5}};
    assert_int_equal(sc_usage_add(targets, run, &usage, NULL), 0);
    scene_occupancy(targets, run, number, 4, 1, 8, 2);
  }
  assert_true(sc_resource_actual(&f->judge, f->resources[INDEX], SC_RMETRIC_ACQUIRES, 64000, &value) && value == 20);
  assert_true(sc_resource_actual(&f->judge, f->resources[INDEX], SC_RMETRIC_WAIT_TOTAL, 64000, &value) && value == 4);
  assert_true(sc_resource_actual(&f->judge, f->resources[INDEX], SC_RMETRIC_UTILISATION, 64000, &value) &&
              fabs(value - 0.375) < 1e-12);
  assert_true(sc_resource_actual(&f->judge, f->resources[INDEX], SC_RMETRIC_WAITS, 64000, &value) && value == 8);
  assert_false(sc_resource_actual(&f->judge, f->resources[INDEX], SC_RMETRIC_THINK, 64000, &value));
  assert_false(sc_resource_actual(&f->judge, f->resources[INDEX], SC_RMETRIC_ACQUIRES, 32000, &value));
  assert_false(sc_resource_actual(&f->judge, f->resources[HEAP], SC_RMETRIC_ACQUIRES, 64000, &value));
  tear_down(f);
}

/* Two places whose peaks, 60 and 50 units, came one after the other: never more than 70 were out together. */
TEST(an_actual_peak_is_that_of_all_places_together)
{
  static const double far[] = {64000};
  fixture *f = set_up();
  uint32_t number;
  double value;
  sc_graph *targets = f->judge.loaded.targets = scene_new(far, 1, "");
  sc_graph_run(targets, 0)->role = SC_RUN_TARGET;
  assert_int_equal(sc_usage_resource(targets, sc_usage_resource_at(f->judge.loaded.graph, f->resources[HEAP]), &number),
                   0);
  uint32_t top = scene_main(targets);
  scene_units_run(targets, 0, top, number, (scene_units){.acquires = 6, .each = 10, .peak = 60});
  scene_units_run(targets, 0, scene_foreign(targets, top, "later"), number,
                  (scene_units){.acquires = 5, .each = 10, .peak = 50});
  assert_true(sc_resource_actual(&f->judge, f->resources[HEAP], SC_RMETRIC_PEAK, 64000, &value) && value == 110);
  sc_occupancy together = {.resource = number, .threads = 1, .instances = 1, .peak = 70};
  assert_int_equal(sc_usage_add_occupancy(targets, 0, &together), 0);
  assert_true(sc_resource_actual(&f->judge, f->resources[HEAP], SC_RMETRIC_PEAK, 64000, &value) && value == 70);
  tear_down(f);
}

/* Half of the work is serialised and coordination costs nothing: twice the throughput of one thread, and no highest
   point. A hundredth: more than as many threads as were asked for. All of it,
   and more: none. */
TEST(throughput_without_a_highest_point_is_bounded)
{
  static char *const threaded[] = {"./program", "{threads}", NULL};
  static const double threads[] = {1, 2, 3, 4, 6, 8}, many[] = {64};
  static const struct {
    double sigma;
    const char *said;
  } cases[] = {{0.5, "grows with threads to at most 2 times that of threads = 1."},
               {0.01, "keeps growing with threads."},
               {0.98, "grows with threads to at most 1.02 times that of threads = 1."},
               {0.999, "does not grow with threads."},
               {1.5, "does not grow with threads."}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_judge judge = {.study = "scale.db"};
    sc_loaded *l = &judge.loaded;
    const sc_workload_words words = {"threads=1..8", "64", NULL, "serve"};
    assert_int_equal(sc_workload_from_command(&words, (char **)threaded, &l->workload), 0);
    l->workload->kind = SC_PARAMETER_THREADS;
    l->graph = scene_new(threads, 6, "");
    scene_function(l->graph, scene_main(l->graph), "serve", scene_n, 0);
    for (size_t run = 0; run < 6; run++)
      sc_graph_run(l->graph, run)->wall_seconds = 1 + cases[i].sigma * (threads[run] - 1);
    l->analysis = scene_analyse(l->graph, many, 1);
    const sc_resource_options options = {
        .kind = SC_PARAMETER_THREADS, .tasks = (const char *[]){"serve"}, .task_count = 1};
    assert_int_equal(sc_resources_new(l->analysis, &options, &judge.resources), 0);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    text = close_and_show(out, &text, sc_resource_section_print(out, &judge, &plain));
    unit_has(text, cases[i].said);
    free(text);
    sc_judge_close(&judge);
  }
}
