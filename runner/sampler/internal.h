/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runner/sampler/event.h"
#include "runner/sampler/regs.h"
#include "runner/sampler/sampler.h"

/* One processor's ring buffer. */
typedef struct sc_sampler_ring {
  int fd;      /* the event sampled from the start; its descriptor is polled */
  int calm_fd; /* the same event, sampled less often, that takes over later; -1: none */
  struct perf_event_mmap_page *control;
  size_t bytes; /* of the data area; a power of two */
} sc_sampler_ring;

struct sc_sampler {
  sc_sampler_event event;
  uint64_t period; /* of a clock: as asked for, in ns; the event's is this run's own */
  sc_sampler_ring *rings;
  size_t ring_count;
  FILE *spool;       /* no name any more; records as the kernel wrote them, samples without the stack's unused rest */
  uint64_t spooled;  /* bytes */
  uint64_t lost;     /* samples the kernel dropped */
  uint64_t seen;     /* samples drained */
  bool calm;         /* the second event has taken over, or is not used */
  uint64_t thinning; /* one in `thinning` samples is kept (a power of two), its period times `thinning` */
  unsigned char *record; /* room for one record */
};

/* A sample in the spool. */
typedef struct sc_sampler_sample {
  uint32_t pid, tid;
  uint64_t time;        /* ns, the clock of all records */
  uint64_t period;      /* what it stands for: ns or events */
  const uint64_t *regs; /* SC_SAMPLER_REGS_COUNT of them; NULL if the kernel had none (a thread on its way out) */
  const unsigned char *stack;
  size_t stack_bytes;
} sc_sampler_sample;

/* Takes a record apart (as the kernel made it or as it stands in the spool): true if it is a whole sample. */
bool sc_sampler_record_sample(const struct perf_event_header *record, sc_sampler_sample *sample);
/* Time of any other record (sample_id_all); 0 if it is too short. */
uint64_t sc_sampler_record_time(const struct perf_event_header *record);

/* Goes through the spool from its start: 1 with the next record in sampler->record, 0 at the end, or an error. */
int sc_sampler_spool_rewind(sc_sampler *sampler) SC_CHECK;
int sc_sampler_spool_next(sc_sampler *sampler, const struct perf_event_header **record) SC_CHECK;
/* Appends a drained record. */
int sc_sampler_spool_add(sc_sampler *sampler, struct perf_event_header *record) SC_CHECK;
int sc_sampler_spool_open(sc_sampler *sampler, const char *directory) SC_CHECK;
/* What the event counted in all tasks of the run so far, whether samples came of it or not: ns, or events. */
uint64_t sc_sampler_counted(const sc_sampler *sampler);
