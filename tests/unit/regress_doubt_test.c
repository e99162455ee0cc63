/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts in stairs and bursts: what they leave open, and the growth near them that is certain. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "regress/choose/fit.h"

enum { MOST = 16 };
static const double SUPERLINEAR = 1.4;

typedef struct sizes {
  const char *name;
  size_t count;
  double n[MOST];
} sizes;

/* As Algorithm 1 chooses them, and plain ones. */
static const sizes grids[] = {{"driven", 9, {1000, 1041, 2000, 4000, 5194, 8000, 8872, 9744, 17079}},
                              {"driven, close", 8, {1000, 1020, 1041, 2000, 4000, 5194, 8000, 9744}},
                              {"six doublings", 6, {50, 100, 200, 400, 800, 1600}},
                              {"uneven", 8, {50, 80, 130, 210, 340, 550, 900, 1450}},
                              {"wide", 7, {100, 284, 800, 2263, 4000, 6400, 11000}}};

static sc_model fit(const double *n, const double *y, size_t count)
{
  sc_model model;
  sc_series series = {n, y, count, true};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  return model;
}

static sc_model fit_on(double (*f)(double), const sizes *grid)
{
  double y[MOST];
  for (size_t i = 0; i < grid->count; i++)
    y[i] = f(grid->n[i]);
  return fit(grid->n, y, grid->count);
}

static bool superlinear(const sc_model *m)
{
  return m->verdict == SC_VERDICT_MODEL && m->order.exponent >= SUPERLINEAR && m->exponent_low >= SUPERLINEAR;
}

/* A parser that fills its buffer by blocks: counts of a flat list, linear on average. A square with a tiny coefficient
 * fits its stairs best. */
TEST(a_buffer_filled_by_blocks)
{
  static const double n[] = {1000, 1041, 2000, 4000, 5194, 8000, 8872, 9744, 17079};
  static const double y[] = {10000, 10410, 20000, 32768, 35556, 49152, 49152, 49152, 81920};
  sc_model m = fit(n, y, COUNT(n));
  sc_interval at;
  bool square = false;
  assert_int_equal(m.verdict, SC_VERDICT_MODEL);
  assert_true(m.order.exponent < 1.1);
  assert_int_equal(sc_model_predict(&m, 160000, 0.95, &at), 0);
  assert_true(at.low <= 160000 * 4.8 && 160000 * 4.8 <= at.high);
  for (size_t i = 0; i < m.rival_count; i++)
    square = square || m.rivals[i].terms[0].exponent == 2;
  assert_true(square); /* it is not forgotten: the interval is wide because of it */
}

/* Probes of a hash table with a random salt between two of its sizes: n^2 from 2,475 on fits best, and is the way to
 * the next rehash. */
TEST(a_table_between_two_rehashes)
{
  static const double n[] = {300,  300,  606,  1225, 1225, 1225, 1225, 2475, 2475, 2475, 2475, 2475, 2475, 2475,
                             2475, 2475, 2475, 2668, 2668, 2668, 2668, 2668, 2668, 3653, 3653, 3653, 3653, 3653,
                             3653, 4274, 4274, 4274, 4274, 4274, 4274, 5000, 5000, 5000, 5000, 5000, 5000};
  static const double y[] = {209,  205,  441,  910,  895,  936,  888,  1936, 1917, 1919, 1850, 1971, 1901, 1905,
                             1911, 1857, 1871, 2022, 1935, 2041, 1898, 1975, 1900, 2621, 2537, 2578, 2601, 2568,
                             2650, 3087, 3065, 3169, 3127, 3129, 2996, 3832, 3814, 3777, 3833, 3868, 3826};
  sc_model m = fit(n, y, COUNT(n));
  assert_true(m.order.exponent < SUPERLINEAR || m.piece_count == 1);
  assert_false(superlinear(&m));
}

/* Cells that a collector of garbage marks: none below 1,000, then each time as many are left as twice before. A square
 * fits best, and so does it every beginning. At 1,000,000 they are some 1.3 million. */
TEST(a_collector_that_begins_within_the_sizes)
{
  static const double n[] = {300,  300,  606,  1225, 1225, 1225, 1225, 2475, 2475, 2475, 2475, 3653,
                             3653, 3653, 3653, 4274, 4274, 4274, 4274, 5000, 5000, 5000, 5000, 5000};
  static const double y[] = {0,    0,    0,    267,  239,  260,  273,  1204, 1296, 1329, 1245, 2808,
                             2973, 2778, 2911, 2842, 2954, 2896, 2842, 3987, 4066, 3857, 3891, 4159};
  sc_model m = fit(n, y, COUNT(n));
  assert_false(superlinear(&m));
  assert_true(sc_model_deciding_size(&m) > 5000);
}

/* Collisions of random numbers: a square; small sizes have none. */
TEST(collisions_are_superlinear)
{
  static const double n[] = {300,  300,  606,  1225,  1225,  2475,  2475,  5000,  5000, 5000,
                             9744, 9744, 9744, 17079, 17079, 17079, 30000, 30000, 30000};
  static const double y[] = {0, 0, 0, 14, 16, 62, 60, 251, 243, 257, 949, 962, 938, 2917, 2880, 2951, 9001, 9080, 8931};
  sc_model m = fit(n, y, COUNT(n));
  assert_true(superlinear(&m));
}

/* Pages of a tree that are defragmented in bursts; at 16,000 the count was 82,458, at 64,000 318,941. */
TEST(pages_in_bursts)
{
  static const double n[] = {1000, 1020, 1041, 2000, 4000, 5194, 8000, 9744};
  static const double y[] = {1244, 1244, 1244, 2137, 4978, 10691, 29563, 38626};
  sc_model m = fit(n, y, COUNT(n));
  assert_false(superlinear(&m));
  double decides = sc_model_deciding_size(&m);
  assert_true(decides > 9744 && decides <= 64000);
}

/* What happens too late to have a history: 54 to 306 over a factor of 2.4 is a square as well as a line. */
TEST(late_beginners)
{
  static const double n[] = {1000, 1020, 1041, 2000, 4000, 5194, 8000, 9744};
  static const double rekey[] = {0, 0, 0, 0, 54, 105, 255, 306}, split[] = {0, 0, 0, 100, 253, 328, 581, 721};
  sc_model m = fit(n, rekey, COUNT(n));
  assert_false(superlinear(&m));
  m = fit(n, split, COUNT(n)); /* the sizes before the first count say nothing against a model of the others */
  sc_model alone = fit(n + 3, split + 3, COUNT(n) - 3);
  assert_int_equal(m.verdict, SC_VERDICT_MODEL);
  assert_int_equal(m.order.integer, 1);
  assert_true(m.order.exponent == alone.order.exponent && m.sigma == alone.sigma);
}

static double doubling(double n) { return exp2(ceil(log2(n))); }
static double doubling_copies(double n) { return n + exp2(ceil(log2(n))) - 1; }
static double half_more(double n)
{
  double capacity = 8;
  while (capacity < n)
    capacity = floor(capacity * 1.5) + 1;
  return capacity;
}
static double blocks(double n) { return 16384 * ceil(10 * n / 16384); }
static double pages(double n) { return 37 * ceil(n / 100) + fmod(n, 7); }
static double splits(double n) { return n + 53 * floor(n / 341); }
static double merges(double n)
{
  double sum = 0;
  for (double run = 64; run < 1e6; run *= 4)
    sum += floor(n / run) * run;
  return sum;
}
static double scatter(double n) { return fmod(n * 7919 + 31, 101) / 101 - 0.5; }
static double bursts(double n) { return floor(n * (1 + 0.4 * scatter(n))); }
static double late_blocks(double n) { return fmax(0, floor((n - 900) / 400)) * 400; }

TEST(benign_stairs_raise_no_alarm)
{
  static double (*const functions[])(double) = {doubling, doubling_copies, half_more, blocks,     pages,
                                                splits,   merges,          bursts,    late_blocks};
  for (size_t f = 0; f < COUNT(functions); f++)
    for (size_t g = 0; g < COUNT(grids); g++) {
      sc_model m = fit_on(functions[f], &grids[g]);
      if (superlinear(&m)) {
        char text[160];
        sc_model_format(&m, "n", text, sizeof text);
        fail_msg("function %zu on %s: %s", f, grids[g].name, text);
      }
    }
}

static double square(double n) { return n * n; }
static double pairs_and_doubling(double n) { return n * (n - 1) / 2 + doubling(n); }
static double pairs_and_bursts(double n) { return n * (n - 1) / 2 + floor(20 * n * (scatter(n) + 0.5)); }
static double jitter(double n) { return floor(n * n / 4 * (1 + 0.1 * scatter(n))); }
static double small_square(double n) { return floor(n * n / 100) + n; }
static double fixed_growth(double n) { return 16 * floor(n / 16) * (floor(n / 16) + 1) / 2; }
static double block_walks(double n) { return n * ceil(n / 100); }
static double doubling_walks(double n) { return n * doubling(n); }
static double root_walks(double n) { return n * floor(sqrt(n)); }

TEST(growth_near_them_stays_certain)
{
  static double (*const functions[])(double) = {square,      pairs_and_doubling, pairs_and_bursts,
                                                jitter,      small_square,       fixed_growth,
                                                block_walks, doubling_walks,     root_walks};
  for (size_t f = 0; f < COUNT(functions); f++)
    for (size_t g = 0; g < COUNT(grids); g++) {
      sc_model m = fit_on(functions[f], &grids[g]);
      if (!superlinear(&m)) {
        char text[160];
        sc_model_format(&m, "n", text, sizeof text);
        fail_msg("function %zu on %s: %s, exponent from %g", f, grids[g].name, text, m.exponent_low);
      }
    }
}

static double threshold(double n) { return n < 400 ? n : n * n - n; }

TEST(three_sizes_or_a_tail_are_enough)
{
  static const sizes three = {"three", 3, {1000, 2000, 4000}};
  static double (*const functions[])(double) = {square, pairs_and_doubling, jitter, small_square};
  for (size_t f = 0; f < COUNT(functions); f++) {
    sc_model m = fit_on(functions[f], &three);
    if (!superlinear(&m))
      fail_msg("function %zu", f);
  }
  sc_model m = fit_on(threshold, &grids[2]);
  assert_true(superlinear(&m));
  assert_true(sc_model_value(&m, 1e4) == 1e8 - 1e4);
}

/* One witness for a polynomial that loops do not make: 2, 2 and 3 levels of a tree. */
TEST(a_square_by_chance)
{
  static const double n[] = {1000, 2000, 4000}, y[] = {2000, 4000, 12000};
  sc_model m = fit(n, y, 3);
  assert_false(superlinear(&m));
}

/* Most bytes of a table that doubles, and of the one before it: 4 bytes a slot, twice as many slots as items or more.
 * The first five sizes hit the same place of their doublings, the others do not. */
static double table_bytes(double n)
{
  double slots = exp2(ceil(log2(2 * n)));
  return 4 * (slots + slots / 2) + 16;
}

TEST(a_table_that_doubles_is_linear)
{
  static const double n[] = {1000, 2000, 4000, 8000, 16000, 108352, 325191};
  static const double noted[] = {12304, 24592, 49168, 98320, 200696, 1581024, 6299616};
  sc_interval at;
  sc_model m = fit(n, noted, COUNT(n));
  assert_int_equal(m.verdict, SC_VERDICT_MODEL);
  assert_true(m.order.exponent <= 1);
  assert_int_equal(sc_model_predict(&m, 3251910, 0.95, &at), 0);
  assert_true(at.low <= table_bytes(3251910) && table_bytes(3251910) <= at.high);
}

/* A square after the change that hits the two sizes it stands on says nothing. */
TEST(a_piece_stands_on_sizes)
{
  static const double n[] = {1000, 2000, 4000, 8000, 16000, 108352, 325191};
  double y[COUNT(n)];
  for (size_t i = 0; i < COUNT(n); i++)
    y[i] = floor(n[i] < 16000 ? 0.2813318035 * n[i] - 12.8 : 5.040376764e-07 * n[i] * n[i] + 0.2705345216 * n[i]);
  sc_model m = fit(n, y, COUNT(n));
  assert_false(superlinear(&m));
  assert_true(m.order.exponent < 1.2);
}

/* The square is gone on average. */
TEST(blocks_that_cancel_are_no_square)
{
  static const double n[] = {20, 40, 80, 160, 320}, y[] = {336, 1296, 1296, 5136, 5136};
  sc_model m = fit(n, y, COUNT(n));
  assert_false(superlinear(&m));
}

/* Repeats that differ by a tenth of a percent change nothing: the sizes are stairs as before. */
TEST(counts_that_nearly_repeat_are_counts)
{
  static const double n[] = {20,   20,   57,   57,   160,  160,  453,  453,  1280,
                             1280, 1598, 1598, 1870, 1870, 2188, 2188, 2560, 2560};
  static const double last[][4] = {
      {17800, 17824, 20000, 20024}, {15400, 15416, 31000, 31040}, {23000, 23024, 46000, 46048}};
  double y[] = {104, 104, 216, 216, 1048, 1048, 3560, 3560, 10064, 10064, 12280, 12280, 15296, 15320, 0, 0, 0, 0};
  sc_interval at;
  for (size_t i = 0; i < COUNT(last); i++) {
    memcpy(y + COUNT(y) - 4, last[i], sizeof last[i]);
    sc_model m = fit(n, y, COUNT(n));
    assert_false(superlinear(&m));
    assert_true(m.order.exponent < SUPERLINEAR);
    assert_int_equal(sc_model_predict(&m, 2560, 0.95, &at), 0);
    m = fit(n, y, COUNT(n) - 4);
    assert_true(m.order.exponent < SUPERLINEAR);
  }
}

/* One execution of a loop more at each size: 0, 8, 24, 55. */
TEST(few_counts_are_no_cube)
{
  static const double y[] = {0, 8, 24, 55};
  static const double at[][4] = {{100, 200, 400, 800}, {20, 57, 160, 453}, {100, 252, 635, 1600},
                                 {10, 20, 30, 40},     {1, 2, 3, 4},       {100, 400, 1600, 6400},
                                 {100, 150, 200, 250}, {20, 80, 320, 1280}};
  for (size_t g = 0; g < COUNT(at); g++) {
    sc_model m = fit(at[g], y, 4);
    assert_false(superlinear(&m));
    assert_true(m.verdict == SC_VERDICT_CANNOT_TELL || m.order.exponent < 2);
  }
}

TEST(deciding_sizes)
{
  sc_model m = fit_on(square, &grids[2]);
  assert_true(m.exact && m.exponent_low == 2);
  assert_true(sc_model_deciding_size(&m) == 2400); /* any size tells an exact model */
  m = (sc_model){.verdict = SC_VERDICT_CANNOT_TELL, .n_max = 1234};
  assert_true(sc_model_deciding_size(&m) == 5000);
  m = (sc_model){.terms = {{1, 2, 0}}, .term_count = 1, .order = {2, 0, 2}, .exponent_low = 1.99, .n_max = 100};
  m.scatter = 0.1; /* 40% apart are told apart: from n^1.6 at 3.6 times the largest size */
  assert_true(sc_model_deciding_size(&m) >= 350 && sc_model_deciding_size(&m) <= 380);
  m.rivals[0].terms[0] = (sc_term){300, 1, 0}; /* crosses it at 300, and is far below from 500 on */
  m.rivals[0].term_count = m.rival_count = 1;
  m.rivals[0].weight = 0.04;
  assert_true(sc_model_deciding_size(&m) <= 380); /* not likely enough to ask for */
  m.rivals[0].weight = 1;
  assert_true(sc_model_deciding_size(&m) >= 500 && sc_model_deciding_size(&m) <= 530);
  m = (sc_model){0};
  assert_true(isinf(sc_model_deciding_size(&m)));
}

/* An array that doubled at last where half of the sizes are: the line misses its stairs by more than R^2 forgives, and
 * more sizes would not make it better. */
TEST(stairs_are_explained)
{
  static const double n[] = {1000, 2000, 4000, 8000, 9990, 11688, 13675, 16000};
  static const double y[] = {988, 4052, 4052, 8144, 16332, 16332, 16332, 16332};
  sc_model m = fit(n, y, COUNT(n));
  sc_interval at;
  assert_int_equal(m.verdict, SC_VERDICT_MODEL);
  assert_true(m.r2 < 0.9 && !superlinear(&m));
  assert_int_equal(sc_model_predict(&m, 1e6, 0.95, &at), 0);
  assert_true(at.low <= 1e6 && at.high >= 1.1e6 && at.high < 1e8);
}

/* One run of three takes three times as long: the repeats scatter, which no model explains. Without repeats the same
 * means are growth without a model. */
TEST(repeats_that_scatter_are_explained)
{
  static const double n[] = {100,  100,  190,  238,  566,  566,  566,  1345, 1345, 1345,
                             1998, 1998, 2338, 2338, 2735, 2735, 3200, 3200, 3200};
  static const double y[] = {447,  498,  674,  867,  1317, 1307, 4810, 2493, 7616, 2460,
                             3769, 3770, 4392, 4648, 4783, 4790, 5194, 9937, 19444};
  static const double alone[] = {100, 190, 238, 566, 1345, 1998, 2338, 2735, 3200};
  static const double means[] = {472, 674, 867, 2478, 4190, 3769, 4520, 4786, 24000};
  sc_model m = fit(n, y, COUNT(n));
  assert_int_equal(m.verdict, SC_VERDICT_MODEL);
  assert_false(superlinear(&m));
  m = fit(alone, means, COUNT(alone));
  assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
}

/* Scatter that explains a tenth of the growth is not the reason why it has no model. */
TEST(scatter_explains_no_growth)
{
  static const double n[] = {100, 100, 200, 200, 400, 400, 800, 800};
  static const double y[] = {100, 110, 95, 105, 90, 110, 5000, 5500};
  sc_model m = fit(n, y, COUNT(n));
  assert_true(m.verdict == SC_VERDICT_CANNOT_TELL || m.order.exponent > 1);
}

/* A step between close sizes is a huge power there, so the guess goes through a smaller size. Bursts elsewhere too are
 * no growth. */
TEST(a_step_at_the_last_size_is_no_huge_power)
{
  static const double n[] = {2000, 4000, 8000, 16000, 21360, 25000, 29221, 34188, 40000};
  static const double y[] = {20, 19, 21, 20, 20, 19, 21, 20, 4000};
  static const double bursts_too[] = {20, 19, 21, 20, 20, 4100, 21, 20, 4000};
  sc_model m = fit(n, y, COUNT(n));
  assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
  assert_true(m.terms[0].exponent > 1 && m.terms[0].exponent < 12);
  assert_non_null(strstr(m.why, "from 25000 to 40000"));
  m = fit(n, bursts_too, COUNT(n));
  assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
  assert_non_null(strstr(m.why, "at the largest size it is more than 3 times"));
}
