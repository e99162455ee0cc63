/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "runner/text/terminal.h"

/* Progress of a command: off a terminal a line an event, on a terminal a status line that is rewritten, with the time
 * left. Zero-initialise but for the first fields. */
typedef struct sc_progress {
  FILE *out;
  bool quiet;           /* warnings only */
  const char *variable; /* "n" */
  bool terminal;
  int width;
  sc_style style;
  bool status_shown; /* a status line stands there and has to be cleared */
  size_t finished;   /* runs made by this command */
  size_t warnings;
  double since, shown; /* when sc_progress_share was called first and when it printed, seconds of the monotonic clock */
} sc_progress;

/* Looks whether `out` is a terminal. `variable` must outlive it. */
void sc_progress_open(sc_progress *progress, FILE *out, bool quiet, const char *variable);
/* Progress of work, `done` of `all` parts, such as sc_analysis_options.progress; `user` is the
 * sc_progress. On a terminal alone, after the first second. */
void sc_progress_share(void *user, size_t done, size_t all);
/* A line that stays. Frees the text. */
void sc_progress_line(sc_progress *progress, sc_buf *text);
/* A line that the next one replaces; cut to the terminal, as a wrapped line could not be rewritten. Frees the text. */
void sc_progress_status(sc_progress *progress, sc_buf *text);
/* Clears the status line. */
void sc_progress_close(sc_progress *progress);
/* A warning with its hint, as all of scale-run prints them. */
void sc_progress_warn(sc_progress *progress, const char *message, const char *hint);
