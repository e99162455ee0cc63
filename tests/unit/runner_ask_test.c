/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions to a study whose truth is known. */
#include "unit.h"

#include "transitions_scene.h"

#include <stdlib.h>

#include "runner/ask/ask.h"
#include "runner/ask/curve.h"
#include "runner/ask/sweep.h"
#include "runner/report/outcome.h"
#include "runner/several/open.h"

static const double sizes[] = {100, 300, 700, 1500, 3000, 6400}, targets[] = {64000};
static char *const program[] = {"./program", "{n}", NULL};
static const sc_text_options plain = {.width = 100, .style = {"", "", "", "", ""}};

static double run_seconds; /* of each run, whatever its size; 0: unknown */

/* main > loop (n) > Tree::check (n) > loop (n (n - 1) / 2) > leaf, and main > setup (1) > Tree::check (1 call): 1 us an
 * iteration or call of leaf. 64,000 was run for real. */
static sc_judge *set_up(const char *event)
{
  sc_judge *judge = calloc(1, sizeof *judge);
  assert_non_null(judge);
  sc_loaded *l = &judge->loaded;
  double each = *event ? 1e-6 : 0;
  judge->study = "scale.db";
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"n=100..6400", "64000"}, (char **)program, &l->workload), 0);
  for (int i = 0; i < 2; i++) {
    sc_graph *graph = i ? scene_new(targets, 1, event) : scene_new(sizes, 6, event);
    uint32_t top = scene_main(graph), outer = scene_loop(graph, top, "main", 10, scene_n, each);
    uint32_t check = scene_function(graph, outer, "Tree::check", scene_n, 0);
    uint32_t inner = scene_loop(graph, check, "Tree::check", 20, scene_triangle, each);
    scene_function(graph, inner, "leaf", scene_triangle, each);
    uint32_t once = scene_function(graph, top, "setup", scene_one, 0);
    scene_function(graph, once, "Tree::check", scene_one, 0);
    for (size_t r = 0; r < sc_graph_run_count(graph); r++)
      sc_graph_run(graph, r)->user_seconds = run_seconds;
    *(i ? &l->targets : &l->graph) = graph;
  }
  l->analysis = scene_analyse(l->graph, targets, 1);
  judge->findings = scene_infer(l->analysis);
  return judge;
}

static void tear_down(sc_judge *judge)
{
  sc_judge_close(judge);
  free(judge);
}

static int ask_it(const sc_judge *judge, const sc_ask_request *request, sc_ask *ask)
{
  int err = sc_ask_answer(judge, request, ask);
  if (err < 0)
    sc_ask_free(ask);
  return err;
}

static char *answer(const sc_judge *judge, const sc_ask_request *request, bool json)
{
  char *text;
  sc_ask ask;
  FILE *out = unit_stream(&text);
  unit_ok(ask_it(judge, request, &ask));
  assert_int_equal(json ? sc_ask_print_json(out, &ask, true) : sc_ask_print_text(out, &ask, &plain), 0);
  sc_ask_free(&ask);
  fclose(out);
  if (getenv("SCALE_TEST_SHOW"))
    puts(text);
  return text;
}

static void fits(const char *text)
{
  for (; *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != '\0')) {
    char line[512];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    if (sc_format_columns(line) > 100)
      fail_msg("longer than 100 columns: %s", line);
    if (*line && line[strlen(line) - 1] == ' ')
      fail_msg("ends in a blank: \"%s\"", line);
  }
}

#define near_to(value, expected) unit_near_by(value, expected, 1e-6)

TEST(amounts_are_read)
{
  static const struct {
    const char *text;
    enum sc_amount_kind kind;
    double value;
  } known[] = {{"200ms", SC_AMOUNT_TIME, 0.2},    {"5min", SC_AMOUNT_TIME, 300},
               {"4GiB", SC_AMOUNT_BYTES, 0x1p32}, {"512 MiB", SC_AMOUNT_BYTES, 0x1p29},
               {"64kB", SC_AMOUNT_BYTES, 64000},  {"1.5KiB", SC_AMOUNT_BYTES, 1536},
               {"1,000", SC_AMOUNT_BYTES, 1000},  {"1e9", SC_AMOUNT_BYTES, 1e9},
               {"2TiB", SC_AMOUNT_BYTES, 0x1p41}, {"1,024MiB", SC_AMOUNT_BYTES, 0x1p30},
               {"1_000kB", SC_AMOUNT_BYTES, 1e6}, {"1,500,000B", SC_AMOUNT_BYTES, 1.5e6},
               {"1,500ms", SC_AMOUNT_TIME, 1.5},  {"2048PiB", SC_AMOUNT_BYTES, 0x1p61},
               {"1e20", SC_AMOUNT_RATIO, 1e20},   {"80%", SC_AMOUNT_RATIO, 0.8},
               {"0.8", SC_AMOUNT_RATIO, 0.8},     {"1e9", SC_AMOUNT_COUNT, 1e9},
               {"64k", SC_AMOUNT_COUNT, 64000}};
  static const struct {
    const char *text;
    enum sc_amount_kind kind;
  } wrong[] = {{"", SC_AMOUNT_TIME},       {"-1s", SC_AMOUNT_TIME},    {"4GiBs", SC_AMOUNT_BYTES},
               {"GiB", SC_AMOUNT_BYTES},   {"-4GiB", SC_AMOUNT_BYTES}, {"1e", SC_AMOUNT_BYTES},
               {"0", SC_AMOUNT_BYTES},     {"nan", SC_AMOUNT_RATIO},   {"inf", SC_AMOUNT_RATIO},
               {"0x1p3", SC_AMOUNT_RATIO}, {"80%%", SC_AMOUNT_RATIO},  {"-1", SC_AMOUNT_RATIO},
               {"1ms", SC_AMOUNT_COUNT},   {"1e99", SC_AMOUNT_COUNT}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    double value;
    if (sc_amount_parse(known[i].text, known[i].kind, &value) < 0)
      fail_msg("%s: %s", known[i].text, sc_err_message());
    near_to(value, known[i].value);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    double value;
    if (sc_amount_parse(wrong[i].text, wrong[i].kind, &value) != SC_E_USAGE)
      fail_msg("\"%s\" was taken for %g", wrong[i].text, value);
  }
}

TEST(a_time_without_a_unit_is_shown_with_one)
{
  double value;
  assert_int_equal(sc_amount_parse("1,234,567", SC_AMOUNT_TIME, &value), SC_E_USAGE);
  assert_non_null(strstr(sc_err_message(), "\"1,234,567\" is a time without a unit"));
  assert_non_null(strstr(sc_err_hint_text(), "1234567s, 1234567ms"));
}

TEST(ranges_are_swept)
{
  static const struct {
    const char *text;
    bool doubling;
    size_t count;
    double first[5];
  } known[] = {{"n=1e3..1e7", false, 13, {1000, 2000, 5000, 1e4, 2e4}},
               {"150..700", false, 4, {150, 200, 500, 700}},
               {"1e3..1e7/5", false, 5, {1e3, 1e4, 1e5, 1e6, 1e7}},
               {"1..20/40", false, 17, {1, 2, 3, 4, 5}}, /* whole numbers, each once */
               {"1x..4x", false, 4, {6400, 1e4, 2e4, 25600}},
               {"3..64", true, 6, {3, 4, 8, 16, 32}},
               {"1..1e18", false, 19, {1, 10, 100, 1000, 1e4}}};
  static const char *const wrong[] = {"",       "n",        "1000",   "..",     "1..",    "..5",  "5..1",    "1..1",
                                      "1..5/1", "1..5/1e9", "1..5/x", "m=1..5", "1..5,9", "0..5", "1..1e99", "1..5/"};
  double *list;
  size_t count;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (sc_sweep_parse(known[i].text, "n", 6400, known[i].doubling, &list, &count) < 0)
      fail_msg("%s: %s", known[i].text, sc_err_message());
    assert_true(i == 3 ? count >= known[i].count : count == known[i].count);
    for (size_t j = 0; j < 5 && j < count; j++)
      near_to(list[j], known[i].first[j]);
    free(list);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (sc_sweep_parse(wrong[i], "n", 6400, false, &list, &count) != SC_E_USAGE)
      fail_msg("\"%s\" was taken", wrong[i]);
}

static size_t found(const sc_judge *judge, const char *text)
{
  sc_places places;
  size_t count = sc_places_find(judge->loaded.graph, text, &places) < 0 ? 0 : places.count;
  sc_places_free(&places);
  return count;
}

TEST(functions_are_found)
{
  sc_judge *judge = set_up("");
  assert_int_equal(found(judge, "Tree::check"), 2);
  assert_int_equal(found(judge, "check"), 2);
  assert_int_equal(found(judge, "setup > check"), 1);
  assert_int_equal(found(judge, "main > Tree::check"), 2);
  assert_int_equal(found(judge, "process program > main > loop scene.c:10:3 > Tree::check"), 1);
  assert_int_equal(found(judge, "scene.c:20"), 1);
  assert_int_equal(found(judge, "Tree::check (scene.c:20:3)"), 1);
  assert_int_equal(found(judge, "/src/scene.c:20"), 0);
  assert_int_equal(found(judge, "eck"), 0);
  assert_int_equal(found(judge, "chek"), 0);
  assert_string_equal(sc_err_hint_text(), "did you mean \"check\"?");
  assert_int_equal(found(judge, "leaf > main"), 0);
  unit_has(sc_err_message(), "no such way");
  assert_int_equal(found(judge, ""), 0);
  assert_int_equal(found(judge, " > "), 0);
  tear_down(judge);
}

static double quantity_at(const sc_judge *judge, const char *text, double n)
{
  sc_quantity q;
  sc_interval out;
  if (sc_quantity_parse(judge, &(sc_subject){0}, NULL, text, strlen(text), &q) < 0)
    fail_msg("%s: %s", text, sc_err_message());
  assert_int_equal(sc_quantity_predict(&q, n, &out), 0);
  sc_quantity_free(&q);
  return out.value;
}

static int refused(const sc_judge *judge, const char *text)
{
  sc_quantity q;
  int err = sc_quantity_parse(judge, &(sc_subject){0}, NULL, text, strlen(text), &q);
  sc_quantity_free(&q);
  return err;
}

TEST(quantities_are_right)
{
  sc_judge *judge = set_up("task-clock");
  double n = 1e5, pairs = n * (n - 1) / 2;
  near_to(quantity_at(judge, "calls(leaf)", n), pairs);
  near_to(quantity_at(judge, "calls(check)", n), n + 1);
  near_to(quantity_at(judge, "calls(setup > check)", n), 1);
  near_to(quantity_at(judge, "iterations(check)", n), pairs);
  near_to(quantity_at(judge, "iterations(scene.c:10)", n), n);
  near_to(quantity_at(judge, "iterations", n), 1 + n + n + 2 * pairs + 2);
  near_to(quantity_at(judge, "time(check)", n), 2e-6 * pairs);
  near_to(quantity_at(judge, "own(check)", n), 1e-6 * pairs);
  near_to(quantity_at(judge, "time", n), 2e-6 * pairs + 1e-6 * n);
  assert_int_equal(refused(judge, "calls"), SC_E_USAGE);
  assert_int_equal(refused(judge, "calls(scene.c:20)"), SC_E_USAGE);
  assert_int_equal(refused(judge, "colour"), SC_E_USAGE);
  assert_int_equal(refused(judge, "calls(leaf"), SC_E_USAGE);
  assert_int_equal(refused(judge, "memory"), SC_E_INPUT); /* nothing of resources was recorded */
  assert_int_equal(refused(judge, "utilisation(lock)"), SC_E_INPUT);
  tear_down(judge);
  judge = set_up("");
  assert_int_equal(refused(judge, "time"), SC_E_USAGE);
  assert_string_equal(sc_err_message(), "this study's costs are in iterations, not time");
  near_to(quantity_at(judge, "iterations", 1000), 1 + 1000 + 1000 + 2 * 499500 + 2);
  tear_down(judge);
}

static sc_interval limit_of(const sc_judge *judge, const char *text, sc_limit *limit)
{
  if (sc_limit_find(judge, &(sc_subject){0}, NULL, text, limit) < 0)
    fail_msg("%s: %s", text, sc_err_message());
  sc_interval n = limit->n;
  sc_limit_free(limit);
  return n;
}

TEST(limits_are_inverted)
{
  sc_judge *judge = set_up("task-clock");
  sc_limit limit;
  sc_interval n = limit_of(judge, "calls(leaf)=4,999,950,000", &limit); /* n (n - 1) / 2 at 100,000 */
  near_to(n.value, 1e5);
  near_to(n.low, 1e5);
  near_to(n.high, 1e5);
  assert_true(limit.certainty.half == 0 && limit.certainty.beyond > 15.6 && limit.certainty.beyond < 15.7);
  n = limit_of(judge, "time=200ms", &limit); /* n (n - 1) us + n us = n^2 us */
  near_to(n.value, ceil(sqrt(0.2e6)));
  assert_true(n.low <= n.value && n.high >= n.value);
  n = limit_of(judge, "3s", &limit);
  near_to(n.value, ceil(sqrt(3e6)));
  n = limit_of(judge, "calls(setup)=2", &limit);
  assert_true(isinf(n.value) && isinf(n.low) && isinf(n.high) && limit.farthest == 1e18);
  limit_of(judge, "calls(leaf)=1", &limit);
  assert_true(sc_limit_exceeded_already(&limit));
  static const char *const wrong[] = {
      "=1s", "time=", "time=x", "time=200", "time=2e2", "calls(leaf)=1s", "time(nobody)=1s", "=", "calls()=1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(sc_limit_find(judge, &(sc_subject){0}, NULL, wrong[i], &limit), SC_E_USAGE);
    sc_limit_free(&limit);
  }
  tear_down(judge);
}

TEST(answers_say_how_far_they_reach)
{
  static const double asked[] = {1e6, 50};
  sc_judge *judge = set_up("task-clock");
  char *text = answer(judge, &(sc_ask_request){.sizes = asked, .size_count = 2, .limits = "time=200ms"}, false);
  unit_has(text, "At n = 1,000,000: 12 days of processor time (95% interval: ");
  unit_has(text, "156 times the largest size measured (6,400): known to ");
  unit_has(text, "To narrow it, measure up to n = 26,000");
  unit_has(text, "At n = 50: ");
  unit_has(text, "Warning: below the sizes measured (n = 100 to 6,400)");
  unit_has(text, "200 ms of processor time is reached at n = 448 (95% interval: ");
  unit_has(text, "Next: scale-run report\n"); /* nobody waits for 12 days */
  fits(text);
  free(text);
  tear_down(judge);
}

TEST(times_that_were_not_checked_are_open)
{
  static const double asked[] = {1e6}, within[] = {3000};
  static const char said[] = "allows for executions that take";
  run_seconds = 0.002;
  sc_judge *judge = set_up("task-clock");
  run_seconds = 0;
  char *text = answer(judge, &(sc_ask_request){.sizes = asked, .size_count = 1}, false);
  unit_has(text, said);
  free(text);
  text = answer(judge, &(sc_ask_request){.sizes = within, .size_count = 1}, false);
  assert_null(strstr(text, said));
  free(text);
  tear_down(judge);
}

TEST(what_is_said_fits_the_study)
{
  static const double near_by[] = {7000};
  const sc_ask_request request = {.sizes = near_by, .size_count = 1};
  sc_judge *judge = set_up("task-clock");
  char *text = answer(judge, &request, false);
  unit_has(text, "own cost of");
  unit_has(text, "Next: scale-run verify --at n=7000\n");
  free(text);
  text = answer(judge, &(sc_ask_request){.sizes = near_by, .size_count = 1, .suppose = "setup=0x"}, false);
  unit_has(text, "1 call, supposed 0 times as often");
  free(text);
  tear_down(judge);
  judge = set_up("");
  text = answer(judge, &request, false);
  unit_has(text, "most executed");
  assert_null(strstr(text, "own cost of")); /* the same numbers */
  free(text);
  tear_down(judge);
}

/* check is called in two loops of main, which look the same from outside, and once in setup; leaf in two of its
 * contexts. */
static sc_judge *set_up_twice(void)
{
  sc_judge *judge = calloc(1, sizeof *judge);
  assert_non_null(judge);
  sc_graph *graph = scene_new(sizes, 6, "");
  uint32_t top = scene_main(graph), once = scene_function(graph, top, "setup", scene_one, 0);
  judge->study = "scale.db";
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"n=100..6400", "64000"}, (char **)program, &judge->loaded.workload),
      0);
  for (uint32_t line = 10; line <= 20; line += 10) {
    uint32_t loop = scene_loop(graph, top, "main", line, scene_n, 0);
    scene_function(graph, scene_function(graph, loop, "check", scene_n, 0), "leaf", scene_triangle, 0);
  }
  scene_function(graph, once, "check", scene_one, 0);
  judge->loaded.graph = graph;
  judge->loaded.analysis = scene_analyse(graph, targets, 1);
  judge->findings = scene_infer(judge->loaded.analysis);
  return judge;
}

/* Counts of library work stand among those of calls, with their unit. */
TEST(callees_have_units)
{
  sc_judge *judge = set_up_twice();
  sc_graph *graph = judge->loaded.graph;
  uint32_t top = 0;
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++)
    if (strcmp(sc_graph_at(graph, c)->name, "main") == 0 && sc_graph_at(graph, c)->kind == SC_LOCATION_FUNCTION)
      top = c;
  scene_work(graph, top, "strlen", 30, scene_square, 0);
  sc_findings_free(&judge->findings);
  sc_analysis_free(judge->loaded.analysis);
  judge->loaded.analysis = scene_analyse(graph, targets, 1);
  judge->findings = scene_infer(judge->loaded.analysis);
  sc_ask_request request = {.sizes = targets, .size_count = 1, .function = "main", .top = 10};
  char *text = answer(judge, &request, false), *json = answer(judge, &request, true);
  unit_has(text, "callee");
  unit_has(text, "calls or work");
  unit_has(text, "strlen from main (scene.c:30:9)  4.10 billion bytes");
  cJSON *document = cJSON_Parse(json);
  const cJSON *size = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "sizes"), 0), *row;
  bool found = false;
  cJSON_ArrayForEach(row, cJSON_GetObjectItem(size, "callees"))
  {
    bool work = strncmp(cJSON_GetStringValue(cJSON_GetObjectItem(row, "name")), "strlen", 6) == 0;
    found |= work;
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "counts")), work ? "bytes" : "calls");
    if (work)
      near_to(cJSON_GetNumberValue(cJSON_GetObjectItem(row, "count")), 64000. * 64000);
  }
  assert_true(found);
  cJSON_Delete(document);
  free(text);
  free(json);
  tear_down(judge);
}

TEST(rows_that_look_the_same_are_one)
{
  sc_judge *judge = set_up_twice();
  sc_ask_request request = {.sizes = targets, .size_count = 1, .function = "check", .top = 10};
  sc_ask ask;
  assert_int_equal(ask_it(judge, &request, &ask), 0);
  const sc_ask_size *size = ask.sizes;
  assert_int_equal(size->context_count, 3);
  assert_int_equal(size->callers.count, 2);
  assert_string_equal(size->callers.rows[0].title, "main");
  assert_int_equal(size->callers.rows[0].contexts, 2);
  near_to(size->callers.rows[0].count, 2 * 64000.);
  near_to(size->callers.rows[0].inclusive.value, 2 * 64000. + 64000. * 63999);
  assert_string_equal(size->callers.rows[1].title, "main > setup");
  near_to(size->callers.rows[1].count, 1);
  assert_int_equal(size->callees.count, 1);
  assert_string_equal(size->callees.rows[0].title, "leaf (scene.c)");
  assert_int_equal(size->callees.rows[0].contexts, 2);
  near_to(size->callees.rows[0].count, 64000. * 63999);
  near_to(size->callees.rows[0].inclusive.value, 64000. * 63999);
  sc_ask_free(&ask);
  request.top = 1;
  char *text = answer(judge, &request, false);
  unit_has(text, "and 1 more (--top)");
  fits(text);
  free(text);
  request.function = "leaf";
  assert_int_equal(ask_it(judge, &request, &ask), 0);
  assert_int_equal(ask.sizes->callees.count, 0);
  assert_int_equal(ask.sizes->callers.all, 1);
  sc_ask_free(&ask);
  tear_down(judge);
}

TEST(a_function_has_contexts_and_loops)
{
  sc_judge *judge = set_up("task-clock");
  char *text = answer(judge, &(sc_ask_request){.sizes = targets, .size_count = 1, .function = "check"}, false);
  unit_has(text, "At n = 64,000: 68 min of processor time of Tree::check (scene.c) (95% interval: ");
  unit_has(text, ">99.9% of all, in 2 contexts\n");
  unit_has(text, "own time");
  unit_has(text, "64,001"); /* calls */
  unit_has(text, "main > setup");
  unit_has(text, "Tree::check (scene.c:20:3)");
  fits(text);
  free(text);
  text = answer(judge, &(sc_ask_request){.sweep = "1e3..1e5/3", .function = "leaf", .of = "calls"}, false);
  unit_has(text, "Calls of leaf (scene.c) over n\n");
  unit_has(text, "499,500");
  unit_has(text, "exact");
  unit_has(text, "n^2.00");
  fits(text);
  free(text);
  tear_down(judge);
}

/* 4,950 iterations at 100, and n log n from there: 64,000 (log2 64,000 / log2 100) 49.5 us, twice; and n us. */
TEST(a_fix_is_supposed)
{
  sc_judge *judge = set_up("task-clock");
  sc_ask ask;
  double n = 64000, fixed = 4950 * n * log2(n) / (100 * log2(100));
  sc_ask_request request = {.suppose = "check=n log n", .limits = "time=100s"};
  assert_int_equal(ask_it(judge, &request, &ask), 0);
  const sc_supposing *s = ask.supposing;
  assert_int_equal(s->size_count, 1);
  near_to(s->sizes[0].before.value, 1e-6 * n * n);
  near_to(s->sizes[0].after.value, 1e-6 * (n + 2 * fixed));
  near_to(s->sizes[0].part_after.value, 2e-6 * fixed);
  near_to(ask.limits[0].n.value, 1e4);
  double there = ask.supposed_limits[0].n.value;
  near_to(1e-6 * (there + 2 * 49.5 * there * log2(there) / log2(100)), 100);
  assert_int_equal(s->items[0].place_count, 1); /* the loop: the function is called n times */
  near_to(s->items[0].places[0].anchor_count, 4950);
  sc_ask_free(&ask);
  char *text = answer(judge, &request, false);
  unit_has(text, "Suppose check=n log n\n");
  unit_has(text,
           "Tree::check (scene.c:20:3): 0.5 n^2 - 0.5 n iterations, supposed n log n from the 4,950 at n = 100\n");
  unit_has(text, "Then the worst finding at n = 64,000: ");
  unit_has(text, "With what is supposed: 100 s of processor time is reached at n = ");
  fits(text);
  free(text);
  text = answer(
      judge,
      &(sc_ask_request){
          .suppose = "scene.c:20=log n per call;leaf=0.5x", .of = "calls(leaf)", .sizes = targets, .size_count = 1},
      true);
  cJSON *json = cJSON_Parse(text), *size = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "sizes"), 0);
  const cJSON *value = cJSON_GetArrayItem(cJSON_GetObjectItem(size, "values"), 0);
  near_to(cJSON_GetObjectItem(cJSON_GetObjectItem(value, "supposed"), "value")->valuedouble,
          0.5 * n * 49.5 * log2(n) / log2(100));
  cJSON_Delete(json);
  free(text);
  static const char *const wrong[] = {"check",    "check=",          "=n",        "check=m",
                                      "nobody=n", "leaf=n per call", "check=-1x", "check=x"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (ask_it(judge, &(sc_ask_request){.suppose = wrong[i]}, &ask) != SC_E_USAGE)
      fail_msg("%s was taken", wrong[i]);
  tear_down(judge);
}

/* In no order at all. */
static double wild(double n) { return n * (1 + fmod(n * 0.618, 1) * 40 * (1 + fmod(n * 0.39, 1) * 20)); }

TEST(what_has_no_model_cannot_be_told)
{
  static const double asked[] = {1e6};
  sc_judge judge = {.study = "scale.db"};
  sc_loaded *l = &judge.loaded;
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"n=100..6400", "64000"}, (char **)program, &l->workload), 0);
  l->graph = scene_new(sizes, 6, "");
  uint32_t top = scene_main(l->graph);
  scene_loop(l->graph, top, "main", 10, wild, 0);
  l->analysis = scene_analyse(l->graph, asked, 1);
  judge.findings = scene_infer(l->analysis);
  if (sc_analysis_untold(l->analysis)->unbounded) {
    sc_limit limit;
    sc_outcome outcome;
    sc_buf verdict = {0};
    assert_int_equal(sc_outcome_of(&judge, NULL, &outcome), 0);
    assert_false(outcome.exact);
    assert_int_equal(sc_outcome_text(&judge, &outcome, &verdict), 0);
    unit_has(verdict.text, "(counts modelled but for what takes >99.9%, ");
    sc_buf_free(&verdict);
    limit_of(&judge, "iterations=1e12", &limit);
    assert_true(limit.cannot_tell);
    limit_of(&judge, "iterations(main)=1e12", &limit);
    assert_true(limit.cannot_tell);
    char *text = answer(
        &judge, &(sc_ask_request){.sizes = asked, .size_count = 1, .limits = "iterations=1e12", .suppose = "main=n"},
        false);
    unit_has(text, "Cannot tell when 1.00 trillion iterations and calls is reached");
    char supposed[160];
    snprintf(supposed, sizeof supposed, "no model of its iterations, supposed n from the %s at n = 100 on",
             sc_format_count(wild(100)).s);
    unit_has(text, supposed);
    unit_has(text, "unbounded");
    fits(text);
    free(text);
    sc_ask ask;
    assert_int_equal(ask_it(&judge, &(sc_ask_request){.suppose = "main=n"}, &ask), 0);
    near_to(ask.supposing->sizes[0].after.value, 1 + wild(100) * 1e6 / 100);
    sc_ask_free(&ask);
  } else {
    fail_msg("the scene has a model");
  }
  sc_judge_close(&judge);
}

/* A program that takes fractions is not told to run more than was asked for. */
TEST(the_next_size_is_one_that_the_program_takes)
{
  static const double n[] = {10000.5};
  for (int fractions = 0; fractions < 2; fractions++) {
    sc_judge *judge = set_up("task-clock");
    judge->loaded.workload->range_low += fractions ? 0.25 : 0;
    char *text = answer(judge, &(sc_ask_request){.sizes = n, .size_count = 1}, true);
    cJSON *ask = cJSON_Parse(text);
    assert_non_null(ask);
    const cJSON *size = cJSON_GetArrayItem(cJSON_GetObjectItem(ask, "sizes"), 0);
    const cJSON *value = cJSON_GetArrayItem(cJSON_GetObjectItem(size, "values"), 0);
    const cJSON *certainty = cJSON_GetObjectItem(value, "certainty");
    assert_true(cJSON_GetObjectItem(certainty, "next_size")->valuedouble == (fractions ? 10000.5 : 10001));
    cJSON_Delete(ask);
    free(text);
    tear_down(judge);
  }
}

TEST(json_has_everything)
{
  sc_judge *judge = set_up("task-clock");
  char *text = answer(judge, &(sc_ask_request){.sizes = targets, .size_count = 1, .limits = "time=1s"}, true);
  cJSON *ask = cJSON_Parse(text);
  assert_non_null(ask);
  const cJSON *size = cJSON_GetArrayItem(cJSON_GetObjectItem(ask, "sizes"), 0);
  near_to(cJSON_GetObjectItem(size, "n")->valuedouble, 64000);
  const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(size, "most_executed"), 0);
  near_to(cJSON_GetObjectItem(cJSON_GetObjectItem(first, "count"), "value")->valuedouble, 2047968000);
  const cJSON *value = cJSON_GetArrayItem(cJSON_GetObjectItem(size, "values"), 0);
  const cJSON *certainty = cJSON_GetObjectItem(value, "certainty");
  near_to(cJSON_GetObjectItem(certainty, "beyond_measured")->valuedouble, 10);
  assert_true(cJSON_GetObjectItem(certainty, "width_factor")->valuedouble >= 1);
  near_to(cJSON_GetObjectItem(certainty, "next_size")->valuedouble, 26000);
  const cJSON *plot = cJSON_GetObjectItem(ask, "plot");
  assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(plot, "measured")), 7);
  assert_false(
      cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(plot, "measured"), 6), "fitted")));
  assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(plot, "lines")), 1);
  cJSON_Delete(ask);
  free(text);
  tear_down(judge);
}

TEST(ticks_are_round)
{
  double ticks[12];
  assert_int_equal(sc_curve_ticks(90, 1.1e6, true, SC_AMOUNT_COUNT, 6, ticks, 12), 5);
  near_to(ticks[0], 100);
  near_to(ticks[4], 1e6);
  assert_int_equal(sc_curve_ticks(0, 1, false, SC_AMOUNT_RATIO, 5, ticks, 12), 6);
  near_to(ticks[1], 0.2);
  assert_int_equal(sc_curve_ticks(0, 0x1p32, false, SC_AMOUNT_BYTES, 4, ticks, 12), 5);
  near_to(ticks[1], 0x1p30);
  assert_true(sc_curve_ticks(3, 7, true, SC_AMOUNT_COUNT, 6, ticks, 12) >= 2);
  assert_int_equal(sc_curve_ticks(1, 1, false, SC_AMOUNT_COUNT, 6, ticks, 12), 0);
}

/* Both ways to draw show the same: line, band and points, and measured points lie on the line. */
TEST(curves_are_drawn)
{
  sc_judge *judge = set_up("task-clock");
  for (int utf8 = 0; utf8 < 2; utf8++) {
    char *text;
    sc_ask ask;
    sc_curve curve;
    FILE *out = unit_stream(&text);
    assert_int_equal(ask_it(judge, &(sc_ask_request){.limits = "time=100s"}, &ask), 0);
    assert_int_equal(sc_curve_make(&ask, &curve), 0);
    assert_true(curve.x_log && curve.y_log && curve.measured_count == 7 && curve.target_count == 1);
    for (size_t i = 0; i < curve.measured_count; i++)
      near_to(curve.measured[i].value, 1e-6 * curve.measured[i].n * curve.measured[i].n);
    assert_int_equal(sc_curve_print(out, &curve, utf8, &plain), 0);
    fclose(out);
    if (getenv("SCALE_TEST_SHOW"))
      puts(text);
    unit_has(text, "Processor time over n\n");
    unit_has(text, utf8 ? "\xe2\x97\x8f measured" : "o measured");
    unit_has(text, utf8 ? "\xe2\x95\x8c limit 100 s" : "- limit 100 s");
    unit_has(text, utf8 ? "\xe2\x94\x81 sizes measured (100 to 6,400)" : "= sizes measured (100 to 6,400)");
    for (const char *at = text; !utf8 && *at; at++)
      assert_true((unsigned char)*at < 0x80);
    fits(text);
    free(text);
    sc_curve_free(&curve);
    sc_ask_free(&ask);
  }
  tear_down(judge);
}

/* main > loop (n) > join (n calls) > strcat, which goes over n^2 bytes in all, and over 100 more in main. */
static sc_judge *set_up_work(void)
{
  sc_judge *judge = calloc(1, sizeof *judge);
  assert_non_null(judge);
  sc_loaded *l = &judge->loaded;
  judge->study = "scale.db";
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"n=100..6400", "64000"}, (char **)program, &l->workload), 0);
  l->graph = scene_new(sizes, 6, "");
  uint32_t top = scene_main(l->graph), loop = scene_loop(l->graph, top, "main", 10, scene_n, 0);
  uint32_t join = scene_function(l->graph, loop, "join", scene_n, 0);
  scene_work(l->graph, join, "strcat", 21, scene_square, 0);
  scene_work(l->graph, join, "__isoc99_sscanf", 22, scene_n, 0);
  scene_work(l->graph, top, "strcat", 11, scene_n, 0);
  l->analysis = scene_analyse(l->graph, targets, 1);
  judge->findings = scene_infer(l->analysis);
  return judge;
}

TEST(work_of_libraries)
{
  static const struct {
    const char *of;
    double value;
  } known[] = {{"work(strcat)", 64000. * 64000 + 64000},
               {"bytes(strcat)", 64000. * 64000 + 64000},
               {"bytes(join > strcat)", 64000. * 64000},
               {"bytes(join)", 64000. * 64000 + 64000},
               {"work(main)", 64000},
               {"work", 64000. * 64000 + 2 * 64000},
               {"bytes(scene.c:21)", 64000. * 64000},
               {"bytes(sscanf)", 64000},
               {"bytes(__isoc99_sscanf)", 64000},
               {"calls(join)", 64000},
               {"iterations", 1 + 2 * 64000 + (64000. * 64000 + 2 * 64000) / 64}};
  sc_judge *judge = set_up_work();
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    sc_ask ask;
    assert_int_equal(
        ask_it(judge, &(sc_ask_request){.sizes = targets, .size_count = 1, .of = known[i].of, .top = 5}, &ask), 0);
    near_to(ask.sizes[0].values[0].predicted.value, known[i].value);
    sc_ask_free(&ask);
  }
  static const char *const wrong[] = {"calls(strcat)", "elements(join)", "bytes(strcta)"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sc_ask ask;
    assert_int_equal(ask_it(judge, &(sc_ask_request){.sizes = targets, .size_count = 1, .of = wrong[i]}, &ask),
                     SC_E_USAGE);
  }
  char *text = answer(judge, &(sc_ask_request){.sizes = targets, .size_count = 1, .function = "join", .top = 5}, false);
  unit_has(text, "strcat from join (scene.c:21:9)  4.10 billion bytes");
  free(text);
  text = answer(judge, &(sc_ask_request){.sizes = targets, .size_count = 1, .suppose = "strcat=n", .top = 5}, false);
  unit_has(text, "strcat from join (scene.c:21:9): n^2 bytes, supposed n from the 10,000 at n = 100 on");
  free(text);
  tear_down(judge);
}

/* Work (once, wherever it is called), what is not instrumented and what a process takes itself have rows, so that all
   of the cost is in one; what takes nothing and is no function has none. */
TEST(functions_take_all_of_the_cost)
{
  sc_judge *judge = set_up_work();
  sc_ask ask;
  const sc_ask_request request = {.sizes = targets, .size_count = 1, .functions = true, .top = 20};
  for (int timed = 0; timed < 2; timed++) {
    double sum = 0;
    if (timed) {
      sc_graph *graph = judge->loaded.graph;
      uint32_t process = sc_graph_first_child(graph, 0), top = sc_graph_first_child(graph, process);
      uint32_t sort = scene_foreign(graph, top, "qsort");
      scene_function(graph, sort, "order", scene_n, 0);
      for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
        sc_run *about = sc_graph_run(graph, run);
        snprintf(about->cost_event, sizeof about->cost_event, "%s", "cpu-clock");
        about->samples = 100000;
        assert_int_equal(sc_graph_add(graph, run, sort, SC_METRIC_COST, about->n), 0);
        assert_int_equal(sc_graph_add(graph, run, process, SC_METRIC_COST, about->n / 10), 0);
      }
      scene_foreign(graph, top, "bsearch");
      sc_analysis_free(judge->loaded.analysis);
      judge->loaded.analysis = scene_analyse(graph, targets, 1);
    }
    assert_int_equal(ask_it(judge, &request, &ask), 0);
    const sc_ask_neighbours *rows = &ask.sizes[0].functions;
    assert_int_equal(rows->count, timed ? 7 : 4);
    assert_string_equal(rows->rows[0].title, timed ? "qsort, not instrumented" : "strcat");
    for (size_t i = 0; i < rows->count; i++)
      sum += rows->rows[i].self.value;
    near_to(sum, ask.sizes[0].total.value);
    sc_ask_free(&ask);
  }
  char *text = answer(judge, &request, false);
  unit_has(text, "strcat (bytes)");
  fits(text);
  free(text);
  tear_down(judge);
}
