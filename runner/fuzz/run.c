/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of a family at a size, within the budget of the search. */
#include "base/clock.h"
#include "base/hash.h"
#include "runner/fuzz/internal.h"

bool sc_fuzz_is_late(sc_fuzz_searching *s)
{
  bool late = (s->options->interrupted && *s->options->interrupted) ||
              (s->options->seconds > 0 && sc_clock_now() >= s->deadline);
  s->cut |= late && s->trying;
  return late;
}

/* Of a path its key is that of its last step and of what is above it. */
static void know_context(sc_fuzz_searching *s, uint32_t context)
{
  struct sc_fuzz_place place;
  sc_fuzz_known *known = &s->known[context];
  s->target->ops->place(s->target, context, &place);
  const sc_fuzz_known *above = place.parent < context ? &s->known[place.parent] : NULL;
  uint64_t key = sc_hash_string(sc_hash_string(SC_HASH_START, place.function), place.file);
  key = sc_hash_mix(key ^ ((uint64_t)place.line << 32) ^ ((uint64_t)place.column << 16) ^ ((uint64_t)place.nth << 4) ^
                    (uint64_t)place.kind);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): room was made */
  known->key = sc_hash_mix((above ? above->key : 0) + key);
  known->depth = above ? above->depth + 1 : 0;
  known->elite = sc_fuzz_meet_elite(s, known->key);
}

int sc_fuzz_make_room(sc_fuzz_searching *s)
{
  size_t count = s->target->ops->context_count(s->target);
  if (count <= s->known_count)
    return 0;
  SC_TRY(sc_mem_grow_zeroed(&s->known, &s->known_capacity, count, sizeof *s->known));
  SC_TRY(sc_mem_grow(&s->touched, &s->touched_capacity, count, sizeof *s->touched));
  SC_TRY(sc_mem_grow(&s->flagged, &s->flagged_capacity, count, sizeof *s->flagged));
  size_t from = s->known_count;
  s->known_count = count;
  for (size_t i = from; i < count; i++)
    know_context(s, (uint32_t)i);
  return 0;
}

int sc_fuzz_run_at(sc_fuzz_searching *s, const sc_family *family, uint64_t n, struct sc_fuzz_run *run, size_t *size)
{
  SC_TRY(sc_family_fill(family, n, s->bytes, s->options->bytes, size));
  s->finds->runs++;
  return s->target->ops->run(s->target, s->bytes, *size, run);
}

double sc_fuzz_length(const sc_fuzz_searching *s, const sc_family *family, uint64_t n)
{
  enum { LONGER = 4 }; /* than with words as short as they may be */
  return sc_family_length(family, n, LONGER * (double)s->options->bytes);
}
