/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A language model is not believed for itself: what it says of a function counts where the code does something of the
 * kind, there or in what it calls. */
#include "runner/discover/llm.h"

/* Whether the resource is one of this type: of its units, or kept in a record of it. */
static bool is_of(const sc_discovery *d, const sc_mechanism *mechanism, const char *type)
{
  return mechanism->type == type ||
         (mechanism->place != SC_FACTS_NONE && d->facts.places[mechanism->place].record == type);
}

static int llm_said(sc_discovery *d, uint32_t answer, uint32_t mechanism, enum sc_role role, enum sc_seen shape,
                    int unit, unsigned layer)
{
  return sc_discovery_evidence(d, &(sc_evidence){.function = d->llm->answers[answer].function_number,
                                                 .mechanism = mechanism,
                                                 .role = role,
                                                 .shape = shape,
                                                 .unit = unit,
                                                 .other = answer,
                                                 .layer = layer});
}

/* What a function that does something of the kind is said to do, or not. *heard: it was. */
static int believe_own(sc_discovery *d, uint32_t answer, enum sc_role role, bool *heard)
{
  const uint32_t function = d->llm->answers[answer].function_number;
  const size_t count = d->evidence_count;
  for (size_t i = 0; i < count; i++) {
    const sc_evidence one = d->evidence[i];
    if (one.function != function || !is_of(d, &d->mechanisms[one.mechanism], d->llm->answers[answer].type))
      continue;
    *heard |= one.role == role;
    SC_TRY(llm_said(d, answer, one.mechanism, one.role, one.role == role ? SC_SEEN_SAID : SC_SEEN_SAID_NOT, one.unit,
                    one.layer));
  }
  return 0;
}

/* Where the unit of a function that only calls what does something is: in its types. */
static int unit_by_type(const sc_facts *facts, const sc_facts_function *function, enum sc_role role, const char *type)
{
  if (role == SC_ROLE_ACQUIRE && sc_discovery_unit_type(facts, function, SC_UNIT_RETURN) == type)
    return SC_UNIT_RETURN;
  for (uint32_t i = 0; i < function->arguments.count && i < SC_UNIT_POINTEE; i++)
    if (sc_discovery_unit_type(facts, function, (int)i) == type)
      return (int)i + (facts->type_refs[function->arguments.first + i].out ? SC_UNIT_POINTEE : 0);
  return SC_UNIT_NONE;
}

/* The innermost thing that a function knows how to do to a resource of the type, in the role alone; NULL. */
static const sc_known *known_of(const sc_discovery *d, uint32_t function, enum sc_role role, const char *type)
{
  const sc_known *best = NULL;
  for (size_t i = 0; i < d->known_count; i++) {
    const sc_known *known = &d->known[i];
    if (known->function == function && known->roles == 1U << role && is_of(d, &d->mechanisms[known->mechanism], type) &&
        (!best || d->mechanisms[known->mechanism].kind < d->mechanisms[best->mechanism].kind))
      best = known;
  }
  return best;
}

/* The same of a function that does nothing itself, but calls what does. */
static int believe_callees(sc_discovery *d, uint32_t answer, enum sc_role role, bool *heard)
{
  const sc_facts *facts = &d->facts;
  const sc_llm_answer *one = &d->llm->answers[answer];
  const sc_facts_function *function = &facts->functions[one->function_number];
  int unit = unit_by_type(facts, function, role, one->type);
  if (unit == SC_UNIT_NONE)
    return 0;
  SC_FACTS_EACH (call, facts->calls, function->calls) {
    const sc_known *known = call->target != SC_FACTS_NONE && call->target != one->function_number
                                ? known_of(d, call->target, role, one->type)
                                : NULL;
    if (!known)
      continue;
    *heard = true;
    return llm_said(d, answer, known->mechanism, role, SC_SEEN_SAID, unit, known->layer + 1);
  }
  return 0;
}

static int believe_llm(sc_discovery *d, uint32_t answer)
{
  const sc_llm_answer *one = &d->llm->answers[answer];
  static const enum sc_role roles[SC_ANSWER_VERDICTS] = {[SC_ANSWER_NONE] = SC_ROLE_COUNT,
                                                         [SC_ANSWER_ACQUIRE] = SC_ROLE_ACQUIRE,
                                                         [SC_ANSWER_RELEASE] = SC_ROLE_RELEASE,
                                                         [SC_ANSWER_WAIT] = SC_ROLE_WAIT};
  enum sc_role role = roles[one->verdict];
  bool heard = role == SC_ROLE_COUNT;
  SC_TRY(believe_own(d, answer, role, &heard));
  if (!heard && role != SC_ROLE_WAIT)
    SC_TRY(believe_callees(d, answer, role, &heard));
  if (heard)
    return 0;
  return sc_discovery_reject(d, &(sc_rejected){.function = one->function_number,
                                               .place = SC_FACTS_NONE,
                                               .line = d->facts.functions[one->function_number].line,
                                               .role = role,
                                               .why = SC_REJECT_UNSEEN,
                                               .other = answer});
}

int sc_llm_believe(sc_discovery *d)
{
  const sc_llm *llm = d->llm;
  for (uint32_t i = 0; i < llm->answers_count; i++)
    if (llm->answers[i].function_number != SC_FACTS_NONE)
      SC_TRY(believe_llm(d, i));
  return 0;
}

/* Of the unit's own type if it was asked about, else of the record that has the list or counter. */
int sc_llm_takes(const sc_discovery *d, const sc_resource *resource, const sc_llm_answer **answer)
{
  const sc_mechanism *mechanism = &d->mechanisms[resource->mechanism];
  const char *record = mechanism->place == SC_FACTS_NONE ? NULL : d->facts.places[mechanism->place].record;
  const char *names[2] = {mechanism->type, record};
  for (size_t i = 0; d->llm && i < 2; i++)
    if (names[i] && (*answer = sc_llm_of_type(d->llm, names[i])))
      return (*answer)->verdict == SC_ANSWER_NONE ? -1 : 1;
  return 0;
}
