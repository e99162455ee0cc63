/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holders of a resource wait for: told and advised, and findings about it first. Findings are made by hand. */
#include "unit.h"

#include "transitions/resources/nested.h"
#include "transitions_resources_made.h"
#include "transitions_resources_scene.h"

static const sc_resource kinds[] = {
    {SC_RESOURCE_MUTEX, "queue", "/a/q.c", 7}, {SC_RESOURCE_HEAP, "", "", 0}, {SC_RESOURCE_IO, "read", "", 0}};
enum { QUEUE, HEAP, IO };

/* The order of findings, each about the resource of its number, whose holders wait for another: a letter each. */
static void order(const uint32_t *waits_for, const double *shares, const enum sc_severity *severities,
                  const enum sc_rule *rules, size_t count, const char *expected)
{
  sc_resource_nested nested[8];
  sc_resource_finding findings[8];
  double impacts[8];
  char found[9] = "";
  for (uint32_t i = 0; i < count; i++) {
    nested[i] = (sc_resource_nested){.resource = waits_for[i], .share = shares[i]};
    findings[i] = (sc_resource_finding){.resource = i,
                                        .severity = severities[i],
                                        .rule = rules[i],
                                        .nested = &nested[i],
                                        .nested_count = shares[i] > 0};
    impacts[i] = i;
  }
  sc_resources r = {.findings = findings, .finding_count = count, .impacts = impacts};
  sc_nested_order(&r);
  for (size_t i = 0; i < count; i++) {
    assert_true(impacts[i] == findings[i].resource);
    found[i] = (char)('a' + findings[i].resource);
  }
  assert_string_equal(found, expected);
}

TEST(causes_are_told_first)
{
  static const enum sc_severity same[4] = {0}, other[4] = {0, 0, 0, 1};
  static const enum sc_rule rules[4] = {0}, else_rule[4] = {0, 0, 0, 1};
  static const uint32_t last[] = {3, 0, 0, 0}, chain[] = {1, 2, 3, 0}, both[] = {1, 0, 0, 0}, first[] = {0, 0, 1, 1};
  static const double half[] = {0.5, 0, 0, 0}, less[] = {0.49, 0, 0, 0}, all[] = {0.9, 0.9, 0.9, 0},
                      two[] = {0.9, 0.9, 0, 0}, behind[] = {0, 0, 0.9, 0.9};
  order(last, half, same, rules, 4, "dabc");
  order(last, less, same, rules, 4, "abcd");
  order(last, half, other, rules, 4, "abcd"); /* of another severity */
  order(last, less, other, rules, 4, "abcd");
  order(last, half, same, else_rule, 4, "abcd");
  order(last, half, same, rules, 3, "abc"); /* nothing was found about it */
  order(chain, all, same, rules, 4, "dcba");
  order(first, behind, same, rules, 4, "abcd"); /* it stands before them */
  order(both, two, same, rules, 1, "a");
  order(both, two, same, else_rule + 2, 2, "ab"); /* each waits for the other, but the rules differ */
  order(last, half, same, rules, 0, "");
}

/* Each of two waits for the other: it ends, in any order. */
TEST(locks_that_wait_for_each_other_have_an_order)
{
  sc_resource_nested nested[] = {{.resource = 1, .share = 1}, {.resource = 0, .share = 1}};
  sc_resource_finding findings[] = {{.resource = 0, .nested = &nested[0], .nested_count = 1},
                                    {.resource = 1, .nested = &nested[1], .nested_count = 1}};
  double impacts[] = {0, 1};
  sc_resources r = {.findings = findings, .finding_count = 2, .impacts = impacts};
  sc_nested_order(&r);
  assert_true(findings[0].resource + findings[1].resource == 1 && impacts[0] == findings[0].resource);
}

/* Two runs of the largest size; what is waited for while it is held adds up, and stands where a wait is longest. Held
 * for 20 s in all, those that share it not counted: a tenth of that, and more, is kept. */
TEST(waits_of_holders_add_up)
{
  static const double sizes[] = {1, 2, 3, 4};
  enum { RUNS = 8, LARGEST = 6, FILL = 9, LOOK = 12 };
  size_t starts[] = {0, 2, 4, LARGEST, RUNS};
  static const struct {
    uint32_t resource, line;
    double seconds;
  } waits[] = {{QUEUE, FILL, 2.5}, {QUEUE, LOOK, 1.5}, {IO, FILL, 1}};
  sc_graph *graph = scene_repeats(sizes, 4, 2);
  uint32_t main = scene_main(graph), number;
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(sc_usage_resource(graph, &kinds[i], &number), 0);
  for (size_t run = 0; run < RUNS; run++) {
    double much = run < LARGEST ? 100 : 1;
    sc_usage hold = {.values = {[SC_USAGE_HOLDS] = 1, [SC_USAGE_HOLD_SECONDS] = 10 * much}}, shared = hold;
    shared.shared = true, shared.line = 50;
    uint32_t holder = scene_usage(graph, run, main, HEAP, &hold), reader = scene_usage(graph, run, main, HEAP, &shared);
    for (size_t i = 0; i < 3; i++) {
      uint32_t waiter = scene_usage(graph, run, main, waits[i].resource, &(sc_usage){.line = waits[i].line});
      sc_wait_pair pair = {.waiter = waiter, .holder = holder, .seconds = waits[i].seconds * much}, other = pair;
      assert_int_equal(sc_usage_add_pair(graph, run, &pair), 0);
      other.holder = reader;
      assert_int_equal(sc_usage_add_pair(graph, run, &other), 0);
    }
  }
  sc_analysis *a = scene_analyse(graph, NULL, 0);
  sc_resources r = {.graph = graph, .analysis = a, .starts = starts, .size_count = 4, .run_count = RUNS};
  sc_resource_cell cell = {.resource = HEAP, .exclusive = true};
  sc_resource_finding f = {0};
  assert_int_equal(sc_nested_fill(&r, &cell, &f), 0);
  assert_int_equal(f.nested_count, 2);
  assert_true(f.nested[0].resource == QUEUE && f.nested[0].line == FILL);
  assert_true(fabs(f.nested[0].seconds - 4) < 1e-9 && fabs(f.nested[0].share - 0.4) < 1e-9);
  assert_true(f.nested[1].resource == IO && fabs(f.nested[1].seconds - 1) < 1e-9);
  assert_true(fabs(f.nested[1].share - 0.1) < 1e-9);
  free(f.nested);

  cell.exclusive = false; /* held 20 s longer, and twice as much is waited for */
  assert_int_equal(sc_nested_fill(&r, &cell, &f), 0);
  assert_int_equal(f.nested_count, 2);
  assert_true(fabs(f.nested[0].seconds - 8) < 1e-9 && fabs(f.nested[0].share - 0.4) < 1e-9);
  free(f.nested);

  cell.lent = true; /* who took it does not keep it */
  assert_int_equal(sc_nested_fill(&r, &cell, &f), 0);
  assert_int_equal(f.nested_count, 0);
  free(f.nested);
  sc_analysis_free(a);
  sc_graph_free(graph);
}

TEST(what_holders_wait_for_is_told)
{
  made_resources *m = made_new(kinds, 3, 1, 1);
  uint32_t main = scene_function(m->graph, 0, "main", scene_one, 0);
  uint32_t site = scene_context(
      m->graph, main, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "fill", .file = "/a/fill.c", .line = 3});
  sc_resource_nested waits[] = {{.resource = QUEUE, .share = 0.61, .context = site, .line = 9},
                                {.resource = IO, .share = 0.2, .context = site}};
  sc_resource_finding f = {.rule = SC_RULE_CONTENTION, .resource = HEAP};
  sc_buf text = {0};
  sc_nested_tell(&m->r, &f, &text);
  scene_says(&text, "");
  assert_false(sc_nested_advise(&m->r, &f, &text));
  f.nested = waits, f.nested_count = 2;
  sc_nested_tell(&m->r, &f, &text);
  scene_says(
      &text,
      " While it is held its holder waits 61% of the time for queue (q.c:7), in fill (fill.c:9); it waits 20% of "
      "the time for input or output, in fill (fill.c:3).");
  assert_true(sc_nested_advise(&m->r, &f, &text));
  scene_says(&text,
             "Change queue (q.c:7) first, for it is the cause: while this one is held its holder waits 61% of the time "
             "for queue (q.c:7), in fill (fill.c:9). Or acquire that one before this one, or after giving this one "
             "back.");
  waits[0].share = 0.49;
  assert_false(sc_nested_advise(&m->r, &f, &text));
  scene_says(&text, "");
  static const struct {
    enum sc_resource_class what;
    const char *words;
  } blocking[] = {{SC_RESOURCE_SLEEP, "sleeps 50% of the time, in fill"},
                  {SC_RESOURCE_IO, "waits 50% of the time for input or output, in fill"},
                  {SC_RESOURCE_PROCESS, "waits 50% of the time for a process to end, in fill"}};
  for (size_t i = 0; i < 3; i++) {
    sc_resource kind = {.resource_class = blocking[i].what, .name = "call", .file = ""};
    char expected[200];
    assert_int_equal(sc_usage_resource(m->graph, &kind, &waits[0].resource), 0);
    waits[0].share = 0.5;
    assert_false(sc_nested_advise(&m->r, &f, &text)); /* and something else helps, too */
    snprintf(expected, sizeof expected,
             "Take the wait out of the hold first: while it is held its holder %s (fill.c:9). ", blocking[i].words);
    scene_says(&text, expected);
  }
  made_free(m);
}
