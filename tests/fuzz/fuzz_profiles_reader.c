/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw profiles. Checksums are put right first, or nearly every input would end at them. */
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "profiles/layout.inc"
#include "profiles/reader.h"

static void seal_records(uint8_t *data, uint64_t at, uint64_t end)
{
  struct scale_record record;
  for (; at + sizeof record <= end; at += record.bytes) {
    memcpy(&record, data + at, sizeof record);
    if (record.bytes < sizeof record || record.bytes > end - at)
      return;
    record.crc = (uint32_t)crc32(0, data + at + sizeof record, (uInt)(record.bytes - sizeof record));
    memcpy(data + at, &record, sizeof record);
  }
}

static void seal(uint8_t *data, size_t size)
{
  struct scale_header header;
  struct scale_chunk chunk;
  if (size < SCALE_HEADER_BYTES)
    return;
  memcpy(&header, data, sizeof header);
  header.crc = 0;
  header.crc = (uint32_t)crc32(0, (const Bytef *)&header, offsetof(struct scale_header, used));
  memcpy(data, &header, sizeof header);
  for (uint64_t at = SCALE_HEADER_BYTES; at + sizeof chunk <= size; at += chunk.bytes) {
    memcpy(&chunk, data + at, sizeof chunk);
    if (chunk.bytes < sizeof chunk || chunk.bytes > size - at)
      return;
    chunk.crc = (uint32_t)crc32(0, (const Bytef *)&chunk, offsetof(struct scale_chunk, crc));
    memcpy(data + at, &chunk, sizeof chunk);
    if (chunk.type == SCALE_CHUNK_RECORDS)
      seal_records(data, at + sizeof chunk, at + (chunk.used < chunk.bytes ? chunk.used : chunk.bytes));
  }
}

static int ignore(void *user, const sc_location *location)
{
  (void)user;
  return location->name ? 0 : SC_E_INTERNAL;
}

static void use(const sc_reader *reader)
{
  sc_graph *graph;
  size_t run;
  if (sc_graph_new(&graph) < 0)
    abort();
  /* whatever was opened can be merged, and gives the same contexts again */
  if (sc_graph_begin_run(graph, &(sc_run){.n = 1}, &run) < 0 || sc_reader_merge(reader, graph, run) < 0)
    abort();
  uint32_t contexts = sc_graph_context_count(graph);
  if (sc_reader_merge(reader, graph, run) < 0 || sc_graph_context_count(graph) != contexts)
    abort();
  if (sc_reader_removed(reader, ignore, NULL) < 0)
    abort();
  sc_graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_reader *reader;
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy)
    abort();
  if (size)
    memcpy(copy, data, size);
  seal(copy, size);
  if (sc_reader_open(fuzz_file(copy, size, 0), &reader) == 0) {
    use(reader);
    sc_reader_close(reader);
  }
  free(copy);
  return 0;
}
