/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "runner/drive/progress.h"

static char *tell(const sc_drive_event *events, size_t count, bool quiet, bool terminal)
{
  char *text;
  sc_progress progress;
  FILE *out = unit_stream(&text);
  sc_progress_open(&progress, out, quiet, "n");
  assert_false(progress.terminal);
  progress.terminal = terminal;
  for (size_t i = 0; i < count; i++)
    sc_progress_report(&progress, &events[i]);
  sc_progress_close(&progress);
  fclose(out);
  return text;
}

static const sc_drive_event story[] = {
    {.kind = SC_DRIVE_RUN_BEGIN,
     .n = 1600,
     .why = "one of the first sizes",
     .repeats = 1,
     .run_number = 3,
     .runs_expected = 12,
     .seconds = 0.2,
     .seconds_left = 30,
     .state = {.error = -1, .previous_error = -1}},
    {.kind = SC_DRIVE_RUN_END,
     .n = 1600,
     .why = "one of the first sizes",
     .repeats = 1,
     .run_number = 3,
     .runs_expected = 12,
     .seconds = 0.21,
     .seconds_left = 30,
     .state = {.error = -1, .previous_error = -1}},
    {.kind = SC_DRIVE_FITTED, .state = {.iteration = 2, .error = 0.12, .previous_error = 0.3, .models = 41}},
    {.kind = SC_DRIVE_RUN_BEGIN,
     .n = 4800,
     .why = "halfway to the worst prediction",
     .repeats = 2,
     .repeat = 1,
     .run_number = 4,
     .runs_expected = 12,
     .seconds = 7,
     .seconds_left = 90,
     .state = {.error = 0.12, .previous_error = 0.3}},
    {.kind = SC_DRIVE_WARNING, .text = "it is warm", .hint = "open a window"},
    {.kind = SC_DRIVE_STOPPED, .text = "the error is below 5%", .state = {.error = 0.04}},
};
enum { STORY = sizeof story / sizeof *story };

TEST(a_line_an_event_off_a_terminal)
{
  char *text = tell(story, STORY, false, false), expected[1024];
  snprintf(expected, sizeof expected,
           "scale-run: run 3 of about 12: n = 1,600, one of the first sizes: 210 ms, about 30 s left\n"
           "scale-run: iteration 2: 41 models fitted, average error on validation runs 12%% (before: 30%%)\n"
           "scale-run: run 4 of about 12: n = 4,800 (repeat 2 of 2), halfway to the worst prediction, takes about 7.0 "
           "s, about 90 s left\n"
           "scale-run: warning: it is warm\nhint: open a window\n"
           "scale-run: done: the error is below 5%%\n");
  assert_string_equal(text, expected);
  free(text);
}

TEST(a_plan_says_what_is_known)
{
  const sc_drive_event events[] = {
      {.kind = SC_DRIVE_FITTED,
       .planned = true,
       .plan = {.iteration = 1, .target = 1e6, .width = 0.4, .previous_width = -1, .models = 3, .untold = 1}},
      {.kind = SC_DRIVE_FITTED,
       .planned = true,
       .plan = {.iteration = 2, .target = 1e6, .width = 0, .previous_width = 0.4, .models = 1}},
  };
  char *text = tell(events, 2, false, false);
  assert_string_equal(
      text, "scale-run: iteration 1: 3 models fitted (1 undecided), the total count at n = 1,000,000 "
            "known to +-40%\n"
            "scale-run: iteration 2: 1 model fitted, the total count at n = 1,000,000 known exactly (before: +-40%)\n");
  free(text);
}

TEST(quiet_keeps_warnings)
{
  char *text = tell(story, STORY, true, false);
  assert_string_equal(text, "scale-run: warning: it is warm\nhint: open a window\n");
  free(text);
}

/* The status line is rewritten, cleared before anything else is printed, and never longer than the terminal. */
TEST(a_status_line_on_a_terminal)
{
  char *text = tell(story, STORY, false, true);
  assert_non_null(strstr(text, "\rrun 3 of about 12: n = 1,600"));
  assert_non_null(strstr(text, "\033[K\r\033[Kscale-run: iteration 2"));
  assert_non_null(strstr(text, "error so far 12%"));
  assert_non_null(strstr(text, "\r\033[Kscale-run: warning: it is warm\n"));
  for (char *line = strtok(text, "\r\n"); line; line = strtok(NULL, "\r\n"))
    assert_true(strlen(line) <= 99 + strlen("\033[K\033[K"));
  free(text);
}

/* Fitting since `since`: 30,000 of 100,000, and at once 31,000. */
static char *tell_share(bool terminal, double since)
{
  char *text;
  sc_progress progress;
  FILE *out = unit_stream(&text);
  sc_progress_open(&progress, out, false, "n");
  progress.terminal = terminal;
  progress.since = since;
  sc_progress_share(&progress, 30000, 100000);
  sc_progress_share(&progress, 31000, 100000);
  sc_progress_close(&progress);
  fclose(out);
  return text;
}

TEST(a_share_on_a_terminal_alone)
{
  static const double long_ago = 1e-3; /* of the monotonic clock */
  char *text = tell_share(true, long_ago);
  assert_non_null(strstr(text, "\rfitting: 30,000 of 100,000 counts, about "));
  assert_null(strstr(text, "31,000")); /* too soon after it */
  assert_string_equal(text + strlen(text) - 4, "\r\033[K");
  free(text);
  text = tell_share(false, long_ago);
  assert_string_equal(text, "");
  free(text);
  text = tell_share(true, 0); /* begins now */
  assert_string_equal(text, "");
  free(text);
}
