/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of library functions that no series shows: blocks that move without a copy, and digits of numbers. */
#include "unit.h"

#include "transitions_scene.h"

static const double WIDE[] = {100, 200, 400, 800, 1600}, DECADE[] = {11, 20, 35, 50, 90};
static const double TARGET[] = {1e5};

static double eight_n(double n) { return 8 * n; }
static double three(double n) { return 3 + 0 * n; }

static sc_interval predict(const double *sizes, const char *name, scene_curve bytes, double n)
{
  sc_interval at;
  sc_graph *graph = scene_new(sizes, 5, "");
  uint32_t top = scene_main(graph), work = scene_work(graph, top, name, 6, bytes, 0);
  sc_analysis *analysis = scene_analyse(graph, TARGET, 1);
  assert_int_equal(sc_analysis_count(analysis, work, n, &at), 0);
  scene_end(graph, analysis, NULL);
  return at;
}

static void assert_interval(sc_interval at, double low, double value, double high)
{
  assert_true(at.low == low);
  assert_true(at.value == value);
  assert_true(at.high == high);
}

/* From 128 KiB on: 16,384 times 8 bytes. */
TEST(large_blocks_may_move_without_a_copy)
{
  assert_interval(predict(WIDE, "realloc", eight_n, 16383), 131064, 131064, 131064);
  assert_interval(predict(WIDE, "realloc", eight_n, 16384), 12800, 131072, 131072);
  assert_interval(predict(WIDE, "reallocarray", eight_n, 16384), 12800, 131072, 131072);
  assert_interval(predict(WIDE, "realloc", eight_n, 1600), 12800, 12800, 12800);
  assert_interval(predict(WIDE, "memcpy", eight_n, 16384), 131072, 131072, 131072);
}

/* A number printed or read in every run with three digits has more or fewer of them in another. */
TEST(numbers_in_texts_may_get_another_digit)
{
  assert_interval(predict(WIDE, "printf", three, 1e4), 2, 3, 4);
  assert_interval(predict(WIDE, "strtol", three, 1e5), 2, 3, 5);
  assert_interval(predict(WIDE, "strtol", three, 1600), 3, 3, 3);
  assert_interval(predict(WIDE, "strlen", three, 1e5), 3, 3, 3);
  assert_interval(predict(WIDE, "printf", eight_n, 1e4), 8e4, 8e4, 8e4);
}

/* Sizes of one decade show nothing of what goes by the digits of the size. */
TEST(sizes_of_one_decade_show_no_digits)
{
  assert_interval(predict(DECADE, "strlen", three, 99), 3, 3, 3);
  assert_interval(predict(DECADE, "strlen", three, 100), 2, 3, 4);
  assert_interval(predict(DECADE, "strlen", three, 1000), 2, 3, 5);
}
