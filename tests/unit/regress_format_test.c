/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models and orders as texts. */
#include "unit.h"

#include "regress/core/model.h"

static const char *formula(const sc_model *model)
{
  static char text[200];
  int length = sc_model_format(model, "n", text, sizeof text);
  assert_int_equal(length, strlen(text));
  return text;
}

TEST(writes_formulas)
{
  sc_model m = {.terms = {{0.5, 2, 0}, {-0.5, 1, 0}, {3, 0, 0}}, .term_count = 3};
  assert_string_equal(formula(&m), "0.5 n^2 - 0.5 n + 3");
  m = (sc_model){.terms = {{3, 1, 1}, {17, 0, 0}}, .term_count = 2};
  assert_string_equal(formula(&m), "3 n log2(n) + 17");
  m = (sc_model){.terms = {{-1, 1, 0}, {1000, 0, 0}}, .term_count = 2};
  assert_string_equal(formula(&m), "-n + 1000");
  m = (sc_model){.terms = {{1, 0, 2}}, .term_count = 1};
  assert_string_equal(formula(&m), "log2(n)^2");
  m = (sc_model){.terms = {{1, 0, 0}}, .term_count = 1};
  assert_string_equal(formula(&m), "1");
  m = (sc_model){.terms = {{2, -0.5, 0}}, .term_count = 1};
  assert_string_equal(formula(&m), "2 n^(-0.5)");
  m = (sc_model){0};
  assert_string_equal(formula(&m), "0");
}

/* Up to a denominator of 1,000; those of 1,000 itself are short enough as decimals. */
TEST(fractions_have_denominators_up_to_1000)
{
  sc_model m = {.terms = {{1.0 / 999, 1, 0}}, .term_count = 1, .exact = true};
  assert_string_equal(formula(&m), "1/999 n");
  m.terms[0].coefficient = 7.0 / 1000;
  assert_string_equal(formula(&m), "0.007 n");
  m.terms[0].coefficient = 1.0 / 1001;
  assert_string_equal(formula(&m), "0.000999000999000999 n");
}

TEST(writes_fractions_only_where_exact)
{
  sc_model m = {.terms = {{1.0 / 6, 3, 0}, {-0.5, 2, 0}, {1.0 / 3, 1, 0}}, .term_count = 3, .exact = true};
  assert_string_equal(formula(&m), "1/6 n^3 - 0.5 n^2 + 1/3 n");
  m.exact = false;
  assert_string_equal(formula(&m), "0.1666666667 n^3 - 0.5 n^2 + 0.3333333333 n");
}

static const char *brief(const sc_model *model, double seconds)
{
  static char text[200];
  int length = sc_model_format_brief(model, "n", seconds, text, sizeof text);
  assert_int_equal(length, strlen(text));
  return text;
}

/* Fitted numbers have three digits; exact coefficients are rounded above 99,999. */
TEST(writes_brief_formulas)
{
  sc_model m = {.terms = {{0.48491234, 2, 0}, {200277246, 1, 0}}, .term_count = 2};
  assert_string_equal(brief(&m, 0), "0.485 n^2 + 200000000 n");
  m.terms[0] = (sc_term){1024, 1.23456, 0};
  assert_string_equal(brief(&m, 0), "1020 n^1.23 + 200000000 n");
  m = (sc_model){.terms = {{1024, 2, 0}, {99999, 1, 0}, {100001, 0, 0}}, .term_count = 3, .exact = true};
  assert_string_equal(brief(&m, 0), "1024 n^2 + 99999 n + 100000");
  m = (sc_model){.terms = {{1.0 / 6, 3, 0}, {0.1234567891234, 1, 0}}, .term_count = 2, .exact = true};
  assert_string_equal(brief(&m, 0), "1/6 n^3 + 0.123 n");
  m = (sc_model){.terms = {{5, 1, 0, .shape = SC_SHAPE_CEIL_BLOCK, .scale = 127.3512}}, .term_count = 1};
  assert_string_equal(brief(&m, 0), "5 ceil(n / 127)");
  m = (sc_model){.terms = {{2, 0, 0, .base = 1.6180339887}}, .term_count = 1};
  assert_string_equal(brief(&m, 0), "2 * 1.61803^n");
  m = (sc_model){.terms = {{3, 1, 0}},
                 .term_count = 1,
                 .pieces = {{.terms = {{1.2345, 0, 0}}, .term_count = 1, .until = 12345}},
                 .piece_count = 1};
  assert_string_equal(brief(&m, 0), "n < 12300: 1.23; else 3 n");
}

/* What cannot be seen at any size is not written; exact terms are. */
TEST(leaves_out_rounding)
{
  sc_model m = {.terms = {{2, 2, 0}, {-1.9e-9, 1, 0}, {2.1e-9, 0, 0}}, .term_count = 3};
  assert_string_equal(brief(&m, 0), "2 n^2 + 2.1e-09");
  m.exact = true;
  m.terms[0].coefficient = 4e9;
  m.terms[1].coefficient = -1;
  m.terms[2].coefficient = 3;
  assert_string_equal(brief(&m, 0), "4000000000 n^2 - n + 3");
}

/* Each coefficient in a unit of its size. */
TEST(writes_times)
{
  sc_model m = {.terms = {{5.0812345e-9, 1, 1}, {-6.6412e-7, 0, 0}}, .term_count = 2};
  assert_string_equal(brief(&m, 1), "5.08 ns n log2(n) - 664 ns");
  m = (sc_model){.terms = {{1, 1, 0}, {0.9996e-3, 0, 0}}, .term_count = 2};
  assert_string_equal(brief(&m, 1), "1 s n + 1 ms");
  assert_string_equal(brief(&m, 1e-3), "1 ms n + 1 us");
  m = (sc_model){.terms = {{12345, 1, 0}, {1.5e-15, 0, 0}}, .term_count = 2, .exact = true};
  assert_string_equal(brief(&m, 1), "12300 s n + 0.0015 ps");
}

TEST(cuts_as_snprintf_does)
{
  sc_model m = {.terms = {{0.5, 2, 0}, {3, 0, 0}}, .term_count = 2};
  char text[6];
  assert_int_equal(sc_model_format(&m, "items", text, sizeof text), strlen("0.5 items^2 + 3"));
  assert_string_equal(text, "0.5 i");
  assert_int_equal(sc_model_format(&m, "n", NULL, 0), strlen("0.5 n^2 + 3"));
}

/* By form: as people read it, briefly, and as programs do. log2(1000) / log2(10) is a little less than 3, but 1,000 has
 * four digits. */
TEST(every_shape_has_its_text)
{
  static const struct {
    sc_term term;
    const char *text, *brief, *program;
  } cases[] = {
      {{2, 1, 0}, "2 n", "2 n", "2 * n"},
      {{2, 1.23456, 0}, "2 n^1.23456", "2 n^1.23", "2 * n^1.23456"},
      {{2, -1, 0}, "2 n^(-1)", "2 n^(-1)", "2 * n^(-1)"},
      {{1.0 / 3, 0, 0}, "0.3333333333", "0.333", "0.333333333333333"},
      {{2, 0, -1}, "2 / log2(n)", "2 / log2(n)", "2 / log2(n)"},
      {{1, 0, -2}, "1 / log2(n)^2", "1 / log2(n)^2", "1 / log2(n)^2"},
      {{1, 1, 1, 0, SC_SHAPE_CEIL_LOG, 0}, "n ceil(log2(n))", "n ceil(log2(n))", "n * ceil(log2(n))"},
      {{3, 1, 2, 0, SC_SHAPE_FLOOR_LOG, 0}, "3 n floor(log2(n))^2", "3 n floor(log2(n))^2", "3 * n * floor(log2(n))^2"},
      {{1, 0, 1, 0, SC_SHAPE_FLOOR_LOG, 10},
       "floor(log10(n))",
       "floor(log10(n))",
       "floor(log2(n) / 3.321928094887362 + 1e-12)"},
      {{1, 0, 1, 0, SC_SHAPE_CEIL_LOG, 8}, "ceil(log_8(n))", "ceil(log_8(n))", "ceil(log2(n) / 3 - 1e-12)"},
      {{1, 0, 1, 0, SC_SHAPE_CEIL_LOG, 1.23456}, "ceil(log_1.23456(n))", "ceil(log_1.23(n))", NULL},
      {{2, 1, 0, 0, SC_SHAPE_CEIL_POWER, 0}, "2 2^ceil(log2(n))", "2 2^ceil(log2(n))", "2 * 2^ceil(log2(n))"},
      {{1, 2, 0, 0, SC_SHAPE_FLOOR_POWER, 3},
       "n 2^floor(log2(n / 3))",
       "n 2^floor(log2(n / 3))",
       "n * 2^floor(log2(n / 3))"},
      {{5, 1, 0, 0, SC_SHAPE_CEIL_BLOCK, 10.2345}, "5 ceil(n / 10.2345)", "5 ceil(n / 10.2)", "5 * ceil(n / 10.2345)"},
      {{5, 3, 0, 0, SC_SHAPE_FLOOR_BLOCK, 10}, "5 n^2 floor(n / 10)", "5 n^2 floor(n / 10)", "5 * n^2 * floor(n / 10)"},
      {{1, 3, 0, 0, SC_SHAPE_BLOCK_SQUARE, 4}, "n ceil(n / 4)^2", "n ceil(n / 4)^2", "n * ceil(n / 4)^2"},
      {{2, 2, 0, 0, SC_SHAPE_FLOOR_SQUARE, 4}, "2 floor(n / 4)^2", "2 floor(n / 4)^2", "2 * floor(n / 4)^2"},
      {{2, 1.5, 0, 0, SC_SHAPE_FLOOR_ROOT, 0}, "2 n floor(sqrt(n))", "2 n floor(sqrt(n))", "2 * n * floor(sqrt(n))"},
      {{7, 0, 0, 0, SC_SHAPE_HYPERBOLIC, 30}, "7 n / (n + 30)", "7 n / (n + 30)", "7 * n / (n + 30)"},
      {{1, 0, 0, 0, SC_SHAPE_APPROACH, 64}, "(1 - exp(-n / 64))", "(1 - exp(-n / 64))", "(1 - exp(-n / 64))"},
      {{3, 1, 0, 2}, "3 n * 2^n", "3 n * 2^n", "3 * n * 2^n"},
      {{1, 0, 0, 1.6180339887498949}, "1.618033989^n", "1.61803^n", "1.618033988749895^n"},
      {{2, 0.5, 0, 1.5}, "2 n^0.5 * 1.5^n", "2 n^0.5 * 1.5^n", "2 * n^0.5 * 1.5^n"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_model m = {.terms = {cases[i].term}, .term_count = 1};
    char text[200];
    assert_string_equal(formula(&m), cases[i].text);
    assert_string_equal(brief(&m, 0), cases[i].brief);
    if (cases[i].program) {
      assert_int_equal(sc_model_expression(&m, "n", text, sizeof text), strlen(cases[i].program));
      assert_string_equal(text, cases[i].program);
    }
  }
}

/* Of exact terms fractions are written with denominators up to 1,000, briefly as well. */
TEST(fractions_and_ones_of_exact_terms)
{
  static const struct {
    double coefficient;
    const char *text, *brief, *program;
  } cases[] = {{1, "n", "n", "n"},
               {-1, "-n", "-n", "-n"},
               {1 + 1e-9, "1.000000001 n", "1.000000001 n", "1.000000001 * n"},
               {1.0 / 7, "1/7 n", "1/7 n", "1/7 * n"},
               {22.0 / 7, "22/7 n", "22/7 n", "22/7 * n"},
               {1.0 / 999, "1/999 n", "1/999 n", "1/999 * n"},
               {1.0 / 1001, "0.000999000999000999 n", "0.000999 n", "0.000999000999000999 * n"},
               {0.125, "0.125 n", "0.125 n", "0.125 * n"},
               {123456789, "123456789 n", "123000000 n", "123456789 * n"},
               {99999, "99999 n", "99999 n", "99999 * n"},
               {100000, "100000 n", "100000 n", "100000 * n"},
               {100400, "100400 n", "100000 n", "100400 * n"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_model m = {.terms = {{cases[i].coefficient, 1, 0}}, .term_count = 1, .exact = true};
    char text[200];
    assert_string_equal(formula(&m), cases[i].text);
    assert_string_equal(brief(&m, 0), cases[i].brief);
    sc_model_expression(&m, "n", text, sizeof text);
    assert_string_equal(text, cases[i].program);
  }
}

TEST(pieces_come_in_order)
{
  sc_model m = {.terms = {{1, 2, 0}},
                .term_count = 1,
                .pieces = {{.terms = {{5, 1, 0}}, .term_count = 1, .until = 300},
                           {.terms = {{2, 1, 0}, {-7, 0, 0}}, .term_count = 2, .until = 1234.5}},
                .piece_count = 2};
  char text[200];
  assert_string_equal(formula(&m), "n < 300: 5 n; n < 1234.5: 2 n - 7; else n^2");
  assert_string_equal(brief(&m, 0), "n < 300: 5 n; n < 1230: 2 n - 7; else n^2");
  sc_model_expression(&m, "n", text, sizeof text);
  assert_string_equal(text, "where(n < 300, 5 * n, where(n < 1234.5, 2 * n - 7, n^2))");
  m.pieces[0].term_count = 0;
  assert_string_equal(brief(&m, 0), "n < 300: 0; n < 1230: 2 n - 7; else n^2");
}

/* Three digits of a unit, from a two-thousandth below one of it on; a picosecond is the smallest. */
TEST(times_have_the_largest_unit_they_fill)
{
  static const struct {
    double seconds;
    const char *text;
  } cases[] = {{0.9995, "1 s n"}, {0.99949, "999 ms n"},  {1e-3, "1 ms n"},  {9.994e-4, "999 us n"},
               {1e-6, "1 us n"},  {9.994e-7, "999 ns n"}, {1e-9, "1 ns n"},  {9.994e-10, "999 ps n"},
               {1e-12, "1 ps n"}, {1e-14, "0.01 ps n"},   {1234, "1230 s n"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_model m = {.terms = {{1, 1, 0}}, .term_count = 1};
    assert_string_equal(brief(&m, cases[i].seconds), cases[i].text);
  }
}

TEST(writes_orders)
{
  static const struct {
    sc_order order;
    const char *text;
  } cases[] = {{{0, 0, 0}, "constant"},
               {{1, 0, 1}, "n"},
               {{1, 1, 1}, "n log n"},
               {{2, 0, 2}, "n^2"},
               {{0, 1, 0}, "log n"},
               {{1.53, 0, 2}, "n^1.53"},
               {{1, 2, 1}, "n (log n)^2"},
               {{-1, 0, -1}, "n^(-1)"},
               {{1, -1, 1}, "n / log n"},
               {{1, -2, 1}, "n / (log n)^2"},
               {{0, 2, 0}, "(log n)^2"},
               {{0.3333333, 0, 0}, "n^0.333"},
               {{SC_ORDER_EXPONENTIAL, 0, SC_ORDER_EXPONENTIAL, 2, 0}, "2^n"},
               {{SC_ORDER_EXPONENTIAL, 0, SC_ORDER_EXPONENTIAL, 1.6180339, 0}, "1.618^n"},
               {{SC_ORDER_EXPONENTIAL, 0, SC_ORDER_EXPONENTIAL, 3, 1}, "n 3^n"},
               {{SC_ORDER_EXPONENTIAL, 0, SC_ORDER_EXPONENTIAL, 3, -0.5}, "n^(-0.5) 3^n"}};
  char text[64];
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_int_equal(sc_model_format_order(&cases[i].order, "n", text, sizeof text), strlen(cases[i].text));
    assert_string_equal(text, cases[i].text);
  }
}

/* Coefficients of 1, to a ten billionth, are not written; a constant is. */
TEST(ones_are_left_out)
{
  static const struct {
    double coefficient;
    const char *line, *constant;
  } known[] = {{1 + 0.9e-10, "n", "1.00000000009"},
               {1 + 1.1e-10, "1.00000000011 * n", "1.00000000011"},
               {1 - 0.9e-10, "n", "0.99999999991"},
               {1 - 1.1e-10, "0.99999999989 * n", "0.99999999989"},
               {1, "n", "1"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    for (int constant = 0; constant < 2; constant++) {
      sc_model model = {.terms = {{known[i].coefficient, !constant, 0}}, .term_count = 1};
      char text[100];
      sc_model_expression(&model, "n", text, sizeof text);
      assert_string_equal(text, constant ? known[i].constant : known[i].line);
    }
}
