/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves out parts and bytes of a family as long as its growth stays. */
#include "runner/fuzz/internal.h"

typedef struct growing {
  sc_fuzz_searching *s;
  uint64_t site;
  unsigned left; /* tries */
} growing;

static int try_growth(void *user, const sc_family *family, bool *grows)
{
  growing *k = user;
  bool ended;
  uint32_t context;
  *grows = false;
  if (k->left == 0 || sc_fuzz_is_late(k->s) || family->part_count == 0 || sc_family_is_fixed(family))
    return 0;
  k->left--;
  SC_TRY(sc_fuzz_probe(k->s, family, &ended));
  *grows = ended && sc_fuzz_grows(k->s, k->site, &context);
  return 0;
}

/* A repetition where one will do is not needed. */
static int drop_repetitions(growing *k, sc_family *family)
{
  for (unsigned i = 0; i < family->part_count; i++) {
    sc_family less = *family;
    bool grows;
    if (family->parts[i].kind != SC_FAMILY_STRING || family->parts[i].times != SC_FAMILY_N)
      continue;
    less.parts[i].times = SC_FAMILY_FIXED;
    less.parts[i].fixed = 1;
    SC_TRY(try_growth(k, &less, &grows));
    if (grows)
      *family = less;
  }
  return 0;
}

int sc_fuzz_minimise(sc_fuzz_searching *s, sc_family *family, uint64_t site)
{
  growing k = {s, site, SC_FUZZ_SHRINK};
  unsigned before;
  do {
    before = k.left;
    unsigned parts = family->part_count;
    SC_TRY(sc_fuzz_drop_parts(family, try_growth, &k));
    SC_TRY(drop_repetitions(&k, family));
    SC_TRY(sc_fuzz_drop_bytes(family, try_growth, &k));
    if (family->part_count == parts)
      break;
  } while (k.left && k.left < before);
  return 0;
}
