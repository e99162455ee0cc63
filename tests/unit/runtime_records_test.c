/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records: whatever `used` covers can be stepped over by the records' sizes, at any moment and whoever is stopped. */
#include "unit.h"

#include "instrument/runtime/file.h"
#include "instrument/runtime/records.h"
#include "runtime_drive.h"

enum { WRITERS = 3, EACH = 4000, LENGTHS = 200 };

/* Walks the newest chunk: its records, or -1 if one has no size. */
static int walk(const struct scale_chunk *chunk)
{
  uint64_t used = SC_LOAD(chunk->used), at = sizeof *chunk;
  int count = 0;
  for (; at < used; count++) {
    const struct scale_record *record = (const void *)((const char *)chunk + at);
    uint32_t bytes = SC_LOAD(record->bytes);
    if (!bytes)
      return -1;
    at += bytes;
  }
  return at == used ? count : -1;
}

/* A thread was stopped for good (a longjmp, cancellation, kill -9) when it had written the size and no more. */
TEST(stopped_after_the_size)
{
  const char text[40] = "text";
  struct sc_process *p = __scale_process();
  struct scale_chunk *chunk = p->records;
  assert_true(p->has_file && chunk);
  int before = walk(chunk);
  uint64_t used = chunk->used;
  struct scale_record *left = (void *)((char *)chunk + used);
  left->bytes = 48;
  uint32_t index = __scale_records_write(p, SCALE_RECORD_INFO, text, sizeof text, "", 0);
  assert_int_equal((uint64_t)index * 8, sc_file_offset(chunk) + used + 48);
  assert_int_equal(walk(chunk), before + 2);
  assert_int_equal(left->magic, 0);
}

static volatile int running;

static void *write_records(void *unused)
{
  static const char text[LENGTHS] = "text";
  for (uint32_t i = 0; i < EACH; i++)
    assert_true(__scale_records_write(__scale_process(), SCALE_RECORD_INFO, text, i % LENGTHS, "", 0));
  __atomic_fetch_sub(&running, 1, __ATOMIC_ACQ_REL);
  return NULL;
}

TEST(sizes_before_used)
{
  pthread_t threads[WRITERS];
  running = WRITERS;
  for (int i = 0; i < WRITERS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, write_records, NULL), 0);
  while (__atomic_load_n(&running, __ATOMIC_ACQUIRE))
    assert_true(walk(SC_LOAD(__scale_process()->records)) >= 0);
  for (int i = 0; i < WRITERS; i++)
    pthread_join(threads[i], NULL);
  int count = 0;
  for (struct scale_chunk *c = __scale_process()->records; c; c = (void *)(uintptr_t)c->next) {
    int here = walk(c);
    assert_true(here >= 0);
    count += here;
  }
  assert_true(count >= WRITERS * EACH);
}

/* Most processes need little: the first chunk is a page, and only many records make chunks large. */
TEST(chunks_grow)
{
  const struct scale_chunk *first = NULL;
  uint64_t largest = 0;
  for (const struct scale_chunk *c = __scale_process()->records; c; c = (void *)(uintptr_t)c->next) {
    largest = c->bytes > largest ? c->bytes : largest;
    first = c;
  }
  assert_int_equal(first->bytes, 4096);
  assert_true(largest == 512 << 10 || largest == 256 << 10); /* two threads that find the last one full make one each */
}

int main(int argc, char **argv)
{
  drive_begin(argv, NULL);
  return drive_end(unit_run(NULL, NULL));
}
