/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/uprobes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "instrument/attach/catch.h"
#include "runner/process/identity.h"
#include "runner/process/modules.h"
#include "runner/process/seen.h"

int sc_uprobes_attach(sc_uprobes *uprobes)
{
  if (uprobes->caught)
    return 0;
  return sc_catch_open(uprobes->places, uprobes->place_count, uprobes->functions.count, uprobes->events.captures,
                       uprobes->how, &uprobes->caught);
}

int sc_uprobes_try(void)
{
  static const char self[] = "/proc/self/exe";
  sc_catch_place place = {.file = self, .name = "_start"};
  sc_object *object = NULL;
  sc_catch *caught = NULL;
  int err = sc_object_open(self, &object);
  if (err == 0 && !sc_object_start(object, &place.offset))
    err = sc_err_set(SC_E_UNSUPPORTED, "this program's own file has no first instruction");
  if (err == 0)
    err = sc_catch_open(&place, 1, 1, NULL, 0, &caught);
  sc_catch_close(caught);
  sc_object_close(object);
  return err;
}

void sc_uprobes_detach(sc_uprobes *uprobes)
{
  sc_catch_close(uprobes->caught);
  uprobes->caught = NULL;
}

int sc_uprobes_begin(sc_uprobes *uprobes, pid_t process)
{
  SC_TRY(sc_uprobes_attach(uprobes));
  sc_catch_end(uprobes->caught); /* of a run that failed */
  if (uprobes->tallies)
    sc_caught_clear(uprobes->tallies);
  return sc_catch_begin(uprobes->caught, process, uprobes->tallies ? sc_caught_take : NULL, uprobes->tallies);
}

/* ---- what was counted ---- */

typedef struct collection {
  const sc_functions *functions;
  const double *scale; /* [functions], or NULL */
  sc_graph *graph;
  size_t run;
  char **images; /* by their numbers */
  size_t image_count, image_room;
} collection;

static sc_location locate_function(const sc_function *function)
{
  return (sc_location){.kind = SC_LOCATION_FUNCTION,
                       .local = function->local,
                       .name = function->name,
                       .file = function->source,
                       .line = function->line};
}

static int intern_context(const collection *c, const char *image, uint32_t function, uint32_t *context)
{
  const sc_location process = {.kind = SC_LOCATION_PROCESS, .name = image};
  const sc_location counted = locate_function(&c->functions->list[function]);
  uint32_t location, role;
  SC_TRY(sc_graph_location(c->graph, &process, &location));
  SC_TRY(sc_graph_context(c->graph, 0, location, &role));
  SC_TRY(sc_graph_location(c->graph, &counted, &location));
  return sc_graph_context(c->graph, role, location, context);
}

static int add_calls(void *user, const char *image, uint32_t function, uint64_t calls)
{
  const collection *c = user;
  uint32_t context;
  SC_TRY(intern_context(c, image, function, &context));
  double scale = c->scale ? c->scale[function] : 1;
  return sc_graph_add(c->graph, c->run, context, SC_METRIC_COUNT,
                      scale == 1 ? (double)calls : round(scale * (double)calls));
}

/* ---- what was caught ---- */

static int note_image(void *user, uint32_t number, const char *name)
{
  collection *c = user;
  SC_TRY(sc_mem_grow_zeroed(&c->images, &c->image_room, number + 1, sizeof *c->images));
  c->image_count = number >= c->image_count ? number + 1 : c->image_count;
  c->images[number] = sc_mem_copy_string(name);
  return c->images[number] ? 0 : SC_E_NOMEM;
}

static int find_context(void *user, uint32_t image, uint32_t function, uint32_t *context)
{
  const collection *c = user;
  const char *name = image < c->image_count && c->images[image] ? c->images[image] : "?";
  return intern_context(c, name, function, context);
}

static int collect_events(sc_uprobes *uprobes, collection *c)
{
  if (!uprobes->tallies)
    return 0;
  int err = sc_catch_images(uprobes->caught, note_image, c);
  err = err ?: sc_caught_add(uprobes->tallies, c->graph, c->run, find_context, c);
  for (size_t i = 0; i < c->image_count; i++)
    free(c->images[i]);
  free(c->images);
  return err;
}

/* A count that may be too small is never shown as whole. */
static void add_doubt(const sc_function *function, sc_buf *seen)
{
  char what[64];
  if (function->inlined)
    snprintf(what, sizeof what, function->inlined == 1 ? "at 1 place" : "at %u places", function->inlined);
  else
    snprintf(what, sizeof what, "%s", function->split ? "in part" : "no debug information");
  if (function->inlined || (function->split && !function->described))
    sc_seen_add(&seen[SC_SEEN_INLINED], what, function->name, function->file, 0);
  else if (!function->described)
    sc_seen_add(&seen[SC_SEEN_UNDESCRIBED], what, function->name, function->file, 0);
}

static int note_counted_file(const char *path, sc_execute_result *result)
{
  sc_module module = {.path = path};
  (void)sc_identity_read(path, module.build_id); /* gone: it stays without identity */
  return sc_modules_add(&module, result);
}

int sc_uprobes_collect(sc_uprobes *uprobes, sc_graph *graph, size_t run, sc_execute_result *result)
{
  collection c = {.functions = &uprobes->functions, .scale = uprobes->scale, .graph = graph, .run = run};
  const sc_catch_place *places = uprobes->places;
  sc_catch_totals totals;
  SC_TRY(sc_catch_take(uprobes->caught, &totals, add_calls, &c));
  SC_TRY(collect_events(uprobes, &c));
  for (size_t i = 0; i < uprobes->place_count; i++)
    if (i == 0 || strcmp(places[i].file, places[i - 1].file) != 0)
      SC_TRY(note_counted_file(places[i].file, result));
  for (size_t i = 0; i < uprobes->functions.count; i++)
    add_doubt(&uprobes->functions.list[i], result->seen);
  sc_run *of = sc_graph_run(graph, run);
  of->processes = totals.processes;
  of->threads = totals.threads;
  of->lost_processes = totals.lost;
  of->lost_events = totals.untold + (uprobes->tallies ? sc_caught_lost(uprobes->tallies) : 0);
  sc_buf_puts(&result->seen[SC_SEEN_UNCAUGHT], uprobes->events.uncaught.length ? uprobes->events.uncaught.text : "");
  sc_modules_set_build(result, of);
  return 0;
}

bool sc_uprobes_was_called(const sc_function *function, const sc_graph *graph)
{
  for (uint32_t i = 0; i < sc_graph_location_count(graph); i++) {
    const sc_location *location = sc_graph_location_at(graph, i);
    if (location->kind == SC_LOCATION_FUNCTION && location->local == function->local &&
        strcmp(location->name, function->name) == 0 &&
        (!function->local || strcmp(location->file, function->source) == 0))
      return true;
  }
  return false;
}

void sc_uprobes_free(sc_uprobes *uprobes)
{
  if (!uprobes)
    return;
  sc_uprobes_detach(uprobes);
  sc_caught_free(uprobes->tallies);
  sc_uprobes_events_free(&uprobes->events);
  sc_functions_free(&uprobes->functions);
  free(uprobes->places);
  free(uprobes->scale);
  free(uprobes);
}
