/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series read back from the spool. */
#include <string.h>

#include "runner/fit/store_internal.h"

/* Appends a segment's points; of the first one, its key is kept. */
static int load_segment(sc_store *store, uint64_t at, sc_store_series *series)
{
  const void *bytes;
  segment head;
  SC_TRY(sc_spool_read(&store->spool, at, sizeof head, &bytes));
  memcpy(&head, bytes, sizeof head);
  SC_TRY(sc_spool_read(&store->spool, at, head.bytes, &bytes));
  const char *from = (const char *)bytes + sizeof head;
  if (!head.previous) {
    key_head key;
    memcpy(&key, from, sizeof key);
    store->loaded_key.length = 0;
    sc_buf_add(&store->loaded_key, from, sizeof key + key.padded);
    SC_TRY(sc_buf_finish(&store->loaded_key));
    from += sizeof key + key.padded;
  }
  size_t parameters = series->set->count;
  SC_TRY(sc_mem_grow(&store->repeats, &store->repeats_capacity, series->points + head.points, sizeof *store->repeats));
  for (uint64_t i = 0; i < head.points; i++) {
    uint64_t count;
    memcpy(&count, from, sizeof count);
    const char *place = from + sizeof count, *values = place + parameters * sizeof(double);
    size_t all = series->observations + count;
    SC_TRY(sc_mem_grow(&store->at, &store->at_capacity, all * parameters + 1, sizeof *store->at)); /* never NULL */
    SC_TRY(sc_mem_grow(&store->y, &store->y_capacity, all, sizeof *store->y));
    for (size_t k = series->observations; k < all && parameters; k++)
      memcpy(&store->at[k * parameters], place, parameters * sizeof(double));
    memcpy(&store->y[series->observations], values, count * sizeof(double));
    store->repeats[series->points++] = count;
    series->observations = all;
    from = values + count * sizeof(double);
  }
  return 0;
}

int sc_store_load(sc_store *store, size_t index, sc_store_series *series)
{
  const record *from = &store->records[index];
  size_t links = 0;
  const void *bytes;
  segment head;
  *series = (sc_store_series){.set = store->sets[from->set], .bad = from->bad};
  for (uint64_t at = from->last;; at = head.previous - 1) {
    SC_TRY(sc_mem_grow(&store->chain, &store->chain_capacity, links + 1, sizeof *store->chain));
    store->chain[links++] = at;
    if (at == from->first)
      break;
    SC_TRY(sc_spool_read(&store->spool, at, sizeof head, &bytes));
    memcpy(&head, bytes, sizeof head);
  }
  while (links-- > 0)
    SC_TRY(load_segment(store, store->chain[links], series));
  key_head key;
  memcpy(&key, store->loaded_key.text, sizeof key);
  const char *text = store->loaded_key.text + sizeof key;
  series->callpath = (sc_view){text, key.callpath};
  series->metric = (sc_view){text + key.callpath, key.metric};
  series->unit = (sc_view){text + key.callpath + key.metric, key.unit};
  series->at = store->at;
  series->y = store->y;
  series->repeats = store->repeats;
  return 0;
}
