/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a candidate at three small sizes, and looks which counts grow faster than its bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "runner/fuzz/internal.h"

static const uint64_t sizes[SC_FUZZ_SIZES] = {16, 32, 64};

double sc_fuzz_exponent(const uint64_t counts[SC_FUZZ_SIZES], const double lengths[SC_FUZZ_SIZES])
{
  if (counts[1] <= counts[0] || counts[2] <= counts[1] || lengths[1] <= lengths[0] || lengths[2] <= lengths[1])
    return 0;
  double first = (double)(counts[1] - counts[0]), second = (double)(counts[2] - counts[1]);
  double lower = lengths[1] - lengths[0], upper = lengths[2] - lengths[1];
  if (second <= first || upper <= lower)
    return 0;
  return log(second / first) / log(upper / lower);
}

bool sc_fuzz_begins(sc_fuzz_searching *s, uint32_t context)
{
  struct sc_fuzz_place place;
  s->target->ops->place(s->target, context, &place);
  return place.parent == context || place.parent >= s->known_count || !s->known[place.parent].flagged;
}

bool sc_fuzz_grows(sc_fuzz_searching *s, uint64_t site, uint32_t *context)
{
  uint64_t largest = 0;
  for (size_t i = 0; i < s->flagged_count; i++) {
    uint64_t count = s->known[s->flagged[i]].counts[SC_FUZZ_SIZES - 1];
    if (count <= largest || sc_fuzz_site(s, s->flagged[i]) != site)
      continue;
    largest = count;
    *context = s->flagged[i];
  }
  return largest > 0;
}

static void forget_candidate(sc_fuzz_searching *s)
{
  for (size_t i = 0; i < s->touched_count; i++) {
    sc_fuzz_known *known = &s->known[s->touched[i]];
    memset(known->counts, 0, sizeof known->counts);
    known->flagged = false;
  }
  s->touched_count = s->flagged_count = 0;
}

static void take_probe_counts(sc_fuzz_searching *s, const struct sc_fuzz_run *run, int size)
{
  for (size_t i = 0; i < run->count_count; i++) {
    uint32_t context = run->counts[i].context;
    if (context >= s->known_count)
      continue;
    sc_fuzz_known *known = &s->known[context];
    if (!known->counts[0] && !known->counts[1] && !known->counts[2])
      s->touched[s->touched_count++] = context;
    known->counts[size] = run->counts[i].count;
  }
}

/* Fewer executions than that for each repetition are no loop over all of them. */
static bool is_flagged(const sc_fuzz_searching *s, const sc_fuzz_known *known)
{
  if ((double)known->counts[2] < SC_FUZZ_PER_ITEM * (double)sizes[2])
    return false;
  return sc_fuzz_exponent(known->counts, s->lengths) > SC_FUZZ_EXPONENT;
}

static int by_largest_count(const void *left, const void *right, void *user)
{
  const sc_fuzz_searching *s = user;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  uint64_t first = s->known[a].counts[SC_FUZZ_SIZES - 1], second = s->known[b].counts[SC_FUZZ_SIZES - 1];
  return SC_COMPARE(second, first) ?: a == b ? 0 : sc_fuzz_before(s, a, b) ? -1 : 1;
}

int sc_fuzz_probe(sc_fuzz_searching *s, const sc_family *family, bool *ended)
{
  *ended = false;
  forget_candidate(s);
  for (int i = 0; i < SC_FUZZ_SIZES; i++) {
    struct sc_fuzz_run run = {0};
    size_t size;
    if (sc_family_fill(family, sizes[i], s->bytes, SC_FUZZ_PROBE_BYTES, &size) < 0)
      return 0;
    s->finds->runs++;
    SC_TRY(s->target->ops->run(s->target, s->bytes, size, &run));
    if (run.outcome != SC_FUZZ_ENDED)
      return sc_fuzz_keep_failure(s, family, sizes[i], &run);
    SC_TRY(sc_fuzz_make_room(s));
    s->lengths[i] = sc_fuzz_length(s, family, sizes[i]);
    take_probe_counts(s, &run, i);
  }
  *ended = true;
  for (size_t i = 0; i < s->touched_count; i++) {
    sc_fuzz_known *known = &s->known[s->touched[i]];
    known->flagged = is_flagged(s, known);
    if (known->flagged)
      s->flagged[s->flagged_count++] = s->touched[i];
  }
  if (s->flagged_count > 1)
    qsort_r(s->flagged, s->flagged_count, sizeof *s->flagged, by_largest_count, s);
  return 0;
}
