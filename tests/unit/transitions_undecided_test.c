/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What transitions carry, and which of the doubtful ones are listed as undecided: the transitions are made by hand. */
#include "unit.h"

#include "transitions/findings/coverage.h"
#include "transitions/findings/undecided.h"
#include "transitions/model/sums.h"
#include "transitions/model/waiting.h"
#include "transitions_compare_scene.h"

enum { MOST = 40, NONE = UINT32_MAX };

static double few(double n) { return pair_times; }

typedef struct scene {
  sc_graph *graph;
  sc_analysis *a;
  uint32_t main;
  sc_transition list[MOST];
  uint32_t owner[4 * MOST];
  sc_carried carried;
  sc_judging j;
  unsigned char classes[MOST];
} scene;

static scene *open_scene(const char *event)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->graph = scene_new(pair_sizes, 5, event);
  s->main = scene_main(s->graph);
  s->j.transitions = (sc_transitions){.list = s->list, .owner = s->owner};
  memset(s->owner, 0xff, sizeof s->owner);
  return s;
}

/* A loop in a function of its own, or in the one given. */
static uint32_t add_loop(scene *s, uint32_t around, uint32_t line, scene_curve curve, double of, double each)
{
  pair_times = of;
  return scene_loop(s->graph, around, "f", line, curve, each);
}

static sc_transition *add_transition(scene *s, uint32_t context, bool doubtful)
{
  sc_transition *t = &s->list[s->j.transitions.count++];
  *t = (sc_transition){.context = context,
                       .parent = s->main,
                       .outer = SC_NONE,
                       .from = SC_NONE,
                       .kind = SC_FINDING_LOOP,
                       .rise = SC_RISE_ORDER,
                       .doubtful = doubtful};
  return t;
}

static void analyse(scene *s)
{
  s->a = scene_analyse(s->graph, pair_targets, 2);
  for (size_t t = 0; t < s->j.transitions.count; t++) {
    s->list[t].to = s->a->series[s->list[t].context];
    if (!s->list[t].doubtful)
      s->owner[s->list[t].context] = (uint32_t)t;
  }
}

static void judge(scene *s)
{
  sc_judging *j = &s->j;
  j->analysis = s->a, j->horizon = sc_analysis_horizon(s->a), j->carried = &s->carried, j->classes = s->classes;
  unit_ok(sc_analysis_total(s->a, j->horizon, &j->total));
  j->executions = sc_sums_executions(s->a, j->horizon);
  unit_ok(sc_carried_begin(s->a, &j->transitions, &s->carried));
  memset(s->classes, 0xff, sizeof s->classes);
}

static void close_scene(scene *s)
{
  sc_carried_free(&s->carried);
  sc_analysis_free(s->a);
  sc_graph_free(s->graph);
  free(s);
}

/* ---- what transitions carry ---- */

/* Whatever is given to a transition, few contexts or many: each with its cost at the horizon, in the tree's order. */
TEST(transitions_carry_the_sum_of_their_contexts)
{
  static const uint32_t counts[] = {0, 1, 23, 24, 25, 37};
  for (size_t i = 0; i < COUNT(counts); i++) {
    scene *s = open_scene("task-clock");
    uint32_t contexts[MOST];
    double sum = 0;
    for (uint32_t k = 0; k < MOST; k++)
      contexts[k] = add_loop(s, s->main, 10 + k, pair_lines, 1 + (k % 7), 1e-6 * (1 + k % 3));
    add_transition(s, contexts[MOST - 1], false);
    add_transition(s, contexts[MOST - 2], false);
    analyse(s);
    s->owner[contexts[MOST - 1]] = NONE;
    for (uint32_t k = 0; k < counts[i]; k++) {
      s->owner[contexts[k]] = 0;
      sum += (1 + (k % 7)) * 1e-6 * (1 + k % 3) * 160000;
    }
    judge(s);
    unit_near_by(sc_carried_cost(&s->carried, 0) + 1, sum + 1, 1e-9);
    unit_near_by(sc_carried_cost(&s->carried, 1), (1 + (MOST - 2) % 7) * 1e-6 * (1 + (MOST - 2) % 3) * 160000, 1e-6);
    assert_int_equal(s->carried.start[0], 0);
    assert_int_equal(s->carried.start[1], counts[i]);
    assert_int_equal(s->carried.start[2], counts[i] + 1);
    for (size_t k = 0; k < counts[i]; k++)
      assert_int_equal(s->carried.contexts[k], contexts[k]);
    assert_int_equal(s->carried.contexts[counts[i]], contexts[MOST - 2]);
    sc_blend both = {0};
    unit_ok(sc_carried_blend(&s->carried, (const uint32_t[]){0, 1}, 2, &both));
    unit_near_by(sc_blend_value(&both, s->a->models, 160000),
                 sc_carried_cost(&s->carried, 0) + sc_carried_cost(&s->carried, 1), 1e-9);
    sc_blend_free(&both);
    /* owners that change are listed anew */
    s->owner[contexts[MOST - 2]] = 0;
    unit_ok(sc_carried_index(&s->carried));
    assert_int_equal(s->carried.start[1], counts[i] + 1);
    assert_int_equal(s->carried.start[2], counts[i] + 1);
    sc_interval count;
    for (int again = 0; again < 2; again++) {
      unit_ok(sc_carried_count(&s->carried, contexts[3], &count));
      assert_true(count.value == 4 * 160000);
    }
    close_scene(s);
  }
}

/* A hundredth of cost or of executions at any target, or any wait in a call of the system. */
TEST(a_hundredth_is_not_negligible)
{
  static const struct {
    double of, each, rest;
    scene_curve curve;
    bool negligible;
  } cases[] = {
      {100, 1e-6, 9900, pair_lines, false}, {99, 1e-6, 9901, pair_lines, true},
      {0.99, 1e-4, 9900, pair_lines, true}, {1, 1e-4, 9900, pair_lines, false}, /* by cost: a hundredth of 0.0100 */
      {100, 1e-9, 9900, pair_lines, false},                                     /* by executions */
      {1600000, 1e-6, 9900, few, false},    {1500000, 1e-6, 9900, few, true}};  /* at the smaller target */
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene *s = open_scene("task-clock");
    uint32_t place = add_loop(s, s->main, 10, cases[i].curve, cases[i].of, cases[i].each);
    add_loop(s, s->main, 20, pair_lines, cases[i].rest, 1e-6);
    add_transition(s, place, false);
    analyse(s);
    judge(s);
    bool negligible = !cases[i].negligible;
    unit_ok(sc_carried_is_negligible(&s->carried, (const uint32_t[]){0}, 1, &negligible));
    if (negligible != cases[i].negligible)
      fail_msg("case %zu", i);
    close_scene(s);
  }
}

/* Of the transitions asked for, sorted by number, one that carries a place that waits. */
TEST(what_waits_is_not_negligible)
{
  for (int blocks = 0; blocks < 2; blocks++)
    for (uint32_t waits = 0; waits < 5; waits++) {
      scene *s = open_scene("task-clock");
      for (uint32_t k = 0; k < 5; k++)
        add_transition(s, add_loop(s, s->main, 10 + k, pair_lines, 1, 1e-6), false);
      add_loop(s, s->main, 20, pair_lines, 1e6, 1e-6);
      analyse(s);
      judge(s);
      struct sc_elapsed *e = &s->a->elapsed;
      sc_waiting_place places[2] = {{.context = s->main, .blocks = true},
                                    {.context = s->list[waits].context, .blocks = blocks}};
      sc_waiting_place *own = e->places;
      size_t count = e->place_count;
      bool known = e->known, negligible;
      e->places = places, e->place_count = 2, e->known = true;
      unit_ok(sc_carried_is_negligible(&s->carried, (const uint32_t[]){1, 2, 4}, 3, &negligible));
      assert_true(negligible == !(blocks && (waits == 1 || waits == 2 || waits == 4)));
      e->known = false;
      unit_ok(sc_carried_is_negligible(&s->carried, (const uint32_t[]){1, 2, 4}, 3, &negligible));
      assert_true(negligible);
      e->places = own, e->place_count = count, e->known = known;
      close_scene(s);
    }
}

/* ---- undecided places ---- */

static sc_findings undecided(scene *s, const uint32_t *small, size_t count)
{
  sc_findings f = {0};
  judge(s);
  unit_ok(sc_undecided_make(&s->j, small, count, &f));
  return f;
}

static sc_model *model_of(scene *s, uint32_t context) { return &s->a->models[s->a->series[context]]; }

/* Contexts of one location are one entry, which stands for the one with most. Its cost is all that is in it and in no
 * finding. */
TEST(contexts_of_a_place_are_one_entry)
{
  scene *s = open_scene("task-clock");
  uint32_t f = scene_function(s->graph, s->main, "f", scene_one, 0),
           g = scene_function(s->graph, s->main, "g", scene_one, 0);
  uint32_t first = add_loop(s, f, 5, pair_squares, 1, 1e-6), second = add_loop(s, g, 5, pair_squares, 3, 1e-6);
  uint32_t inside = add_loop(s, first, 6, pair_lines, 10, 1e-3), found = add_loop(s, first, 7, pair_lines, 10, 1e-3);
  uint32_t other = add_loop(s, f, 9, pair_squares, 2, 1e-6);
  add_transition(s, first, true);
  add_transition(s, second, true)->parent = g;
  add_transition(s, found, false); /* what is in a finding */
  add_transition(s, other, true);
  add_transition(s, inside, true); /* told of with what it is in */
  analyse(s);
  sc_findings u = undecided(s, NULL, 0);
  assert_int_equal(u.undecided_count, 2);
  const sc_undecided *one = &u.undecided[0], *two = &u.undecided[1];
  double square = 160000. * 160000, total = s->j.total.value;
  assert_true(one->context == second && one->parent == g && one->sites == 2 && !one->of_cost);
  unit_near(one->cost, 4e-6 * square + 10e-3 * 160000);
  unit_near(one->share, one->cost / total);
  unit_near_by(one->executed, 3 * square / (6 * square + 20 * 160000 + 3), 1e-9);
  assert_true(one->to.exponent == 2 && one->from.exponent == 0 && one->exponent_low == 2);
  double deciding = sc_model_deciding_size(&one->model);
  unit_near(one->deciding, isfinite(deciding) ? deciding : 4 * 1600);
  assert_true(two->context == other && two->sites == 1);
  unit_near(two->cost, 2e-6 * square);
  assert_true(s->classes[0] == SC_COVERAGE_UNDECIDED && s->classes[1] == SC_COVERAGE_UNDECIDED &&
              s->classes[3] == SC_COVERAGE_UNDECIDED && s->classes[2] == 0xff && s->classes[4] == 0xff);
  sc_undecided_free(&u);
  close_scene(s);
}

static void says(sc_model change, const char *reason)
{
  scene *s = open_scene("");
  uint32_t place = add_loop(s, s->main, 5, pair_squares, 1, 0);
  add_transition(s, place, true);
  analyse(s);
  sc_model *m = model_of(s, place);
  m->exact = false, m->fit_error = change.fit_error, m->error = change.error, m->exponent_low = change.exponent_low;
  m->rival_count = change.rival_count;
  memcpy(m->rivals, change.rivals, sizeof m->rivals);
  sc_findings u = undecided(s, NULL, 0);
  assert_int_equal(u.undecided_count, 1);
  assert_string_equal(u.undecided[0].reason, reason);
  unit_near(u.undecided[0].exponent_low, change.exponent_low);
  sc_undecided_free(&u);
  close_scene(s);
}

/* The slowest plausible rival, if that is not superlinear; or that they come in steps; or how well the model fits. */
TEST(why_it_is_undecided)
{
  static const sc_rival line = {.terms = {{7, 1, 0}}, .term_count = 1, .weight = 0.05},
                        root = {.terms = {{9, 0.5, 0}}, .term_count = 1, .weight = 0.049},
                        steep = {.terms = {{9, 1.4, 0}}, .term_count = 1, .weight = 1},
                        nearly = {.terms = {{9, 1.3, 0}}, .term_count = 1, .weight = 1};
  says((sc_model){.exponent_low = 1, .rivals = {line}, .rival_count = 1}, "The counts fit n^2, and about as well 7 n.");
  says((sc_model){.exponent_low = 1, .rivals = {nearly, line, root, steep}, .rival_count = 4},
       "The counts fit n^2, and about as well 7 n.");
  says((sc_model){.exponent_low = 1, .rivals = {line, nearly}, .rival_count = 2},
       "The counts fit n^2, and about as well 7 n.");
  says((sc_model){.exponent_low = 1.39, .fit_error = 0.05, .error = 0.12, .rivals = {root, steep}, .rival_count = 2},
       "The counts come in steps or bursts: n^2 misses them by 12% on average.");
  says((sc_model){.exponent_low = 1.4, .fit_error = 0.25, .error = 0.12},
       "n^2 misses the counts by 25% on average, at 5 sizes.");
}

/* Below a hundredth of cost and executions it is left out; two such may be one together, from a twentieth on. */
TEST(small_ones_are_listed_together)
{
  for (size_t i = 0; i < 3; i++) {
    scene *s = open_scene("task-clock");
    size_t places = i == 0 ? 3 : 6;
    double each = i == 0 ? 0.29 : 0.9, rest = i == 1   ? 6 * 0.9 / 0.0501 - 5.4
                                              : i == 2 ? 6 * 0.9 / 0.0499 - 5.4
                                                       : 100 - 0.87;
    for (uint32_t k = 0; k < places; k++)
      add_transition(s, add_loop(s, s->main, 10 + k, pair_squares, each, 1e-6), true);
    add_loop(s, s->main, 50, pair_squares, rest, 1e-6);
    analyse(s);
    sc_findings u = undecided(s, NULL, 0);
    bool together = i == 1;
    assert_int_equal(u.undecided_count, together);
    for (size_t k = 0; k < places; k++)
      assert_int_equal(s->classes[k], together ? SC_COVERAGE_UNDECIDED : SC_COVERAGE_SMALL);
    if (together) {
      const sc_undecided *sum = &u.undecided[0];
      assert_true(sum->kind == SC_FINDING_SPREAD && sum->sites == 6 && sum->spread &&
                  sum->context == s->list[0].context);
      unit_near(sum->cost, 6 * 0.9e-6 * 160000. * 160000);
      unit_near_by(sum->share, 0.0501, 1e-6);
      assert_true(sum->to.exponent == 2 && *sum->reason);
    } else if (i == 0) {
      sc_undecided_free(&u); /* transitions that others found to be small join them */
      close_scene(s);
      s = open_scene("task-clock");
      add_transition(s, add_loop(s, s->main, 10, pair_squares, 0.9, 1e-6), true);
      for (uint32_t k = 1; k < 6; k++)
        add_transition(s, add_loop(s, s->main, 10 + k, pair_squares, 0.9, 1e-6), false);
      add_loop(s, s->main, 50, pair_squares, 6 * 0.9 / 0.0501 - 5.4, 1e-6);
      analyse(s);
      u = undecided(s, (const uint32_t[]){1, 2, 3, 4, 5}, 5);
      assert_true(u.undecided_count == 1 && u.undecided[0].sites == 6);
    }
    sc_undecided_free(&u);
    close_scene(s);
  }
}

/* At the threshold, by executions alone, too; and what is executed ten times at most is left out anyhow. */
TEST(a_hundredth_is_undecided)
{
  static const struct {
    double of, each;
    bool listed;
  } cases[] = {
      {1.001, 1e-6, true}, {0.999, 1e-6, false}, {1.001, 1e-9, true}, {0.5, 2.01e-6, true}, {0.5, 1.97e-6, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene *s = open_scene("task-clock");
    add_transition(s, add_loop(s, s->main, 10, pair_squares, cases[i].of, cases[i].each), true);
    add_loop(s, s->main, 50, pair_squares, 99, 1e-6);
    analyse(s);
    sc_findings u = undecided(s, NULL, 0);
    if (u.undecided_count != cases[i].listed)
      fail_msg("case %zu", i);
    sc_undecided_free(&u);
    close_scene(s);
  }
  for (int more = 0; more < 2; more++) {
    scene *s = open_scene("");
    add_transition(s, add_loop(s, s->main, 10, few, 10 + more, 0), true);
    analyse(s);
    sc_findings u = undecided(s, NULL, 0);
    assert_int_equal(u.undecided_count, more);
    sc_undecided_free(&u);
    close_scene(s);
  }
}

/* What costs more is first; the first context of those that cost the same. */
TEST(undecided_ones_are_ranked_by_cost)
{
  static const double of[] = {2, 5, 2, 9};
  static const size_t order[] = {3, 1, 0, 2};
  scene *s = open_scene("task-clock");
  uint32_t places[4];
  for (uint32_t k = 0; k < 4; k++)
    add_transition(s, places[k] = add_loop(s, s->main, 10 + k, pair_squares, of[k], 1e-6), true);
  analyse(s);
  sc_findings u = undecided(s, NULL, 0);
  assert_int_equal(u.undecided_count, 4);
  for (size_t k = 0; k < 4; k++)
    assert_int_equal(u.undecided[k].context, places[order[k]]);
  sc_undecided_free(&u);
  close_scene(s);
}
