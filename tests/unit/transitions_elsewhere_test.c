/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An analysis at other values of further parameters, and along one: what is taken over from the base, and what is not.
 */
#include "unit.h"

#include <stdlib.h>

#include "regress/choose/fit.h"
#include "transitions/model/along.h"
#include "transitions/model/data.h"
#include "transitions/model/elsewhere.h"
#include "transitions/model/waiting.h"
#include "transitions_scene.h"

enum { SIZES = 5, CONTEXTS = 9 };
static const double sizes[] = {100, 200, 400, 800, 1600}, target[] = {10000};

#define near_to(value, expected) unit_near_by(value, expected, 1e-6)

/* main > loop (n, 1 us) > f (n^2, 2 us) and main > qsort (3 us a call of its own) > compare (n, 4 us); g is never
 * called and h without samples; the process takes 0.5 s once. */
typedef struct scene {
  sc_graph *graph;
  uint32_t process, main, loop, f, sort, compare, g, h;
  sc_analysis *base;
  uint32_t model_of[CONTEXTS + 1];
  double prices[CONTEXTS + 1];
  bool priced[CONTEXTS + 1];
} scene;

static double never(double n) { return 0; }

static scene open_scene(void)
{
  scene s = {.graph = scene_new(sizes, SIZES, "task-clock")};
  s.main = scene_main(s.graph);
  s.process = sc_graph_parent(s.graph, s.main);
  s.loop = scene_loop(s.graph, s.main, "main", 3, scene_n, 1e-6);
  s.f = scene_function(s.graph, s.loop, "f", scene_square, 2e-6);
  s.sort = scene_foreign(s.graph, s.main, "qsort");
  s.compare = scene_function(s.graph, s.sort, "compare", scene_n, 4e-6);
  s.g = scene_function(s.graph, s.main, "g", never, 0);
  s.h = scene_function(s.graph, s.main, "h", scene_n, 0);
  assert_int_equal(sc_graph_context_count(s.graph), CONTEXTS);
  for (size_t i = 0; i < SIZES; i++) {
    assert_int_equal(sc_graph_add(s.graph, i, s.sort, SC_METRIC_COST, 3e-6 * sizes[i]), 0);
    assert_int_equal(sc_graph_add(s.graph, i, s.process, SC_METRIC_COST, 0.5), 0);
    sc_run *run = sc_graph_run(s.graph, i);
    run->samples += 1000;
    run->user_seconds = sc_graph_value(s.graph, i, 0, SC_METRIC_COST);
    run->wall_seconds = 1;
  }
  s.base = scene_analyse(s.graph, target, 1);
  for (uint32_t c = 0; c < CONTEXTS; c++)
    s.prices[c] = 7e-6;
  return s;
}

static void close_scene(scene *s)
{
  sc_analysis_free(s->base);
  sc_graph_free(s->graph);
}

/* Executions there: 0: once; 1: 3 n; 2: 5 n^2; 3: nothing is known. */
static const sc_model models[] = {
    {.terms = {{1, 0, 0}}, .term_count = 1, .exact = true, .points = 5, .n_min = 1, .n_max = 8},
    {.terms = {{3, 1, 0}}, .term_count = 1, .exact = true, .points = 5, .n_min = 1, .n_max = 8, .order = {1, 0, 1}},
    {.terms = {{5, 2, 0}},
     .term_count = 1,
     .exact = true,
     .points = 5,
     .n_min = 1,
     .n_max = 8,
     .order = {2, 0, 2},
     .exponent_low = 2},
    {.terms = {{9, 2, 0}}, .term_count = 1, .verdict = SC_VERDICT_CANNOT_TELL}};

static sc_elsewhere there_of(scene *s)
{
  s->model_of[s->loop] = s->model_of[s->compare] = s->model_of[s->g] = s->model_of[s->h] = 1;
  s->model_of[s->f] = 2;
  return (sc_elsewhere){.models = models,
                        .model_count = COUNT(models),
                        .model_of = s->model_of,
                        .prices = s->prices,
                        .priced = s->priced,
                        .price_most = 3,
                        .checked = NAN};
}

static const sc_load *load(const sc_analysis *a, uint32_t context) { return sc_analysis_load(a, context); }

TEST(costs_stay_and_executions_are_those_there)
{
  scene s = open_scene();
  sc_elsewhere there = there_of(&s);
  sc_analysis *a;
  assert_int_equal(sc_analysis_move(s.base, &there, &a), 0);
  assert_true(sc_analysis_moved(a) && !sc_analysis_moved(s.base));
  assert_true(sc_analysis_run_count(a) == SIZES && sc_analysis_size(a, 4) == 1600 && sc_analysis_run(a, 4) == 4);
  assert_true(sc_model_value(sc_analysis_model(a, s.loop), 1000) == 3000);
  assert_true(sc_model_value(sc_analysis_model(a, s.f), 1000) == 5e6);
  for (size_t i = 0; i < SIZES; i++)
    assert_true(sc_analysis_values(a, s.f)[i] == 5 * sizes[i] * sizes[i] && sc_analysis_values(a, s.main)[i] == 1);
  near_to(load(a, s.loop)->each, 1e-6);
  near_to(load(a, s.f)->each, 2e-6);
  near_to(load(a, s.f)->below, load(s.base, s.f)->below);
  near_to(load(a, s.f)->above, load(s.base, s.f)->above);
  /* a foreign function's own cost goes with its calls there; the process's is what it was */
  const sc_load *sort = load(a, s.sort);
  assert_true(!sort->counted && sort->model == load(a, s.compare)->model);
  near_to(sort->each, load(s.base, s.sort)->each);
  near_to(sort->below, load(s.base, s.sort)->below);
  /* what never ran at the base has a price, and is not sure; without samples elsewhere it has that of the base */
  near_to(load(a, s.g)->each, 7e-6);
  near_to(load(a, s.g)->below, 7e-6);
  near_to(load(a, s.g)->above, 2 * 7e-6);
  assert_true(load(a, s.h)->each == load(s.base, s.h)->each);
  for (uint32_t c = 0; c < CONTEXTS; c++)
    assert_true(load(a, c)->cheaper == 0 && load(a, c)->dearer == 0);
  sc_interval total, before;
  double n = 10000;
  assert_int_equal(sc_analysis_total(a, n, &total), 0);
  assert_int_equal(sc_analysis_total(s.base, n, &before), 0);
  double once = before.value - (1e-6 * n + 2e-6 * n * n + 7e-6 * n);
  near_to(total.value, 3 * 1e-6 * n + 5 * 2e-6 * n * n + 3 * 7e-6 * n + 3 * 7e-6 * n + once);
  assert_true(a->untold.count == 0 && !a->elapsed.known);
  sc_analysis_free(a);
  /* samples there price it, and a check there makes all dearer or cheaper */
  s.priced[s.h] = true;
  there.checked = 1.2;
  assert_int_equal(sc_analysis_move(s.base, &there, &a), 0);
  near_to(load(a, s.h)->each, 7e-6);
  near_to(load(a, s.loop)->each, 1e-6);
  near_to(load(a, s.sort)->dearer, 0.2);
  assert_true(load(a, s.f)->cheaper == 0);
  sc_analysis_free(a);
  there.checked = 0.7;
  assert_int_equal(sc_analysis_move(s.base, &there, &a), 0);
  near_to(load(a, s.process)->cheaper, 0.3);
  assert_true(load(a, s.f)->dearer == 0);
  sc_analysis_free(a);
  close_scene(&s);
}

/* What has no model there and grows is open, and counted as untold. */
TEST(what_is_not_known_there_is_open)
{
  scene s = open_scene();
  sc_elsewhere there = there_of(&s);
  sc_analysis *a;
  s.model_of[s.f] = s.model_of[s.compare] = 3;
  assert_int_equal(sc_analysis_move(s.base, &there, &a), 0);
  assert_true(load(a, s.f)->open && load(a, s.compare)->open && !load(a, s.loop)->open);
  const sc_untold *u = sc_analysis_untold(a);
  double n = 1600, wild = 9 * n * n, counts = 2 * wild + 9 * n + 1;
  assert_true(u->count == 2 && u->context == s.f);
  near_to(u->count_share, 2 * wild / counts);
  near_to(u->cost_share,
          (2e-6 + 4e-6) * wild /
              ((2e-6 + 4e-6) * wild + 3 * n * (1e-6 + 7e-6 + load(a, s.h)->each) + load(a, s.main)->each));
  assert_true(u->unbounded && u->most);
  sc_analysis_free(a);
  close_scene(&s);
}

TEST(elapsed_time_there)
{
  scene s = open_scene();
  sc_elsewhere there = there_of(&s);
  const sc_elsewhere_time time = {.rate = 1.5,
                                  .rate_low = 1.2,
                                  .rate_high = 1.9,
                                  .processor = {.model = 1, .each = 9, .start = 1},
                                  .ready = {.model = 2, .each = 3e-6, .below = 1e-6, .above = 2e-6, .start = 0.25},
                                  .waiting = {.has_own = true, .own = models[1]},
                                  .measured = true,
                                  .shares = {[SC_WAIT_SLEEP] = 0.75},
                                  .threads = 1};
  sc_analysis *a;
  there.time = &time;
  assert_int_equal(sc_analysis_move(s.base, &there, &a), 0);
  const struct sc_elapsed *e = &a->elapsed;
  assert_true(e->known && e->of_costs == s.base->elapsed.of_costs && e->rate == 1.5 && e->rate_low == 1.2 &&
              e->rate_high == 1.9 && e->measured && e->shares[SC_WAIT_SLEEP] == 0.75 && e->threads == 1);
  near_to(sc_blend_value(&e->ready, a->models, 1000), 3e-6 * 5e6 + 0.25);
  near_to(sc_blend_value(&e->waiting, a->models, 1000), 3000);
  assert_true(e->ready.parts[0].below == 1e-6 * 1e-6 && e->ready.parts[0].above == 2e-6 * 2e-6);
  assert_int_equal(e->processor.count, e->of_costs ? 0 : 2);
  sc_analysis_free(a);
  sc_elsewhere_time threads = time;
  threads.threads = 2;
  there.time = &threads;
  assert_int_equal(sc_analysis_move(s.base, &there, &a), 0);
  assert_true(isinf(a->elapsed.threads));
  sc_analysis_free(a);
  /* at the base's values the base's own */
  there.base = true;
  assert_int_equal(sc_analysis_move(s.base, &there, &a), 0);
  if (s.base->elapsed.known) {
    assert_true(a->elapsed.rate == s.base->elapsed.rate && a->elapsed.threads == s.base->elapsed.threads);
    near_to(sc_blend_value(&a->elapsed.waiting, a->models, 777) + 1,
            sc_blend_value(&s.base->elapsed.waiting, s.base->models, 777) + 1);
  }
  sc_analysis_free(a);
  close_scene(&s);
}

/* A price that grows at the base grows there, from the price at the base: 2 us (n / 100)^power for each of f's n^2. */
TEST(growing_prices_grow_there)
{
  static const double powers[] = {0.5, 1, -0.25};
  for (size_t i = 0; i < COUNT(powers); i++) {
    scene s = open_scene();
    sc_elsewhere there = there_of(&s);
    sc_analysis *a;
    uint32_t number;
    double power = powers[i], each = 2e-6 * pow(100, -power);
    sc_load is = *load(s.base, s.f);
    sc_model cost = {.terms = {{each, 2 + power, 0}}, .term_count = 1, .n_min = 100, .n_max = 1600, .fit_error = 0.01};
    unit_ok(sc_analysis_add_model(s.base, &cost, &number));
    is.growing = true, is.cost_model = number, is.growth = power, is.growth_error = 0.3, is.growth_sum = 0.2;
    unit_ok(sc_loads_set(&s.base->loads, s.f, &is));
    unit_ok(sc_analysis_move(s.base, &there, &a));
    const sc_load *f = load(a, s.f);
    assert_true(f->growing && f->growth == power && f->growth_error == 0.3 && f->growth_sum == 0.2);
    const sc_model *m = &a->models[f->cost_model];
    assert_true(!m->exact && m->error == -1);
    for (double n = 50; n < 1e6; n *= 10)
      near_to(sc_model_value(m, n), 5 * each * pow(n, 2 + power));
    assert_true(!load(a, s.loop)->growing);
    sc_analysis_free(a);
    s.model_of[s.f] = 3; /* how often it is there is not known */
    unit_ok(sc_analysis_move(s.base, &there, &a));
    assert_true(!load(a, s.f)->growing && load(a, s.f)->each == is.each);
    sc_analysis_free(a);
    close_scene(&s);
  }
}

/* A model of the base that belongs to none of its counts. */
static uint32_t add_own(scene *s, double coefficient, double exponent)
{
  uint32_t number;
  sc_model own = {.terms = {{coefficient, exponent, 0}}, .term_count = 1, .exact = true, .n_min = 100, .n_max = 1600};
  unit_ok(sc_analysis_add_model(s->base, &own, &number));
  return number;
}

/* Three places wait at the base: for 1 ms each time that the loop goes round; for 2 s (n / 1,600)^0 that goes with no
 * count; and in main for what goes with "once". */
static void wait_at_base(scene *s)
{
  struct sc_elapsed *e = &s->base->elapsed;
  const uint32_t contexts[] = {s->loop, s->loop, s->main}, own = add_own(s, 2, 0);
  const sc_blend_part parts[] = {{.model = s->base->series[s->loop], .value = 1e-3, .low = 0.5e-3, .high = 2e-3},
                                 {.model = own, .value = 1, .low = 0.5, .high = 1.25},
                                 {.model = SC_SERIES_ONE, .value = 7, .low = 6, .high = 8}};
  sc_waiting_free(s->base);
  e->places = calloc(3, sizeof *e->places);
  assert_non_null(e->places);
  for (size_t i = 0; i < 3; i++) {
    e->places[i] = (sc_waiting_place){.context = contexts[i], .line = 5, .via = "read", .measured = 1, .waits = 40};
    unit_ok(sc_blend_add(&e->places[i].blend, &parts[i]));
  }
  e->place_count = 3;
  e->known = true;
  e->threads = 3;
}

/* Waits follow the count's model there; what goes with no count is as much more as the place is reached more often, and
 * the upper end three times that. */
TEST(places_wait_there_for_each_execution)
{
  scene s = open_scene();
  wait_at_base(&s);
  sc_elsewhere there = there_of(&s);
  const sc_elsewhere_time time = {.rate = 1, .rate_low = 1, .rate_high = 1, .threads = 1};
  there.time = &time;
  sc_analysis *a;
  unit_ok(sc_analysis_move(s.base, &there, &a));
  const struct sc_elapsed *e = &a->elapsed;
  assert_int_equal(e->place_count, 3);
  const sc_waiting_place *loop = &e->places[0], *own = &e->places[1], *once = &e->places[2];
  assert_true(loop->context == s.loop && loop->line == 5 && strcmp(loop->via, "read") == 0);
  assert_true(loop->blend.count == 1 && loop->blend.parts[0].model == a->series[s.loop]);
  near_to(sc_blend_value(&loop->blend, a->models, 1000), 3);
  near_to(loop->measured, 4.8);
  near_to(loop->waits, 3 * 40); /* 3 n in place of n */
  near_to(loop->blend.parts[0].low, 0.5e-3);
  near_to(sc_blend_value(&own->blend, a->models, 1000), 3 * 2);
  near_to(own->measured, 6);
  near_to(own->blend.parts[0].high, 3 * 1.25 * 3);
  assert_true(own->blend.parts[0].low == 0);
  near_to(sc_blend_value(&once->blend, a->models, 1000), 7); /* main is executed once there, too */
  near_to(once->waits, 40);
  sc_analysis_free(a);
  s.model_of[s.loop] = 3; /* how often is not known: as at the base */
  unit_ok(sc_analysis_move(s.base, &there, &a));
  near_to(sc_blend_value(&a->elapsed.places[1].blend, a->models, 1000), 2);
  near_to(a->elapsed.places[0].waits, 40);
  sc_analysis_free(a);
  s.model_of[s.loop] = 1, s.model_of[s.main] = 1; /* main runs 3 n times */
  unit_ok(sc_analysis_move(s.base, &there, &a));
  near_to(sc_blend_value(&a->elapsed.places[2].blend, a->models, 1000), 7 * 3000);
  sc_analysis_free(a);
  close_scene(&s);
}

/* At the base's own values of the parameter, seconds are the base's, by the base's models. */
TEST(at_the_bases_values_its_seconds_stay)
{
  scene s = open_scene();
  wait_at_base(&s);
  struct sc_elapsed *b = &s.base->elapsed;
  uint32_t numbers[] = {add_own(&s, 3, 1), add_own(&s, 5, 0.5), add_own(&s, 0.25, 1)};
  sc_blend *blends[] = {&b->ready, &b->waiting, &b->processor};
  for (size_t i = 0; i < 3; i++) {
    sc_blend_free(blends[i]);
    *blends[i] = (sc_blend){.parts = NULL};
    sc_blend_part part = {.model = numbers[i], .value = 2, .low = 1, .high = 4};
    unit_ok(sc_blend_add(blends[i], &part));
  }
  b->rate = 1.25, b->rate_low = 1.125, b->rate_high = 2, b->together = 2.5;
  sc_elsewhere there = there_of(&s);
  there.base = true;
  sc_analysis *a;
  unit_ok(sc_analysis_move(s.base, &there, &a));
  const struct sc_elapsed *e = &a->elapsed;
  assert_true(e->known && e->rate == 1.25 && e->rate_low == 1.125 && e->rate_high == 2 && e->together == 2.5);
  assert_true(e->threads == 3 && e->place_count == 3);
  near_to(sc_blend_value(&e->ready, a->models, 100), 600);
  near_to(sc_blend_value(&e->waiting, a->models, 100), 100);
  near_to(sc_blend_value(&e->processor, a->models, 100), 50);
  assert_true(e->ready.parts[0].low == 1 && e->ready.parts[0].high == 4);
  sc_analysis_free(a);
  b->known = false; /* then nothing is known there, either */
  unit_ok(sc_analysis_move(s.base, &there, &a));
  assert_false(a->elapsed.known);
  sc_analysis_free(a);
  close_scene(&s);
}

/* ---- along a further parameter m, where n stays 10,000 ---- */
static const double values[] = {1, 2, 4, 8};
static const double counts[COUNT(models)][4] = {{1, 1, 1, 1}, {3, 6, 12, 24}, {5, 20, 80, 320}, {9, 8, 900, 7}};

static sc_along along_of(scene *s, size_t count)
{
  static const size_t runs[] = {0, 1, 2, 3};
  (void)there_of(s);
  return (sc_along){.variable = "m",
                    .target = 32,
                    .held = "n = 10,000",
                    .graph = s->graph,
                    .runs = runs,
                    .values = values,
                    .count = count,
                    .models = models,
                    .model_count = COUNT(models),
                    .counts = &counts[0][0],
                    .model_of = s->model_of,
                    .prices = s->prices,
                    .priced = s->priced};
}

TEST(along_a_parameter_costs_are_those_at_the_horizon)
{
  scene s = open_scene();
  sc_along along = along_of(&s, 4);
  sc_analysis *a;
  assert_int_equal(sc_analysis_along(s.base, &along, &a), 0);
  assert_string_equal(sc_analysis_held(a), "n = 10,000");
  assert_string_equal(sc_analysis_get_options(a)->variable, "m");
  assert_true(sc_analysis_horizon(a) == 32 && sc_analysis_run_count(a) == 4 && sc_analysis_size(a, 3) == 8 &&
              sc_analysis_run(a, 2) == 2 && !sc_analysis_moved(a));
  assert_true(sc_analysis_model(a, s.f)->order.exponent == 2 && sc_analysis_model(a, s.f)->points == 4 &&
              sc_analysis_model(a, s.f)->exponent_low == 2);
  near_to(load(a, s.loop)->each, 1e-6);
  near_to(load(a, s.f)->each, 2e-6);
  near_to(load(a, s.f)->below, load(s.base, s.f)->below);
  near_to(load(a, s.f)->above, load(s.base, s.f)->above);
  near_to(load(a, s.g)->each, 7e-6);
  assert_true(load(a, s.g)->below == load(a, s.g)->each && load(a, s.g)->above == load(a, s.g)->each);
  const sc_load *sort = load(a, s.sort);
  near_to(sort->each, load(s.base, s.sort)->each);
  assert_true(!sort->counted && sort->model == load(a, s.compare)->model && sort->below == 0 && sort->above == 0);
  const sc_load *process = load(a, s.process);
  assert_true(process->model == SC_SERIES_ONE && process->ratio == 1 && process->ratio_low == 1 &&
              process->ratio_high == 1);
  sc_blend_part once = s.base->once;
  near_to(a->start + 1, (s.base->start > 0 ? once.value * sc_model_value(&s.base->models[once.model], 10000) : 0) + 1);
  sc_interval total;
  assert_int_equal(sc_analysis_total(a, 32, &total), 0);
  double steady = 1e-6 * 96 + 2e-6 * 5120 + (3e-6 + 4e-6) * 96 + 7e-6 * 96 + load(a, s.h)->each * 96;
  near_to(total.value, steady + a->start + process->each + load(a, s.main)->each);
  sc_analysis_free(a);
  /* three values leave linear growth plausible */
  along = along_of(&s, 3);
  along.counts = (const double[]){1, 1, 1, 3, 6, 12, 5, 20, 80, 9, 8, 900};
  assert_int_equal(sc_analysis_along(s.base, &along, &a), 0);
  assert_true(sc_analysis_model(a, s.f)->exponent_low == 1 && sc_analysis_model(a, s.loop)->exponent_low == 0);
  sc_analysis_free(a);
  close_scene(&s);
}

/* Models of several parameters that are not exact are held against the counts along this one. */
TEST(counts_along_a_parameter_may_be_stairs)
{
  static const double more[] = {1, 2, 4, 8, 16, 32}, stairs[] = {1, 1, 1, 1, 1, 1, 64, 128, 128, 512, 512, 2048};
  static const size_t runs[] = {0, 1, 2, 3, 4, 0};
  scene s = open_scene();
  sc_model own[2] = {models[0], models[2]};
  sc_along along = along_of(&s, 6);
  own[1].exact = false;
  along.runs = runs;
  along.values = more;
  along.models = own;
  along.model_count = 2;
  along.counts = stairs;
  for (uint32_t c = 0; c < CONTEXTS; c++)
    s.model_of[c] = c == s.f;
  sc_model line;
  sc_analysis *a;
  const sc_series series = {more, stairs + 6, 6, true};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &line), 0);
  assert_int_equal(sc_analysis_along(s.base, &along, &a), 0);
  assert_true(sc_analysis_model(a, s.f)->exponent_low ==
              fmin(2, line.verdict == SC_VERDICT_MODEL ? line.exponent_low : 1));
  sc_analysis_free(a);
  close_scene(&s);
}
