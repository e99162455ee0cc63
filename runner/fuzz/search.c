/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search: candidates from shapes, tokens and what did best; what grows is confirmed, made smaller and kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compare.h"
#include "runner/fuzz/internal.h"

/* The find of a place that grows no slower than `exponent`; NULL: none. */
static const sc_fuzz_find *known_find(const sc_fuzz_searching *s, uint64_t site, double exponent)
{
  for (size_t i = 0; i < s->finds->count; i++) {
    const sc_fuzz_find *find = &s->finds->list[i];
    if (find->outcome == SC_FUZZ_ENDED && find->site == site && find->order > exponent - SC_FUZZ_ORDERS_APART)
      return find;
  }
  return NULL;
}

static bool is_beside(const sc_fuzz_searching *s, uint64_t site)
{
  for (size_t i = 0; i < s->finds->count; i++)
    for (size_t k = 0; k < s->finds->list[i].also_count; k++)
      if (s->finds->list[i].also_sites[k] == site)
        return true;
  return false;
}

/* The context to confirm: the largest in which growth begins, unless that is known; then the largest of the others that
 * nobody has told of. */
static bool choose_context(sc_fuzz_searching *s, uint32_t *context)
{
  uint64_t largest = 0, most = 0;
  bool chosen = false;
  for (size_t i = 0; i < s->flagged_count; i++)
    if (sc_fuzz_begins(s, s->flagged[i]) && s->known[s->flagged[i]].counts[2] > most)
      most = s->known[s->flagged[i]].counts[2];
  for (size_t i = 0; i < s->flagged_count; i++) {
    const sc_fuzz_known *known = &s->known[s->flagged[i]];
    if (known->counts[2] <= largest || known->elite->again > s->finds->candidates || !sc_fuzz_begins(s, s->flagged[i]))
      continue;
    uint64_t site = sc_fuzz_site(s, s->flagged[i]);
    if (known_find(s, site, sc_fuzz_exponent(known->counts, s->lengths)) ||
        (known->counts[2] < most && is_beside(s, site)))
      continue;
    largest = known->counts[2];
    *context = s->flagged[i];
    chosen = true;
  }
  return chosen;
}

/* After a probe: other places in which growth begins. */
static int list_beside(sc_fuzz_searching *s, sc_fuzz_find *find)
{
  for (size_t i = 0; i < s->flagged_count && find->also_count < SC_FUZZ_ALSO; i++) {
    uint32_t context = s->flagged[i];
    uint64_t site = sc_fuzz_site(s, context);
    bool listed = site == find->site || !sc_fuzz_begins(s, context);
    for (size_t k = 0; k < find->also_count; k++)
      listed |= find->also_sites[k] == site;
    if (listed)
      continue;
    struct sc_fuzz_place place;
    s->target->ops->place(s->target, context, &place);
    find->also_sites[find->also_count] = site;
    find->also[find->also_count] = sc_fuzz_where(&place);
    if (!find->also[find->also_count++])
      return SC_E_NOMEM;
  }
  return 0;
}

/* The smaller family, confirmed anew; where that fails the one that was confirmed. */
static int shrink_find(sc_fuzz_searching *s, uint64_t site, sc_fuzz_find *find)
{
  sc_fuzz_find smaller;
  sc_family family = find->family;
  uint32_t context;
  bool ended, confirmed;
  SC_TRY(sc_fuzz_minimise(s, &family, site));
  SC_TRY(sc_fuzz_probe(s, &family, &ended));
  if (!ended || !sc_fuzz_grows(s, site, &context) || sc_fuzz_is_late(s))
    return 0;
  SC_TRY(sc_fuzz_confirm(s, &family, context, &smaller, &confirmed));
  if (confirmed)
    *find = smaller;
  return 0;
}

/* Takes the find over, with an error, too. */
static int keep_confirmed(sc_fuzz_searching *s, sc_fuzz_find *find)
{
  int err;
  bool ended;
  SC_GOTO(sc_fuzz_describe(s, find));
  SC_GOTO(sc_fuzz_probe(s, &find->family, &ended));
  SC_GOTO(list_beside(s, find));
  SC_GOTO(sc_fuzz_time(s, find));
  SC_GOTO(sc_mem_grow_zeroed(&s->finds->list, &s->finds->capacity, s->finds->count + 1, sizeof *s->finds->list));
  s->finds->list[s->finds->count++] = *find;
  return 0;
out:
  sc_fuzz_find_free(find);
  return err;
}

/* Many that fail say that it is no loop, or one that ends soon: others of it are looked at now and then. */
static void refuse_context(sc_fuzz_searching *s, sc_fuzz_elite *elite)
{
  s->mark.refused = elite;
  s->mark.before = *elite;
  if (++elite->refused >= SC_FUZZ_REFUSALS)
    elite->again = s->finds->candidates + SC_FUZZ_REFUSED;
}

/* What the probe flagged. */
static int look_closer(sc_fuzz_searching *s, const sc_family *family)
{
  uint32_t context;
  if (!choose_context(s, &context))
    return 0;
  sc_fuzz_find find;
  bool confirmed;
  SC_TRY(sc_fuzz_confirm(s, family, context, &find, &confirmed));
  /* Small sizes may have promised a higher order than the known one's. */
  if (!confirmed || known_find(s, sc_fuzz_site(s, context), find.order)) {
    refuse_context(s, s->known[context].elite);
    return 0;
  }
  SC_TRY(shrink_find(s, sc_fuzz_site(s, context), &find));
  return keep_confirmed(s, &find);
}

static int try_candidate(sc_fuzz_searching *s, const sc_family *family)
{
  bool ended;
  s->finds->candidates++;
  SC_TRY(sc_fuzz_probe(s, family, &ended));
  if (!ended)
    return 0;
  SC_TRY(sc_fuzz_keep_elites(s, family));
  return s->flagged_count ? look_closer(s, family) : 0;
}

static bool is_over(sc_fuzz_searching *s)
{
  return (s->options->candidates && s->finds->candidates >= s->options->candidates) ||
         (s->options->runs && s->finds->runs >= s->options->runs) || sc_fuzz_is_late(s);
}

/* In an order that the seed decides, so that what time cuts off is not the same for all. */
static int shuffle_tokens(sc_fuzz_searching *s, const sc_fuzz_tokens *tokens, sc_fuzz_tokens *mine)
{
  SC_TRY(sc_mem_grow(&mine->list, &mine->capacity, tokens->count, sizeof *mine->list));
  memcpy(mine->list, tokens->list, tokens->count * sizeof *mine->list);
  mine->count = tokens->count;
  for (size_t i = mine->count; i > 1; i--) {
    size_t k = sc_fuzz_below(s, i);
    sc_fuzz_token token = mine->list[k];
    mine->list[k] = mine->list[i - 1];
    mine->list[i - 1] = token;
  }
  return 0;
}

/* A candidate that was cut off is the next one again: what it had refused, it has not. */
static void set_back(sc_fuzz_searching *s, const sc_family *family)
{
  if (s->mark.refused)
    *s->mark.refused = s->mark.before;
  s->pending = *family;
}

static int look_at_candidate(sc_fuzz_searching *s, const sc_family *family)
{
  s->mark = (sc_fuzz_mark){.random = s->random,
                           .next = s->next,
                           .runs = s->finds->runs,
                           .candidates = s->finds->candidates,
                           .confirmations = s->finds->confirmations,
                           .find_count = s->finds->count,
                           .crash_count = s->crash_count};
  s->pending.part_count = 0;
  s->trying = true;
  SC_TRY(try_candidate(s, family));
  s->trying = false;
  if (s->cut)
    set_back(s, family);
  return 0;
}

static void next_candidate(sc_fuzz_searching *s, sc_family *family)
{
  if (s->pending.part_count)
    *family = s->pending;
  else if (!s->exhausted && (sc_fuzz_singles_left(s) || sc_fuzz_random(s) % 3 == 0))
    s->exhausted = !sc_fuzz_next(s, family);
  else
    sc_fuzz_mutate(s, family);
}

static int run_search(sc_fuzz_searching *s)
{
  double saved = sc_clock_now();
  while (!is_over(s)) {
    sc_family family;
    next_candidate(s, &family);
    if (family.part_count)
      SC_TRY(look_at_candidate(s, &family));
    if (s->options->state && !s->cut && sc_clock_now() - saved > SC_FUZZ_SAVE) {
      SC_TRY(sc_fuzz_save(s));
      saved = sc_clock_now();
    }
  }
  return s->options->state ? sc_fuzz_save(s) : 0;
}

static double badness_of(const sc_fuzz_find *find)
{
  double second = find->reached[0].value > 0 ? find->reached[0].value : SC_FUZZ_LARGEST;
  return find->outcome != SC_FUZZ_ENDED ? 0 : (find->cap ? 1 : 100) * find->order + 50 / log2(4 + fmin(second, 1e12));
}

static int by_badness(const void *a, const void *b) { return SC_COMPARE(badness_of(b), badness_of(a)); }

void sc_fuzz_finds_sort(sc_fuzz_finds *finds)
{
  if (finds->count)
    qsort(finds->list, finds->count, sizeof *finds->list, by_badness);
}

int sc_fuzz_open_search(sc_fuzz_searching *s)
{
  const sc_fit_options fit = SC_FIT_OPTIONS_DEFAULT;
  s->random = s->options->seed;
  s->began = sc_clock_now();
  s->deadline = s->began + s->options->seconds;
  SC_TRY(SC_NEW(s->bytes, s->options->bytes > SC_FUZZ_PROBE_BYTES ? s->options->bytes : (size_t)SC_FUZZ_PROBE_BYTES));
  return sc_fit_new(&fit, &s->fit);
}

void sc_fuzz_close_search(sc_fuzz_searching *s)
{
  sc_fuzz_free_elites(s);
  free(s->known);
  free(s->touched);
  free(s->flagged);
  free(s->bytes);
  sc_fit_free(s->fit);
}

int sc_fuzz_search(struct sc_fuzz_target *target, const sc_fuzz_tokens *tokens, const sc_fuzz_options *options,
                   sc_fuzz_finds *finds)
{
  sc_fuzz_tokens mine = {0};
  sc_fuzz_searching s = {.target = target, .tokens = &mine, .options = options, .finds = finds};
  *finds = (sc_fuzz_finds){0};
  if (tokens->count == 0)
    return sc_err_set(SC_E_INPUT, "there is nothing to make inputs from");
  int err = sc_fuzz_open_search(&s) ?: shuffle_tokens(&s, tokens, &mine);
  if (err == 0 && options->state)
    s.of = sc_fuzz_state_of(&s);
  if (err == 0 && options->resume)
    err = sc_fuzz_load(&s);
  err = err ?: run_search(&s);
  sc_fuzz_close_search(&s);
  sc_fuzz_finds_sort(finds);
  finds->seconds = s.before + sc_clock_now() - s.began;
  sc_fuzz_tokens_free(&mine);
  return err;
}
