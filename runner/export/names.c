/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What frames are called. Readers of profiles know a frame by its name alone, so that two places must not share one. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "profiles/graph/shorten.h"
#include "runner/export/export.h"

static void add_frame_place(const sc_location *at, sc_buf *out)
{
  sc_utf8_show(*at->file ? basename(at->file) : "?", out);
  if (at->line)
    sc_buf_printf(out, ":%u", at->line);
  if (at->line && at->column)
    sc_buf_printf(out, ":%u", at->column);
}

static void add_frame_name(const sc_location *at, bool brief, sc_buf *out)
{
  const char *name = at->display && *at->display ? at->display : at->name;
  if (brief && *name)
    sc_shorten_name(name, out);
  else
    sc_utf8_show(*name ? name : "?", out);
}

/* What a library does is called by its name alone: the user's call stands above. */
static bool is_one_name(const sc_location *at, bool brief) { return brief && sc_location_is_library(at); }

static void add_frame_plain(const sc_location *at, bool brief, sc_buf *out)
{
  switch (at->kind) {
  case SC_LOCATION_ROOT:
    sc_buf_puts(out, "the whole workload");
    return;
  case SC_LOCATION_PROCESS:
    sc_buf_puts(out, "process ");
    add_frame_name(at, brief, out);
    return;
  case SC_LOCATION_LOOP:
    sc_buf_puts(out, "loop ");
    add_frame_place(at, out);
    return;
  case SC_LOCATION_TRUNCATED:
    sc_buf_puts(out, "beyond the profile's limit");
    return;
  case SC_LOCATION_WORK: /* by its call, for functions that the library calls back may stand below the same name */
    add_frame_name(at, brief, out);
    if (is_one_name(at, brief) || !*at->file) /* what the kernel tells of a process is done nowhere in particular */
      return;
    sc_buf_puts(out, " at ");
    add_frame_place(at, out);
    return;
  case SC_LOCATION_FUNCTION:
  case SC_LOCATION_FOREIGN:
    add_frame_name(at, brief, out);
    return;
  }
}

/* What tells apart those that have the same plain name: local functions of two files, loops that a macro made on one
 * line. `rank`: among those that even this leaves the same. */
static void add_detail(const sc_location *at, bool brief, uint32_t rank, sc_buf *out)
{
  if (rank) {
    sc_buf_printf(out, " #%u", rank + 1);
  } else if (at->kind == SC_LOCATION_FUNCTION) {
    sc_buf_puts(out, " (");
    add_frame_place(at, out);
    sc_buf_puts(out, ")");
  } else if (at->kind == SC_LOCATION_LOOP) {
    sc_buf_puts(out, " in ");
    add_frame_name(at, brief, out);
  } else if (at->kind == SC_LOCATION_FOREIGN) {
    sc_buf_puts(out, " (not instrumented)");
  }
}

static int by_frame_name(const void *a, const void *b)
{
  const sc_export_frame *const *x = a, *const *y = b;
  int order = strcmp((*x)->name, (*y)->name);
  return order ? order : *x < *y ? -1 : *x > *y;
}

static int append_frame(sc_export_frame *frame, bool brief, uint32_t rank)
{
  sc_buf name = {0};
  sc_buf_puts(&name, frame->name);
  add_detail(frame->at, brief, rank, &name);
  char *text = sc_buf_take(&name);
  if (!text)
    return SC_E_NOMEM;
  free(frame->name);
  frame->name = text;
  return 0;
}

/* Adds a detail to every name that several have: `ranked`, to all but the first, their number. Returns whether there
 * were any. */
static int tell_frame_apart(sc_export_frame **sorted, uint32_t count, bool brief, bool ranked)
{
  int found = 0;
  qsort(sorted, count, sizeof *sorted, by_frame_name);
  for (uint32_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && strcmp(sorted[end]->name, sorted[i]->name) == 0; end++)
      ;
    found |= end - i > 1;
    for (uint32_t k = i + ranked; end - i > 1 && k < end; k++)
      SC_TRY(append_frame(sorted[k], brief, ranked ? k - i : 0));
  }
  return found;
}

static int name_plainly(sc_export_frame *frames, uint32_t count, bool brief)
{
  for (uint32_t i = 0; i < count; i++) {
    sc_buf name = {0};
    add_frame_plain(frames[i].at, brief, &name);
    frames[i].name = sc_buf_take(&name);
    if (!frames[i].name)
      return SC_E_NOMEM;
  }
  return 0;
}

/* Functions of a library that have the same name, in whatever template, are one frame. now[count]: what each frame has
 * become. */
static int merge_library(sc_export_frame *frames, uint32_t *count, bool brief, uint32_t *now)
{
  uint32_t library = 0, kept = 0;
  sc_export_frame **sorted;
  SC_TRY(SC_NEW(sorted, *count + 1));
  for (uint32_t i = 0; i < *count; i++) {
    now[i] = i;
    if (is_one_name(frames[i].at, brief))
      sorted[library++] = &frames[i];
  }
  qsort(sorted, library, sizeof *sorted, by_frame_name);
  for (uint32_t i = 1; i < library; i++)
    if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0)
      now[sorted[i] - frames] = now[sorted[i - 1] - frames];
  for (uint32_t i = 0; i < *count; i++) {
    if (now[i] != i) {
      free(frames[i].name);
      now[i] = now[now[i]]; /* the first of a name stands before the others */
      continue;
    }
    frames[kept] = frames[i];
    now[i] = kept++;
  }
  *count = kept;
  free(sorted);
  return 0;
}

static int make_unique(sc_export_frame *frames, uint32_t count, bool brief)
{
  int err = 0;
  sc_export_frame **sorted;
  SC_TRY(SC_NEW(sorted, count + 1));
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = &frames[i];
  SC_GOTO(tell_frame_apart(sorted, count, brief, false));
  do /* a number may make a name that somebody has */
    SC_GOTO(tell_frame_apart(sorted, count, brief, true));
  while (err);
out:
  free(sorted);
  return err;
}

static uint32_t location_count(const sc_graph *graph)
{
  uint32_t count = 0;
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    if (sc_graph_location_of(graph, c) >= count)
      count = sc_graph_location_of(graph, c) + 1;
  return count;
}

int sc_export_frames(const sc_graph *graph, const bool *wanted, bool brief, sc_export_frame **frames, uint32_t *count,
                     uint32_t *frame_of)
{
  uint32_t locations = location_count(graph);
  uint32_t *numbers = sc_mem_new(locations, sizeof *numbers); /* + 1; 0: none yet */
  uint32_t *now = sc_mem_new(locations + 1, sizeof *now);
  int err = SC_E_NOMEM;
  *count = 0;
  *frames = sc_mem_new(locations, sizeof **frames);
  if (!numbers || !now || !*frames)
    goto out;
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++) {
    uint32_t at = sc_graph_location_of(graph, c);
    frame_of[c] = SC_EXPORT_NONE;
    if (wanted && !wanted[c])
      continue;
    if (!numbers[at]) {
      (*frames)[(*count)++].at = sc_graph_at(graph, c);
      numbers[at] = *count;
    }
    frame_of[c] = numbers[at] - 1;
  }
  uint32_t named = *count;
  SC_GOTO(name_plainly(*frames, named, brief));
  SC_GOTO(merge_library(*frames, count, brief, now));
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    if (frame_of[c] != SC_EXPORT_NONE)
      frame_of[c] = now[frame_of[c]];
  err = make_unique(*frames, *count, brief);
out:
  free(numbers);
  free(now);
  return err;
}

void sc_export_frames_free(sc_export_frame *frames, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    free(frames[i].name);
  free(frames);
}
