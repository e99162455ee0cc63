/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules that accept findings (a line of a file, or a comment in the source), and whether one means a notice. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/suggest.h"
#include "runner/accept/accept.h"
#include "runner/text/format.h"

enum { DATE = 10, DAY_SHOWN = 20, FINGERPRINT_DIGITS = 8 };

static const char FORM[] = "RULE WHERE until YYYY-MM-DD: reason";

static int refuse_acceptance(const char *what, int length, const char *text)
{
  return sc_err_hint(sc_err_set(SC_E_USAGE, what, length, text), "a line is: %s", FORM);
}

static int parse_rule(const char *text, size_t length, enum sc_rule *rule)
{
  char word[64];
  const char *best = NULL;
  unsigned distance = 100;
  snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), text);
  for (int i = 0; i < SC_RULE_COUNT; i++) {
    *rule = (enum sc_rule)i;
    if (strcmp(sc_rule_id(*rule), word) == 0)
      return 0;
    sc_suggest_consider(word, sc_rule_id(*rule), &best, &distance);
  }
  (void)sc_err_set(SC_E_USAGE, "there is no rule \"%s\"", word);
  if (best && sc_suggest_near(word, distance))
    return sc_err_hint(SC_E_USAGE, "did you mean \"%s\"?", best);
  return sc_err_hint(SC_E_USAGE,
                     "rules are what a report prints in brackets: superlinear-loop, contention, worse-order");
}

/* YYYY-MM-DD, a day that exists. */
static bool is_date(const char *text)
{
  static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (int i = 0; i < DATE; i++)
    if (i == 4 || i == 7 ? text[i] != '-' : !isdigit((unsigned char)text[i]))
      return false;
  int year = atoi(text), month = atoi(text + 5), day = atoi(text + 8);
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] && (month != 2 || day < 29 || leap);
}

/* "until", where a word begins; names have blanks of their own. */
static const char *find_until(const char *text, const char *end)
{
  for (const char *at = text; at + 6 < end; at++)
    if ((at == text || isblank((unsigned char)at[-1])) && strncmp(at, "until", 5) == 0 && isblank((unsigned char)at[5]))
      return at;
  return NULL;
}

static char *copy_trimmed(const char *from, const char *end)
{
  sc_buf out = {0};
  while (from < end && isspace((unsigned char)*from))
    from++;
  while (end > from && isspace((unsigned char)end[-1]))
    end--;
  sc_buf_add(&out, from, (size_t)(end - from));
  char *text = sc_buf_finish(&out) == 0 ? sc_buf_take(&out) : NULL;
  sc_buf_free(&out);
  return text;
}

static int parse_day(const char *at, const char *end, sc_acceptance *acceptance)
{
  while (at < end && isblank((unsigned char)*at))
    at++;
  if (end - at < DATE || !is_date(at)) {
    int length = 0;
    while (length < DAY_SHOWN && at + length < end && at[length] != ':' && !isspace((unsigned char)at[length]))
      length++;
    return refuse_acceptance("\"%.*s\" is no day", length, at);
  }
  memcpy(acceptance->until, at, DATE);
  at += DATE;
  while (at < end && isblank((unsigned char)*at))
    at++;
  if (at == end || *at != ':')
    return refuse_acceptance("no colon and reason behind the day%.*s", 0, "");
  acceptance->reason = copy_trimmed(at + 1, end);
  if (!acceptance->reason)
    return SC_E_NOMEM;
  return *acceptance->reason ? 0 : refuse_acceptance("no reason is given%.*s", 0, "");
}

int sc_acceptance_parse(const char *text, size_t length, bool comment, sc_acceptance *acceptance)
{
  const char *end = text + length;
  *acceptance = (sc_acceptance){0};
  while (text < end && isspace((unsigned char)*text))
    text++;
  const char *rule = text;
  while (text < end && !isspace((unsigned char)*text))
    text++;
  SC_TRY(parse_rule(rule, (size_t)(text - rule), &acceptance->rule));
  const char *until = find_until(text, end);
  if (!until)
    return refuse_acceptance("no \"until YYYY-MM-DD\"%.*s: what is accepted for ever is forgotten", 0, "");
  acceptance->where = copy_trimmed(text, until);
  if (!acceptance->where)
    return SC_E_NOMEM;
  if (!comment && !*acceptance->where)
    return refuse_acceptance("no function, resource or fingerprint is named%.*s", 0, "");
  if (comment && *acceptance->where)
    return sc_err_hint(
        sc_err_set(SC_E_USAGE, "\"%.40s\": a comment accepts what is found at its line", acceptance->where),
        "write: scale: accept RULE until YYYY-MM-DD: reason");
  return parse_day(until + 5, end, acceptance);
}

void sc_acceptance_free(sc_acceptance *acceptance)
{
  free(acceptance->where);
  free(acceptance->reason);
  *acceptance = (sc_acceptance){0};
}

bool sc_acceptance_expired(const sc_acceptance *acceptance, const char *today)
{
  return strcmp(acceptance->until, today) < 0;
}

/* "src/a.c" means /x/src/a.c, but not /x/notsrc/a.c. */
static bool is_path_end(const char *path, const char *end)
{
  size_t length = strlen(path), wanted = strlen(end);
  if (!wanted || wanted > length || strcmp(path + length - wanted, end) != 0)
    return false;
  return wanted == length || path[length - wanted - 1] == '/';
}

bool sc_acceptance_means(const sc_acceptance *acceptance, const sc_notice *notice)
{
  const char *where = acceptance->where, *at = strrchr(where, '@');
  size_t length = strlen(where), subject = strlen(notice->subject);
  if (acceptance->rule != notice->rule)
    return false;
  if (strcmp(where, notice->subject) == 0)
    return true;
  if (at && (size_t)(at - where) == subject && strncmp(where, notice->subject, subject) == 0)
    return is_path_end(notice->file, at + 1);
  return length >= FINGERPRINT_DIGITS && strncmp(where, notice->fingerprint, length) == 0;
}

void sc_acceptance_today(char today[11])
{
  struct tm day;
  time_t now = time(NULL);
  if (!gmtime_r(&now, &day) || strftime(today, 11, "%Y-%m-%d", &day) != DATE)
    memcpy(today, "9999-12-31", 11);
}

const sc_notice *sc_notices_accepted(const sc_notices *notices, const void *about)
{
  for (size_t i = notices ? notices->count - notices->accepted : 0; notices && i < notices->count; i++)
    if (notices->list[i].about == about)
      return &notices->list[i];
  return NULL;
}

void sc_notice_print_accepted(FILE *out, const char *headline, const sc_notice *accepted,
                              const sc_text_options *options)
{
  sc_buf text = {0};
  sc_format_wrap(out, headline, 0, SC_TEXT_INDENT, options->width);
  sc_buf_printf(&text, "until %s: %s", accepted->accepted_until, accepted->accepted);
  if (sc_buf_finish(&text) == 0)
    sc_text_labelled(out, "Accepted", text.text, options);
  sc_buf_free(&text);
}
