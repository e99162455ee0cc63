/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/seen.h"

#include <stdlib.h>
#include <string.h>

#include "profiles/graph/demangle.h"

/* In a study's meta table. */
static const char *const keys[SC_SEEN_KINDS] = {"seen",    "uncounted",   "separate_trees", "silent_libraries",
                                                "inlined", "undescribed", "uncaught",       "dropped"};

static void add_seen_line(sc_buf *list, const char *line, size_t length)
{
  for (const char *at = list->text, *end; at && *at; at = end + 1) {
    end = strchr(at, '\n');
    if (!end)
      break;
    if ((size_t)(end - at) == length && memcmp(at, line, length) == 0)
      return;
  }
  sc_buf_add(list, line, length);
  sc_buf_puts(list, "\n");
}

/* A name from a profile cannot break the list. */
static void add_seen_word(sc_buf *line, const char *word)
{
  for (; *word; word++)
    sc_buf_add(line, (unsigned char)*word < ' ' ? "?" : word, 1);
}

void sc_seen_add(sc_buf *list, const char *what, const char *function, const char *file, uint32_t line)
{
  sc_buf text = {0};
  char *name = sc_demangle_name(function);
  add_seen_word(&text, what);
  sc_buf_puts(&text, "\t");
  add_seen_word(&text, name ? name : function);
  sc_buf_puts(&text, "\t");
  add_seen_word(&text, file);
  sc_buf_printf(&text, "\t%u", line);
  free(name);
  if (sc_buf_finish(&text) == 0)
    add_seen_line(list, text.text, text.length);
  else
    list->failed = true;
  sc_buf_free(&text);
}

static int add_process_seen(void *user, const sc_reader_seen *seen)
{
  sc_buf *list = (sc_buf *)user + (seen->uncounted ? SC_SEEN_NOT_COUNTED : SC_SEEN_NOT_UNDERSTOOD);
  sc_seen_add(list, seen->what, seen->function, seen->file, seen->line);
  return list->failed ? SC_E_NOMEM : 0;
}

int sc_seen_gather(const sc_reader *reader, sc_buf *lists)
{
  return sc_reader_visit_seen(reader, add_process_seen, lists);
}

int sc_seen_load(sc_study *study, char **lists)
{
  for (size_t i = 0; i < SC_SEEN_KINDS; i++)
    SC_TRY(sc_study_get(study, keys[i], &lists[i]));
  return 0;
}

bool sc_seen_is_loop(const char *what) { return strncmp(what, "loop", 4) == 0; }

/* The lines about loops that stand in functions that have no context, out of the list. */
static void drop_loops(char *list, const sc_graph *graph)
{
  char *kept = list;
  for (char *at = list, *end; *at && (end = strchr(at, '\n')); at = end + 1) {
    char *function = strchr(at, '\t');
    size_t length = function ? strcspn(function + 1, "\t\n") : 0;
    bool ran = !function || !sc_seen_is_loop(at);
    for (uint32_t i = 0; !ran && i < sc_graph_location_count(graph); i++) {
      const sc_location *location = sc_graph_location_at(graph, i);
      ran = location->kind == SC_LOCATION_TRUNCATED ||
            (location->kind == SC_LOCATION_FUNCTION && strlen(location->display) == length &&
             memcmp(location->display, function + 1, length) == 0);
    }
    if (ran) {
      memmove(kept, at, (size_t)(end + 1 - at));
      kept += end + 1 - at;
    }
  }
  *kept = '\0';
}

void sc_seen_drop_idle(char **lists, const sc_graph *graph)
{
  if (lists[SC_SEEN_NOT_COUNTED])
    drop_loops(lists[SC_SEEN_NOT_COUNTED], graph);
}

static int store_list(sc_study *study, const char *key, const sc_buf *list)
{
  char *stored = NULL;
  sc_buf all = {0};
  int err = list->failed ? SC_E_NOMEM : 0;
  if (!list->length || err < 0)
    return err;
  SC_GOTO(sc_study_get(study, key, &stored));
  if (stored)
    sc_buf_puts(&all, stored);
  size_t before = all.length;
  for (const char *at = list->text, *end; *at && (end = strchr(at, '\n')); at = end + 1)
    add_seen_line(&all, at, (size_t)(end - at));
  SC_GOTO(sc_buf_finish(&all));
  if (all.length != before)
    err = sc_study_put(study, key, all.text);
out:
  free(stored);
  sc_buf_free(&all);
  return err;
}

int sc_seen_store(sc_study *study, const sc_buf *lists)
{
  for (size_t i = 0; i < SC_SEEN_KINDS; i++)
    SC_TRY(store_list(study, keys[i], &lists[i]));
  return 0;
}

bool sc_seen_next(char **list, sc_seen *one)
{
  char **const words[] = {&one->what, &one->function, &one->file, &one->line};
  char *line = *list ? strsep(list, "\n") : NULL;
  if (!line || !*line)
    return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char *word = line ? strsep(&line, "\t") : NULL;
    *words[i] = word ? word : "";
  }
  return true;
}
