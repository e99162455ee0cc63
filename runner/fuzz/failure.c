/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that crash, last too long or take too much memory: finds of their own. */
#include <stdlib.h>

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

/* Nobody knows where a program crashed: one of each signal is kept. */
static bool is_new(const sc_fuzz_searching *s, const sc_fuzz_find *failure)
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

int sc_fuzz_keep_failure(sc_fuzz_searching *s, const sc_family *family, uint64_t n, const struct sc_fuzz_run *run)
{
  bool again;
  SC_TRY(sc_fuzz_make_room(s));
  sc_fuzz_find find = {.family = *family, .outcome = run->outcome, .signal = run->signal, .failed_at = n};
  find.context = hottest_context(s, run);
  find.site = find.context && run->outcome != SC_FUZZ_CRASHED ? sc_fuzz_site(s, find.context) : 1;
  if (!is_new(s, &find))
    return 0;
  SC_TRY(sc_fuzz_fails_alike(s, &find, family, n, &again));
  if (!again)
    return 0;
  uint64_t site = find.site;
  int err;
  SC_GOTO(minimise_failure(s, &find));
  SC_GOTO(sc_fuzz_describe(s, &find));
  SC_GOTO(sc_mem_grow_zeroed(&s->finds->list, &s->finds->capacity, s->finds->count + 1, sizeof *s->finds->list));
  find.site = site;
  s->finds->list[s->finds->count++] = find;
  return 0;
out:
  sc_fuzz_find_free(&find);
  return err;
}
