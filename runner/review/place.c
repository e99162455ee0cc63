/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notices onto changed lines: there reviewers see them. */
#include <stdio.h>
#include <string.h>

#include "base/infile.h"
#include "runner/review/build.h"
#include "runner/review/diff.h"
#include "runner/review/review.h"

enum { FILE_LIMIT = 256 << 20 };

/* A text in which no line is one of a diff's would leave every notice where it is, as if nothing had changed. */
static int check_diff(const char *path, const sc_buf *text)
{
  if (text->length && memchr(text->text, '\0', text->length))
    return sc_err_set(SC_E_USAGE, "%s is a binary file, not a diff", path);
  bool empty = text->text[strspn(text->text, " \t\r\n")] == '\0';
  if (empty || !strncmp(text->text, "@@", 2) || strstr(text->text, "\n@@") || strstr(text->text, "diff --git "))
    return 0; /* renames and changed modes have no @@ */
  return sc_err_set(SC_E_USAGE, "%s is not a unified diff: no line begins with @@", path);
}

static int read_diff(const char *path, sc_buf *text)
{
  char what[4200];
  snprintf(what, sizeof what, "the diff %s", path);
  int err = sc_infile_read(path, SC_E_USAGE, what, FILE_LIMIT, text);
  if (err == 0 && text->length > FILE_LIMIT)
    err = sc_err_set(SC_E_USAGE, "the diff %s is larger than %d MiB", path, FILE_LIMIT >> 20);
  err = err ?: check_diff(path, text);
  return err < 0 ? sc_err_hint(err, "make one: git diff main >changes.diff") : 0;
}

static int move_to(sc_notice *notice, const char *file, uint32_t line, sc_sources *sources)
{
  notice->changed = true;
  if (line == notice->line && strcmp(file, notice->file) == 0)
    return 0;
  SC_TRY(sc_notice_copy(&notice->file, file));
  notice->line = line;
  notice->column = 0;
  sc_notice_close_region(notice, sources);
  return 0;
}

/* A line of what begins at a step: of the loop's or function's own text, as far as it can be read. */
static uint32_t inside_diff(const sc_diff *diff, sc_sources *sources, const sc_notice_step *step)
{
  if (!sc_diff_find(diff, step->file, 1, UINT32_MAX))
    return 0;
  uint32_t last = sc_source_extent(sources, step->file, step->line, step->column);
  return last ? sc_diff_find(diff, step->file, step->line, last) : 0;
}

static int place_notice(const sc_diff *diff, sc_sources *sources, sc_notice *notice)
{
  if (*notice->file && notice->line && sc_diff_find(diff, notice->file, notice->line, notice->line)) {
    notice->changed = true;
    return 0;
  }
  for (int whole = 0; whole < 2; whole++)
    for (size_t i = notice->step_count; i-- > 0;) {
      const sc_notice_step *step = &notice->steps[i];
      if (!*step->file || !step->line)
        continue;
      uint32_t line = whole ? inside_diff(diff, sources, step) : sc_diff_find(diff, step->file, step->line, step->line);
      if (line)
        return move_to(notice, step->file, line, sources);
    }
  return 0;
}

int sc_notices_place(sc_notices *notices, const char *diff_path)
{
  sc_buf text = {0};
  sc_diff diff = {0};
  sc_sources sources = {0};
  int err;
  SC_GOTO(read_diff(diff_path, &text));
  err = sc_diff_parse(text.text, text.length, &diff);
  if (err < 0) {
    (void)sc_err_prefix(err, "%s", diff_path);
    goto out;
  }
  for (size_t i = 0; i < notices->count; i++)
    SC_GOTO(place_notice(&diff, &sources, &notices->list[i]));
out:
  sc_sources_free(&sources);
  sc_diff_free(&diff);
  sc_buf_free(&text);
  return err;
}
