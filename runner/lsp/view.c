/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/lsp/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/sort.h"
#include "runner/text/tuning.h"

typedef struct entry {
  uint32_t location, context;
  double count; /* at the horizon */
} entry;

static int by_view_count(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  return SC_COMPARE(y->count, x->count) ?: SC_COMPARE(x->context, y->context);
}

static int by_view_place(const void *a, const void *b)
{
  const sc_spot *x = a, *y = b;
  return strcmp(x->at->file, y->at->file) ?: SC_COMPARE(x->at->line, y->at->line) ?:
         SC_COMPARE(x->at->column, y->at->column) ?: SC_COMPARE(x->contexts, y->contexts);
}

/* Calls of library functions are everywhere: those that go over as much at every size are not worth a line. */
static bool view_grows(const sc_judge *judge, uint32_t context)
{
  const sc_model *model = sc_analysis_model(judge->loaded.analysis, context);
  return model->verdict == SC_VERDICT_MODEL &&
         (model->order.exponent > 0 || model->order.log_exponent > 0 || model->order.base > 0);
}

static bool view_is_shown(const sc_judge *judge, uint32_t context)
{
  const sc_location *at = sc_graph_at(judge->loaded.graph, context);
  return sc_location_is_counted(at) && *at->file && at->line && sc_analysis_in_scope(judge->loaded.analysis, context) &&
         (at->kind != SC_LOCATION_WORK || view_grows(judge, context));
}

/* What contexts come to at the horizon: once for those that are predicted alike. */
typedef struct likeness {
  bool known;
  sc_interval count, cost;
} likeness;

static int predict_entry(const sc_view *view, uint32_t context, likeness *alike, const likeness **out)
{
  const sc_analysis *analysis = view->judge->loaded.analysis;
  likeness *one = &alike[sc_analysis_like(analysis, context)];
  *out = one;
  if (one->known)
    return 0;
  SC_TRY(sc_analysis_count(analysis, context, view->horizon, &one->count));
  SC_TRY(sc_analysis_cost(analysis, context, view->horizon, &one->cost));
  one->known = true;
  return 0;
}

static int list_entries(const sc_view *view, likeness *alike, entry *entries, uint32_t *count)
{
  const sc_judge *judge = view->judge;
  for (uint32_t c = 1; c < sc_graph_context_count(judge->loaded.graph); c++) {
    const likeness *one;
    if (!view_is_shown(judge, c))
      continue;
    SC_TRY(predict_entry(view, c, alike, &one));
    entries[(*count)++] = (entry){sc_graph_location_of(judge->loaded.graph, c), c, one->count.value};
  }
  return 0;
}

/* By location, and there by count: those of a location are together in memory then. */
static void sort_entries(entry *entries, uint32_t count)
{
  sc_sort_by(entries, count, sizeof *entries, offsetof(entry, location));
  for (uint32_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && entries[end].location == entries[i].location; end++)
      ;
    qsort(entries + i, end - i, sizeof *entries, by_view_count);
  }
}

static int make_spots(sc_view *view, likeness *alike, const entry *entries, uint32_t count)
{
  sc_interval total;
  SC_TRY(sc_analysis_total(view->judge->loaded.analysis, view->horizon, &total));
  for (uint32_t i = 0; i < count; i++) {
    const likeness *one;
    sc_spot *spot = &view->spots[view->spot_count];
    if (i == 0 || entries[i].location != entries[i - 1].location) {
      spot = &view->spots[view->spot_count++];
      *spot = (sc_spot){.at = sc_graph_at(view->judge->loaded.graph, entries[i].context),
                        .contexts = &view->contexts[i],
                        .trouble_from = NAN};
    } else {
      spot--;
    }
    view->contexts[i] = entries[i].context;
    spot->context_count++;
    SC_TRY(predict_entry(view, entries[i].context, alike, &one));
    sc_interval_add(&spot->count, &one->count);
    sc_interval_add(&spot->cost, &one->cost);
    spot->share = total.value > 0 ? fmin(1, spot->cost.value / total.value) : 0;
  }
  return 0;
}

static int make_files(sc_view *view)
{
  qsort(view->spots, view->spot_count, sizeof *view->spots, by_view_place);
  view->paths = sc_mem_new(view->spot_count, sizeof *view->paths);
  view->files = sc_mem_new(view->spot_count, sizeof *view->files);
  if (!view->paths || !view->files)
    return SC_E_NOMEM;
  for (uint32_t i = 0; i < view->spot_count; i++) {
    if (i == 0 || strcmp(view->spots[i].at->file, view->spots[i - 1].at->file) != 0) {
      view->paths[view->file_count] = view->spots[i].at->file;
      view->files[view->file_count++] = (sc_view_file){.spots = &view->spots[i]};
    }
    view->files[view->file_count - 1].count++;
  }
  return 0;
}

static const char *trouble_of(enum sc_rule rule, enum sc_resource_role role)
{
  switch (rule) {
  case SC_RULE_CONTENTION:
    return role == SC_ROLE_WAITS ? "waits" : role == SC_ROLE_HOLDS ? "makes others wait" : NULL;
  case SC_RULE_INEFFICIENT_POLICY:
    return role == SC_ROLE_HOLDS ? "holds long, uses rarely" : NULL;
  case SC_RULE_INSUFFICIENT_ALLOCATION:
    return role == SC_ROLE_WAITS || role == SC_ROLE_FAILS ? "finds too few units" : NULL;
  case SC_RULE_UNBOUNDED_GROWTH:
    return role == SC_ROLE_KEEPS || role == SC_ROLE_ACQUIRES ? "holds more and more" : NULL;
  case SC_RULE_LEAK:
    return role == SC_ROLE_KEEPS ? "leaks" : NULL;
  case SC_RULE_INCONSISTENT_STATE:
    return role == SC_ROLE_FAILS ? "fails" : NULL;
  default:
    return NULL;
  }
}

/* The function that a site stands in. */
static sc_spot *spot_of(sc_view *view, uint32_t context)
{
  const sc_graph *graph = view->judge->loaded.graph;
  while (context && sc_graph_at(graph, context)->kind != SC_LOCATION_FUNCTION)
    context = sc_graph_parent(graph, context);
  for (uint32_t i = 0; context && i < view->spot_count; i++)
    if (view->spots[i].at == sc_graph_at(graph, context))
      return &view->spots[i];
  return NULL;
}

static const char *along_of(const sc_view *view, const sc_resource_finding *f)
{
  size_t along;
  const sc_workload *workload = sc_judge_beside(view->judge, f, &along)->loaded.workload;
  return along == SIZE_MAX ? workload->parameter : workload->others[along].name;
}

/* Findings are ranked, and who waits comes before who holds: the first one stays. */
static void mark_trouble(sc_view *view)
{
  size_t count = 0;
  const sc_resource_finding *findings =
      view->judge->resources ? sc_resources_findings(view->judge->resources, &count) : NULL;
  for (size_t i = 0; i < count; i++)
    for (enum sc_resource_role turn = SC_ROLE_FAILS + 1; turn-- > SC_ROLE_ACQUIRES;)
      for (size_t s = 0; s < findings[i].site_count; s++) {
        const sc_resource_site *site = &findings[i].sites[s];
        const char *trouble = trouble_of(findings[i].rule, site->role);
        sc_spot *spot =
            trouble && site->role == turn && site->share >= SC_LSP_SITE ? spot_of(view, site->context) : NULL;
        if (!spot || spot->trouble || !isfinite(findings[i].emergence.value))
          continue;
        spot->trouble = trouble;
        spot->trouble_from = findings[i].emergence.value;
        spot->trouble_along = along_of(view, &findings[i]);
        spot->resource = findings[i].resource;
      }
}

int sc_view_make(const sc_judge *judge, sc_view *view)
{
  uint32_t contexts = sc_graph_context_count(judge->loaded.graph), count = 0;
  int err = SC_E_NOMEM;
  *view = (sc_view){.judge = judge, .horizon = sc_analysis_horizon(judge->loaded.analysis)};
  entry *entries = sc_mem_new(contexts, sizeof *entries);
  likeness *alike = sc_mem_new(sc_analysis_likes(judge->loaded.analysis), sizeof *alike);
  view->contexts = sc_mem_new(contexts, sizeof *view->contexts);
  view->spots = sc_mem_new((size_t)contexts + 1, sizeof *view->spots);
  if (!entries || !alike || !view->contexts || !view->spots)
    goto out;
  SC_GOTO(list_entries(view, alike, entries, &count));
  sort_entries(entries, count);
  SC_GOTO(make_spots(view, alike, entries, count));
  SC_GOTO(make_files(view));
  mark_trouble(view);
out:
  free(entries);
  free(alike);
  return err;
}

void sc_view_free(sc_view *view)
{
  free(view->contexts);
  free(view->spots);
  free(view->paths);
  free(view->files);
  *view = (sc_view){0};
}
