/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the ticks of a profile's counter to seconds. */
#include "profiles/graph/tuning.h"
#include "profiles/scprof/internal.h"
#include "profiles/scprof/trace.h"

void sc_clock_set(struct sc_reader *reader)
{
  const struct scale_header *header = &reader->header;
  reader->tick_ns = 0;
  if (header->ticks_last <= header->ticks_start || header->clock_last <= header->clock_start ||
      header->clock_last - header->clock_start < SC_CLOCK_APART)
    return;
  double tick = (double)(header->clock_last - header->clock_start) / (double)(header->ticks_last - header->ticks_start);
  if (tick >= SC_CLOCK_TICK_LEAST && tick <= SC_CLOCK_TICK_MOST)
    reader->tick_ns = tick;
}

double sc_reader_tick(const sc_reader *reader) { return reader->tick_ns; }

void sc_reader_borrow_tick(sc_reader *reader, double nanoseconds)
{
  const struct scale_header *header = &reader->header;
  if (reader->tick_ns > 0 || header->clock_last != header->clock_start) /* its own readings contradict each other */
    return;
  reader->tick_ns =
      header->ticks_start == header->clock_start ? 1 : nanoseconds; /* the same clock, where no counter is good */
  reader->info.timed = reader->tick_ns > 0;
}

double sc_reader_seconds(const sc_reader *reader, uint64_t ticks) { return (double)ticks * reader->tick_ns / 1e9; }

double sc_clock_monotonic(const struct sc_reader *reader, uint64_t ticks)
{
  uint64_t start = reader->header.ticks_start;
  double since = ticks >= start ? (double)(ticks - start) : -(double)(start - ticks);
  return (double)reader->header.clock_start + since * reader->tick_ns;
}
