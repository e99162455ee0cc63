/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which context each sample belongs to; those that fit several are shared by their counts. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/sampler/match.h"
#include "runner/sampler/phase.h"
#include "runner/sampler/rest.h"
#include "runner/sampler/unwind.h"

/*
 * Time spent in library functions whose work is counted, charged to that work: by the function's name where the library
 * has it, else (the C library picks its string functions by the processor, and they bear no names) in proportion to the
 * work that the calls of a context did in the run.
 */
typedef struct sc_sampler_work {
  const sc_graph *graph;
  size_t run;
  double *some; /* [context] cost of calls there that nobody can name; NULL before the first */
  uint32_t count;
} sc_sampler_work;

static bool is_work(const sc_sampler_work *work, uint32_t context)
{
  return sc_graph_at(work->graph, context)->kind == SC_LOCATION_WORK;
}

static double sample_units(const sc_sampler_work *work, uint32_t context)
{
  const sc_location *at = sc_graph_at(work->graph, context);
  double count = sc_graph_value(work->graph, work->run, context, SC_METRIC_COUNT);
  return count * sc_location_weight(at);
}

/* The functions that the runtime calls in place of a library's bear its name behind this. */
static const char INSTEAD[] = "__scale_work_";

/* Charges a sample in code called from `context`, by way of the function `name` ("" if unknown), to the work of that
 * name, or to the context itself: adds to costs[context]. */
static int charge_work(sc_sampler_work *work, uint32_t context, const char *name, double cost, double *costs)
{
  bool any = false;
  if (strncmp(name, INSTEAD, sizeof INSTEAD - 1) == 0)
    name = "";
  for (uint32_t c = sc_graph_first_child(work->graph, context); c; c = sc_graph_next_sibling(work->graph, c)) {
    if (!is_work(work, c) || sample_units(work, c) <= 0)
      continue;
    any = true;
    if (*name && strcmp(sc_graph_at(work->graph, c)->name, name) == 0) {
      costs[c] += cost;
      return 0;
    }
  }
  if (*name || !any) {
    costs[context] += cost;
    return 0;
  }
  if (!work->some) {
    work->count = sc_graph_context_count(work->graph);
    SC_TRY(SC_NEW(work->some, work->count));
  }
  work->some[context] += cost;
  return 0;
}

static void share_context(const sc_sampler_work *work, uint32_t context, double *costs)
{
  double all = 0;
  for (uint32_t c = sc_graph_first_child(work->graph, context); c; c = sc_graph_next_sibling(work->graph, c))
    all += is_work(work, c) ? sample_units(work, c) : 0;
  for (uint32_t c = sc_graph_first_child(work->graph, context); c; c = sc_graph_next_sibling(work->graph, c))
    if (is_work(work, c))
      costs[c] += work->some[context] * sample_units(work, c) / all;
}

/* Shares out what could not be named, once all samples are charged: adds to costs[context]. */
static void share_work(sc_sampler_work *work, double *costs)
{
  for (uint32_t c = 0; c < work->count; c++)
    if (work->some[c] > 0)
      share_context(work, c, costs);
}

static void free_work(sc_sampler_work *work)
{
  free(work->some);
  *work = (sc_sampler_work){0};
}

/* Everything one pass over the spool needs. */
typedef struct pass {
  sc_sampler_images *images;
  sc_sampler_symbols *symbols;
  sc_sampler_matcher *matcher;
  sc_sampler_chain chain;
  uint32_t *frames; /* outermost first */
  size_t *levels;   /* of each frame, its number in the chain */
  size_t frame_room, level_room;
  double *cost; /* [context] */
  sc_sampler_work work;
  sc_sampler_rest rest;
  uint64_t samples, unmatched;
} pass;

static int chain_frames(pass *self, const sc_sampler_image *image, size_t *count)
{
  *count = 0;
  for (size_t i = self->chain.count; i-- > 0;) {
    const sc_sampler_map *map = sc_sampler_unwind_map(image, self->chain.pcs[i]);
    const sc_sampler_place_frames *place = NULL;
    if (map)
      SC_TRY(sc_sampler_symbols_find(self->symbols, map, self->chain.pcs[i], &place));
    if (!place)
      continue;
    SC_TRY(sc_mem_grow(&self->frames, &self->frame_room, *count + place->count, sizeof *self->frames));
    SC_TRY(sc_mem_grow(&self->levels, &self->level_room, *count + place->count, sizeof *self->levels));
    for (uint32_t j = 0; j < place->count; j++) {
      self->levels[*count] = i;
      self->frames[(*count)++] = place->ids[j];
    }
  }
  return 0;
}

/* Charges the context whose code the sample is in, or the work of a library's function called there. */
static int charge_sample(pass *self, const sc_sampler_match *match, size_t count, double cost)
{
  size_t level = match->matched ? self->levels[match->frame] : 0, next = match->frame + 1;
  if (!level) {
    self->cost[match->context] += cost;
    return 0;
  }
  bool known = next < count && self->levels[next] == level - 1;
  const char *called = known ? sc_sampler_symbols_frame(self->symbols, self->frames[next])->name : "";
  return charge_work(&self->work, match->context, called, cost, self->cost);
}

/* What the sample stands for: ns or events. Of tasks that are sampled by the clock from their start. */
static int weigh_sample(pass *self, const sc_sampler *sampler, const sc_sampler_sample *sample, double *value)
{
  uint32_t number;
  *value = (double)sample->period;
  SC_TRY(sc_sampler_rest_count(&self->rest, sample->tid, &number));
  if (sampler->event.clock && sample->period == sampler->event.attr.sample_period)
    *value *= sc_sampler_phase_weight(number, (double)sample->period / (double)sampler->period);
  sc_sampler_rest_note(&self->rest, *value, sampler->event.clock ? 0 : sample->period);
  return 0;
}

static int attribute_sample(pass *self, const sc_sampler *sampler, const sc_sampler_sample *sample, double unit)
{
  double value;
  sc_sampler_match match = {0, false, 0};
  size_t count = 0;
  sc_sampler_image *image = sc_sampler_images_find(self->images, sample->pid, sample->time);
  if (image) {
    SC_TRY(sc_sampler_unwind_sample(image, sample, &self->chain));
    SC_TRY(chain_frames(self, image, &count));
    SC_TRY(sc_sampler_matcher_find(self->matcher, image->exe, self->frames, count, self->chain.complete, &match));
  }
  self->samples++;
  self->unmatched += !match.matched;
  SC_TRY(weigh_sample(self, sampler, sample, &value));
  return charge_sample(self, &match, count, value * unit);
}

static double sample_unit_of(const sc_sampler *sampler) { return sampler->event.clock ? 1e-9 : 1; }

/* What the samples should add up to. A clock runs on in the kernel even where only user mode may be sampled (or the
 * other way round): then its part of the processor time that the kernel accounted for the run. */
static double sample_expected(const sc_sampler *sampler, const sc_run *about)
{
  const struct perf_event_attr *attr = &sampler->event.attr;
  double counted = (double)sc_sampler_counted(sampler), all = sc_run_processor(about);
  if (!sampler->event.clock || (!attr->exclude_kernel && !attr->exclude_user))
    return counted;
  return all > 0 ? counted * (attr->exclude_kernel ? about->user_seconds : about->system_seconds) / all : 0;
}

static int attribute_all(sc_sampler *sampler, pass *self)
{
  const struct perf_event_header *record;
  double unit = sample_unit_of(sampler);
  int more;
  SC_TRY(sc_sampler_spool_rewind(sampler));
  while ((more = sc_sampler_spool_next(sampler, &record)) > 0) {
    sc_sampler_sample sample;
    if (sc_sampler_record_sample(record, &sample))
      SC_TRY(attribute_sample(self, sampler, &sample, unit));
  }
  return more;
}

int sc_sampler_attribute(sc_sampler *sampler, sc_graph *graph, size_t run)
{
  int err;
  uint32_t contexts = sc_graph_context_count(graph);
  pass *self;
  SC_TRY(SC_NEW(self, 1));
  if (!(self->cost = sc_mem_new(contexts, sizeof *self->cost))) {
    err = SC_E_NOMEM;
    goto out;
  }
  SC_GOTO(sc_sampler_images_new(sampler, &self->images));
  SC_GOTO(sc_sampler_symbols_new(&self->symbols));
  SC_GOTO(sc_sampler_matcher_new(graph, run, self->symbols, &self->matcher));
  self->work = (sc_sampler_work){.graph = graph, .run = run};
  SC_GOTO(attribute_all(sampler, self));
  share_work(&self->work, self->cost);
  sc_run *about = sc_graph_run(graph, run);
  sc_sampler_rest_charge(&self->rest, graph, sample_expected(sampler, about), sample_unit_of(sampler), self->cost);
  for (uint32_t i = 0; i < contexts; i++)
    if (self->cost[i] > 0)
      SC_GOTO(sc_graph_add(graph, run, i, SC_METRIC_COST, self->cost[i]));
  about->samples = self->samples;
  about->samples_unmatched = self->unmatched;
  about->samples_lost = sampler->lost;
  strcpy(about->cost_event, sampler->event.name); /* both 64 bytes */
out:
  sc_sampler_rest_free(&self->rest);
  sc_sampler_matcher_free(self->matcher);
  sc_sampler_symbols_free(self->symbols);
  sc_sampler_images_free(self->images);
  free_work(&self->work);
  free(self->frames);
  free(self->levels);
  free(self->cost);
  free(self);
  return err;
}
