/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the names of --uprobes to the functions that they mean. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "base/path.h"
#include "base/suggest.h"
#include "instrument/attach/catch.h"
#include "instrument/attach/inlined.h"
#include "runner/process/inspect.h"
#include "runner/process/libraries.h"
#include "runner/process/running.h"
#include "runner/process/uprobes.h"
#include "runner/text/tuning.h"

typedef struct finding {
  sc_uprobes *uprobes;
  const char *word; /* the command's first, for messages */
  pid_t running;    /* the program is this process'; 0: it is to be started */
  char program[PATH_MAX];
  sc_object **objects; /* the program if it is one, its libraries, and files that were named */
  size_t object_count, object_room;
  size_t linked; /* of these, the first ones that a name alone is looked for in; the program is among them */
  bool listed;   /* the libraries are there */
} finding;

/* ---- files ---- */

static int add_uprobe_object(finding *f, const char *path)
{
  char resolved[PATH_MAX];
  bool others = strncmp(path, "/proc/", strlen("/proc/")) == 0; /* by a running process: what it leads to is not here */
  if (others || !realpath(path, resolved))
    snprintf(resolved, sizeof resolved, "%s", path);
  SC_TRY(sc_mem_grow(&f->objects, &f->object_room, f->object_count + 1, sizeof *f->objects));
  SC_TRY(sc_object_open(resolved, &f->objects[f->object_count]));
  f->object_count++;
  return 0;
}

/* Libraries that cannot be read are skipped. */
static int add_uprobe_library(void *user, const char *path)
{
  int err = add_uprobe_object(user, path);
  return err == SC_E_NOMEM ? err : 0;
}

static int list_libraries(finding *f)
{
  if (f->listed)
    return 0;
  f->listed = true;
  SC_TRY(f->running ? sc_running_libraries(f->running, add_uprobe_library, f)
                    : sc_libraries_visit(f->program, add_uprobe_library, f));
  f->linked = f->object_count;
  return 0;
}

static int open_running(finding *f)
{
  SC_TRY(sc_running_check(f->running));
  SC_TRY(sc_running_program(f->running, f->program, sizeof f->program));
  f->word = f->program;
  if (sc_inspect_program(f->program, NULL) == SC_INSPECT_INSTRUMENTED) {
    (void)sc_err_set(SC_E_INPUT, "process %d runs %s, which is instrumented: it counts its calls itself",
                     (int)f->running, f->program);
    return sc_err_hint(SC_E_INPUT,
                       "scale-run run measures it; attach is for programs that were not built with scale-cc");
  }
  SC_TRY(add_uprobe_object(f, f->program));
  f->linked = 1;
  return 0;
}

static int open_uprobe_program(finding *f, const char *directory)
{
  if (f->running)
    return open_running(f);
  enum sc_inspect_kind kind = sc_inspect_program(f->word, directory);
  if (!sc_inspect_find(f->word, directory, f->program, sizeof f->program))
    f->program[0] = '\0';
  if (kind == SC_INSPECT_INSTRUMENTED) {
    (void)sc_err_set(SC_E_INPUT, "%s is instrumented: it counts its calls itself", f->word);
    return sc_err_hint(SC_E_INPUT, "leave out --uprobes, which is for programs that were not built with scale-cc");
  }
  if (kind != SC_INSPECT_PLAIN && kind != SC_INSPECT_PRIVILEGED) {
    f->listed = true; /* a script: only files that are named */
    return 0;
  }
  SC_TRY(add_uprobe_object(f, f->program));
  f->linked = 1;
  return 0;
}

/* ---- errors ---- */

static int miss_in_script(const finding *f, const char *name)
{
  (void)sc_err_set(SC_E_INPUT, "--uprobes %s: %s is not a program file that functions could be looked for in", name,
                   f->word);
  return sc_err_hint(SC_E_INPUT, "name the file: --uprobes /PATH/OF/PROGRAM:%s", name);
}

static int miss_inlined(const sc_object *object, const char *name, unsigned places)
{
  (void)sc_err_set(SC_E_INPUT,
                   "--uprobes %s: every call of it in %s was inlined (at %u place%s): it has no entry to count", name,
                   sc_path_last(sc_object_path(object)), places, places == 1 ? "" : "s");
  return sc_err_hint(SC_E_INPUT, "choose a function that calls it, or build with -fno-inline-functions");
}

/* Why a name was not found in these objects. */
static int refuse_missing_name(const finding *f, const char *name, size_t first, size_t count)
{
  char best[200] = "";
  unsigned distance = 100;
  for (size_t i = first; i < first + count; i++) {
    unsigned places = sc_inlined_count(f->objects[i], name);
    if (places)
      return miss_inlined(f->objects[i], name, places);
    SC_TRY(sc_functions_suggest(f->objects[i], name, best, sizeof best, &distance));
  }
  const sc_object *object = f->objects[first];
  const char *file = sc_path_last(sc_object_path(object));
  bool stripped = !sc_object_has_symbols(object);
  (void)sc_err_set(SC_E_INPUT, "--uprobes %s: no such function in %s%s%s", name, file,
                   count > 1 ? " or the libraries it is linked with" : "",
                   stripped ? "; it is stripped: it has no symbols but those it shows to others" : "");
  if (stripped)
    return sc_err_hint(SC_E_INPUT,
                       "install its debug symbols (Debian: a package that ends in -dbgsym), or take a build "
                       "that is not stripped");
  if (*best && sc_suggest_near(name, distance))
    return sc_err_hint(SC_E_INPUT, "did you mean %s?", best);
  return sc_err_hint(SC_E_INPUT, "nm -C %s lists its functions; FILE:%s is one of a file that is loaded later",
                     sc_object_path(object), name);
}

static int check_found(const sc_function *function)
{
  const char *file = sc_path_last(function->file);
  if (function->indirect) {
    (void)sc_err_set(SC_E_INPUT, "--uprobes %s: which code it has in %s is chosen when a program starts (IFUNC)",
                     function->display, file);
    return sc_err_hint(SC_E_INPUT, "its symbol is not where calls go; choose the function that calls it");
  }
  if (function->entry_count)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "--uprobes %s: its symbol in %s is not in that file's code", function->display, file);
  return sc_err_hint(SC_E_INPUT, "choose another function");
}

/* ---- names ---- */

/* The end of a name: a comma or semicolon that is not within brackets. "operator," and "operator()" are names. */
static size_t name_length(const char *text)
{
  int depth = 0;
  size_t at = 0;
  for (; text[at] && !(depth == 0 && (text[at] == ',' || text[at] == ';')); at++) {
    size_t word = strlen("operator");
    if (strncmp(text + at, "operator", word) == 0 && text[at + word] && strchr(",<>-(", text[at + word]))
      at += word + (text[at + word] == text[at + word + 1] || text[at + word + 1] == '>' || text[at + word + 1] == ')');
    else
      depth += (text[at] == '(' || text[at] == '<') - (text[at] == ')' || text[at] == '>');
  }
  return at;
}

/* "FILE:FUNCTION": the colon that is no part of "::"; NULL: a name alone. */
static char *file_end(char *name)
{
  for (char *at = strchr(name, ':'); at; at = strchr(at + 1, ':')) {
    if (at[1] != ':')
      return at;
    at++;
  }
  return NULL;
}

/* Libraries are linked by names that a link leads from: libz.so.1 to libz.so.1.2.13. */
static bool is_library_named(const char *path, const char *name)
{
  const char *file = sc_path_last(path);
  size_t length = strlen(name);
  return strncmp(file, name, length) == 0 && (file[length] == '\0' || file[length] == '.');
}

/* A file by its path, or a library of the program by its name: the number of its object. */
static int find_file(finding *f, const char *file, size_t *number)
{
  char resolved[PATH_MAX];
  bool is_path = strchr(file, '/') != NULL;
  SC_TRY(list_libraries(f));
  for (*number = 0; *number < f->object_count; ++*number) {
    const char *known = sc_object_path(f->objects[*number]);
    if (is_path ? realpath(file, resolved) && strcmp(resolved, known) == 0 : is_library_named(known, file))
      return 0;
  }
  if (is_path)
    return add_uprobe_object(f, file);
  (void)sc_err_set(SC_E_INPUT, "--uprobes %s:...: %s is not linked with a library of this name", file, f->word);
  return sc_err_hint(SC_E_INPUT, "ldd %s lists them; of another file give the path", f->word);
}

static bool is_function_called(const sc_function *function, const char *name)
{
  const sc_location location = {.kind = SC_LOCATION_FUNCTION, .name = function->name, .display = function->display};
  return sc_location_is_called(&location, name);
}

static int find_in(finding *f, const char *name, size_t number, bool *found)
{
  sc_functions *all = &f->uprobes->functions;
  size_t before = all->count;
  SC_TRY(sc_functions_find(f->objects[number], name, all));
  for (size_t i = before; i < all->count; i++)
    SC_TRY(check_found(&all->list[i]));
  *found = all->count > before;
  for (size_t i = 0; i < before && !*found; i++) /* named twice */
    *found =
        strcmp(all->list[i].file, sc_object_path(f->objects[number])) == 0 && is_function_called(&all->list[i], name);
  return 0;
}

static int find_name(finding *f, char *name)
{
  bool found = false;
  char *colon = file_end(name);
  size_t number = 0;
  if (colon) {
    *colon = '\0';
    SC_TRY(find_file(f, name, &number));
    SC_TRY(find_in(f, colon + 1, number, &found));
    return found ? 0 : refuse_missing_name(f, colon + 1, number, 1);
  }
  if (!f->linked)
    return miss_in_script(f, name);
  SC_TRY(find_in(f, name, 0, &found));
  if (!found)
    SC_TRY(list_libraries(f));
  for (size_t i = 1; i < f->linked && !found; i++)
    SC_TRY(find_in(f, name, i, &found));
  return found ? 0 : refuse_missing_name(f, name, 0, f->linked);
}

static int find_names(finding *f, const char *names)
{
  for (size_t length; *names; names += length + (names[length] != '\0')) {
    names += strspn(names, " ");
    length = name_length(names);
    char *name = length ? strndup(names, length) : NULL;
    if (length && !name)
      return sc_err_set(SC_E_NOMEM, "out of memory");
    int err = name ? find_name(f, name) : 0;
    free(name);
    SC_TRY(err);
  }
  if (f->uprobes->functions.count)
    return 0;
  return sc_err_hint(sc_err_set(SC_E_USAGE, "--uprobes names no function"), "--uprobes parse,lookup");
}

/* ---- events of probe sets ---- */

static uint32_t find_known_function(const finding *f, size_t from, const char *file, const char *name)
{
  const sc_functions *all = &f->uprobes->functions;
  for (size_t i = from; i < all->count; i++)
    if (strcmp(all->list[i].file, file) == 0 && strcmp(all->list[i].name, name) == 0)
      return (uint32_t)i;
  return UINT32_MAX;
}

/* Seeing a function return means that the kernel replaces its return address. */
static const char *find_harm(const finding *f, const sc_object *object)
{
  for (size_t i = 0; i < f->linked; i++)
    if (sc_object_switches_stacks(f->objects[i]))
      return "seeing it return would break a program that switches stacks (makecontext)";
  return sc_object_unwinds(object) ? "seeing it return would break exceptions of its file" : NULL;
}

/* The function of an event in an object; none of it, or why it cannot be had, is in *place. */
static int locate_in(finding *f, const char *name, const sc_object *object, sc_uprobes_place *place)
{
  const sc_functions *all = &f->uprobes->functions;
  size_t before = all->count;
  SC_TRY(sc_functions_find(object, name, &f->uprobes->functions));
  uint32_t known = find_known_function(f, 0, sc_object_path(object), name);
  if (known == UINT32_MAX)
    return 0;
  place->harm = find_harm(f, object);
  if (all->list[known].indirect)
    place->why = "its code is chosen when the program starts";
  else if (!all->list[known].entry_count)
    place->why = "its symbol is not in its file's code";
  else if (find_known_function(f, known + 1, sc_object_path(object), name) != UINT32_MAX || all->count > before + 1)
    place->why = "several functions bear its name";
  else
    place->function = known;
  return 0;
}

static int locate_event(finding *f, const char *name, sc_uprobes_place *place)
{
  *place = (sc_uprobes_place){.function = UINT32_MAX};
  for (size_t i = 0; i < f->linked && place->function == UINT32_MAX && !place->why; i++)
    SC_TRY(locate_in(f, name, f->objects[i], place));
  if (place->function != UINT32_MAX || place->why)
    return 0;
  place->why = sc_object_has_symbols(f->objects[0]) ? "no such function" : "no such symbol: the program is stripped";
  for (size_t i = 0; i < f->linked; i++)
    if (sc_inlined_count(f->objects[i], name))
      place->why = "the compiler inlined all of its calls";
  return 0;
}

/* Where the events' functions are, [probes.event_count]. */
static int locate_events(finding *f, const char *sets, sc_uprobes_place **places)
{
  sc_probes *probes = &f->uprobes->events.probes;
  SC_TRY(sc_uprobes_sets_parse(sets, probes));
  if (!f->linked)
    return miss_in_script(f, probes->event_count ? probes->events[0].function : "FUNCTION");
  SC_TRY(SC_NEW(*places, probes->event_count));
  SC_TRY(list_libraries(f));
  for (size_t i = 0; i < probes->event_count; i++)
    SC_TRY(locate_event(f, probes->events[i].function, &(*places)[i]));
  return 0;
}

static int choose_events(sc_uprobes *uprobes, const sc_uprobes_place *places)
{
  SC_TRY(sc_uprobes_events_choose(&uprobes->events, places, &uprobes->functions));
  uprobes->tallies = sc_caught_new(&uprobes->events.caught, uprobes->functions.count);
  return uprobes->tallies ? 0 : SC_E_NOMEM;
}

/* ---- places ---- */

static int compare_uprobe_places(const void *left, const void *right)
{
  const sc_catch_place *a = left, *b = right;
  return strcmp(a->file, b->file) ?: SC_COMPARE(a->offset, b->offset);
}

/* Two names of one function are one count. */
static int check_distinct_places(const sc_uprobes *uprobes)
{
  for (size_t i = 1; i < uprobes->place_count; i++)
    if (compare_uprobe_places(&uprobes->places[i - 1], &uprobes->places[i]) == 0) {
      (void)sc_err_set(SC_E_INPUT, "%s: %s and %s are the same code in %s", uprobes->tallies ? "--probes" : "--uprobes",
                       uprobes->places[i - 1].name, uprobes->places[i].name, uprobes->places[i].file);
      return sc_err_hint(SC_E_INPUT, "choose one of them: its count has the calls by either name");
    }
  return 0;
}

static int make_places(sc_uprobes *uprobes)
{
  size_t count = 0;
  for (size_t i = 0; i < uprobes->functions.count; i++)
    count += uprobes->functions.list[i].entry_count;
  if (count > SC_UPROBES_MOST) {
    (void)sc_err_set(SC_E_USAGE, "%s %zu functions; at most %d are counted at once",
                     uprobes->tallies ? "--probes and --uprobes mean" : "--uprobes means", count, SC_UPROBES_MOST);
    return sc_err_hint(SC_E_USAGE, "choose fewer: of a C++ function with its parameters, 'add(int, int)', it is one");
  }
  SC_TRY(SC_NEW(uprobes->places, count));
  for (size_t i = 0; i < uprobes->functions.count; i++) {
    const sc_function *of = &uprobes->functions.list[i];
    for (size_t e = 0; e < of->entry_count; e++)
      uprobes->places[uprobes->place_count++] =
          (sc_catch_place){of->file, of->display, of->entries[e].offset, (uint32_t)i};
  }
  qsort(uprobes->places, uprobes->place_count, sizeof *uprobes->places, compare_uprobe_places);
  return check_distinct_places(uprobes);
}

static int find_all(finding *f, const char *names, const char *sets, const char *directory, sc_uprobes **out)
{
  sc_uprobes_place *places = NULL;
  int err;
  *out = NULL;
  SC_TRY(SC_NEW(f->uprobes, 1));
  SC_GOTO(open_uprobe_program(f, directory));
  if (names)
    SC_GOTO(find_names(f, names));
  if (sets)
    SC_GOTO(locate_events(f, sets, &places));
  for (size_t i = 0; i < f->object_count; i++)
    SC_GOTO(sc_inlined_look(f->objects[i], &f->uprobes->functions));
  if (sets)
    SC_GOTO(choose_events(f->uprobes, places));
  SC_GOTO(make_places(f->uprobes));
  *out = f->uprobes;
  f->uprobes = NULL;
out:
  for (size_t i = 0; i < f->object_count; i++)
    sc_object_close(f->objects[i]);
  free(f->objects);
  free(places);
  sc_uprobes_free(f->uprobes);
  return err;
}

int sc_uprobes_find(const char *names, const char *sets, const char *program, const char *directory, sc_uprobes **out)
{
  finding f = {.word = program};
  return find_all(&f, names, sets, directory, out);
}

int sc_uprobes_find_running(const char *names, const char *sets, pid_t process, sc_uprobes **out)
{
  finding f = {.running = process};
  SC_TRY(find_all(&f, names, sets, NULL, out));
  (*out)->how = SC_CATCH_APART | SC_CATCH_RUNNING;
  if ((*out)->tallies)
    sc_caught_set_running((*out)->tallies);
  return 0;
}
