/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study or a baseline that somebody sent, and everything that is made of it: report, page, exports, wait-for
 * pictures. Whatever is written must be well-formed, whatever names and numbers are in it. */
#include "fuzz.h"

#include <cjson/cJSON.h>
#include <libxml/parser.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/accept/notice.h"
#include "runner/blame/blame.h"
#include "runner/export/export.h"
#include "runner/page/page.h"
#include "runner/report/json.h"
#include "runner/report/text.h"
#include "runner/review/review.h"
#include "runner/several/open.h"
#include "runner/text/terminal.h"
#include "study.h"

enum { RESOURCES_MOST = 3, CELL_BYTES = 4096 };

/* ---- what is written ---- */
static FILE *out;
static char *text;
static size_t length;

static FILE *begin(void)
{
  out = open_memstream(&text, &length);
  must(out != NULL);
  return out;
}

static bool is_utf8(void)
{
  bool valid = true;
  for (size_t at = 0; at < length && valid;) {
    size_t bytes = sc_utf8_length(text + at, length - at);
    valid = bytes > 0;
    at += bytes;
  }
  return valid;
}

static bool is_json(void)
{
  cJSON *document = cJSON_ParseWithLength(text, length);
  cJSON_Delete(document);
  return document != NULL;
}

static bool is_json_lines(void)
{
  bool valid = true;
  for (char *line = text, *end; valid && *line; line = end) {
    end = line + strcspn(line, "\n");
    cJSON *document = cJSON_ParseWithLength(line, (size_t)(end - line));
    valid = document != NULL;
    cJSON_Delete(document);
    end += *end == '\n';
  }
  return valid;
}

static bool is_xml(void)
{
  xmlDoc *document =
      xmlReadMemory(text, (int)length, NULL, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET);
  xmlFreeDoc(document);
  return document != NULL;
}

/* Quotes end, and outside of them braces and brackets are pairs. */
static bool is_dot(void)
{
  int depth = 0;
  bool quoted = false;
  for (const char *at = text; *at; at++) {
    if (quoted && *at == '\\' && at[1])
      at++;
    else if (*at == '"')
      quoted = !quoted;
    else if (!quoted)
      depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    must(depth >= 0 && (!quoted || *at != '\n'));
  }
  return !quoted && depth == 0 && strstr(text, "graph") != NULL;
}

static bool is_any(void) { return true; }

/* What was written since `begin`: as it should be, or an error that says why. */
static void end(int err, bool (*holds)(void))
{
  must(fclose(out) == 0);
  if (err >= 0 ? !is_utf8() || !holds() : !*sc_err_message()) {
    fprintf(stderr, "error %d: %s\n%.*s\n", err, sc_err_message(), (int)length, text);
    abort();
  }
  free(text);
}

static void print_notices(const sc_notices *notices)
{
  static const struct {
    const char *format;
    bool (*holds)(void);
  } formats[] = {{"text", is_any},  {"lines", is_any},  {"json", is_json},   {"markdown", is_any},   {"sarif", is_json},
                 {"junit", is_xml}, {"github", is_any}, {"gitlab", is_json}, {"openmetrics", is_any}};
  sc_page *page;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    begin();
    end(sc_notices_printer(formats[i].format)(out, notices), formats[i].holds);
  }
  if (sc_page_new(0, &page) < 0)
    return;
  begin();
  int err = sc_page_add(page, notices) ?: sc_page_write(out, page);
  sc_page_free(page);
  end(err, is_any);
}

static sc_text_options everything(const sc_notices *notices)
{
  return (sc_text_options){.top = 10,
                           .all = true,
                           .details = true,
                           .resources = true,
                           .notices = notices,
                           .width = 100,
                           .style = sc_terminal_style(out)};
}

static void print_report(const sc_judge *judge)
{
  sc_notices notices = {0};
  if (sc_notices_of_study(judge, &notices) == 0) {
    begin();
    sc_text_options options = everything(&notices);
    end(sc_report_text_print(out, judge, &options), is_any);
    begin();
    end(sc_report_json_print(out, judge, &notices, true), is_json);
    print_notices(&notices);
  }
  sc_notices_free(&notices);
}

static int speedscope(FILE *stream, const sc_export *made) { return sc_export_speedscope_all(stream, made, 1); }

static void print_exports(const sc_judge *judge)
{
  static const sc_export_write_fn texts[] = {sc_export_folded, sc_export_callgrind, speedscope};
  double low, high;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  for (int times = 1; times <= 10; times *= 10) {
    sc_export made = {0};
    if (sc_export_make(judge, high * times, NULL, &made) == 0) {
      for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        begin();
        end(texts[i](out, &made), texts[i] == speedscope ? is_json : is_any);
      }
      begin();
      int err = sc_export_pprof(out, &made); /* compressed: no text */
      fclose(out);
      free(text);
      must(err == 0 || *sc_err_message());
    }
    sc_export_free(&made);
  }
  begin();
  end(sc_export_series(out, judge), is_json_lines);
}

static void print_blame(const sc_judge *judge)
{
  uint32_t resources = judge->resources ? (uint32_t)sc_usage_resource_count(judge->loaded.graph) : 0;
  for (uint32_t i = 0; i < resources && i < RESOURCES_MOST; i++) {
    sc_blame_view view = {0};
    if (sc_blame_view_make(judge, i, &view) == 0) {
      begin();
      sc_text_options options = everything(NULL);
      sc_blame_print_text(out, &view, &options);
      end(0, is_any);
      begin();
      end(sc_blame_print_dot(out, &view), is_dot);
      begin();
      end(sc_blame_print_json(out, &view), is_json);
    }
    sc_blame_view_free(&view);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_judge judge = {0};
  const char *path = fuzz_study(data, size);
  sc_options options = {.verb = SC_VERB_REPORT, .operand = path, .operands = &path, .operand_count = 1};
  if (sc_judge_open(&options, &judge) == 0) {
    print_report(&judge);
    print_exports(&judge);
    print_blame(&judge);
  } else {
    must(*sc_err_message());
  }
  sc_judge_close(&judge);
  return 0;
}
