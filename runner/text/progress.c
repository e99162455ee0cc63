/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/progress.h"

#include "base/clock.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"

void sc_progress_open(sc_progress *progress, FILE *out, bool quiet, const char *variable)
{
  *progress = (sc_progress){.out = out,
                            .quiet = quiet,
                            .variable = variable,
                            .terminal = sc_terminal_is(out),
                            .width = sc_terminal_width(out),
                            .style = sc_terminal_style(out)};
}

static void clear_progress(sc_progress *progress)
{
  if (progress->status_shown)
    fputs("\r\033[K", progress->out);
  progress->status_shown = false;
}

void sc_progress_close(sc_progress *progress)
{
  clear_progress(progress);
  fflush(progress->out);
}

void sc_progress_warn(sc_progress *progress, const char *message, const char *hint)
{
  clear_progress(progress);
  progress->warnings++;
  sc_terminal_say(progress->out, progress->style.yellow, "scale-run: warning:", message);
  if (hint && *hint)
    sc_terminal_say(progress->out, progress->style.bold, "hint:", hint);
  fflush(progress->out);
}

void sc_progress_line(sc_progress *progress, sc_buf *text)
{
  if (sc_buf_finish(text) == 0) {
    clear_progress(progress);
    fprintf(progress->out, "scale-run: %s\n", text->text);
    fflush(progress->out);
  }
  sc_buf_free(text);
}

void sc_progress_status(sc_progress *progress, sc_buf *text)
{
  if (sc_buf_finish(text) == 0) {
    int room = progress->width - 1, bytes = (int)text->length;
    fprintf(progress->out, "\r%.*s\033[K", bytes < room ? bytes : room, text->text);
    progress->status_shown = true;
    fflush(progress->out);
  }
  sc_buf_free(text);
}

void sc_progress_share(void *user, size_t done, size_t all)
{
  sc_progress *progress = user;
  sc_buf text = {0};
  if (!progress->terminal || progress->quiet)
    return;
  double at = sc_clock_now();
  if (!(progress->since > 0))
    progress->since = at;
  if (at - progress->since < SC_PROGRESS_PATIENCE || at - progress->shown < SC_PROGRESS_EVERY || !done)
    return;
  progress->shown = at;
  sc_buf_printf(&text, "fitting: %s of %s counts", sc_format_number((double)done).s, sc_format_number((double)all).s);
  double left = (at - progress->since) * (double)(all - done) / (double)done;
  if (left >= 1)
    sc_buf_printf(&text, ", about %s left", sc_format_seconds(left).s);
  sc_progress_status(progress, &text);
}
