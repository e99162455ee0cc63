/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What hosts of code reviews read: GitHub's workflow commands, GitLab's code quality. */
#include <string.h>

#include "runner/review/review.h"
#include "runner/review/words.h"
#include "runner/text/json_write.h"

/* A value of a workflow command; in a property, `:` and `,` would end it. */
static void escape_command(FILE *out, const char *text, bool property)
{
  for (; *text; text++) {
    if (*text == '%' || *text == '\r' || *text == '\n' || (property && (*text == ':' || *text == ',')))
      fprintf(out, "%%%02X", *text);
    else
      fputc(*text, out);
  }
}

/* In a plain line of the log "##[" begins a command, wherever it stands. */
static void ci_plain(FILE *out, const char *text)
{
  for (; *text; text++) {
    fputc(*text, out);
    if (text[0] == '#' && text[1] == '[')
      fputc(' ', out);
  }
}

static void print_command(FILE *out, const sc_notice *notice)
{
  static const char *const commands[] = {"notice", "warning", "error"};
  fprintf(out, "::%s ", commands[notice->severity]);
  if (*notice->file) {
    fputs("file=", out);
    escape_command(out, notice->file, true);
    if (notice->line)
      fprintf(out, ",line=%u,endLine=%u,col=%u,endColumn=%u", notice->line, notice->end_line, notice->column,
              notice->end_column);
    fputc(',', out);
  }
  fputs("title=", out);
  escape_command(out, notice->title, true);
  fputs("::", out);
  escape_command(out, sc_notice_beyond_title(notice), false);
  if (*notice->advice) {
    fputs("%0A", out);
    escape_command(out, notice->advice, false);
  }
  fputc('\n', out);
}

int sc_notices_print_github(FILE *out, const sc_notices *notices)
{
  for (size_t i = 0; i < notices->count; i++) {
    const sc_notice *notice = &notices->list[i];
    if (!notice->accepted) {
      print_command(out, notice);
      continue;
    }
    fprintf(out, "accepted until %s (", notice->accepted_until);
    ci_plain(out, notice->accepted);
    fputs("): ", out);
    ci_plain(out, notice->message);
    fputc('\n', out);
  }
  fputs("scale-run: ", out);
  ci_plain(out, notices->verdict);
  fputc('\n', out);
  if (*notices->coverage) {
    ci_plain(out, notices->coverage);
    fputc('\n', out);
  }
  if (*notices->times) {
    ci_plain(out, notices->times);
    fputc('\n', out);
  }
  return 0;
}

/* What the format has no list or summary for stands with every entry: Code Climate's Markdown, which GitLab keeps and
 * does not show. */
static void add_body(cJSON *item, const sc_notices *notices, const sc_notice *notice)
{
  const char *const parts[] = {notice->evidence, notice->advice, notices->coverage, notices->times};
  sc_buf body = {0};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (*parts[i]) {
      sc_buf_puts(&body, body.length ? "\n\n" : "");
      sc_notice_markdown(parts[i], &body);
    }
  if (body.length && sc_buf_finish(&body) == 0)
    cJSON_AddStringToObject(cJSON_AddObjectToObject(item, "content"), "body", body.text);
  sc_buf_free(&body);
}

/* Of two with one fingerprint only one is shown: at other values of further parameters it is another one. */
static void add_fingerprint(cJSON *item, const sc_notices *notices, const sc_notice *notice)
{
  const sc_workload *workload = notices->judge->loaded.workload;
  sc_buf text = {0};
  sc_buf_puts(&text, notice->fingerprint);
  for (size_t i = 0; notices->judge->several && i < workload->other_count; i++)
    sc_buf_printf(&text, ",%s=%.12g", workload->others[i].name, notices->judge->others[i]);
  if (sc_buf_finish(&text) == 0)
    cJSON_AddStringToObject(item, "fingerprint", text.text);
  sc_buf_free(&text);
}

static void add_gitlab(cJSON *list, const sc_notices *notices, const sc_notice *notice)
{
  static const char *const severities[] = {"info", "major", "critical"};
  cJSON *item = cJSON_CreateObject();
  cJSON_AddItemToArray(list, item);
  cJSON_AddStringToObject(item, "description", notice->message);
  cJSON_AddStringToObject(item, "check_name", sc_rule_id(notice->rule));
  add_fingerprint(item, notices, notice);
  cJSON_AddStringToObject(item, "severity", severities[notice->severity]);
  cJSON *location = cJSON_AddObjectToObject(item, "location");
  cJSON_AddStringToObject(location, "path", *notice->file ? notice->file : notices->judge->study);
  cJSON *lines = cJSON_AddObjectToObject(location, "lines");
  cJSON_AddNumberToObject(lines, "begin", notice->line ? notice->line : 1);
  cJSON_AddNumberToObject(lines, "end", notice->line ? notice->end_line : 1);
  add_body(item, notices, notice);
}

/* The format knows no accepted ones: they are left out. */
int sc_notices_print_gitlab(FILE *out, const sc_notices *notices)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < notices->count; i++)
    if (!notices->list[i].accepted)
      add_gitlab(list, notices, &notices->list[i]);
  return sc_json_write(out, list, &(sc_json){0}, 0);
}
