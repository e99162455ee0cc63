/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From tallies to rows of usage, the pairs of those that waited and held, and what is known of each resource. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "profiles/graph/tuning.h"
#include "profiles/graph/usage_internal.h"
#include "profiles/scprof/internal.h"
#include "profiles/scprof/pools.h"
#include "profiles/scprof/shares.h"
#include "profiles/scprof/trace.h"

/* When an arena was busy with a resource. */
struct stretch {
  uint32_t resource, arena;
  uint64_t first, last;  /* ticks */
  const void *site;      /* the place */
  double calls, seconds; /* done there: signals of a condition, else acquires and waits; held and waited */
  bool gives;            /* wakes those that wait for it, or gives back what others took: has no part in it otherwise */
};

/* While tallies become rows. A tally without a row (nothing counted, discarded, no pool after all) can be nobody's
 * waiter or holder either, which `rows` says. */
struct usages {
  const struct sc_reader *reader;
  sc_graph *graph;
  size_t run;
  const struct sc_call *calls; /* [tally_count] */
  uint32_t *rows;              /* [tally_count] SC_USAGE_NONE: none was made */
  uint32_t *resources;         /* [the reader's resources] the graph's number */
  sc_pools pools;
  struct stretch *stretches;
  size_t stretch_count;
  struct sc_usage_extent *extents; /* [the reader's resources] */
  sc_shares shares;
  bool columns; /* the graph's calls have them */
};

static void read_tally(const struct usages *u, size_t tally, struct scale_tally *data)
{
  memcpy(data, u->reader->data + u->reader->tallies[tally].offset, sizeof *data);
}

/* What came back of what was acquired here. A forked child, or a torn count, may have more of them. */
static double come_back(uint64_t acquired, uint64_t own, uint64_t foreign, uint64_t unseen)
{
  return fmin((double)acquired, (double)own + (double)foreign + (double)unseen);
}

/* Of units that others may give back less than nothing while some are out, and then not known. */
static uint64_t held_ticks(const struct scale_tally *t) { return t->hold_ticks >> 63 ? 0 : t->hold_ticks; }

static void fill_usage(const struct usages *u, const struct scale_tally *t, bool pool, sc_usage *usage)
{
  double *v = usage->values;
  v[SC_USAGE_ACQUIRES] = (double)t->acquires;
  v[SC_USAGE_FAILURES] = (double)t->failures;
  v[SC_USAGE_WAITS] = (double)t->waits;
  v[SC_USAGE_RELEASES] = (double)t->releases;
  v[SC_USAGE_READS] = pool ? 0 : (double)t->reads; /* of a pool's units they say how many there are */
  v[SC_USAGE_WRITES] = pool ? 0 : (double)t->writes;
  v[SC_USAGE_UNITS] = (double)t->units;
  v[SC_USAGE_UNITS_RELEASED] = (double)t->units_released;
  v[SC_USAGE_RETURNED] = come_back(t->acquires, t->returned, t->foreign, t->unseen);
  v[SC_USAGE_RETURNED_UNITS] = come_back(t->units, t->returned_units, t->foreign_units, t->unseen_units);
  v[SC_USAGE_UNSEEN] = fmin((double)t->unseen, v[SC_USAGE_RETURNED]);
  v[SC_USAGE_STRANGERS] = pool ? 0 : (double)t->strangers;
  v[SC_USAGE_PEAK] = (double)t->peak;
  v[SC_USAGE_WAIT_SECONDS] = sc_reader_seconds(u->reader, t->wait_ticks);
  v[SC_USAGE_HOLDS] = (double)t->holds;
  v[SC_USAGE_HOLD_SECONDS] = sc_reader_seconds(u->reader, held_ticks(t));
}

static void fill_buckets(const struct usages *u, size_t tally, const struct scale_tally *t, sc_usage *usage)
{
  uint32_t counts[SCALE_HOLD_BUCKETS];
  if (t->bytes < sizeof *t + sizeof counts)
    return;
  memcpy(counts, u->reader->data + u->reader->tallies[tally].offset + sizeof *t, sizeof counts);
  for (int i = 0; i < SCALE_HOLD_BUCKETS; i++)
    usage->buckets[i] = counts[i];
}

static bool is_giving_site(const struct scale_site_event *site)
{
  return (site->resource_class == SCALE_CLASS_CONDITION && site->event == SCALE_EVENT_WRITE) ||
         (site->resource_class == SCALE_CLASS_SEMAPHORE && site->event == SCALE_EVENT_RELEASE);
}

/* How long it was waited for counts for what was waited for there: the units behind a condition, or the lock of readers
 * and writers that is made of it. */
static bool is_timed_elsewhere(const struct usages *u, size_t tally)
{
  const struct scale_site_event *site = sc_tallies_site(u->reader, &u->reader->tallies[tally]);
  return u->pools.untimed[u->reader->tallies[tally].resource] ||
         (site->resource_class == SCALE_CLASS_CONDITION && site->flags & SCALE_SITE_INFERRED);
}

/* The arena a tally lies in is its thread's: others only add to it. */
static void note_extent(struct usages *u, size_t tally, const struct scale_tally *t)
{
  const struct scale_site_event *site = sc_tallies_site(u->reader, &u->reader->tallies[tally]);
  uint32_t resource = u->reader->tallies[tally].resource;
  struct sc_usage_extent *extent = &u->extents[resource];
  const uint64_t bits[SC_USAGE_BITMAP] = {t->instances_0, t->instances_1, t->instances_2, t->instances_3};
  for (int i = 0; i < SC_USAGE_BITMAP; i++)
    extent->bits[i] |= bits[i];
  bool signals = site->resource_class == SCALE_CLASS_CONDITION && site->event == SCALE_EVENT_WRITE;
  bool condition = site->resource_class == SCALE_CLASS_CONDITION;
  u->stretches[u->stretch_count++] =
      (struct stretch){resource,
                       sc_blocks_arena(u->reader, u->reader->tallies[tally].address),
                       t->first_tick,
                       t->last_tick > t->first_tick ? t->last_tick : t->first_tick,
                       site,
                       signals     ? (double)t->writes
                       : condition ? 0
                                   : (double)t->acquires + (double)t->waits,
                       condition ? 0 : sc_reader_seconds(u->reader, held_ticks(t) + t->wait_ticks),
                       is_giving_site(site)};
}

static int add_usage_row(struct usages *u, size_t tally)
{
  const struct sc_tally *known = &u->reader->tallies[tally];
  const struct sc_function *function = sc_tallies_function(u->reader, known);
  const struct scale_site_event *site = sc_tallies_site(u->reader, known);
  const char *via = sc_sites_string(function, site->via);
  struct scale_tally data;
  u->rows[tally] = SC_USAGE_NONE;
  if (u->calls[tally].context == SC_NONE || site->event == SCALE_EVENT_NAME || u->pools.left_out[known->resource] ||
      sc_usage_is_discarded(u->graph, via, u->reader->resources.list[known->resource]->name))
    return 0;
  uint32_t *resource = &u->resources[known->resource];
  if (*resource == SC_NONE)
    SC_TRY(sc_usage_resource(u->graph, u->reader->resources.list[known->resource], resource));
  read_tally(u, tally, &data);
  sc_usage usage = {.context = u->calls[tally].context,
                    .resource = *resource,
                    .via = via,
                    .line = u->calls[tally].line,
                    .column = u->columns ? u->calls[tally].column : 0,
                    .shared = site->flags & SCALE_SITE_SHARED,
                    .event = (enum sc_usage_event)site->event};
  fill_usage(u, &data, sc_pools_takes(site), &usage);
  if (is_timed_elsewhere(u, tally))
    usage.values[SC_USAGE_WAIT_SECONDS] = 0;
  fill_buckets(u, tally, &data, &usage);
  note_extent(u, tally, &data);
  if (!usage.shared)
    SC_TRY(sc_shares_add(&u->shares, u->reader, tally, &data));
  return sc_usage_add(u->graph, u->run, &usage, &u->rows[tally]);
}

/* What a thread waited while it held something else. Of two locks of one name it is not told: such a pair means that
 * the one was waited for while somebody held the other. */
static int add_inside(const struct usages *u, size_t tally, const struct sc_holder *holder)
{
  sc_wait_pair pair = {.waiter = u->rows[tally], .seconds = sc_reader_seconds(u->reader, holder->inside)};
  if (!holder->inside || holder->tally == SC_NONE || u->rows[holder->tally] == SC_USAGE_NONE)
    return 0;
  pair.holder = u->rows[holder->tally];
  if (u->reader->tallies[tally].resource == u->reader->tallies[holder->tally].resource)
    return 0;
  return sc_usage_add_pair(u->graph, u->run, &pair);
}

static int add_pairs(const struct usages *u, size_t tally)
{
  const struct sc_tally *known = &u->reader->tallies[tally];
  for (uint32_t i = known->first_holder; i < known->first_holder + known->holder_count; i++) {
    const struct sc_holder *holder = &u->reader->holders[i];
    sc_wait_pair pair = {.waiter = u->rows[tally],
                         .holder = holder->tally == SC_NONE ? SC_USAGE_NONE : u->rows[holder->tally],
                         .waits = (double)holder->waits,
                         .seconds = sc_reader_seconds(u->reader, holder->ticks)};
    if (holder->waits)
      SC_TRY(sc_usage_add_pair(u->graph, u->run, &pair));
    SC_TRY(add_inside(u, tally, holder));
  }
  return 0;
}

static int by_resource_and_arena(const void *left, const void *right)
{
  const struct stretch *a = left, *b = right;
  return SC_COMPARE(a->resource, b->resource) ?: SC_COMPARE(a->arena, b->arena);
}

static void extend_expanded_usage(const struct usages *u, const struct stretch *stretch, struct sc_usage_extent *extent)
{
  if (!stretch->first || !u->reader->tick_ns)
    return;
  extent->first = fmin(extent->first, sc_clock_monotonic(u->reader, stretch->first));
  extent->last = fmax(extent->last, sc_clock_monotonic(u->reader, stretch->last));
}

static int by_site(const void *left, const void *right)
{
  const struct stretch *a = left, *b = right;
  return SC_COMPARE(a->site, b->site);
}

/* A place in all threads: the stretches of one resource from *at on that are of its site; *at: the next one's. */
static struct stretch take_place(const struct stretch *list, size_t count, size_t *at)
{
  struct stretch place = list[*at];
  for (++*at; *at < count && list[*at].site == place.site; ++*at) {
    const struct stretch *more = &list[*at];
    place.calls += more->calls;
    place.seconds += more->seconds;
    place.first = more->first && (!place.first || more->first < place.first) ? more->first : place.first;
    place.last = more->last > place.last ? more->last : place.last;
  }
  return place;
}

/* When the resource was under load: while the places worked that do most of what is done to it. What a server does once
 * when it starts, or ends, is not among them, and the time until the first client comes is no time
 * in which anything was idle (Denning and Buzen: the interval in which the system is observed is that of its load).
 * Sorts the stretches by place. */
static void find_load(const struct usages *u, struct stretch *list, size_t count, struct sc_usage_extent *extent)
{
  double calls = 0, seconds = 0;
  extent->loaded_first = INFINITY;
  extent->loaded_last = -INFINITY;
  qsort(list, count, sizeof *list, by_site);
  for (size_t i = 0; i < count;) {
    struct stretch place = take_place(list, count, &i);
    calls = fmax(calls, place.calls);
    seconds = fmax(seconds, place.seconds);
  }
  for (size_t i = 0; i < count && u->reader->tick_ns;) {
    struct stretch place = take_place(list, count, &i);
    bool much = (calls > 0 && place.calls >= SC_EXPAND_MUCH * calls) ||
                (seconds > 0 && place.seconds >= SC_EXPAND_MUCH * seconds);
    if (!much || !place.first)
      continue;
    extent->loaded_first = fmin(extent->loaded_first, sc_clock_monotonic(u->reader, place.first));
    extent->loaded_last = fmax(extent->loaded_last, sc_clock_monotonic(u->reader, place.last));
  }
}

/* One resource's stretches, sorted by arena. Those without a time say only that the arena was there. Threads are
 * counted by arena, one thread at a time; those that only signal or give back are not users of it, and their time is
 * not in `active`. */
static int occupy_expanded_usage(struct usages *u, struct stretch *list, size_t count)
{
  struct sc_usage_extent *extent = &u->extents[list[0].resource];
  double threads = 0, active = 0;
  extent->first = INFINITY;
  extent->last = -INFINITY;
  for (size_t i = 0, end; i < count; i = end) {
    uint64_t first = UINT64_MAX, last = 0;
    bool takes_part = false;
    for (end = i; end < count && list[end].arena == list[i].arena; end++) {
      extend_expanded_usage(u, &list[end], extent);
      takes_part = takes_part || !list[end].gives;
      if (!list[end].first || list[end].gives)
        continue;
      first = list[end].first < first ? list[end].first : first;
      last = list[end].last > last ? list[end].last : last;
    }
    threads += takes_part;
    if (last)
      active += sc_reader_seconds(u->reader, last - first);
  }
  find_load(u, list, count, extent);
  return sc_usage_occupy(u->graph, u->run, u->resources[list[0].resource], threads, active, extent);
}

static int add_occupancies(struct usages *u)
{
  size_t count = u->stretch_count;
  if (count)
    qsort(u->stretches, count, sizeof *u->stretches, by_resource_and_arena);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && u->stretches[end].resource == u->stretches[i].resource;)
      end++;
    SC_TRY(occupy_expanded_usage(u, u->stretches + i, end - i));
  }
  return 0;
}

/* Of a resource that is all there is of its class. */
static int add_peaks(const struct usages *u)
{
  for (size_t i = 0; i < u->reader->resources.count; i++) {
    const sc_resource *resource = u->reader->resources.list[i];
    int class = (int)resource->resource_class - SCALE_CLASS_THREAD;
    bool whole = class >= 0 && class < SCALE_OUT_CLASSES && !resource->probe &&
                 !strcmp(resource->name, sc_resource_class_plural(resource->resource_class));
    if (whole && u->resources[i] != SC_NONE && u->reader->most_out[class] > 0)
      SC_TRY(sc_usage_peak(u->graph, u->run, u->resources[i], u->reader->most_out[class]));
  }
  return 0;
}

/* Rows first, then pairs, which name rows; occupancies last, as the rows' walk collects what they are made of. */
int sc_expand_usages(const struct sc_reader *reader, sc_graph *graph, size_t run, const struct sc_call *calls)
{
  int err = SC_E_NOMEM;
  size_t resources = reader->resources.count;
  struct usages u = {
      .reader = reader, .graph = graph, .run = run, .calls = calls, .columns = !sc_usage_lacks_columns(graph)};
  if (!reader->tally_count)
    return 0;
  u.rows = sc_mem_new(reader->tally_count, sizeof *u.rows);
  u.stretches = sc_mem_new(reader->tally_count, sizeof *u.stretches);
  u.resources = sc_mem_new(resources, sizeof *u.resources);
  u.extents = sc_mem_new(resources, sizeof *u.extents);
  u.pools = (sc_pools){sc_mem_new(resources, sizeof(bool)), sc_mem_new(resources, sizeof(bool))};
  if (!u.rows || !u.stretches || !u.resources || !u.extents || !u.pools.left_out || !u.pools.untimed)
    goto out;
  SC_GOTO(sc_pools_find(reader, &u.pools));
  memset(u.resources, 0xff, resources * sizeof *u.resources);
  for (size_t i = 0; i < reader->tally_count; i++)
    SC_GOTO(add_usage_row(&u, i));
  for (size_t i = 0; i < reader->tally_count; i++)
    if (u.rows[i] != SC_USAGE_NONE && !is_timed_elsewhere(&u, i))
      SC_GOTO(add_pairs(&u, i));
  sc_shares_sum(&u.shares, reader, u.extents);
  SC_GOTO(add_occupancies(&u));
  SC_GOTO(add_peaks(&u));
out:
  sc_shares_free(&u.shares);
  free(u.rows);
  free(u.stretches);
  free(u.resources);
  free(u.extents);
  free(u.pools.left_out);
  free(u.pools.untimed);
  return err;
}
