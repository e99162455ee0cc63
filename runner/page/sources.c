/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source that the page annotates: functions in which something was counted, of the files that cost most first. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/compare.h"
#include "runner/loaded/source.h"
#include "runner/page/parts.h"

enum {
  OF_ONE = 256 << 10, /* bytes of one file: some 8,000 lines, which a browser lays out in 0.2 s */
  BEFORE = 3,         /* lines in front of a function: the end of its comment */
  AFTER = 20,         /* lines behind the beginning of one whose end is not found */
  GAP = 6             /* between two functions: fewer lines are no gap that helps anybody */
};

typedef struct range {
  uint32_t first, last; /* lines */
} range;

typedef struct place {
  const char *path;
  double cost;   /* predicted at the horizon, of all that is written in the file; over all combinations */
  range *ranges; /* [count] */
  size_t count, capacity;
} place;

struct sc_page_places {
  sc_page_strings paths; /* numbers of `list`, until that is sorted */
  place *list;           /* [count] */
  size_t count, capacity;
  bool lined; /* the lines of all functions are noted */
  sc_sources texts;
  size_t left; /* bytes that may still be embedded */
};
typedef struct sc_page_places places;

/* No other file is embedded, whatever path a study has: pages are sent to others. */
static bool is_source(const char *path)
{
  static const char *const endings[] = {
      "c",   "h",   "i",   "cc",  "cp",  "cpp", "cxx", "c++", "C",  "CC", "CPP", "hh", "hp", "hpp", "hxx", "h++", "H",
      "inc", "inl", "ipp", "ixx", "tcc", "tpp", "def", "y",   "yy", "l",  "ll",  "re", "rl", "ii",  "cu",  "m",   "mm"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(dot + 1, endings[i]) == 0)
      return true;
  return false;
}

/* A function's lines are asked for once, whatever number of contexts it has. */
static int note_source(places *all, const sc_location *location, uint32_t line, double cost)
{
  uint32_t number;
  if (!*location->file || !line || sc_location_is_library(location) || !is_source(location->file))
    return 0;
  SC_TRY(sc_page_strings_add(&all->paths, location->file, &number));
  SC_TRY(sc_mem_grow(&all->list, &all->capacity, (size_t)number + 1, sizeof *all->list));
  if (number == all->count)
    all->list[all->count++] = (place){.path = all->paths.list[number]};
  place *p = &all->list[number];
  p->cost += cost;
  if (all->lined)
    return 0;
  SC_TRY(sc_mem_grow(&p->ranges, &p->capacity, p->count + 1, sizeof *p->ranges));
  p->ranges[p->count++] = (range){line, location->kind == SC_LOCATION_FUNCTION && line == location->line ? 0 : line};
  return 0;
}

static int gather_places(const sc_judge *judge, places *all)
{
  const sc_graph *graph = judge->loaded.graph;
  const sc_analysis *analysis = judge->loaded.analysis;
  double far = sc_analysis_horizon(analysis);
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++) {
    const sc_location *location = sc_graph_at(graph, c);
    sc_interval cost = {0};
    if (!sc_analysis_in_scope(analysis, c))
      continue;
    SC_TRY(sc_analysis_cost(analysis, c, far, &cost));
    SC_TRY(note_source(all, location, location->line, cost.value));
    SC_TRY(note_source(all, sc_graph_at(graph, sc_graph_parent(graph, c)), sc_graph_call_line(graph, c), 0));
  }
  return 0;
}

static int compare_costs(const void *a, const void *b)
{
  const place *x = a, *y = b;
  return SC_COMPARE(y->cost, x->cost) ?: strcmp(x->path, y->path);
}

static int compare_ranges(const void *a, const void *b)
{
  const range *x = a, *y = b;
  /* functions in front of loops and calls on their line */
  return SC_COMPARE(x->first, y->first) ?: SC_COMPARE(x->last, y->last);
}

/* Whole functions, each line once. */
static void extend_source(places *all, place *p)
{
  size_t kept = 0;
  qsort(p->ranges, p->count, sizeof *p->ranges, compare_ranges);
  for (size_t i = 0; i < p->count; i++) {
    range r = p->ranges[i];
    if (i && p->ranges[i - 1].first == r.first)
      continue; /* the first of a line is the function */
    if (!r.last) {
      uint32_t end = sc_source_extent(&all->texts, p->path, r.first, 0);
      r.last = end ? end : r.first + AFTER;
      r.first = r.first > BEFORE ? r.first - BEFORE : 1;
    }
    if (kept && r.first <= p->ranges[kept - 1].last + GAP) {
      if (r.last > p->ranges[kept - 1].last)
        p->ranges[kept - 1].last = r.last;
    } else {
      p->ranges[kept++] = r;
    }
  }
  p->count = kept;
}

/* [first line, text], as far as there is room; *cut: there was not enough. */
static int write_piece(places *all, const place *p, const range *lines, size_t *room, bool *cut, sc_page_json *json)
{
  sc_buf text = {0};
  for (uint32_t line = lines->first; line <= lines->last; line++) {
    size_t length;
    const char *start = sc_source_line(&all->texts, p->path, line, &length);
    if (!start)
      break;
    *cut = text.length + length + 1 > *room;
    if (*cut)
      break;
    for (size_t i = 0; i < length; i++)
      sc_buf_add(&text, start[i] ? &start[i] : " ", 1);
    sc_buf_puts(&text, "\n");
  }
  int err = sc_buf_finish(&text);
  if (err == 0 && text.length) {
    sc_page_open(json, NULL, '[');
    sc_page_integer(json, NULL, lines->first);
    sc_page_text(json, NULL, text.text);
    sc_page_close(json, ']');
    *room -= text.length;
  }
  sc_buf_free(&text);
  return err;
}

/* Edited since the study was last written: its lines may be others now. */
static bool is_newer(const char *path, const char *study)
{
  struct stat source, measured;
  return stat(path, &source) == 0 && stat(study, &measured) == 0 &&
         (source.st_mtim.tv_sec > measured.st_mtim.tv_sec ||
          (source.st_mtim.tv_sec == measured.st_mtim.tv_sec && source.st_mtim.tv_nsec > measured.st_mtim.tv_nsec));
}

static int write_page_source(places *all, place *p, const char *study, sc_page_strings *strings, sc_page_json *json)
{
  uint32_t number;
  size_t length, room = all->left < OF_ONE ? all->left : OF_ONE, before = room;
  bool there = sc_source_line(&all->texts, p->path, 1, &length) != NULL, cut = false;
  SC_TRY(sc_page_strings_add(strings, p->path, &number));
  if (there)
    extend_source(all, p);
  sc_page_open(json, NULL, '{');
  sc_page_integer(json, "file", number);
  sc_page_open(json, "pieces", '[');
  for (size_t i = 0; there && i < p->count && !cut; i++)
    SC_TRY(write_piece(all, p, &p->ranges[i], &room, &cut, json));
  sc_page_close(json, ']');
  sc_page_text(json, "lacks", cut ? "limit" : room == before ? "file" : NULL);
  sc_page_bool(json, "newer", there && is_newer(p->path, study));
  sc_page_close(json, '}');
  all->left -= before - room;
  return 0;
}

int sc_page_places_add(places **all, const sc_judge *judge)
{
  if (!*all)
    SC_TRY(SC_NEW(*all, 1));
  int err = gather_places(judge, *all);
  (*all)->lined = true;
  return err;
}

int sc_page_places_write(places *all, const char *study, size_t bytes, sc_page_strings *strings, sc_page_json *json)
{
  sc_page_open(json, "sources", '[');
  if (all && all->count) {
    all->left = bytes;
    qsort(all->list, all->count, sizeof *all->list, compare_costs);
    for (size_t i = 0; i < all->count; i++)
      SC_TRY(write_page_source(all, &all->list[i], study, strings, json));
  }
  sc_page_close(json, ']');
  return 0;
}

void sc_page_places_free(places *all)
{
  if (!all)
    return;
  for (size_t i = 0; i < all->count; i++)
    free(all->list[i].ranges);
  free(all->list);
  sc_page_strings_free(&all->paths);
  sc_sources_free(&all->texts);
  free(all);
}
