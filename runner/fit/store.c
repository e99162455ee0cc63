/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/buf.h"
#include "base/hash.h"
#include "profiles/graph/index.h"
#include "runner/fit/check.h"

#define NO_SERIES UINT32_MAX

typedef struct record {
  uint64_t hash;
  uint64_t first, last; /* segments of the spool */
  uint32_t set;
  bool bad;
} record;

/* In the spool: a segment, its key if it is the first of its series, its points. All in multiples of 8 bytes. */
typedef struct segment {
  uint64_t previous; /* 1 + the place of the segment before in the same series; 0: the first, a key follows */
  uint64_t bytes;    /* of all, this head included */
  uint64_t points;
} segment;
typedef struct key_head {
  uint32_t callpath, metric, unit, padded; /* lengths; of the three together, filled up to a multiple of 8 */
} key_head;

struct sc_store {
  sc_spool spool;
  record *records;
  size_t count, capacity;
  sc_index index; /* number of a record + 1 */
  sc_store_set **sets;
  size_t set_count, set_capacity;
  uint64_t seed;
  uint32_t current; /* whose segment is open, or NO_SERIES */
  uint64_t open;    /* the open segment */
  sc_buf key;       /* of the current series: key_head and texts */
  uint64_t *chain;  /* when loading */
  size_t chain_capacity, at_capacity, y_capacity, repeats_capacity;
  double *at, *y;
  size_t *repeats;
  sc_buf loaded_key;
};

enum { SEGMENT_MOST = 1 << 20 };

int sc_store_new(size_t memory, sc_store **store)
{
  sc_store *made = sc_mem_new(1, sizeof *made);
  *store = made;
  if (!made)
    return SC_E_NOMEM;
  made->spool.limit = memory;
  made->current = NO_SERIES;
  made->seed = SC_HASH_START;
  /* so that nobody can prepare names that collide; without it they still are told apart */
  if (getrandom(&made->seed, sizeof made->seed, GRND_NONBLOCK) < 0)
    made->seed = SC_HASH_START;
  return 0;
}

void sc_store_free(sc_store *store)
{
  if (!store)
    return;
  for (size_t i = 0; i < store->set_count; i++) {
    for (size_t k = 0; k < store->sets[i]->count; k++)
      free(store->sets[i]->names[k]);
    free(store->sets[i]);
  }
  sc_spool_free(&store->spool);
  free(store->sets);
  free(store->records);
  sc_index_free(&store->index);
  free(store->chain);
  free(store->at);
  free(store->y);
  free(store->repeats);
  sc_buf_free(&store->key);
  sc_buf_free(&store->loaded_key);
  free(store);
}

static size_t store_padded(size_t length) { return (length + 7) / 8 * 8; }

static int compose_key(const sc_measurement *m, sc_buf *key)
{
  key_head head = {(uint32_t)m->callpath.length, (uint32_t)m->metric.length, (uint32_t)m->unit.length, 0};
  size_t length = m->callpath.length + m->metric.length + m->unit.length;
  head.padded = (uint32_t)store_padded(length);
  key->length = 0;
  sc_buf_add(key, (const char *)&head, sizeof head);
  sc_buf_add(key, m->callpath.text, m->callpath.length);
  sc_buf_add(key, m->metric.text, m->metric.length);
  sc_buf_add(key, m->unit.text, m->unit.length);
  sc_buf_add(key, "\0\0\0\0\0\0\0", head.padded - length);
  return sc_buf_finish(key);
}

static bool is_current(const sc_store *store, const sc_measurement *m)
{
  key_head head;
  if (store->current == NO_SERIES)
    return false;
  memcpy(&head, store->key.text, sizeof head);
  const char *text = store->key.text + sizeof head;
  return head.callpath == m->callpath.length && head.metric == m->metric.length && head.unit == m->unit.length &&
         memcmp(text, m->callpath.text, head.callpath) == 0 &&
         memcmp(text + head.callpath, m->metric.text, head.metric) == 0 &&
         memcmp(text + head.callpath + head.metric, m->unit.text, head.unit) == 0;
}

/* Whether a series has the key in store->key. */
static int has_key(sc_store *store, const record *series, bool *same)
{
  const void *bytes;
  size_t length = sizeof(segment) + store->key.length;
  *same = false;
  if (series->first + length > sc_spool_length(&store->spool))
    return 0;
  SC_TRY(sc_spool_read(&store->spool, series->first, length, &bytes));
  *same = memcmp((const char *)bytes + sizeof(segment), store->key.text, store->key.length) == 0;
  return 0;
}

/* The series of store->key, or NO_SERIES and the slot it would have. */
static int find_series(sc_store *store, uint64_t hash, uint32_t *series, sc_index_slot **slot)
{
  bool same = false;
  for (*slot = sc_index_first(&store->index, (uint32_t)hash); (*slot)->number;
       *slot = sc_index_next(&store->index, *slot)) {
    *series = (*slot)->number - 1;
    if (store->records[*series].hash == hash)
      SC_TRY(has_key(store, &store->records[*series], &same));
    if (same)
      return 0;
  }
  *series = NO_SERIES;
  return 0;
}

static int begin_segment(sc_store *store, uint64_t previous)
{
  store->open = sc_spool_length(&store->spool);
  size_t length = sizeof(segment) + (previous ? 0 : store->key.length);
  segment *head = sc_spool_reserve(&store->spool, length);
  if (!head)
    return SC_E_NOMEM;
  *head = (segment){previous, length, 0};
  if (!previous)
    memcpy(head + 1, store->key.text, store->key.length);
  return 0;
}

static int new_series(sc_store *store, uint64_t hash, sc_index_slot *slot, const sc_measurement *m)
{
  uint32_t set;
  if (store->count >= NO_SERIES - 1)
    return sc_err_set(SC_E_INPUT, "more than four billion series");
  SC_TRY(sc_check_set(m, &store->sets, &store->set_count, &store->set_capacity, &set));
  SC_TRY(sc_mem_grow(&store->records, &store->capacity, store->count + 1, sizeof *store->records));
  SC_TRY(begin_segment(store, 0));
  store->records[store->count] = (record){hash, store->open, store->open, set, false};
  sc_index_take(&store->index, slot, (uint32_t)hash, (uint32_t)++store->count);
  store->current = (uint32_t)store->count - 1;
  return 0;
}

static int close_segment(sc_store *store)
{
  store->current = NO_SERIES;
  return sc_spool_settle(&store->spool);
}

/* Opens a segment of the series that a measurement belongs to. */
static int turn_to(sc_store *store, const sc_measurement *m)
{
  uint32_t series = NO_SERIES;
  sc_index_slot *slot;
  SC_TRY(close_segment(store));
  SC_TRY(sc_index_reserve(&store->index, store->count + 1));
  SC_TRY(compose_key(m, &store->key));
  uint64_t hash = sc_hash_bytes(store->seed, store->key.text, store->key.length);
  hash ^= hash >> 32;
  SC_TRY(find_series(store, hash, &series, &slot));
  if (series == NO_SERIES)
    return new_series(store, hash, slot, m);
  SC_TRY(begin_segment(store, store->records[series].last + 1));
  store->records[series].last = store->open;
  store->current = series;
  return 0;
}

static int select_series(sc_store *store, const sc_measurement *m)
{
  if (is_current(store, m)) {
    const segment *head = sc_spool_change(&store->spool, store->open);
    if (head->bytes < SEGMENT_MOST)
      return 0;
  }
  return turn_to(store, m);
}

int sc_store_add(sc_store *store, const sc_measurement *m)
{
  double at[SC_STORE_PARAMETERS];
  SC_TRY(sc_check_measurement(m));
  SC_TRY(select_series(store, m));
  SC_TRY(sc_check_parameters(m, store->sets[store->records[store->current].set], at));
  uint64_t count = m->count;
  size_t length = sizeof count + (m->parameters + m->count) * sizeof(double);
  char *to = sc_spool_reserve(&store->spool, length);
  if (!to)
    return SC_E_NOMEM;
  memcpy(to, &count, sizeof count);
  memcpy(to + sizeof count, at, m->parameters * sizeof *at);
  memcpy(to + sizeof count + m->parameters * sizeof *at, m->values, m->count * sizeof *m->values);
  segment *head = sc_spool_change(&store->spool, store->open);
  head->bytes += length;
  head->points++;
  return 0;
}

int sc_store_refuse(sc_store *store, const sc_measurement *m)
{
  SC_TRY(select_series(store, m));
  store->records[store->current].bad = true;
  return 0;
}

int sc_store_finish(sc_store *store) { return close_segment(store); }

size_t sc_store_count(const sc_store *store) { return store->count; }
size_t sc_store_set_count(const sc_store *store) { return store->set_count; }
const sc_store_set *sc_store_get_set(const sc_store *store, size_t index) { return store->sets[index]; }

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
