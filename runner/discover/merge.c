/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A free list and the counter of its units are one resource: the same functions move both. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/hash.h"
#include "runner/discover/internal.h"

enum { MECHANISMS = 32 }; /* of one function, beyond which it says nothing about two of them */

/* How often two mechanisms are moved by the same function, in the same and in opposite roles. */
typedef struct together {
  uint32_t strong, weak;
  unsigned same[2], cross[2]; /* by the role of `strong` */
} together;

typedef struct merge_step {
  sc_discovery *d;
  SC_FACTS_ARRAY(together, pairs);
  sc_index index;
} merge_step;

static int by_function(const void *a, const void *b)
{
  const sc_evidence *x = a, *y = b;
  return SC_COMPARE(x->function, y->function) ?: SC_COMPARE(x->mechanism, y->mechanism) ?: SC_COMPARE(x->line, y->line);
}

static int pair_of(merge_step *step, uint32_t strong, uint32_t weak, together **found)
{
  const uint32_t key[2] = {strong, weak};
  uint32_t hash = sc_hash_key(key, sizeof key);
  SC_TRY(sc_index_reserve(&step->index, step->pairs_count + 1));
  sc_index_slot *slot = sc_index_first(&step->index, hash);
  for (; slot->number; slot = sc_index_next(&step->index, slot)) {
    *found = &step->pairs[slot->number - 1];
    if ((*found)->strong == strong && (*found)->weak == weak)
      return 0;
  }
  SC_TRY(sc_mem_grow_zeroed(&step->pairs, &step->pairs_capacity, step->pairs_count + 1, sizeof *step->pairs));
  *found = &step->pairs[step->pairs_count++];
  (*found)->strong = strong;
  (*found)->weak = weak;
  sc_index_take(&step->index, slot, hash, (uint32_t)step->pairs_count);
  return 0;
}

static int merge_count(merge_step *step, const sc_evidence *a, const sc_evidence *b)
{
  const sc_mechanism *mechanisms = step->d->mechanisms;
  together *pair;
  if (a->mechanism == b->mechanism || a->role >= SC_ROLE_WAIT || b->role >= SC_ROLE_WAIT)
    return 0;
  if (mechanisms[a->mechanism].kind > mechanisms[b->mechanism].kind ||
      (mechanisms[a->mechanism].kind == mechanisms[b->mechanism].kind && a->mechanism > b->mechanism)) {
    const sc_evidence *other = a;
    a = b;
    b = other;
  }
  if (mechanisms[a->mechanism].kind == SC_BY_CONTAINER && a->conditional && !b->conditional)
    return 0; /* what counts more than it contains is more than that */
  SC_TRY(pair_of(step, a->mechanism, b->mechanism, &pair));
  ++*(a->role == b->role ? &pair->same[a->role] : &pair->cross[a->role]);
  return 0;
}

/* Of two counters, or of what has one of its own anyway. */
static bool may_merge(const sc_mechanism *strong, const sc_mechanism *weak, const together *pair)
{
  if (weak->kind == SC_BY_COUNTER || (strong->kind == SC_BY_REFERENCES && weak->kind == strong->kind))
    return true;
  return weak->kind == SC_BY_ALLOCATOR && strong->type == weak->type &&
         (strong->kind == SC_BY_FREE_LIST || (strong->kind == SC_BY_REFERENCES && pair->same[SC_ROLE_RELEASE]));
}

static bool is_together(const sc_mechanism *strong, const sc_mechanism *weak, const together *pair)
{
  if (strong->kind == SC_BY_REFERENCES && weak->kind == SC_BY_ALLOCATOR)
    return true;
  return (pair->same[0] && pair->same[1]) || (pair->cross[0] && pair->cross[1]);
}

/* The counter of free units is counted down by what acquires: it is turned, with all that was joined to it before. */
static void merge_turn(sc_discovery *d, uint32_t mechanism)
{
  for (uint32_t i = 0; i < d->mechanisms_count; i++)
    d->mechanisms[i].turned ^= sc_discovery_root(d, i) == mechanism;
  for (size_t i = 0; i < d->evidence_count; i++)
    if (sc_discovery_root(d, d->evidence[i].mechanism) == mechanism)
      d->evidence[i].role = d->evidence[i].role == SC_ROLE_ACQUIRE ? SC_ROLE_RELEASE : SC_ROLE_ACQUIRE;
}

static int by_strength(const void *a, const void *b)
{
  const together *x = a, *y = b;
  unsigned shared_x = x->same[0] + x->same[1] + x->cross[0] + x->cross[1];
  unsigned shared_y = y->same[0] + y->same[1] + y->cross[0] + y->cross[1];
  return SC_COMPARE(shared_y, shared_x) ?: SC_COMPARE(x->strong, y->strong) ?: SC_COMPARE(x->weak, y->weak);
}

int sc_discovery_merge(sc_discovery *d)
{
  merge_step step = {.d = d};
  int err = 0;
  if (d->evidence_count)
    qsort(d->evidence, d->evidence_count, sizeof *d->evidence, by_function);
  for (size_t first = 0, end; err == 0 && first < d->evidence_count; first = end) {
    for (end = first; end < d->evidence_count && d->evidence[end].function == d->evidence[first].function;)
      end++;
    for (size_t i = first; err == 0 && end - first <= MECHANISMS && i < end; i++)
      for (size_t j = i + 1; err == 0 && j < end; j++)
        err = merge_count(&step, &d->evidence[i], &d->evidence[j]);
  }
  if (step.pairs_count)
    qsort(step.pairs, step.pairs_count, sizeof *step.pairs, by_strength);
  for (size_t i = 0; err == 0 && i < step.pairs_count; i++) {
    const together *pair = &step.pairs[i];
    sc_mechanism *strong = &d->mechanisms[pair->strong], *weak = &d->mechanisms[pair->weak];
    if (weak->parent != pair->weak || sc_discovery_root(d, pair->strong) == pair->weak ||
        !may_merge(strong, weak, pair) || !is_together(strong, weak, pair))
      continue;
    bool crossed = pair->cross[0] && pair->cross[1] && !(pair->same[0] && pair->same[1]); /* before any was turned */
    if (crossed != (strong->turned != weak->turned))
      merge_turn(d, pair->weak);
    weak->parent = pair->strong;
  }
  free(step.pairs);
  sc_index_free(&step.index);
  return err;
}
