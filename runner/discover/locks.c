/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks made of counters: two counters of a record, and who counts one of them up first waits for those who counted the
 * other one. If the one's waits for its own kind, too, it is exclusive, and the other one is for readers. */
#include "runner/discover/internal.h"

/* The call in a loop of the function that blocks until what is counted there has changed; NULL. */
static const sc_facts_call *blocks_for(const sc_facts *facts, const sc_facts_function *function, uint32_t place)
{
  SC_FACTS_EACH (wait, facts->waits, function->waits)
    if (wait->loop)
      SC_FACTS_EACH (reread, facts->places_listed, wait->rereads)
        if (*reread == place)
          return &facts->calls[function->calls.first + wait->call];
  return NULL;
}

static bool counts_up(const sc_discovery *d, const sc_evidence *one, uint32_t counter)
{
  return one->shape == SC_SEEN_COUNT_UP && sc_discovery_root(d, one->mechanism) == counter;
}

/* Whether all who count `counter` up, one at least, wait for those who counted `other`. */
static bool waits_for(const sc_discovery *d, uint32_t counter, uint32_t other)
{
  bool any = false;
  for (size_t i = 0; i < d->evidence_count; i++) {
    if (!counts_up(d, &d->evidence[i], counter))
      continue;
    if (!blocks_for(&d->facts, &d->facts.functions[d->evidence[i].function], d->mechanisms[other].place))
      return false;
    any = true;
  }
  return any;
}

static bool is_counter_of(const sc_discovery *d, uint32_t number, const char *record)
{
  const sc_mechanism *mechanism = &d->mechanisms[number];
  return mechanism->kind == SC_BY_COUNTER && mechanism->parent == number && !mechanism->turned &&
         d->facts.places[mechanism->place].record == record;
}

static int locks_evidence(sc_discovery *d, uint32_t counter, uint32_t other)
{
  for (size_t i = 0, count = d->evidence_count; i < count; i++) {
    sc_evidence one = d->evidence[i];
    if (!counts_up(d, &one, counter))
      continue;
    one.shape = SC_SEEN_EXCLUDES;
    one.line = blocks_for(&d->facts, &d->facts.functions[one.function], other)->line;
    one.other = other;
    SC_TRY(sc_discovery_evidence(d, &one));
  }
  return 0;
}

static int locks_pair(sc_discovery *d, uint32_t a, uint32_t b)
{
  if (!waits_for(d, a, b) || !waits_for(d, b, a))
    return 0;
  bool alone = waits_for(d, a, a), other_alone = waits_for(d, b, b);
  if (!alone && !other_alone)
    return 0;
  uint32_t lock = alone ? a : b, readers = alone ? b : a;
  SC_TRY(locks_evidence(d, a, d->mechanisms[b].place));
  SC_TRY(locks_evidence(d, b, d->mechanisms[a].place));
  d->mechanisms[lock].kind = SC_BY_LOCK;
  d->mechanisms[readers].shared = !(alone && other_alone);
  d->mechanisms[readers].parent = lock;
  return 0;
}

int sc_discovery_locks(sc_discovery *d)
{
  for (uint32_t a = 0; a < d->mechanisms_count; a++) {
    const char *record = d->mechanisms[a].kind == SC_BY_COUNTER ? d->facts.places[d->mechanisms[a].place].record : NULL;
    for (uint32_t b = a + 1; record && b < d->mechanisms_count; b++)
      if (is_counter_of(d, a, record) && is_counter_of(d, b, record))
        SC_TRY(locks_pair(d, a, b));
  }
  return 0;
}

bool sc_discovery_is_shared(const sc_discovery *d, const sc_event *event)
{
  SC_FACTS_EACH (one, d->evidence, event->evidence)
    if (!d->mechanisms[one->mechanism].shared)
      return false;
  return event->role == SC_ROLE_ACQUIRE && event->evidence.count;
}
