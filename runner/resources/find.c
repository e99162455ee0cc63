/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/find.h"

#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "profiles/graph/shorten.h"
#include "runner/resources/finding.h"
#include "runner/resources/words.h"

enum { CANDIDATES = 6 };

/* Names of all resources as people see them. */
typedef struct names {
  char **list;
  uint32_t count;
} names;

static int make_names(const sc_graph *graph, names *out)
{
  out->count = sc_usage_resource_count(graph);
  SC_TRY(SC_NEW(out->list, out->count));
  for (uint32_t i = 0; i < out->count; i++) {
    sc_buf name = {0};
    sc_resource_words_name(sc_usage_resource_at(graph, i), &name);
    SC_TRY(sc_buf_finish(&name));
    out->list[i] = sc_buf_take(&name);
  }
  return 0;
}

static void free_names(names *all)
{
  for (uint32_t i = 0; all->list && i < all->count; i++)
    free(all->list[i]);
  free(all->list);
}

static bool resource_matches(const sc_graph *graph, const names *all, uint32_t i, const char *text, bool whole)
{
  if (sc_resource_class_blocks(
          sc_usage_resource_at(graph, i)->resource_class)) /* calls of the system: not a resource */
    return false;
  if (!whole)
    return strstr(all->list[i], text) != NULL;
  return strcmp(sc_usage_resource_at(graph, i)->name, text) == 0 || strcmp(all->list[i], text) == 0;
}

/* How many match; the first of them in *number. */
static uint32_t count_matches(const sc_graph *graph, const names *all, const char *text, bool whole, uint32_t *number)
{
  uint32_t count = 0;
  for (uint32_t i = all->count; i-- > 0;)
    if (resource_matches(graph, all, i, text, whole)) {
      *number = i;
      count++;
    }
  return count;
}

static int refuse_ambiguous_resource(const sc_graph *graph, const names *all, const char *text, bool whole,
                                     uint32_t count)
{
  sc_buf list = {0};
  uint32_t shown = 0;
  for (uint32_t i = 0; i < all->count && shown < CANDIDATES; i++)
    if (resource_matches(graph, all, i, text, whole))
      sc_buf_printf(&list, "%s\"%s\", %s", shown++ ? "; " : "", all->list[i],
                    sc_resource_class_name(sc_usage_resource_at(graph, i)->resource_class));
  if (shown < count)
    sc_buf_printf(&list, "; and %u more", count - shown);
  (void)sc_err_set(SC_E_USAGE, "\"%.80s\" can mean %u resources", text, count);
  if (sc_buf_finish(&list) == 0)
    (void)sc_err_hint(SC_E_USAGE, "name one of them: %s", list.text);
  sc_buf_free(&list);
  return SC_E_USAGE;
}

static int refuse_unknown_resource(const sc_graph *graph, const names *all, const char *text)
{
  const char *best = NULL;
  unsigned distance = 100;
  bool waits = false;
  for (uint32_t i = 0; i < all->count; i++) {
    const sc_resource *resource = sc_usage_resource_at(graph, i);
    if (!sc_resource_class_blocks(resource->resource_class))
      sc_suggest_consider(text, resource->name, &best, &distance);
    else
      waits = waits || strcmp(resource->name, text) == 0;
  }
  (void)sc_err_set(SC_E_USAGE, "the study has no resource \"%.80s\"", text);
  if (waits)
    return sc_err_hint(SC_E_USAGE, "it is what calls wait for: `scale-run ask --of waiting` predicts how long");
  if (best && sc_suggest_near(text, distance))
    return sc_err_hint(SC_E_USAGE, "did you mean \"%s\"?", best);
  return sc_err_hint(SC_E_USAGE, "`scale-run report --resources` lists what there is");
}

/* The resource that is called so, or (not `whole`) whose name has it in it. 1: found, 0: not. */
static int find_among_names(const sc_graph *graph, const names *all, const char *text, bool whole, uint32_t *number)
{
  uint32_t count = count_matches(graph, all, text, whole, number);
  return count > 1 ? refuse_ambiguous_resource(graph, all, text, whole, count) : (int)count;
}

int sc_resource_find(const sc_graph *graph, const char *text, uint32_t *number)
{
  names all = {0};
  int found = make_names(graph, &all) ?: find_among_names(graph, &all, text, true, number)
              ?: find_among_names(graph, &all, text, false, number)
              ?: refuse_unknown_resource(graph, &all, text);
  free_names(&all);
  return found < 0 ? found : 0;
}

/* ---- what calls in one function do to it: "heap of put (cache.c:80)" ---- */

/* "heap of put", "heap of put (cache.c:80)" and "heap of put (cache.c:80), in main > serve > put". */
enum { FORMS = 3 };
typedef struct forms {
  char *text[FORMS];
} forms;

static int make_forms(const sc_graph *graph, const sc_resource_spot *spot, forms *out)
{
  sc_buf text[FORMS] = {0};
  int err = 0;
  sc_resource_words_name(sc_usage_resource_at(graph, spot->resource), &text[0]);
  sc_buf_puts(&text[0], " of ");
  sc_shorten_name(sc_graph_at(graph, sc_graph_written(graph, spot->context, NULL))->display, &text[0]);
  sc_resource_words_spot(graph, spot, &text[1]);
  sc_resource_words_name(sc_usage_resource_at(graph, spot->resource), &text[2]);
  sc_buf_puts(&text[2], " of ");
  sc_resource_words_place(graph, spot->context, spot->line, spot->column, &text[2]);
  for (int i = 0; i < FORMS; i++) {
    err = err ?: sc_buf_finish(&text[i]);
    out->text[i] = sc_buf_take(&text[i]);
  }
  return err;
}

static void free_forms(forms *of)
{
  for (int i = 0; i < FORMS; i++)
    free(of->text[i]);
}

/* What the worst finding of this name is about. 1: found, 0: not. */
static int find_among_findings(const sc_judge *judge, const char *text, sc_resource_spot *spot)
{
  size_t count;
  int found = 0;
  const sc_resource_finding *list = sc_resources_findings(judge->resources, &count);
  for (size_t i = 0; i < count && !found; i++) {
    const sc_resource_finding *f = &list[i];
    sc_buf name = {0};
    sc_resource_finding_name(judge, f, &name);
    int err = sc_buf_finish(&name);
    found = err < 0 ? err : strcmp(name.text, text) == 0;
    sc_buf_free(&name);
    if (found > 0)
      *spot = f->servers > 0 ? sc_resources_whole(f->resource)
                             : (sc_resource_spot){f->resource, f->context, f->line, f->column};
  }
  return found;
}

static int refuse_ambiguous_spot(const char *text, sc_buf *list, uint32_t count)
{
  (void)sc_err_set(SC_E_USAGE, "\"%.80s\" can mean what %u calls do", text, count);
  if (count > CANDIDATES)
    sc_buf_printf(list, "; and %u more", count - CANDIDATES);
  if (sc_buf_finish(list) == 0)
    (void)sc_err_hint(SC_E_USAGE, "name one of them: %s", list->text);
  return SC_E_USAGE;
}

/* 1: found, 0: not. Where all forms of two names are equal the first is taken. */
static int find_among_spots(const sc_judge *judge, const char *text, sc_resource_spot *spot)
{
  const sc_graph *graph = judge->loaded.graph;
  sc_resource_spot one;
  sc_buf list = {0};
  char *first = NULL;
  uint32_t count = 0;
  int err = 0;
  for (size_t i = 0; err == 0 && sc_resources_spot(judge->resources, i, &one); i++) {
    forms of = {0};
    const char *name = sc_usage_resource_at(graph, one.resource)->name;
    if (strncmp(name, text, strlen(name)) != 0)
      continue;
    err = make_forms(graph, &one, &of);
    bool fits = false;
    for (int k = 0; err == 0 && k < FORMS; k++)
      fits = fits || strcmp(of.text[k], text) == 0;
    if (fits && !(first && strcmp(first, of.text[FORMS - 1]) == 0)) {
      if (count++ < CANDIDATES)
        sc_buf_printf(&list, "%s\"%s\"", list.length ? "; " : "", of.text[FORMS - 1]);
      if (!first) {
        *spot = one;
        first = of.text[FORMS - 1];
        of.text[FORMS - 1] = NULL;
      }
    }
    free_forms(&of);
  }
  if (err == 0)
    err = count > 1 ? refuse_ambiguous_spot(text, &list, count) : (int)count;
  free(first);
  sc_buf_free(&list);
  return err;
}

int sc_resource_find_spot(const sc_judge *judge, const char *text, sc_resource_spot *spot)
{
  const sc_graph *graph = judge->loaded.graph;
  names all = {0};
  *spot = sc_resources_whole(0);
  int found = make_names(graph, &all) ?: find_among_names(graph, &all, text, true, &spot->resource);
  if (judge->resources)
    found = found ?: find_among_findings(judge, text, spot) ?: find_among_spots(judge, text, spot);
  found = found ?: find_among_names(graph, &all, text, false, &spot->resource)
          ?: refuse_unknown_resource(graph, &all, text);
  free_names(&all);
  return found < 0 ? found : 0;
}

static double waited_at_largest(const sc_judge *judge, uint32_t resource)
{
  const sc_graph *graph = judge->loaded.graph;
  double low, high, seconds = 0;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    size_t count;
    const sc_usage *rows = sc_usage_rows(graph, run, &count);
    for (size_t i = 0; sc_graph_run_const(graph, run)->n == high && i < count; i++)
      seconds += rows[i].resource == resource ? rows[i].values[SC_USAGE_WAIT_SECONDS] : 0;
  }
  return seconds;
}

int sc_resource_find_worst(const sc_judge *judge, uint32_t *number)
{
  const sc_graph *graph = judge->loaded.graph;
  double most = 0;
  size_t count = 0;
  for (uint32_t i = 0; i < sc_usage_resource_count(graph); i++) {
    const sc_resource *resource = sc_usage_resource_at(graph, i);
    bool idle = resource->idle || resource->resource_class == SC_RESOURCE_CONDITION ||
                resource->resource_class == SC_RESOURCE_BARRIER || resource->resource_class == SC_RESOURCE_THREAD;
    double waited = idle ? 0 : waited_at_largest(judge, i);
    if (waited <= most)
      continue;
    most = waited;
    *number = i;
  }
  const sc_resource_finding *findings = judge->resources ? sc_resources_findings(judge->resources, &count) : NULL;
  if (most > 0)
    return 0;
  if (count) {
    *number = findings[0].resource;
    return 0;
  }
  (void)sc_err_set(SC_E_INPUT, "nobody waits for anything in %s, and no resource has a finding", judge->study);
  return sc_err_hint(SC_E_INPUT, "`scale-run report --resources` lists what was recorded");
}
