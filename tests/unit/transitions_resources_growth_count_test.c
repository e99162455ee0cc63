/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which counts explain that holds get longer by a few microseconds: of what is done while the resource is held. */
#include "unit.h"

#include "transitions/resources/cells.h"
#include "transitions/resources/growth.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200, 400, 800, 1600};
enum { SIZES = 5, ACQUIRES = 1000 };

/* A thread acquires a lock in take() and gives it back in give(), both called by work(), and another one holds it in
 * brief() for a share of that. A loop is somewhere. */
typedef struct held {
  enum { IN_TAKE, IN_WORK, IN_BRIEF, ELSEWHERE } where;
  double each, power; /* iterations of one acquire at 100, and how they grow */
  bool unseen;        /* nothing says where it is given back */
  bool awaits;        /* the loop waits for a condition */
  double brief;       /* share of the hold time */
  double scatter;     /* relative: in each second run of a size */
  double slope;       /* of the holds; 0: 1 */
  bool function;      /* it is a function */
} held;

typedef struct world {
  sc_graph *graph;
  sc_analysis *analysis;
  sc_resources *r;
  bool believed;
  sc_growth_doubt doubt;
  double each; /* at the largest size */
} world;

/* Hold times, the least of each size: 1, 2, 4, 8 and 16 us, which rise by 10.5 from half to half. */
static double seconds_at(size_t size) { return 1e-6 * sizes[size] / 100; }

static double iterations(const held *h, size_t size, unsigned repeat)
{
  return ACQUIRES * h->each * pow(sizes[size] / 100, h->power) * (repeat ? 1 + h->scatter : 1);
}

static void use(world *w, const held *h, const uint32_t at[5], uint32_t lock, uint32_t condition)
{
  unsigned repeats = h->scatter > 0 ? 2 : 1;
  for (size_t run = 0; run < SIZES * repeats; run++) {
    size_t size = run / repeats;
    double hold = seconds_at(size), brief = h->brief * hold;
    sc_usage row = scene_holds(ACQUIRES / 2, hold * 2 / (1 + h->brief));
    scene_usage(w->graph, run, at[0], lock, &row);
    row = scene_holds(ACQUIRES / 2, brief * 2 / (1 + h->brief));
    scene_usage(w->graph, run, at[2], lock, &row);
    row = (sc_usage){.via = "pthread_mutex_unlock", .event = SC_USAGE_EVENT_RELEASE};
    row.values[SC_USAGE_RELEASES] = h->unseen ? 0 : ACQUIRES / 2;
    scene_usage(w->graph, run, at[3], lock, &row);
    row = (sc_usage){.via = "pthread_cond_wait", .event = SC_USAGE_EVENT_WAIT, .values = {[SC_USAGE_WAITS] = 1}};
    if (h->awaits)
      scene_usage(w->graph, run, at[4], condition, &row);
    scene_occupancy(w->graph, run, lock, 2, 1, 2, 1);
    unit_ok(sc_graph_add(w->graph, run, at[4], SC_METRIC_COUNT, iterations(h, size, run % repeats)));
  }
}

static world judge(held h)
{
  unsigned repeats = h.scatter > 0 ? 2 : 1;
  world w = {.graph = scene_repeats(sizes, SIZES, repeats)};
  uint32_t main = scene_main(w.graph), at[5];
  uint32_t work = scene_function(w.graph, main, "work", scene_one, 0);
  at[0] = scene_function(w.graph, work, "take", scene_one, 0);
  at[1] = work;
  at[2] = scene_function(w.graph, main, "brief", scene_one, 0);
  at[3] = scene_function(w.graph, work, "give", scene_one, 0);
  uint32_t around = h.where == IN_TAKE ? at[0] : h.where == IN_WORK ? work : h.where == IN_BRIEF ? at[2] : main;
  sc_location loop = {.kind = h.function ? SC_LOCATION_FUNCTION : SC_LOCATION_LOOP,
                      .name = h.function ? "step" : "f",
                      .file = "scene.c",
                      .line = 5};
  at[4] = scene_context(w.graph, around, &loop);
  uint32_t lock = scene_resource(w.graph, SC_RESOURCE_MUTEX, "lock", 0);
  uint32_t condition = scene_resource(w.graph, SC_RESOURCE_CONDITION, "condition", 0);
  use(&w, &h, at, lock, condition);
  w.analysis = scene_analyse(w.graph, (double[]){1e5}, 1);
  w.r = scene_resources(w.analysis, SC_PARAMETER_DATA);
  double seconds[SIZES];
  for (size_t i = 0; i < SIZES; i++)
    seconds[i] = seconds_at(i);
  const sc_growth growth = {SC_RMETRIC_HOLD, sizes, seconds, SIZES, h.slope > 0 ? h.slope : 1};
  unit_ok(sc_growth_judge(w.r, &w.r->cells[lock], &growth, &w.believed, &w.doubt));
  w.each = (iterations(&h, SIZES - 1, 0) + iterations(&h, SIZES - 1, repeats - 1)) / 2 / ACQUIRES;
  scene_drop(w.graph, w.analysis, w.r);
  return w;
}

static void is_explained(held h, bool expected)
{
  world w = judge(h);
  assert_true(w.believed == expected);
  unit_near(w.doubt.state, 0.15);
  if (expected) {
    unit_near(w.doubt.seconds, 16e-6);
    unit_near(w.doubt.each, w.each);
    unit_near_by(w.doubt.by, h.power, 1e-6);
    unit_near(w.doubt.exponent, 0.1 / log(16));
  } else {
    assert_true(w.doubt.seconds == 0 && w.doubt.each == 0 && w.doubt.by == 0);
    unit_near(w.doubt.exponent, (h.slope > 0 ? h.slope : 1) / 2);
  }
}

/* Each further iteration may take 20 us; a count of k n / 100 rises by 10.5 k from the lower half of the sizes to the
 * upper one. */
TEST(iterations_may_take_twenty_microseconds_each)
{
  is_explained((held){IN_TAKE, 10.5 / 20 / 10.5 * 1.001, 1}, true);
  is_explained((held){IN_TAKE, 10.5 / 20 / 10.5 * 0.999, 1}, false);
  is_explained((held){IN_TAKE, 5, 1}, true);
  is_explained((held){IN_TAKE, 5, 1, .function = true}, true);
}

/* Beyond the sizes one takes eight times as long as where it was measured at most, and 20 us. */
TEST(iterations_take_about_as_long_as_measured)
{
  unit_near(judge((held){IN_TAKE, 5, 1}).doubt.most, 8 * 10.5e-6 / (10.5 * 5));
  unit_near(judge((held){IN_TAKE, 0.41, 1}).doubt.most, 8 * 1e-6 / 0.41);
  unit_near(judge((held){IN_TAKE, 0.39, 1}).doubt.most, 20e-6);
}

/* What is done between take() and give() is below work(), as long as somebody gives back there. */
TEST(what_is_done_while_it_is_held_counts)
{
  is_explained((held){IN_WORK, 1, 1}, true);
  is_explained((held){IN_WORK, 1, 1, .unseen = true}, false);
  is_explained((held){IN_TAKE, 1, 1, .unseen = true}, true);
  is_explained((held){ELSEWHERE, 1, 1}, false);
}

/* Of the places that hold it those with a tenth of the time of the longest. */
TEST(places_that_hold_it_hardly_do_not_count)
{
  is_explained((held){IN_BRIEF, 1, 1, .brief = 0.101}, true);
  is_explained((held){IN_BRIEF, 1, 1, .brief = 0.099}, false);
}

/* How often somebody is woken says nothing of holds. */
TEST(waits_for_a_condition_do_not_count) { is_explained((held){IN_TAKE, 1, 1, .awaits = true}, false); }

/* It has to grow by half of the holds' exponent, and by a tenth at all. */
TEST(counts_have_to_grow_with_the_holds)
{
  is_explained((held){IN_TAKE, 100, 0.51}, true);
  is_explained((held){IN_TAKE, 100, 0.49}, false);
  is_explained((held){IN_TAKE, 100, 0.49, .slope = 0.9}, true);
  is_explained((held){IN_TAKE, 100, 0.11, .slope = 0.1}, true);
  is_explained((held){IN_TAKE, 100, 0.09, .slope = 0.1}, false);
}

/* Counts that repeats disagree on have to grow for certain. */
TEST(counts_that_scatter_have_to_grow_for_certain)
{
  is_explained((held){IN_TAKE, 100, 1, .scatter = 0.01}, true);
  is_explained((held){IN_TAKE, 100, 0.2, .slope = 0.2, .scatter = 0.01}, true);
}
