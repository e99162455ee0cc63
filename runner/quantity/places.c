/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/quantity/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "profiles/graph/shorten.h"
#include "runner/text/context.h"

enum { STEPS = 32 };

/* One step of a path, taken apart. */
typedef struct step {
  char *name; /* NULL: any */
  char *file; /* NULL: any */
  uint32_t line, column;
} step;

typedef struct wanted {
  char *text; /* what the steps refer to */
  step steps[STEPS];
  size_t count;
  bool loose; /* names may lack their classes, and be as short as they are printed */
  bool work;  /* of library functions */
} wanted;

/* "blocks.c:1075:3": cuts the numbers off; false if it is not one. */
static bool take_place(char *text, step *out)
{
  char *numbers[2] = {NULL, NULL};
  size_t count = 0;
  for (char *colon; count < 2 && (colon = strrchr(text, ':')) && colon != text; count++) {
    if (!colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1))
      break;
    numbers[count] = colon + 1;
    *colon = '\0';
  }
  if (!count || !strchr(text, '.')) {
    for (size_t i = 0; i < count; i++)
      numbers[i][-1] = ':';
    return false;
  }
  out->file = text;
  out->line = (uint32_t)strtoul(numbers[count - 1], NULL, 10);
  out->column = count == 2 ? (uint32_t)strtoul(numbers[0], NULL, 10) : 0;
  return true;
}

/* Takes what reports print for a place, so that a step can be copied from there: "loop file.c:3:5", "name (file.c:3)",
 * "name(int)", "name, not instrumented". */
static void take_step(char *text, step *out)
{
  *out = (step){0};
  text += strspn(text, " ");
  size_t length = strlen(text);
  while (length && text[length - 1] == ' ')
    text[--length] = '\0';
  if (strncmp(text, "loop ", 5) == 0)
    text += 5;
  else if (strncmp(text, "process ", 8) == 0)
    text += 8;
  if (take_place(text, out))
    return;
  char *place = strstr(text, " (");
  length = strlen(text);
  if (place && text[length - 1] == ')') { /* name (file:line), not a type in a parameter list */
    text[length - 1] = '\0';
    if (take_place(place + 2, out)) {
      *place = '\0';
      out->name = text;
      return;
    }
    text[length - 1] = ')';
  }
  char *aside = strstr(text, ", not instrumented");
  if (aside)
    *aside = '\0';
  out->name = text;
}

static int split_named_place(const char *text, wanted *out)
{
  *out = (wanted){.text = sc_mem_copy_string(text)};
  if (!out->text)
    return SC_E_NOMEM;
  for (char *at = out->text, *next; at; at = next) {
    next = strstr(at, " > ");
    if (next) {
      *next = '\0';
      next += 3;
    }
    if (out->count == STEPS)
      return sc_err_set(SC_E_USAGE, "\"%.40s...\" has more than %d steps", text, STEPS);
    take_step(at, &out->steps[out->count++]);
  }
  return 0;
}

static bool ends_in_file(const char *path, const char *file)
{
  size_t length = strlen(path), wanted_length = strlen(file);
  return length >= wanted_length && strcmp(path + length - wanted_length, file) == 0 &&
         (length == wanted_length || file[0] == '/' || path[length - wanted_length - 1] == '/');
}

/* "onChanged" for "Panel::onChanged(int)", and what sc_shorten_name makes of it. */
static bool called_loosely(const sc_location *location, const char *name)
{
  sc_buf shortened = {0};
  sc_shorten_name(location->display, &shortened);
  bool same = false;
  if (sc_buf_finish(&shortened) == 0) {
    size_t length = strlen(name);
    bool template = shortened.length > 5 && strcmp(shortened.text + shortened.length - 5, "<...>") == 0;
    if (template && !strchr(name, '<'))
      shortened.text[shortened.length -= 5] = '\0';
    const char *end = shortened.text + shortened.length;
    same = shortened.length >= length && strcmp(end - length, name) == 0 &&
           (shortened.length == length || (shortened.length >= length + 2 && strncmp(end - length - 2, "::", 2) == 0));
  }
  sc_buf_free(&shortened);
  return same;
}

/* A loop has no name and is meant only by its place; a process or foreign code only on the way to something. */
static bool step_is(const wanted *w, const step *wanted_step, const sc_location *location, bool last)
{
  bool place = wanted_step->file != NULL;
  if (place && (!ends_in_file(location->file, wanted_step->file) || location->line != wanted_step->line ||
                (wanted_step->column && location->column != wanted_step->column)))
    return false;
  if (last && (location->kind == SC_LOCATION_WORK) != w->work)
    return false;
  if (location->kind == SC_LOCATION_LOOP && !place)
    return false;
  if (!sc_location_is_counted(location) &&
      (place || (location->kind != SC_LOCATION_FOREIGN && (last || location->kind != SC_LOCATION_PROCESS))))
    return false;
  if (!wanted_step->name)
    return true;
  if (location->kind == SC_LOCATION_FUNCTION && sc_location_is_called(location, wanted_step->name))
    return true;
  if (strcmp(location->name, wanted_step->name) == 0 || strcmp(location->display, wanted_step->name) == 0)
    return true;
  return w->loose && called_loosely(location, wanted_step->name);
}

static bool named_place_matches(const sc_graph *graph, const wanted *w, uint32_t context)
{
  size_t left = w->count - 1;
  if (!step_is(w, &w->steps[left], sc_graph_at(graph, context), true))
    return false;
  for (uint32_t c = sc_graph_parent(graph, context); c && left; c = sc_graph_parent(graph, c))
    if (step_is(w, &w->steps[left - 1], sc_graph_at(graph, c), false))
      left--;
  return left == 0;
}

static void collect_places(const sc_graph *graph, const wanted *w, sc_places *places)
{
  uint32_t contexts = sc_graph_context_count(graph);
  for (uint32_t c = 1; c < contexts; c++)
    if (named_place_matches(graph, w, c))
      places->contexts[places->count++] = c;
}

/* A name that is near the last step's; "" if none is near. */
static const char *named_place_last_name(const char *name)
{
  const char *last = name;
  for (const char *at = name; (at = strstr(at, "::")); last = at)
    at += 2;
  return last;
}

static void suggest_named_place(const sc_graph *graph, const wanted *w, sc_buf *best_name)
{
  unsigned distance = 100;
  const char *name = w->steps[w->count - 1].name;
  for (uint32_t c = 1; name && c < sc_graph_context_count(graph); c++) {
    const sc_location *location = sc_graph_at(graph, c);
    const char *best = NULL;
    sc_buf shortened = {0};
    unsigned before = distance;
    if (location->kind != SC_LOCATION_FUNCTION && location->kind != SC_LOCATION_WORK)
      continue;
    sc_shorten_name(location->display, &shortened);
    if (sc_buf_finish(&shortened) == 0) {
      sc_suggest_consider(name, shortened.text, &best, &distance);
      sc_suggest_consider(name, named_place_last_name(shortened.text), &best, &distance);
    }
    if (best && distance < before) {
      sc_buf_free(best_name);
      sc_buf_puts(best_name, best);
    }
    sc_buf_free(&shortened);
  }
  if (name && !sc_suggest_near(name, distance))
    sc_buf_free(best_name);
}

/* Three different slips have three different hints: the way does not lead there, no such place ran, or a name is
 * mistyped. */
static int refuse_unknown_place(const sc_graph *graph, const char *text, wanted *w)
{
  sc_buf best = {0};
  suggest_named_place(graph, w, &best);
  const step *last = &w->steps[w->count - 1];
  wanted alone = {.steps = {*last}, .count = 1, .loose = true};
  bool there = false;
  for (int work = 0; work < 2; work++) {
    alone.work = work;
    for (uint32_t c = 1; w->count > 1 && !there && c < sc_graph_context_count(graph); c++)
      there = named_place_matches(graph, &alone, c);
  }
  if (there)
    (void)sc_err_set(SC_E_USAGE, "the study has no such way to a function: \"%.120s\"", text);
  else if (last->file)
    (void)sc_err_set(SC_E_USAGE, "no function or loop that ran begins at %.80s:%u", last->file, last->line);
  else
    (void)sc_err_set(SC_E_USAGE, "no function \"%.80s\" ran in the study", last->name ? last->name : text);
  if (there)
    (void)sc_err_hint(SC_E_USAGE, "callers stand in their order, the nearest last: \"main > load > parse\"");
  else if (sc_buf_finish(&best) == 0 && *best.text)
    (void)sc_err_hint(SC_E_USAGE, "did you mean \"%s\"?", best.text);
  else
    (void)sc_err_hint(SC_E_USAGE, "a function's name, or file:line of a function or loop; code that was built without "
                                  "scale-cc is not in the study");
  sc_buf_free(&best);
  return SC_E_USAGE;
}

int sc_places_find(const sc_graph *graph, const char *text, sc_places *places)
{
  wanted w = {0};
  int err;
  *places = (sc_places){.contexts = sc_mem_new(sc_graph_context_count(graph), sizeof *places->contexts)};
  if (!places->contexts)
    return SC_E_NOMEM;
  SC_GOTO(split_named_place(text, &w));
  for (int turn = 0; !places->count && turn < 4; turn++) { /* the program's own names before those it calls */
    w.loose = turn >= 2;
    w.work = turn % 2;
    collect_places(graph, &w, places);
  }
  if (!places->count) {
    err = refuse_unknown_place(graph, text, &w);
    goto out;
  }
  places->loop = sc_graph_at(graph, places->contexts[0])->kind == SC_LOCATION_LOOP;
  places->work = w.work;
out:
  free(w.text);
  return err;
}

void sc_places_free(sc_places *places)
{
  free(places->contexts);
  *places = (sc_places){0};
}

/* A part of what a function does itself: its loops, and of a library's function the ones that it calls in turn. */
static bool is_own(const sc_graph *graph, uint32_t context)
{
  enum sc_location_kind kind = sc_graph_at(graph, context)->kind;
  return kind == SC_LOCATION_LOOP || (kind != SC_LOCATION_WORK && sc_graph_folded(graph, context));
}

/* One pass, as a parent's number is smaller than its children's: whatever stands below something that is in is in,
 * too. */
static int gather_contexts(const sc_graph *graph, const sc_places *places, bool only_own, uint32_t **contexts,
                           size_t *count)
{
  uint32_t all = sc_graph_context_count(graph);
  unsigned char *in = sc_mem_new(all, 1);
  *contexts = sc_mem_new(all, sizeof **contexts);
  *count = 0;
  if (!in || !*contexts) {
    free(in);
    free(*contexts);
    *contexts = NULL;
    return SC_E_NOMEM;
  }
  for (size_t i = 0; i < places->count; i++)
    in[places->contexts[i]] = 1;
  for (uint32_t c = 1; c < all; c++) {
    in[c] |= in[sc_graph_parent(graph, c)] && (!only_own || is_own(graph, c));
    if (in[c])
      (*contexts)[(*count)++] = c;
  }
  free(in);
  return 0;
}

int sc_places_inside(const sc_graph *graph, const sc_places *places, uint32_t **contexts, size_t *count)
{
  return gather_contexts(graph, places, false, contexts, count);
}

int sc_places_body(const sc_graph *graph, const sc_places *places, uint32_t **contexts, size_t *count)
{
  return gather_contexts(graph, places, true, contexts, count);
}

/* Work that a place does through a library counts for it, though it stands deeper in the tree. */
int sc_places_work(const sc_graph *graph, const sc_places *places, uint32_t unit, uint32_t **contexts, size_t *count)
{
  uint32_t *body, all = sc_graph_context_count(graph);
  size_t body_count;
  SC_TRY(sc_places_body(graph, places, &body, &body_count));
  unsigned char *in = sc_mem_new(all, 1);
  *contexts = sc_mem_new(all, sizeof **contexts);
  *count = 0;
  for (size_t i = 0; in && i < body_count; i++)
    in[body[i]] = 1;
  for (uint32_t c = 1; in && *contexts && c < all; c++) {
    const sc_location *at = sc_graph_at(graph, c);
    bool called = in[sc_graph_parent(graph, c)] || in[sc_graph_written(graph, c, NULL)];
    if (at->kind == SC_LOCATION_WORK && (!unit || at->nth == unit) && (in[c] || (!places->work && called)))
      (*contexts)[(*count)++] = c;
  }
  int err = in && *contexts ? 0 : SC_E_NOMEM;
  if (err < 0) {
    free(*contexts);
    *contexts = NULL;
  }
  free(in);
  free(body);
  return err;
}

/* What they are called, each name once. */
static void add_named_place_names(const sc_graph *graph, const sc_places *places, sc_buf *out)
{
  enum { NAMED = 2 };
  sc_buf names[NAMED] = {{0}};
  size_t named = 0;
  bool more = false;
  for (size_t i = 0; i < places->count && !more; i++) {
    sc_buf name = {0};
    sc_shorten_name(sc_graph_at(graph, places->contexts[i])->display, &name);
    bool known = sc_buf_finish(&name) < 0;
    for (size_t k = 0; k < named && !known; k++)
      known = strcmp(names[k].text, name.text) == 0;
    more = !known && named == NAMED;
    if (known || more)
      sc_buf_free(&name);
    else
      names[named++] = name;
  }
  for (size_t k = 0; k < named; k++) {
    sc_buf_puts(out, !k ? "" : more ? ", " : " and ");
    sc_buf_puts(out, names[k].text);
    sc_buf_free(&names[k]);
  }
  sc_buf_puts(out, more ? " and others" : "");
}

void sc_places_title(const sc_graph *graph, const sc_places *places, sc_buf *out)
{
  bool same = true;
  for (size_t i = 1; i < places->count; i++)
    same &= sc_graph_location_of(graph, places->contexts[i]) == sc_graph_location_of(graph, places->contexts[0]);
  if (same)
    sc_context_title(graph, places->contexts[0], out);
  else
    add_named_place_names(graph, places, out);
}
