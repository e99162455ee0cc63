/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notices as diagnostics of the documents that are open. */
#include <stdlib.h>
#include <string.h>

#include "runner/loaded/source.h"
#include "runner/lsp/internal.h"
#include "runner/lsp/place.h"
#include "runner/report/text.h"
#include "runner/text/tuning.h"

static cJSON *published_position(uint32_t line, uint32_t character)
{
  cJSON *object = cJSON_CreateObject();
  cJSON_AddNumberToObject(object, "line", line);
  cJSON_AddNumberToObject(object, "character", character);
  return object;
}

/* Without columns, what is written on the line. */
cJSON *sc_server_range(const sc_document *document, uint32_t line, uint32_t column, uint32_t end_line,
                       uint32_t end_column)
{
  size_t length = 0, from = column ? column - 1 : 0, to, word = 0;
  uint32_t at = line ? sc_server_line(document, line) : 0;
  const char *text = sc_lines_at(&document->now, at, &length);
  if (!text)
    text = "";
  from = from < length ? from : length;
  while (!column && from < length && (text[from] == ' ' || text[from] == '\t'))
    from++;
  to = length;
  if (column && end_line == line && end_column > column)
    to = end_column - 1 < length ? end_column - 1 : length;
  else if (column)
    to = sc_lines_word(text, length, from, &word) + word;
  to = to > from ? to : length;
  cJSON *range = cJSON_CreateObject();
  cJSON_AddItemToObject(range, "start", published_position(at, sc_lines_units(text, length, from)));
  cJSON_AddItemToObject(range, "end", published_position(at, sc_lines_units(text, length, to)));
  return range;
}

/* Notices name files relative to the current directory where they are below it. */
static bool is_published_named(const char *path, const char *file)
{
  char *relative = sc_source_relative(path);
  bool same = relative && strcmp(relative, file) == 0;
  free(relative);
  return same;
}

/* Also of a file without functions: the header in which a lock is declared. */
bool sc_server_is_of(const sc_server *server, const sc_document *document, const char *file)
{
  const sc_view *view = &server->loaded->view;
  const sc_view_file *mine = sc_server_file(server, document);
  if (!*file || !document->path)
    return false;
  if (mine && is_published_named(view->paths[mine - view->files], file))
    return true;
  for (uint32_t i = 0; i < view->file_count; i++)
    if (is_published_named(view->paths[i], file))
      return false;
  return sc_place_match(document->path, server->root, &file, 1) == 0;
}

enum { HINT = 4 }; /* severity of the protocol */

/* Steps of the calling context, for clients that show them. */
static void add_related(const sc_server *server, const sc_document *document, const sc_notice *notice,
                        cJSON *diagnostic)
{
  cJSON *list = server->related && notice->step_count ? cJSON_AddArrayToObject(diagnostic, "relatedInformation") : NULL;
  size_t first = notice->spread && notice->step_count > SC_LSP_PLACES ? notice->step_count - SC_LSP_PLACES : 0;
  for (size_t i = first; list && i < notice->step_count; i++) {
    const sc_notice_step *step = &notice->steps[i];
    bool here = sc_server_is_of(server, document, step->file);
    char *path = !here && *step->file && step->line ? sc_place_local(step->file, server->root) : NULL;
    char *uri = here ? sc_mem_copy_string(document->uri) : path && *path == '/' ? sc_place_uri(path) : NULL;
    free(path);
    if (!uri || !step->line) {
      free(uri);
      continue;
    }
    cJSON *item = cJSON_CreateObject(), *location = cJSON_AddObjectToObject(item, "location");
    cJSON_AddStringToObject(location, "uri", uri);
    cJSON *range = here ? sc_server_range(document, step->line, step->column, 0, 0) : cJSON_CreateObject();
    if (!here) {
      cJSON_AddItemToObject(range, "start", published_position(step->line - 1, 0));
      cJSON_AddItemToObject(range, "end", published_position(step->line - 1, 0));
    }
    cJSON_AddItemToObject(location, "range", range);
    cJSON_AddStringToObject(item, "message", step->text);
    cJSON_AddItemToArray(list, item);
    free(uri);
  }
}

static int severity_of_published(const sc_notice *notice)
{
  static const int severities[] = {[SC_SEVERITY_NOTE] = 3, [SC_SEVERITY_WARNING] = 2, [SC_SEVERITY_ERROR] = 1};
  return severities[notice->severity];
}

static cJSON *diagnostic_of(const sc_server *server, const sc_document *document, const sc_notice *notice)
{
  const char *stale = sc_server_stale(server, document);
  cJSON *diagnostic = cJSON_CreateObject();
  sc_buf text = {0};
  sc_buf_puts(&text, notice->message);
  if (*notice->advice)
    sc_buf_printf(&text, "\n%s", notice->advice);
  if (stale)
    sc_buf_printf(&text, "\n%s", stale);
  cJSON_AddItemToObject(diagnostic, "range",
                        sc_server_range(document, notice->line, notice->column, notice->end_line, notice->end_column));
  cJSON_AddNumberToObject(diagnostic, "severity", severity_of_published(notice));
  cJSON_AddStringToObject(diagnostic, "code", sc_rule_id(notice->rule));
  cJSON_AddStringToObject(diagnostic, "source", "scale-run");
  cJSON_AddStringToObject(diagnostic, "message", sc_buf_finish(&text) < 0 ? "" : text.text);
  sc_buf_free(&text);
  add_related(server, document, notice, diagnostic);
  return diagnostic;
}

/* The places that a spread finding is about, but for the worst, where its own diagnostic is. */
static void add_published_places(const sc_server *server, const sc_document *document, const sc_notice *notice,
                                 cJSON *list)
{
  sc_buf text = {0};
  sc_buf_printf(&text, "One of many places, worst at %s:%u: %s", notice->file, notice->line, notice->message);
  int err = sc_buf_finish(&text);
  for (size_t i = 0; err == 0 && i < notice->step_count; i++) {
    const sc_notice_step *step = &notice->steps[i];
    bool worst = step->line == notice->line && strcmp(step->file, notice->file) == 0;
    if (worst || !step->line || !sc_server_is_of(server, document, step->file))
      continue;
    cJSON *diagnostic = cJSON_CreateObject();
    cJSON_AddItemToObject(diagnostic, "range", sc_server_range(document, step->line, step->column, 0, 0));
    cJSON_AddNumberToObject(diagnostic, "severity", severity_of_published(notice));
    cJSON_AddStringToObject(diagnostic, "code", sc_rule_id(notice->rule));
    cJSON_AddStringToObject(diagnostic, "source", "scale-run");
    cJSON_AddStringToObject(diagnostic, "message", text.text);
    cJSON_AddItemToArray(list, diagnostic);
  }
  sc_buf_free(&text);
}

static int notify_diagnostics(sc_server *server, const sc_document *document, cJSON *diagnostics)
{
  cJSON *params = cJSON_CreateObject();
  cJSON_AddStringToObject(params, "uri", document->uri);
  cJSON_AddItemToObject(params, "diagnostics", diagnostics);
  return sc_server_notify(server, "textDocument/publishDiagnostics", params);
}

/* Places of negligible growth (--all), in the words of the report. */
static int add_published_negligible(const sc_server *server, const sc_document *document, cJSON *list)
{
  const sc_judge *judge = &server->loaded->judge;
  for (size_t i = 0; i < judge->findings.suppressed; i++) {
    const sc_finding *f = &judge->findings.negligible[i];
    sc_location spot = sc_graph_spot(judge->loaded.graph, f->context);
    char *file = sc_source_relative(spot.file);
    bool here = file && spot.line && sc_server_is_of(server, document, file);
    free(file);
    if (!here)
      continue;
    sc_buf text = {0};
    sc_buf_puts(&text, "Negligible growth: ");
    sc_report_finding_headline(judge, f, &text);
    sc_buf_puts(&text, "; ");
    sc_report_finding_brief(judge, f, &text);
    int err = sc_buf_finish(&text);
    cJSON *diagnostic = cJSON_CreateObject();
    cJSON_AddItemToObject(diagnostic, "range", sc_server_range(document, spot.line, spot.column, 0, 0));
    cJSON_AddNumberToObject(diagnostic, "severity", HINT);
    cJSON_AddStringToObject(diagnostic, "code", sc_rule_id(f->rule));
    cJSON_AddStringToObject(diagnostic, "source", "scale-run");
    cJSON_AddStringToObject(diagnostic, "message", err == 0 ? text.text : "");
    cJSON_AddItemToArray(list, diagnostic);
    sc_buf_free(&text);
    SC_TRY(err);
  }
  return 0;
}

/* What is accepted needs no attention. */
int sc_server_publish(sc_server *server, sc_document *document)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; server->loaded && i < server->loaded->notices.count; i++) {
    const sc_notice *notice = &server->loaded->notices.list[i];
    if (!notice->accepted && notice->line && sc_server_is_of(server, document, notice->file))
      cJSON_AddItemToArray(list, diagnostic_of(server, document, notice));
    if (!notice->accepted && notice->spread)
      add_published_places(server, document, notice, list);
  }
  int err = server->loaded && server->options->all ? add_published_negligible(server, document, list) : 0;
  if (err < 0) {
    cJSON_Delete(list);
    return err;
  }
  if (!cJSON_GetArraySize(list) && !document->told) {
    cJSON_Delete(list);
    return 0;
  }
  document->told = cJSON_GetArraySize(list) > 0;
  return notify_diagnostics(server, document, list);
}

int sc_server_publish_all(sc_server *server)
{
  for (size_t i = 0; i < server->document_count; i++)
    SC_TRY(sc_server_publish(server, &server->documents[i]));
  return server->refreshes ? sc_server_request(server, "workspace/codeLens/refresh", NULL) : 0;
}

int sc_server_take_back(sc_server *server, const sc_document *document)
{
  return document->told ? notify_diagnostics(server, document, cJSON_CreateArray()) : 0;
}
