/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { SLOTS = 1024 }; /* a direct-mapped cache: some dozens of sizes are asked again and again */

typedef struct slot {
  double n; /* 0: empty */
  bool has_cost, has_executions, has_interval;
  double cost, executions;
  sc_interval interval;
} slot;

struct sc_sums {
  slot slots[SLOTS];
};

sc_sums *sc_sums_new(void) { return sc_mem_new(1, sizeof(sc_sums)); }

void sc_sums_free(sc_sums *sums) { free(sums); }

void sc_sums_whole(sc_interval *executions)
{
  if (executions->high - executions->low >= 1)
    return;
  executions->value = round(executions->value);
  executions->low = executions->high = executions->value;
}

static slot *slot_at(const sc_analysis *a, double n)
{
  uint64_t bits;
  memcpy(&bits, &n, sizeof bits);
  slot *s = &a->sums->slots[bits * 0x9e3779b97f4a7c15u >> 54]; /* 10 bits: SLOTS */
  if (s->n != n)
    *s = (slot){.n = n};
  return s;
}

double sc_sums_cost(const sc_analysis *a, double n)
{
  slot *s = slot_at(a, n);
  if (!s->has_cost)
    s->cost = sc_blend_value(&a->total, a->models, n);
  s->has_cost = true;
  return s->cost;
}

int sc_sums_predict(const sc_analysis *a, double n, sc_interval *out)
{
  slot *s = slot_at(a, n);
  if (!s->has_interval)
    SC_TRY(sc_blend_predict(&a->total, a->models, n, a->options.level, &s->interval));
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
