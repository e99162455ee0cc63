/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal shows while a study is run: one line that is written over, and lines that stay for what is news. */
#include "runner/drive/progress.h"

#include "runner/text/format.h"
#include "runner/text/tuning.h"

static void add_progress_size(const sc_progress *progress, const sc_drive_event *event, sc_buf *text)
{
  if (event->runs_expected >= event->run_number && event->runs_expected)
    sc_buf_printf(text, "run %zu of about %zu: ", event->run_number, event->runs_expected);
  else
    sc_buf_printf(text, "run %zu: ", event->run_number);
  sc_buf_printf(text, "%s = %s", progress->variable, sc_format_number(event->n).s);
  if (event->repeats > 1)
    sc_buf_printf(text, " (repeat %u of %u)", event->repeat + 1, event->repeats);
}

static void add_why(const sc_drive_event *event, sc_buf *text)
{
  if (event->why && *event->why)
    sc_buf_printf(text, ", %s", event->why);
}

static void add_left(const sc_drive_event *event, sc_buf *text)
{
  if (event->seconds_left >= 1)
    sc_buf_printf(text, ", about %s left", sc_format_seconds(event->seconds_left).s);
}

/* What may be cut off on a narrow terminal, the reason, comes last. */
static void begin_on_terminal(sc_progress *progress, const sc_drive_event *event, sc_buf *text)
{
  add_progress_size(progress, event, text);
  if (event->seconds >= 1)
    sc_buf_printf(text, ", takes about %s", sc_format_seconds(event->seconds).s);
  add_left(event, text);
  if (!event->planned && event->state.error >= 0)
    sc_buf_printf(text, ", error so far %s", sc_format_percent(event->state.error).s);
  add_why(event, text);
}

/* Off a terminal there is no status line: a log says beforehand only what will take long. */
static void run_begin(sc_progress *progress, const sc_drive_event *event)
{
  sc_buf text = {0};
  if (progress->terminal) {
    begin_on_terminal(progress, event, &text);
    sc_progress_status(progress, &text);
    return;
  }
  if (event->seconds < SC_PROGRESS_LINE)
    return;
  add_progress_size(progress, event, &text);
  add_why(event, &text);
  sc_buf_printf(&text, ", takes about %s", sc_format_seconds(event->seconds).s);
  add_left(event, &text);
  sc_progress_line(progress, &text);
}

static void run_end(sc_progress *progress, const sc_drive_event *event)
{
  sc_buf text = {0};
  progress->finished++;
  if (progress->terminal)
    return; /* the next status line follows at once */
  add_progress_size(progress, event, &text);
  add_why(event, &text);
  sc_buf_printf(&text, ": %s", sc_format_seconds(event->seconds).s);
  add_left(event, &text);
  sc_progress_line(progress, &text);
}

/* "iteration 2: 41 models fitted, the total count at n = 1,000,000 known to +-12% (before: +-40%)" */
static void progress_planned(sc_progress *progress, const sc_plan_state *plan)
{
  sc_buf text = {0};
  sc_buf_printf(&text, "iteration %zu: %s fitted", plan->iteration, sc_format_plural(plan->models, "model").s);
  if (plan->untold)
    sc_buf_printf(&text, " (%s undecided)", sc_format_number((double)plan->untold).s);
  sc_buf_printf(&text, ", the total count at %s = %s known %s%s", progress->variable, sc_format_number(plan->target).s,
                plan->width > 0 ? "to " : "", sc_format_margin(plan->width).s);
  if (plan->previous_width >= 0)
    sc_buf_printf(&text, " (before: %s)", sc_format_margin(plan->previous_width).s);
  sc_progress_line(progress, &text);
}

static void progress_fitted(sc_progress *progress, const sc_drive_event *event)
{
  sc_buf text = {0};
  if (event->planned) {
    progress_planned(progress, &event->plan);
    return;
  }
  sc_buf_printf(&text, "iteration %zu: %s fitted", event->state.iteration,
                sc_format_plural(event->state.models, "model").s);
  if (event->state.error >= 0)
    sc_buf_printf(&text, ", average error on validation runs %s", sc_format_percent(event->state.error).s);
  if (event->state.error >= 0 && event->state.previous_error >= 0)
    sc_buf_printf(&text, " (before: %s)", sc_format_percent(event->state.previous_error).s);
  sc_progress_line(progress, &text);
}

/* Short runs follow each other quickly: off a terminal only the outcome is printed. */
static void progress_timing(sc_progress *progress, const sc_drive_event *event)
{
  sc_buf text = {0};
  if (!event->samples_wanted) {
    sc_buf_printf(&text, "repeated short runs %s for steadier times: %s in the largest sizes",
                  sc_format_plural(event->run_number, "time").s, sc_format_plural(event->samples, "sample").s);
    sc_progress_line(progress, &text);
    return;
  }
  progress->finished++;
  if (!progress->terminal)
    return;
  sc_buf_printf(&text, "repeating short runs for steadier times: %s = %s, %s of %s samples", progress->variable,
                sc_format_number(event->n).s, sc_format_number((double)event->samples).s,
                sc_format_number((double)event->samples_wanted).s);
  sc_progress_status(progress, &text);
}

static void progress_stopped(sc_progress *progress, const sc_drive_event *event)
{
  sc_buf text = {0};
  sc_buf_printf(&text, "done: %s", event->text ? event->text : "");
  sc_progress_line(progress, &text);
}

void sc_progress_report(void *user, const sc_drive_event *event)
{
  sc_progress *progress = user;
  sc_buf text = {0};
  if (event->kind == SC_DRIVE_WARNING) {
    sc_progress_warn(progress, event->text ? event->text : "?", event->hint);
    return;
  }
  if (progress->quiet) {
    progress->finished += event->kind == SC_DRIVE_RUN_END;
    return;
  }
  switch (event->kind) {
  case SC_DRIVE_SETUP:
    sc_buf_puts(&text, event->text ? event->text : "setting up the workload");
    sc_progress_line(progress, &text);
    return;
  case SC_DRIVE_BUDGET:
  case SC_DRIVE_VALUES:
    sc_buf_puts(&text, event->text);
    sc_progress_line(progress, &text);
    return;
  case SC_DRIVE_RESUMED:
    if (event->text)
      sc_buf_puts(&text, event->text);
    else
      sc_buf_printf(&text, "resuming: the study has %s already", sc_format_plural(event->run_number, "run").s);
    sc_progress_line(progress, &text);
    return;
  case SC_DRIVE_RUN_BEGIN:
    run_begin(progress, event);
    return;
  case SC_DRIVE_RUN_END:
    run_end(progress, event);
    return;
  case SC_DRIVE_FITTED:
    progress_fitted(progress, event);
    return;
  case SC_DRIVE_TIMING:
    progress_timing(progress, event);
    return;
  case SC_DRIVE_SKIPPED:
    sc_buf_puts(&text, event->text);
    sc_progress_line(progress, &text);
    return;
  case SC_DRIVE_STOPPED:
    progress_stopped(progress, event);
    return;
  case SC_DRIVE_WARNING:
    return;
  }
}
