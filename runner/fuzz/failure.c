/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that crash, last too long or take too much memory: finds of their own. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/hash.h"
#include "runner/fuzz/internal.h"

/* 0: nothing ran that has counters. */
static uint32_t hottest_context(const sc_fuzz_searching *s, const struct sc_fuzz_run *run)
{
  uint64_t largest = 0;
  uint32_t context = 0;
  for (size_t i = 0; i < run->count_count; i++)
    if (run->counts[i].context < s->known_count &&
        (run->counts[i].count > largest ||
         (context && run->counts[i].count == largest && sc_fuzz_before(s, run->counts[i].context, context)))) {
      largest = run->counts[i].count;
      context = run->counts[i].context;
    }
  return context;
}

static int by_value(const void *left, const void *right)
{
  return SC_COMPARE(*(const uint64_t *)left, *(const uint64_t *)right);
}

/* Nobody tells where a program crashed. Which functions ran until then does, of an input that is as small as it can be.
 * 0: none. */
static int reached_functions(sc_fuzz_searching *s, const struct sc_fuzz_run *run, uint64_t *reached)
{
  size_t count = 0;
  uint64_t *sites = sc_mem_new(run->count_count + 1, sizeof *sites);
  if (!sites)
    return SC_E_NOMEM;
  for (size_t i = 0; i < run->count_count; i++) {
    struct sc_fuzz_place place;
    if (run->counts[i].context >= s->known_count)
      continue;
    s->target->ops->place(s->target, run->counts[i].context, &place);
    if (place.kind == SC_FUZZ_PLACE_CALL)
      sites[count++] = sc_fuzz_site(s, run->counts[i].context);
  }
  if (count)
    qsort(sites, count, sizeof *sites, by_value);
  *reached = 0;
  for (size_t i = 0; i < count; i++)
    if (i == 0 || sites[i] != sites[i - 1])
      *reached = sc_hash_mix(*reached + sites[i]);
  free(sites);
  return 0;
}

/* Whether a crash looks like one that was looked at. Too many that did not, and were the same, and all do. */
static bool is_crash_seen(sc_fuzz_searching *s, uint64_t looks)
{
  for (size_t i = 0; i < s->crash_count; i++)
    if (s->crashes[i] == looks)
      return true;
  if (s->crash_count == SC_FUZZ_CRASHES)
    return true;
  s->crashes[s->crash_count++] = looks;
  return false;
}

static bool is_new_failure(const sc_fuzz_searching *s, const sc_fuzz_find *failure)
{
  size_t failures = 0;
  for (size_t i = 0; i < s->finds->count; i++) {
    const sc_fuzz_find *find = &s->finds->list[i];
    failures += find->outcome != SC_FUZZ_ENDED;
    if (find->outcome == failure->outcome && find->signal == failure->signal && find->site == failure->site)
      return false;
  }
  return failures < SC_FUZZ_FAILURES;
}

int sc_fuzz_fails_alike(sc_fuzz_searching *s, const sc_fuzz_find *find, const sc_family *family, uint64_t n,
                        bool *alike)
{
  struct sc_fuzz_run run = {0};
  size_t size;
  *alike = false;
  int err = sc_fuzz_run_at(s, family, n, &run, &size);
  if (err == SC_E_INPUT)
    return 0;
  SC_TRY(err);
  *alike = run.outcome == find->outcome && run.signal == find->signal;
  return 0;
}

typedef struct failing {
  sc_fuzz_searching *s;
  sc_fuzz_find *find;
  unsigned left; /* tries */
} failing;

static int try_failure(void *user, const sc_family *family, bool *alike)
{
  failing *k = user;
  *alike = false;
  if (k->left == 0 || sc_fuzz_is_late(k->s) || family->part_count == 0)
    return 0;
  k->left--;
  return sc_fuzz_fails_alike(k->s, k->find, family, k->find->failed_at, alike);
}

/* The smallest size that fails, where all above it do. */
static int lower_size(failing *k)
{
  sc_fuzz_find *find = k->find;
  uint64_t ends = 0;
  while (find->failed_at - ends > 1 && k->left && !sc_fuzz_is_late(k->s)) {
    bool alike;
    uint64_t middle = ends + (find->failed_at - ends) / 2;
    k->left--;
    SC_TRY(sc_fuzz_fails_alike(k->s, find, &find->family, middle, &alike));
    if (alike)
      find->failed_at = middle;
    else
      ends = middle;
  }
  return 0;
}

/* The size and the family, as long as it fails alike. */
static int minimise_failure(sc_fuzz_searching *s, sc_fuzz_find *find)
{
  failing k = {s, find, find->outcome == SC_FUZZ_TIMED_OUT ? SC_FUZZ_SHRINK_LASTING : SC_FUZZ_SHRINK};
  SC_TRY(lower_size(&k));
  SC_TRY(sc_fuzz_drop_parts(&find->family, try_failure, &k));
  SC_TRY(sc_fuzz_drop_bytes(&find->family, try_failure, &k));
  return lower_size(&k);
}

/* A crash is distinguished from others by what the smallest input of it reaches. */
static int know_crash(sc_fuzz_searching *s, sc_fuzz_find *find)
{
  struct sc_fuzz_run run = {0};
  size_t size;
  SC_TRY(sc_fuzz_run_at(s, &find->family, find->failed_at, &run, &size));
  SC_TRY(sc_fuzz_make_room(s));
  find->context = hottest_context(s, &run);
  return reached_functions(s, &run, &find->site);
}

/* What is new at first sight; of a crash, by what it reaches. */
static int look_at_failure(sc_fuzz_searching *s, const struct sc_fuzz_run *run, sc_fuzz_find *find, bool *fresh)
{
  uint64_t looks;
  find->context = hottest_context(s, run);
  if (run->outcome != SC_FUZZ_CRASHED) {
    find->site = find->context ? sc_fuzz_site(s, find->context) : 1;
    *fresh = is_new_failure(s, find);
    return 0;
  }
  SC_TRY(reached_functions(s, run, &looks));
  find->site = looks;
  *fresh = is_new_failure(s, find) && !is_crash_seen(s, sc_hash_mix(looks ^ (uint64_t)run->signal));
  return 0;
}

int sc_fuzz_keep_failure(sc_fuzz_searching *s, const sc_family *family, uint64_t n, const struct sc_fuzz_run *run)
{
  bool fresh, again;
  SC_TRY(sc_fuzz_make_room(s));
  sc_fuzz_find find = {.family = *family, .outcome = run->outcome, .signal = run->signal, .failed_at = n};
  SC_TRY(look_at_failure(s, run, &find, &fresh));
  if (!fresh)
    return 0;
  SC_TRY(sc_fuzz_fails_alike(s, &find, family, n, &again));
  if (!again)
    return 0;
  int err;
  SC_GOTO(minimise_failure(s, &find));
  if (find.outcome == SC_FUZZ_CRASHED) {
    SC_GOTO(know_crash(s, &find));
    if (!is_new_failure(s, &find))
      return 0;
  }
  uint64_t site = find.site;
  SC_GOTO(sc_fuzz_describe(s, &find));
  SC_GOTO(sc_mem_grow_zeroed(&s->finds->list, &s->finds->capacity, s->finds->count + 1, sizeof *s->finds->list));
  find.site = site;
  s->finds->list[s->finds->count++] = find;
  return 0;
out:
  sc_fuzz_find_free(&find);
  return err;
}
