/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a study of uprobes has no times: what they take, or that nobody can tell how much they take. */
#include "unit.h"

#include <math.h>

#include "runner/report/plain.h"
#include "runner/text/tuning.h"

static void expect_reason(double slowdown, const char *reason)
{
  const sc_judge judge = {.loaded = {.plain = {.taken_away = true}, .slowdown = slowdown}};
  sc_buf text = {0};
  assert_true(sc_report_plain_text(&judge, &text));
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_int_equal(strncmp(text.text, "No times are predicted: ", 24), 0);
  if (!strstr(text.text, reason))
    fail_msg("\"%s\" is not in: %s", reason, text.text);
  sc_buf_free(&text);
}

TEST(uprobes_that_take_most_are_told) { expect_reason(8, "the uprobes multiply the processor time by 8."); }

TEST(uprobes_that_may_take_little_are_not_blamed)
{
  static const char *const unsteady = "runs with and without them differ from one to the next";
  expect_reason(nextafter(SC_LOADED_PROBED, INFINITY), "the uprobes multiply");
  expect_reason(SC_LOADED_PROBED, unsteady);
  expect_reason(nextafter(SC_LOADED_PROBED, 0), unsteady);
  expect_reason(0.9, unsteady);
}

TEST(without_a_run_of_the_plain_program_nothing_is_known) { expect_reason(0, "no run without them was made"); }
