/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists and arrays that are kept in local variables: the stack of a walk through a tree, the queue of a search. They
 * end with the call that made them, and what they hold belongs to somebody else. */
#include <stdlib.h>

#include "base/compare.h"
#include "runner/discover/internal.h"

/* An argument whose origin is looked for: each one once for a list. */
typedef struct origin {
  uint32_t function, argument;
} origin;

typedef struct locals_step {
  sc_discovery *d;
  uint64_t *seen; /* [functions_count]: bit i: argument i is among the origins */
  SC_FACTS_ARRAY(origin, origins);
  size_t locals, others; /* what callers keep the list in; others: globals and allocated memory */
} locals_step;

/* Where a function has a record from. What is a local variable of main, or of what it calls once, lives as long as the
 * program. */
static int locals_value(locals_step *step, uint32_t function, const sc_facts_value *value)
{
  bool behind = value->place != SC_FACTS_NONE && !value->address; /* a pointer that is read from there */
  if (value->from == SC_FACTS_LOCAL)
    step->locals += value->address && !step->d->starts[function];
  else if (value->from != SC_FACTS_ARGUMENT || behind)
    step->others += behind || value->from == SC_FACTS_GLOBAL || value->from == SC_FACTS_CALL;
  else if (value->number < SC_UNIT_POINTEE && !(step->seen[function] >> value->number & 1)) {
    SC_TRY(sc_mem_grow(&step->origins, &step->origins_capacity, step->origins_count + 1, sizeof *step->origins));
    step->origins[step->origins_count++] = (origin){function, value->number};
    step->seen[function] |= UINT64_C(1) << value->number;
  }
  return 0;
}

static int locals_callers(locals_step *step, const origin *of)
{
  const sc_discovery *d = step->d;
  const uint32_t argument = of->argument;
  SC_FACTS_EACH (caller, d->calls_in, d->callers[of->function]) {
    const sc_facts_call *call = &d->facts.calls[caller->call];
    if (argument < call->arguments.count)
      SC_FACTS_EACH (value, d->facts.values, d->facts.lists[call->arguments.first + argument])
        SC_TRY(locals_value(step, caller->function, value));
  }
  return 0;
}

/* The evidence from `first` up to `end` is of one list. */
static int locals_list(locals_step *step, size_t first, size_t end)
{
  sc_discovery *d = step->d;
  step->locals = step->others = 0;
  for (size_t i = first; i < end; i++) {
    const sc_evidence *one = &d->evidence[i];
    if (i > first && one->function == one[-1].function && one->other == one[-1].other) /* it has been counted */
      continue;
    SC_FACTS_EACH (link, d->facts.links, d->facts.functions[one->function].links)
      if (link->head == one->other)
        SC_TRY(locals_value(step, one->function, &link->base));
  }
  for (size_t i = 0; i < step->origins_count; i++) {
    const origin of = step->origins[i];
    SC_TRY(locals_callers(step, &of));
  }
  for (size_t i = 0; i < step->origins_count; i++)
    step->seen[step->origins[i].function] = 0;
  step->origins_count = 0;
  d->mechanisms[d->evidence[first].mechanism].local = step->locals > step->others;
  return 0;
}

static int by_mechanism(const void *a, const void *b)
{
  const sc_evidence *x = a, *y = b;
  return SC_COMPARE(x->mechanism, y->mechanism) ?: SC_COMPARE(x->function, y->function)
         ?: SC_COMPARE(x->other, y->other)
         ?: SC_COMPARE(x->line, y->line)
         ?: SC_COMPARE(x->shape, y->shape);
}

int sc_discovery_locals(sc_discovery *d)
{
  locals_step step = {.d = d};
  int err = SC_NEW(step.seen, d->facts.functions_count + 1);
  if (d->evidence_count)
    qsort(d->evidence, d->evidence_count, sizeof *d->evidence, by_mechanism);
  for (size_t first = 0, end; err == 0 && first < d->evidence_count; first = end) {
    for (end = first + 1; end < d->evidence_count && d->evidence[end].mechanism == d->evidence[first].mechanism;)
      end++;
    err = locals_list(&step, first, end);
  }
  free(step.seen);
  free(step.origins);
  return err;
}
