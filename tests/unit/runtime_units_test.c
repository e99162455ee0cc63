/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heap blocks and other units, instances and their names, traces: known answers. */
#include "unit.h"

#include "runtime_drive.h"

#define MALLOC  DRIVE_HOW(HEAP, ACQUIRE, 0)
#define REALLOC DRIVE_HOW(HEAP, RESIZE, 0)
#define FREE    DRIVE_HOW(HEAP, RELEASE, 0)
#define OPEN    DRIVE_HOW(DESCRIPTOR, ACQUIRE, 0)
#define CLOSE   DRIVE_HOW(DESCRIPTOR, RELEASE, 0)
#define MAP     DRIVE_HOW(MAPPING, ACQUIRE, 0)
#define REMAP   DRIVE_HOW(MAPPING, RESIZE, 0)
#define UNMAP   DRIVE_HOW(MAPPING, RELEASE, 0)
#define GET     DRIVE_HOW(OTHER, ACQUIRE, SCALE_SITE_PROBE)
#define PIN     DRIVE_HOW(OTHER, ACQUIRE, SCALE_SITE_PROBE | SCALE_SITE_SHARED)
#define UNPIN   DRIVE_HOW(OTHER, RELEASE, SCALE_SITE_PROBE | SCALE_SITE_SHARED)
#define PUT     DRIVE_HOW(OTHER, RELEASE, SCALE_SITE_PROBE)

enum { TRACED = 8 };

TEST(test_heap)
{
  uint64_t *cell = drive_cells(drive_function("heap"));
  void *block[20];
  uint64_t bytes = 0, most = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 20; i++) {
      block[i] = malloc(10 + 1000 * (size_t)i);
      __scale_event_acquired(&cell[0], (uintptr_t)block[i], 10 + 1000 * (uint64_t)i, MALLOC);
      bytes += malloc_usable_size(block[i]);
    }
    most = round ? most : bytes;
    for (int i = 0; i < 20; i++) {
      __scale_event_releases(&cell[1], (uintptr_t)block[i], 0, FREE);
      free(block[i]);
    }
  }
  struct scale_tally *t = drive_tally(&cell[0]), *r = drive_tally(&cell[1]);
  assert_int_equal(t->acquires, 60);
  assert_int_equal(t->units, bytes);
  assert_int_equal(t->returned, 60);
  assert_int_equal(t->returned_units, bytes);
  assert_int_equal(t->peak, most);
  assert_int_equal(t->unseen + t->foreign, 0);
  assert_int_equal(r->releases, 60);
  assert_int_equal(r->units_released, bytes);
  assert_int_equal(r->strangers, 0);
  /* nothing is something */
  __scale_event_releases(&cell[1], 0, 0, FREE);
  assert_int_equal(r->releases, 60);
  /* allocated where nobody saw it */
  block[0] = malloc(5);
  __scale_event_releases(&cell[1], (uintptr_t)block[0], 0, FREE);
  assert_int_equal(r->strangers, 1);
  assert_int_equal(r->units_released, bytes);
  free(block[0]);
}

TEST(test_unseen)
{
  uint64_t *cell = drive_cells(drive_function("unseen"));
  void *block = malloc(4096);
  uint64_t each = malloc_usable_size(block);
  __scale_event_acquired(&cell[0], (uintptr_t)block, 0, MALLOC);
  __scale_event_acquired(&cell[1], (uintptr_t)block, 0, MALLOC); /* handed out again: freed where nobody saw it */
  struct scale_tally *first = drive_tally(&cell[0]), *second = drive_tally(&cell[1]);
  assert_int_equal(first->unseen, 1);
  assert_int_equal(first->unseen_units, each);
  assert_int_equal(first->returned, 0);
  __scale_event_releases(&cell[2], (uintptr_t)block, 0, FREE);
  assert_int_equal(second->returned, 1);
  assert_int_equal(second->unseen, 0);
  /* through the address of free, handed to a library */
  __scale_event_acquired(&cell[1], (uintptr_t)block, 0, MALLOC);
  __scale_ref_free(block);
  assert_int_equal(second->returned, 2);
  assert_int_equal(second->returned_units, 2 * each);
}

TEST(test_resized_heap)
{
  uint64_t *cell = drive_cells(drive_function("realloc"));
  char *block = malloc(100);
  uint64_t first = malloc_usable_size(block), bytes = 0;
  uint64_t token;
  __scale_event_acquired(&cell[0], (uintptr_t)block, 100, MALLOC);
  for (size_t size = 200; size <= 200 << 8; size *= 2) {
    uint64_t old = (uintptr_t)block;
    token = __scale_event_resizes(old, REALLOC);
    block = realloc(block, size);
    __scale_event_resized(&cell[1], token, old, (uintptr_t)block, size, 1, REALLOC);
    bytes += malloc_usable_size(block);
  }
  struct scale_tally *made = drive_tally(&cell[0]), *resized = drive_tally(&cell[1]);
  assert_int_equal(made->returned, 1);
  assert_int_equal(made->returned_units, first);
  assert_int_equal(resized->acquires, 9);
  assert_int_equal(resized->units, bytes);
  assert_int_equal(resized->releases, 9);
  assert_int_equal(resized->returned, 8);
  assert_int_equal(resized->units - resized->returned_units, malloc_usable_size(block));
  assert_int_equal(resized->units_released, first + resized->returned_units);
  /* one that fails changes nothing */
  token = __scale_event_resizes((uintptr_t)block, REALLOC);
  __scale_event_resized(&cell[1], token, (uintptr_t)block, 0, SIZE_MAX, 0, REALLOC);
  assert_int_equal(resized->failures, 1);
  assert_int_equal(resized->returned, 8);
  __scale_event_releases(&cell[2], (uintptr_t)block, 0, FREE);
  free(block);
  assert_int_equal(resized->returned, 9);
  assert_int_equal(resized->returned_units, bytes);
  assert_int_equal(drive_tally(&cell[2])->strangers, 0);
  /* of nothing: an acquire */
  token = __scale_event_resizes(0, REALLOC);
  block = malloc(64);
  __scale_event_resized(&cell[3], token, 0, (uintptr_t)block, 64, 1, REALLOC);
  assert_int_equal(drive_tally(&cell[3])->acquires, 1);
  assert_int_equal(drive_tally(&cell[3])->releases, 0);
  __scale_ref_free(block);
}

TEST(test_descriptors)
{
  uint64_t *cell = drive_cells(drive_function("descriptors"));
  for (uint64_t fd = 0; fd < 100000; fd++) /* more than the first levels have room for */
    __scale_event_acquired(&cell[0], fd, 1, OPEN);
  struct sc_timed_tally *t = (struct sc_timed_tally *)drive_tally(&cell[0]);
  uint64_t lost = SC_LOAD(__scale_process()->header->lost_events);
  assert_int_equal(lost, 0);
  for (uint64_t fd = 0; fd < 100000; fd += 2)
    __scale_event_releases(&cell[1], fd, 1, CLOSE);
  __scale_event_acquired(&cell[0], 1, 1, OPEN); /* closed unseen, opened again */
  __scale_event_releases(&cell[1], 2, 1, CLOSE);
  __scale_event_failed(&cell[0], UINT64_MAX, OPEN);
  assert_int_equal(t->tally.acquires, 100001);
  assert_int_equal(t->tally.failures, 1);
  assert_int_equal(t->tally.returned, 50000);
  assert_int_equal(t->tally.unseen, 1);
  assert_int_equal(t->tally.unseen_units, 1);
  assert_int_equal(t->tally.peak, 100000);
  assert_int_equal(t->tally.holds, 50000);
  assert_int_equal(drive_buckets(&t->tally), 50000);
  assert_int_equal(drive_tally(&cell[1])->strangers, 1);
  for (uint64_t fd = 1; fd < 100000; fd += 2)
    __scale_ref_close((int)fd + 1000000); /* not these */
  assert_int_equal(t->tally.returned, 50000);
  for (uint64_t fd = 1; fd < 100000; fd += 2)
    __scale_event_releases(&cell[1], fd, 1, CLOSE);
  assert_int_equal(t->tally.returned, 100000);
}

TEST(test_mappings)
{
  uint64_t *cell = drive_cells(drive_function("mappings"));
  uint64_t token;
  __scale_event_acquired(&cell[0], 0x10000, 4096, MAP);
  token = __scale_event_resizes(0x10000, REMAP);
  __scale_event_resized(&cell[1], token, 0x10000, 0x10000, 8192, 1, REMAP);
  token = __scale_event_resizes(0x10000, REMAP);
  __scale_event_resized(&cell[1], token, 0x10000, 0x10000, UINT64_MAX, 0, REMAP);
  __scale_event_releases(&cell[2], 0x10000, 8192, UNMAP);
  assert_int_equal(drive_tally(&cell[0])->returned_units, 4096);
  assert_int_equal(drive_tally(&cell[0])->unseen, 0);
  assert_int_equal(drive_tally(&cell[1])->units, 8192);
  assert_int_equal(drive_tally(&cell[1])->failures, 1);
  assert_int_equal(drive_tally(&cell[1])->returned_units, 8192);
  assert_int_equal(drive_tally(&cell[1])->units_released, 4096);
  assert_int_equal(drive_tally(&cell[2])->units_released, 8192);
}

/* The application's own: once an instance, or counted. */
TEST(test_own_units)
{
  uint64_t *cell = drive_cells(drive_function("own"));
  __scale_event_acquired(&cell[0], 0x1000, 50, GET);
  __scale_event_releases(&cell[1], 0x1000, 1, PUT); /* comes back as a whole */
  assert_int_equal(drive_tally(&cell[0])->returned_units, 50);
  for (int i = 0; i < 10; i++) /* the same page, pinned ten times */
    __scale_event_acquired(&cell[2], 0x2000, 1, PIN);
  assert_int_equal(drive_tally(&cell[2])->unseen, 0);
  assert_int_equal(drive_tally(&cell[2])->peak, 10);
  for (int i = 0; i < 4; i++)
    __scale_event_releases(&cell[3], 0x2000, 1, UNPIN);
  assert_int_equal(drive_tally(&cell[2])->returned, 4);
  assert_int_equal(drive_tally(&cell[2])->holds, 4);
  /* without instances: 3 x 100 from one place, 100 from another; 350 come back in one */
  for (int i = 0; i < 3; i++)
    __scale_event_acquired(&cell[4], 0, 100, GET);
  __scale_event_acquired(&cell[5], 0, 100, GET);
  __scale_event_releases(&cell[6], 0, 350, PUT);
  struct scale_tally *one = drive_tally(&cell[4]), *two = drive_tally(&cell[5]);
  assert_int_equal(one->returned_units + two->returned_units, 350);
  assert_int_equal(one->returned + two->returned, 3);
  assert_int_equal(drive_tally(&cell[6])->units_released, 350);
  __scale_event_releases(&cell[6], 0, 50, PUT);
  assert_int_equal(one->returned, 3);
  assert_int_equal(two->returned, 1);
  __scale_event_releases(&cell[6], 0, 1, PUT);
  assert_int_equal(drive_tally(&cell[6])->strangers, 1);
  __scale_event_used(&cell[7], 0x2000, 1, DRIVE_HOW(OTHER, READ, 0));
  __scale_event_used(&cell[7], 0x2000, 1, DRIVE_HOW(OTHER, READ, 0));
  __scale_event_used(&cell[8], 0x2000, 1, DRIVE_HOW(OTHER, WRITE, 0));
  assert_int_equal(drive_tally(&cell[7])->reads, 2);
  assert_int_equal(drive_tally(&cell[8])->writes, 1);
}

/* A place that knows only pointers: a tally for each, up to a number; the others share one. */
TEST(test_by_instance)
{
  enum { MANY = SC_TALLY_INSTANCES + 40 };
  const uint32_t lock = DRIVE_HOW(MUTEX, ACQUIRE, SCALE_SITE_BY_INSTANCE | SCALE_SITE_PROBE);
  const uint32_t unlock = DRIVE_HOW(MUTEX, RELEASE, SCALE_SITE_BY_INSTANCE | SCALE_SITE_PROBE);
  uint64_t *cell = drive_cells(drive_function("instances"));
  for (int round = 0; round < 5; round++)
    for (uint64_t i = 0; i < MANY; i++) {
      __scale_event_acquired(&cell[0], 0x5000 + i * 40, 1, lock);
      __scale_event_releases(&cell[1], 0x5000 + i * 40, 1, unlock);
    }
  uint64_t count = 0, creator = (uintptr_t)&cell[0];
  for (struct scale_tally *t = drive_tally(&cell[0]); t; t = sc_tally_at(t->next), count++) {
    assert_int_equal(t->creator, creator);
    creator = (uintptr_t)&t->next;
    if (count < SC_TALLY_INSTANCES) {
      assert_int_equal(t->key, 0x5000 + count * 40);
      assert_int_equal(t->acquires, 5);
      assert_int_equal(t->holds, 5);
    } else {
      assert_true(t->key == UINT64_MAX);
      assert_int_equal(t->acquires, 5 * (MANY - SC_TALLY_INSTANCES));
      assert_int_equal(t->returned, 5 * (MANY - SC_TALLY_INSTANCES));
    }
  }
  assert_int_equal(count, SC_TALLY_INSTANCES + 1);
}

/* Instances bear the names of the places that know them, now or later. */
TEST(test_names)
{
  const uint32_t by = DRIVE_HOW(MUTEX, ACQUIRE, SCALE_SITE_BY_INSTANCE | SCALE_SITE_PROBE);
  uint64_t *cell = drive_cells(drive_function("names"));
  __scale_event_named(&cell[0], 0x7100, DRIVE_HOW(MUTEX, NAME, 0));
  __scale_event_acquired(&cell[1], 0x7100, 1, by);
  assert_int_equal(drive_tally(&cell[1])->named, cell[0]);
  assert_int_equal(drive_tally(&cell[0])->acquires, 0);
  /* the same address, of another class */
  __scale_event_acquired(&cell[2], 0x7100, 1, DRIVE_HOW(RWLOCK, ACQUIRE, SCALE_SITE_BY_INSTANCE));
  assert_int_equal(drive_tally(&cell[2])->named, 0);
  /* named after it was seen first: by an event that knows the name */
  __scale_event_acquired(&cell[3], 0x7200, 1, by);
  assert_int_equal(drive_tally(&cell[3])->named, 0);
  __scale_event_acquired(&cell[4], 0x7200, 1, DRIVE_HOW(MUTEX, ACQUIRE, SCALE_SITE_PROBE));
  for (int i = 0; i < 3; i++)
    __scale_event_acquired(&cell[3], 0x7200, 1, by);
  assert_int_equal(drive_tally(&cell[3])->named, cell[4]);
}

TEST(test_trace)
{
  uint64_t *cell = drive_cells(drive_function("trace"));
  __scale_event_used(&cell[9], 1, 1, DRIVE_HOW(OTHER, READ, 0)); /* makes the ring */
  struct scale_chunk *chunk = __scale_thread_own->trace;
  assert_non_null(chunk);
  assert_int_equal(chunk->type, SCALE_CHUNK_TRACE);
  assert_int_equal(chunk->arena, __scale_thread_own->number);
  struct scale_ring *ring = (void *)(chunk + 1);
  struct scale_traced *entry = (void *)(ring + 1);
  assert_int_equal(ring->capacity, TRACED);
  assert_int_equal(chunk->used, sizeof *chunk + sizeof *ring + TRACED * sizeof *entry);
  uint64_t before = ring->written;
  for (uint64_t i = 0; i < 3 * TRACED; i++) {
    __scale_event_acquired(&cell[0], 0x100 + i, 7, GET);
    __scale_event_releases(&cell[1], 0x100 + i, 1, PUT);
  }
  __scale_event_failed(&cell[2], 0x99, GET);
  __scale_event_acquired(&cell[0], 0x98, UINT64_C(1) << 40, GET);
  assert_int_equal(ring->written, before + 6 * TRACED + 2);
  const struct scale_traced *last = &entry[(ring->written - 1) % TRACED];
  assert_int_equal(last->event, SCALE_EVENT_ACQUIRE);
  assert_int_equal(last->identity, 0x98);
  assert_int_equal(last->units, UINT32_MAX);
  assert_int_equal(last->tally, cell[0]);
  last = &entry[(ring->written - 2) % TRACED];
  assert_int_equal(last->event, SCALE_EVENT_FAIL);
  assert_int_equal(last->identity, 0x99);
  last = &entry[(ring->written - 3) % TRACED];
  assert_int_equal(last->event, SCALE_EVENT_RELEASE);
  assert_int_equal(last->identity, 0x100 + 3 * TRACED - 1);
  assert_int_equal(last->units, 7);
  assert_true(last->ticks < entry[(ring->written - 1) % TRACED].ticks);
}

int main(int argc, char **argv)
{
  (void)argc;
  drive_begin(argv, "8");
  return drive_end(unit_run(NULL, NULL));
}
