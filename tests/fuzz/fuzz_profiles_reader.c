/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw profiles. Checksums and versions are put right first, or nearly every input would end at them. */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "profiles/graph/usage.h"
#include "profiles/layout.inc"
#include "profiles/scprof/reader.h"
#include "profiles/scprof/trace.h"
#include "profiles/scprof/validate.h"

static void seal_records(uint8_t *data, uint64_t at, uint64_t end)
{
  struct scale_record record;
  for (; at + sizeof record <= end; at += record.bytes) {
    memcpy(&record, data + at, sizeof record);
    if (record.bytes < sizeof record || record.bytes > end - at)
      return;
    record.version = SCALE_FORMAT_VERSION;
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
  if (header.version != SCALE_FILE_VERSION_LEAST)
    header.version = SCALE_FILE_VERSION;
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

static void check_usage(const sc_graph *graph, size_t run)
{
  size_t count, pairs, occupancies;
  const sc_usage *rows = sc_usage_rows(graph, run, &count);
  const sc_wait_pair *pair = sc_usage_pairs(graph, run, &pairs);
  const sc_occupancy *occupancy = sc_usage_occupancies(graph, run, &occupancies);
  for (size_t i = 0; i < count; i++) {
    for (int v = 0; v < SC_USAGE_VALUES; v++)
      if (!isfinite(rows[i].values[v]) || rows[i].values[v] < 0)
        abort();
    if (rows[i].values[SC_USAGE_RETURNED] > rows[i].values[SC_USAGE_ACQUIRES] || !*sc_usage_event_name(rows[i].event) ||
        rows[i].resource >= sc_usage_resource_count(graph))
      abort();
  }
  for (size_t i = 0; i < pairs; i++)
    if (pair[i].waiter >= count || (pair[i].holder != SC_USAGE_NONE && pair[i].holder >= count))
      abort();
  for (size_t i = 0; i < occupancies; i++)
    if (!(occupancy[i].active_seconds >= 0) || !(occupancy[i].span_seconds >= 0) || occupancy[i].threads < 1)
      abort();
}

static void use_trace(sc_reader *reader)
{
  sc_graph *graph;
  sc_trace trace = {0};
  if (sc_graph_new(&graph) < 0 || sc_reader_trace(reader, &trace) < 0 || sc_validate_profiles(&reader, 1, graph) < 0)
    abort();
  for (size_t i = 0; i < trace.count; i++)
    if (!*sc_trace_kind_name(trace.events[i].kind) || trace.events[i].ring >= trace.ring_count)
      abort();
  sc_trace_free(&trace);
  sc_graph_free(graph);
}

static void use(sc_reader *reader)
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
  check_usage(graph, run);
  use_trace(reader);
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
