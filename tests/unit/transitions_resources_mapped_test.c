/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that malloc may map, in whole pages, where smaller ones were measured. */
#include "unit.h"

#include "transitions_resources_scene.h"

static const double sizes[] = {10, 20, 30, 50, 80, 100};
enum { SIZES = 6, PAGE = 4096 };

typedef double (*series)(double n);

/* A place that obtains blocks(n) of each(n) bytes, all at a time, and gives them back. */
static scene_world make_places(const series *blocks, const series *each, size_t places)
{
  scene_world w = {.graph = scene_repeats(sizes, SIZES, 1)};
  uint32_t main_function = scene_main(w.graph);
  w.resource = scene_resource(w.graph, SC_RESOURCE_HEAP, "heap", 0);
  for (size_t run = 0; run < SIZES; run++)
    for (size_t i = 0; i < places; i++) {
      double n = sizes[run], count = blocks[i](n), bytes = rint(count * each[i](n));
      sc_usage usage = {.via = "malloc",
                        .line = 10 + (uint32_t)i,
                        .values = {[SC_USAGE_ACQUIRES] = count,
                                   [SC_USAGE_UNITS] = bytes,
                                   [SC_USAGE_RETURNED] = count,
                                   [SC_USAGE_RETURNED_UNITS] = bytes,
                                   [SC_USAGE_PEAK] = bytes}};
      scene_usage(w.graph, run, main_function, w.resource, &usage);
    }
  w.analysis = scene_analyse(w.graph, (double[]){1000}, 1);
  w.resources = scene_resources(w.analysis, SC_PARAMETER_DATA);
  return w;
}

static sc_interval predict(series blocks, series each, enum sc_resource_metric metric, double n)
{
  sc_interval i;
  scene_world w = make_places(&blocks, &each, 1);
  assert_int_equal(sc_resources_predict(w.resources, w.resource, metric, n, &i), 0);
  scene_world_drop(&w);
  return i;
}

static void assert_interval(sc_interval i, double low, double value, double high)
{
  assert_float_equal(i.low, low, 1e-6 * value);
  assert_float_equal(i.value, value, 1e-6 * value);
  assert_float_equal(i.high, high, 1e-6 * value);
}

static double one(double n) { return 1 + 0 * n; }
static double three(double n) { return 3 + 0 * n; }
static double as_many(double n) { return n; }
static double in_512s(double n) { return 512 * n; }
static double small(double n) { return 131 * n + 71; } /* 131,071 at 1,000 */
static double just_mapped(double n) { return 131 * n + 72; }
static double node(double n) { return 40 + 0 * n; }
static double large(double n) { return 131072 + 0 * n; }
static double large_always(double n) { return 131072 * n; }

TEST(a_block_that_becomes_large_may_have_a_page_more)
{
  assert_interval(predict(one, in_512s, SC_RMETRIC_PEAK, 1000), 512000, 512000, 512000 + PAGE);
  /* 153,600 bytes in three blocks: one of them may have been large */
  assert_interval(predict(three, in_512s, SC_RMETRIC_UNITS, 1000), 3 * 512000 - PAGE, 3 * 512000, 3 * (512000 + PAGE));
}

/* At the threshold of malloc: 128 KiB. */
TEST(smaller_blocks_stay_exact)
{
  sc_interval below = predict(one, small, SC_RMETRIC_PEAK, 1000),
              above = predict(one, just_mapped, SC_RMETRIC_PEAK, 1000);
  assert_true(below.high < 131072);
  assert_true(above.high >= 131072 + PAGE);
  assert_interval(predict(one, in_512s, SC_RMETRIC_PEAK, 150), 512 * 150, 512 * 150, 512 * 150);
}

/* A list of a million nodes is no large block, however many bytes it has. */
TEST(many_small_blocks_stay_exact) { assert_interval(predict(as_many, node, SC_RMETRIC_PEAK, 1e6), 40e6, 40e6, 40e6); }

/* What was measured has its pages, and may have fewer elsewhere; nothing is added at a size that was measured. */
TEST(blocks_that_were_large_may_have_a_page_less)
{
  assert_interval(predict(as_many, large, SC_RMETRIC_PEAK, 1000), 1000.0 * (131072 - PAGE * 0.1), 131072e3,
                  1000.0 * (131072 + PAGE));
  assert_interval(predict(one, large_always, SC_RMETRIC_PEAK, 80), 80 * 131072, 80 * 131072, 80 * 131072);
}

/* Nodes and a table: the table alone is rounded, once. */
TEST(places_are_rounded_by_themselves)
{
  sc_interval i;
  scene_world w = make_places((series[]){as_many, one}, (series[]){node, in_512s}, 2);
  assert_int_equal(sc_resources_predict(w.resources, w.resource, SC_RMETRIC_PEAK, 1000, &i), 0);
  assert_interval(i, 552e3, 552e3, 552e3 + PAGE);
  scene_world_drop(&w);
}

/* A place's mean block that rises by a tenth is level; by more, the largest may be 32 times the mean. */
static double rises_little(double n) { return 40 + 0.035 * n; } /* 40.35 to 43.5: 1.08 times */
static double rises_enough(double n) { return 40 + 0.07 * n; }  /* 40.7 to 47: 1.15 times */
static double million(double n) { return 10000 * n; }
TEST(a_level_mean_shows_no_large_blocks)
{
  assert_true(predict(million, rises_little, SC_RMETRIC_UNITS, 20000).high ==
              predict(million, rises_little, SC_RMETRIC_UNITS, 20000).low);
  sc_interval below = predict(million, rises_enough, SC_RMETRIC_UNITS, 57900); /* 32 * 4,093 = 130,976 */
  sc_interval above = predict(million, rises_enough, SC_RMETRIC_UNITS, 58000); /* 32 * 4,100 = 131,200 */
  assert_true(below.high == below.low);
  assert_true(above.high > above.low);
}
