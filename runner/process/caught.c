/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From calls that were caught to tallies. What could not be kept for want of memory is counted as lost. */
#include "runner/process/caught.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "runner/process/caught_holds.h"
#include "runner/text/tuning.h"

bool sc_caught_after(const sc_probes_event *event)
{
  if (event->event == SCALE_EVENT_ACQUIRE || event->timed)
    return true;
  return event->unit.from == SC_PROBES_RESULT || event->units.from == SC_PROBES_RETURNED ||
         event->success != SC_PROBES_ALWAYS;
}

bool sc_caught_before(const sc_probes_event *event) { return event->timed || !sc_caught_after(event); }

sc_caught *sc_caught_new(const sc_caught_events *events, size_t functions)
{
  sc_caught *t = sc_mem_new(1, sizeof *t);
  uint32_t *first = sc_mem_new(functions + 1, sizeof *first);
  if (!t || !first) {
    free(t);
    free(first);
    return NULL;
  }
  t->events = events;
  t->functions = functions;
  t->scale = 1;
  t->first_event = first;
  t->free_hold = NOBODY;
  for (size_t i = 0; i < events->count; i++)
    first[events->list[i].function + 1]++;
  for (size_t i = 0; i < functions; i++)
    first[i + 1] += first[i];
  return t;
}

static void free_tables(sc_caught *t)
{
  for (size_t i = 0; i < t->threads.count; i++)
    free(t->threads.list[i].locks);
  free(t->tallies.list);
  free(t->pairs.list);
  free(t->processes.list);
  free(t->threads.list);
  free(t->instances.list);
  free(t->stretches.list);
  sc_index_free(&t->tallies.index);
  sc_index_free(&t->pairs.index);
  sc_index_free(&t->processes.index);
  sc_index_free(&t->threads.index);
  sc_index_free(&t->instances.index);
  sc_index_free(&t->stretches.index);
  free(t->holds);
}

void sc_caught_clear(sc_caught *t)
{
  free_tables(t);
  *t = (sc_caught){.events = t->events,
                   .first_event = t->first_event,
                   .functions = t->functions,
                   .free_hold = NOBODY,
                   .running = t->running,
                   .scale = t->scale};
}

void sc_caught_set_running(sc_caught *t) { t->running = true; }

uint64_t sc_caught_earlier(const sc_caught *t) { return t->earlier; }

void sc_caught_set_scale(sc_caught *t, double scale) { t->scale = scale; }

void sc_caught_free(sc_caught *t)
{
  if (!t)
    return;
  free_tables(t);
  free(t->first_event);
  free(t);
}

uint64_t sc_caught_lost(const sc_caught *t) { return t->lost; }

/* ---- finding ---- */

/* The number of the thing of a table whose first `bytes` bytes are those of *key, made if need be; NOBODY: no memory.
 * `list` is a T **. */
static uint32_t intern_key(void *list, size_t *count, size_t *room, sc_index *index, const void *key, size_t bytes,
                           size_t size)
{
  char **things = list;
  uint32_t hash = sc_hash_key(key, bytes);
  if (sc_index_reserve(index, *count + 1) < 0)
    return NOBODY;
  sc_index_slot *slot = sc_index_first(index, hash);
  while (slot->number && memcmp(*things + (slot->number - 1) * size, key, bytes) != 0)
    slot = sc_index_next(index, slot);
  if (slot->number)
    return slot->number - 1;
  if (*count >= SC_CAUGHT_MOST || sc_mem_grow_zeroed(list, room, *count + 1, size) < 0)
    return NOBODY;
  memcpy(*things + *count * size, key, bytes);
  sc_index_take(index, slot, hash, (uint32_t)++ * count);
  return (uint32_t)*count - 1;
}

#define INTERN(table, key, bytes) \
  intern_key(&(table).list, &(table).count, &(table).room, &(table).index, (key), (bytes), sizeof *(table).list)

/* The newest process of the number. */
static uint32_t find_caught_process(const sc_caught *t, uint32_t number)
{
  uint32_t hash = sc_hash_key(&number, sizeof number), found = NOBODY;
  if (!t->processes.index.slots)
    return NOBODY;
  for (const sc_index_slot *slot = sc_index_first(&t->processes.index, hash); slot->number;
       slot = sc_index_next(&t->processes.index, slot)) {
    const tallied_process *known = &t->processes.list[slot->number - 1];
    if (known->number == number && !known->ended)
      found = slot->number - 1;
  }
  return found;
}

static void end_process(sc_caught *t, uint32_t number)
{
  uint32_t known = find_caught_process(t, number);
  if (known != NOBODY)
    t->processes.list[known].ended = ++t->clock;
}

static uint32_t begin_process(sc_caught *t, uint32_t number, uint32_t image)
{
  uint32_t hash = sc_hash_key(&number, sizeof number);
  end_process(t, number);
  if (t->processes.count >= SC_CAUGHT_MOST || sc_index_reserve(&t->processes.index, t->processes.count + 1) < 0 ||
      sc_mem_grow(&t->processes.list, &t->processes.room, t->processes.count + 1, sizeof(tallied_process)) < 0)
    return NOBODY;
  sc_index_slot *slot = sc_index_first(&t->processes.index, hash);
  while (slot->number)
    slot = sc_index_next(&t->processes.index, slot);
  t->processes.list[t->processes.count++] = (tallied_process){number, image, ++t->clock, 0, NOBODY, NOBODY, NOBODY};
  sc_index_take(&t->processes.index, slot, hash, (uint32_t)t->processes.count);
  return (uint32_t)t->processes.count - 1;
}

static uint64_t low_bytes(uint64_t value, uint8_t bytes)
{
  return bytes && bytes < 8 ? value & ((UINT64_C(1) << 8 * bytes) - 1) : value;
}

static uint64_t value_of_call(const tallied_call *c, int index, uint8_t bytes)
{
  return index == SC_CAUGHT_NO_VALUE ? 0 : low_bytes(c->what->values[index], bytes);
}

static uint64_t result_of(const tallied_call *c) { return low_bytes(c->what->result, c->event->result_bytes); }

/* Of a result whose size nobody knows: what fits into 32 bits is taken for a number of that many. */
static int64_t signed_result(const tallied_call *c)
{
  uint64_t value = result_of(c);
  uint8_t bytes = c->event->result_bytes;
  if (bytes == 0)
    bytes = value >> 32 ? 8 : 4;
  unsigned above = 64 - 8u * bytes;
  return (int64_t)(value << above) >> above;
}

static bool came_out(const tallied_call *c, sc_probes_outcome outcome)
{
  switch (outcome) {
  case SC_PROBES_ZERO:
    return result_of(c) == 0;
  case SC_PROBES_NONZERO:
    return result_of(c) != 0;
  case SC_PROBES_NEGATIVE:
    return signed_result(c) < 0;
  case SC_PROBES_NONNEGATIVE:
    return signed_result(c) >= 0;
  case SC_PROBES_NOT_MINUS_ONE:
    return signed_result(c) != -1;
  default:
    return true;
  }
}

static uint64_t identity_of(const tallied_call *c)
{
  if (c->event->event->unit.from == SC_PROBES_RESULT)
    return result_of(c);
  return value_of_call(c, c->event->unit, c->event->unit_bytes);
}

static uint64_t units_of(const tallied_call *c)
{
  const sc_probes_amount *units = &c->event->event->units;
  switch (units->from) {
  case SC_PROBES_VALUE:
    return value_of_call(c, c->event->units[0], c->event->units_bytes[0]);
  case SC_PROBES_PRODUCT:
    return value_of_call(c, c->event->units[0], c->event->units_bytes[0]) *
           value_of_call(c, c->event->units[1], c->event->units_bytes[1]);
  case SC_PROBES_RETURNED:
    return result_of(c);
  case SC_PROBES_ALL:
    return UINT64_MAX;
  default:
    return units->number;
  }
}

static bool is_shared(const tallied_call *c)
{
  const sc_probes_event *event = c->event->event;
  if (event->sharing == SC_PROBES_SHARED_IF)
    return (int32_t)value_of_call(c, c->event->sharing, 0) == event->sharing_value;
  return event->sharing == SC_PROBES_SHARED;
}

static uint32_t find_tally(const tallied_call *c, bool touched)
{
  const uint32_t key[4] = {c->process, c->number, !touched && is_shared(c), touched};
  size_t before = c->t->tallies.count;
  uint32_t number = INTERN(c->t->tallies, key, sizeof key);
  if (number != before)
    return number;
  tallied_process *of = &c->t->processes.list[c->process];
  sc_caught_at(c, number)->next = of->first_tally;
  of->first_tally = number;
  return number;
}

static uint32_t find_caught_instance(const tallied_call *c, uint64_t identity)
{
  struct {
    uint32_t process, resource;
    uint64_t identity;
  } key = {c->process, c->event->resource, identity};
  size_t before = c->t->instances.count;
  uint32_t number = INTERN(c->t->instances, &key, sizeof key);
  if (number != before)
    return number;
  tallied_process *of = &c->t->processes.list[c->process];
  c->t->instances.list[number].newest = NOBODY;
  c->t->instances.list[number].next = of->first_instance;
  of->first_instance = number;
  return number;
}

/* The thread was busy with the resource, from `from` on. */
static void note_time(const tallied_call *c, uint32_t resource, uint64_t from)
{
  const uint32_t key[4] = {c->process, c->thread, resource, 0};
  size_t before = c->t->stretches.count;
  uint32_t number = INTERN(c->t->stretches, key, sizeof key);
  if (number == NOBODY)
    return;
  stretch *s = &c->t->stretches.list[number];
  if (number == before) {
    s->next = c->t->processes.list[c->process].first_stretch;
    c->t->processes.list[c->process].first_stretch = number;
  }
  s->first = !s->first || from < s->first ? from : s->first;
  s->last = c->what->time > s->last ? c->what->time : s->last;
}

static void lose_call(const tallied_call *c) { c->t->lost++; }

static void add_pair(const tallied_call *c, uint32_t waiter, uint32_t holder, uint32_t nested, uint64_t ns)
{
  const uint32_t key[3] = {waiter, holder, nested};
  uint32_t number = INTERN(c->t->pairs, key, sizeof key);
  if (number == NOBODY)
    return;
  c->t->pairs.list[number].waits++;
  c->t->pairs.list[number].ns += ns;
}

/* ---- events ---- */

static void count_acquire(tally *to, uint64_t units)
{
  to->acquires++;
  to->units += units;
  uint64_t out = to->units - to->returned_units;
  to->peak = (int64_t)(out - to->peak) > 0 ? out : to->peak;
}

static void count_release(tally *to, uint64_t units, bool stranger)
{
  to->releases++;
  to->units_released += units;
  to->strangers += stranger;
}

/* Nobody will see it come back. */
static void forget_acquire(const tallied_call *c, tally *to, uint64_t units)
{
  to->unseen++;
  to->returned++;
  to->returned_units += units;
  lose_call(c);
}

/* Whether the release may belong to an acquire before the run, and is no event of the run then. A counted resource may
 * have been acquired any number of times before; so may a lock for reading. */
static bool is_earlier(const tallied_call *c, uint32_t instance, uint64_t identity)
{
  tallied_instance *of = &c->t->instances.list[instance];
  bool known = of->known;
  if (!c->t->running || of->newest != NOBODY)
    return false;
  of->known = true;
  return !known || sc_caught_counted(c, identity) || is_shared(c);
}

static void take_acquire(const tallied_call *c, uint32_t tally_number, uint32_t instance, uint64_t identity)
{
  c->t->instances.list[instance].known = true;
  bool locks = sc_caught_locks(c->t, c->event->resource);
  uint64_t units = locks ? 1 : units_of(c);
  count_acquire(sc_caught_at(c, tally_number), units);
  bool kept = locks ? sc_caught_keep_lock(c, instance, tally_number)
                    : sc_caught_keep_units(c, instance, identity, tally_number, units);
  if (!kept)
    forget_acquire(c, sc_caught_at(c, tally_number), units);
}

static void take_release(const tallied_call *c, uint32_t tally_number, uint32_t instance, uint64_t identity)
{
  uint64_t units = units_of(c), back = 0;
  if (!sc_caught_locks(c->t, c->event->resource)) {
    back = sc_caught_give_units(c, instance, sc_caught_counted(c, identity), units);
    count_release(sc_caught_at(c, tally_number), back ? back : units, !back);
    return;
  }
  bool stranger;
  do
    stranger = !sc_caught_give_lock(c, instance);
  while (!stranger && ++back < units);
  count_release(sc_caught_at(c, tally_number), units, stranger);
}

static void touch_resource(const tallied_call *c)
{
  uint32_t number = c->event->touched == NOBODY ? NOBODY : find_tally(c, true);
  if (number == NOBODY)
    return;
  tallied_call other = *c;
  sc_caught_event second = *c->event;
  second.resource = c->event->touched;
  other.event = &second;
  (void)find_caught_instance(&other, 0);
  note_time(c, second.resource, c->what->time);
  if (c->event->event->event == SCALE_EVENT_WRITE)
    sc_caught_at(c, number)->writes++;
  else
    sc_caught_at(c, number)->reads++;
}

static void take_use(const tallied_call *c)
{
  uint64_t identity = identity_of(c);
  uint32_t instance = find_caught_instance(c, identity), number;
  if (instance != NOBODY && c->event->event->event == SCALE_EVENT_RELEASE && is_earlier(c, instance, identity)) {
    c->t->earlier++;
    return;
  }
  number = find_tally(c, false);
  if (number == NOBODY || instance == NOBODY) {
    lose_call(c);
    return;
  }
  note_time(c, c->event->resource, c->what->time);
  switch (c->event->event->event) {
  case SCALE_EVENT_ACQUIRE:
    take_acquire(c, number, instance, identity);
    break;
  case SCALE_EVENT_RELEASE:
    take_release(c, number, instance, identity);
    break;
  case SCALE_EVENT_WRITE:
    sc_caught_at(c, number)->writes++;
    break;
  default:
    sc_caught_at(c, number)->reads++;
  }
  touch_resource(c);
}

static void take_failure(const tallied_call *c)
{
  uint32_t number = find_tally(c, false);
  if (number == NOBODY)
    lose_call(c);
  else
    sc_caught_at(c, number)->failures++;
}

/* Who holds a lock that the call may wait for. */
static void look_who_holds(const tallied_call *c)
{
  sc_caught_thread(c)->awaited_by = NOBODY;
  if (!sc_caught_locks(c->t, c->event->resource) || c->event->event->unit.from != SC_PROBES_ARGUMENT)
    return;
  uint32_t instance = find_caught_instance(c, identity_of(c));
  uint32_t holder = instance == NOBODY ? NOBODY : sc_caught_newest(c, instance, c->thread, false);
  if (holder != NOBODY)
    sc_caught_thread(c)->awaited_by = c->t->holds[holder].tally;
}

static void take_wait(const tallied_call *c)
{
  uint32_t number = find_tally(c, false);
  uint64_t ns = c->what->time - c->what->began;
  if (number == NOBODY || find_caught_instance(c, identity_of(c)) == NOBODY) {
    lose_call(c);
    return;
  }
  note_time(c, c->event->resource, c->what->began);
  sc_caught_at(c, number)->waits++;
  sc_caught_at(c, number)->wait_ns += ns;
  if (sc_caught_locks(c->t, c->event->resource))
    add_pair(c, number, sc_caught_thread(c)->awaited_by, 0, ns);
  for (size_t i = 0; i < sc_caught_thread(c)->lock_count; i++) {
    const hold *held = &c->t->holds[sc_caught_thread(c)->locks[i]];
    if (!held->inner && held->since <= c->what->began)
      add_pair(c, number, held->tally, 1, ns);
  }
}

/* Whether the call waited. One that does not tell so has where it was delayed. */
static bool has_waited(const tallied_call *c)
{
  uint64_t ns = c->what->time - c->what->began;
  if (c->event->event->waited != SC_PROBES_ALWAYS)
    return came_out(c, c->event->event->waited);
  return ns >= SCALE_WAIT_YIELDS_NS || (ns >= SCALE_WAIT_LEAST_NS && c->what->switches > 0);
}

static void take_return(const tallied_call *c)
{
  const sc_probes_event *event = c->event->event;
  if (event->timed) {
    if (has_waited(c))
      take_wait(c);
    if (event->event == SCALE_EVENT_WAIT) {
      touch_resource(c);
      return;
    }
  }
  if (came_out(c, event->success))
    take_use(c);
  else if (event->event == SCALE_EVENT_ACQUIRE)
    take_failure(c);
}

/* Whether a value that the event needs could not be read. */
static bool is_unread(const tallied_call *c)
{
  const int needed[] = {c->event->unit, c->event->units[0], c->event->units[1], c->event->sharing};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (needed[i] != SC_CAUGHT_NO_VALUE && c->what->unread >> needed[i] & 1)
      return true;
  return false;
}

/* Whether the event asked for this side of the call, which another event of the function may have asked for alone. */
static bool asks_for_side(const tallied_call *c)
{
  return c->what->kind == SCALE_HAPPENED_RETURN ? sc_caught_after(c->event->event) : sc_caught_before(c->event->event);
}

static void take_call(sc_caught *t, const struct scale_happened *what)
{
  tallied_call c = {.t = t, .what = what, .process = find_caught_process(t, what->process)};
  if (what->function >= t->functions)
    return;
  if (c.process == NOBODY)
    c.process = begin_process(t, what->process, what->image);
  const uint32_t key[2] = {c.process, what->thread};
  c.thread = c.process == NOBODY ? NOBODY : INTERN(t->threads, key, sizeof key);
  for (uint32_t i = t->first_event[what->function]; i < t->first_event[what->function + 1]; i++) {
    c.event = &t->events->list[i];
    c.number = i;
    if (!asks_for_side(&c))
      continue;
    if (c.thread == NOBODY || is_unread(&c)) {
      lose_call(&c);
      continue;
    }
    if (what->kind == SCALE_HAPPENED_RETURN)
      take_return(&c);
    else if (c.event->event->timed)
      look_who_holds(&c);
    else
      take_use(&c);
  }
}

void sc_caught_take(void *tallies, const struct scale_happened *what)
{
  sc_caught *t = tallies;
  switch (what->kind) {
  case SCALE_HAPPENED_BEGIN:
    t->lost += begin_process(t, what->process, what->image) == NOBODY;
    break;
  case SCALE_HAPPENED_END:
    end_process(t, what->process);
    break;
  case SCALE_HAPPENED_ENTRY:
  case SCALE_HAPPENED_RETURN:
    take_call(t, what);
    break;
  default: /* what a thread that is gone had stays out, until another one gives it back */
    break;
  }
}
