/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings made by hand: in which order they come, which become one, and the parts of their sentences. */
#include "unit.h"

#include "transitions/resources/finish.h"
#include "transitions/resources/resources.h"
#include "transitions/resources/text.h"
#include "transitions_resources_made.h"

static const sc_resource kinds[] = {{SC_RESOURCE_MUTEX, "queue", "/a/q.c", 7}, {SC_RESOURCE_HEAP, "", "", 0}};
enum { QUEUE, HEAP };

enum { MOST = 8 };
typedef struct scene {
  made_resources *m;
  uint32_t main, site;
  double impacts[MOST];
  sc_resource_finding list[MOST];
} scene;

static scene begin(void)
{
  scene s = {.m = made_new(kinds, 2, 1, 1)};
  s.main = scene_function(s.m->graph, 0, "main", scene_one, 0);
  s.site = scene_context(s.m->graph, s.main,
                         &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "fill", .file = "/a/fill.c", .line = 3});
  return s;
}

static void end(scene *s) { made_free(s->m); }

static const sc_resource_finding usual = {.rule = SC_RULE_CONTENTION,
                                          .resource = HEAP,
                                          .severity = SC_SEVERITY_WARNING,
                                          .confidence = 0.5,
                                          .context = 5,
                                          .line = 10,
                                          .column = 3};

/* Findings at another place that hold from somewhere along a parameter on join those here; the others stay there. */
TEST(findings_along_a_parameter_join)
{
  static const double from[] = {0, 100, 0, 50};
  scene s = begin();
  sc_resources here = {.graph = s.m->graph}, *there = &s.m->r;
  for (uint32_t i = 0; i < 4; i++) {
    s.list[i] = usual;
    s.list[i].line = 10 + i;
    s.list[i].severity = i == 1 ? SC_SEVERITY_ERROR : SC_SEVERITY_NOTE;
    s.impacts[i] = i;
  }
  there->findings = s.list, there->impacts = s.impacts, there->finding_count = 4;
  assert_int_equal(sc_resources_add_along(&here, there, from, SC_SEVERITY_WARNING), 0);
  assert_int_equal(there->finding_count, 2);
  assert_true(s.list[0].line == 10 && s.list[1].line == 12 && s.impacts[1] == 2);
  assert_int_equal(here.finding_count, 2);
  assert_true(here.findings[0].line == 11 && here.findings[1].line == 13 && here.impacts[1] == 3);
  assert_true(here.findings[0].severity == SC_SEVERITY_WARNING && here.findings[1].severity == SC_SEVERITY_NOTE);
  assert_true(here.findings[0].along == there && here.findings[0].emergence.value == 100);
  free(here.findings);
  free(here.impacts);
  end(&s);
}

/* What holds here, and is more than a note, need not be said of another place. */
TEST(what_holds_here_is_had)
{
  static const struct {
    enum sc_severity severity;
    bool along, other, had;
  } cases[] = {{SC_SEVERITY_WARNING, false, false, true}, {SC_SEVERITY_ERROR, false, false, true},
               {SC_SEVERITY_NOTE, false, false, false},   {SC_SEVERITY_ERROR, true, false, false},
               {SC_SEVERITY_WARNING, false, true, false}, {SC_SEVERITY_NOTE, true, false, false}};
  scene s = begin();
  s.m->r.findings = s.list;
  assert_false(sc_resources_have(&s.m->r, &usual));
  for (size_t i = 0; i < COUNT(cases); i++)
    for (size_t at = 0; at < 3; at++) { /* among others */
      for (size_t k = 0; k < 3; k++) {
        s.list[k] = usual;
        s.list[k].rule = SC_RULE_LEAK;
      }
      s.list[at] = usual;
      s.list[at].severity = cases[i].severity;
      s.list[at].along = cases[i].along ? &s.m->r : NULL;
      s.list[at].line += cases[i].other;
      s.m->r.finding_count = 3;
      assert_true(sc_resources_have(&s.m->r, &usual) == cases[i].had);
      s.m->r.finding_count = at;
      assert_false(sc_resources_have(&s.m->r, &usual));
    }
  end(&s);
}

/* Worst first, whatever the order that they join in; where none holds, none does. */
TEST(what_joins_is_ranked)
{
  static const double from[] = {10, 20, 30}, none[] = {0, 0, 0};
  for (int reversed = 0; reversed < 2; reversed++) {
    scene s = begin();
    sc_resources here = {.graph = s.m->graph}, *there = &s.m->r;
    for (uint32_t i = 0; i < 3; i++) {
      s.list[i] = usual;
      s.list[i].line = 10 + i;
      s.impacts[i] = reversed ? 3 - i : i + 1;
    }
    there->findings = s.list, there->impacts = s.impacts, there->finding_count = 3;
    unit_ok(sc_resources_add_along(&here, there, none, SC_SEVERITY_ERROR));
    assert_true(there->finding_count == 3 && here.finding_count == 0);
    unit_ok(sc_resources_add_along(&here, there, from, SC_SEVERITY_ERROR));
    assert_true(there->finding_count == 0 && here.finding_count == 3);
    for (uint32_t i = 0; i < 3; i++) {
      uint32_t was = reversed ? i : 2 - i;
      const sc_resource_finding *f = &here.findings[i];
      assert_true(f->line == 10 + was && here.impacts[i] == 3 - i && f->severity == SC_SEVERITY_WARNING);
      assert_true(f->emergence.value == from[was] && f->emergence.low == from[was] && f->emergence.high == from[was]);
    }
    free(here.findings);
    free(here.impacts);
    end(&s);
  }
}

TEST(findings_are_ranked_worst_first)
{
  scene s = begin();
  sc_resource_finding list[MOST];
  static const double impacts[MOST] = {1, 1, 1, 1, 1, 2, 1, 1};
  for (size_t i = 0; i < MOST; i++)
    list[i] = usual;
  list[0].column = 4; /* each before the one above it */
  list[1].column = 3;
  list[2].line = 9;
  list[3].context = 4;
  list[4].resource = QUEUE;
  list[5].confidence = 0.1; /* has more impact */
  list[6].severity = SC_SEVERITY_ERROR;
  list[7].severity = SC_SEVERITY_ERROR;
  list[7].confidence = 0.6;
  static const size_t order[] = {7, 6, 5, 4, 3, 2, 1, 0};
  for (size_t shift = 0; shift < MOST; shift++) {
    for (size_t i = 0; i < MOST; i++) {
      s.list[i] = list[(i + shift) % MOST];
      s.impacts[i] = impacts[(i + shift) % MOST];
    }
    s.m->r.findings = s.list, s.m->r.impacts = s.impacts, s.m->r.finding_count = MOST;
    assert_int_equal(sc_findings_rank(&s.m->r), 0);
    for (size_t i = 0; i < MOST; i++) {
      const sc_resource_finding *f = &s.list[i], *wanted = &list[order[i]];
      assert_true(f->severity == wanted->severity && f->confidence == wanted->confidence &&
                  f->resource == wanted->resource && f->context == wanted->context && f->line == wanted->line &&
                  f->column == wanted->column && s.impacts[i] == impacts[order[i]]);
    }
  }
  list[1] = list[0] = usual; /* the rule decides before the place does */
  list[0].rule = SC_RULE_LEAK;
  list[0].context = 6;
  list[1].rule = SC_RULE_UNBOUNDED_GROWTH;
  for (int swap = 0; swap < 2; swap++) {
    s.list[swap] = list[0], s.list[1 - swap] = list[1];
    s.impacts[0] = s.impacts[1] = 1;
    s.m->r.finding_count = 2;
    assert_int_equal(sc_findings_rank(&s.m->r), 0);
    assert_true(s.list[0].rule == (SC_RULE_LEAK < SC_RULE_UNBOUNDED_GROWTH ? SC_RULE_LEAK : SC_RULE_UNBOUNDED_GROWTH));
  }
  end(&s);
}

/* A line that keeps too much is one finding: leaks, growth and small steps have one cure. */
TEST(what_one_line_does_is_one_finding)
{
  scene s = begin();
  sc_resource_finding a = usual, b = usual;
  a.rule = SC_RULE_LEAK;
  b.rule = SC_RULE_UNBOUNDED_GROWTH;
  a.context = b.context = s.site;
  assert_true(sc_findings_same(&s.m->r, &a, &b));
  b.rule = SC_RULE_CONTENTION;
  assert_false(sc_findings_same(&s.m->r, &a, &b));
  a.rule = SC_RULE_CONTENTION;
  assert_true(sc_findings_same(&s.m->r, &a, &b));
  b.column = 9; /* the same line */
  assert_true(sc_findings_same(&s.m->r, &a, &b));
  b.line = 11;
  assert_false(sc_findings_same(&s.m->r, &a, &b));
  a.line = b.line = 0; /* no line is known: nothing but the same place */
  assert_false(sc_findings_same(&s.m->r, &a, &b));
  b.column = 3;
  assert_true(sc_findings_same(&s.m->r, &a, &b));
  b.context = s.main;
  assert_false(sc_findings_same(&s.m->r, &a, &b));
  b = a;
  b.resource = QUEUE;
  assert_false(sc_findings_same(&s.m->r, &a, &b));
  a.line = b.line = 10;
  b.resource = a.resource;
  a.context = SC_USAGE_NONE; /* a resource as a whole stands in no line */
  assert_false(sc_findings_same(&s.m->r, &a, &b));
  end(&s);
}

TEST(weaker_ones_become_lines_of_stronger_ones)
{
  scene s = begin();
  double targets[] = {1e5};
  sc_resource_number *number = calloc(1, sizeof *number);
  sc_interval *predicted = calloc(1, sizeof *predicted);
  *predicted = (sc_interval){2.4e6, 2e6, 3e6};
  *number = (sc_resource_number){.metric = SC_RMETRIC_PEAK, .measured = 192000, .predictions = predicted};
  s.m->r.targets = targets, s.m->r.target_count = 1;
  for (size_t i = 0; i < 4; i++) {
    s.list[i] = usual;
    s.list[i].context = s.site;
    s.impacts[i] = (double)i;
  }
  s.list[0].rule = SC_RULE_CONTENTION;
  s.list[1].rule = SC_RULE_LEAK;
  s.list[1].advice = strdup("Free it.");
  s.list[2].rule = SC_RULE_UNBOUNDED_GROWTH;
  s.list[2].column = 41;
  s.list[2].advice = strdup("Bound it.");
  s.list[2].numbers = number; /* it is the finding's */
  s.list[2].number_count = 1;
  s.list[3].rule = SC_RULE_LEAK;
  s.list[3].line = 11;
  s.m->r.findings = s.list, s.m->r.impacts = s.impacts, s.m->r.finding_count = 4;
  assert_int_equal(sc_findings_fold(&s.m->r), 0);
  assert_true(s.m->r.finding_count == 3 && s.list[2].line == 11 && s.impacts[2] == 3);
  assert_string_equal(s.list[1].also, "unbounded-growth in column 41: peak outstanding 192,000 bytes, predicted at n = "
                                      "100,000: 2,400,000 (2,000,000 to 3,000,000)");
  assert_string_equal(s.list[1].advice, "Free it. Bound it.");
  free(s.list[1].also);
  free(s.list[1].advice);
  end(&s);
}

TEST(values_and_places_in_words)
{
  scene s = begin();
  sc_buf text = {0};
  static const struct {
    int metric;
    double value;
    const char *words;
  } values[] = {{SC_RMETRIC_HOLD, 3e-4, "300 us"},        {SC_RMETRIC_WAIT_TOTAL, 1.5, "1.5 s"},
                {SC_RMETRIC_ACQUIRES, 999, "999"},        {SC_RMETRIC_ACQUIRES, 1000, "1,000"},
                {SC_RMETRIC_ACQUIRES, 1023.6, "1,024"},   {SC_RMETRIC_UTILISATION, 0.8346, "0.835"},
                {SC_RMETRIC_PEAK, INFINITY, "unbounded"}, {SC_RMETRIC_BLOCKED, 0.5, "0.5"}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    sc_rtext_value(values[i].metric, values[i].value, &text);
    scene_says(&text, values[i].words);
  }
  sc_rtext_name(&s.m->r, &s.m->cells[QUEUE], &text);
  scene_says(&text, "queue (q.c:7)");
  sc_rtext_name(&s.m->r, &s.m->cells[HEAP], &text);
  scene_says(&text, "heap"); /* without a name: its class */
  sc_rtext_place(&s.m->r, s.site, 9, 0, &text);
  scene_says(&text, "fill (fill.c:9)");
  sc_rtext_place(&s.m->r, s.site, 0, 0, &text);
  scene_says(&text, "fill (fill.c:3)");
  sc_rtext_place(&s.m->r, SC_USAGE_NONE, 9, 0, &text);
  scene_says(&text, "code that is not known");
  sc_rtext_units(&s.m->r, &s.m->cells[HEAP], 1, &text);
  scene_says(&text, "byte");
  sc_rtext_units(&s.m->r, &s.m->cells[HEAP], 0, &text);
  scene_says(&text, "bytes");
  sc_resource_site sites[] = {{.role = SC_ROLE_WAITS, .context = s.main}, {.role = SC_ROLE_HOLDS, .context = s.site}};
  sc_resource_finding f = {.sites = sites, .site_count = 2};
  assert_true(sc_rtext_first(&s.m->r, &f, SC_ROLE_HOLDS, &text));
  scene_says(&text, "fill (fill.c:3)");
  assert_false(sc_rtext_first(&s.m->r, &f, SC_ROLE_FAILS, &text));
  scene_says(&text, "");
  end(&s);
}

/* Six sizes at most: the first two, and the last four. What is not known is not told. */
TEST(points_are_six_at_most)
{
  static const char *const expected[] = {
      "n = 100: 1; n = 200: 2", "n = 100: 1; n = 200: 2; n = 400: 3; n = 800: 4; n = 1,600: 5; n = 3,200: 6",
      "n = 100: 1; n = 200: 2; ...; n = 800: 4; n = 1,600: 5; n = 3,200: 6; n = 6,400: 7"};
  for (size_t i = 0; i < 3; i++) {
    made_resources *m = made_new(kinds, 1, i == 0 ? 2 : i + 5, 1);
    sc_buf text = {0};
    for (size_t run = 0; run < m->r.run_count; run++)
      made_sum(m, 0, run, SC_USAGE_WAITS, (double)run + 1);
    sc_rtext_points(&m->r, &m->cells[0], SC_RMETRIC_WAITS, &text);
    scene_says(&text, expected[i]);
    sc_rtext_points(&m->r, &m->cells[0], SC_RMETRIC_HOLD, &text);
    scene_says(&text, "");
    made_sum(m, 0, 1, SC_USAGE_HOLDS, 2);
    made_sum(m, 0, 1, SC_USAGE_HOLD_SECONDS, 1);
    sc_rtext_points(&m->r, &m->cells[0], SC_RMETRIC_HOLD, &text);
    scene_says(&text, "n = 200: 500 ms");
    made_free(m);
  }
}

TEST(predictions_are_those_of_the_largest_target)
{
  scene s = begin();
  double targets[] = {1e4, 1e6, 1e5};
  sc_interval values[] = {{1, 1, 1}, {0.83, 0.7, 0.96}, {2, 2, 2}}, exact[] = {{1, 1, 1}, {5, 5, 5}, {2, 2, 2}};
  sc_resource_number numbers[] = {{.metric = SC_RMETRIC_WAITS, .predictions = exact},
                                  {.metric = SC_RMETRIC_UTILISATION, .predictions = values}};
  sc_resource_finding f = {.numbers = numbers, .number_count = 2};
  sc_buf text = {0};
  sc_rtext_predicted(&s.m->r, &f, SC_RMETRIC_WAITS, &text); /* no target */
  scene_says(&text, "");
  s.m->r.targets = targets, s.m->r.target_count = 3;
  sc_rtext_predicted(&s.m->r, &f, SC_RMETRIC_UTILISATION, &text);
  scene_says(&text, ", predicted at n = 1,000,000: 0.83 (0.7 to 0.96)");
  sc_rtext_predicted(&s.m->r, &f, SC_RMETRIC_WAITS, &text);
  scene_says(&text, ", predicted at n = 1,000,000: 5");
  exact[1].high = 6;
  sc_rtext_predicted(&s.m->r, &f, SC_RMETRIC_WAITS, &text);
  scene_says(&text, ", predicted at n = 1,000,000: 5 (5 to 6)");
  exact[1] = (sc_interval){5, 4, 5};
  sc_rtext_predicted(&s.m->r, &f, SC_RMETRIC_WAITS, &text);
  scene_says(&text, ", predicted at n = 1,000,000: 5 (4 to 5)");
  sc_rtext_predicted(&s.m->r, &f, SC_RMETRIC_HOLD, &text);
  scene_says(&text, "");
  end(&s);
}
