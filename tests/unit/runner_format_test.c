/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "runner/text/format.h"

TEST(numbers_have_thousands)
{
  assert_string_equal(sc_format_number(0).s, "0");
  assert_string_equal(sc_format_number(999).s, "999");
  assert_string_equal(sc_format_number(1000).s, "1,000");
  assert_string_equal(sc_format_number(-1234567).s, "-1,234,567");
  assert_string_equal(sc_format_number(499999500000).s, "499,999,500,000");
  assert_string_equal(sc_format_number(1.5).s, "1.5");
  assert_string_equal(sc_format_number(1e20).s, "1e+20");
  assert_string_equal(sc_format_number(NAN).s, "?");
  assert_string_equal(sc_format_number(INFINITY).s, "unbounded");
}

TEST(counts_are_short)
{
  assert_string_equal(sc_format_count(0).s, "0");
  assert_string_equal(sc_format_count(12345).s, "12,345");
  assert_string_equal(sc_format_count(1280000).s, "1.28 million");
  assert_string_equal(sc_format_count(999999).s, "1.00 million");
  assert_string_equal(sc_format_count(999400).s, "999,400");
  assert_string_equal(sc_format_count(49995000).s, "50.0 million");
  assert_string_equal(sc_format_count(3.7e9).s, "3.70 billion");
  assert_string_equal(sc_format_count(500e12).s, "500 trillion");
  assert_string_equal(sc_format_count(2.5e21).s, "2.5e+21");
  assert_string_equal(sc_format_count(0.25).s, "0.250");
  assert_string_equal(sc_format_count(156.25).s, "156");
}

TEST(durations_choose_their_unit)
{
  assert_string_equal(sc_format_seconds(0).s, "0 s");
  assert_string_equal(sc_format_seconds(85e-6).s, "85 us");
  assert_string_equal(sc_format_seconds(0.012).s, "12 ms");
  assert_string_equal(sc_format_seconds(0.9999).s, "1.0 s");
  assert_string_equal(sc_format_seconds(3.2).s, "3.2 s");
  assert_string_equal(sc_format_seconds(119).s, "119 s");
  assert_string_equal(sc_format_seconds(720).s, "12 min");
  assert_string_equal(sc_format_seconds(3.4 * 3600).s, "3.4 h");
  assert_string_equal(sc_format_seconds(86400 * 2.1).s, "2.1 days");
  assert_string_equal(sc_format_seconds(86400 * 365.25 * 14).s, "14 years");
  assert_string_equal(sc_format_seconds(2e-9).s, "2.0 ns");
}

TEST(shares_and_bytes)
{
  assert_string_equal(sc_format_percent(0).s, "0%");
  assert_string_equal(sc_format_percent(0.0001).s, "<0.1%");
  assert_string_equal(sc_format_percent(0.031).s, "3.1%");
  assert_string_equal(sc_format_percent(0.37).s, "37%");
  assert_string_equal(sc_format_percent(0.9996).s, ">99.9%");
  assert_string_equal(sc_format_percent(1).s, "100%");
  assert_string_equal(sc_format_percent(INFINITY).s, "unbounded");
  assert_string_equal(sc_format_margin(0).s, "exactly");
  assert_string_equal(sc_format_margin(0.0001).s, "under +-0.1%");
  assert_string_equal(sc_format_margin(0.124).s, "+-12%");
  assert_string_equal(sc_format_margin(3).s, "+-300%");
  assert_string_equal(sc_format_margin(0.0009999).s, "under +-0.1%");
  assert_string_equal(sc_format_margin(0.001).s, "+-0.10%");
  assert_string_equal(sc_format_margin(0.998).s, "+-99.8%");
  assert_string_equal(sc_format_margin(0.9991).s, "over +-99.9%");
  assert_string_equal(sc_format_margin(1).s, "+-100%");
  assert_string_equal(sc_format_bytes(512).s, "512 bytes");
  assert_string_equal(sc_format_bytes(1.5 * 1024 * 1024 * 1024).s, "1.5 GiB");
}

TEST(intervals_name_their_unit_once)
{
  assert_string_equal(sc_format_interval(&(sc_interval){3.2, 3.1, 3.4}, "s").s, "3.1 to 3.4 s");
  assert_string_equal(sc_format_interval(&(sc_interval){1.2e-3, 1.21e-3, 1.22e-3}, "s").s, "1.210 to 1.220 ms");
  assert_string_equal(sc_format_interval(&(sc_interval){1, 0.8, 3.4}, "s").s, "800 ms to 3.4 s");
  assert_string_equal(sc_format_interval(&(sc_interval){10e6, 9.8e6, 12e6}, "").s, "9.80 to 12.0 million");
  assert_string_equal(sc_format_interval(&(sc_interval){10, 9, 12}, "").s, "9 to 12");
  assert_string_equal(sc_format_interval(&(sc_interval){1e6, 1.0002e6, 1.0003e6}, "").s, "1.0002 to 1.0003 million");
  assert_string_equal(sc_format_interval(&(sc_interval){150, 149.8, 150.2}, "").s, "149.8 to 150.2");
  assert_string_equal(sc_format_interval(&(sc_interval){1e6, 1e6 - 9.9, 1e6}, "").s, "within 0.001%");
  assert_string_equal(sc_format_interval(&(sc_interval){1e6, 1e6 - 1.1, 1e6}, "").s, "within 0.001%");
  assert_string_equal(sc_format_interval(&(sc_interval){1e6, 1e6 - 1, 1e6}, "").s, "within 0.0001%");
  assert_string_equal(sc_format_interval(&(sc_interval){2048106, 2048105, 2048107}, "").s, "within 0.0001%");
  /* As exact as that, so that what is outside is not said to be nearer. */
  assert_string_equal(sc_format_error(2048106, 2048112).s, "-0.0003%");
  assert_string_equal(sc_format_error(2048112, 2048106).s, "+0.0003%");
  assert_string_equal(sc_format_error(100004, 100000).s, "+0.004%");
  assert_string_equal(sc_format_error(100005, 100000).s, "+0.01%");
  assert_string_equal(sc_format_interval(&(sc_interval){1e6, 1e6, 1e6 + 10.1}, "").s, "1.00000 to 1.00001 million");
  assert_string_equal(sc_format_interval(&(sc_interval){10, 10, 10}, "").s, "exactly");
  assert_string_equal(sc_format_interval(&(sc_interval){10, 10, 10}, "s").s, "about");
  assert_string_equal(sc_format_interval(&(sc_interval){0, 0, 0}, "s").s, "none measured");
  assert_string_equal(sc_format_interval(&(sc_interval){10, 0, INFINITY}, "").s, "0 to unbounded");
}

TEST(errors_are_signed)
{
  assert_string_equal(sc_format_error(100, 100).s, "exact");
  assert_string_equal(sc_format_error(103.1, 100).s, "+3.1%");
  assert_string_equal(sc_format_error(99.5, 100).s, "-0.50%");
  assert_string_equal(sc_format_error(300, 100).s, "+200%");
  assert_string_equal(sc_format_error(1, 0).s, "?");
  assert_string_equal(sc_format_error(0, 0).s, "exact");
  assert_string_equal(sc_format_error(618 * (1 - 1e-12), 618).s, "exact"); /* sums that differ by their rounding */
  assert_string_equal(sc_format_error(618 * (1 - 2e-11), 618).s, "-0.000000002%");
}

TEST(ends_that_look_alike_stand_once)
{
  assert_string_equal(sc_format_ends(sc_format_bytes(65300), sc_format_bytes(65700), 65700).s, "about 64 KiB");
  assert_string_equal(sc_format_ends(sc_format_bytes(65300), sc_format_bytes(67000), 67000).s, "64 to 65 KiB");
  assert_string_equal(sc_format_ends(sc_format_bytes(65300), sc_format_bytes(65300), INFINITY).s,
                      "64 KiB to unbounded");
}

TEST(plural)
{
  assert_string_equal(sc_format_plural(1, "run").s, "1 run");
  assert_string_equal(sc_format_plural(0, "run").s, "0 runs");
  assert_string_equal(sc_format_plural(1200, "run").s, "1,200 runs");
}

TEST(text_is_wrapped)
{
  char *text;
  FILE *out = unit_stream(&text);
  sc_format_wrap(out, "one two three  four\nfive", 2, 4, 11);
  sc_format_wrap(out, "at n = 1: 2;", 0, 0, 7);
  sc_format_wrap(out, "averyveryverylongword b", 0, 2, 10);
  assert_int_equal(fclose(out), 0);
  assert_string_equal(text, "one two\n    three\n    four\n    five\nat\nn = 1:\n2;\naveryveryverylongword\n  b\n");
  free(text);
  assert_int_equal(sc_format_columns("a\xc2\xb5"), 2);
}

TEST(costs_without_samples_are_no_zeroes)
{
  const sc_interval sampled = {0.021, 0.02, 0.022}, bounded = {0, 0, 0.0015}, unknown = {0, 0, 0};
  assert_string_equal(sc_format_cost_share(&sampled, "s", 0.12, " of all").s, "21 ms, 12% of all");
  assert_string_equal(sc_format_cost_share(&sampled, NULL, 0.12, "").s, "12%");
  assert_string_equal(sc_format_cost_share(&bounded, "s", 0, " of all").s, "under 1.5 ms, not sampled");
  assert_string_equal(sc_format_cost_share(&unknown, "s", 0, " of the total").s, "not sampled");
}

TEST(a_time_of_any_length_is_not_known)
{
  sc_interval edge = {2, 1, 2000}, wide = {2, 1, 2001}, open = {2, 1, INFINITY}, none = {0, 0, 5};
  assert_true(sc_format_tells(&edge, "s") && sc_format_tells(&wide, "") && sc_format_tells(&wide, NULL));
  assert_true(sc_format_tells(&open, "s") && sc_format_tells(&none, "s"));
  assert_false(sc_format_tells(&wide, "s"));
  assert_string_equal(sc_format_least(&wide, "s").s, "1.0 s or more");
  const sc_interval nothing = {1e-11, 0, 1.63e-4}, edge_of_it = {1, 0, 1000}, begins = {1e-11, 1e-12, 1.63e-4};
  assert_string_equal(sc_format_estimate(&nothing, "s").s, "under 163 us");
  assert_string_equal(sc_format_estimate(&nothing, "").s, sc_format_cost(1e-11, "").s);
  assert_string_equal(sc_format_estimate(&edge_of_it, "s").s, "1.0 s");
  assert_string_equal(sc_format_estimate(&begins, "s").s, "under 163 us");
  assert_string_equal(sc_format_least(&(sc_interval){2, 0, 9e9}, "s").s, "");
}

TEST(a_time_of_no_length_is_no_number)
{
  const sc_interval begins = {2e-11, 1e-12, 2.68e-4}, none = {1e-11, 1e-12, 2e-11}, open = {1e-11, 1e-12, INFINITY},
                    edge = {1e-9, 5e-11, 2e-9}, below = {1e-9, 4.99e-11, 2e-9}, counted = {1e-9, 1e-12, 2e-9};
  assert_string_equal(sc_format_seconds(5e-11).s, "0.05 ns");
  assert_string_equal(sc_format_seconds(4.99e-11).s, "under 0.1 ns");
  assert_string_equal(sc_format_seconds(0).s, "0 s");
  assert_string_equal(sc_format_cost(1e-12, "").s, "1e-12");
  assert_string_equal(sc_format_interval(&begins, "s").s, "0 to 268 us");
  assert_string_equal(sc_format_interval(&none, "s").s, "under 0.1 ns");
  assert_string_equal(sc_format_interval(&open, "s").s, "0 s to unbounded");
  assert_string_equal(sc_format_interval(&edge, "s").s, "0.05 to 2.0 ns");
  assert_string_equal(sc_format_interval(&below, "s").s, "0 to 2.0 ns");
  assert_null(strchr(sc_format_interval(&counted, "").s, 'n'));
  assert_string_equal(sc_format_estimate(&begins, "s").s, "under 268 us");
  assert_string_equal(sc_format_estimate(&open, "s").s, "under 0.1 ns");
}

TEST(commands_are_broken_for_the_shell)
{
  static const struct {
    const char *text, *expected;
    int width;
  } cases[] = {{"Next: run a 'b c' d", "Next: run a 'b c' d", 19},
               {"Next: run a 'b c' d", "Next: run a \\\n  'b c' d", 18},
               {"Next: run a 'b c' d", "Next: \\\n  run a \\\n  'b c' \\\n  d", 10},
               {"run 'it'\\''s all' one", "run \\\n  'it'\\''s all' \\\n  one", 12},
               {"averyveryverylongword", "averyveryverylongword", 10}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_buf out = {0};
    sc_format_command(cases[i].text, cases[i].width, &out);
    assert_int_equal(sc_buf_finish(&out), 0);
    assert_string_equal(out.text, cases[i].expected);
    sc_buf_free(&out);
  }
}

TEST(counts_are_within_as_they_are_printed)
{
  const sc_interval interval = {.value = 861602.6, .low = 843415.1, .high = 861602.6};
  assert_true(sc_format_within(&interval, "", 861603) && sc_format_within(&interval, "", 843415));
  assert_false(sc_format_within(&interval, "", 861603.1) || sc_format_within(&interval, "", 843414.9));
  assert_true(sc_format_within(&interval, "s", 861602.6));
  assert_false(sc_format_within(&interval, "s", 861603));
}
