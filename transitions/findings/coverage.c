/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The coverage at one size. Shares are of the sum of the parts and not of the total's own prediction, so that they
 * add up to all of it at any size. */
#include "transitions/findings/coverage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/findings/coverage_map.h"
#include "transitions/model/costs.h"
#include "transitions/model/tuning.h"

const char *sc_coverage_class_name(enum sc_coverage_class part)
{
  static const char *const names[] = {[SC_COVERAGE_FINDINGS] = "findings",   [SC_COVERAGE_LINEAR] = "linear",
                                      [SC_COVERAGE_UNDECIDED] = "undecided", [SC_COVERAGE_SMALL] = "small",
                                      [SC_COVERAGE_CONSTANT] = "constant",   [SC_COVERAGE_SUBLINEAR] = "sublinear",
                                      [SC_COVERAGE_OTHER] = "other",         [SC_COVERAGE_UNMODELLED] = "unmodelled",
                                      [SC_COVERAGE_UNCOUNTED] = "uncounted"};
  return names[part];
}

bool sc_coverage_enough(double share) { return share >= SC_COVERAGE_ENOUGH; }

/* Many places, or none in the source. */
static bool has_place(enum sc_coverage_class part_class)
{
  return part_class != SC_COVERAGE_FINDINGS && part_class != SC_COVERAGE_SMALL && part_class != SC_COVERAGE_UNCOUNTED;
}

/* What a location has of each part. */
typedef struct place {
  double sums[SC_COVERAGE_CLASSES];
  double most[SC_COVERAGE_CLASSES]; /* of one context */
  uint32_t context[SC_COVERAGE_CLASSES];
  bool seen, library; /* library: the user's call is the place instead; decided once, names are long */
} place;

typedef struct tally {
  const sc_analysis *analysis;
  const sc_coverage_assignment *list; /* [contexts] */
  enum sc_coverage_metric metric;
  double *models; /* [model_count] values at n */
  place *places;  /* [place_count] by location */
  size_t place_count;
  sc_coverage *out;
} tally;

static double coverage_value_of(const tally *t, uint32_t context)
{
  const sc_load *load = sc_analysis_load(t->analysis, context);
  sc_blend_part part = t->metric == SC_COVERAGE_COST ? sc_costs_part(load) : sc_costs_executions_part(load);
  return part.value > 0 ? part.value * t->models[part.model] : 0; /* treat 0 * infinity as 0 */
}

/* Places in a library are counted for the line of the program that calls it: that is where the reader can do
 * something. */
static void add_to_place(tally *t, enum sc_coverage_class part_class, uint32_t source, double value)
{
  const sc_graph *graph = t->analysis->graph;
  place *p = &t->places[sc_graph_location_of(graph, source)];
  if (!p->seen)
    p->library = sc_location_is_library(sc_graph_at(graph, source));
  p->seen = true;
  if (p->library)
    p = &t->places[sc_graph_location_of(graph, sc_graph_written(graph, source, NULL))];
  p->sums[part_class] += value;
  if (value <= p->most[part_class])
    return;
  p->most[part_class] = value;
  p->context[part_class] = source;
}

static void add_all(tally *t)
{
  sc_coverage_part *parts = t->out->parts;
  for (uint32_t c = 0; c < t->analysis->contexts; c++) {
    double value = sc_analysis_has(t->analysis, c) ? coverage_value_of(t, c) : 0;
    enum sc_coverage_class part_class = (enum sc_coverage_class)t->list[c].part_class;
    if (!(value > 0))
      continue;
    parts[part_class].value += value;
    if (has_place(part_class))
      add_to_place(t, part_class, t->list[c].source, value);
  }
  if (t->metric == SC_COVERAGE_COST)
    parts[SC_COVERAGE_UNCOUNTED].value += t->analysis->start;
}

/* Of growth beyond all numbers the first part, which is the findings' where they have any, is all there is. */
static void set_shares(sc_coverage *out)
{
  bool taken = false;
  for (int i = 0; i < SC_COVERAGE_CLASSES; i++)
    out->total += out->parts[i].value;
  for (int i = 0; i < SC_COVERAGE_CLASSES && out->total > 0; i++) {
    sc_coverage_part *part = &out->parts[i];
    part->share = isfinite(out->total) ? part->value / out->total : isinf(part->value) && !taken;
    taken |= isinf(part->value);
  }
}

static void set_places(const tally *t)
{
  for (int i = 0; i < SC_COVERAGE_CLASSES; i++) {
    sc_coverage_part *part = &t->out->parts[i];
    double most = 0;
    part->context = SC_COVERAGE_NOWHERE;
    for (size_t l = 0; l < t->place_count; l++)
      if (t->places[l].sums[i] > most) {
        most = t->places[l].sums[i];
        part->context = t->places[l].context[i];
      }
    if (part->context != SC_COVERAGE_NOWHERE)
      part->place_share = isfinite(t->out->total) ? most / t->out->total : part->share;
  }
}

static int keep_last(struct sc_coverage_map *map, enum sc_coverage_metric metric, const sc_analysis *analysis,
                     const sc_coverage *coverage)
{
  if (!map->last[metric])
    SC_TRY(SC_NEW(map->last[metric], 1));
  *map->last[metric] = *coverage;
  map->last_of[metric] = analysis;
  return 0;
}

/* The last answer is kept: report, page and JSON ask for the same size in turn. */
int sc_coverage_at(const sc_analysis *analysis, const sc_findings *findings, enum sc_coverage_metric metric, double n,
                   sc_coverage *out)
{
  int err = SC_E_NOMEM;
  *out = (sc_coverage){.n = n};
  struct sc_coverage_map *map = findings->coverage;
  if (!isfinite(n) || n <= 0)
    return sc_err_set(SC_E_INPUT, "the size to predict is %g, not a positive number", n);
  if (map->last_of[metric] == analysis && map->last[metric]->n == n) {
    *out = *map->last[metric];
    return 0;
  }
  tally t = {.analysis = analysis,
             .list = map->list[metric],
             .metric = metric,
             .models = sc_mem_new(analysis->model_count + 1, sizeof *t.models),
             .place_count = sc_graph_location_count(analysis->graph),
             .out = out};
  t.places = sc_mem_new(t.place_count, sizeof *t.places);
  if (!t.models || !t.places)
    goto out;
  for (size_t i = 0; i < analysis->model_count; i++)
    t.models[i] = sc_model_value(&analysis->models[i], n);
  add_all(&t);
  set_shares(out);
  set_places(&t);
  err = keep_last(map, metric, analysis, out);
out:
  free(t.models);
  free(t.places);
  return err;
}
