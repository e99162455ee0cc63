/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What library functions are said to do, and loops that count what a condition of theirs costs. */
#include "unit.h"

#include "transitions/findings/conditions.h"
#include "transitions/findings/work.h"
#include "transitions/model/data.h"
#include "transitions_scene.h"

static const double sizes[] = {100, 200, 400, 800, 1600};
static const double targets[] = {160000};

static double seven_n(double n) { return 7 * n; }
static double half_square(double n) { return n * n / 2; }
static double cubes(double n) { return 3 * n * n * n; }
static double hundred(double n) { return n > 0 ? 100 : 0; }

static double logs(double n) { return log2(n); }
static double n_logs(double n) { return n * log2(n); }

TEST(advice_follows_the_function)
{
  static const struct {
    const char *name, *advice;
  } known[] = {{"strlen", "Remember the length"},
               {"wcsnlen", "Remember the length"},
               {"strcat", "It looks for the end of the string"},
               {"sscanf", "It measures the whole rest of the string"},
               {"std::vector<int, std::allocator<int> >::erase(int*)", "All that stands behind the place is moved"},
               {"std::deque<int, std::allocator<int> >::erase(int*)", "What stands between the place"},
               {"char* std::copy<char*, char*>(char*, char*, char*)", "What was copied before is copied again"},
               {"memmove", "All that stands behind the place is moved"},
               {"realloc", "What is there is copied whenever it grows"},
               {"memcpy", "What was copied before is copied again"},
               {"memset", "Clear or fill only what was used"},
               {"strstr", "Go on from where the last search ended"},
               {"strcmp", "Compare less"},
               {"lfind", "Look things up in an index: an array"},
               {"qsort", "Sort once"},
               {"snprintf", "Write behind what is there"},
               {"fread", "Read or write each part once"},
               {"len", "Remember what the last call found"}, /* only whole names count */
               {"crc32", "Remember what the last call found"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    sc_graph *graph = scene_new(sizes, 5, "");
    uint32_t main = scene_main(graph), work = scene_work(graph, main, known[i].name, 5, scene_n, 0);
    unit_has(sc_work_advice(graph, work), known[i].advice);
    sc_graph_free(graph);
  }
}

/* Of what a header's function calls the user's call is spoken of, where it is known; else the call itself. */
TEST(advice_follows_the_call_that_the_user_wrote)
{
  static const struct {
    const char *through, *advice;
  } cases[] = {
      {"std::vector<int, std::allocator<int> >::insert(int*, int)", "All that stands behind the place is moved"},
      {"std::unheard_of()", "What was copied before is copied again"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_graph *graph = scene_new(sizes, 5, "");
    sc_location header = {.kind = SC_LOCATION_FUNCTION, .name = cases[i].through, .file = "/usr/include/c++/13/vector"};
    uint32_t called = scene_context(graph, scene_main(graph), &header);
    scene_fill(graph, called, scene_n, 0);
    unit_has(sc_work_advice(graph, scene_work(graph, called, "memcpy", 5, half_square, 0)), cases[i].advice);
    sc_graph_free(graph);
  }
}

/* What a finding at a library function says of it, `around` of whose executions there are and `bytes` of the call. */
static void describes(scene_curve around, bool function, scene_curve bytes, const char *expected)
{
  sc_graph *graph = scene_new(sizes, 5, "");
  uint32_t main = scene_main(graph);
  uint32_t above =
      function ? scene_function(graph, main, "parse", around, 0) : scene_loop(graph, main, "main", 3, around, 0);
  uint32_t work = scene_work(graph, above, "strlen", 5, bytes, 0);
  sc_analysis *analysis = scene_analyse(graph, targets, 1);
  sc_finding f = {.context = work, .to = sc_analysis_model(analysis, work)->order};
  sc_buf text = {0};
  sc_work_describe(analysis, &f, &text);
  scene_says(&text, expected);
  scene_end(graph, analysis, NULL);
}

TEST(work_is_told_for_each_execution_around)
{
  describes(scene_n, false, half_square, "For each of the n iterations, strlen goes over 0.5 n bytes on average.");
  describes(seven_n, false, cubes, "For each of the 7 n iterations, strlen goes over 0.429 n^2 bytes on average.");
  describes(scene_n, true, half_square, "For each of the n calls of parse, strlen goes over 0.5 n bytes on average.");
  describes(scene_n, true, seven_n, "For each of the n calls of parse, strlen goes over 7 bytes on average.");
  describes(hundred, false, half_square, "strlen goes over about n^2 bytes."); /* the same everywhere */
  describes(logs, false, half_square,
            "For each of the log2(n) iterations, strlen goes over 0.5 n^2 / log2(n) bytes on average.");
  describes(n_logs, false, n_logs, "For each of the n log2(n) iterations, strlen goes over 1 bytes on average.");
}

static double n_and_one(double n) { return n + 1; }
static double n_and_two(double n) { return n + 2; }

/* A loop's condition is evaluated once more than the loop: of those whose count it has, the first. */
TEST(conditions_belong_to_the_loop_beside_them)
{
  static const struct {
    scene_curve first, second, work;
    size_t expected; /* 1, 2: of the loops; 0: none */
  } cases[] = {{scene_n, half_square, scene_n, 1},   {scene_n, half_square, n_and_one, 1},
               {scene_n, half_square, n_and_two, 0}, {half_square, scene_n, n_and_one, 2},
               {n_and_one, scene_n, scene_n, 1},     {scene_n, scene_n, n_and_one, 1},
               {half_square, seven_n, cubes, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_graph *graph = scene_new(sizes, 5, "");
    uint32_t main = scene_main(graph), loops[3] = {SC_NONE};
    loops[1] = scene_loop(graph, main, "main", 10, cases[i].first, 0);
    loops[2] = scene_loop(graph, main, "main", 20, cases[i].second, 0);
    uint32_t work = scene_work(graph, main, "strlen", 5, cases[i].work, 0);
    sc_analysis *analysis = scene_analyse(graph, targets, 1);
    sc_conditions *conditions = sc_conditions_new(analysis);
    assert_non_null(conditions);
    if (sc_conditions_find(conditions, work, main) != loops[cases[i].expected])
      fail_msg("case %zu", i);
    assert_true(sc_conditions_find(conditions, work, 0) == SC_NONE); /* no loops there */
    sc_conditions_free(conditions);
    scene_end(graph, analysis, NULL);
  }
}
