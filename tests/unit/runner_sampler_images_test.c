/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "runner/sampler/images.h"

/* The kernel's records, written by hand into a spool and read back. */
static sc_sampler *sampler;
static union {
  struct perf_event_header header;
  unsigned char bytes[65536];
  uint64_t words[8192];
} record;

static int begin(void **state)
{
  sampler = calloc(1, sizeof *sampler);
  assert_non_null(sampler);
  sampler->record = malloc(65536);
  assert_non_null(sampler->record);
  assert_int_equal(sc_sampler_spool_open(sampler, "/tmp"), 0);
  return 0;
}

static int end(void **state)
{
  sc_sampler_close(sampler);
  return 0;
}

static void start(uint32_t type, uint16_t misc)
{
  memset(&record, 0, sizeof record.header);
  record.header = (struct perf_event_header){.type = type, .misc = misc, .size = sizeof record.header};
}

static void put(const void *data, size_t bytes)
{
  memcpy(record.bytes + record.header.size, data, bytes);
  record.header.size = (uint16_t)(record.header.size + bytes);
}

static void put32(uint32_t value) { put(&value, sizeof value); }
static void put64(uint64_t value) { put(&value, sizeof value); }

static void finish(uint32_t pid, uint64_t time)
{
  put32(pid);
  put32(pid);
  put64(time);
  assert_int_equal(sc_sampler_spool_add(sampler, &record.header), 0);
}

static void exec(uint32_t pid, uint64_t time)
{
  start(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
  put32(pid);
  put32(pid);
  put("program\0", 8);
  finish(pid, time);
}

static void map(uint32_t pid, uint64_t time, uint64_t address, uint64_t bytes, const char *path)
{
  char name[64] = {0};
  start(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
  put32(pid);
  put32(pid);
  put64(address);
  put64(bytes);
  put64(0);
  put("device, inode and more..", 24);
  put32(5);
  put32(2);
  strcpy(name, path);
  put(name, sizeof name);
  finish(pid, time);
}

static void forks(uint32_t parent, uint32_t child, uint64_t time)
{
  start(PERF_RECORD_FORK, 0);
  put32(child);
  put32(parent);
  put32(child);
  put32(parent);
  put64(time);
  finish(parent, time);
}

static void sample(uint32_t pid, uint64_t time, uint64_t copied, uint64_t used)
{
  start(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
  put32(pid);
  put32(pid);
  put64(time);
  put64(1000);
  put64(PERF_SAMPLE_REGS_ABI_64);
  for (uint64_t i = 0; i < SC_SAMPLER_REGS_COUNT; i++)
    put64(i);
  put64(copied);
  for (uint64_t i = 0; i < copied / 8; i++)
    put64(i < used / 8 ? 100 + i : UINT64_C(0xdeadbeef));
  put64(used);
  assert_int_equal(sc_sampler_spool_add(sampler, &record.header), 0);
}

TEST_WITH(programs_replace_one_another, begin, end)
{
  sc_sampler_images *images;
  map(7, 10, 0x1000, 0x1000, "/bin/first");
  exec(7, 20);
  map(7, 21, 0x1000, 0x1000, "/bin/second");
  map(7, 22, 0x9000, 0x1000, "/lib/libc.so");
  assert_int_equal(sc_sampler_images_new(sampler, &images), 0);
  const sc_sampler_image *before = sc_sampler_images_find(images, 7, 15),
                         *after = sc_sampler_images_find(images, 7, 30);
  assert_string_equal(before->exe, "/bin/first");
  assert_string_equal(after->exe, "/bin/second");
  assert_int_equal(after->map_count, 2);
  assert_null(sc_sampler_images_find(images, 7, 5));
  assert_null(sc_sampler_images_find(images, 8, 30));
  sc_sampler_images_free(images);
}

/* Processors' buffers are drained one after the other, so records come out of order. */
TEST_WITH(records_are_put_in_order, begin, end)
{
  sc_sampler_images *images;
  map(7, 21, 0x1000, 0x1000, "/bin/second");
  exec(7, 20);
  map(7, 10, 0x1000, 0x1000, "/bin/first");
  assert_int_equal(sc_sampler_images_new(sampler, &images), 0);
  assert_string_equal(sc_sampler_images_find(images, 7, 12)->exe, "/bin/first");
  assert_string_equal(sc_sampler_images_find(images, 7, 25)->exe, "/bin/second");
  sc_sampler_images_free(images);
}

TEST_WITH(children_start_as_their_parents, begin, end)
{
  sc_sampler_images *images;
  exec(7, 1);
  map(7, 2, 0x1000, 0x1000, "/bin/parent");
  forks(7, 8, 10);
  map(8, 11, 0x5000, 0x1000, "/lib/child.so");
  forks(7, 9, 12);
  exec(9, 13);
  map(9, 14, 0x1000, 0x1000, "/bin/other");
  assert_int_equal(sc_sampler_images_new(sampler, &images), 0);
  assert_int_equal(sc_sampler_images_find(images, 7, 20)->map_count, 1);
  assert_int_equal(sc_sampler_images_find(images, 8, 20)->map_count, 2);
  assert_string_equal(sc_sampler_images_find(images, 8, 20)->exe, "/bin/parent");
  assert_string_equal(sc_sampler_images_find(images, 9, 20)->exe, "/bin/other");
  assert_int_equal(sc_sampler_images_find(images, 9, 20)->map_count, 1);
  sc_sampler_images_free(images);
}

TEST_WITH(libraries_take_anothers_place, begin, end)
{
  sc_sampler_images *images;
  exec(7, 1);
  map(7, 2, 0x1000, 0x1000, "/bin/main");
  map(7, 3, 0x5000, 0x2000, "/lib/one.so");
  map(7, 10, 0x6000, 0x2000, "/lib/two.so");
  assert_int_equal(sc_sampler_images_new(sampler, &images), 0);
  const sc_sampler_image *before = sc_sampler_images_find(images, 7, 5), *after = sc_sampler_images_find(images, 7, 11);
  assert_ptr_not_equal(before, after);
  assert_string_equal(before->maps[1].path, "/lib/one.so");
  assert_int_equal(after->map_count, 2);
  assert_string_equal(after->maps[1].path, "/lib/two.so");
  assert_string_equal(after->exe, "/bin/main");
  sc_sampler_images_free(images);
}

TEST_WITH(samples_lose_only_what_was_not_copied, begin, end)
{
  const struct perf_event_header *next;
  sc_sampler_sample got;
  sample(7, 5, 4096, 256);
  assert_true(sampler->spooled < 600);
  sample(7, 6, 64, 64);
  assert_int_equal(sc_sampler_spool_rewind(sampler), 0);
  assert_int_equal(sc_sampler_spool_next(sampler, &next), 1);
  assert_true(sc_sampler_record_sample(next, &got));
  assert_int_equal(got.pid, 7);
  assert_int_equal(got.time, 5);
  assert_int_equal(got.period, 1000);
  assert_int_equal(got.regs[SC_SAMPLER_REGS_SP], SC_SAMPLER_REGS_SP);
  assert_int_equal(got.stack_bytes, 256);
  uint64_t last;
  memcpy(&last, got.stack + 248, sizeof last);
  assert_int_equal(last, 131);
  assert_int_equal(sc_sampler_spool_next(sampler, &next), 1);
  assert_int_equal(sc_sampler_spool_next(sampler, &next), 0);
}

/* Whatever a damaged ring may hold. */
TEST_WITH(short_records_are_refused, begin, end)
{
  static const uint64_t stacks[] = {4096, UINT64_MAX - 7, UINT64_MAX - 200}; /* more than there is record */
  sc_sampler_sample got;
  for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++)
    for (uint16_t size = 8; size < 240; size = (uint16_t)(size + 8)) {
      sample(7, 5, 64, 64);
      record.header.size = size;
      record.words[1 + 4 + SC_SAMPLER_REGS_COUNT] = stacks[i];
      assert_false(sc_sampler_record_sample(&record.header, &got));
    }
  assert_int_equal(sc_sampler_spool_add(sampler, &record.header), 0);
}

TEST_WITH(losses_are_counted, begin, end)
{
  start(PERF_RECORD_LOST, 0);
  put64(1);
  put64(42);
  finish(7, 3);
  start(PERF_RECORD_LOST_SAMPLES, 0);
  put64(5);
  finish(7, 4);
  assert_int_equal(sampler->lost, 47);
  start(PERF_RECORD_LOST, 0);
  put64(1);
  record.words[2] = 42; /* behind it */
  assert_int_equal(sc_sampler_spool_add(sampler, &record.header), 0);
  start(PERF_RECORD_LOST_SAMPLES, 0);
  assert_int_equal(sc_sampler_spool_add(sampler, &record.header), 0);
  assert_int_equal(sampler->lost, 47);
}

/* A kept sample stands for those left out. */
TEST_WITH(thinned_samples_keep_their_weight, begin, end)
{
  const struct perf_event_header *next;
  sc_sampler_sample got;
  uint64_t total = 0;
  sampler->thinning = 4;
  for (uint64_t i = 0; i < 100; i++)
    sample(7, i, 64, 64);
  assert_int_equal(sc_sampler_spool_rewind(sampler), 0);
  while (sc_sampler_spool_next(sampler, &next) > 0 && sc_sampler_record_sample(next, &got))
    total += got.period;
  assert_int_equal(total, 100 * 1000);
}
