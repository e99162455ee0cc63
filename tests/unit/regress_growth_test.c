/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders as people write them. */
#include "unit.h"

#include "regress/core/growth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

TEST(orders_are_read)
{
  static const struct {
    const char *text;
    double exponent, log_exponent;
  } known[] = {
      {"constant", 0, 0},     {"1", 0, 0},
      {"O(1)", 0, 0},         {"o(n)", 1, 0},
      {"o(n^2 log n)", 2, 1}, {"log n", 0, 1},
      {"log2(n)", 0, 1},      {"n", 1, 0},
      {"O(n)", 1, 0},         {"n log n", 1, 1},
      {"n*log(n)", 1, 1},     {"O(n log n)", 1, 1},
      {"n^2", 2, 0},          {"n\xc2\xb2", 2, 0},
      {"n\xc2\xb3", 3, 0},    {"n^1.5", 1.5, 0},
      {"n^2 log n", 2, 1},    {"n (log n)^2", 1, 2},
      {"n log^2 n", 1, 2},    {"n log(n)^2", 1, 2},
      {"sqrt(n)", 0.5, 0},    {"n sqrt n", 1.5, 0},
      {"n / log n", 1, -1},   {"  n ^ 3 ", 3, 0},
      {"n n", 2, 0},          {"items log items", 1, 1},
      {"n^(0.5)", 0.5, 0},    {"items^2", 2, 0},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    sc_order order;
    if (sc_growth_parse(known[i].text, "items", &order) < 0)
      fail_msg("%s: %s", known[i].text, sc_err_message());
    if (order.exponent != known[i].exponent || order.log_exponent != known[i].log_exponent)
      fail_msg("%s: n^%g (log n)^%g", known[i].text, order.exponent, order.log_exponent);
    assert_int_equal(order.integer, lround(known[i].exponent));
  }
}

TEST(what_is_printed_is_read)
{
  static const sc_order orders[] = {{0, 0, 0}, {1, 0, 1}, {1, 1, 1}, {1.53, 0, 2},
                                    {2, 1, 2}, {1, 2, 1}, {0, 1, 0}, {1, -1, 1}};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    char text[64];
    sc_order read;
    sc_model_format_order(&orders[i], "n", text, sizeof text);
    if (sc_growth_parse(text, NULL, &read) < 0)
      fail_msg("%s: %s", text, sc_err_message());
    assert_true(sc_model_compare_order(&orders[i], &read) == 0);
  }
}

TEST(others_are_refused)
{
  static const char *const wrong[] = {"",          "m",   "n^",    "n^-1", "n^99",  "n^nan", "log", "n log",
                                      "nlogn",     "2^n", "O(n",   "n)",   "n + 1", "n^2^2", "/ n", "1 / log n",
                                      "log log n", "(n",  "n^1e9", "\xff", "oO(n)", "xO(n)", "On",  "o n"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sc_order order;
    if (sc_growth_parse(wrong[i], "n", &order) != SC_E_USAGE)
      fail_msg("\"%s\" was taken for n^%g (log n)^%g", wrong[i], order.exponent, order.log_exponent);
    assert_true(*sc_err_hint_text());
  }
}

TEST(values_are_those_of_the_order)
{
  sc_order order;
  assert_int_equal(sc_growth_parse("n^2 log n", NULL, &order), 0);
  assert_true(sc_growth_value(&order, 8) == 64 * 3);
  assert_int_equal(sc_growth_parse("constant", NULL, &order), 0);
  assert_true(sc_growth_value(&order, 1e9) == 1);
}

/* Up to the tenth power, of the size and of its logarithm, together, too. */
TEST(powers_up_to_the_tenth)
{
  static const struct {
    const char *text;
    double exponent, log_exponent;
    bool known;
  } cases[] = {{"n^10", 10, 0, true},
               {"n^10.1", 0, 0, false},
               {"n^5 n^5", 10, 0, true},
               {"n^5 n^5.1", 0, 0, false},
               {"log^10 n", 0, 10, true},
               {"log^10.1 n", 0, 0, false},
               {"log^5 n log^5 n", 0, 10, true},
               {"log^5 n log^6 n", 0, 0, false},
               {"n / log^10 n", 1, -10, true},
               {"n / (log n)^5 / log^6 n", 0, 0, false},
               {"log^2(n)^3", 0, 6, true},
               {"n^0 / log n", 0, 0, false},
               {"log n / log n", 0, 0, true},
               {"n^0", 0, 0, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_order order;
    int err = sc_growth_parse(cases[i].text, NULL, &order);
    if ((err == 0) != cases[i].known ||
        (err == 0 && (order.exponent != cases[i].exponent || order.log_exponent != cases[i].log_exponent)))
      fail_msg("%s: %d, n^%g (log n)^%g", cases[i].text, err, order.exponent, order.log_exponent);
  }
}
