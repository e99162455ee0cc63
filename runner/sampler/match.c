/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "runner/sampler/index.h"

enum {
  NONE = UINT32_MAX,
  LEVELS = 8,     /* frames that may be missing between two that are there */
  CANDIDATES = 16 /* contexts tried for a chain whose outer part is unknown */
};

/* A frame in the graph's terms. */
typedef struct term {
  uint32_t name, plain, foreign; /* NONE: not in the graph */
  bool known;                    /* looked up */
} term;

struct sc_sampler_matcher {
  const sc_graph *graph;
  size_t run;
  const sc_sampler_symbols *symbols;
  sc_sampler_index index;
  term *terms; /* [frame] */
  size_t term_room;
  sc_sampler_keys steps; /* (context, frame) -> context or NONE */
  uint32_t process;      /* of the chain being matched; 0: none */
};

int sc_sampler_matcher_new(const sc_graph *graph, size_t run, const sc_sampler_symbols *symbols,
                           sc_sampler_matcher **result)
{
  sc_sampler_matcher *self;
  SC_TRY(SC_NEW(self, 1));
  self->graph = graph;
  self->run = run;
  self->symbols = symbols;
  int err = sc_sampler_index_make(&self->index, graph);
  if (err < 0) {
    sc_sampler_matcher_free(self);
    return err;
  }
  *result = self;
  return 0;
}

void sc_sampler_matcher_free(sc_sampler_matcher *self)
{
  if (!self)
    return;
  sc_sampler_index_free(&self->index);
  sc_sampler_keys_free(&self->steps);
  free(self->terms);
  free(self);
}

/* The library's public name of one of its internals: qsort of __qsort_r. */
static uint32_t foreign_name(const sc_sampler_matcher *self, const char *name)
{
  while (*name == '_' && name[1] != 'Z')
    name++;
  size_t length = strlen(name);
  uint32_t number = sc_sampler_strings_find(&self->index.names, name, length);
  if (number == NONE && length > 2 && !strcmp(name + length - 2, "_r"))
    number = sc_sampler_strings_find(&self->index.names, name, length - 2);
  return number;
}

static int term_of(sc_sampler_matcher *self, uint32_t frame, term *result)
{
  SC_TRY(sc_mem_grow_zeroed(&self->terms, &self->term_room, (size_t)frame + 1, sizeof *self->terms));
  term *at = &self->terms[frame];
  if (!at->known) {
    const sc_sampler_frame *known = sc_sampler_symbols_frame(self->symbols, frame);
    *at = (term){NONE, NONE, foreign_name(self, known->name), true};
    if (known->linkage)
      at->name = sc_sampler_index_name(&self->index, known->name);
    if (!known->linkage && *known->name) { /* line tables of C++ have plain names only */
      size_t length;
      const char *plain = sc_sampler_match_plain(known->name, &length);
      at->plain = sc_sampler_strings_find(&self->index.plains, plain, length);
    }
  }
  *result = *at;
  return 0;
}

static bool have_same_file(const char *left, const char *right)
{
  return !strcmp(sc_path_last(left), sc_path_last(right));
}

typedef struct choice {
  uint32_t context;
  int fit;       /* 0, or negative: hardly the function, or not reached in this run */
  uint32_t line; /* plain names: where the function begins, the nearest one before the frame's line is it */
  int rank;      /* how near the loops of call and context are */
  double count;
} choice;

static bool is_better_choice(const choice *left, const choice *right)
{
  if (right->context == NONE || left->fit != right->fit)
    return right->context == NONE || left->fit > right->fit;
  if (left->line != right->line)
    return left->line > right->line;
  if (left->rank != right->rank)
    return left->rank > right->rank;
  return left->count > right->count;
}

/* Whether a function of the frame's name can be the frame's: names of local functions and plain names are not unique.
 */
static bool is_plausible_match(const sc_sampler_frame *frame, const sc_location *at)
{
  if (frame->linkage && !at->local)
    return true;
  if (*at->file && *frame->file && !have_same_file(at->file, frame->file))
    return false;
  return frame->linkage || !frame->line || at->line <= frame->line;
}

/* How well a candidate fits a call out of context `from`: the very loop, one around it, one inside it, any other. */
static void consider_candidate(const sc_sampler_matcher *self, uint32_t from, const sc_sampler_frame *frame,
                               uint32_t candidate, choice *best)
{
  const sc_location *at = sc_graph_at(self->graph, candidate);
  uint32_t parent = sc_graph_parent(self->graph, candidate);
  double count = sc_graph_value(self->graph, self->run, candidate, SC_METRIC_COUNT);
  choice fresh = {.context = candidate, .line = frame->linkage || !frame->line ? 0 : at->line, .count = count};
  if (!is_plausible_match(frame, at))
    fresh.fit -= 1;
  if (count <= 0)
    fresh.fit -= 2; /* other runs came here, this one did not */
  if (parent == from)
    fresh.rank = 3;
  else if (sc_graph_within(self->graph, from, parent))
    fresh.rank = 2;
  else if (sc_graph_within(self->graph, parent, from))
    fresh.rank = 1;
  if (is_better_choice(&fresh, best))
    *best = fresh;
}

static void consider_list(const sc_sampler_matcher *self, uint32_t from, uint32_t home, const sc_sampler_frame *frame,
                          const term *wanted, choice *best)
{
  enum sc_sampler_list list = wanted->name != NONE ? SC_SAMPLER_FUNCTIONS : SC_SAMPLER_FUNCTIONS_PLAIN;
  uint32_t name = wanted->name != NONE ? wanted->name : wanted->plain;
  for (uint32_t at = sc_sampler_index_first(&self->index, list, home, name); at;
       at = sc_sampler_index_next(&self->index, list, at))
    consider_candidate(self, from, frame, at, best);
}

static bool is_named_as(const sc_sampler_matcher *self, uint32_t context, const term *wanted)
{
  if (wanted->name != NONE)
    return self->index.name[context] == wanted->name;
  return wanted->plain != NONE && self->index.plain[context] == wanted->plain;
}

/* The nearest function above with the name: recursion ends there. */
static uint32_t find_ancestor(const sc_sampler_matcher *self, uint32_t home, const sc_sampler_frame *frame,
                              const term *wanted)
{
  for (; home; home = sc_sampler_index_home(&self->index, home))
    if (is_named_as(self, home, wanted) && is_plausible_match(frame, sc_graph_at(self->graph, home)))
      return home;
  return NONE;
}

/* The nearest function of the name below, for calls whose frames between were given up (tail calls). */
static uint32_t find_below(const sc_sampler_matcher *self, uint32_t home, const term *wanted)
{
  enum sc_sampler_list list = wanted->name != NONE ? SC_SAMPLER_NAMED : SC_SAMPLER_NAMED_PLAIN;
  uint32_t name = wanted->name != NONE ? wanted->name : wanted->plain, best = NONE;
  int best_levels = LEVELS + 1;
  double best_count = 0;
  for (uint32_t at = sc_sampler_index_first(&self->index, list, 0, name); at;
       at = sc_sampler_index_next(&self->index, list, at)) {
    int levels = 0;
    uint32_t up = at;
    while (up > home && levels <= best_levels) {
      up = sc_sampler_index_home(&self->index, up);
      levels++;
    }
    double count = sc_graph_value(self->graph, self->run, at, SC_METRIC_COUNT);
    if (up != home || count <= 0 || levels > best_levels || (levels == best_levels && count <= best_count))
      continue;
    best = at;
    best_levels = levels;
    best_count = count;
  }
  return best;
}

/* Below foreign and truncated contexts of a home. */
static void consider_foreign(const sc_sampler_matcher *self, uint32_t from, uint32_t home,
                             const sc_sampler_frame *frame, const term *wanted, choice *best)
{
  for (uint32_t at = sc_sampler_index_first(&self->index, SC_SAMPLER_FOREIGN, home, 0); at;
       at = sc_sampler_index_next(&self->index, SC_SAMPLER_FOREIGN, at)) {
    bool here = sc_graph_parent(self->graph, at) == from;
    consider_list(self, here ? at : from, at, frame, wanted, best);
  }
}

static uint32_t find_function(const sc_sampler_matcher *self, uint32_t from, const sc_sampler_frame *frame,
                              const term *wanted)
{
  choice best = {.context = NONE};
  uint32_t home = self->index.owner[from];
  consider_list(self, from, home, frame, wanted, &best);
  if (best.context == NONE || best.fit < 0)
    consider_foreign(self, from, home, frame, wanted, &best);
  if (best.context != NONE && best.fit >= 0)
    return best.context;
  uint32_t found = find_ancestor(self, home, frame, wanted);
  if (found == NONE)
    found = find_below(self, home, wanted);
  if (found == NONE) { /* entered by foreign code: a signal handler, a callback without context */
    consider_list(self, self->process, self->process, frame, wanted, &best);
    consider_foreign(self, self->process, self->process, frame, wanted, &best);
    found = best.context;
  }
  return found;
}

/* The function's loop with the ordinal, or the function itself. */
static uint32_t enter_loop(const sc_sampler_matcher *self, uint32_t function, uint32_t ordinal)
{
  uint32_t loop = ordinal ? sc_sampler_index_first(&self->index, SC_SAMPLER_LOOPS, function, ordinal) : 0;
  return loop ? loop : function;
}

/* Where a frame leads from a context; NONE: the graph lacks its function. */
static int step_into(sc_sampler_matcher *self, uint32_t from, uint32_t frame, uint32_t *to)
{
  const uint32_t *known = sc_sampler_keys_get(&self->steps, (uint64_t)self->process << 32 | from, frame);
  if (known) {
    *to = *known;
    return 0;
  }
  term wanted;
  SC_TRY(term_of(self, frame, &wanted));
  *to = NONE;
  const sc_sampler_frame *at = sc_sampler_symbols_frame(self->symbols, frame);
  if (wanted.name != NONE || wanted.plain != NONE)
    *to = find_function(self, from, at, &wanted);
  if (*to != NONE)
    *to = enter_loop(self, *to, at->ordinal);
  return sc_sampler_keys_put(&self->steps, (uint64_t)self->process << 32 | from, frame, *to);
}

/* The foreign context of a library's function called from `from`. */
static int find_library(sc_sampler_matcher *self, uint32_t from, uint32_t frame, uint32_t *result)
{
  term wanted;
  SC_TRY(term_of(self, frame, &wanted));
  uint32_t home = self->index.owner[from];
  if (wanted.foreign == NONE)
    return 0;
  for (uint32_t at = sc_sampler_index_first(&self->index, SC_SAMPLER_FOREIGN, home, 0); at;
       at = sc_sampler_index_next(&self->index, SC_SAMPLER_FOREIGN, at))
    if (self->index.name[at] == wanted.foreign && sc_graph_parent(self->graph, at) == from)
      *result = at;
  return 0;
}

typedef struct walk {
  uint32_t context;
  size_t matched; /* frames */
  size_t last;    /* index of the last one */
} walk;

static int walk_from(sc_sampler_matcher *self, uint32_t from, const uint32_t *frames, size_t count, walk *result)
{
  uint32_t library = NONE, to;
  *result = (walk){from, 0, 0};
  for (size_t i = 0; i < count; i++) {
    SC_TRY(step_into(self, result->context, frames[i], &to));
    if (to != NONE) {
      *result = (walk){to, result->matched + 1, i};
      library = NONE;
    } else {
      SC_TRY(find_library(self, result->context, frames[i], &library));
    }
  }
  if (library != NONE)
    result->context = library;
  return 0;
}

/* Keeps the candidates that were called most, in falling order. */
static void keep_candidate(choice *candidates, size_t *count, choice fresh)
{
  size_t at = *count < CANDIDATES ? (*count)++ : CANDIDATES - 1;
  if (*count == CANDIDATES && at == CANDIDATES - 1 && candidates[at].context && candidates[at].count >= fresh.count)
    return;
  for (; at > 0 && candidates[at - 1].count < fresh.count; at--)
    candidates[at] = candidates[at - 1];
  candidates[at] = fresh;
}

/* A chain without its outer part: the context of its outermost known function that explains most of the rest. */
static int walk_from_anywhere(sc_sampler_matcher *self, const uint32_t *frames, size_t count, walk *best)
{
  choice candidates[CANDIDATES] = {{.context = 0}};
  size_t found = 0, first = 0;
  for (; first < count && !found; first++) {
    term wanted;
    SC_TRY(term_of(self, frames[first], &wanted));
    enum sc_sampler_list list = wanted.name != NONE ? SC_SAMPLER_NAMED : SC_SAMPLER_NAMED_PLAIN;
    uint32_t name = wanted.name != NONE ? wanted.name : wanted.plain;
    for (uint32_t at = sc_sampler_index_first(&self->index, list, 0, name); at;
         at = sc_sampler_index_next(&self->index, list, at)) {
      double value = sc_graph_value(self->graph, self->run, at, SC_METRIC_COUNT);
      if (value > 0 && sc_graph_within(self->graph, at, self->process))
        keep_candidate(candidates, &found, (choice){.context = at, .count = value});
    }
  }
  *best = (walk){self->process, 0, 0};
  for (size_t i = 0; i < found; i++) {
    walk tried;
    uint32_t ordinal = sc_sampler_symbols_frame(self->symbols, frames[first - 1])->ordinal;
    uint32_t start = enter_loop(self, candidates[i].context, ordinal);
    SC_TRY(walk_from(self, start, frames + first, count - first, &tried));
    if (tried.matched + 1 > best->matched)
      *best = (walk){tried.context, tried.matched + 1, tried.matched ? first + tried.last : first - 1};
  }
  return 0;
}

static uint32_t find_match_process(const sc_sampler_matcher *self, const char *exe)
{
  const char *role = exe ? sc_path_last(exe) : NULL;
  for (uint32_t at = sc_graph_first_child(self->graph, 0); role && at; at = sc_graph_next_sibling(self->graph, at)) {
    const sc_location *location = sc_graph_at(self->graph, at);
    if (location->kind == SC_LOCATION_PROCESS && !strcmp(location->name, role))
      return at;
  }
  return 0;
}

int sc_sampler_matcher_find(sc_sampler_matcher *self, const char *exe, const uint32_t *frames, size_t count,
                            bool complete, sc_sampler_match *match)
{
  walk found = {0, 0, 0};
  self->process = find_match_process(self, exe);
  if (self->process) {
    found.context = self->process;
    if (complete)
      SC_TRY(walk_from(self, self->process, frames, count, &found));
    if (!found.matched)
      SC_TRY(walk_from_anywhere(self, frames, count, &found));
  }
  *match = (sc_sampler_match){found.matched ? found.context : self->process, found.matched > 0, found.last};
  return 0;
}
