/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records as a kernel could write them, one behind the other: spooled, read back and charged to a graph's contexts. */
#include "fuzz.h"

#include <string.h>

#include "runner/sampler/internal.h"

enum { RECORD_MOST = 65536 };

static sc_graph *program(void)
{
  static const sc_location path[] = {
      {.kind = SC_LOCATION_PROCESS, .name = "program", .display = "program", .file = ""},
      {.kind = SC_LOCATION_FUNCTION, .name = "main", .display = "main", .file = "/src/a.c", .line = 3}};
  sc_graph *graph;
  uint32_t context = 0, location;
  must(sc_graph_new(&graph) == 0);
  for (size_t i = 0; i < sizeof path / sizeof *path; i++)
    must(sc_graph_location(graph, &path[i], &location) == 0 &&
         sc_graph_context(graph, context, location, &context) == 0);
  return graph;
}

/* The next record; its size is what is left at most, as the kernel's always are whole. */
static size_t take(const uint8_t *data, size_t size, struct perf_event_header *record)
{
  memcpy(record, data, sizeof *record);
  record->size = record->size < sizeof *record ? sizeof *record : record->size;
  record->size = record->size > size ? (uint16_t)size : record->size;
  memcpy(record + 1, data + sizeof *record, record->size - sizeof *record);
  return record->size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_sampler *sampler = calloc(1, sizeof *sampler);
  struct perf_event_header *record = malloc(RECORD_MOST);
  sc_graph *graph = program();
  size_t run;
  must(sampler && record && (sampler->record = malloc(RECORD_MOST)) && sc_sampler_spool_open(sampler, "/dev/shm") == 0);
  must(sc_graph_begin_run(graph, &(sc_run){.n = 100}, &run) == 0);
  sampler->event.clock = true;
  sampler->event.attr.sample_period = sampler->period = 1000;
  strcpy(sampler->event.name, "task-clock");
  while (size >= sizeof *record) {
    size_t bytes = take(data, size, record);
    /* to the byte, so that a sanitizer sees what lies behind */
    struct perf_event_header *exact = malloc(bytes);
    must(exact != NULL);
    memcpy(exact, record, bytes);
    must(sc_sampler_spool_add(sampler, exact) == 0);
    free(exact);
    data += bytes;
    size -= bytes;
  }
  must(sc_sampler_attribute(sampler, graph, run) == 0);
  const sc_run *about = sc_graph_run_const(graph, run);
  must(about->samples_unmatched <= about->samples && about->samples <= sampler->seen);
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    must(sc_graph_value(graph, run, c, SC_METRIC_COST) >= 0);
  sc_graph_free(graph);
  sc_sampler_close(sampler);
  free(record);
  return 0;
}
