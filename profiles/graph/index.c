/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing the one hash map of the analysis side. Slots keep the hash, so that moving them needs no look at the owner's
 * things, which may be scattered over the heap. */
#include "profiles/graph/index.h"

#include <stdlib.h>

#include "base/buf.h"

enum { SMALLEST = 256 };

int sc_index_reserve(sc_index *index, size_t count)
{
  size_t slots = index->slots ? index->mask + 1 : SMALLEST;
  while (slots / 2 < count)
    slots *= 2;
  if (index->slots && slots == index->mask + 1)
    return 0;
  sc_index larger = {.slots = sc_mem_new(slots, sizeof *larger.slots), .mask = slots - 1, .count = index->count};
  if (!larger.slots)
    return SC_E_NOMEM;
  for (size_t i = 0; index->slots && i <= index->mask; i++) {
    size_t at = index->slots[i].hash;
    if (!index->slots[i].number)
      continue;
    while (larger.slots[at & larger.mask].number)
      at++;
    larger.slots[at & larger.mask] = index->slots[i];
  }
  free(index->slots);
  *index = larger;
  return 0;
}

void sc_index_free(sc_index *index)
{
  free(index->slots);
  *index = (sc_index){0};
}
