/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentences about a change: its models, some sizes, and the factor. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "transitions/compare/internal.h"
#include "transitions_compare_scene.h"

/* f is called n times, now n^2 times; and g, which writes bytes now, once an item. */
typedef struct told {
  scene_pair p;
  sc_compare_side in[2];
  sc_compared c;
  uint32_t before, now, work;
} told;

static void begin(told *t)
{
  pair_new(&t->p, "");
  t->before = scene_function(t->p.base, scene_main(t->p.base), "f", scene_n, 0);
  t->now = scene_function(t->p.head, scene_main(t->p.head), "f", scene_square, 0);
  sc_location work = {.kind = SC_LOCATION_WORK, .name = "memset", .file = "a.c", .line = 9, .nth = SC_UNIT_BYTES};
  t->work = scene_context(t->p.head, t->now, &work);
  scene_fill(t->p.head, t->work, scene_n, 0);
  t->p.before = scene_analyse(t->p.base, pair_targets, 2);
  t->p.after = scene_analyse(t->p.head, pair_targets, 2);
  t->in[0] = (sc_compare_side){.analysis = t->p.before};
  t->in[1] = (sc_compare_side){.analysis = t->p.after};
  t->c = (sc_compared){.out = &t->p.comparison, .targets = pair_targets, .target_count = 2, .horizon = 160000};
  assert_int_equal(sc_sides_open(&t->c, &t->in[0], &t->in[1]), 0);
}

static void end(told *t)
{
  sc_sides_close(&t->c);
  pair_free(&t->p);
}

static sc_change_state state_of(const sc_side *side, uint32_t context, sc_interval *predictions)
{
  return (sc_change_state){.context = context, .model = sc_sides_model(side, context), .predictions = predictions};
}

static void says(const told *t, const char *instead, sc_change change, const char *expected)
{
  assert_int_equal(sc_tell_change(&t->c, instead, &change), 0);
  assert_string_equal(change.evidence, expected);
  free(change.evidence);
}

#define BEFORE "Before: n calls (n = 100: 100; n = 400: 400; n = 1,600: 1,600). "
#define NOW    "ow: n^2 calls (n = 100: 10,000; n = 400: 160,000; n = 1,600: 2,560,000). "

TEST(a_change_has_both_states_and_the_factor_at_the_horizon)
{
  told t;
  begin(&t);
  sc_interval base[] = {{1, 1, 1}, {160000, 0, 0}}, head[] = {{2, 2, 2}, {2.56e10, 0, 0}};
  sc_change change = {.base = state_of(&t.c.base, t.before, base),
                      .head = state_of(&t.c.head, t.now, head),
                      .factor = 160000,
                      .context_count = 1};
  says(&t, NULL, change, BEFORE "N" NOW "At n = 160,000: 160,000 before, 25,600,000,000 now (160,000 times as much).");
  static const struct {
    double factor;
    size_t contexts;
    const char *text;
  } cases[] = {{0.05, 1, " (1/20 of it)."},
               {0.1, 1, " (1/10 of it)."},
               {0.0067, 1, " (1/149 of it)."},
               {0.106, 1, " (0.11 times as much)."},
               {2.346, 3, " (2.35 times as much, in 3 contexts)."},
               {9.994, 1, " (9.99 times as much)."},
               {10.4, 2, " (10 times as much, in 2 contexts)."},
               {INFINITY, 2, "."},
               {NAN, 2, "."},
               {0, 2, "."}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    char expected[400];
    change.factor = cases[i].factor, change.context_count = cases[i].contexts;
    snprintf(expected, sizeof expected, BEFORE "N" NOW "At n = 160,000: 160,000 before, 25,600,000,000 now%s",
             cases[i].text);
    says(&t, NULL, change, expected);
  }
  change.factor = 2, change.context_count = 2, change.other_unit = true, change.head.context = t.work;
  change.head.model = sc_sides_model(&t.c.head, t.work);
  says(&t, NULL, change,
       BEFORE "Now: n bytes (n = 100: 100; n = 400: 400; n = 1,600: 1,600). At n = 160,000: 160,000 calls before, "
              "25,600,000,000 bytes now.");
  says(&t, "It is a story.", change, "It is a story.");
  end(&t);
}

TEST(what_is_new_or_gone_has_one_state)
{
  told t;
  begin(&t);
  sc_interval at[] = {{1, 1, 1}, {5, 0, 0}};
  sc_change new = {.base = {.context = SC_COMPARE_NONE},
                   .head = state_of(&t.c.head, t.now, at),
                   .factor = INFINITY,
                   .context_count = 1};
  says(&t, NULL, new,
       "New: n^2 calls (n = 100: 10,000; n = 400: 160,000; n = 1,600: 2,560,000). At n = 160,000: 5 now.");
  new.context_count = 2;
  says(&t, NULL, new,
       "New: n^2 calls (n = 100: 10,000; n = 400: 160,000; n = 1,600: 2,560,000). At n = 160,000: 5 now, in 2 "
       "contexts.");
  sc_change gone = {
      .base = state_of(&t.c.base, t.before, at), .head = {.context = SC_COMPARE_NONE}, .context_count = 2};
  says(&t, NULL, gone, BEFORE "At n = 160,000: 5 before, none now.");
  end(&t);
}

/* What the data leave open is said, of a higher order alone with the one that it counts as. */
TEST(doubtful_models_are_told_as_such)
{
  told t;
  begin(&t);
  sc_interval at[] = {{1, 1, 1}, {5, 0, 0}};
  sc_model rough = *sc_sides_model(&t.c.head, t.now), none = rough;
  rough.exact = false;
  none.verdict = SC_VERDICT_CANNOT_TELL;
  sc_change change = {.rule = SC_RULE_WORSE_ORDER,
                      .base = {t.before, .model = &none, .predictions = at},
                      .head = {t.now, .model = &rough, .predictions = at},
                      .factor = 1,
                      .context_count = 1};
  says(&t, NULL, change,
       "Before: no model calls (n = 100: 100; n = 400: 400; n = 1,600: 1,600). "
       "Now: about n^2 calls (n = 100: 10,000; n = 400: 160,000; n = 1,600: 2,560,000). "
       "At n = 160,000: 5 before, 5 now (1 times as much).");
  change.base.undecided = change.head.undecided = true;
  change.base.counts_as = (sc_order){1, 1, 1, 0, 0}, change.head.counts_as = (sc_order){3, 0, 3, 0, 0};
#define OPEN                                                                                                    \
  "Before: of undecided order, calls (n = 100: 100; n = 400: 400; n = 1,600: 1,600). Now: of undecided order, " \
  "calls (n = 100: 10,000; n = 400: 160,000; n = 1,600: 2,560,000). "
#define REST "At n = 160,000: 5 before, 5 now (1 times as much)."
  says(&t, NULL, change,
       OPEN "The base's order is undecided and counts as its lowest plausible one, n log n. The head's order is "
            "undecided and counts as its highest plausible one, n^3. " REST);
  change.rule = SC_RULE_WORSE_COST;
  says(&t, NULL, change, OPEN REST);
  end(&t);
}

/* At most four: the smallest and the largest are always among them. */
TEST(few_sizes_are_told)
{
  static const size_t steps[] = {1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4}; /* by the number of sizes */
  for (size_t count = 0; count < COUNT(steps); count++)
    assert_int_equal(sc_tell_step(&(sc_side){.size_count = count}), steps[count]);
}
