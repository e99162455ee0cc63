/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines and paths of a baseline. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "runner/baseline/internal.h"
#include "runner/loaded/source.h"

const char *const sc_baseline_kinds[SC_BASELINE_KINDS] = {"root",    "process",   "function", "loop",
                                                          "foreign", "truncated", "work"};

const sc_baseline_field sc_baseline_occupancy[SC_BASELINE_OCCUPANCY] = {
    {"instances", offsetof(sc_occupancy, instances), false},
    {"threads", offsetof(sc_occupancy, threads), false},
    {"active_seconds", offsetof(sc_occupancy, active_seconds), true},
    {"span_seconds", offsetof(sc_occupancy, span_seconds), true},
    {"peak", offsetof(sc_occupancy, peak), false},
    {"hot", offsetof(sc_occupancy, hot), false},
    {"busiest_seconds", offsetof(sc_occupancy, busiest_seconds), true},
    {"hot_seconds", offsetof(sc_occupancy, hot_seconds), true},
    {"loaded_seconds", offsetof(sc_occupancy, loaded_seconds), true},
};

int sc_baseline_list_begin(sc_baseline_writer *w, const char *name)
{
  w->lines = 0;
  fprintf(w->out, "\"%s\": [", name);
  return 0;
}

int sc_baseline_list_end(sc_baseline_writer *w)
{
  fputs("\n],\n", w->out);
  return 0;
}

int sc_baseline_line(sc_baseline_writer *w, cJSON *object)
{
  char *text = w->json.failed ? NULL : cJSON_PrintUnformatted(object);
  cJSON_Delete(object);
  if (!text)
    return sc_err_set(SC_E_NOMEM, "out of memory while writing the baseline");
  fputs(w->lines++ ? ",\n" : "\n", w->out);
  sc_utf8_print_json(text, w->out);
  cJSON_free(text);
  return 0;
}

char *sc_baseline_file(const sc_baseline_writer *w, const char *file)
{
  size_t length = strlen(w->root);
  if (length && strncmp(file, w->root, length) == 0)
    return sc_mem_copy_string(file + length);
  return sc_source_relative(file);
}

int sc_baseline_find_root(sc_baseline_writer *w)
{
  char *root = NULL;
  for (uint32_t c = 0; c < sc_graph_context_count(w->graph); c++) {
    const sc_location *at = sc_graph_at(w->graph, c);
    char *file = sc_source_relative(at->file);
    if (!file) {
      free(root);
      return SC_E_NOMEM;
    }
    if (*file != '/' || sc_location_is_library(at)) {
      free(file);
      continue;
    }
    if (!root) {
      root = file;
      *(strrchr(root, '/') + 1) = '\0';
      continue;
    }
    size_t same = 0;
    while (root[same] && root[same] == file[same])
      same++;
    while (same && root[same - 1] != '/')
      same--;
    root[same] = '\0';
    free(file);
  }
  w->root = root && strcmp(root, "/") != 0 ? root : sc_mem_copy_string("");
  if (w->root != root)
    free(root);
  return w->root ? 0 : SC_E_NOMEM;
}
