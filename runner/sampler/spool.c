/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of a run, kept in a file without name until the run has ended. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "runner/sampler/internal.h"

/* Bytes after which one sample in two is left out from then on, so that a run of a day still fits on the disk. */
static const uint64_t SPOOL_STEP = UINT64_C(512) << 20;

enum {
  TID_AT = 8, /* offsets in a sample */
  TIME_AT = 16,
  PERIOD_AT = 24,
  ABI_AT = 32,
  REGS_AT = 40,
  TRAILER_BYTES = 16 /* of every other record: pid, tid, time */
};

static uint64_t word_at(const struct perf_event_header *record, size_t offset)
{
  uint64_t value;
  memcpy(&value, (const char *)record + offset, sizeof value);
  return value;
}

uint64_t sc_sampler_record_time(const struct perf_event_header *record)
{
  return record->size < sizeof *record + TRAILER_BYTES ? 0 : word_at(record, record->size - sizeof(uint64_t));
}

bool sc_sampler_record_sample(const struct perf_event_header *record, sc_sampler_sample *sample)
{
  size_t at = REGS_AT;
  if (record->type != PERF_RECORD_SAMPLE || record->size < REGS_AT + sizeof(uint64_t))
    return false;
  *sample = (sc_sampler_sample){0};
  memcpy(&sample->pid, (const char *)record + TID_AT, sizeof sample->pid);
  memcpy(&sample->tid, (const char *)record + TID_AT + 4, sizeof sample->tid);
  sample->time = word_at(record, TIME_AT);
  sample->period = word_at(record, PERIOD_AT);
  if (word_at(record, ABI_AT) != PERF_SAMPLE_REGS_ABI_NONE) {
    if (record->size < REGS_AT + (SC_SAMPLER_REGS_COUNT + 1) * sizeof(uint64_t))
      return false;
    if (word_at(record, ABI_AT) == PERF_SAMPLE_REGS_ABI_64)
      sample->regs = (const void *)((const char *)record + REGS_AT);
    at += SC_SAMPLER_REGS_COUNT * sizeof(uint64_t);
  }
  uint64_t bytes = word_at(record, at);
  at += sizeof(uint64_t);
  if (!bytes)
    return true;
  if (record->size < at + sizeof(uint64_t) || bytes > record->size - at - sizeof(uint64_t))
    return false;
  uint64_t used = word_at(record, at + bytes);
  sample->stack = (const unsigned char *)record + at;
  sample->stack_bytes = used < bytes ? used : bytes;
  return true;
}

/* Cuts the unused rest off the copied stack. */
static void shrink_sample(struct perf_event_header *record, const sc_sampler_sample *sample)
{
  uint64_t used = sample->stack_bytes & ~UINT64_C(7);
  size_t at = (size_t)(sample->stack - (const unsigned char *)record);
  memcpy((char *)record + at - sizeof used, &used, sizeof used);
  memcpy((char *)record + at + used, &used, sizeof used);
  record->size = (uint16_t)(at + used + sizeof used);
}

static int cannot_write(int errnum)
{
  int err = errnum == ENOSPC || errnum == EDQUOT ? SC_E_NOSPACE : SC_E_IO;
  (void)sc_err_system(err, errnum, "cannot write the samples");
  return sc_err_hint(err, "free some space, set TMPDIR to a place with more, or sample less: --frequency 100");
}

int sc_sampler_spool_add(sc_sampler *sampler, struct perf_event_header *record)
{
  sc_sampler_sample sample;
  if (record->type == PERF_RECORD_SAMPLE) {
    if (!sc_sampler_record_sample(record, &sample)) {
      sampler->lost++;
      return 0;
    }
    if (sampler->seen++ % sampler->thinning)
      return 0;
    uint64_t period = sample.period * sampler->thinning;
    memcpy((char *)record + PERIOD_AT, &period, sizeof period);
    if (sample.stack)
      shrink_sample(record, &sample);
  } else if (record->type == PERF_RECORD_LOST || record->type == PERF_RECORD_LOST_SAMPLES) {
    size_t count_at = record->type == PERF_RECORD_LOST ? 16 : 8;
    sampler->lost += record->size < count_at + sizeof(uint64_t) ? 0 : word_at(record, count_at);
    return 0;
  } else if (record->type != PERF_RECORD_MMAP2 && record->type != PERF_RECORD_MMAP &&
             record->type != PERF_RECORD_COMM && record->type != PERF_RECORD_FORK) {
    return 0;
  }
  if (fwrite(record, record->size, 1, sampler->spool) != 1)
    return cannot_write(errno);
  sampler->spooled += record->size;
  if (sampler->spooled / SPOOL_STEP >= sampler->thinning)
    sampler->thinning *= 2;
  return 0;
}

int sc_sampler_spool_open(sc_sampler *sampler, const char *directory)
{
  sc_buf path = {0};
  int fd = -1;
  sc_buf_printf(&path, "%s/samples-XXXXXX", directory ? directory : "/tmp");
  int err = sc_buf_finish(&path);
  if (err == 0) {
    fd = mkostemp(path.text, O_CLOEXEC);
    if (fd < 0)
      err = sc_err_system(errno == ENOSPC ? SC_E_NOSPACE : SC_E_IO, errno, "cannot create %s", path.text);
    else
      unlink(path.text);
  }
  if (err == 0 && !(sampler->spool = fdopen(fd, "w+"))) {
    close(fd);
    err = sc_err_set(SC_E_NOMEM, "out of memory: the samples cannot be buffered");
  }
  sampler->thinning = 1;
  sc_buf_free(&path);
  return err;
}

int sc_sampler_spool_rewind(sc_sampler *sampler)
{
  if (fflush(sampler->spool) != 0 || fseeko(sampler->spool, 0, SEEK_SET) != 0)
    return cannot_write(errno);
  return 0;
}

int sc_sampler_spool_next(sc_sampler *sampler, const struct perf_event_header **record)
{
  struct perf_event_header *header = (void *)sampler->record;
  size_t got = fread(header, 1, sizeof *header, sampler->spool);
  if (got == 0 && feof(sampler->spool))
    return 0;
  if (got == sizeof *header && header->size >= sizeof *header) {
    size_t rest = header->size - sizeof *header;
    if (fread(header + 1, 1, rest, sampler->spool) == rest) {
      *record = header;
      return 1;
    }
  }
  return sc_err_set(SC_E_IO, "cannot read the samples back");
}
