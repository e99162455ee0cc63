/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lenses and hovers of a document. */
#include <string.h>

#include "runner/lsp/internal.h"

static void add_lens(const sc_document *document, uint32_t line, uint32_t column, const char *title, cJSON *list)
{
  cJSON *lens = cJSON_CreateObject(), *command;
  cJSON_AddItemToObject(lens, "range", sc_server_range(document, line, column, 0, 0));
  command = cJSON_AddObjectToObject(lens, "command");
  cJSON_AddStringToObject(command, "title", title);
  cJSON_AddStringToObject(command, "command", "");
  cJSON_AddItemToArray(list, lens);
}

cJSON *sc_server_lenses(const sc_server *server, const sc_document *document)
{
  const sc_view_file *file = sc_server_file(server, document);
  const char *stale = file ? sc_server_stale(server, document) : NULL;
  cJSON *list = cJSON_CreateArray();
  if (stale)
    add_lens(document, 0, 0, stale, list);
  for (uint32_t i = 0; file && i < file->count; i++) {
    const sc_spot *spot = &file->spots[i];
    sc_buf title = {0};
    sc_view_lens(&server->loaded->view, spot, &title);
    if (sc_buf_finish(&title) == 0)
      add_lens(document, spot->at->line, spot->at->column, title.text, list);
    sc_buf_free(&title);
  }
  return list;
}

/* The name as it is written in calls: without parameters and what it is a member of. */
static bool is_hover_called(const sc_spot *spot, const char *word, size_t length)
{
  const char *display = *spot->at->display ? spot->at->display : spot->at->name;
  size_t end = strcspn(display, "(<");
  return end >= length && strncmp(display + end - length, word, length) == 0 &&
         (end == length || strchr(": *&", display[end - length - 1]));
}

static int add_spot(const sc_server *server, const sc_spot *spot, sc_buf *text)
{
  if (text->length)
    sc_buf_puts(text, "\n---\n\n");
  return sc_view_hover(&server->loaded->view, spot, text);
}

/* What was found on the line: with the evidence, which diagnostics leave out. */
static void add_notices(const sc_server *server, const sc_document *document, uint32_t line, sc_buf *text)
{
  const char *coverage = server->loaded->notices.coverage;
  size_t found = 0;
  for (size_t i = 0; i < server->loaded->notices.count; i++) {
    const sc_notice *notice = &server->loaded->notices.list[i];
    if (!notice->line || sc_server_line(document, notice->line) != line ||
        !sc_server_is_of(server, document, notice->file))
      continue;
    found++;
    sc_buf_printf(text, "%s**%s**: %s. %s\n\n%s\n", text->length ? "\n---\n\n" : "", notice->title,
                  sc_notice_beyond_title(notice), notice->evidence, notice->advice);
    if (notice->accepted)
      sc_buf_printf(text, "\nAccepted%s%s: %s\n", notice->accepted_until ? " until " : "",
                    notice->accepted_until ? notice->accepted_until : "", notice->accepted);
  }
  if (found && *coverage)
    sc_buf_printf(text, "\n%s\n", coverage);
}

/* What stands on the line; without it, the functions that the word under the cursor names, wherever they are. */
static int gather_hover(const sc_server *server, const sc_document *document, uint32_t line, size_t byte, sc_buf *text)
{
  enum { MOST = 5 };
  const sc_view_file *file = sc_server_file(server, document);
  size_t length, size, shown = 0;
  const char *content = sc_lines_at(&document->now, line, &length);
  for (uint32_t i = 0; file && i < file->count && shown < MOST; i++)
    if (sc_server_line(document, file->spots[i].at->line) == line) {
      SC_TRY(add_spot(server, &file->spots[i], text));
      shown++;
    }
  add_notices(server, document, line, text);
  size_t start = content ? sc_lines_word(content, length, byte, &size) : (size = 0);
  for (uint32_t i = 0; size && !text->length && i < server->loaded->view.spot_count; i++) {
    const sc_spot *spot = &server->loaded->view.spots[i];
    if (spot->at->kind == SC_LOCATION_FUNCTION && is_hover_called(spot, content + start, size))
      SC_TRY(add_spot(server, spot, text));
  }
  return 0;
}

cJSON *sc_server_hover(const sc_server *server, const sc_document *document, double line, double character)
{
  const char *stale = sc_server_stale(server, document);
  size_t length;
  sc_buf text = {0};
  cJSON *hover = NULL;
  if (!server->loaded || !(line >= 0) || line >= document->now.count || !(character >= 0))
    return cJSON_CreateNull();
  const char *content = sc_lines_at(&document->now, (uint32_t)line, &length);
  size_t byte = sc_lines_byte(content, length, character < (double)length ? (uint32_t)character : (uint32_t)length);
  if (gather_hover(server, document, (uint32_t)line, byte, &text) == 0 && text.length) {
    if (*server->loaded->notices.times)
      sc_buf_printf(&text, "\n%s\n", server->loaded->notices.times);
    if (stale)
      sc_buf_printf(&text, "\n%s\n", stale);
    hover = cJSON_CreateObject();
    cJSON *contents = cJSON_AddObjectToObject(hover, "contents");
    cJSON_AddStringToObject(contents, "kind", "markdown");
    cJSON_AddStringToObject(contents, "value", sc_buf_finish(&text) < 0 ? "" : text.text);
  }
  sc_buf_free(&text);
  return hover ? hover : cJSON_CreateNull();
}
