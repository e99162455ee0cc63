/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs show of discovered resources: what does not grow, what acquires and releases no unit in common, what did
 * not run; of graphs made by hand. */
#include "unit.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "profiles/graph/usage.h"
#include "runner/discover/measure.h"
#include "runner/text/tuning.h"

/* A free list of a pool, with a function around the one that gives back and one that waits for it; objects; a queue. */
#define FUNCTION(name, result, arguments, rest)                                                       \
  "{\"name\":\"" name "\",\"file\":0,\"line\":5,\"result\":{\"type\":\"" result "\",\"pointers\":1}," \
  "\"arguments\":[" arguments "]" rest "}"
#define OF(type)                 "{\"name\":\"x\",\"type\":\"" type "\",\"pointers\":1}"
#define RETURNS(what)            ",\"returns\":[\"" what "\"]"
#define CALL(name, values, more) ",\"calls\":[{\"callee\":\"" name "\",\"line\":9,\"arguments\":[" values "]" more "}]"
#define LINK(kind, head, unit)                                                                       \
  ",\"links\":[{\"kind\":\"" kind "\",\"head\":\"" head "\",\"link\":\"node.next\",\"unit\":\"" unit \
  "\",\"base\":\"a0\",\"line\":7}]"
#define STORE(place, value) ",\"stores\":[{\"place\":\"" place "\",\"base\":\"a0\",\"value\":\"" value "\",\"line\":6}]"
#define TYPE(name, fields)  "{\"name\":\"" name "\",\"kind\":\"struct\",\"fields\":[" fields "]}"
#define FIELD(name)         "{\"name\":\"" name "\",\"type\":\"node\",\"pointers\":1}"
#define WAIT(place)         ",\"waits\":[{\"call\":0,\"loop\":true,\"rereads\":[\"" place "\"]}]"
#define AND                 ","
#define POOL_AND_NODE       OF("pool") AND OF("node")
static const char types[] =
    TYPE("node", FIELD("next")) AND TYPE("pool", FIELD("free")) AND TYPE("line", FIELD("head") AND FIELD("tail"));
static const char *const functions[] = {
    FUNCTION("pool_get", "node", OF("pool"), LINK("pop", "pool.free", "a0:pool.free") RETURNS("a0:pool.free|n")),
    FUNCTION("pool_give_page", "void", POOL_AND_NODE, LINK("push", "pool.free", "a1")),
    FUNCTION("pool_give", "void", POOL_AND_NODE,
             LINK("push", "pool.free", "a1") CALL("pool_give_page", "\"a0\",\"a1\"", ",\"conditional\":true")),
    FUNCTION("thing_new", "thing", "", CALL("malloc", "\"k:16\"", "") RETURNS("c0")),
    FUNCTION("thing_free", "void", OF("thing"), CALL("free", "\"a0\"", "")),
    FUNCTION("line_push", "void", OF("line") AND OF("node"), LINK("tail", "line.tail", "a1") STORE("line.head", "a1")),
    FUNCTION("line_pop", "node", OF("line"), LINK("pop", "line.head", "a0:line.head") RETURNS("a0:line.head|n")),
    FUNCTION("await_node", "node", OF("pool"),
             CALL("pthread_cond_wait", "", "") LINK("pop", "pool.free", "a0:pool.free") RETURNS("a0:pool.free|n")
                 WAIT("pool.free")),
    FUNCTION("await_room", "void", OF("pool"), CALL("pool_give", "\"a0\",\"?\"", "")),
    FUNCTION(
        "take", "void", OF("pool"),
        ",\"calls\":[{\"callee\":\"pool_get\",\"line\":20,\"arguments\":[\"a0\"],\"loop\":true,\"result\":\"tested\"},"
        "{\"callee\":\"await_room\",\"line\":22,\"arguments\":[\"a0\"],\"loop\":true,\"conditional\":true}]"),
    FUNCTION("tree_new", "tree", "", CALL("malloc", "\"k:16\"", "") RETURNS("c0")),
    FUNCTION("tree_free", "void", OF("tree"), CALL("free", "\"a0\"", "")),
    FUNCTION("resize", "void", OF("void"), CALL("realloc", "\"a0\",\"k:99\"", "") RETURNS("c0")),
    FUNCTION("tree_grow", "tree", OF("tree"), CALL("resize", "\"a0\"", "") RETURNS("c0")),
    FUNCTION("main", "int", "", "")};

static sc_discovery *discovery;
static sc_graph *graph;
static cJSON *found;
static const char *resource_name; /* of probes */
static const double sizes[] = {100, 800};
enum { SIZES = 2 };

/* A study that has a run of each size, divided by `by`, and no calls yet; instead of the one before. */
static void begin_study(double by)
{
  sc_graph_free(graph);
  assert_int_equal(sc_graph_new(&graph), 0);
  for (size_t i = 0, run; i < SIZES; i++)
    assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = sizes[i] / by}, &run), 0);
}

static int set_up(void **state)
{
  (void)state;
  resource_name = "r";
  char *facts;
  FILE *out = unit_stream(&facts);
  fprintf(out, "{\"scale_facts\":1,\"unit\":\"p.c\",\"folder\":\"/s\",\"files\":[\"src/p.c\"],\"types\":[%s]", types);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    fprintf(out, "%s%s", i ? "," : ",\"functions\":[", functions[i]);
  fputs("]}\n", out);
  fclose(out);
  assert_int_equal(sc_discover_text(facts, strlen(facts), "facts", &discovery), 0);
  free(facts);
  begin_study(1);
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  cJSON_Delete(found);
  found = NULL;
  sc_graph_free(graph);
  graph = NULL;
  sc_discovery_free(discovery);
  discovery = NULL;
  return 0;
}

static uint32_t context_of(const char *function)
{
  uint32_t location, context;
  sc_location at = {.kind = SC_LOCATION_FUNCTION, .name = function, .file = "/s/src/p.c"};
  assert_int_equal(sc_graph_location(graph, &at, &location), 0);
  assert_int_equal(sc_graph_context(graph, 0, location, &context), 0);
  return context;
}

/* Calls at the smaller and at the larger size. */
static void ran(const char *function, double few, double many)
{
  uint32_t context = context_of(function);
  assert_int_equal(sc_graph_add(graph, 0, context, SC_METRIC_COUNT, few), 0);
  assert_int_equal(sc_graph_add(graph, 1, context, SC_METRIC_COUNT, many), 0);
}

static void both_ran(const char *acquires, const char *releases, double few, double many)
{
  ran(acquires, few, many);
  ran(releases, few, many);
}

/* At the larger size its probes counted that. */
static void counted(const char *function, enum sc_usage_event event, enum sc_usage_value first, double value,
                    enum sc_usage_value second, double other)
{
  uint32_t resource;
  assert_int_equal(
      sc_usage_resource(graph, &(sc_resource){SC_RESOURCE_OTHER, resource_name, "", 0, .probe = true}, &resource), 0);
  sc_usage usage = {.context = context_of("main"), .resource = resource, .via = function, .event = event};
  usage.values[first] = value;
  usage.values[second] += other;
  assert_int_equal(sc_usage_add(graph, 1, &usage, NULL), 0);
}
#define acquired(function, times, back) \
  counted(function, SC_USAGE_EVENT_ACQUIRE, SC_USAGE_ACQUIRES, times, SC_USAGE_RETURNED, back)
#define gave_back(function, times, strangers) \
  counted(function, SC_USAGE_EVENT_RELEASE, SC_USAGE_RELEASES, times, SC_USAGE_STRANGERS, strangers)

/* Both counted 800 at the larger size: `back` came back, and nobody was seen to acquire `strangers`. */
static void dealt(const char *acquires, const char *releases, double back, double strangers)
{
  both_ran(acquires, releases, 100, 800);
  acquired(acquires, 800, back);
  gave_back(releases, 800, strangers);
}

static void show(void)
{
  char *text;
  FILE *out = unit_stream(&text);
  assert_int_equal(sc_discover_print_json(out, discovery, &(sc_discover_view){.all = true}), 0);
  fclose(out);
  found = cJSON_Parse(text);
  free(text);
  assert_non_null(found);
}

static void check(void)
{
  unit_ok(sc_discovery_measure(discovery, graph, "s.db", "n"));
  unit_ok(sc_discovery_check(discovery));
  show();
}

static const cJSON *part(const cJSON *of, const char *key) { return cJSON_GetObjectItemCaseSensitive(of, key); }
static double number(const cJSON *of, const char *key) { return cJSON_GetNumberValue(part(of, key)); }
static bool is_named(const cJSON *item, const char *function)
{
  return strcmp(cJSON_GetStringValue(part(item, "function")), function) == 0;
}

static const cJSON *event(const char *function)
{
  const cJSON *resource, *item;
  cJSON_ArrayForEach(resource, part(found, "resources"))
      cJSON_ArrayForEach(item, part(resource, "events")) if (is_named(item, function)) return item;
  fail_msg("%s is no event", function);
  return NULL;
}

static bool proposed(const char *function) { return cJSON_IsTrue(part(event(function), "proposed")); }
static const cJSON *measured(const char *function) { return part(event(function), "measured"); }
static const char *doubt(const char *function) { return cJSON_GetStringValue(part(measured(function), "doubt")); }

static void rejected(const char *function, const char *why)
{
  const cJSON *item;
  cJSON_ArrayForEach(item, part(found, "rejected")) if (is_named(item, function) && cJSON_IsTrue(part(item, "by_run")))
  {
    unit_has(cJSON_GetStringValue(part(item, "reason")), why);
    assert_false(proposed(function));
    return;
  }
  fail_msg("%s is not rejected", function);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

TEST_WITH(what_grows_stays_and_what_does_not_run_is_said, set_up, tear_down)
{
  both_ran("thing_new", "thing_free", 100, 800);
  check();
  assert_true(proposed("thing_new") && proposed("thing_free"));
  assert_true(cJSON_IsTrue(part(measured("thing_new"), "grows")));
  assert_int_equal(number(measured("thing_new"), "calls"), 800);
  assert_int_equal(number(measured("thing_new"), "calls_at_smallest"), 100);
  assert_true(proposed("pool_get"));
  assert_true(cJSON_IsFalse(part(measured("pool_get"), "ran")));
  const cJSON *verdict = part(found, "verdict"), *first = cJSON_GetArrayItem(part(found, "resources"), 0);
  assert_int_equal(number(verdict, "kept"), 2);
  assert_int_equal(number(verdict, "rejected"), 0);
  assert_int_equal(number(verdict, "proposed"), 2 + number(verdict, "not_run"));
  assert_string_equal(cJSON_GetStringValue(part(first, "unit_type")), "thing"); /* what ran comes first */
  unit_has(cJSON_GetStringValue(part(first, "balance")), "at n = 800 acquires ran 800 times, releases 800 times");
}

TEST_WITH(what_is_constant_is_rejected_with_its_resource, set_up, tear_down)
{
  ran("thing_new", 3, 3);
  ran("line_push", 7, 7);
  ran("line_pop", 100, 800);
  check();
  rejected("thing_new", "does not grow with the size: ran 3 times at n = 100, 3 times at n = 800");
  rejected("thing_free", "nothing is left that acquires it: not run");
  rejected("line_push", "does not grow");
  rejected("line_pop", "nothing is left that acquires it: ran 100 times");
}

/* A twentieth of the calls, or of the steps of the parameter: 700 of them from 100 to 800. */
TEST_WITH(a_twentieth_more_is_growth, set_up, tear_down)
{
  both_ran("thing_new", "thing_free", 100, 105);
  ran("pool_get", 100, 106);
  ran("pool_give", 1000000, 1000036);
  check();
  assert_false(proposed("thing_new"));
  assert_true(proposed("pool_get"));
  assert_true(cJSON_IsTrue(part(measured("pool_give"), "grows")));
}

TEST_WITH(many_more_by_less_than_a_twentieth_of_the_parameter_is_none, set_up, tear_down)
{
  ran("pool_get", 1000000, 1000035);
  check();
  assert_true(cJSON_IsFalse(part(measured("pool_get"), "grows")));
}

/* What acquires grows and what releases does not: that is a leak, and no reason to forget the release. */
TEST_WITH(a_release_that_does_not_grow_is_a_leak, set_up, tear_down)
{
  ran("thing_new", 100, 800);
  ran("thing_free", 1, 1);
  check();
  assert_true(proposed("thing_new") && proposed("thing_free"));
  unit_has(cJSON_GetStringValue(part(cJSON_GetArrayItem(part(found, "resources"), 0), "balance")),
           "up to 799 stayed: kept on purpose, or a leak");
}

TEST_WITH(what_starts_the_program_is_not_taken_for_a_leak, set_up, tear_down)
{
  ran("thing_new", 104, 804);
  ran("thing_free", 100, 800);
  check();
  assert_null(strstr(cJSON_GetStringValue(part(cJSON_GetArrayItem(part(found, "resources"), 0), "balance")), "leak"));
}

static double confidence(const char *function) { return number(event(function), "confidence"); }

/* A score that is half right alone. */
TEST_WITH(a_run_makes_confident, set_up, tear_down)
{
  show();
  assert_true(confidence("pool_give_page") == 0.5 && confidence("thing_new") == 0.9);
}

TEST_WITH(of_what_it_keeps, set_up, tear_down)
{
  both_ran("pool_get", "pool_give_page", 100, 800);
  ran("thing_new", 100, 800);
  check();
  assert_true(confidence("pool_give_page") == SC_DISCOVER_KEPT && confidence("pool_get") >= SC_DISCOVER_KEPT);
  assert_true(confidence("thing_new") == 0.9 && confidence("line_push") < SC_DISCOVER_KEPT);
}

/* The release that is proposed is the one inside; the run reached only the one around it. */
TEST_WITH(a_function_that_ran_stands_for_one_that_did_not, set_up, tear_down)
{
  both_ran("pool_get", "pool_give", 100, 800);
  check();
  assert_true(proposed("pool_give"));
  assert_false(proposed("pool_give_page"));
}

TEST_WITH(the_one_inside_stays_where_it_ran, set_up, tear_down)
{
  both_ran("pool_get", "pool_give", 100, 800);
  ran("pool_give_page", 10, 80);
  check();
  assert_false(proposed("pool_give"));
  assert_true(proposed("pool_give_page"));
}

/* What releases may be called where there is nothing to release. */
TEST_WITH(a_resource_of_which_only_releases_run_is_not_reached, set_up, tear_down)
{
  ran("thing_free", 100, 800);
  ran("pool_give", 1, 1);
  check();
  assert_true(proposed("thing_free") && proposed("thing_new") && proposed("pool_get"));
  assert_null(doubt("thing_free"));
  const cJSON *verdict = part(found, "verdict");
  assert_int_equal(number(verdict, "kept") + number(verdict, "rejected"), 0);
  const cJSON *thing = part(found, "resources")->child;
  while (strcmp(cJSON_GetStringValue(part(thing, "name")), "thing: objects") != 0)
    assert_non_null(thing = thing->next);
  unit_has(cJSON_GetStringValue(part(thing, "doubts")), "nothing ran that acquires it");
  assert_true(cJSON_IsNull(part(thing, "balance")));
}

/* A tenth more releases than acquires, beyond what both did at the smallest size. */
TEST_WITH(a_tenth_more_releases_are_doubted, set_up, tear_down)
{
  ran("thing_new", 100, 1100);
  ran("thing_free", 100, 1200);
  check();
  assert_null(doubt("thing_free"));
}

TEST_WITH(more_than_a_tenth_are, set_up, tear_down)
{
  ran("thing_new", 100, 1100);
  ran("thing_free", 100, 1201);
  check();
  double before = number(event("thing_new"), "score");
  unit_has(doubt("thing_free"), "releases run more often");
  assert_true(number(event("thing_free"), "score") <= before - SC_DISCOVER_DOUBT);
}

static const char *first_resource(void) { return cJSON_GetStringValue(part(part(found, "resources")->child, "name")); }

/* More functions get a tree than a thing: for it to come first it has to be acquired more often by 1.5^0.5. */
TEST_WITH(among_alike_what_is_acquired_most_comes_first, set_up, tear_down)
{
  both_ran("tree_new", "tree_free", 100, 10000);
  both_ran("thing_new", "thing_free", 100, 12200);
  check();
  assert_string_equal(first_resource(), "tree: objects");
}

TEST_WITH(far_more_of_them_do, set_up, tear_down)
{
  both_ran("tree_new", "tree_free", 100, 10000);
  both_ran("thing_new", "thing_free", 100, 12300);
  check();
  assert_string_equal(first_resource(), "thing: objects");
}

/* ---- several studies --------------------------------------------------------------------------------------------- */

TEST_WITH(what_grows_in_one_of_two_studies_stays, set_up, tear_down)
{
  both_ran("thing_new", "thing_free", 3, 3);
  assert_int_equal(sc_discovery_measure(discovery, graph, "first.db", "n"), 0);
  begin_study(100);
  both_ran("thing_new", "thing_free", 3, 24);
  check();
  assert_true(proposed("thing_new") && proposed("thing_free"));
  assert_int_equal(number(measured("thing_new"), "study"), 1);
  assert_int_equal(number(measured("thing_new"), "at"), 8);
}

/* Its calls grow in the first study; what probes counted in the second does not replace what they counted there. */
TEST_WITH(probes_are_read_where_calls_grow, set_up, tear_down)
{
  dealt("thing_new", "thing_free", 800, 0);
  assert_int_equal(sc_discovery_measure(discovery, graph, "first.db", "n"), 0);
  begin_study(1);
  both_ran("thing_new", "thing_free", 9, 9);
  acquired("thing_new", 9, 0);
  gave_back("thing_free", 9, 9);
  check();
  assert_true(proposed("thing_new") && proposed("thing_free"));
  assert_int_equal(number(part(measured("thing_new"), "probes"), "acquires"), 800);
}

/* ---- probes -------------------------------------------------------------------------------------------------------
 */

TEST_WITH(units_that_pair_stay, set_up, tear_down)
{
  dealt("thing_new", "thing_free", 800, 4);
  check();
  assert_true(proposed("thing_new") && proposed("thing_free"));
  assert_int_equal(number(part(measured("thing_new"), "probes"), "came_back"), 800);
  assert_int_equal(number(part(measured("thing_free"), "probes"), "releases_of_unknown"), 4);
}

TEST_WITH(half_of_the_releases_may_be_of_strangers, set_up, tear_down)
{
  dealt("thing_new", "thing_free", 400, 400);
  check();
  assert_true(proposed("thing_free"));
}

/* A pool is filled by what gives back to it. */
TEST_WITH(what_was_there_from_the_start_does_not_count, set_up, tear_down)
{
  ran("pool_get", 100, 800);
  ran("pool_give", 10100, 10800);
  acquired("pool_get", 800, 400);
  gave_back("pool_give", 10400, 10000);
  check();
  assert_true(proposed("pool_get") && proposed("pool_give"));
}

/* A function may acquire for two resources: those of this one's name count. */
TEST_WITH(units_of_another_resource_do_not_count, set_up, tear_down)
{
  both_ran("thing_new", "thing_free", 100, 800);
  gave_back("thing_free", 800, 0);
  acquired("thing_new", 800, 800);
  resource_name = "thing: objects";
  gave_back("thing_free", 800, 10);
  acquired("thing_new", 800, 790);
  resource_name = "a third";
  acquired("thing_new", 800, 0);
  check();
  assert_int_equal(number(part(measured("thing_new"), "probes"), "came_back"), 790);
  assert_int_equal(number(part(measured("thing_free"), "probes"), "releases_of_unknown"), 10);
}

/* What acquires here may have been told as of another resource. */
TEST_WITH(units_are_paired_within_what_the_probes_name, set_up, tear_down)
{
  both_ran("thing_new", "thing_free", 100, 800);
  acquired("thing_new", 800, 0);
  resource_name = "another";
  gave_back("thing_free", 800, 800);
  check();
  assert_true(proposed("thing_new") && proposed("thing_free"));
}

TEST_WITH(more_are_of_another_resource, set_up, tear_down)
{
  dealt("thing_new", "thing_free", 0, 401);
  check();
  rejected("thing_free", "gives back what nothing here acquires");
  rejected("thing_new", "nothing gives back what it acquires: ran 100 times");
}

/* Whatever tries to acquire tries once for each time that it made room. */
TEST_WITH(what_makes_room_between_tries_stays, set_up, tear_down)
{
  both_ran("pool_get", "pool_give", 100, 800);
  ran("await_room", 1, 800);
  check();
  assert_true(proposed("await_room"));
}

TEST_WITH(what_runs_more_often_than_tries_is_no_wait, set_up, tear_down)
{
  both_ran("pool_get", "pool_give", 100, 800);
  ran("await_room", 1, 801);
  check();
  rejected("await_room", "is called more often than anything tries to acquire: ran 1 time at n = 100, 801 times");
}

/* Its nodes go through realloc, by way of a function for bytes. */
TEST_WITH(what_realloc_moves_is_only_doubted, set_up, tear_down)
{
  dealt("tree_new", "tree_free", 0, 401);
  check();
  assert_true(proposed("tree_new") && proposed("tree_free"));
  unit_has(doubt("tree_new"), "realloc");
  unit_has(doubt("tree_free"), "realloc");
}

TEST_WITH(one_release_of_a_stranger_disproves_nothing, set_up, tear_down)
{
  ran("thing_new", 100, 800);
  ran("thing_free", 0, 1);
  acquired("thing_new", 800, 0);
  gave_back("thing_free", 1, 1);
  check();
  assert_true(proposed("thing_new") && proposed("thing_free"));
}

TEST_WITH(two_do, set_up, tear_down)
{
  ran("thing_new", 100, 800);
  ran("thing_free", 0, 2);
  acquired("thing_new", 800, 0);
  gave_back("thing_free", 2, 2);
  check();
  rejected("thing_free", "gives back what nothing here acquires");
}

/* Who takes from a queue may be back before who put the unit there is. */
TEST_WITH(a_queue_is_only_doubted, set_up, tear_down)
{
  dealt("line_push", "line_pop", 0, 700);
  check();
  assert_true(proposed("line_push") && proposed("line_pop"));
  unit_has(doubt("line_pop"), "was acquired by nothing here");
}

TEST_WITH(what_comes_again_before_it_came_back_is_doubted, set_up, tear_down)
{
  both_ran("pool_get", "pool_give", 100, 800);
  acquired("pool_get", 800, 800);
  counted("pool_get", SC_USAGE_EVENT_ACQUIRE, SC_USAGE_UNSEEN, 401, SC_USAGE_FAILURES, 0);
  gave_back("pool_give", 800, 0);
  check();
  assert_true(proposed("pool_get"));
  unit_has(doubt("pool_get"), "acquired again before it came back");
  assert_int_equal(number(part(found, "verdict"), "weak") + number(part(found, "verdict"), "kept"), 2);
}

static void waited(double times, double seconds)
{
  both_ran("pool_get", "pool_give", 100, 800);
  ran("await_node", 10, 80);
  counted("await_node", SC_USAGE_EVENT_WAIT, SC_USAGE_WAITS, times, SC_USAGE_WAIT_SECONDS, seconds);
}

static bool waits(void)
{
  const cJSON *resource, *item;
  cJSON_ArrayForEach(resource, part(found, "resources")) cJSON_ArrayForEach(
      item, part(resource, "events")) if (is_named(item, "await_node") &&
                                          strcmp(cJSON_GetStringValue(part(item, "event")), "wait") ==
                                              0) return cJSON_IsTrue(part(item, "proposed"));
  fail();
  return false;
}

TEST_WITH(a_microsecond_is_a_delay, set_up, tear_down)
{
  waited(10, 10e-6);
  check();
  assert_true(waits());
}

TEST_WITH(less_is_none, set_up, tear_down)
{
  waited(10, 9.9e-6);
  check();
  assert_false(waits());
}

/* A trace speaks of a function and a resource, by the name that the probe set gives it. */
TEST_WITH(what_a_trace_says_of_another_resource_does_not_count, set_up, tear_down)
{
  both_ran("thing_new", "thing_free", 100, 800);
  resource_name = "thing: objects";
  acquired("thing_new", 800, 800);
  sc_discarded_event discarded = {"thing_free", "another", "9 of 10 times nobody had it"};
  assert_int_equal(sc_usage_add_discarded(graph, &discarded), 0);
  check();
  assert_true(proposed("thing_free"));
}

TEST_WITH(what_a_trace_disproves_is_rejected, set_up, tear_down)
{
  both_ran("thing_new", "thing_free", 100, 800);
  assert_int_equal(
      sc_usage_add_discarded(graph, &(sc_discarded_event){"thing_free", "r", "9 of 10 times nobody had it"}), 0);
  check();
  rejected("thing_free", "9 of 10 times nobody had it");
  rejected("thing_new", "nothing is left that gives it back");
}

/* ---- what cannot be held against it -------------------------------------------------------------------------------
 */

TEST_WITH(one_size_shows_no_growth, set_up, tear_down)
{
  sc_graph_drop_run(graph);
  context_of("pool_get");
  assert_int_equal(sc_discovery_measure(discovery, graph, "s.db", "n"), SC_E_TOOLITTLE);
  unit_has(sc_err_message(), "the study s.db has runs of one size");
  unit_has(sc_err_hint_text(), "-o s.db");
}

TEST_WITH(another_program_is_refused, set_up, tear_down)
{
  ran("main", 1, 1);
  ran("strangers_function", 100, 800);
  assert_int_equal(sc_discovery_measure(discovery, graph, "s.db", "n"), SC_E_INPUT);
  unit_has(sc_err_message(), "the study s.db ran none of these functions");
  assert_true(*sc_err_hint_text());
}
