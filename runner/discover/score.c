/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evidence becomes events: what each says is added up, and what contradicts takes events out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "runner/discover/internal.h"
#include "runner/discover/score.h"

static const double weights[] = {
#define SHAPE(code, weight, why) weight,
#include "runner/discover/shapes.def"
#undef SHAPE
};

static int by_event(const void *a, const void *b, void *d)
{
  const sc_evidence *x = a, *y = b;
  uint32_t root_x = sc_discovery_root(d, x->mechanism), root_y = sc_discovery_root(d, y->mechanism);
  return SC_COMPARE(root_x, root_y) ?: SC_COMPARE(x->function, y->function) ?: SC_COMPARE(x->role, y->role)
         ?: SC_COMPARE(x->shape, y->shape) ?: SC_COMPARE(y->times, x->times) ?: SC_COMPARE(x->line, y->line)
         ?: SC_COMPARE(x->other, y->other);
}

/* Shapes that the function has itself, in a list or an object of its own: a name does not annul them. */
static bool is_strong(enum sc_seen shape) { return shape <= SC_SEEN_REF_DOWN; }

/* ---- one event ---------------------------------------------------------------------------------------------- */

static double word_says(const sc_name *name, enum sc_role role)
{
  if (name->role < SC_ROLE_COUNT)
    return name->role == role ? name->weight : -name->weight * SC_DISCOVER_AGAINST;
  return name->either ? name->weight / 2 : 0;
}

static double pair_says(uint32_t times)
{
  double weight = weights[SC_SEEN_PAIRED] * (1 + log10(times));
  return fmin(weight, 2 * weights[SC_SEEN_PAIRED]);
}

/* What one piece of evidence adds to an event's score. */
static double score_evidence(const sc_evidence *evidence)
{
  return evidence->shape == SC_SEEN_PAIRED ? pair_says(evidence->times) : weights[evidence->shape];
}

bool sc_score_is_conditional(const sc_discovery *d, sc_facts_slice evidence)
{
  bool any = false;
  SC_FACTS_EACH (one, d->evidence, evidence) {
    if (!one->conditional && one->shape < SC_SEEN_PAIRED)
      return false;
    any |= one->conditional;
  }
  return any;
}

static bool gets_result(const sc_facts *facts, const sc_facts_call *call, uint32_t of)
{
  for (unsigned i = 0; i < call->arguments.count; i++)
    SC_FACTS_EACH (value, facts->values, facts->lists[call->arguments.first + i])
      if (value->from == SC_FACTS_CALL && value->number == of)
        return true;
  return false;
}

/* What another call returned is counted up here, and then handed to what counts it down again. */
static bool score_undoes(const sc_discovery *d, const sc_event *event, const sc_facts_call *release)
{
  const sc_facts *facts = &d->facts;
  SC_FACTS_EACH (one, d->evidence, event->evidence)
    SC_FACTS_EACH (counter, facts->counters, facts->functions[event->function].counters)
      if (one->shape == SC_SEEN_REF_UP && counter->place == one->other && counter->step > 0 &&
          counter->base.from == SC_FACTS_CALL && release->line >= counter->line &&
          release->conditional <= counter->conditional && gets_result(facts, release, counter->base.number))
        return true;
  return false;
}

/* It calls what releases, and hands nothing on: a reference that it holds for a while. Or it releases nothing that it
 * was handed, and calls what acquires: a move from one place of the kind to another. */
static bool does_both(const sc_discovery *d, const sc_event *event)
{
  unsigned opposite = 1U << (event->role == SC_ROLE_ACQUIRE ? SC_ROLE_RELEASE : SC_ROLE_ACQUIRE);
  SC_FACTS_EACH (call, d->facts.calls, d->facts.functions[event->function].calls) {
    const sc_known *known =
        call->target != SC_FACTS_NONE ? sc_discovery_known(d, call->target, event->mechanism) : NULL;
    if (known && known->roles & opposite &&
        (event->unit == SC_UNIT_NONE || (event->role == SC_ROLE_ACQUIRE && score_undoes(d, event, call))))
      return true;
  }
  return false;
}

/* The caller gets back what it handed over, or what was put into a free list: that is not given back. What is called a
 * release returns what others still hold. */
static bool returns_unit(const sc_discovery *d, const sc_event *event)
{
  const sc_facts_function *function = &d->facts.functions[event->function];
  enum sc_mechanism_kind kind = d->mechanisms[event->mechanism].kind;
  if (event->role != SC_ROLE_RELEASE || (kind != SC_BY_FREE_LIST && kind != SC_BY_ALLOCATOR))
    return false;
  if (kind == SC_BY_FREE_LIST)
    return event->unit == SC_UNIT_RETURN;
  return d->names[event->function].role != SC_ROLE_RELEASE && sc_discovery_may_return(&d->facts, function, event->unit);
}

/* What speaks against the event as a whole. */
static enum sc_rejection score_disproved(const sc_discovery *d, const sc_event *event, bool strong)
{
  const sc_facts_function *function = &d->facts.functions[event->function];
  const sc_name *name = &d->names[event->function];
  if (event->role <= SC_ROLE_RELEASE && event->unit != SC_UNIT_RETURN && does_both(d, event))
    return SC_REJECT_NET_ZERO;
  if (returns_unit(d, event))
    return SC_REJECT_RETURNS;
  if (function->address_taken && d->callers[event->function].count == 0 &&
      (function->is_static || d->is_program)) /* of a library, others may call it by its name */
    return SC_REJECT_CALLBACK;
  if (d->starts[event->function])
    return SC_REJECT_START;
  if (name->getter && !strong && name->role != event->role)
    return SC_REJECT_GETTER;
  if (function->calls.count > SC_DISCOVER_DRIVER_CALLS && !strong && event->score < SC_DISCOVER_PERHAPS)
    return SC_REJECT_DRIVER;
  return SC_REJECT_NONE;
}

/* The evidence from `first` up to `end` is of one function, mechanism and role. */
static int score_event(sc_discovery *d, size_t first, size_t end)
{
  const sc_evidence *all = d->evidence;
  sc_event event = {.function = all[first].function,
                    .mechanism = sc_discovery_root(d, all[first].mechanism),
                    .role = all[first].role,
                    .unit = SC_UNIT_NONE,
                    .layer = UINT32_MAX,
                    .resource = SC_FACTS_NONE,
                    .evidence = {(uint32_t)first, (uint32_t)(end - first)}};
  bool strong = false, own = d->mechanisms[event.mechanism].kind == SC_BY_LOCK; /* both counters are */
  for (size_t i = first; i < end; i++) {
    own |= all[i].mechanism == event.mechanism || d->mechanisms[all[i].mechanism].kind != SC_BY_COUNTER;
    bool again = i > first && all[i].shape == all[i - 1].shape;
    event.score += again ? 0 : score_evidence(&all[i]);
    if (event.unit == SC_UNIT_NONE)
      event.unit = all[i].unit;
    event.layer = all[i].layer < event.layer ? all[i].layer : event.layer;
    strong |= is_strong(all[i].shape);
  }
  if (!own) /* a counter that belongs to the resource: it says nothing alone */
    return 0;
  bool made = all[first].shape == SC_SEEN_FRESH || all[first].shape == SC_SEEN_DISPOSE;
  event.score += word_says(&d->names[event.function], event.role);
  if (sc_score_is_conditional(d, event.evidence))
    event.score += weights[SC_SEEN_CONDITIONAL];
  if (!strong && !made && d->facts.functions[event.function].calls.count > SC_DISCOVER_DRIVER_CALLS)
    event.score += weights[SC_SEEN_DRIVER];
  enum sc_rejection why = score_disproved(d, &event, strong);
  if (why)
    return sc_discovery_reject(d, &(sc_rejected){event.function, d->mechanisms[event.mechanism].place, all[first].line,
                                                 event.role, why, SC_FACTS_NONE});
  SC_TRY(sc_mem_grow(&d->events, &d->events_capacity, d->events_count + 1, sizeof *d->events));
  d->events[d->events_count++] = event;
  return 0;
}

/* A function that both acquires and releases has no effect of its own; what is stronger by far stays. */
static int score_both(sc_discovery *d, size_t first)
{
  size_t count = d->events_count - first;
  sc_event *acquire = NULL, *release = NULL;
  for (size_t i = first; i < d->events_count; i++)
    *(d->events[i].role == SC_ROLE_RELEASE ? &release : &acquire) = &d->events[i];
  if (count < 2 || !acquire || !release || acquire->role != SC_ROLE_ACQUIRE)
    return 0;
  bool keeps_acquire = acquire->score > release->score + SC_DISCOVER_CLEARLY;
  bool keeps_release = release->score > acquire->score + SC_DISCOVER_CLEARLY;
  sc_event kept = keeps_acquire ? *acquire : *release;
  if (!keeps_acquire && !keeps_release)
    SC_TRY(sc_discovery_reject(d, &(sc_rejected){acquire->function, d->mechanisms[acquire->mechanism].place,
                                                 d->evidence[acquire->evidence.first].line, SC_ROLE_ACQUIRE,
                                                 SC_REJECT_NET_ZERO, SC_FACTS_NONE}));
  d->events_count = first;
  if (keeps_acquire || keeps_release)
    d->events[d->events_count++] = kept;
  return 0;
}

int sc_discovery_score(sc_discovery *d)
{
  int err = 0;
  size_t together = 0;
  if (d->evidence_count)
    qsort_r(d->evidence, d->evidence_count, sizeof *d->evidence, by_event, d);
  for (size_t first = 0, end; err == 0 && first < d->evidence_count; first = end) {
    const sc_evidence *one = &d->evidence[first];
    uint32_t root = sc_discovery_root(d, one->mechanism);
    for (end = first + 1; end < d->evidence_count && d->evidence[end].function == one->function &&
                          d->evidence[end].role == one->role &&
                          sc_discovery_root(d, d->evidence[end].mechanism) == root;)
      end++;
    err = score_event(d, first, end);
    bool last = end == d->evidence_count || d->evidence[end].function != one->function ||
                sc_discovery_root(d, d->evidence[end].mechanism) != root;
    if (err == 0 && last)
      err = score_both(d, together);
    if (last)
      together = d->events_count;
  }
  return err;
}

/* ---- how sure that is ------------------------------------------------------------------------------------------ */

double sc_score_confidence(double score)
{
  static const struct {
    double from, share;
  } steps[] = {
#define SHARE(from, share) {from, share},
#include "runner/discover/shares.def"
#undef SHARE
  };
  size_t i = 0;
  while (score < steps[i].from)
    i++;
  return steps[i].share;
}

const char *sc_score_word(double score)
{
  return score >= SC_DISCOVER_LIKELY ? "likely" : score >= SC_DISCOVER_PERHAPS ? "perhaps" : "weak";
}
