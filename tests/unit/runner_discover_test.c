/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes in the facts of small programs, written by hand, each beside its harmless twin. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "runner/discover/discover.h"
#include "runner/discover/internal.h"
#include "runner/discover/names.h"
#include "runner/discover/score.h"

/* The types of all of them. */
#define TYPES                                                                                                   \
  "\"types\":[{\"name\":\"node\",\"kind\":\"struct\",\"aliases\":[\"node_t\"],\"fields\":["                     \
  "{\"name\":\"next\",\"type\":\"node\",\"pointers\":1},{\"name\":\"refs\",\"type\":\"int\",\"pointers\":0}]}," \
  "{\"name\":\"pool\",\"kind\":\"struct\",\"fields\":[{\"name\":\"free\",\"type\":\"node\",\"pointers\":1},"    \
  "{\"name\":\"last\",\"type\":\"node\",\"pointers\":1},{\"name\":\"text\",\"type\":\"char\",\"pointers\":1},{" \
  "\"name\":\"used\",\"type\":\"int\",\"pointers\":0}]},{"                                                      \
  "\"name\":\"handle\",\"kind\":\"class\",\"fields\":[{\"name\":\"of\",\"type\":\"node\",\"pointers\":1}]},{"   \
  "\"name\":\"table\",\"kind\":\"struct\",\"fields\":[{\"name\":\"slots\",\"type\":\"node\",\"pointers\":0},{"  \
  "\"name\":\"unused\",\"type\":\"int\",\"pointers\":0}]}],"

static sc_discovery *discovery;
static char *text;

static void discover(const char *functions)
{
  free(text);
  sc_discovery_free(discovery);
  assert_true(asprintf(&text,
                       "{\"scale_facts\":1,\"unit\":\"p.c\",\"folder\":\"/s\",\"files\":[\"p.c\"]," TYPES
                       "\"functions\":[%s]}\n",
                       functions) > 0);
  int err = sc_discover_text(text, strlen(text), "facts", &discovery);
  unit_ok(err);
}

static int tear_down(void **state)
{
  (void)state;
  free(text);
  text = NULL;
  sc_discovery_free(discovery);
  discovery = NULL;
  return 0;
}

/* FUNCTION "name" that returns RESULT and gets ARGUMENTS, with more members behind it. */
#define NODE  "\"result\":{\"type\":\"node\",\"pointers\":1},"
#define VOID  "\"result\":{\"type\":\"void\",\"pointers\":0},"
#define BYTES "\"result\":{\"type\":\"char\",\"pointers\":1},"
#define OF(t) "{\"name\":\"x\",\"type\":\"" t "\",\"pointers\":1}"
#define FUNCTION(name, result, arguments, rest) \
  "{\"name\":\"" name "\",\"file\":0,\"line\":1," result "\"arguments\":[" arguments "]" rest "}"
#define LINK(kind, head, unit, base)                                                                 \
  ",\"links\":[{\"kind\":\"" kind "\",\"head\":\"" head "\",\"link\":\"node.next\",\"unit\":\"" unit \
  "\",\"base\":\"" base "\",\"line\":7}]"
#define COUNT_OF(place, base, step, net) \
  "{\"place\":\"" place "\",\"base\":\"" base "\",\"step\":" step ",\"net\":" net ",\"line\":8"
#define COUNTERS(what)              ",\"counters\":[" what "]"
#define CALL_OF(name, values, more) "{\"callee\":\"" name "\",\"line\":9,\"arguments\":[" values "]" more "}"
#define CALLS(what)                 ",\"calls\":[" what "]"
#define RETURNS(what)               ",\"returns\":[\"" what "\"]"
#define AND                         ","

static const sc_event *event(const char *function, enum sc_role role)
{
  for (size_t i = 0; i < discovery->events_count; i++)
    if (strcmp(discovery->facts.functions[discovery->events[i].function].name, function) == 0 &&
        discovery->events[i].role == role)
      return &discovery->events[i];
  return NULL;
}

static bool rejected(const char *function, enum sc_rejection why)
{
  for (size_t i = 0; i < discovery->rejected_count; i++)
    if (strcmp(discovery->facts.functions[discovery->rejected[i].function].name, function) == 0 &&
        discovery->rejected[i].why == why)
      return true;
  return false;
}

static enum sc_mechanism_kind kind_of(const sc_event *one) { return discovery->mechanisms[one->mechanism].kind; }

static void has(const char *function, enum sc_role role, enum sc_mechanism_kind kind, int unit)
{
  const sc_event *one = event(function, role);
  if (!one)
    fail_msg("%s is no event of role %d", function, role);
  assert_int_equal(kind_of(one), kind);
  assert_int_equal(one->unit, unit);
}

#define POP(name) \
  FUNCTION(name, NODE, OF("pool"), LINK("pop", "pool.free", "a0:pool.free", "a0") RETURNS("a0:pool.free|n"))
#define PUSH(name) FUNCTION(name, VOID, OF("pool") AND OF("node"), LINK("push", "pool.free", "a1", "a0"))

TEST_WITH(what_is_pushed_and_popped_is_a_free_list, NULL, tear_down)
{
  discover(POP("x_one") AND PUSH("x_two"));
  has("x_one", SC_ROLE_ACQUIRE, SC_BY_FREE_LIST, SC_UNIT_RETURN);
  has("x_two", SC_ROLE_RELEASE, SC_BY_FREE_LIST, 1);
  assert_true(discovery->resources[0].complete);
}

/* An object goes from the free list to the front of one of all that live, which is linked both ways. */
TEST_WITH(what_lives_in_another_list_comes_from_the_free_list, NULL, tear_down)
{
#define TWO_WAY(head, unit)                                                                                         \
  "{\"kind\":\"push\",\"head\":\"" head "\",\"link\":\"node.next\",\"unit\":\"" unit                                \
  "\",\"base\":\"a0\",\"line\":9},{\"kind\":\"tail\",\"head\":\"" head "\",\"link\":\"node.prev\",\"unit\":\"" unit \
  "\",\"base\":\"a0\",\"line\":9}"
  discover(
      FUNCTION("x_one", NODE, OF("pool"),
               ",\"links\":[{\"kind\":\"pop\",\"head\":\"pool.free\",\"link\":\"node.next\",\"unit\":\"a0:pool.free\","
               "\"base\":\"a0\",\"line\":7}," TWO_WAY("pool.live", "a0:pool.free") "]" RETURNS("a0:pool.free"))
          AND FUNCTION("x_two", VOID, OF("pool") AND OF("node"),
                       ",\"links\":[{\"kind\":\"unlink\",\"head\":\"pool.live\",\"link\":\"node.next\",\"unit\":\"a1\","
                       "\"base\":\"a0\",\"line\":7}," TWO_WAY("pool.free", "a1") "]"));
  has("x_one", SC_ROLE_ACQUIRE, SC_BY_FREE_LIST, SC_UNIT_RETURN);
  has("x_two", SC_ROLE_RELEASE, SC_BY_FREE_LIST, 1);
}

/* The top of a stack is dropped or disposed of by who gets it; who gets a unit of a free list keeps it. */
TEST_WITH(what_callers_do_with_the_top_says_what_it_is, NULL, tear_down)
{
#define TAKER(name, result, more) \
  FUNCTION(name, VOID, OF("pool"), CALLS(CALL_OF("x_one", "\"a0\"", ",\"result\":\"" result "\"") more))
#define FREED AND CALL_OF("free", "\"c0\"", "")
  static const struct {
    const char *callers;
    enum sc_mechanism_kind kind;
  } of[] = {{TAKER("walk", "unused", ""), SC_BY_LIST},
            {TAKER("walk", "tested", ""), SC_BY_LIST},
            {TAKER("walk", "used", FREED), SC_BY_LIST},
            {TAKER("walk", "used", ""), SC_BY_FREE_LIST},
            {TAKER("walk", "stored", FREED), SC_BY_FREE_LIST},
            {TAKER("walk", "returned", ""), SC_BY_FREE_LIST},
            {TAKER("walk", "unused", "") AND TAKER("run", "stored", ""), SC_BY_FREE_LIST}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    char functions[2000];
    (void)snprintf(functions, sizeof functions,
                   POP("x_one") AND PUSH("x_two") ","
                                                  "%s",
                   of[i].callers);
    discover(functions);
    has(of[i].kind == SC_BY_LIST ? "x_two" : "x_one", SC_ROLE_ACQUIRE, of[i].kind,
        of[i].kind == SC_BY_LIST ? 1 : SC_UNIT_RETURN);
  }
}

/* The stack of a walk: callers keep it in local variables. What main has lives as long as the program; as much in
 * memory or in globals says that it lasts. */
TEST_WITH(lists_in_local_variables_are_doubted, NULL, tear_down)
{
#define STACK_USER(name, where) \
  FUNCTION(name, VOID, "",      \
           CALLS(CALL_OF("x_deeper", where, ",\"loop\":true") AND CALL_OF("x_one", where, ",\"loop\":true")))
#define STACK  \
  POP("x_one") \
  AND PUSH("x_two") AND FUNCTION("x_deeper", VOID, OF("pool"), CALLS(CALL_OF("x_two", "\"a0\",\"?\"", "")))
  discover(STACK AND STACK_USER("walk", "\"&l\""));
  double doubted = discovery->resources[0].score;
  assert_true(discovery->mechanisms[0].local);
  discover(STACK AND STACK_USER("main", "\"&l\""));
  assert_false(discovery->mechanisms[0].local);
  assert_true(doubted == discovery->resources[0].score - SC_DISCOVER_LOCAL);
  discover(STACK AND STACK_USER("walk", "\"&l\"") AND STACK_USER("serve", "\"&g:server:server.stack\""));
  assert_false(discovery->mechanisms[0].local);
  discover(STACK AND STACK_USER("walk", "\"&l\"") AND STACK_USER("serve", "\"a0:server.stack\""));
  assert_false(discovery->mechanisms[0].local);
}

/* Each place that a list is used at counts once, however much else the function does to the list. */
TEST_WITH(a_function_that_uses_its_list_twice_says_so_twice, NULL, tear_down)
{
#define FILL(line) \
  "{\"kind\":\"push\",\"head\":\"pool.free\",\"link\":\"node.next\",\"unit\":\"a0\",\"base\":\"&l\",\"line\":" line "}"
#define FILLER FUNCTION("x_fill", VOID, OF("node"), ",\"links\":[" FILL("7") AND FILL("8") "]")
  discover(STACK AND FILLER AND STACK_USER("serve", "\"&g:server:server.stack\""));
  assert_false(discovery->mechanisms[0].local); /* two and two */
  discover(STACK AND FILLER);
  assert_true(discovery->mechanisms[0].local);
}

/* ... also where names would have it the other way round: what is called at exit was registered until then. */
TEST_WITH(names_make_no_free_list_of_a_stack_whose_top_nobody_gets, NULL, tear_down)
{
#define STACK_OF(kind, unit) LINK(kind, "::heads", unit, "g:heads")
  discover(FUNCTION("on_exit", VOID, OF("node"), STACK_OF("append", "a0"))
               AND FUNCTION("exit_prepare", VOID, "", STACK_OF("take", "g:heads[]")));
  has("on_exit", SC_ROLE_ACQUIRE, SC_BY_ARRAY, 0);
  has("exit_prepare", SC_ROLE_RELEASE, SC_BY_ARRAY, SC_UNIT_NONE);
}

/* A number that is taken out and returned is not told apart from others: both are unknown. */
TEST_WITH(numbers_that_are_handed_out_were_free, NULL, tear_down)
{
#define NUMBER_LINK(kind, unit, rest) \
  ",\"links\":[{\"kind\":\"" kind "\",\"head\":\"pool.blocks\",\"unit\":\"" unit "\",\"base\":\"a0\"}]" rest
  discover(
      FUNCTION("x_two", VOID, OF("pool") AND "{\"name\":\"n\",\"type\":\"long\"}", NUMBER_LINK("append", "a1", ""))
          AND FUNCTION("x_one", "\"result\":{\"type\":\"long\"},", OF("pool"), NUMBER_LINK("take", "?", RETURNS("?"))));
  assert_int_equal(kind_of(event("x_one", SC_ROLE_ACQUIRE)), SC_BY_FREE_LIST);
}

/* What is put into the free list is not given back where the caller gets it. */
TEST_WITH(who_returns_what_is_put_back_gives_nothing_back, NULL, tear_down)
{
  discover(POP("x_one") AND PUSH("x_two") AND FUNCTION("x_find", NODE, OF("pool"),
                                                       LINK("push", "pool.free", "c0", "a0")
                                                           CALLS(CALL_OF("x_look", "\"a0\"", "")) RETURNS("c0")));
  assert_true(rejected("x_find", SC_REJECT_RETURNS));
}

TEST_WITH(what_is_appended_to_a_text_is_no_unit, NULL, tear_down)
{
#define TEXT(name, kind, head, step)                                               \
  FUNCTION(name, VOID, OF("pool"),                                                 \
           ",\"links\":[{\"kind\":\"" kind "\",\"head\":\"" head                   \
           "\",\"count\":\"pool.used\",\"unit\":\"?\",\"base\":\"a0\"}]" COUNTERS( \
               COUNT_OF("pool.used", "a0", step, step) "}"))
  discover(TEXT("x_one", "append", "pool.text", "1") AND TEXT("x_two", "take", "pool.text", "-1"));
  assert_int_equal(discovery->events_count, 0);
  discover(TEXT("x_one", "append", "pool.slots", "1") AND TEXT("x_two", "take", "pool.slots", "-1"));
  assert_int_equal(discovery->events_count, 2);
}

/* What is popped to be thrown away was held while it was on the stack. */
TEST_WITH(a_stack_whose_top_nobody_gets_is_a_list, NULL, tear_down)
{
  discover(PUSH("x_two") AND FUNCTION("x_one", VOID, OF("pool"), LINK("pop", "pool.free", "a0:pool.free", "a0")));
  has("x_two", SC_ROLE_ACQUIRE, SC_BY_LIST, 1);
  has("x_one", SC_ROLE_RELEASE, SC_BY_LIST, SC_UNIT_NONE);
}

TEST_WITH(names_turn_a_stack_into_a_list_of_what_is_pending, NULL, tear_down)
{
  discover(POP("request_remove") AND PUSH("request_submit"));
  has("request_submit", SC_ROLE_ACQUIRE, SC_BY_LIST, 1);
  has("request_remove", SC_ROLE_RELEASE, SC_BY_LIST, SC_UNIT_RETURN);
}

TEST_WITH(what_is_appended_and_popped_is_a_queue, NULL, tear_down)
{
  discover(FUNCTION(
      "x_one", VOID, OF("pool") AND OF("node"),
      LINK("tail", "pool.last", "a1", "a0") ",\"stores\":[{\"place\":\"pool.free\",\"base\":\"a0\",\"value\":\"a1\"}]")
               AND POP("x_two"));
  has("x_one", SC_ROLE_ACQUIRE, SC_BY_QUEUE, 1);
  has("x_two", SC_ROLE_RELEASE, SC_BY_QUEUE, SC_UNIT_RETURN);
}

/* An array from whose other end is taken is a queue; of the same end it is a free list. */
TEST_WITH(a_ring_is_a_queue, NULL, tear_down)
{
#define APPEND(name) FUNCTION(name, VOID, OF("pool") AND OF("node"), LINK("append", "pool.slots", "a1", "a0"))
#define TAKE(name, more) \
  FUNCTION(name, NODE, OF("pool"), LINK("take", "pool.slots", "a0:pool.slots", "a0") more RETURNS("a0:pool.slots"))
  discover(APPEND("x_in") AND TAKE("x_out", COUNTERS(COUNT_OF("pool.first", "a0", "1", "1") ",\"ring\":true}")));
  has("x_in", SC_ROLE_ACQUIRE, SC_BY_QUEUE, 1);
  has("x_out", SC_ROLE_RELEASE, SC_BY_QUEUE, SC_UNIT_RETURN);
  discover(APPEND("x_in") AND TAKE("x_out", ""));
  has("x_in", SC_ROLE_RELEASE, SC_BY_FREE_LIST, 1);
  has("x_out", SC_ROLE_ACQUIRE, SC_BY_FREE_LIST, SC_UNIT_RETURN);
}

static void is_place(const char *place, const char *record, const char *field)
{
  for (size_t i = 0; i < discovery->facts.places_count; i++)
    if (strcmp(discovery->facts.places[i].text, place) == 0) {
      assert_string_equal(discovery->facts.places[i].field, field);
      assert_string_equal(discovery->facts.places[i].record ? discovery->facts.places[i].record : "", record);
      return;
    }
  fail_msg("no place %s", place);
}

TEST_WITH(places_are_fields_or_globals, NULL, tear_down)
{
#define READS(place) "{\"place\":\"" place "\",\"step\":1}"
  discover(FUNCTION("f", VOID, "",
                    COUNTERS(READS("node_t.head.first") AND READS("ns::Pool<ns::Node>.free") AND READS("::live")
                                 AND READS("::ns::live") AND READS("p.c::live") AND READS("ns::run::calls"))));
  is_place("node.head.first", "node", "head.first");
  is_place("ns::Pool<ns::Node>.free", "ns::Pool<ns::Node>", "free");
  is_place("::live", "", "live");
  is_place("::ns::live", "", "live");
  is_place("p.c::live", "", "live");
  is_place("ns::run::calls", "", "calls");
}

/* The same instructions as a pop, of something that walks. */
TEST_WITH(cursors_are_no_pops, NULL, tear_down)
{
  discover(FUNCTION("x_next", NODE, OF("pool"), LINK("pop", "pool.free", "a0:pool.free", "a0") RETURNS("a0:pool.free"))
               AND FUNCTION("x_find", NODE, OF("pool"), LINK("pop", "pool.last", "*", "*"))
                   AND FUNCTION("x_begin", VOID, OF("pool") AND OF("pool"),
                                ",\"stores\":[{\"place\":\"pool.free\",\"base\":\"a0\",\"value\":\"a1:pool.free\"}]"));
  assert_null(event("x_next", SC_ROLE_ACQUIRE));
  assert_null(event("x_find", SC_ROLE_ACQUIRE));
  assert_true(rejected("x_next", SC_REJECT_CURSOR));
  assert_true(rejected("x_find", SC_REJECT_CURSOR));
}

TEST_WITH(what_moves_within_a_list_does_nothing, NULL, tear_down)
{
  discover(POP("x_one") AND PUSH("x_two") AND FUNCTION(
      "x_touch", VOID, OF("pool") AND OF("node"),
      ",\"links\":[{\"kind\":\"unlink\",\"head\":\"pool.free\",\"link\":\"node.next\",\"unit\":\"a1\",\"base\":\"a0\"},"
      "{\"kind\":\"push\",\"head\":\"pool.free\",\"link\":\"node.next\",\"unit\":\"a1\",\"base\":\"a0\"}]"));
  assert_null(event("x_touch", SC_ROLE_ACQUIRE));
  assert_null(event("x_touch", SC_ROLE_RELEASE));
  assert_true(rejected("x_touch", SC_REJECT_NET_ZERO));
}

#define REF FUNCTION("x_hold", VOID, OF("node"), COUNTERS(COUNT_OF("node.refs", "a0", "1", "1") "}"))
#define UNREF                                                                         \
  FUNCTION("x_gone", VOID, OF("node"),                                                \
           COUNTERS(COUNT_OF("node.refs", "a0", "-1", "-1") ",\"tested_zero\":true}") \
               CALLS(CALL_OF("free", "\"a0\"", ",\"conditional\":true,\"last\":[0]")))
#define MAKE FUNCTION("x_make", NODE, "", CALLS(CALL_OF("malloc", "\"k:16\"", "")) RETURNS("c0"))

TEST_WITH(references_are_counted_and_made, NULL, tear_down)
{
  discover(REF AND UNREF AND MAKE);
  has("x_hold", SC_ROLE_ACQUIRE, SC_BY_REFERENCES, 0);
  has("x_gone", SC_ROLE_RELEASE, SC_BY_REFERENCES, 0);
  has("x_make", SC_ROLE_ACQUIRE, SC_BY_REFERENCES, SC_UNIT_RETURN);
}

TEST_WITH(scanners_that_count_up_and_down_do_nothing, NULL, tear_down)
{
  discover(REF AND UNREF AND FUNCTION(
      "x_scan", VOID, OF("node"),
      COUNTERS(COUNT_OF("node.refs", "a0", "1", "0") "}" AND COUNT_OF("node.refs", "a0", "-1", "0") "}")));
  assert_null(event("x_scan", SC_ROLE_ACQUIRE));
  assert_null(event("x_scan", SC_ROLE_RELEASE));
  assert_true(rejected("x_scan", SC_REJECT_NET_ZERO));
}

TEST_WITH(a_reference_that_is_held_for_a_while_does_nothing, NULL, tear_down)
{
  discover(REF AND UNREF AND FUNCTION("x_pull", VOID, "",
                                      COUNTERS(COUNT_OF("node.refs", "*", "1", "null") ",\"conditional\":true}")
                                          CALLS(CALL_OF("x_gone", "\"?\"", ",\"conditional\":true"))));
  assert_null(event("x_pull", SC_ROLE_ACQUIRE));
  assert_true(rejected("x_pull", SC_REJECT_NET_ZERO));
}

/* What is counted up here is handed to what counts it down; that this happens on more ways only is a failure's. */
TEST_WITH(a_reference_to_what_is_found_and_dropped_does_nothing, NULL, tear_down)
{
#define MOVE(counts, drops)                                                                        \
  FUNCTION("x_move", VOID, OF("node"),                                                             \
           CALLS(CALL_OF("x_find", "\"a0\"", "") AND CALL_OF("x_gone", "\"c0:node.next\"", drops)) \
               COUNTERS(COUNT_OF("node.refs", "c0", "1", "null") counts "}"))
  discover(REF AND UNREF AND MOVE("", ""));
  assert_true(rejected("x_move", SC_REJECT_NET_ZERO));
  discover(REF AND UNREF AND MOVE(",\"conditional\":true", ",\"conditional\":true"));
  assert_true(rejected("x_move", SC_REJECT_NET_ZERO));
  discover(REF AND UNREF AND MOVE("", ",\"conditional\":true"));
  assert_non_null(event("x_move", SC_ROLE_ACQUIRE));
}

/* The references of one object, and those of all. */
TEST_WITH(references_that_are_counted_together_are_one_resource, NULL, tear_down)
{
#define TWICE(step, more) \
  COUNTERS(COUNT_OF("node.refs", "a0", step, step) more "}" AND COUNT_OF("pool.refs", "a0", step, step) "}")
  discover(FUNCTION("x_hold", VOID, OF("node"), TWICE("1", ""))
               AND FUNCTION("x_gone", VOID, OF("node"), TWICE("-1", ",\"tested_zero\":true")));
  assert_int_equal(discovery->resources_count, 1);
}

/* What it stores it took from another array of the kind: nothing was handed to it. */
TEST_WITH(what_moves_from_one_place_to_another_of_the_kind_does_nothing, NULL, tear_down)
{
#define MORE(unit)                                                              \
  APPEND("x_in")                                                                \
  AND TAKE("x_out", "") AND FUNCTION("x_more", VOID, OF("pool") AND OF("node"), \
                                     LINK("append", "pool.slots", unit, "a0")   \
                                         CALLS(CALL_OF("x_out", "\"g:server:server.all\"", ",\"result\":\"stored\"")))
  discover(MORE("c0"));
  assert_true(rejected("x_more", SC_REJECT_NET_ZERO));
  discover(MORE("a1"));
  has("x_more", SC_ROLE_RELEASE, SC_BY_FREE_LIST, 1);
}

TEST_WITH(a_statistic_that_is_only_counted_up_is_none, NULL, tear_down)
{
  discover(FUNCTION("x_one", VOID, OF("pool"), COUNTERS(COUNT_OF("pool.used", "a0", "1", "1") "}")));
  assert_int_equal(discovery->resources_count, 0);
}

/* Of units that are told apart by the type that both sides get. */
TEST_WITH(a_gauge_is_about_what_its_functions_get, NULL, tear_down)
{
  discover(
      FUNCTION("x_block", VOID, OF("node"), COUNTERS(COUNT_OF("::blocked", "g:blocked", "1", "1") "}"))
          AND FUNCTION("x_unblock", VOID, OF("node"), COUNTERS(COUNT_OF("::blocked", "g:blocked", "-1", "-1") "}")));
  has("x_block", SC_ROLE_ACQUIRE, SC_BY_COUNTER, 0);
  has("x_unblock", SC_ROLE_RELEASE, SC_BY_COUNTER, 0);
}

/* The counter of a free list is the same resource, also where it counts what is free. */
TEST_WITH(a_counter_joins_the_list_that_moves_with_it, NULL, tear_down)
{
  discover(FUNCTION("x_one", NODE, OF("pool"),
                    LINK("pop", "pool.free", "a0:pool.free", "a0") COUNTERS(COUNT_OF("pool.used", "a0", "-1", "-1") "}")
                        RETURNS("a0:pool.free"))
               AND FUNCTION("x_two", VOID, OF("pool") AND OF("node"),
                            LINK("push", "pool.free", "a1", "a0") COUNTERS(COUNT_OF("pool.used", "a0", "1", "1") "}")));
  assert_int_equal(discovery->resources_count, 1);
  has("x_one", SC_ROLE_ACQUIRE, SC_BY_FREE_LIST, SC_UNIT_RETURN);
  has("x_two", SC_ROLE_RELEASE, SC_BY_FREE_LIST, 1);
  assert_true(event("x_one", SC_ROLE_ACQUIRE)->score >= SC_DISCOVER_LIKELY);
}

/* One counts what is out and one what is left; that one is joined first, as its name says what it is for. */
TEST_WITH(counters_of_both_directions_join_the_list, NULL, tear_down)
{
#define BOTH(up, down) \
  COUNTERS(COUNT_OF("pool.pending", "a0", down, down) "}" AND COUNT_OF("pool.used", "a0", up, up) "}")
  discover(
      FUNCTION("x_one", NODE, OF("pool"),
               LINK("pop", "pool.free", "a0:pool.free", "a0") BOTH("1", "-1") RETURNS("a0:pool.free"))
          AND FUNCTION("x_two", VOID, OF("pool") AND OF("node"), LINK("push", "pool.free", "a1", "a0") BOTH("-1", "1"))
              AND FUNCTION("x_outer", NODE, OF("pool"), CALLS(CALL_OF("x_one", "\"a0\"", "")) RETURNS("c0")));
  assert_int_equal(discovery->resources_count, 1);
  assert_int_equal(discovery->events_count, 3);
  has("x_one", SC_ROLE_ACQUIRE, SC_BY_FREE_LIST, SC_UNIT_RETURN);
  has("x_outer", SC_ROLE_ACQUIRE, SC_BY_FREE_LIST, SC_UNIT_RETURN);
}

TEST_WITH(wrappers_are_a_layer_further_out, NULL, tear_down)
{
  discover(POP("x_one") AND PUSH("x_two") AND FUNCTION(
      "x_outer", NODE, OF("pool"),
      CALLS(CALL_OF("x_one", "\"a0\"", ",\"conditional\":true,\"result\":\"returned\"")) RETURNS("c0|n"))
               AND FUNCTION("x_back", VOID, OF("pool") AND OF("node"), CALLS(CALL_OF("x_two", "\"a0\",\"a1\"", "")))
                   AND FUNCTION("x_free_some", VOID, OF("pool") AND OF("node"),
                                CALLS(CALL_OF("x_two", "\"a0\",\"a1\"", ",\"conditional\":true"))));
  assert_int_equal(event("x_outer", SC_ROLE_ACQUIRE)->layer, 1);
  assert_int_equal(event("x_back", SC_ROLE_RELEASE)->layer, 1);
  assert_true(event("x_one", SC_ROLE_ACQUIRE)->chosen);
  assert_false(event("x_outer", SC_ROLE_ACQUIRE)->chosen);
  assert_null(event("x_free_some", SC_ROLE_RELEASE));
  assert_true(rejected("x_free_some", SC_REJECT_CONDITIONAL));
}

/* On some paths, but at the end: what is no null pointer. Without the name it is not believed. */
TEST_WITH(a_release_may_have_nothing_to_release, NULL, tear_down)
{
#define ENDS(name)                                \
  FUNCTION(name, VOID, OF("pool") AND OF("node"), \
           CALLS(CALL_OF("x_two", "\"a0\",\"a1\"", ",\"conditional\":true,\"last\":[1]")))
  discover(POP("x_one") AND PUSH("x_two") AND ENDS("node_close") AND ENDS("node_work"));
  assert_int_equal(event("node_close", SC_ROLE_RELEASE)->unit, 1);
  assert_null(event("node_work", SC_ROLE_RELEASE));
}

/* A library's functions may be called from elsewhere. */
TEST_WITH(callbacks_of_a_library_are_its_interface, NULL, tear_down)
{
#define TAKEN(more) \
  FUNCTION("x_make", NODE, "", ",\"address_taken\":true" more CALLS(CALL_OF("malloc", "\"k:16\"", "")) RETURNS("c0"))
  discover(TAKEN(""));
  assert_non_null(event("x_make", SC_ROLE_ACQUIRE));
  discover(TAKEN(",\"static\":true"));
  assert_true(rejected("x_make", SC_REJECT_CALLBACK));
}

/* "return check(malloc(n))", where check returns what it gets; and where it returns something else, too. */
static void discover_checked(const char *returns)
{
  char functions[1500];
  snprintf(functions, sizeof functions,
           FUNCTION("check", BYTES, OF("char"), ",\"returns\":[\"%s\"]") "," FUNCTION(
               "get_bytes", BYTES, "",
               CALLS(CALL_OF("malloc", "\"a0\"", "") "," CALL_OF("check", "\"c0\"", ""))
                   RETURNS("c1")) "," FUNCTION("x_make", NODE, "",
                                               CALLS(CALL_OF("get_bytes", "\"k:16\"", ""))
                                                   RETURNS("c0")) "," FUNCTION("x_end", VOID, OF("node"),
                                                                               CALLS(CALL_OF("free", "\"a0\"", ""))),
           returns);
  discover(functions);
}

TEST_WITH(what_passes_through_a_function_that_returns_its_argument_is_what_it_was, NULL, tear_down)
{
  discover_checked("a0");
  assert_non_null(event("x_make", SC_ROLE_ACQUIRE));
  assert_int_equal(event("x_make", SC_ROLE_ACQUIRE)->unit, SC_UNIT_RETURN);
  discover_checked("a0|g:spare");
  assert_null(event("x_make", SC_ROLE_ACQUIRE));
}

TEST_WITH(objects_are_made_and_disposed_of_through_wrappers_of_malloc, NULL, tear_down)
{
  discover(FUNCTION("get_bytes", BYTES, "", CALLS(CALL_OF("malloc", "\"a0\"", "")) RETURNS("c0"))
               AND FUNCTION("lose_bytes", VOID, OF("void"), CALLS(CALL_OF("free", "\"a0\"", ",\"conditional\":true")))
                   AND FUNCTION("x_make", NODE, "", CALLS(CALL_OF("get_bytes", "\"k:16\"", "")) RETURNS("c0"))
                       AND FUNCTION("x_gone", VOID, OF("node"),
                                    CALLS(CALL_OF("lose_bytes", "\"a0\"", ",\"conditional\":true")))
                           AND FUNCTION("describe", BYTES, OF("node"),
                                        CALLS(CALL_OF("get_bytes", "\"k:16\"", "")) RETURNS("c0")));
  has("x_make", SC_ROLE_ACQUIRE, SC_BY_ALLOCATOR, SC_UNIT_RETURN);
  has("x_gone", SC_ROLE_RELEASE, SC_BY_ALLOCATOR, 0);
  assert_null(event("describe", SC_ROLE_ACQUIRE));  /* fresh text is no resource */
  assert_null(event("get_bytes", SC_ROLE_ACQUIRE)); /* nor is memory as such, which is known */
}

/* ... with all that hangs on it; what is found on the way from elsewhere is not the argument. */
TEST_WITH(a_list_is_disposed_of_by_walking_along_it, NULL, tear_down)
{
#define LIST(name, value, more) FUNCTION(name, VOID, OF("node"), CALLS(CALL_OF("free", "\"" value "\"", more)))
#define IN_LOOP                 ",\"conditional\":true,\"loop\":true"
  discover(MAKE AND LIST("list_one", "*:node.next|a0", IN_LOOP) AND LIST("list_two", "*:node.next|a0", "")
               AND LIST("list_three", "*:pool.slots|a0", IN_LOOP) AND LIST("list_four", "*:node.next", IN_LOOP)
                   AND LIST("list_five", "*:node.next|a0|c0", IN_LOOP ",\"line\":3"));
  has("list_one", SC_ROLE_RELEASE, SC_BY_ALLOCATOR, 0);
  assert_null(event("list_two", SC_ROLE_RELEASE));
  assert_null(event("list_three", SC_ROLE_RELEASE));
  assert_null(event("list_four", SC_ROLE_RELEASE));
  assert_null(event("list_five", SC_ROLE_RELEASE));
}

TEST_WITH(getters_of_fresh_objects_are_rejected, NULL, tear_down)
{
  discover(MAKE AND FUNCTION("x_gone", VOID, OF("node"), CALLS(CALL_OF("free", "\"a0\"", "")))
               AND FUNCTION("node_info", NODE, OF("node"), CALLS(CALL_OF("malloc", "\"k:16\"", "")) RETURNS("c0")));
  assert_null(event("node_info", SC_ROLE_ACQUIRE));
  assert_true(rejected("node_info", SC_REJECT_GETTER));
}

/* What comes back may be what went in. */
TEST_WITH(what_may_return_its_argument_makes_something_on_some_paths, NULL, tear_down)
{
#define MAKER(from, returned) \
  FUNCTION("x_make", NODE, OF(from), CALLS(CALL_OF("malloc", "\"k:16\"", "")) RETURNS(returned))
  discover(MAKER("node", "c0"));
  double always = event("x_make", SC_ROLE_ACQUIRE)->score;
  discover(MAKER("pool", "a0|c0"));
  assert_true(event("x_make", SC_ROLE_ACQUIRE)->score == always);
  discover(MAKER("node", "a0:node.next|c0"));
  assert_true(event("x_make", SC_ROLE_ACQUIRE)->score == always);
  discover(MAKER("node", "a0|c0"));
  assert_true(event("x_make", SC_ROLE_ACQUIRE)->score < always);
}

/* What is called a release returns what others still hold. */
TEST_WITH(what_returns_its_argument_does_not_dispose_of_it, NULL, tear_down)
{
#define DISPOSER(name, returned) \
  FUNCTION(name, NODE, OF("node"), CALLS(CALL_OF("free", "\"a0\"", ",\"conditional\":true")) RETURNS(returned))
  discover(MAKE AND DISPOSER("x_one", "a0|n") AND DISPOSER("x_release", "a0|n")
               AND DISPOSER("node_two", "a0:node.next"));
  assert_true(rejected("x_one", SC_REJECT_RETURNS));
  has("x_release", SC_ROLE_RELEASE, SC_BY_ALLOCATOR, 0);
  has("node_two", SC_ROLE_RELEASE, SC_BY_ALLOCATOR, 0);
}

/* On some paths, and it gets something else besides, which may be what it is about. */
TEST_WITH(what_disposes_in_passing_is_less_of_a_release, NULL, tear_down)
{
#define PASSING(name, other, conditional) \
  FUNCTION(name, VOID, OF("node") AND OF(other), CALLS(CALL_OF("free", "\"a0\"", conditional)))
#define SOMETIMES ",\"conditional\":true"
  discover(PASSING("x_one", "pool", "") AND PASSING("x_two", "pool", SOMETIMES) AND PASSING(
      "x_three", "char", SOMETIMES) AND PASSING("x_free", "pool", SOMETIMES) AND PASSING("y_free", "pool", ""));
  assert_true(event("x_two", SC_ROLE_RELEASE)->score < event("x_one", SC_ROLE_RELEASE)->score);
  assert_true(event("x_three", SC_ROLE_RELEASE)->score == event("x_one", SC_ROLE_RELEASE)->score);
  assert_true(event("x_free", SC_ROLE_RELEASE)->score == event("y_free", SC_ROLE_RELEASE)->score);
}

/* list = append(list, x) is the caller's list. */
TEST_WITH(what_appends_for_the_caller_makes_nothing_new, NULL, tear_down)
{
#define APPENDS(returned)                                                                            \
  FUNCTION("x_append", NODE, OF("node"), CALLS(CALL_OF("malloc", "\"k:16\"", "")) RETURNS(returned)) \
  AND FUNCTION(                                                                                      \
      "x_collect", VOID, "{\"name\":\"to\",\"type\":\"node\",\"pointers\":2,\"out\":true}",          \
      CALLS(CALL_OF("x_append", "\"?\"", "")) ",\"stores\":[{\"place\":\"*\",\"base\":\"a0\",\"value\":\"c0\"}]")
  discover(APPENDS("c0"));
  assert_non_null(event("x_collect", SC_ROLE_ACQUIRE));
  discover(APPENDS("a0|c0"));
  assert_null(event("x_collect", SC_ROLE_ACQUIRE));
}

/* An array of numbers is no object, whatever they are called; a type that is only declared may be one. */
TEST_WITH(numbers_with_a_name_of_their_own_are_no_objects, NULL, tear_down)
{
#define NUMBERS                                                          \
  FUNCTION("x_make", "\"result\":{\"type\":\"id\",\"pointers\":1},", "", \
           CALLS(CALL_OF("malloc", "\"?\"", "")) RETURNS("c0"))
  discover(NUMBERS);
  assert_non_null(event("x_make", SC_ROLE_ACQUIRE));
  discover(NUMBERS AND FUNCTION("x_two", VOID, "{\"name\":\"n\",\"type\":\"id\"}", ""));
  assert_null(event("x_make", SC_ROLE_ACQUIRE));
}

TEST_WITH(nor_where_they_are_written_for_the_caller, NULL, tear_down)
{
#define NUMBERS_OUT                                                                         \
  FUNCTION("x_make", VOID, "{\"name\":\"to\",\"type\":\"id\",\"pointers\":2,\"out\":true}", \
           CALLS(CALL_OF("malloc", "\"?\"", "")) ",\"stores\":[{\"place\":\"*\",\"base\":\"a0\",\"value\":\"c0\"}]")
  discover(NUMBERS_OUT);
  assert_non_null(event("x_make", SC_ROLE_ACQUIRE));
  discover(NUMBERS_OUT AND FUNCTION("x_two", VOID, "{\"name\":\"n\",\"type\":\"id\"}", ""));
  assert_null(event("x_make", SC_ROLE_ACQUIRE));
}

TEST_WITH(an_object_may_be_made_for_a_pointer_of_the_callers, NULL, tear_down)
{
  discover(FUNCTION(
      "x_open", "\"result\":{\"type\":\"int\",\"pointers\":0},",
      "{\"name\":\"to\",\"type\":\"node\",\"pointers\":2,\"out\":true}",
      CALLS(CALL_OF("malloc", "\"k:16\"", "")) ",\"stores\":[{\"place\":\"*\",\"base\":\"a0\",\"value\":\"c0\"}]")
               AND FUNCTION("x_close", VOID, OF("node"), CALLS(CALL_OF("free", "\"a0\"", ""))));
  has("x_open", SC_ROLE_ACQUIRE, SC_BY_ALLOCATOR, SC_UNIT_POINTEE + 0);
  has("x_close", SC_ROLE_RELEASE, SC_BY_ALLOCATOR, 0);
}

/* list_add(list, anything) says nothing of the list's own; list_add(server.clients, c) says it of c. */
TEST_WITH(members_of_a_container_are_of_the_field_it_is_in, NULL, tear_down)
{
  discover(FUNCTION("list_add", VOID, OF("pool") AND OF("void"), COUNTERS(COUNT_OF("pool.used", "a0", "1", "1") "}"))
               AND FUNCTION("list_del", VOID, OF("pool") AND OF("void"),
                            COUNTERS(COUNT_OF("pool.used", "a0", "-1", "-1") "}"))
                   AND FUNCTION("x_queue", VOID, OF("node"),
                                CALLS(CALL_OF("list_add", "\"g:server:server.clients\",\"a0\"", "")))
                       AND FUNCTION("x_leave", VOID, OF("node"),
                                    CALLS(CALL_OF("list_del", "\"&g:server:server.clients\",\"a0:node.next\"", ""))));
  has("x_queue", SC_ROLE_ACQUIRE, SC_BY_CONTAINER, 0);
  has("x_leave", SC_ROLE_RELEASE, SC_BY_CONTAINER, 0);
  assert_string_equal(
      discovery->facts.places[discovery->mechanisms[event("x_queue", SC_ROLE_ACQUIRE)->mechanism].place].text,
      "server.clients");
}

/* A handle that is a number is a unit, too. */
TEST_WITH(members_of_a_container_may_be_numbers, NULL, tear_down)
{
#define NUMBER "{\"name\":\"n\",\"type\":\"int\",\"pointers\":0}"
  discover(
      FUNCTION("list_add", VOID, OF("pool") AND NUMBER, COUNTERS(COUNT_OF("pool.used", "a0", "1", "1") "}"))
          AND FUNCTION("list_del", VOID, OF("pool") AND NUMBER, COUNTERS(COUNT_OF("pool.used", "a0", "-1", "-1") "}"))
              AND FUNCTION("x_in", VOID, OF("node") AND NUMBER,
                           CALLS(CALL_OF("list_add", "\"&a0:node.handles\",\"a1\"", "")))
                  AND FUNCTION("x_out", VOID, OF("node") AND NUMBER,
                               CALLS(CALL_OF("list_del", "\"&a0:node.handles\",\"a1\"", ""))));
  has("x_in", SC_ROLE_ACQUIRE, SC_BY_CONTAINER, 1);
  has("x_out", SC_ROLE_RELEASE, SC_BY_CONTAINER, 1);
}

TEST_WITH(a_buffer_grows_by_what_its_own_field_was_handed_to, NULL, tear_down)
{
  discover(FUNCTION("x_more", VOID, OF("pool"),
                    CALLS(CALL_OF("realloc", "\"a0:pool.free\",\"k:9\"",
                                  "")) ",\"stores\":[{\"place\":\"pool.free\",\"base\":\"a0\",\"value\":\"c0\"}]")
               AND FUNCTION("x_none", VOID, OF("pool"), CALLS(CALL_OF("free", "\"a0:pool.free\"", ""))));
  has("x_more", SC_ROLE_ACQUIRE, SC_BY_BUFFER, 0);
  has("x_none", SC_ROLE_RELEASE, SC_BY_BUFFER, 0);
}

/* An object that is made for a field, and disposed of from there: its owner is the unit. */
#define STORE(place, base, value) \
  ",\"stores\":[{\"place\":\"" place "\",\"base\":\"" base "\",\"value\":\"" value "\",\"line\":8}]"
#define KEEP(more) \
  FUNCTION("x_in", VOID, OF("pool"), CALLS(CALL_OF("malloc", "\"k:16\"", more)) STORE("pool.free", "a0", "c0"))
#define DROP(what, more) FUNCTION("x_out", VOID, OF("pool"), CALLS(CALL_OF("free", "\"" what "\"", more)))

static void owns(const char *functions, bool uncounted)
{
  discover(functions);
  has("x_in", SC_ROLE_ACQUIRE, SC_BY_OWNER, 0);
  has("x_out", SC_ROLE_RELEASE, SC_BY_OWNER, 0);
  assert_true(discovery->resources[0].complete);
  assert_int_equal(discovery->resources[0].uncounted, uncounted);
  assert_int_equal(sc_event_is_proposed(discovery, event("x_in", SC_ROLE_ACQUIRE)), !uncounted);
}

TEST_WITH(what_is_made_for_a_field_is_owned_there, NULL, tear_down)
{
  owns(KEEP("") AND DROP("a0:pool.free", ""), false);
  owns(KEEP("") AND DROP("a0:pool.free", ",\"conditional\":true"), false); /* if there is one */
}

/* A probe would count one where a call makes none, disposes of many, or the owner is not known. */
TEST_WITH(owned_objects_that_a_call_does_not_count_are_not_proposed, NULL, tear_down)
{
  owns(KEEP(",\"conditional\":true") AND DROP("a0:pool.free", ""), true);
  owns(KEEP(",\"loop\":true") AND DROP("a0:pool.free", ""), true);
  owns(KEEP("") AND DROP("*:node.next|a0:pool.free", ",\"loop\":true"), true);
  owns(
      FUNCTION("x_in", VOID, OF("pool"), CALLS(CALL_OF("malloc", "\"k:16\"", "")) LINK("push", "pool.free", "c0", "a0"))
          AND DROP("a0:pool.last", ""),
      true); /* a list, by its two ends */
  owns(FUNCTION("x_in", VOID, OF("pool"),
                CALLS(CALL_OF("malloc", "\"k:16\"", "") AND CALL_OF("x_link", "\"a0\",\"c0\"", "")))
           AND FUNCTION("x_link", VOID, OF("pool") AND OF("node"), LINK("push", "pool.free", "a1", "a0"))
               AND DROP("a0:pool.free", ""),
       true); /* linked by another function */
  discover(KEEP("") AND FUNCTION("x_out", VOID, "", CALLS(CALL_OF("free", "\"g:one:pool.free\"", ""))));
  assert_true(discovery->resources[0].uncounted);
}

/* What is proposed comes first, however sure the others are. */
TEST_WITH(what_is_only_shown_comes_behind_what_is_proposed, NULL, tear_down)
{
  discover(POP("x_one") AND PUSH("x_two")
               AND FUNCTION("x_create", VOID, OF("pool"),
                            CALLS(CALL_OF("malloc", "\"k:16\"", ",\"loop\":true")) STORE("pool.last", "a0", "c0"))
                   AND FUNCTION("x_destroy", VOID, OF("pool"), CALLS(CALL_OF("free", "\"a0:pool.last\"", ""))));
  assert_int_equal(discovery->mechanisms[discovery->resources[0].mechanism].kind, SC_BY_FREE_LIST);
  assert_int_equal(discovery->mechanisms[discovery->resources[1].mechanism].kind, SC_BY_OWNER);
  assert_true(discovery->resources[1].score > discovery->resources[0].score);
}

/* Text, what the caller gets, what is in a local variable, and what nobody disposes of. */
TEST_WITH(other_stores_make_nothing_owned, NULL, tear_down)
{
  discover(FUNCTION("x_in", VOID, OF("pool"), CALLS(CALL_OF("malloc", "\"k:16\"", "")) STORE("pool.text", "a0", "c0"))
               AND DROP("a0:pool.text", ""));
  assert_null(event("x_in", SC_ROLE_ACQUIRE));
  discover(FUNCTION("x_in", NODE, OF("pool"),
                    CALLS(CALL_OF("malloc", "\"k:16\"", "")) STORE("pool.free", "a0", "c0") RETURNS("c0"))
               AND DROP("a0:pool.free", ""));
  has("x_in", SC_ROLE_ACQUIRE, SC_BY_ALLOCATOR, SC_UNIT_RETURN);
  discover(FUNCTION("x_in", VOID, OF("pool"), CALLS(CALL_OF("malloc", "\"k:16\"", "")) STORE("pool.free", "l", "c0"))
               AND DROP("l:pool.free", ""));
  assert_null(event("x_in", SC_ROLE_ACQUIRE));
  assert_null(event("x_out", SC_ROLE_RELEASE));
  discover(FUNCTION("x_in", "\"result\":{\"type\":\"pool\",\"pointers\":1},", "",
                    CALLS(CALL_OF("malloc", "\"k:16\"", "") AND CALL_OF("malloc", "\"k:32\"", ""))
                        STORE("pool.free", "c1", "c0") RETURNS("c1")) AND DROP("a0:pool.free", ""));
  has("x_in", SC_ROLE_ACQUIRE, SC_BY_ALLOCATOR, SC_UNIT_RETURN); /* the owner, with all its parts */
  discover(KEEP(""));
  assert_false(discovery->resources[0].complete);
}

/* A record that is nothing but a pointer stands for what that points to: returned, and handed over. */
TEST_WITH(handles_hand_on_what_is_in_them, NULL, tear_down)
{
#define HANDLE "\"result\":{\"type\":\"handle\"},"
#define NODES                                                                                       \
  FUNCTION("x_new", NODE, "", CALLS(CALL_OF("malloc", "\"k:8\"", "")) RETURNS("c0"))                \
  AND FUNCTION("x_destroy", VOID, OF("node"), CALLS(CALL_OF("free", "\"a0\"", "")))                 \
      AND FUNCTION("handle_set", VOID, OF("handle") AND OF("node"), STORE("handle.of", "a0", "a1")) \
          AND FUNCTION("handle_no", VOID, OF("handle") AND OF("node"), STORE("handle.of", "a0", "n"))
#define WRAP(set, place)         \
  FUNCTION("x_make", HANDLE, "", \
           CALLS(CALL_OF("x_new", "", "") AND CALL_OF(set, "\"&l\",\"c0\"", "")) RETURNS("l:" place))
  discover(NODES AND WRAP("handle_set", "handle.of")
               AND FUNCTION("x_drop", VOID, OF("handle"), CALLS(CALL_OF("x_destroy", "\"a0:handle.of\"", ""))));
  has("x_make", SC_ROLE_ACQUIRE, SC_BY_ALLOCATOR, SC_UNIT_RETURN);
  bool dropped = false;
  for (size_t i = 0; i < discovery->events_count; i++)
    dropped |= discovery->events[i].unit == SC_UNIT_POINTEE && kind_of(&discovery->events[i]) == SC_BY_ALLOCATOR;
  assert_true(dropped);
  discover(NODES AND WRAP("handle_no", "handle.of"));
  assert_null(event("x_make", SC_ROLE_ACQUIRE));
  discover(NODES AND WRAP("handle_set", "pool.free")); /* one field of many */
  assert_null(event("x_make", SC_ROLE_ACQUIRE));
}

/* Bytes go back to an allocator that is a record, whatever that does with them. */
TEST_WITH(the_free_of_an_allocator_disposes, NULL, tear_down)
{
#define ARENA(name)                                                                    \
  FUNCTION("pool_bytes", "\"result\":{\"type\":\"void\",\"pointers\":1},", OF("pool"), \
           CALLS(CALL_OF("malloc", "\"k:8\"", "")) RETURNS("c0"))                      \
  AND FUNCTION(name, VOID, OF("pool") AND OF("void"), "")                              \
      AND FUNCTION("x_drop", VOID, OF("pool") AND OF("node"), CALLS(CALL_OF(name, "\"a0\",\"a1\"", "")))
  discover(ARENA("pool_free"));
  has("x_drop", SC_ROLE_RELEASE, SC_BY_ALLOCATOR, 1);
  discover(ARENA("pool_remove")); /* of a list, maybe */
  assert_null(event("x_drop", SC_ROLE_RELEASE));
  discover(FUNCTION("pool_free", VOID, OF("pool") AND OF("void"), "") AND FUNCTION(
      "x_drop", VOID, OF("pool") AND OF("node"), CALLS(CALL_OF("pool_free", "\"a0\",\"a1\"", ""))));
  assert_null(event("x_drop", SC_ROLE_RELEASE)); /* nothing makes bytes */
}

/* The loop along a list is conditional, as the list may be empty. */
TEST_WITH(a_list_is_disposed_of_by_a_function_of_its_type, NULL, tear_down)
{
#define WALK(more)                                                          \
  FUNCTION("x_one", VOID, OF("node"), CALLS(CALL_OF("free", "\"a0\"", ""))) \
  AND FUNCTION("x_all", VOID, OF("node"), CALLS(CALL_OF("x_one", "\"*:node.next|a0\"", more)))
  discover(WALK(",\"conditional\":true,\"loop\":true"));
  assert_true(discovery->flow[1].disposes & 1);
  discover(WALK(",\"conditional\":true"));
  assert_false(discovery->flow[1].disposes & 1);
}

/* A pool in an array of a record, with an array of the numbers that are free. */
TEST_WITH(a_number_stands_for_the_slot_that_is_handed_over, NULL, tear_down)
{
#define SLOT(name, result, arguments, kind, unit, step, rest)                                                       \
  FUNCTION(name, result, arguments,                                                                                 \
           ",\"links\":[{\"kind\":\"" kind "\",\"head\":\"table.unused\",\"count\":\"table.used\",\"unit\":\"" unit \
           "\",\"base\":\"a0\",\"line\":7}]" COUNTERS(COUNT_OF("table.used", "a0", step, step) "}") rest)
#define SLOTS(returned)                                                                     \
  SLOT("x_one", NODE, OF("table"), "take", "a0:table.unused", "-1", RETURNS(returned))      \
  AND SLOT("x_two", VOID, OF("table") AND OF("node"), "append", "?", "1", "") AND FUNCTION( \
      "user", VOID, OF("table"),                                                            \
      CALLS(CALL_OF("x_one", "\"a0\"", ",\"result\":\"used\"") AND CALL_OF("x_two", "\"a0\",\"c0\"", "")))
  discover(SLOTS("&a0:table.slots|n"));
  has("x_one", SC_ROLE_ACQUIRE, SC_BY_FREE_LIST, SC_UNIT_RETURN);
  has("x_two", SC_ROLE_RELEASE, SC_BY_FREE_LIST, 1);
  discover(SLOTS("n")); /* the caller does not get it: a stack of work */
  has("x_two", SC_ROLE_ACQUIRE, SC_BY_ARRAY, 1);
}

/* What puts a unit back frees it where there is no room: it is a pool all the same. */
TEST_WITH(what_is_put_back_is_not_disposed_of, NULL, tear_down)
{
#define BACK(callee)                                                                                              \
  POP("x_one")                                                                                                    \
  AND FUNCTION("x_two", VOID, OF("pool") AND OF("node"),                                                          \
               LINK("push", "pool.free", "a1", "a0") CALLS(CALL_OF("free", "\"a1\"", ",\"conditional\":true")))   \
      AND FUNCTION("x_gone", VOID, OF("pool") AND OF("node"), CALLS(CALL_OF("free", "\"a1\"", ""))) AND FUNCTION( \
          "user", VOID, OF("pool"),                                                                               \
          CALLS(CALL_OF("x_one", "\"a0\"", ",\"result\":\"used\"") AND CALL_OF(callee, "\"a0\",\"c0\"", "")))
  discover(BACK("x_two"));
  has("x_one", SC_ROLE_ACQUIRE, SC_BY_FREE_LIST, SC_UNIT_RETURN);
  discover(BACK("x_gone"));
  assert_int_equal(kind_of(event("x_one", SC_ROLE_RELEASE)), SC_BY_LIST);
}

/* free(*p): the unit is what p points to, and of free(&owner->field) what the field has. */
TEST_WITH(a_pointer_to_a_pointer_is_not_the_unit, NULL, tear_down)
{
#define OUT(t) "{\"name\":\"x\",\"type\":\"" t "\",\"pointers\":2,\"out\":true}"
#define CLEAR  FUNCTION("x_clear", VOID, OUT("node"), CALLS(CALL_OF("free", "\"a0:*\"", ",\"conditional\":true")))
  discover(CLEAR);
  has("x_clear", SC_ROLE_RELEASE, SC_BY_ALLOCATOR, SC_UNIT_POINTEE);
  discover(FUNCTION("x_clear", VOID, OUT("node"), CALLS(CALL_OF("free", "\"a0:*\"", ",\"loop\":true"))));
  assert_null(event("x_clear", SC_ROLE_RELEASE)); /* all elements of an array */
  owns(KEEP("") AND CLEAR AND FUNCTION("x_out", VOID, OF("pool"), CALLS(CALL_OF("x_clear", "\"&a0:pool.free\"", ""))),
       false);
  discover(KEEP("") AND FUNCTION("x_out", VOID, OF("pool"), CALLS(CALL_OF("free", "\"&a0:pool.free\"", ""))));
  assert_null(event("x_out", SC_ROLE_RELEASE)); /* the record around the field */
}

/* A pool that is used up: what is called before the next try, and gives something back, is the wait. */
TEST_WITH(a_retry_that_gives_back_is_a_wait, NULL, tear_down)
{
  discover(
      POP("x_one") AND PUSH("x_two")
          AND FUNCTION("evict", VOID, OF("pool"), CALLS(CALL_OF("x_two", "\"a0\",\"a0:pool.last\"", ",\"loop\":true")))
              AND FUNCTION("tell", VOID, OF("pool"), "") AND FUNCTION(
                  "take_one", NODE, OF("pool"),
                  CALLS("{\"callee\":\"x_one\",\"line\":20,\"arguments\":[\"a0\"],\"loop\":true,\"result\":\"tested\"},"
                        "{\"callee\":\"evict\",\"line\":22,\"arguments\":[\"a0\"],\"loop\":true,\"conditional\":true},"
                        "{\"callee\":\"tell\",\"line\":23,\"arguments\":[\"a0\"],\"loop\":true,\"conditional\":true}")
                      RETURNS("c0|n")));
  assert_non_null(event("evict", SC_ROLE_WAIT));
  assert_null(event("tell", SC_ROLE_WAIT));
}

/* One call more than SC_DISCOVER_RETRIES: the loop does other work besides. */
TEST_WITH(a_loop_that_gives_much_back_waits_for_nothing, NULL, tear_down)
{
#define EVICTS "{\"callee\":\"evict\",\"line\":22,\"arguments\":[\"a0\"],\"loop\":true,\"conditional\":true}"
#define RETRIES(calls)                                                                                              \
  POP("x_one")                                                                                                      \
  AND PUSH("x_two") AND FUNCTION("evict", VOID, OF("pool"),                                                         \
                                 CALLS(CALL_OF("x_two", "\"a0\",\"a0:pool.last\"", ",\"loop\":true")))              \
      AND FUNCTION(                                                                                                 \
          "take_one", NODE, OF("pool"),                                                                             \
          CALLS("{\"callee\":\"x_one\",\"line\":20,\"arguments\":[\"a0\"],\"loop\":true,\"result\":\"tested\"}" AND \
                    calls) RETURNS("c0|n"))
  discover(RETRIES(EVICTS AND EVICTS));
  assert_non_null(event("evict", SC_ROLE_WAIT));
  discover(RETRIES(EVICTS AND EVICTS AND EVICTS));
  assert_null(event("evict", SC_ROLE_WAIT));
}

/* Where more is made when the list is empty, nobody has to wait. */
TEST_WITH(what_is_made_when_there_is_none_is_not_waited_for, NULL, tear_down)
{
  discover(FUNCTION("x_one", NODE, OF("pool"),
                    LINK("pop", "pool.free", "a0:pool.free", "a0")
                        CALLS(CALL_OF("malloc", "\"k:16\"", ",\"conditional\":true"))
                            RETURNS("a0:pool.free|c0")) AND PUSH("x_two")
               AND FUNCTION("evict", VOID, OF("pool"), CALLS(CALL_OF("x_two", "\"a0\",\"a0:pool.last\"", "")))
                   AND FUNCTION("take_one", NODE, OF("pool"),
                                CALLS("{\"callee\":\"x_one\",\"line\":20,\"arguments\":[\"a0\"],\"loop\":true,"
                                      "\"result\":\"tested\"},{\"callee\":\"evict\",\"line\":22,\"arguments\":[\"a0\"],"
                                      "\"loop\":true,\"conditional\":true}") RETURNS("c0|n")));
  has("x_one", SC_ROLE_ACQUIRE, SC_BY_FREE_LIST, SC_UNIT_RETURN);
  assert_null(event("evict", SC_ROLE_WAIT));
}

/* Who waits for work is idle; who waits for room is not. */
TEST_WITH(blocking_in_a_loop_is_a_wait_of_who_acquires, NULL, tear_down)
{
#define BLOCKS(head)                                                   \
  CALLS(CALL_OF("pthread_cond_wait", "\"?\",\"?\"", ",\"loop\":true")) \
  ",\"waits\":[{\"call\":0,\"loop\":true,\"rereads\":[\"" head "\"]}]"
  discover(FUNCTION("x_one", NODE, OF("pool"),
                    LINK("pop", "pool.free", "a0:pool.free", "a0") BLOCKS("pool.free") RETURNS("a0:pool.free"))
               AND PUSH("x_two"));
  assert_non_null(event("x_one", SC_ROLE_WAIT));
  discover(
      FUNCTION("x_in", VOID, OF("pool") AND OF("node"),
               LINK("tail", "pool.last", "a1",
                    "a0") ",\"stores\":[{\"place\":\"pool.free\",\"base\":\"a0\",\"value\":\"a1\"}]")
          AND FUNCTION("x_out", NODE, OF("pool"),
                       LINK("pop", "pool.free", "a0:pool.free", "a0") BLOCKS("pool.free") RETURNS("a0:pool.free")));
  has("x_out", SC_ROLE_RELEASE, SC_BY_QUEUE, SC_UNIT_RETURN);
  assert_null(event("x_out", SC_ROLE_WAIT));
}

/* What takes pointers of any type is a container, unless it has more than SC_DISCOVER_CONTAINER_FIELDS fields. */
TEST_WITH(generic_containers_are_marked, NULL, tear_down)
{
  for (int fields = SC_DISCOVER_CONTAINER_FIELDS; fields <= SC_DISCOVER_CONTAINER_FIELDS + 1; fields++) {
    sc_buf facts = {0};
    sc_buf_puts(&facts, "{\"scale_facts\":1,\"unit\":\"l.c\",\"types\":[{\"name\":\"list\",\"fields\":[");
    for (int i = 0; i < fields; i++)
      sc_buf_printf(&facts, "%s{\"name\":\"f%d\",\"type\":\"int\"}", i ? "," : "", i);
    sc_buf_puts(&facts, "]}],\"functions\":[" FUNCTION(
                            "list_new", "\"result\":{\"type\":\"list\",\"pointers\":1},", "",
                            CALLS(CALL_OF("malloc", "\"k:16\"", ""))
                                RETURNS("c0")) "," FUNCTION("list_free", VOID, OF("list"),
                                                            CALLS(CALL_OF("free", "\"a0\"",
                                                                          ""))) "," FUNCTION("list_add", VOID,
                                                                                             OF("list") AND OF("void"),
                                                                                             LINK("tail", "list.f0",
                                                                                                  "?", "a0")) "]}");
    assert_int_equal(sc_buf_finish(&facts), 0);
    sc_discovery_free(discovery);
    assert_int_equal(sc_discover_text(facts.text, facts.length, "f", &discovery), 0);
    assert_int_equal(discovery->resources[0].container, fields <= SC_DISCOVER_CONTAINER_FIELDS);
    sc_buf_free(&facts);
  }
}

TEST_WITH(callbacks_and_start_up_are_rejected, NULL, tear_down)
{
  discover(
      FUNCTION("x_make", NODE, "", ",\"address_taken\":true" CALLS(CALL_OF("malloc", "\"k:16\"", "")) RETURNS("c0"))
          AND FUNCTION("x_gone", VOID, OF("node"), CALLS(CALL_OF("free", "\"a0\"", "")))
              AND FUNCTION("main", VOID, "", CALLS(CALL_OF("x_gone", "\"?\"", ""))));
  assert_true(rejected("x_make", SC_REJECT_CALLBACK));
  assert_true(rejected("x_gone", SC_REJECT_START));
}

/* Of a library what it exports comes first; a program has no such thing. */
TEST_WITH(what_a_library_exports_comes_first, NULL, tear_down)
{
#define OWN_POOL                                                                                                      \
  FUNCTION("pool_get", NODE, OF("pool"),                                                                              \
           LINK("pop", "pool.free", "a0:pool.free", "a0") ",\"static\":true" RETURNS("a0:pool.free|n"))               \
  AND FUNCTION("pool_put", VOID, OF("pool") AND OF("node"), LINK("push", "pool.free", "a1", "a0") ",\"static\":true") \
      AND FUNCTION("x_make", "\"result\":{\"type\":\"file\",\"pointers\":1},", "",                                    \
                   CALLS(CALL_OF("malloc", "\"k:16\"", "")) RETURNS("c0"))                                            \
          AND FUNCTION("x_gone", VOID, OF("file"), CALLS(CALL_OF("free", "\"a0\"", "")))
  discover(OWN_POOL);
  assert_true(discovery->resources[0].interface && !discovery->resources[1].interface);
  assert_true(discovery->resources[0].rank < discovery->resources[1].rank);
  discover(OWN_POOL AND FUNCTION("main", VOID, "", ""));
  assert_false(discovery->resources[0].interface || discovery->resources[1].interface);
  assert_true(discovery->resources[0].rank > discovery->resources[1].rank);
}

TEST_WITH(one_side_alone_is_no_resource, NULL, tear_down)
{
  discover(FUNCTION("node_create", NODE, "", CALLS(CALL_OF("malloc", "\"k:16\"", "")) RETURNS("c0")));
  assert_false(discovery->resources[0].complete);
  assert_true(rejected("node_create", SC_REJECT_ALONE));
}

/* Callers show the counterpart of what is known, if its name agrees and at least SC_DISCOVER_PAIRS do so. */
TEST_WITH(callers_show_the_counterpart, NULL, tear_down)
{
#define USER(name) \
  FUNCTION(name, VOID, "", CALLS(CALL_OF("x_make", "", "") AND CALL_OF("x_release", "\"c0\"", ",\"last\":[0]")))
  discover(MAKE AND FUNCTION("x_release", VOID, OF("node"), "") AND USER("u1"));
  assert_null(event("x_release", SC_ROLE_RELEASE));
  discover(MAKE AND FUNCTION("x_release", VOID, OF("node"), "") AND USER("u1") AND USER("u2"));
  has("x_release", SC_ROLE_RELEASE, SC_BY_ALLOCATOR, 0);
}

/* Anything may be the last that is done with a unit: of a verb below SC_DISCOVER_VERB that is not believed. */
TEST_WITH(the_counterpart_that_releases_has_a_clear_name, NULL, tear_down)
{
#define VERB_USER(name, verb) \
  FUNCTION(name, VOID, "", CALLS(CALL_OF("x_make", "", "") AND CALL_OF("x_" verb, "\"c0\"", ",\"last\":[0]")))
#define VERB(verb)                                                             \
  MAKE AND FUNCTION("x_" verb, VOID, OF("node"), "") AND VERB_USER("u1", verb) \
  AND VERB_USER("u2", verb)
  static const struct {
    double weight;
    const char *name, *functions;
  } verbs[] = {{1.5, "x_finish", VERB("finish")}, {2, "x_close", VERB("close")}};
  for (size_t i = 0; i < 2; i++) {
    discover(verbs[i].functions);
    assert_int_equal(event(verbs[i].name, SC_ROLE_RELEASE) != NULL, verbs[i].weight >= SC_DISCOVER_VERB);
  }
}

/* A path is added to a set by what looks like its release to callers: one of the names says that it is not so. */
TEST_WITH(names_that_contradict_make_no_pair, NULL, tear_down)
{
#define SET(verb)                                                                                           \
  MAKE AND FUNCTION("x_" verb, VOID, OF("node"), CALLS(CALL_OF("free", "\"a0\"", ",\"conditional\":true"))) \
      AND VERB_USER("u1", verb)                                                                             \
  AND VERB_USER("u2", verb)
  discover(SET("close"));
  double close = event("x_close", SC_ROLE_RELEASE)->score;
  assert_int_equal(event("x_make", SC_ROLE_ACQUIRE)->evidence.count, 2);
  discover(SET("link"));
  assert_true(event("x_link", SC_ROLE_RELEASE)->score < close - 2);
  assert_int_equal(event("x_make", SC_ROLE_ACQUIRE)->evidence.count, 1);
}

/* ... also where it is written to a pointer of the callers'. */
TEST_WITH(callers_show_who_writes_what_is_released, NULL, tear_down)
{
#define OPENER(name)       \
  FUNCTION(name, VOID, "", \
           CALLS(CALL_OF("x_open", "\"k:1\",\"&l\"", "") AND CALL_OF("x_gone", "\"n|o0:1\"", ",\"last\":[0]")))
#define OPEN                                              \
  FUNCTION("x_open", VOID, OF("char") AND OF("char"), "") \
  AND FUNCTION("x_gone", VOID, OF("node"), CALLS(CALL_OF("free", "\"a0\"", "")))
  discover(OPEN AND OPENER("u1"));
  assert_null(event("x_open", SC_ROLE_ACQUIRE));
  discover(OPEN AND OPENER("u1") AND OPENER("u2"));
  has("x_open", SC_ROLE_ACQUIRE, SC_BY_ALLOCATOR, SC_UNIT_POINTEE + 1);
}

/* An allocator of bytes is nobody's counterpart, however often what it returns is handed there. */
TEST_WITH(allocators_of_bytes_are_no_counterpart, NULL, tear_down)
{
#define BYTES_USER(name)   \
  FUNCTION(name, VOID, "", \
           CALLS(CALL_OF("get_bytes", "\"k:16\"", "") AND CALL_OF("x_two", "\"?\",\"c0\"", ",\"last\":[1]")))
  discover(POP("x_one") AND PUSH("x_two") AND BYTES_USER("u1") AND BYTES_USER("u2") AND BYTES_USER("u3")
               AND FUNCTION("get_bytes", BYTES, "", CALLS(CALL_OF("malloc", "\"a0\"", "")) RETURNS("c0")));
  assert_null(event("get_bytes", SC_ROLE_ACQUIRE));
  discover(POP("x_one") AND PUSH("x_two") AND BYTES_USER("u1") AND BYTES_USER("u2") AND BYTES_USER("u3")
               AND FUNCTION("get_bytes", NODE, "", ""));
  assert_non_null(event("get_bytes", SC_ROLE_ACQUIRE));
}

/* Above SC_DISCOVER_DRIVER_CALLS calls a function is a driver: its gauge says nothing any more. */
TEST_WITH(drivers_contain_events, NULL, tear_down)
{
  for (int calls = SC_DISCOVER_DRIVER_CALLS; calls <= SC_DISCOVER_DRIVER_CALLS + 1; calls++) {
    sc_buf functions = {0};
    sc_buf_puts(&functions,
                FUNCTION("x_two", VOID, OF("node"),
                         COUNTERS(COUNT_OF("::n", "g:n", "-1",
                                           "-1") "}")) ","
                                                       "{\"name\":\"x_block\",\"arguments\":[" OF("node") "]" COUNTERS(
                                                           COUNT_OF("::n", "g:n", "1", "1") "}") ",\"calls\":[");
    for (int i = 0; i < calls; i++)
      sc_buf_puts(&functions, i ? ",{\"callee\":\"f\"}" : "{\"callee\":\"f\"}");
    sc_buf_puts(&functions, "]}");
    assert_int_equal(sc_buf_finish(&functions), 0);
    discover(functions.text);
    assert_int_equal(event("x_block", SC_ROLE_ACQUIRE) != NULL, calls <= SC_DISCOVER_DRIVER_CALLS);
    assert_int_equal(rejected("x_block", SC_REJECT_DRIVER), calls > SC_DISCOVER_DRIVER_CALLS);
    sc_buf_free(&functions);
  }
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

static void splits(const char *shown, const char *want)
{
  char words[SC_NAMES_WORDS][SC_NAMES_BYTES], joined[600] = "";
  size_t count = sc_names_split(shown, words);
  for (size_t i = 0; i < count; i++)
    sprintf(joined + strlen(joined), "%s%s", i ? " " : "", words[i]);
  assert_string_equal(joined, want);
}

TEST(names_are_split_at_case_underscores_and_scopes)
{
  splits("do_slabs_alloc", "do slabs alloc");
  splits("freeClientAsync", "free client async");
  splits("HTTPServerClose", "http server close");
  splits("ns::Pool<std::pair<int, X>>::takeBack2(int)", "take back");
  splits("(anonymous namespace)::Queue::push", "push");
  splits("", "");
}

static void judges(const char *shown, enum sc_role role, const char *word)
{
  sc_name name;
  sc_names_judge(shown, &name);
  assert_int_equal(name.role, role);
  if (word)
    assert_string_equal(name.word, word);
}

TEST(the_head_verb_gives_the_role)
{
  sc_name name;
  judges("item_alloc", SC_ROLE_ACQUIRE, "alloc");
  judges("freeClient", SC_ROLE_RELEASE, "free");
  judges("queue_remove", SC_ROLE_RELEASE, "remove");
  judges("PinBuffer", SC_ROLE_ACQUIRE, "pin");
  judges("UnpinBuffer", SC_ROLE_RELEASE, "unpin");
  judges("ResourceOwnerRememberBuffer", SC_ROLE_ACQUIRE, "remember");
  judges("ResourceOwnerForgetBuffer", SC_ROLE_RELEASE, "forget");
  judges("sqlite3_finalize", SC_ROLE_RELEASE, "finalize");
  judges("ns::Pool::Pool(int)", SC_ROLE_ACQUIRE, "constructor");
  judges("ns::Pool::~Pool()", SC_ROLE_RELEASE, "~");
  judges("ResourceOwnerForgetRelationRef", SC_ROLE_RELEASE, "forget");
  judges("queue_link", SC_ROLE_ACQUIRE, "link");
  judges("new_connection_close", SC_ROLE_RELEASE, "close");
  judges("object_new", SC_ROLE_ACQUIRE, "new");
  judges("append_child", SC_ROLE_ACQUIRE, "append");
  judges("item_ref", SC_ROLE_ACQUIRE, "ref");
  judges("NFA::Incref", SC_ROLE_ACQUIRE, "incref");
  judges("decref", SC_ROLE_RELEASE, "decref");
  judges("cq_pop", SC_ROLE_COUNT, "pop"); /* of a free list or a queue */
  judges("frobnicate", SC_ROLE_COUNT, NULL);
  judges("logInvalidUseAndFreeClientAsync", SC_ROLE_COUNT, NULL); /* a log */
  judges("is_free", SC_ROLE_COUNT, NULL);
  sc_names_judge("clientInfoString", &name);
  assert_true(name.getter);
}

/* A program's own verbs, from what its code shows: SC_DISCOVER_LEARN_FUNCTIONS of them. */
TEST_WITH(verbs_are_learnt_from_code, NULL, tear_down)
{
#define ACQUIRER(name) FUNCTION(name, NODE, "", CALLS(CALL_OF("malloc", "\"k:16\"", "")) RETURNS("c0"))
  discover(ACQUIRER("a_zork") AND ACQUIRER("b_zork") AND ACQUIRER("c_zork") AND ACQUIRER("d_other"));
  assert_null(discovery->names[0].word);
  discover(ACQUIRER("a_zork") AND ACQUIRER("b_zork") AND ACQUIRER("c_zork") AND ACQUIRER("d_zork"));
  assert_string_equal(discovery->names[0].word, "zork");
  assert_true(discovery->names[0].learnt);
  assert_int_equal(discovery->names[0].role, SC_ROLE_ACQUIRE);
}

TEST(confidence_rises_with_the_score)
{
  assert_string_equal(sc_score_word(SC_DISCOVER_LIKELY), "likely");
  assert_string_equal(sc_score_word(SC_DISCOVER_LIKELY - 0.01), "perhaps");
  assert_string_equal(sc_score_word(SC_DISCOVER_PERHAPS), "perhaps");
  assert_string_equal(sc_score_word(SC_DISCOVER_PERHAPS - 0.01), "weak");
  for (double score = 0; score < 7; score += 0.25)
    assert_true(sc_score_confidence(score) <= sc_score_confidence(score + 0.25));
  assert_true(sc_score_confidence(6) == 0.95 && sc_score_confidence(nextafter(6, 0)) == 0.9);
  assert_true(sc_score_confidence(2.5) == 0.35 && sc_score_confidence(nextafter(2.5, 0)) == 0.1);
  assert_true(sc_score_confidence(-9) == 0.1);
}

/* ---- facts ------------------------------------------------------------------------------------------------------- */

static void refuses(const char *facts, int err, const char *message)
{
  sc_discovery *d = NULL;
  assert_int_equal(sc_discover_text(facts, strlen(facts), "f", &d), err);
  if (!strstr(sc_err_message(), message))
    fail_msg("\"%s\" is not in \"%s\"", message, sc_err_message());
  assert_true(*sc_err_hint_text());
  sc_discovery_free(d);
}

#define UNIT(functions) "{\"scale_facts\":1,\"unit\":\"u.c\",\"functions\":[" functions "]}\n"

TEST(invalid_facts_are_refused_with_their_place)
{
  refuses("", SC_E_INPUT, "f has no facts");
  refuses("nonsense\n", SC_E_INPUT, "f:1: invalid facts");
  refuses("\n\n[]\n", SC_E_INPUT, "f:3: invalid facts");
  refuses("{\"scale_facts\":2}\n", SC_E_VERSION, "version 2");
  refuses("{\"scale_facts\":1,\"functions\":7}", SC_E_INPUT, "'functions' is not a list");
  refuses(UNIT("{}"), SC_E_INPUT, "functions 0: there is no 'name'");
  refuses(UNIT("{\"name\":\"g\",\"line\":-1}"), SC_E_INPUT, "'line' is not a whole number");
  refuses(UNIT("{\"name\":\"g\",\"calls\":[{\"arguments\":[\"a\"]},{\"result\":\"x\"}]}"), SC_E_INPUT,
          "calls 1 of the function g: 'result' is 'x'");
  refuses(UNIT("{\"name\":\"g\",\"returns\":[\"c3\"]}"), SC_E_INPUT, "the result of call 3 of 0");
  refuses(UNIT("{\"name\":\"g\",\"waits\":[{\"call\":1}]}"), SC_E_INPUT, "a wait is call 1 of 0");
  refuses(UNIT("{\"name\":\"g\",\"links\":[{\"kind\":\"pop\",\"head\":\"nothing\"}]}"), SC_E_INPUT,
          "'nothing' is not a field or a global");
  refuses(UNIT("{\"name\":\"g\",\"counters\":[{\"place\":\"T.f\",\"step\":\"1\"}]}"), SC_E_INPUT,
          "'step' is not a number");
}

/* The same unit in an object and in the program, NULs between units, a header's function in two units, a name that is
 * static in two. */
TEST_WITH(units_are_merged, NULL, tear_down)
{
  static const char units[] =
      "{\"scale_facts\":1,\"unit\":\"a.c\",\"functions\":[{\"name\":\"f\",\"static\":true},{\"name\":\"inl\"}]}\n\0\0\0"
      "{\"scale_facts\":1,\"unit\":\"a.c\",\"functions\":[{\"name\":\"f\",\"static\":true},{\"name\":\"inl\"}]}\n"
      "{\"scale_facts\":1,\"unit\":\"b.c\",\"functions\":[{\"name\":\"f\",\"static\":true,\"calls\":[{\"callee\":\"f\"}"
      "]},"
      "{\"name\":\"inl\",\"address_taken\":true}]}\n";
  assert_int_equal(sc_discover_text(units, sizeof units - 1, "f", &discovery), 0);
  assert_int_equal(discovery->facts.units_count, 2);
  assert_int_equal(discovery->facts.functions_count, 3);
  assert_true(discovery->facts.functions[1].address_taken);
  assert_int_equal(discovery->facts.calls[0].target, 2);
}

/* A program's run names functions by linkage name and file, seen from another folder. */
TEST_WITH(a_function_is_found_by_its_file_where_there_are_two, NULL, tear_down)
{
  static const char units[] =
      "{\"scale_facts\":1,\"unit\":\"a.c\",\"files\":[\"../src/a.c\"],\"functions\":["
      "{\"name\":\"f\",\"file\":0,\"line\":1,\"static\":true},{\"name\":\"g\",\"file\":0,\"line\":2}]}\n"
      "{\"scale_facts\":1,\"unit\":\"b.c\",\"files\":[\"../src/ab.c\"],\"functions\":["
      "{\"name\":\"f\",\"file\":0,\"line\":1,\"static\":true}]}\n";
  assert_int_equal(sc_discover_text(units, strlen(units), "f", &discovery), 0);
  sc_facts *facts = &discovery->facts;
  const char *f = sc_pool_intern(&facts->strings, "f"), *g = sc_pool_intern(&facts->strings, "g");
  assert_int_equal(sc_facts_find_in(facts, f, "/s/src/a.c"), 0);
  assert_int_equal(sc_facts_find_in(facts, f, "/s/src/ab.c"), 2);
  assert_int_equal(sc_facts_find_in(facts, f, "/s/src/b.c"), SC_FACTS_NONE);
  assert_int_equal(sc_facts_find_in(facts, g, ""), 1);
  assert_int_equal(sc_facts_find_in(facts, sc_pool_intern(&facts->strings, "h"), "a.c"), SC_FACTS_NONE);
}

static char *printed(int (*print)(FILE *out, const sc_discovery *d, const sc_discover_view *view))
{
  char *out = NULL;
  size_t size;
  FILE *stream = open_memstream(&out, &size);
  assert_int_equal(print(stream, discovery, &(sc_discover_view){0}), 0);
  fclose(stream);
  return out;
}

/* "static inline" in a header: each unit has it, and it is one function; with other types it is another one. Probes
 * cannot tell functions of one name apart. */
#define HEADER(unit, type, more)                                                                                    \
  "{\"scale_facts\":1,\"unit\":\"" unit "\",\"files\":[\"h.h\"],\"functions\":[{\"name\":\"keep\",\"static\":true," \
  "\"file\":0,\"line\":3,\"arguments\":[" OF(type) "]}" more "]}\n"
TEST_WITH(a_static_function_of_a_header_is_one, NULL, tear_down)
{
  static const char units[] =
      HEADER("a.c", "t", "") HEADER("b.c", "t", ",{\"name\":\"f\",\"calls\":[{\"callee\":\"keep\"}]}")
          HEADER("c.c", "u", ",{\"name\":\"g\",\"calls\":[{\"callee\":\"keep\"}]}");
  assert_int_equal(sc_discover_text(units, sizeof units - 1, "f", &discovery), 0);
  const sc_facts *facts = &discovery->facts;
  assert_int_equal(facts->functions_count, 4); /* keep, f, the other keep, g */
  assert_int_equal(facts->calls[0].target, 0);
  assert_int_equal(facts->calls[1].target, 2);
  assert_int_equal(facts->type_refs_count, 2);
}

/* One takes an object from the free list and puts it among those that live: of both, but what it waits for is one. */
TEST_WITH(a_function_is_written_for_each_of_its_resources, NULL, tear_down)
{
  discover(
      FUNCTION("x_get", NODE, OF("pool"),
               ",\"links\":[{\"kind\":\"pop\",\"head\":\"pool.free\",\"link\":\"node.next\",\"unit\":\"a0:pool.free\","
               "\"base\":\"a0\",\"line\":7}," TWO_WAY("pool.live",
                                                      "a0:pool.free") "]" CALLS(CALL_OF("pthread_cond_wait", "", ""))
                   RETURNS("a0:pool.free") ",\"waits\":[{\"call\":0,\"loop\":true,\"rereads\":[\"pool.free\"]},"
                                           "{\"call\":0,\"loop\":true,\"rereads\":[\"pool.live\"]}]")
          AND FUNCTION("x_put", VOID, OF("pool") AND OF("node"),
                       ",\"links\":[{\"kind\":\"unlink\",\"head\":\"pool.live\",\"link\":\"node.next\",\"unit\":\"a1\","
                       "\"base\":\"a0\",\"line\":7}," TWO_WAY("pool.free", "a1") "]"));
  char *set = printed(sc_discover_print_probes);
  unsigned events = 0, waits = 0;
  for (const char *at = set; (at = strstr(at, "\"function\":\t\"x_get\"")); at++)
    events++;
  for (const char *at = set; (at = strstr(at, "\"wait\":")); at++)
    waits++;
  assert_int_equal(events, 2);
  assert_int_equal(waits, 1);
  free(set);
}

/* Who writes waits for those who read and for who writes; who reads waits for who writes. */
TEST_WITH(counters_that_wait_for_each_other_are_a_lock, NULL, tear_down)
{
#define UP(place)   COUNTERS(COUNT_OF(place, "a0", "1", "1") "}")
#define DOWN(place) COUNTERS(COUNT_OF(place, "a0", "-1", "-1") "}")
#define READERS(waits)                                                                                      \
  FUNCTION("x_read", VOID, OF("pool"), UP("pool.readers") BLOCKS(waits))                                    \
  AND FUNCTION("x_read_end", VOID, OF("pool"), DOWN("pool.readers"))                                        \
      AND FUNCTION("x_write", VOID, OF("pool"), UP("pool.writers") BLOCKS("pool.readers\",\"pool.writers")) \
          AND FUNCTION("x_write_end", VOID, OF("pool"), DOWN("pool.writers"))
  discover(READERS("pool.writers"));
  assert_int_equal(discovery->resources_count, 1);
  has("x_read", SC_ROLE_ACQUIRE, SC_BY_LOCK, 0);
  has("x_read_end", SC_ROLE_RELEASE, SC_BY_LOCK, 0);
  has("x_write", SC_ROLE_ACQUIRE, SC_BY_LOCK, 0);
  has("x_write_end", SC_ROLE_RELEASE, SC_BY_LOCK, 0);
  assert_true(sc_discovery_is_shared(discovery, event("x_read", SC_ROLE_ACQUIRE)));
  assert_false(sc_discovery_is_shared(discovery, event("x_write", SC_ROLE_ACQUIRE)));
  assert_false(sc_discovery_is_shared(discovery, event("x_read_end", SC_ROLE_RELEASE)));
  char *set = printed(sc_discover_print_probes);
  assert_non_null(strstr(set, "\"class\":\t\"lock\""));
  assert_non_null(strstr(set, "\"shared\":\ttrue"));
  free(set);
  discover(READERS("pool.readers\",\"pool.writers")); /* one at a time of either kind: two names of a lock */
  has("x_read", SC_ROLE_ACQUIRE, SC_BY_LOCK, 0);
  assert_false(sc_discovery_is_shared(discovery, event("x_read", SC_ROLE_ACQUIRE)));
  discover(READERS("pool.readers")); /* nobody who reads waits for who writes */
  has("x_read", SC_ROLE_ACQUIRE, SC_BY_COUNTER, 0);
  has("x_write", SC_ROLE_ACQUIRE, SC_BY_COUNTER, 0);
}

TEST_WITH(functions_of_one_name_are_told, NULL, tear_down)
{
  discover(POP("pool_get") AND PUSH("pool_put") AND FUNCTION("other", VOID, "", ""));
  char *alone = printed(sc_discover_print_probes), *all;
  assert_null(strstr(alone, "of this name"));
  free(alone);
  assert_true(asprintf(&all,
                       "%s{\"scale_facts\":1,\"unit\":\"q.c\",\"functions\":[{\"name\":\"pool_get\",\"line\":5,"
                       "\"static\":true}]}\n",
                       text) > 0);
  sc_discovery_free(discovery);
  assert_int_equal(sc_discover_text(all, strlen(all), "f", &discovery), 0);
  char *set = printed(sc_discover_print_probes);
  assert_non_null(strstr(set, "but: the function of this name in q.c:5 is probed, too"));
  free(set);
  free(all);
}

/* As template arguments within template arguments make them. */
TEST_WITH(a_type_may_have_a_long_name, NULL, tear_down)
{
  char *type, *functions;
  assert_true(asprintf(&type, "ns::t<%0100000d>", 7) > 0);
  assert_true(asprintf(&functions,
                       FUNCTION("x_get", VOID, OF("pool"), ",\"returns\":[\"a0:%s.next|n\"]")
                           AND FUNCTION("x_do", VOID, OF("%s"), COUNTERS(COUNT_OF("%s.n", "a0", "1", "1") "}")),
                       type, type, type) > 0);
  discover(functions);
  assert_int_equal(discovery->facts.functions[0].returns.count, 2);
  assert_string_equal(discovery->facts.places[0].record, type);
  free(functions);
  free(type);
}

/* Much in little time, whatever the order: wrappers of wrappers, each before what it calls; who may make room by many
 * ways; what main calls through many functions. */
TEST_WITH(long_chains_and_dense_calls_are_followed, NULL, tear_down)
{
  enum { CHAIN = 100000, DENSE = 300 };
  char *functions = NULL;
  size_t size;
  FILE *to = open_memstream(&functions, &size);
  for (int i = 0; i < CHAIN; i++)
    fprintf(to,
            "{\"name\":\"f%d\",\"result\":{\"type\":\"node\",\"pointers\":1},\"calls\":[{\"callee\":\"%s%d\"}]"
            ",\"returns\":[\"c0\"]},{\"name\":\"s%d\",\"calls\":[{\"callee\":\"s%d\"}]},",
            i, i + 1 < CHAIN ? "f" : "x_alloc", i + 1, CHAIN - i, CHAIN - i + 1);
  for (int i = 0; i < DENSE; i++) {
    fprintf(to, "{\"name\":\"w%d\",\"calls\":[{\"callee\":\"pool_get\",\"loop\":true,\"result\":\"used\"}", i);
    for (int k = 0; k < DENSE; k++)
      fprintf(to, ",{\"callee\":\"w%d\",\"loop\":true,\"conditional\":true,\"line\":2}", k);
    fputs("]},", to);
  }
  fprintf(to,
          "{\"name\":\"x_alloc%d\",\"result\":{\"type\":\"void\",\"pointers\":1},\"calls\":[{\"callee\":\"malloc\"}]"
          ",\"returns\":[\"c0\"]},{\"name\":\"main\",\"calls\":[{\"callee\":\"s1\"}]},%s,%s",
          CHAIN, POP("pool_get"), PUSH("pool_put"));
  fclose(to);
  discover(functions);
  free(functions);
  assert_true(discovery->flow[0].fresh);
  assert_non_null(event("pool_get", SC_ROLE_ACQUIRE));
}

TEST_WITH(a_type_is_known_by_one_name, NULL, tear_down)
{
  discover(FUNCTION("x_one", "\"result\":{\"type\":\"node_t\",\"pointers\":1},", OF("pool"),
                    LINK("pop", "pool.free", "a0:pool.free", "a0") RETURNS("a0:pool.free"))
               AND FUNCTION("x_two", VOID, OF("pool") AND OF("node_t"), LINK("push", "pool.free", "a1", "a0")));
  assert_string_equal(discovery->facts.functions[0].result.name, "node");
  assert_string_equal(discovery->mechanisms[event("x_one", SC_ROLE_ACQUIRE)->mechanism].type, "node");
}

/* ---- what is written ----------------------------------------------------------------------------------------------
 */

TEST_WITH(a_probe_set_says_why, NULL, tear_down)
{
  discover(POP("pool_get") AND PUSH("pool_put"));
  char *set = printed(sc_discover_print_probes);
  assert_non_null(strstr(set, "\"function\":\t\"pool_get\""));
  assert_non_null(strstr(set, "\"success\":\t\"nonzero\""));
  assert_non_null(strstr(set, "\"class\":\t\"pool\""));
  assert_non_null(strstr(set, "\"reason\":\t\"p.c:1: takes the first of pool.free (line 7); named \\\"get\\\"\""));
  free(set);
}

/* scale-cc takes 120 KiB of names, and 1 MiB of file. */
TEST_WITH(a_probe_set_is_no_larger_than_scale_cc_takes, NULL, tear_down)
{
  char *functions = NULL;
  size_t size;
  FILE *to = open_memstream(&functions, &size);
  for (int i = 0; i < 500; i++)
    fprintf(to,
            "%s{\"name\":\"f%0900d\",\"line\":1,\"counters\":[{\"place\":\"::n%d\",\"base\":\"g:n%d\",\"step\":1,"
            "\"net\":1}]},{\"name\":\"g%0900d\",\"line\":1,\"counters\":[{\"place\":\"::n%d\",\"base\":\"g:n%d\","
            "\"step\":-1,\"net\":-1}]},{\"name\":\"h%0900d\",\"shown\":\"h%0900d\",\"line\":1,\"counters\":[{\"place\":"
            "\"T%0900d.n\",\"base\":\"?\",\"step\":1,\"net\":0}]},{\"name\":\"k%d\",\"counters\":[{\"place\":"
            "\"T%0900d.n\",\"base\":\"?\",\"step\":1,\"net\":1}]},{\"name\":\"m%d\",\"counters\":[{\"place\":"
            "\"T%0900d.n\",\"base\":\"?\",\"step\":-1,\"net\":-1}]}",
            i ? "," : "", i, i, i, i, i, i, i, i, i, i, i, i, i);
  fclose(to);
  discover(functions);
  free(functions);
  char *set = NULL;
  to = open_memstream(&set, &size);
  assert_int_equal(sc_discover_print_probes(to, discovery, &(sc_discover_view){.all = true}), 0);
  fclose(to);
  assert_true(size < 1 << 20);
  size_t events = 0, rejected = 0;
  for (const char *at = set; (at = strstr(at, "\"confidence\"")); at++)
    events++;
  for (const char *at = strstr(set, "\"rejected\""); (at = strstr(at, "\"reason\"")); at++)
    rejected++;
  assert_in_range(events, 80, 120 * 1024 / 900);
  assert_in_range(rejected, 300, 500);
  assert_non_null(strstr(set, "Left out, as scale-cc takes no more: "));
  free(set);
}

TEST_WITH(no_probe_set_is_written_without_resources, NULL, tear_down)
{
  FILE *out = fopen("/dev/null", "w");
  discover(FUNCTION("f", VOID, "", ""));
  assert_int_equal(sc_discover_print_probes(out, discovery, &(sc_discover_view){0}), SC_E_TOOLITTLE);
  fclose(out);
}
