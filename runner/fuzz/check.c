/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Families that were found before, run again. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/path.h"
#include "runner/fuzz/internal.h"

/* Lines move. */
static bool is_there(sc_fuzz_searching *s, uint32_t context, const sc_fuzz_stored *stored)
{
  struct sc_fuzz_place place;
  s->target->ops->place(s->target, context, &place);
  return place.kind == stored->kind && strcmp(place.function, stored->function) == 0 &&
         strcmp(sc_path_last(place.file), stored->file) == 0;
}

/* The context to look at next: where it was before others, then the largest. False: there are no more. */
static bool next_context(sc_fuzz_searching *s, const sc_fuzz_stored *stored, uint32_t *context)
{
  uint64_t most = 0;
  bool there = false;
  for (size_t i = 0; i < s->flagged_count; i++) {
    const sc_fuzz_known *known = &s->known[s->flagged[i]];
    bool here = is_there(s, s->flagged[i], stored);
    if (known->checked || here < there || (here == there && known->counts[SC_FUZZ_SIZES - 1] <= most))
      continue;
    most = known->counts[SC_FUZZ_SIZES - 1];
    there = here;
    *context = s->flagged[i];
  }
  return most > 0;
}

static enum sc_fuzz_change change_of(bool there, double order, double before)
{
  if (order > before + SC_FUZZ_ORDER_SAME)
    return SC_FUZZ_WORSE;
  if (order < before - SC_FUZZ_ORDER_SAME)
    return SC_FUZZ_LESS;
  return there ? SC_FUZZ_STILL : SC_FUZZ_MOVED;
}

/* What it does where it was before, or else anywhere. *ended false: a run of the smallest sizes did not end well. */
static int look_for_growth(sc_fuzz_searching *s, const sc_fuzz_stored *stored, sc_fuzz_find *find, bool *ended)
{
  uint32_t context = 0;
  bool confirmed = false;
  SC_TRY(sc_fuzz_probe(s, &stored->family, ended));
  for (size_t i = 0; i < s->flagged_count; i++)
    s->known[s->flagged[i]].checked = false;
  while (*ended && !confirmed && next_context(s, stored, &context)) {
    SC_TRY(sc_fuzz_confirm(s, &stored->family, context, find, &confirmed));
    s->known[context].checked = true;
  }
  if (!confirmed) {
    *find = (sc_fuzz_find){.family = stored->family, .change = SC_FUZZ_GONE};
    return 0;
  }
  find->change = change_of(is_there(s, context, stored), find->order, stored->order);
  return sc_fuzz_describe(s, find);
}

/* What is gone, or fails, has no place of its own now: it is spoken of, and accepted, by the function it was kept with.
 */
static int remember_function(const sc_fuzz_stored *stored, sc_fuzz_find *find)
{
  if (find->step_count || !*stored->function)
    return 0;
  SC_TRY(SC_NEW(find->steps, 1));
  sc_fuzz_step *step = &find->steps[find->step_count++];
  *step = (sc_fuzz_step){
      .function = sc_mem_copy_string(stored->function), .file = sc_mem_copy_string(""), .kind = stored->kind};
  return step->function && step->file ? 0 : SC_E_NOMEM;
}

/* A machine that is busy may end a run that would have grown: gone is what is gone twice. */
static int check_growth(sc_fuzz_searching *s, const sc_fuzz_stored *stored, sc_fuzz_find *find)
{
  bool ended = false;
  find->change = SC_FUZZ_GONE;
  for (int tries = 0; tries < 2 && find->change == SC_FUZZ_GONE; tries++)
    SC_TRY(look_for_growth(s, stored, find, &ended));
  if (!ended && !s->finds->count)
    find->change = SC_FUZZ_UNRUN;
  return 0;
}

static int check_failure(sc_fuzz_searching *s, const sc_fuzz_stored *stored, sc_fuzz_find *find)
{
  bool alike;
  *find = (sc_fuzz_find){
      .family = stored->family, .outcome = stored->outcome, .signal = stored->signal, .failed_at = stored->failed_at};
  SC_TRY(sc_fuzz_fails_alike(s, find, &stored->family, stored->failed_at, &alike));
  if (alike && stored->outcome == SC_FUZZ_TIMED_OUT) /* the machine may have been busy */
    SC_TRY(sc_fuzz_fails_alike(s, find, &stored->family, stored->failed_at, &alike));
  find->change = alike ? SC_FUZZ_STILL : SC_FUZZ_GONE;
  return 0;
}

/* The failures that came up meanwhile, as crashes, are of the family that is looked at. */
static int check_one(sc_fuzz_searching *s, const sc_fuzz_stored *stored, sc_fuzz_finds *finds)
{
  sc_fuzz_finds failures = {0};
  sc_fuzz_find find = {.family = stored->family};
  s->finds = &failures;
  int err = stored->outcome == SC_FUZZ_ENDED ? check_growth(s, stored, &find) : check_failure(s, stored, &find);
  if (err == 0 && find.change == SC_FUZZ_GONE && failures.count) {
    sc_fuzz_find_free(&find);
    find = failures.list[0];
    failures.list[0] = (sc_fuzz_find){0};
    find.change = SC_FUZZ_MOVED;
  }
  int remembered = remember_function(stored, &find);
  err = err ?: remembered;
  find.order_before = stored->order;
  finds->runs += failures.runs;
  finds->confirmations += failures.confirmations;
  finds->list[finds->count++] = find;
  sc_fuzz_finds_free(&failures);
  return err;
}

int sc_fuzz_check(struct sc_fuzz_target *target, const sc_fuzz_options *options, const sc_fuzz_stored *stored,
                  size_t count, sc_fuzz_finds *finds)
{
  static const sc_fuzz_tokens none = {0};
  sc_fuzz_searching s = {.target = target, .tokens = &none, .options = options};
  double began = sc_clock_now();
  *finds = (sc_fuzz_finds){0};
  SC_TRY(sc_mem_grow_zeroed(&finds->list, &finds->capacity, count ? count : 1, sizeof *finds->list));
  int err = sc_fuzz_open_search(&s);
  for (size_t i = 0; i < count && err == 0; i++)
    err = sc_fuzz_is_late(&s) ? sc_err_set(SC_E_INTERRUPTED, "interrupted") : check_one(&s, &stored[i], finds);
  sc_fuzz_close_search(&s);
  finds->seconds = sc_clock_now() - began;
  return err;
}
