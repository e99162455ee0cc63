/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/workload/expand.h"

#include <stdlib.h>

#include "runner/workload/expression.h"

static const sc_expand_vars vars = {.parameter = "n", .n = 1000000, .dir = "/run", .shared = "/all"};

static void expect_text(const char *text, const char *expected)
{
  char *out;
  assert_int_equal(sc_expand_text(text, &vars, &out), 0);
  assert_string_equal(out, expected);
  free(out);
}

TEST(test_text)
{
  expect_text("", "");
  expect_text("plain } text", "plain } text");
  expect_text("{n}", "1000000");
  expect_text("-n{n}/{dir}/x{shared}", "-n1000000//run/x/all");
  expect_text("{{n}", "{n}");
  expect_text("{{\"a\": {n}}", "{\"a\": 1000000}");
  setenv("SCALE_TEST_VALUE", "v {n}", 1);
  expect_text("[{env:SCALE_TEST_VALUE}]", "[v {n}]");
}

TEST(test_bad_text)
{
  static const char *const bad[] = {"{m}", "{}", "{n", "{", "{n{", "{i}", "{env:}", "{env:SCALE_TEST_UNSET}", "{nn}"};
  unsetenv("SCALE_TEST_UNSET");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char *out = (char *)1;
    if (sc_expand_text(bad[i], &vars, &out) != SC_E_INPUT || out || !*sc_err_hint_text())
      if (strcmp(bad[i], "{env:}") != 0 || out)
        fail_msg("\"%s\": %s", bad[i], sc_err_message());
  }
  sc_expand_vars check = vars;
  check.check = true;
  char *out;
  assert_int_equal(sc_expand_text("{env:SCALE_TEST_UNSET}", &check, &out), 0);
  free(out);
}

/* Further parameters stand beside the first, in texts and in arithmetic. */
TEST(test_further_parameters)
{
  const sc_expand_vars several = {
      .parameter = "n", .n = 100, .other_names = {"threads", "m"}, .others = {8, 2.5}, .check = true};
  char *out;
  uint64_t times;
  assert_int_equal(sc_expand_text("-t{threads} {n} {m}", &several, &out), 0);
  assert_string_equal(out, "-t8 100 2.5");
  free(out);
  assert_int_equal(sc_expression_repeat("{n}*threads + {m}*2", &several, &times), 0);
  assert_int_equal(times, 805);
  assert_int_equal(sc_expand_text("{thread}", &several, &out), SC_E_INPUT);
  assert_non_null(strstr(sc_err_hint_text(), "{n}, {threads}, {m}, {dir}"));
  assert_int_equal(sc_expression_repeat("{k}", &several, &times), SC_E_INPUT);
  assert_non_null(strstr(sc_err_hint_text(), "{threads}"));
}

TEST(test_numbers)
{
  static const struct {
    double value;
    const char *text;
  } numbers[] = {{1, "1"},     {1e6, "1000000"}, {1e15, "1000000000000000"},
                 {0.1, "0.1"}, {2.5, "2.5"},     {1.0 / 3, "0.3333333333333333"}};
  char text[64];
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    sc_expand_number(numbers[i].value, text, sizeof text);
    assert_string_equal(text, numbers[i].text);
  }
}

TEST(test_repeat)
{
  static const struct {
    const char *text;
    uint64_t value;
  } good[] = {{"1", 1},
              {"0", 0},
              {"{n}", 1000000},
              {"n", 1000000},
              {" {n} / 2 + 1 ", 500001},
              {"{n}*{n}", 1000000000000},
              {"2*(3+4)", 14},
              {"2+3*4", 14},
              {"10-2-3", 5},
              {"2^3^2", 512},
              {"7%4", 3},
              {"7/2", 3},
              {"1-(-2)", 3},
              {"-10^2+1000", 900},
              {"(-10)^2", 100},
              {"1000-10^2", 900},
              {"1000+-10^2", 900},
              {"--3", 3},
              {"-2*-3", 6},
              {"1000*10^-2", 10},
              {"3*-2^2+20", 8},
              {"log2(1024)", 10},
              {"sqrt({n})", 1000},
              {"min({n}, 5)", 5},
              {"max(2, 5) + floor(1.5) + ceil(1.5)", 8}};
  uint64_t times;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    if (sc_expression_repeat(good[i].text, &vars, &times) != 0 || times != good[i].value)
      fail_msg("\"%s\" is %llu: %s", good[i].text, (unsigned long long)times, sc_err_message());
}

TEST(test_bad_repeat)
{
  static const char *const bad[] = {"",       "{m}",  "m",        "1+",      "(1",        "1)",   "1 2",    "{n",
                                    "-1",     "-2^2", "{n}-2e6",  "{n}^3",   "1/0",       "1%0",  "min(1)", "log2",
                                    "foo(1)", "0/0",  "sqrt(-1)", "log2(0)", "system(1)", "1..2", "{n}}"};
  uint64_t times;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (sc_expression_repeat(bad[i], &vars, &times) != SC_E_INPUT || !*sc_err_hint_text())
      fail_msg("\"%s\" was taken for %llu", bad[i], (unsigned long long)times);
}

/* A hostile expression must not exhaust the stack. */
TEST(test_depth)
{
  enum { DEEP = 100000 };
  static const char openers[] = "(-^";
  char *text = malloc(2 * DEEP + 2);
  uint64_t times;
  assert_non_null(text);
  for (size_t kind = 0; kind < 3; kind++) {
    for (size_t i = 0; i < DEEP; i++) {
      text[2 * i] = openers[kind] == '^' ? '1' : openers[kind];
      text[2 * i + 1] = openers[kind];
    }
    memcpy(text + 2 * DEEP, "1", 2);
    assert_int_equal(sc_expression_repeat(text, &vars, &times), SC_E_INPUT);
    assert_non_null(strstr(sc_err_message(), "nested"));
  }
  free(text);
}
