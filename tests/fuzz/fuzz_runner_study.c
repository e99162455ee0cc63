/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study or a baseline that somebody sent, and everything that is made of it: report, page, exports, wait-for
 * pictures. Whatever is written must be well-formed, whatever names and numbers are in it. */
#include "fuzz.h"

#include <cjson/cJSON.h>
#include <libxml/parser.h>
#include <sqlite3.h>
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
static const char sqlite_magic[] = "SQLite format 3";

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
  const char *path = fuzz_file(data, size, 1);
  sc_options options = {.verb = SC_VERB_REPORT, .operand = path, .operands = &path, .operand_count = 1};
  if (size >= sizeof sqlite_magic && memcmp(data, sqlite_magic, sizeof sqlite_magic) == 0)
    fuzz_seal(path);
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

/* ---- mutations that leave a study one: a cell gets another value, often that of another row ---- */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* The name in the row that the seed chooses of a query, or "". */
static void choose_name(sqlite3 *db, const char *query, unsigned seed, char name[64])
{
  sqlite3_stmt *rows;
  unsigned count = 0;
  *name = '\0';
  if (sqlite3_prepare_v2(db, query, -1, &rows, NULL) != SQLITE_OK)
    return;
  for (int pass = 0; pass < 2; pass++) {
    unsigned wanted = count ? seed % count : 0;
    for (count = 0; sqlite3_step(rows) == SQLITE_ROW; count++)
      if (pass && count == wanted)
        snprintf(name, 64, "%s", (const char *)sqlite3_column_text(rows, 0));
    sqlite3_reset(rows);
  }
  sqlite3_finalize(rows);
}

static void change_cell(sqlite3 *db, unsigned seed)
{
  static const char *const values[] = {
      "(SELECT %2$s FROM %1$s ORDER BY rowid LIMIT 1 OFFSET %4$u %% (SELECT count(*) FROM %1$s))",
      "%2$s + 1",
      "%2$s - 1",
      "-%2$s",
      "%2$s * 1000",
      "%2$s / 1000",
      "0",
      "1",
      "NULL",
      "9e999",
      "1e308",
      "1e-308",
      "9223372036854775807",
      "-9223372036854775808",
      "4294967295",
      "''",
      "'\"<]]>&\\%%' || char(10) || x'ff'",
      "x'00ff'",
      "substr(%2$s, 2)",
      "%2$s || %2$s"};
  char table[64], column[64], value[512], query[1024];
  choose_name(db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'", seed, table);
  snprintf(query, sizeof query, "SELECT name FROM pragma_table_info('%s')", table);
  choose_name(db, query, seed / 32, column);
  const char *form = values[seed / 1024 % (sizeof values / sizeof *values)];
  snprintf(value, sizeof value, form, table, column, 0, seed / 32768);
  snprintf(query, sizeof query,
           "UPDATE %1$s SET %2$s = %3$s WHERE rowid = (SELECT rowid FROM %1$s ORDER BY rowid LIMIT 1 OFFSET %4$u %% "
           "(SELECT count(*) FROM %1$s))",
           table, column, value, seed / 65536);
  sqlite3_exec(db, query, NULL, NULL, NULL);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
  sqlite3 *db = NULL;
  sqlite3_int64 bytes = 0;
  if (size < sizeof sqlite_magic || memcmp(data, sqlite_magic, sizeof sqlite_magic) != 0 || seed % 8 == 0)
    return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, most) : size;
  unsigned char *copy = sqlite3_malloc64(size), *changed = NULL;
  must(copy && sqlite3_open(":memory:", &db) == SQLITE_OK);
  memcpy(copy, data, size);
  sqlite3_deserialize(db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  for (unsigned i = 0; i < 1 + seed % 3; i++, seed = seed * 1664525 + 1013904223)
    change_cell(db, seed >> 1);
  changed = sqlite3_serialize(db, "main", &bytes, 0);
  if (changed && (size_t)bytes <= most) {
    memcpy(data, changed, (size_t)bytes);
    size = (size_t)bytes;
  }
  sqlite3_free(changed);
  sqlite3_close(db);
  return size;
}
