/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact counts: what must be recognised and then predicted to the last event, what the sizes cannot tell, and what must
 * not be recognised. */
#include "unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "regress/choose/fit.h"
#include "regress/core/tuning.h"
#include "regress/exact/exact.h"

enum { MOST = 1024 };

typedef struct sizes {
  size_t count;
  double n[16];
} sizes;

static const sizes uneven = {9, {20, 34, 57, 95, 160, 269, 453, 761, 1280}};
static const sizes twenties = {7, {20, 40, 80, 160, 320, 640, 1280}};
static const sizes five = {5, {20, 57, 160, 453, 1280}};
static const sizes large = {8, {1000, 2040, 4100, 8003, 16501, 32007, 64001, 128003}};
static const sizes powers = {7, {64, 128, 256, 512, 1024, 2048, 4096}};

typedef double function(double n);

static double log_up(double n) { return ceil(log2(n) - 1e-12); }
static double log_down(double n) { return floor(log2(n) + 1e-12); }
#define DEFINE(name, formula) \
  static double name(double n) { return formula; }
DEFINE(identity, n)
DEFINE(affine, 3 * n + 17)
DEFINE(pairs, n *(n - 1) / 2)
DEFINE(triples, n *(n - 1) * (n - 2) / 6)
static double quadruples(double n) /* exact, then rounded once: it goes beyond 2^53 */
{
  __int128 whole = (__int128)n;
  return (double)(whole * (whole - 1) * (whole - 2) * (whole - 3) / 24);
}
DEFINE(squares, n *(n + 1) * (2 * n + 1) / 6)
DEFINE(levels, log_up(n))
DEFINE(digits, log_down(n) + 1)
DEFINE(sorted, n *log_up(n))
DEFINE(heights, n *log_down(n) + n)
DEFINE(merges, n *log_up(n) - exp2(log_up(n)) + 1)
DEFINE(capacity, exp2(log_up(n)))
DEFINE(copies, n + exp2(log_up(n)) - 1)
DEFINE(nodes, 2 * exp2(log_down(n)) - 1)
DEFINE(scans, n *exp2(log_up(n)))
DEFINE(network, log_up(n) * (log_up(n) + 1) / 2)
DEFINE(nested_sort, n *n *log_up(n))
DEFINE(blocks, ceil(n / 64))
DEFINE(decimal_blocks, 3 * ceil(n / 100) + 2)
DEFINE(pages, ceil(n / 4096))
DEFINE(sevens, floor(n / 7))
DEFINE(items_and_blocks, n + 16 * ceil(n / 16))
DEFINE(block_scans, n *ceil(n / 64))
DEFINE(quarter, floor(n *n / 4))
DEFINE(third, floor(n *n / 3))
DEFINE(half, floor(n / 2))
DEFINE(root, floor(sqrt(n)))
DEFINE(root_scans, n *floor(sqrt(n)))
DEFINE(table, exp2(ceil(log2(n / 0.75))))
DEFINE(grown_from_ten, 10 * exp2(ceil(log2(n / 10))))
DEFINE(copies_from_ten, n + 10 * exp2(ceil(log2(n / 10))) - 10)
DEFINE(fixed_growth, n + 64 * ceil(n / 64) * (ceil(n / 64) - 1) / 2)
static double decimals(double n) /* of 1 to n */
{
  double count = 1;
  for (; n >= 10; n = floor(n / 10))
    count++;
  return count;
}
DEFINE(written, n *decimals(n))
DEFINE(padded, 5 * n + fmod(n, 12))
DEFINE(limited, fmin(n, 300))
DEFINE(reserved, fmax(n, 120))
DEFINE(cut_square, fmin(n *n, 150 * n))
DEFINE(insertion_first, n <= 120 ? n * (n - 1) / 2 : n * log_up(n))
DEFINE(two_changes, n < 50 ? 40 : n < 300 ? 2 * n : n * n)

/* An exact model at 10, 50 and 100 times the largest size, and between. */
static void recognises(const char *name, function *f, const sizes *at)
{
  double y[16];
  sc_model m;
  for (size_t i = 0; i < at->count; i++)
    y[i] = f(at->n[i]);
  sc_series series = {at->n, y, at->count, true};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &m), 0);
  char text[300];
  sc_model_format(&m, "n", text, sizeof text);
  static const double probes[] = {10, 50, 77.7, 100};
  for (size_t i = 0; i < COUNT(probes); i++) {
    double n = floor(probes[i] * at->n[at->count - 1]);
    sc_interval p;
    assert_int_equal(sc_model_predict(&m, n, 0.95, &p), 0);
    if (!(fabs(p.value - f(n)) <= 1e-9 * f(n)) || p.low > p.value || p.high < p.value)
      fail_msg("%s from %g: %s", name, at->n[0], text);
    if (m.exact && (p.low != p.value || p.high != p.value))
      fail_msg("%s: exact, but an interval [%g, %g]", name, p.low, p.high);
  }
  for (size_t i = 0; i < at->count; i++)
    if (!(fabs(sc_model_value(&m, at->n[i]) - y[i]) <= 1e-12 * y[i]))
      fail_msg("%s from %g: %s is %g at %g", name, at->n[0], text, sc_model_value(&m, at->n[i]), at->n[i]);
}

#define CASE(f) \
  {             \
#f, f       \
  }
typedef struct formula {
  const char *name;
  function *f;
} formula;

TEST(formulas_on_three_sets_of_sizes)
{
  static const formula all[] = {CASE(identity),   CASE(affine), CASE(pairs),   CASE(triples),     CASE(quadruples),
                                CASE(squares),    CASE(sorted), CASE(heights), CASE(merges),      CASE(capacity),
                                CASE(copies),     CASE(nodes),  CASE(scans),   CASE(nested_sort), CASE(root),
                                CASE(root_scans), CASE(levels), CASE(digits)};
  for (size_t i = 0; i < COUNT(all); i++) {
    recognises(all[i].name, all[i].f, &uneven);
    recognises(all[i].name, all[i].f, &twenties);
    if (all[i].f(large.n[large.count - 1]) < 0x1p63)
      recognises(all[i].name, all[i].f, &large);
  }
  recognises("quadruples", quadruples, &(sizes){7, {1000, 2040, 4100, 8003, 16501, 32007, 64001}});
}

TEST(formulas_on_five_sizes)
{
  static const formula all[] = {CASE(identity), CASE(affine), CASE(pairs),    CASE(triples), CASE(quadruples),
                                CASE(sorted),   CASE(merges), CASE(capacity), CASE(copies),  CASE(levels),
                                CASE(quarter),  CASE(half),   CASE(root),     CASE(limited), CASE(cut_square)};
  for (size_t i = 0; i < COUNT(all); i++)
    recognises(all[i].name, all[i].f, &five);
}

TEST(blocks_of_sizes_nobody_told)
{
  static const formula all[] = {CASE(blocks),      CASE(decimal_blocks), CASE(sevens), CASE(items_and_blocks),
                                CASE(block_scans), CASE(quarter),        CASE(third),  CASE(half)};
  for (size_t i = 0; i < COUNT(all); i++) {
    recognises(all[i].name, all[i].f, &uneven);
    recognises(all[i].name, all[i].f, &large);
  }
  recognises("pages", pages, &(sizes){8, {5000, 9001, 20000, 41000, 90001, 170003, 400000, 800009}});
  recognises("network", network, &uneven);
  recognises("padded", padded, &uneven);
  recognises("padded", padded, &large);
}

/* Stairs of a logarithm by itself: digits of a number. From three values on, each at two sizes; fewer leave an interval
 * that holds the next one, and nothing is exact. */
static void expect_stairs(const sizes *at, const char *wanted, double far, double next)
{
  double y[16];
  char text[200];
  sc_model m;
  sc_interval p;
  for (size_t i = 0; i < at->count; i++)
    y[i] = 4 * decimals(at->n[i]) - 3;
  sc_series series = {at->n, y, at->count, true};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &m), 0);
  assert_int_equal(sc_model_predict(&m, far, 0.95, &p), 0);
  sc_model_format(&m, "n", text, sizeof text);
  if (wanted)
    assert_string_equal(text, wanted);
  assert_true(m.exact == (wanted != NULL) && p.low <= next && p.high >= next);
  assert_true(wanted ? p.value == next : p.low < p.high);
}
TEST(stairs_of_a_number_s_digits)
{
  static const sizes three = {6, {120, 700, 1500, 6000, 12000, 70000}}, once = {5, {120, 700, 1500, 12000, 70000}};
  static const sizes two = {6, {100, 200, 400, 1000, 2000, 4000}};
  expect_stairs(&three, "4 floor(log10(n)) + 1", 7e5, 21);
  expect_stairs(&once, NULL, 7e5, 21); /* four digits at one size alone */
  expect_stairs(&two, NULL, 4e4, 17);
}

TEST(other_bases)
{
  static const sizes wide = {8, {3, 20, 95, 453, 1280, 16501, 128003, 1000000}};
  recognises("written", written, &uneven);
  recognises("written", written, &large);
  double y[8];
  for (size_t i = 0; i < wide.count; i++)
    y[i] = 3 * wide.n[i] * decimals(wide.n[i]);
  sc_series series = {wide.n, y, wide.count, true};
  sc_model m;
  char text[200];
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &m), 0);
  sc_model_format(&m, "n", text, sizeof text);
  assert_string_equal(text, "3 n floor(log10(n)) + 3 n");
  sc_model_expression(&m, "n", text, sizeof text);
  assert_string_equal(text, "3 * n * floor(log2(n) / 3.321928094887362 + 1e-12) + 3 * n");
  assert_true(sc_model_value(&m, 1e9) == 30e9 && sc_model_value(&m, 1e9 - 1) == 27 * (1e9 - 1));
}

TEST(containers_that_grow)
{
  static const formula all[] = {CASE(table), CASE(grown_from_ten), CASE(copies_from_ten), CASE(fixed_growth)};
  for (size_t i = 0; i < COUNT(all); i++) {
    recognises(all[i].name, all[i].f, &five);
    recognises(all[i].name, all[i].f, &uneven);
    recognises(all[i].name, all[i].f, &large);
  }
}

TEST(pieces)
{
  static const formula all[] = {CASE(limited), CASE(reserved), CASE(cut_square), CASE(insertion_first),
                                CASE(two_changes)};
  for (size_t i = 0; i < COUNT(all); i++)
    recognises(all[i].name, all[i].f, &uneven);
}

static sc_exact *exact;

static int set_up(void **state) { return sc_exact_new(&exact); }

static int tear_down(void **state)
{
  sc_exact_free(exact);
  return 0;
}

/* What the recogniser itself says. */
static sc_exact_result find(const double *n, const double *y, size_t count)
{
  static double log_n[MOST], ones[MOST];
  sc_points points = {.count = count, .observations = count, .n = (double *)n, .y = (double *)y, .equal = true};
  points.log_n = log_n, points.scale = ones, points.repeats = ones;
  for (size_t i = 0; i < count; i++) {
    log_n[i] = log(n[i]), ones[i] = 1;
    points.y_max = fmax(points.y_max, y[i]);
  }
  sc_exact_result result;
  assert_int_equal(sc_exact_find(exact, &points, &result), 0);
  return result;
}

static sc_exact_result find_on(function *f, const sizes *at)
{
  double y[16];
  for (size_t i = 0; i < at->count; i++)
    y[i] = f(at->n[i]);
  return find(at->n, y, at->count);
}

static const char *formula_of(const sc_exact_model *model)
{
  static char text[300];
  sc_model m = {.exact = true, .term_count = model->term_count, .piece_count = model->piece_count};
  memcpy(m.terms, model->terms, sizeof m.terms);
  memcpy(m.pieces, model->pieces, sizeof m.pieces);
  sc_model_format(&m, "n", text, sizeof text);
  return text;
}

static bool has_rival(const sc_exact_result *result, const char *text, double least_weight)
{
  for (size_t i = 1; i < result->count; i++)
    if (strcmp(formula_of(&result->models[i]), text) == 0 && result->models[i].weight >= least_weight)
      return true;
  return false;
}

TEST(formulas_are_the_shortest)
{
  sc_exact_result r = find_on(merges, &uneven);
  assert_string_equal(formula_of(&r.models[0]), "n ceil(log2(n)) - 2^ceil(log2(n)) + 1");
  assert_true(r.sure && r.surplus > 50);
  r = find_on(triples, &twenties);
  assert_string_equal(formula_of(&r.models[0]), "1/6 n^3 - 0.5 n^2 + 1/3 n");
  assert_true(r.sure && r.count == 1);
  r = find_on(fixed_growth, &uneven);
  assert_string_equal(formula_of(&r.models[0]), "32 ceil(n / 64)^2 - 32 ceil(n / 64) + n");
  r = find_on(copies_from_ten, &uneven);
  assert_string_equal(formula_of(&r.models[0]), "10 2^ceil(log2(n / 10)) + n - 10");
  r = find_on(limited, &uneven);
  assert_string_equal(formula_of(&r.models[0]), "n < 300: n; else 300");
  assert_true(r.models[0].pieces[0].until_low == 269 && r.models[0].pieces[0].until_high == 453);
  r = find_on(two_changes, &uneven);
  assert_int_equal(r.models[0].piece_count, 2);
  assert_true(r.models[0].pieces[0].until > 34 && r.models[0].pieces[0].until <= 57);
  assert_true(r.models[0].pieces[1].until > 269 && r.models[0].pieces[1].until <= 453);
}

/* Where the sizes show one step of a logarithm to another base it may be the last: two bits longer, with the rest of n
 * added up. */
static double one_step(double n) { return 5 * n * floor(log10(n) + 1e-12) + n; }

TEST(one_step_may_be_the_last)
{
  static const sizes across = {8, {20, 35, 57, 95, 160, 269, 453, 761}},
                     twice = {8, {20, 35, 95, 160, 453, 761, 1280, 4001}};
  sc_exact_result r = find_on(one_step, &across);
  size_t lines = 0;
  double least = INFINITY;
  assert_true(r.models[0].terms[0].log_exponent == 1); /* to whichever base */
  for (size_t i = 1; i < r.count; i++)
    if (r.models[i].term_count == 1 && r.models[i].piece_count == 0 && r.models[i].terms[0].log_exponent == 0) {
      lines++;
      least = fmin(least, r.models[i].bits);
      unit_near(r.models[i].weight, exp2(r.models[0].bits - r.models[i].bits));
      assert_true(r.models[i].terms[0].coefficient == 11 && r.models[i].terms[0].exponent == 1);
    }
  assert_true(lines > 0 && !r.sure);
  unit_near(least, r.models[0].bits + 2);
  r = find_on(one_step, &twice); /* of two steps neither is the last */
  for (size_t i = 1; i < r.count; i++)
    assert_true(r.models[i].term_count != 1);
}

/* 51, 103, 207, ... is 2.6 n - 1 at 20, 40, 80: no count at other sizes. The other reading is chosen, this one kept. */
TEST(doubling_sizes_hide_capacities)
{
  sc_exact_result r = find_on(copies, &twenties);
  assert_string_equal(formula_of(&r.models[0]), "2^ceil(log2(n)) + n - 1");
  assert_true(has_rival(&r, "13/5 n - 1", 0.05) || has_rival(&r, "2.6 n - 1", 0.05));
  assert_false(r.sure);
  r = find_on(capacity, &powers);
  assert_string_equal(formula_of(&r.models[0]), "n");
  assert_true(has_rival(&r, "2^ceil(log2(n))", 0.01) && !r.sure);
  r = find_on(levels, &powers);
  assert_true(has_rival(&r, "floor(log2(n))", 0.1) && !r.sure);
  /* They differ at powers of two only, which the sizes are not. */
  r = find_on(levels, &uneven);
  assert_true(has_rival(&r, "floor(log2(n)) + 1", 0.05) && r.sure);
}

TEST(round_sizes_hide_blocks)
{
  static const sizes tens = {7, {30, 70, 150, 310, 640, 1270, 2530}};
  double y[7];
  for (size_t i = 0; i < tens.count; i++)
    y[i] = tens.n[i] / 10;
  sc_exact_result r = find(tens.n, y, tens.count);
  assert_string_equal(formula_of(&r.models[0]), "ceil(n / 10)");
  assert_true(has_rival(&r, "floor(n / 10)", 0.1) && !r.sure);
  r = find_on(identity, &tens); /* but a plain count needs no blocks */
  assert_true(r.count == 1 && r.sure);
}

DEFINE(quarter_square, n *n / 4)
DEFINE(three_fifths, 3 * n * n / 5)
DEFINE(four_fifths, 4 * n * n / 5)

/* Where all sizes are multiples of a block the fraction is half a bit shorter than the shortest of its blocks. At
 * multiples of 30 blocks of these make shorter formulas than squares of blocks of 5 do: by 0.503 bits of 3/5, by 0.499
 * of 4/5. */
TEST(fractions_come_half_a_bit_before_their_blocks)
{
  static const sizes even = {7, {100, 136, 186, 252, 342, 500, 584}};
  static const sizes thirties = {8, {390, 510, 690, 960, 1290, 1890, 2190, 3000}};
  sc_exact_result r = find_on(quarter_square, &even);
  assert_string_equal(formula_of(&r.models[0]), "0.25 n^2");
  assert_string_equal(formula_of(&r.models[1]), "ceil(n / 2)^2");
  assert_string_equal(formula_of(&r.models[2]), "floor(n / 2)^2");
  assert_float_equal(r.models[1].bits - r.models[0].bits, 0.5, 1e-9);
  assert_float_equal(r.models[2].bits - r.models[0].bits, 1.5, 1e-9);
  assert_true(r.count == 3 && r.sure && r.believed);
  r = find_on(three_fifths, &thirties);
  assert_string_equal(formula_of(&r.models[0]), "18 n ceil(n / 30)");
  assert_string_equal(formula_of(&r.models[1]), "0.6 n^2");
  r = find_on(four_fifths, &thirties);
  assert_string_equal(formula_of(&r.models[0]), "0.8 n^2");
  assert_string_equal(formula_of(&r.models[1]), "24 n ceil(n / 30)");
}

/* No formula gives the counts, and the interval at a size beyond has the count there. Returns what is predicted. */
static double predicts_without_formula(const double *n, const double *y, size_t count, double beyond, double there)
{
  sc_series series = {n, y, count, true};
  sc_model model;
  sc_interval at;
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  assert_false(model.exact);
  assert_int_equal(sc_model_predict(&model, beyond, 0.95, &at), 0);
  assert_true(at.low < there && at.high > there);
  return at.value;
}

/* As measured: 2 n searches of a table whose capacity doubles from 128. Where the sizes double from 50, that is a
 * square with fractions, and would be one of blocks of 50: no size shows any. */
static double searches_of_a_table(double n)
{
  double capacity = 128, sum = 0;
  for (double i = 1; i < 2 * n; i++) {
    if (i > capacity)
      capacity *= 2;
    sum += capacity;
  }
  return sum;
}
TEST(doubling_sizes_show_no_blocks_of_squares)
{
  static const double n[] = {50, 100, 200, 400, 800, 1600};
  double y[COUNT(n)];
  for (size_t i = 0; i < COUNT(n); i++)
    y[i] = searches_of_a_table(n[i]);
  predicts_without_formula(n, y, COUNT(n), 8000, searches_of_a_table(8000));
}

/* As measured: bytes that std::string::insert at the front moves, without those of the moves to a larger block. */
TEST(a_remainder_of_hundreds_is_chance)
{
  static const double n[] = {100, 200, 400, 800, 1131, 1600};
  static const double y[] = {4844, 19674, 79334, 318654, 637109, 1277294};
  double value = predicts_without_formula(n, y, COUNT(n), 16000, 127961294);
  assert_true(value > 0.99 * 127961294 && value < 1.01 * 127961294);
}

/* The edge: blocks that take a hundredth of the line away are a count, less is chance. */
TEST(lines_that_nearly_cancel)
{
  static const double n[] = {20, 37, 70, 133, 250, 471};
  for (int over = 0; over < 2; over++) {
    double y[COUNT(n)];
    for (size_t i = 0; i < COUNT(n); i++)
      y[i] = n[i] * n[i] - 1000 * n[i] + (over ? 5110 : 5090) * floor(n[i] / 5) + 100000;
    sc_series series = {n, y, COUNT(n), true};
    sc_model model;
    assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
    assert_int_equal(model.exact, over);
  }
}

/* Few blocks leave an interval of block sizes, and its ends are rivals. */
TEST(few_blocks_leave_a_range)
{
  static const sizes few = {7, {1000, 1700, 2900, 4700, 7900, 12100, 20000}};
  double y[7];
  for (size_t i = 0; i < few.count; i++)
    y[i] = few.n[i] + 500 * floor(few.n[i] / 3001);
  sc_exact_result r = find(few.n, y, few.count);
  assert_true(r.count >= 2 && !r.sure);
  double low = INFINITY, high = 0;
  for (size_t i = 0; i < r.count; i++)
    for (size_t j = 0; j < r.models[i].term_count; j++)
      if (r.models[i].terms[j].shape == SC_SHAPE_FLOOR_BLOCK) {
        low = fmin(low, r.models[i].terms[j].scale);
        high = fmax(high, r.models[i].terms[j].scale);
      }
  assert_true(low <= 3001 && 3001 <= high && high < 1.1 * low);
}

/* Above 2^53 a double holds a rounded count. */
TEST(counts_up_to_2_to_the_63)
{
  double y[8];
  for (size_t i = 0; i < large.count; i++) {
    __int128 n = (__int128)large.n[i];
    y[i] = (double)(n * (n - 1) * (n - 2) * (n - 3) / 96);
  }
  sc_exact_result r = find(large.n, y, large.count);
  assert_true(r.count == 0); /* a quarter of it is no whole number at every
                                size: truncated, no formula */
  for (size_t i = 0; i < large.count; i++) {
    __int128 n = (__int128)large.n[i];
    y[i] = (double)(n * (n - 1) * (n - 2) / 6 * 3000);
  }
  assert_true(y[7] > 0x1p53 && y[7] < 0x1p63);
  r = find(large.n, y, large.count);
  assert_string_equal(formula_of(&r.models[0]), "500 n^3 - 1500 n^2 + 1000 n");
  assert_true(r.sure);
  sc_model m;
  sc_series series = {large.n, y, large.count, true};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &m), 0);
  assert_true(m.exact && m.order.integer == 3);
}

/* In doubles n - 8 floor(n / 8) times a million is lost at 2^53. */
TEST(what_doubles_cannot_evaluate_is_no_model)
{
  static const double n[] = {1001, 9002, 80003, 700005, 6000006, 0x1p52 + 1};
  double y[COUNT(n)];
  for (size_t i = 0; i < COUNT(n); i++)
    y[i] = 53801 * fmod(n[i], 8);
  assert_true(find(n, y, 5).believed);
  assert_int_equal(find(n, y, 6).count, 0);
}

TEST(three_sizes)
{
  static const sizes three = {3, {50, 117, 200}};
  static const formula simple[] = {CASE(identity), CASE(affine), CASE(pairs), CASE(sorted), CASE(capacity)};
  for (size_t i = 0; i < COUNT(simple); i++)
    recognises(simple[i].name, simple[i].f, &three);
  assert_int_equal(find_on(triples, &three).count, 0); /* three coefficients and nothing that confirms them */
  assert_false(find_on(levels, &three).believed);      /* 6, 7, 8 may be anything */
}

TEST(a_thousand_sizes)
{
  static double n[1000], y[1000];
  for (size_t i = 0; i < COUNT(n); i++)
    n[i] = (double)i + 1;
  static const formula all[] = {CASE(pairs), CASE(merges), CASE(limited), CASE(quarter), CASE(blocks)};
  for (size_t f = 0; f < COUNT(all); f++) {
    for (size_t i = 0; i < COUNT(n); i++)
      y[i] = all[f].f(n[i]);
    sc_exact_result r = find(n, y, COUNT(n));
    assert_true(r.count >= 1 && r.sure && r.first == 0);
    y[500]++;
    assert_int_equal(find(n, y, COUNT(n)).count, 0);
  }
}

TEST(repeats_that_agree_are_exact)
{
  double n[15], y[15];
  sc_model m;
  for (size_t i = 0; i < 15; i++) {
    n[i] = five.n[i % 5];
    y[i] = merges(n[i]);
  }
  sc_series series = {n, y, 15, true};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &m), 0);
  assert_true(m.exact && sc_model_value(&m, 128000) == merges(128000));
  y[7]++;
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &m), 0);
  assert_false(m.exact);
}

/* The largest sizes follow a formula that the smallest do not: they are told by themselves. */
TEST(an_irregular_start)
{
  double y[9];
  for (size_t i = 0; i < uneven.count; i++)
    y[i] = i < 3 ? floor(11 * uneven.n[i] / (double)(i + 2)) : pairs(uneven.n[i]);
  sc_exact_result r = find(uneven.n, y, uneven.count);
  assert_true(r.count >= 1 && r.first == 3);
  assert_string_equal(formula_of(&r.models[0]), "0.5 n^2 - 0.5 n");
}

/* Few and small counts are a guess, taken where nothing else says anything. */
TEST(few_blocks_are_a_guess)
{
  double y[] = {1, 1, 2, 4, 10};
  sc_exact_result r = find(five.n, y, five.count);
  assert_true(r.count >= 1 && !r.believed);
  assert_string_equal(formula_of(&r.models[0]), "ceil(n / 128)");
  sc_model m;
  sc_series series = {five.n, y, five.count, true};
  sc_interval p;
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &m), 0);
  assert_false(m.exact);
  assert_int_equal(sc_model_predict(&m, 12800, 0.95, &p), 0);
  assert_true(p.low <= 100 && 100 <= p.high && p.low < p.high);
}

/* One count that is off makes no formula of its own. */
TEST(one_count_off)
{
  static const formula all[] = {CASE(identity), CASE(affine), CASE(pairs), CASE(levels), CASE(sorted), CASE(half)};
  for (size_t f = 0; f < COUNT(all); f++)
    for (size_t at = 4; at < uneven.count; at++) {
      double y[9];
      for (size_t i = 0; i < uneven.count; i++)
        y[i] = all[f].f(uneven.n[i]) + (i == at);
      sc_exact_result r = find(uneven.n, y, uneven.count);
      if (r.count && r.believed)
        fail_msg("%s, off at %g: %s", all[f].name, uneven.n[at], formula_of(&r.models[0]));
    }
}

typedef double random_count(gsl_rng *rng, double n, const double *constant);

static double any_small(gsl_rng *rng, double n, const double *c) { return floor(20 * gsl_rng_uniform(rng)); }
static double up_to_n(gsl_rng *rng, double n, const double *c) { return floor(c[0] * n * gsl_rng_uniform(rng)); }
static double noisy(gsl_rng *rng, double n, const double *c)
{
  return round(fabs(c[0] * pow(n, c[1]) * (1 + c[2] * gsl_ran_gaussian(rng, 1))));
}
static double rounded_power(gsl_rng *rng, double n, const double *c) { return floor(c[0] * pow(n, c[1])); }
static double rounded_sort(gsl_rng *rng, double n, const double *c) { return floor(c[0] * n * log2(n) + 100 * c[2]); }
static double root_and_line(gsl_rng *rng, double n, const double *c) { return floor(c[0] * sqrt(n) + 3 * c[1] * n); }
static double jumps(gsl_rng *rng, double n, const double *c)
{
  return floor(c[0] * floor(pow(n, 0.3 * c[1]) + gsl_rng_uniform(rng))) + 3;
}

/* Random counts of many kinds: one in a thousand may look like a formula. */
TEST(random_counts_are_no_formulas)
{
  static random_count *const kinds[] = {any_small, up_to_n, noisy, rounded_power, rounded_sort, root_and_line, jumps};
  static const sizes *const grids[] = {&five, &twenties, &uneven, &large, &powers};
  enum { SERIES = 400 };
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 7);
  size_t found = 0, tried = 0;
  for (size_t k = 0; k < COUNT(kinds); k++)
    for (size_t g = 0; g < COUNT(grids); g++)
      for (int s = 0; s < SERIES; s++, tried++) {
        double y[16];
        double c[] = {exp(6 * gsl_rng_uniform(rng) - 1), 0.3 + 2.2 * gsl_rng_uniform(rng),
                      0.2 * gsl_rng_uniform(rng) * gsl_rng_uniform(rng)};
        for (size_t i = 0; i < grids[g]->count; i++)
          y[i] = kinds[k](rng, grids[g]->n[i], c);
        bool flat = true;
        for (size_t i = 1; i < grids[g]->count; i++)
          flat = flat && y[i] == y[0];
        found += !flat && find(grids[g]->n, y, grids[g]->count).believed;
      }
  gsl_rng_free(rng);
  print_message("random counts taken for formulas: %zu of %zu\n", found, tried);
  assert_true(found * 1000 <= tried);
}

TEST(nothing_to_recognise)
{
  double n[] = {1.5, 2.5, 4.5, 8}, y[] = {3, 5, 9, 16};
  assert_int_equal(find(n, y, 4).count, 0); /* sizes are no whole numbers */
  double m[] = {1, 2, 3}, same[] = {5, 5, 5}, zero[] = {0, 0, 0};
  sc_exact_result r = find(m, same, 3);
  assert_true(r.count == 1 && r.sure && r.models[0].terms[0].coefficient == 5);
  r = find(m, zero, 3);
  assert_true(r.count == 1 && r.models[0].term_count == 0);
  assert_int_equal(find(m, same, 1).count, 0);
}

/* Sizes double if they are within SC_EXACT_DOUBLING doublings of powers of two of the first one. */
TEST(sizes_that_double)
{
  const double offs[] = {0, SC_EXACT_DOUBLING - 1e-6, SC_EXACT_DOUBLING + 1e-6, -SC_EXACT_DOUBLING - 1e-6, 0.5};
  for (size_t i = 0; i < COUNT(offs); i++) {
    double n[] = {100, 200, 400 * exp2(offs[i]), 1600};
    assert_int_equal(sc_exact_doubling(&(sc_points){.count = COUNT(n), .n = n}), i < 2);
  }
}

int main(void) { return unit_run(set_up, tear_down); }
