/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { SLOTS = 1024 };              /* a direct-mapped cache: some dozens of sizes are asked again and again */
enum { INTERVAL_BYTES = 64 << 20 }; /* of the intervals kept, of all sizes */

typedef struct slot {
  double n; /* 0: empty */
  bool has_cost, has_executions, has_interval;
  double cost, executions, most;
  sc_interval interval;
  sc_interval *models; /* [model_count] low < 0: not known; NULL: not kept at this size */
  size_t model_count;
} slot;

struct sc_sums {
  slot slots[SLOTS];
  size_t intervals; /* of all slots */
  struct sc_sums_largest largest;
};

sc_sums *sc_sums_new(void)
{
  sc_sums *sums = sc_mem_new(1, sizeof(sc_sums));
  if (sums)
    sums->largest.exact = -1;
  return sums;
}

void sc_sums_free(sc_sums *sums)
{
  for (size_t i = 0; sums && i < SLOTS; i++)
    free(sums->slots[i].models);
  free(sums);
}

void sc_sums_whole(sc_interval *executions)
{
  if (executions->high - executions->low >= 1)
    return;
  executions->value = round(executions->value);
  executions->low = executions->high = executions->value;
}

/* A direct-mapped cache by the bits of n: sweeps and bisections ask for the same sizes again and again, and a slot that
 * is taken by another size costs one prediction, never a wrong one. */
static slot *slot_at(const sc_analysis *a, double n)
{
  uint64_t bits;
  memcpy(&bits, &n, sizeof bits);
  slot *s = &a->sums->slots[bits * 0x9e3779b97f4a7c15u >> 54]; /* 10 bits: SLOTS */
  if (s->n != n) {
    a->sums->intervals -= s->model_count;
    free(s->models);
    *s = (slot){.n = n};
  }
  return s;
}

double *sc_sums_most(const sc_analysis *a, double n) { return &slot_at(a, n)->most; }

struct sc_sums_largest *sc_sums_largest(const sc_analysis *a) { return &a->sums->largest; }

double sc_sums_cost(const sc_analysis *a, double n)
{
  slot *s = slot_at(a, n);
  if (!s->has_cost)
    s->cost = sc_blend_value(&a->total, a->models, n);
  s->has_cost = true;
  return s->cost;
}

/* Makes room for the intervals of all models, unless others have taken it. */
static int keep_models(const sc_analysis *a, slot *s)
{
  sc_sums *sums = a->sums;
  if (s->model_count == a->model_count ||
      (sums->intervals - s->model_count + a->model_count) * sizeof *s->models > INTERVAL_BYTES)
    return 0;
  sc_interval *models = realloc(s->models, a->model_count * sizeof *models);
  if (!models)
    return sc_err_set(SC_E_NOMEM, "out of memory: intervals of %zu models", a->model_count);
  s->models = models;
  sums->intervals += a->model_count - s->model_count;
  for (; s->model_count < a->model_count; s->model_count++)
    models[s->model_count] = (sc_interval){.low = -1};
  return 0;
}

static int predict_model(const sc_analysis *a, slot *s, uint32_t model, sc_interval *out)
{
  sc_interval *kept = model < s->model_count ? &s->models[model] : NULL;
  if (kept && kept->low >= 0) {
    *out = *kept;
    return 0;
  }
  SC_TRY(sc_model_predict(&a->models[model], s->n, a->options.level, out));
  if (kept)
    *kept = *out;
  return 0;
}

int sc_sums_blend(const sc_analysis *a, const sc_blend *blend, double n, sc_interval *out)
{
  slot *s = slot_at(a, n);
  sc_blend_sum sum = {0};
  SC_TRY(keep_models(a, s));
  for (size_t i = 0; i < blend->count; i++) {
    sc_interval count;
    if (!sc_blend_counts(&blend->parts[i]))
      continue;
    SC_TRY(predict_model(a, s, blend->parts[i].model, &count));
    sc_blend_sum_add(&sum, &blend->parts[i], &count, 1);
  }
  *out = sc_blend_sum_interval(&sum);
  return 0;
}

int sc_sums_predict(const sc_analysis *a, double n, sc_interval *out)
{
  slot *s = slot_at(a, n);
  if (!s->has_interval)
    SC_TRY(sc_sums_blend(a, &a->total, n, &s->interval));
  if (!s->has_interval && !a->sampled)
    sc_sums_whole(&s->interval);
  s->has_interval = true;
  *out = s->interval;
  return 0;
}

double sc_sums_executions(const sc_analysis *a, double n)
{
  slot *s = slot_at(a, n);
  if (!s->has_executions)
    s->executions = sc_blend_value(&a->executions, a->models, n);
  s->has_executions = true;
  return s->executions;
}
