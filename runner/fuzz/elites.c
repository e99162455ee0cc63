/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best candidate of each calling context. */
#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "runner/fuzz/internal.h"

static double score_of(const sc_fuzz_searching *s, const sc_fuzz_known *known)
{
  const uint64_t *counts = known->counts;
  double rise =
      counts[1] > counts[0] ? ((double)counts[2] - (double)counts[1]) / ((double)counts[1] - (double)counts[0]) : 0;
  return (SC_FUZZ_RISE_LEAST + fmin(fmax(rise, 0), SC_FUZZ_RISE_MOST)) * (double)counts[2] / s->lengths[2];
}

int sc_fuzz_add_elite(sc_fuzz_searching *s, const sc_fuzz_elite *elite)
{
  SC_TRY(sc_mem_grow(&s->elites, &s->elite_capacity, s->elite_count + 1, sizeof *s->elites));
  SC_TRY(SC_NEW(s->elites[s->elite_count], 1));
  *s->elites[s->elite_count++] = *elite;
  return 0;
}

/* Those that are reached for the first time are moved in front, and are in an order of their own. */
static size_t sort_fresh(sc_fuzz_searching *s)
{
  size_t fresh = 0;
  for (size_t i = 0; i < s->touched_count; i++) {
    uint32_t context = s->touched[i];
    if (s->known[context].elite)
      continue;
    size_t k = fresh++;
    s->touched[i] = s->touched[k];
    for (; k > 0 && sc_fuzz_before(s, context, s->touched[k - 1]); k--)
      s->touched[k] = s->touched[k - 1];
    s->touched[k] = context;
  }
  return fresh;
}

bool sc_fuzz_is_fixed(const sc_fuzz_searching *s, const sc_fuzz_elite *elite)
{
  return elite->fixed && elite->last == s->probed;
}

static void keep_fixed(const sc_fuzz_searching *s, const uint64_t *counts, sc_fuzz_elite *elite)
{
  elite->fixed = elite->fixed && elite->last + 1 == s->probed && counts[0] == elite->count &&
                 counts[1] == elite->count && counts[2] == elite->count;
  elite->last = s->probed;
}

int sc_fuzz_keep_elites(sc_fuzz_searching *s, const sc_family *family)
{
  size_t fresh = sort_fresh(s);
  s->probed++;
  for (size_t i = 0; i < s->touched_count; i++) {
    sc_fuzz_known *known = &s->known[s->touched[i]];
    double score = score_of(s, known);
    if (i < fresh) {
      const sc_fuzz_elite first = {.key = known->key,
                                   .family = *family,
                                   .score = score,
                                   .met = true,
                                   .fixed = s->finds->candidates == 1,
                                   .count = known->counts[0],
                                   .last = s->probed - 1};
      SC_TRY(sc_fuzz_add_elite(s, &first));
      known->elite = s->elites[s->elite_count - 1];
    } else if (score > known->elite->score) {
      known->elite->family = *family;
      known->elite->score = score;
    }
    keep_fixed(s, known->counts, known->elite);
  }
  return 0;
}

static int by_key(const void *a, const void *b)
{
  return SC_COMPARE((*(sc_fuzz_elite *const *)a)->key, (*(sc_fuzz_elite *const *)b)->key);
}

int sc_fuzz_await_elites(sc_fuzz_searching *s)
{
  SC_TRY(sc_mem_grow(&s->unmet, &s->unmet_capacity, s->elite_count + 1, sizeof *s->unmet));
  for (size_t i = 0; i < s->elite_count; i++)
    s->unmet[i] = s->elites[i];
  s->unmet_count = s->elite_count;
  if (s->unmet_count)
    qsort(s->unmet, s->unmet_count, sizeof *s->unmet, by_key);
  return 0;
}

sc_fuzz_elite *sc_fuzz_meet_elite(sc_fuzz_searching *s, uint64_t key)
{
  size_t low = 0, high = s->unmet_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->unmet[middle]->key < key)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < s->unmet_count && s->unmet[low]->key == key; low++)
    if (!s->unmet[low]->met) {
      s->unmet[low]->met = true;
      return s->unmet[low];
    }
  return NULL;
}

void sc_fuzz_free_elites(sc_fuzz_searching *s)
{
  for (size_t i = 0; i < s->elite_count; i++)
    free(s->elites[i]);
  free(s->elites);
  free(s->unmet);
}
