/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes accepted findings out of a review: by rules of a file and by comments in the source. */
#include "runner/accept/accept.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/infile.h"
#include "base/utf8.h"
#include "runner/review/build.h"
#include "runner/review/verdict.h"

enum { FILE_LIMIT = 1 << 20 };
static const char MARK[] = "scale: accept ";

static void warn_acceptance(const char *file, uint32_t line, const char *what, const char *detail)
{
  fputs("scale-run: warning: ", stderr);
  sc_utf8_print(file, stderr);
  fprintf(stderr, ":%u: %s", line, what);
  sc_utf8_print(detail, stderr);
  fputc('\n', stderr);
}

static int acceptance_mark(sc_notice *notice, const sc_acceptance *acceptance, bool comment)
{
  SC_TRY(sc_notice_copy(&notice->accepted, acceptance->reason));
  SC_TRY(sc_notice_copy(&notice->accepted_until, acceptance->until));
  notice->accepted_inline = comment;
  return sc_notice_clean(&notice->accepted);
}

/* One file serves all verbs: what only another one can tell is no slip. Rules of changes come behind BUDGET, those of
 * searches for inputs behind them. */
static bool is_told_here(const sc_notices *notices, enum sc_rule rule)
{
  if (rule >= SC_RULE_SLOW_INPUT || sc_notices_of_search(notices))
    return rule >= SC_RULE_SLOW_INPUT && sc_notices_of_search(notices);
  return rule == SC_RULE_BUDGET || (rule > SC_RULE_BUDGET) == (notices->base != NULL);
}

/* One line of the file: marks what it means. */
static int apply_acceptance(sc_notices *notices, const char *path, sc_acceptance *acceptance, const char *today)
{
  char what[64];
  bool expired = sc_acceptance_expired(acceptance, today);
  for (size_t i = 0; i < notices->count; i++) {
    sc_notice *notice = &notices->list[i];
    if (!sc_acceptance_means(acceptance, notice))
      continue;
    acceptance->used = true;
    if (!expired && !notice->accepted)
      SC_TRY(acceptance_mark(notice, acceptance, false));
  }
  if (!is_told_here(notices, acceptance->rule))
    return 0;
  snprintf(what, sizeof what, "accepted until %s only, so it counts again: ", acceptance->until);
  if (expired)
    warn_acceptance(path, acceptance->line, what, acceptance->where);
  else if (!acceptance->used && !sc_notices_of_search(notices)) /* another search may find it again */
    warn_acceptance(path, acceptance->line, "nothing such is found any more, the line can go: ", acceptance->where);
  return 0;
}

static int apply_line(sc_notices *notices, const char *path, uint32_t number, const char *line, size_t length,
                      const char *today)
{
  sc_acceptance acceptance;
  size_t blank = strspn(line, " \t\r");
  if (blank >= length || line[blank] == '#')
    return 0;
  int err = sc_acceptance_parse(line, length, false, &acceptance);
  acceptance.line = number;
  if (err == 0)
    err = apply_acceptance(notices, path, &acceptance, today);
  else
    (void)sc_err_prefix(err, "%s:%u", path, number);
  sc_acceptance_free(&acceptance);
  return err;
}

static int read_file(const char *path, bool named, sc_buf *text)
{
  int err = sc_infile_read(path, SC_E_USAGE, path, FILE_LIMIT, text);
  if (err == SC_E_USAGE && errno == ENOENT && !named)
    return sc_buf_finish(text);
  if (err == SC_E_USAGE)
    return sc_err_hint(err, "give --accept a file that is there");
  if (err == 0 && text->length > FILE_LIMIT)
    err = sc_err_set(SC_E_USAGE, "%s: larger than %d MiB, so no list of what is accepted", path, FILE_LIMIT >> 20);
  if (err == 0 && text->length && memchr(text->text, '\0', text->length))
    err = sc_err_set(SC_E_USAGE, "%s: a binary file, no list of what is accepted", path);
  return err;
}

static int accept_by_file(sc_notices *notices, const char *path, bool named, const char *today)
{
  sc_buf text = {0};
  uint32_t number = 0;
  int err;
  SC_GOTO(read_file(path, named, &text));
  for (char *line = text.text; line && *line;) {
    size_t length = strcspn(line, "\n");
    char *next = line + length + (line[length] == '\n');
    line[length] = '\0';
    SC_GOTO(apply_line(notices, path, ++number, line, length, today));
    line = next;
  }
out:
  sc_buf_free(&text);
  return err;
}

/* An invalid acceptance in a comment is a slip in somebody's source: reported, and without effect. */
static int accept_by_comment(sc_notice *notice, sc_sources *sources, uint32_t line, const char *today)
{
  size_t length = 0, size = sizeof MARK - 1;
  sc_acceptance acceptance;
  const char *text = sc_source_line(sources, notice->file, line, &length);
  const char *mark_at = text ? memmem(text, length, MARK, size) : NULL;
  if (!mark_at)
    return 0;
  length -= (size_t)(mark_at - text) + size;
  const char *close = memmem(mark_at + size, length, "*/", 2);
  int err = sc_acceptance_parse(mark_at + size, close ? (size_t)(close - mark_at) - size : length, true, &acceptance);
  if (err == SC_E_USAGE) {
    warn_acceptance(notice->file, line, "this comment accepts nothing: ", sc_err_message());
    err = 0;
  } else if (err == 0 && acceptance.rule == notice->rule && sc_acceptance_expired(&acceptance, today)) {
    warn_acceptance(notice->file, line, "accepted only until ", acceptance.until);
  } else if (err == 0 && acceptance.rule == notice->rule)
    err = acceptance_mark(notice, &acceptance, true);
  sc_acceptance_free(&acceptance);
  return err;
}

static int accept_by_comments(sc_notices *notices, const char *today)
{
  int err = 0;
  sc_sources sources = {0};
  for (size_t i = 0; i < notices->count; i++) {
    sc_notice *notice = &notices->list[i];
    for (uint32_t back = 0; back < 2 && back < notice->line && !notice->accepted; back++)
      SC_GOTO(accept_by_comment(notice, &sources, notice->line - back, today));
  }
out:
  sc_sources_free(&sources);
  return err;
}

/* Accepted ones behind all others; else the order stays. */
static int move_accepted(sc_notices *notices)
{
  sc_notice *sorted = sc_mem_new(notices->count ? notices->count : 1, sizeof *sorted);
  size_t count = 0;
  if (!sorted)
    return SC_E_NOMEM;
  for (int accepted = 0; accepted < 2; accepted++)
    for (size_t i = 0; i < notices->count; i++)
      if ((notices->list[i].accepted != NULL) == accepted)
        sorted[count++] = notices->list[i];
  notices->accepted = 0;
  for (size_t i = 0; i < count; i++) {
    notices->list[i] = sorted[i];
    notices->accepted += sorted[i].accepted != NULL;
  }
  free(sorted);
  return 0;
}

int sc_notices_accept(sc_notices *notices, const char *path, bool named)
{
  char today[11];
  sc_acceptance_today(today);
  SC_TRY(accept_by_file(notices, path, named, today));
  SC_TRY(accept_by_comments(notices, today));
  SC_TRY(move_accepted(notices));
  return sc_notices_set_verdict(notices);
}
