/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a resource's measured values of two versions differ, and where: known answers, by the functions that
 * transitions/compare works with. */
#include "unit.h"

#include <math.h>

#include "transitions/compare/holdings.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200, 400, 800}, targets[] = {1600, 12800};
enum { SIZES = 4, REPEATS = 3, CALLS = 4 };

/* One version: a heap, whose peak is measured in each run, or how long a lock is held. */
typedef struct version {
  const double *sizes; /* NULL: those above */
  double values[SIZES][REPEATS];
} version;

typedef struct pair {
  sc_graph *graphs[2];
  sc_analysis *analyses[2];
  sc_resources *resources[2];
  sc_compare_side in[2];
  sc_compared c;
  sc_holding x;
} pair;

static void open_pair(pair *p, enum sc_parameter_kind kind)
{
  for (int i = 0; i < 2; i++) {
    p->analyses[i] = scene_analyse(p->graphs[i], targets, 2);
    p->resources[i] = scene_resources(p->analyses[i], kind);
    p->in[i] = (sc_compare_side){.analysis = p->analyses[i], .resources = p->resources[i]};
  }
  p->c = (sc_compared){.targets = targets, .target_count = 2, .horizon = 12800};
  unit_ok(sc_sides_open(&p->c, &p->in[0], &p->in[1]));
  p->x = (sc_holding){.c = &p->c};
}

static void drop_pair(pair *p)
{
  sc_sides_close(&p->c);
  for (int i = 0; i < 2; i++)
    scene_drop(p->graphs[i], p->analyses[i], p->resources[i]);
}

static sc_graph *build(const version *v, bool lock)
{
  sc_graph *graph = scene_repeats(v->sizes ? v->sizes : sizes, SIZES, REPEATS);
  uint32_t work = scene_function(graph, scene_main(graph), "work", scene_n, 0);
  uint32_t resource = scene_resource(graph, lock ? SC_RESOURCE_MUTEX : SC_RESOURCE_HEAP, "r", 0);
  for (size_t run = 0; run < SIZES * REPEATS; run++) {
    double value = v->values[run / REPEATS][run % REPEATS];
    if (lock)
      scene_lock_run(graph, run, work, resource, (scene_lock){2, 100, value, 1e-3, 0, 1});
    else
      scene_units_run(graph, run, work, resource, (scene_units){10, 1, 10, value});
    if (!lock)
      scene_occupancy(graph, run, resource, 1, 1, 1, 1);
  }
  return graph;
}

static void measure(pair *p, const version *base, const version *head, bool lock)
{
  bool known;
  *p = (pair){.graphs = {build(base, lock), build(head, lock)}};
  open_pair(p, SC_PARAMETER_DATA);
  p->x.metric = lock ? SC_RMETRIC_HOLD : SC_RMETRIC_PEAK;
  p->x.least = lock ? 0 : 0.5;
  unit_ok(sc_holding_measure(&p->x, &known));
  assert_true(known);
}

static version times(const version *v, double factor)
{
  version made = *v;
  for (size_t i = 0; i < SIZES; i++)
    for (size_t k = 0; k < REPEATS; k++)
      made.values[i][k] *= factor;
  return made;
}

/* Amounts by their means, where one more or less is no factor; the sizes' least difference has the mean as it is. */
TEST(amounts_are_compared_by_their_means)
{
  static const version base = {.values = {{90, 100, 110}, {190, 200, 210}, {390, 400, 410}, {790, 800, 810}}};
  static const version head = {.values = {{180, 200, 250}, {390, 400, 440}, {800, 840, 880}, {1590, 1600, 1640}}};
  pair p;
  measure(&p, &base, &head, false);
  assert_int_equal(p.x.measured.points, SIZES);
  assert_false(p.x.measured.equal || p.x.measured.between);
  unit_near(p.x.measured.last, log(1610.5 / 800.5));
  unit_near(p.x.measured.worst, log(840.5 / 400.5));
  unit_near(p.x.measured.least, log(1610.5 / 800.5));
  unit_near(p.x.apart, log(1610.0 / 800));
  assert_ptr_equal(p.x.base_series, sc_resources_series(p.resources[0], 0, SC_USAGE_NONE, SC_RMETRIC_PEAK));
  sc_interval told;
  for (int i = 0; i < 2; i++) {
    unit_ok(sc_resources_predict(p.resources[i], 0, SC_RMETRIC_PEAK, 12800, &told));
    unit_near((i ? p.x.after : p.x.before).value, told.value);
  }
  drop_pair(&p);
}

/* Times by their least, as the machine only adds to them. */
TEST(times_are_compared_by_their_least)
{
  static const version base = {
      .values = {{3e-6, 2e-6, 9e-6}, {2e-6, 5e-6, 4e-6}, {7e-6, 8e-6, 2e-6}, {4e-6, 2e-6, 2e-6}}};
  version head = times(&base, 3);
  pair p;
  head.values[1][0] = 5e-6; /* the least there, by 2.5 */
  measure(&p, &base, &head, true);
  unit_near_by(p.x.measured.last, log(3), 1e-6);
  unit_near_by(p.x.apart, log(2.5), 1e-6);
  drop_pair(&p);
}

/* The standard deviation of the logarithms within sizes, of the side that has the larger one. */
TEST(repeats_scatter_by_their_logarithms)
{
  static const version base = {.values = {{100, 200, 400}, {100, 200, 400}, {100, 200, 400}, {100, 200, 400}}};
  static const version quiet = {.values = {{100, 110, 121}, {100, 110, 121}, {100, 110, 121}, {100, 110, 121}}};
  static const version uneven = {.values = {{1, 1, 1}, {300, 300, 300}, {100, 1000, 10000}, {7, 7, 7}}};
  pair p;
  measure(&p, &base, &quiet, false);
  unit_near(p.x.spread, log(2)); /* squares 2 log(2)^2 of each size, by 2 degrees each */
  drop_pair(&p);
  measure(&p, &quiet, &base, false);
  unit_near(p.x.spread, log(2));
  drop_pair(&p);
  measure(&p, &uneven, &quiet, false);
  unit_near(p.x.spread, sqrt(2 * log(10) * log(10) / 8));
  drop_pair(&p);
  measure(&p, &quiet, &quiet, false);
  unit_near(p.x.spread, log(1.1));
  assert_true(p.x.measured.equal && p.x.apart == 0);
  drop_pair(&p);
}

/* A size at which nothing was held says nothing of how repeats scatter. */
TEST(nothing_has_no_logarithm)
{
  static const version base = {.values = {{0, 4, 9}, {0, 0, 0}, {100, 200, 400}, {100, 200, 400}}};
  pair p;
  measure(&p, &base, &base, false);
  unit_near(p.x.spread, log(2));
  drop_pair(&p);
}

/* The least difference of the sizes that both measured, if it is to one side, of three at least. */
TEST(sizes_differ_to_one_side)
{
  static const double others[] = {100, 200, 500, 800}, few[] = {100, 250, 500, 800};
  static const struct {
    double head[SIZES]; /* times 100, 100, 100, 100 */
    double base_at_first;
    const double *sizes;
    double factor; /* 1: they do not */
  } cases[] = {
      {{2, 3, 4, 5}, 100, NULL, 2},   {{5, 4, 1.25, 3}, 100, NULL, 1.25},   {{0.5, 0.4, 0.3, 0.2}, 100, NULL, 2},
      {{2, 2, 0.9, 2}, 100, NULL, 1}, {{0.5, 1.1, 0.5, 0.5}, 100, NULL, 1}, {{2, 1, 2, 2}, 100, NULL, 1},
      {{1, 2, 2, 2}, 100, NULL, 1},   {{0, 2, 3, 4}, 0, NULL, 2},           {{0, 2, 3, 4}, 100, NULL, 1},
      {{1, 2, 3, 4}, 0, NULL, 1},     {{2, 3, 1.5, 4}, 100, others, 2},     {{2, 3, 4, 5}, 100, few, 1}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    pair p;
    version base = {0}, head = {.sizes = cases[i].sizes};
    for (size_t k = 0; k < SIZES; k++)
      for (size_t r = 0; r < REPEATS; r++) {
        base.values[k][r] = k ? 100 : cases[i].base_at_first;
        head.values[k][r] = cases[i].head[k] * 100;
      }
    measure(&p, &base, &head, false);
    unit_near(p.x.apart + 1, log(cases[i].factor) + 1);
    drop_pair(&p);
  }
}

/* ---- which resource is which ---- */

typedef struct declared {
  enum sc_resource_class kind;
  const char *name, *file;
  uint32_t line;
} declared;

/* The base's resource of each of the head. */
static void match(const declared *base, size_t bases, const declared *head, size_t heads, const uint32_t *expected)
{
  pair p = {0};
  uint32_t number, *mates;
  const declared *lists[] = {base, head};
  const size_t counts[] = {bases, heads};
  for (int i = 0; i < 2; i++) {
    p.graphs[i] = scene_repeats(sizes, SIZES, 1);
    scene_function(p.graphs[i], scene_main(p.graphs[i]), "work", scene_n, 0);
    for (size_t k = 0; k < counts[i]; k++) {
      const declared *d = &lists[i][k];
      sc_resource resource = {.resource_class = d->kind, .name = d->name, .file = d->file, .line = d->line};
      unit_ok(sc_usage_resource(p.graphs[i], &resource, &number));
      assert_int_equal(number, k);
    }
  }
  open_pair(&p, SC_PARAMETER_DATA);
  unit_ok(sc_holding_match(&p.c, &mates));
  for (size_t k = 0; k < heads; k++)
    assert_int_equal(mates[k], expected[k]);
  free(mates);
  drop_pair(&p);
}

TEST(the_same_declaration_goes_before_the_name_before_the_place)
{
  enum { NONE = SC_COMPARE_NONE };
  static const declared two[] = {{SC_RESOURCE_MUTEX, "m", "/a/x.c", 10}, {SC_RESOURCE_MUTEX, "m", "/a/x.c", 20}};
  static const declared turned[] = {{SC_RESOURCE_MUTEX, "m", "/b/x.c", 20}, {SC_RESOURCE_MUTEX, "m", "/b/x.c", 10}};
  match(two, 2, turned, 2, (uint32_t[]){1, 0});
  /* without files by line, and where one has a file by name */
  static const declared bare[] = {{SC_RESOURCE_MUTEX, "m", "", 10}, {SC_RESOURCE_MUTEX, "m", "", 20}};
  static const declared bare_turned[] = {{SC_RESOURCE_MUTEX, "m", "", 20}, {SC_RESOURCE_MUTEX, "m", "", 10}};
  match(bare, 2, bare_turned, 2, (uint32_t[]){1, 0});
  match(bare, 2, turned, 2, (uint32_t[]){0, 1});
  match(two, 2, bare_turned, 2, (uint32_t[]){0, 1});
  /* by name, though another one stands at the place */
  static const declared named[] = {{SC_RESOURCE_MUTEX, "left", "x.c", 10}, {SC_RESOURCE_MUTEX, "right", "x.c", 30}};
  static const declared moved[] = {{SC_RESOURCE_MUTEX, "right", "y.c", 10}, {SC_RESOURCE_MUTEX, "new", "x.c", 31}};
  match(named, 2, moved, 2, (uint32_t[]){1, 0});
  /* one for one: what is taken is not there for others; nor is another class */
  static const declared more[] = {{SC_RESOURCE_MUTEX, "a", "x.c", 10}, {SC_RESOURCE_MUTEX, "b", "x.c", 11}};
  match(named, 1, more, 2, (uint32_t[]){0, NONE});
  static const declared other[] = {{SC_RESOURCE_HEAP, "left", "x.c", 10}};
  match(named, 2, other, 1, (uint32_t[]){NONE});
  match(other, 1, named, 2, (uint32_t[]){NONE, NONE});
}

/* ---- where it changed ---- */

/* A call in one of two contexts: how much it has; of `metric`, whatever else it has is in its way. */
typedef struct call {
  double value;
  uint32_t line, column;
  const char *via;
  int context;
  uint8_t event;
  bool shared;
} call;

typedef struct calls {
  enum sc_resource_metric metric;
  call base[CALLS], head[CALLS]; /* up to value 0 */
  uint32_t line, column;
  int context;
} calls;

static void fill_call(sc_usage *row, enum sc_resource_metric metric, double value)
{
  row->values[SC_USAGE_ACQUIRES] = metric == SC_RMETRIC_ACQUIRES ? value : 3;
  row->values[SC_USAGE_UNITS] = metric == SC_RMETRIC_OUTSTANDING ? value + 5 : 7;
  row->values[SC_USAGE_RETURNED_UNITS] = metric == SC_RMETRIC_OUTSTANDING ? 5 : 7;
  row->values[SC_USAGE_PEAK] = metric == SC_RMETRIC_PEAK ? value : 9;
  row->values[SC_USAGE_HOLDS] = 1;
  row->values[SC_USAGE_HOLD_SECONDS] = metric == SC_RMETRIC_HOLD ? value : 1;
}

static sc_holding_place place_of(const calls *c, bool fresh, uint32_t contexts[2])
{
  pair p = {0};
  sc_holding_place site;
  for (int i = 0; i < 2; i++) {
    p.graphs[i] = scene_repeats(sizes, SIZES, 1);
    uint32_t main = scene_main(p.graphs[i]);
    contexts[0] = scene_function(p.graphs[i], main, "one", scene_n, 0);
    contexts[1] = scene_function(p.graphs[i], main, "two", scene_n, 0);
    uint32_t resource = scene_resource(p.graphs[i], SC_RESOURCE_HEAP, "r", 0);
    scene_resource(p.graphs[i], SC_RESOURCE_HEAP, "other", 0);
    for (size_t run = 0; run < SIZES; run++) {
      for (const call *at = i ? c->head : c->base; at < (i ? c->head : c->base) + CALLS && at->value > 0; at++) {
        sc_usage row = {.via = at->via ? at->via : "get",
                        .line = at->line,
                        .column = at->column,
                        .event = at->event ? at->event : SC_USAGE_EVENT_ACQUIRE,
                        .shared = at->shared};
        fill_call(&row, c->metric, at->value * (run == SIZES - 1 ? 1 : 1e-3)); /* the largest run tells */
        scene_usage(p.graphs[i], run, contexts[at->context], resource, &row);
      }
      scene_occupancy(p.graphs[i], run, resource, 1, 1, 1, 1);
    }
  }
  open_pair(&p, SC_PARAMETER_DATA);
  for (uint32_t k = 0; k < p.c.head.contexts; k++)
    p.c.head.mate[k] = p.c.base.mate[k] = k;
  p.x.metric = c->metric;
  p.x.base = fresh ? SC_COMPARE_NONE : 0;
  unit_ok(sc_holding_site(&p.x, &site));
  drop_pair(&p);
  return site;
}

TEST(the_call_that_changed_most_is_found)
{
  static const calls cases[] = {
      /* as many calls as before: in their order, whatever they have */
      {SC_RMETRIC_PEAK, {{100, 10}, {200, 11}}, {{200, 15}, {101, 16}}, 15},
      {SC_RMETRIC_PEAK, {{200, 11}, {100, 10}}, {{101, 16}, {200, 15}}, 15}, /* in any order of recording */
      {SC_RMETRIC_PEAK, {{100, 10}, {200, 11}}, {{100, 15}, {90, 16}}, 16},  /* less is a change, too */
      /* more or fewer: equal ones first */
      {SC_RMETRIC_PEAK, {{100, 10}, {200, 11}}, {{200, 15}, {100, 16}, {5, 17}}, 17},
      {SC_RMETRIC_PEAK, {{100, 10}, {200, 11}, {300, 12}}, {{200, 15}, {303, 16}}, 16},
      {SC_RMETRIC_PEAK, {{100, 10}, {100, 11}}, {{100, 15}, {100, 16}, {100, 17}}, 17}, /* each once */
      /* calls of one function are compared, of one kind */
      {SC_RMETRIC_PEAK, {{100, 10, 0, "a"}, {200, 11, 0, "b"}}, {{200, 9, 0, "b"}, {150, 15, 0, "a"}}, 15},
      {SC_RMETRIC_PEAK, {{100, 10, 0, "a"}}, {{100, 9, 0, "b"}, {140, 15, 0, "a"}}, 9},
      {SC_RMETRIC_PEAK,
       {{100, 10, 0, "a", 0, SC_USAGE_EVENT_ACQUIRE}, {200, 9, 0, "a", 0, SC_USAGE_EVENT_RESIZE}},
       {{100, 8, 0, "a", 0, SC_USAGE_EVENT_ACQUIRE}, {230, 7, 0, "a", 0, SC_USAGE_EVENT_RESIZE}},
       7},
      {SC_RMETRIC_PEAK,
       {{100, 10, 0, "a"}, {200, 9, 0, "a", 0, 0, true}},
       {{120, 10, 0, "a"}, {210, 9, 0, "a", 0, 0, true}},
       10},
      /* of one line by their columns */
      {SC_RMETRIC_PEAK, {{100, 10, 5}, {200, 10, 9}}, {{100, 10, 6}, {300, 10, 8}}, 10, 8},
      {SC_RMETRIC_PEAK, {{100, 10, 9}, {200, 10, 5}}, {{300, 10, 8}, {200, 10, 6}}, 10, 8},
      /* whatever is asked for */
      {SC_RMETRIC_ACQUIRES, {{100, 10}, {200, 11}}, {{100, 10}, {250, 11}}, 11},
      {SC_RMETRIC_OUTSTANDING, {{100, 10}, {200, 11}}, {{160, 10}, {250, 11}}, 10},
      {SC_RMETRIC_HOLD, {{100, 10}, {200, 11}}, {{160, 10}, {170, 11}}, 11}, /* no sum: where most of it is */
      /* of two contexts that which changed more; of times, that which has more */
      {SC_RMETRIC_PEAK, {{100, 10}, {50, 20, 0, NULL, 1}}, {{110, 10}, {70, 20, 0, NULL, 1}}, 20, .context = 1},
      {SC_RMETRIC_PEAK, {{100, 10}, {50, 20, 0, NULL, 1}}, {{79, 10}, {70, 20, 0, NULL, 1}}, 10, .context = 0},
      {SC_RMETRIC_HOLD, {{100, 10}, {1, 20, 0, NULL, 1}}, {{101, 10}, {90, 20, 0, NULL, 1}}, 10, .context = 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    uint32_t contexts[2];
    sc_holding_place at = place_of(&cases[i], false, contexts);
    if (at.context != contexts[cases[i].context] || at.line != cases[i].line || at.column != cases[i].column)
      fail_msg("case %zu: context %u, %u:%u", i, at.context, at.line, at.column);
  }
}

/* Of a new resource the largest; and of nothing there is no place. */
TEST(a_new_resource_stands_where_most_of_it_is)
{
  uint32_t contexts[2];
  static const calls both = {SC_RMETRIC_PEAK, {{100, 10}, {200, 20, 0, NULL, 1}}, {{100, 10}, {60, 20, 0, NULL, 1}}};
  sc_holding_place at = place_of(&both, false, contexts);
  assert_true(at.context == contexts[1] && at.line == 20);
  at = place_of(&both, true, contexts);
  assert_true(at.context == contexts[0] && at.line == 10);
  static const calls none = {SC_RMETRIC_PEAK, {{100, 10}}, {{100, 10}}};
  at = place_of(&none, false, contexts);
  assert_true(at.context == SC_COMPARE_NONE && at.line == 0 && at.column == 0);
}
