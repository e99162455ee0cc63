/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of a family at a size, within the budget of the search. */
#include "base/clock.h"
#include "runner/fuzz/internal.h"

bool sc_fuzz_is_late(const sc_fuzz_searching *s)
{
  if (s->options->interrupted && *s->options->interrupted)
    return true;
  return s->options->seconds > 0 && sc_clock_now() >= s->deadline;
}

int sc_fuzz_make_room(sc_fuzz_searching *s)
{
  size_t count = s->target->ops->context_count(s->target);
  if (count <= s->known_count)
    return 0;
  SC_TRY(sc_mem_grow_zeroed(&s->known, &s->known_capacity, count, sizeof *s->known));
  SC_TRY(sc_mem_grow(&s->touched, &s->touched_capacity, count, sizeof *s->touched));
  SC_TRY(sc_mem_grow(&s->flagged, &s->flagged_capacity, count, sizeof *s->flagged));
  SC_TRY(sc_mem_grow(&s->elites, &s->elite_capacity, count, sizeof *s->elites));
  s->known_count = count;
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
