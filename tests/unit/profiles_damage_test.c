/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every record of a good profile left unfinished, zeroed or flipped, and the file cut at every place: what is whole is
 * read, and where counts are missing the profile says so.
 */
#include "unit.h"

#define BUILDER_RECORDS 8192
#define BUILDER_ARENA   4096
#include "scprof_file.h"

enum { CHAIN = 12 };

struct fixture {
  struct builder b;
  char path[TEMPORARY_PATH];
  uint64_t records[64]; /* offsets of the records */
  size_t record_count;
  double sum; /* of all counts */
};

/* Functions f0, f1, ..., each calling the next, and the last in a second arena too, for another thread. */
static void build(struct fixture *f)
{
  static const char *const names[CHAIN] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11"};
  uint32_t numbers[CHAIN];
  uint64_t node;
  builder_begin(&f->b, "/usr/bin/demo", "demo\0", 5);
  for (uint32_t i = 0; i < CHAIN; i++) {
    struct builder_loc loc[] = {{0, SCALE_LOC_FUNCTION, i + 1, 0, 0, 0, names[i], "demo.c", {BUILDER_ENTRIES}},
                                {0, SCALE_LOC_LOOP, i + 1, 2, 0, 0, names[i], "demo.c", {1}}};
    struct builder_slot slot = {SCALE_SLOT_DIRECT, 1, i + 1 < CHAIN ? names[i + 1] : NULL, "demo.c", 0};
    numbers[i] = builder_function(&f->b, loc, 2, &slot, i + 1 < CHAIN, 1);
  }
  node = builder_root(&f->b, builder_arena(&f->b), numbers[0], 1);
  for (uint32_t i = 0; i < CHAIN; i++) {
    builder_count(&f->b, node, numbers[i], 0, 3);
    if (i + 1 < CHAIN)
      node = builder_call(&f->b, node, numbers[i], 0, numbers[i + 1], 3);
  }
  builder_root(&f->b, builder_arena(&f->b), numbers[CHAIN - 1], 7);
  builder_seal(&f->b);
}

static double sum_of(sc_reader *reader)
{
  sc_graph *graph = scprof_file_graph(reader);
  double sum = 0;
  for (uint32_t i = 0; i < sc_graph_context_count(graph); i++)
    sum += sc_graph_value(graph, 0, i, SC_METRIC_COUNT);
  sc_graph_free(graph);
  return sum;
}

static int set_up(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  sc_reader *reader;
  temporary_path(f->path);
  build(f);
  struct scale_chunk *chunk = builder_at(&f->b, f->b.records);
  for (uint64_t at = f->b.records + sizeof *chunk; at < f->b.records + chunk->used;) {
    f->records[f->record_count++] = at;
    at += ((struct scale_record *)builder_at(&f->b, at))->bytes;
  }
  assert_int_equal(f->record_count, 2 + CHAIN);
  assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
  f->sum = sum_of(reader);
  assert_true(f->sum > 7 + 4 * CHAIN);
  sc_reader_close(reader);
  *state = f;
  return 0;
}

SCPROF_FILE_TEAR_DOWN

/* Reads the spoiled profile. Whatever is missing is stated, nothing is added; the sum of what was read is returned. */
static double read_spoiled(struct fixture *f, const char *how, uint64_t where)
{
  sc_reader *reader;
  if (scprof_file_open(&f->b, f->path, &reader) < 0)
    fail_msg("%s at 0x%llx: refused: %s", how, (unsigned long long)where, sc_err_message());
  const sc_reader_info *info = sc_reader_get_info(reader);
  double sum = sum_of(reader);
  if (sum > f->sum || (sum < f->sum && !info->lost_records && !info->lost_bytes))
    fail_msg("%s at 0x%llx: %g of %g counted, %llu records and %llu bytes lost", how, (unsigned long long)where, sum,
             f->sum, (unsigned long long)info->lost_records, (unsigned long long)info->lost_bytes);
  sc_reader_close(reader);
  return sum;
}

/* A record whose place is not even sized, one without a magic number, and one that is zeros throughout. */
FIXTURE_TEST(unfinished_records)
{
  for (size_t i = 0; i < f->record_count; i++) {
    struct scale_record *record = builder_at(&f->b, f->records[i]), head = *record;
    uint32_t bytes = record->bytes;
    unsigned char *all = malloc(bytes);
    memcpy(all, record, bytes);
    record->magic = 0;
    double unfinished = read_spoiled(f, "no magic number", f->records[i]);
    record->bytes = 0;
    double unsized = read_spoiled(f, "no size", f->records[i]);
    memset(record, 0, bytes);
    double zeroed = read_spoiled(f, "zeros", f->records[i]);
    assert_true(unfinished == unsized && unsized == zeroed);
    if (i < 2) /* the process's and the module's: no count depends on them */
      assert_true(zeroed == f->sum);
    else if (i + 1 < f->record_count) /* another thread's count of the last function stays, at least */
      assert_true(zeroed >= 7);
    *record = head;
    memcpy(record, all, bytes);
    free(all);
  }
}

/* The room after the last record, as it was left by a process stopped at once: of any length, and empty. */
FIXTURE_TEST(unfinished_end)
{
  struct scale_chunk *chunk = builder_at(&f->b, f->b.records);
  for (uint64_t more = 8; more <= 256; more += 8) {
    chunk->used += 8;
    assert_true(read_spoiled(f, "an empty end", more) == f->sum);
  }
}

/* Where the process had got to in its records. */
FIXTURE_TEST(used_cut)
{
  struct scale_chunk *chunk = builder_at(&f->b, f->b.records);
  uint64_t used = chunk->used;
  for (chunk->used = sizeof *chunk; chunk->used < used; chunk->used++)
    (void)read_spoiled(f, "records used", chunk->used);
}

FIXTURE_TEST(file_cut)
{
  size_t size = f->b.size;
  double last = 0;
  for (f->b.size = SCALE_HEADER_BYTES; f->b.size < size; f->b.size += f->b.size < f->b.chunks[0] ? 8 : 64) {
    double sum = read_spoiled(f, "file cut", f->b.size);
    assert_true(sum >= last); /* the more is there, the more is read */
    last = sum;
  }
}

static void nothing(sc_reader *reader) { (void)sum_of(reader); }

FIXTURE_TEST(bits_flipped)
{
  for (size_t i = 0; i < f->record_count; i++) {
    struct scale_record *record = builder_at(&f->b, f->records[i]);
    uint32_t bytes = record->bytes;
    for (uint32_t at = 0; at < bytes; at++) {
      if (at >= offsetof(struct scale_record, module) && at < sizeof *record)
        continue;
      unsigned char *byte = builder_at(&f->b, f->records[i] + at);
      *byte ^= (unsigned char)(1u << at % 8);
      (void)read_spoiled(f, "flipped", f->records[i] + at);
      *byte ^= (unsigned char)(1u << at % 8);
    }
  }
  struct scprof_file_flips flips = {0};
  const uint64_t ranges[][2] = {{SCALE_HEADER_BYTES, SCALE_HEADER_BYTES + sizeof(struct scale_chunk)},
                                {f->b.chunks[0], f->b.chunks[0] + sizeof(struct scale_chunk) + 64},
                                {f->b.chunks[1], f->b.chunks[1] + 600}};
  for (size_t i = 0; i < 3; i++)
    scprof_file_flip(&f->b, f->path, ranges[i], nothing, &flips);
  assert_int_equal(flips.refused, 0);
}
