/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves out parts and bytes of a family as long as its growth stays. */
#include <string.h>

#include "runner/fuzz/internal.h"

typedef struct shrinking {
  sc_fuzz_searching *s;
  uint64_t site;
  sc_fuzz_find *failure; /* that it still fails as this does; NULL: that it still grows at the site */
  unsigned left;         /* tries */
} shrinking;

static int try_family(shrinking *k, const sc_family *family, bool *grows)
{
  bool ended;
  uint32_t context;
  *grows = false;
  if (k->left == 0 || sc_fuzz_is_late(k->s) || family->part_count == 0)
    return 0;
  k->left--;
  if (k->failure)
    return sc_fuzz_fails_alike(k->s, k->failure, family, k->failure->failed_at, grows);
  if (sc_family_is_fixed(family))
    return 0;
  SC_TRY(sc_fuzz_probe(k->s, family, &ended));
  *grows = ended && sc_fuzz_grows(k->s, k->site, &context);
  return 0;
}

static int drop_parts(shrinking *k, sc_family *family)
{
  for (unsigned i = 0; i < family->part_count;) {
    sc_family less = *family;
    bool grows = false;
    if (family->parts[i].kind != SC_FAMILY_CLOSE) {
      sc_family_remove(&less, i);
      SC_TRY(try_family(k, &less, &grows));
    }
    if (grows)
      *family = less;
    else
      i++;
  }
  return 0;
}

/* Without `size` bytes of a string from `start` on. The text keeps what nobody refers to. */
static void cut_string(sc_family *family, unsigned part, unsigned start, unsigned size)
{
  sc_family_part *p = &family->parts[part];
  unsigned char *text = family->text + p->start;
  memmove(text + start, text + start + size, p->bytes - start - size);
  p->bytes = (uint16_t)(p->bytes - size);
}

static int drop_bytes(shrinking *k, sc_family *family)
{
  for (unsigned i = 0; i < family->part_count; i++) {
    for (unsigned at = 0;
         family->parts[i].kind == SC_FAMILY_STRING && family->parts[i].bytes > 1 && at < family->parts[i].bytes;) {
      sc_family less = *family;
      bool grows;
      cut_string(&less, i, at, 1);
      SC_TRY(try_family(k, &less, &grows));
      if (grows)
        *family = less;
      else
        at++;
    }
  }
  return 0;
}

/* A repetition where one will do is not needed. */
static int drop_repetitions(shrinking *k, sc_family *family)
{
  for (unsigned i = 0; i < family->part_count; i++) {
    sc_family less = *family;
    bool grows;
    if (family->parts[i].kind != SC_FAMILY_STRING || family->parts[i].times != SC_FAMILY_N)
      continue;
    less.parts[i].times = SC_FAMILY_FIXED;
    less.parts[i].fixed = 1;
    SC_TRY(try_family(k, &less, &grows));
    if (grows)
      *family = less;
  }
  return 0;
}

int sc_fuzz_minimise(sc_fuzz_searching *s, sc_family *family, uint64_t site)
{
  shrinking k = {s, site, NULL, SC_FUZZ_SHRINK};
  unsigned before;
  do {
    before = k.left;
    unsigned parts = family->part_count;
    SC_TRY(drop_parts(&k, family));
    SC_TRY(drop_repetitions(&k, family));
    SC_TRY(drop_bytes(&k, family));
    if (family->part_count == parts)
      break;
  } while (k.left && k.left < before);
  return 0;
}

/* The smallest size that fails, where all above it do. */
static int lower_size(shrinking *k, sc_fuzz_find *find)
{
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

int sc_fuzz_minimise_failure(sc_fuzz_searching *s, sc_fuzz_find *find)
{
  shrinking k = {s, 0, find, find->outcome == SC_FUZZ_TIMED_OUT ? SC_FUZZ_SHRINK_LASTING : SC_FUZZ_SHRINK};
  SC_TRY(lower_size(&k, find));
  SC_TRY(drop_parts(&k, &find->family));
  SC_TRY(drop_bytes(&k, &find->family));
  return lower_size(&k, find);
}
