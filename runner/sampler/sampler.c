/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/sampler.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "runner/sampler/internal.h"
#include "runner/sampler/phase.h"
#include "runner/text/tuning.h"

enum {
  DEFAULT_STACK = 16384,
  RING_MOST = 2 << 20, /* bytes a processor: 120 samples of 16 KiB */
  RECORD_ROOM = 65536
};

/* The online processors' numbers; at most `room`. */
static size_t online_processors(int *numbers, size_t room)
{
  size_t count = 0;
  int first, last;
  FILE *file = fopen("/sys/devices/system/cpu/online", "re");
  while (file && fscanf(file, "%d", &first) == 1) {
    last = first;
    int mark = fgetc(file);
    if (mark == '-') {
      if (fscanf(file, "%d", &last) != 1)
        break;
      mark = fgetc(file);
    }
    for (; first <= last && count < room; first++)
      numbers[count++] = first;
    if (mark != ',')
      break;
  }
  if (file)
    fclose(file);
  if (count == 0)
    for (long i = 0, all = sysconf(_SC_NPROCESSORS_ONLN); i < all && count < room; i++)
      numbers[count++] = (int)i;
  return count;
}

static void unmap_rings(sc_sampler *sampler)
{
  for (size_t i = 0; i < sampler->ring_count; i++) {
    sc_sampler_ring *ring = &sampler->rings[i];
    if (ring->control)
      munmap(ring->control, ring->bytes + (size_t)sysconf(_SC_PAGESIZE));
    ring->control = NULL;
  }
}

static bool map_rings_of(sc_sampler *sampler, size_t bytes)
{
  for (size_t i = 0; i < sampler->ring_count; i++) {
    sc_sampler_ring *ring = &sampler->rings[i];
    size_t whole = bytes + (size_t)sysconf(_SC_PAGESIZE);
    void *memory = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
    if (memory == MAP_FAILED) {
      int errnum = errno;
      unmap_rings(sampler);
      errno = errnum;
      return false;
    }
    ring->control = memory;
    ring->bytes = bytes;
  }
  return true;
}

/* Unprivileged users may lock only a little memory: all rings shrink until the kernel agrees. */
static int map_rings(sc_sampler *sampler)
{
  for (size_t bytes = RING_MOST; bytes >= 2 * RECORD_ROOM; bytes /= 2) {
    if (map_rings_of(sampler, bytes))
      return 0;
    if (errno != EPERM && errno != ENOMEM)
      break;
  }
  (void)sc_err_system(SC_E_UNSUPPORTED, errno, "cannot map the kernel's buffers for samples of '%s'",
                      sampler->event.name);
  return sc_err_hint(SC_E_UNSUPPORTED, "raise the limit of locked memory (ulimit -l 4096), or sudo sysctl "
                                       "kernel.perf_event_mlock_kb=2048");
}

/* The event that takes over when enough was sampled: it waits, disabled, and writes into the same ring. A change of the
 * first one's period would not reach the threads that are already there; disabling and enabling does. */
static int open_calm(const sc_sampler_event *event, pid_t pid, int processor, sc_sampler_ring *ring)
{
  sc_sampler_event calm = *event;
  sc_sampler_event_set_frequency(&calm, SC_SAMPLER_CALM);
  calm.attr.enable_on_exec = 0;
  SC_TRY(sc_sampler_event_open(&calm, pid, processor, &ring->calm_fd));
  if (ioctl(ring->calm_fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) != 0)
    return sc_err_system(SC_E_UNSUPPORTED, errno, "cannot share the kernel's buffer for samples of '%s'", event->name);
  return 0;
}

static int open_events(sc_sampler *sampler, pid_t pid, const int *processors, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    sc_sampler_ring *ring = &sampler->rings[i];
    SC_TRY(sc_sampler_event_open(&sampler->event, pid, processors[i], &ring->fd));
    ring->calm_fd = -1;
    sampler->ring_count++;
  }
  SC_TRY(map_rings(sampler));
  for (size_t i = 0; i < count && !sampler->calm; i++)
    SC_TRY(open_calm(&sampler->event, pid, processors[i], &sampler->rings[i]));
  return 0;
}

static int open_rings(sc_sampler *sampler, pid_t pid)
{
  enum { MOST_PROCESSORS = 4096 };
  int err = SC_E_NOMEM;
  int *processors = sc_mem_new(MOST_PROCESSORS, sizeof *processors);
  if (!processors)
    return err;
  size_t count = online_processors(processors, MOST_PROCESSORS);
  sampler->rings = sc_mem_new(count, sizeof *sampler->rings);
  if (sampler->rings)
    err = open_events(sampler, pid, processors, count);
  free(processors);
  return err;
}

int sc_sampler_open(const sc_sampler_options *options, pid_t pid, sc_sampler **result)
{
  int err;
  size_t stack = options->stack_bytes ? options->stack_bytes : DEFAULT_STACK;
  double frequency = options->frequency > 0 ? options->frequency : SC_SAMPLER_FIRST;
  if (stack % 8 || stack > 60000)
    return sc_err_set(SC_E_INPUT, "stack bytes per sample must be a multiple of 8 up to 60000, not %zu", stack);
  if (!(frequency >= 1 && frequency <= 100000))
    return sc_err_set(SC_E_INPUT, "the sampling frequency must be between 1 and 100000 a second, not %g", frequency);
  sc_sampler *sampler;
  SC_TRY(SC_NEW(sampler, 1));
  sampler->calm = options->frequency > 0;
  if (!(sampler->record = sc_mem_new(RECORD_ROOM, 1))) {
    err = SC_E_NOMEM;
    goto out;
  }
  SC_GOTO(sc_sampler_event_resolve(options->event, frequency, stack, &sampler->event));
  if (sampler->event.clock) {
    sampler->period = sampler->event.attr.sample_period;
    sampler->event.attr.sample_period = sc_sampler_phase_period(sampler->period);
  }
  sampler->event.attr.wakeup_watermark = 0; /* wake us when a ring is half full */
  SC_GOTO(open_rings(sampler, pid));
  SC_GOTO(sc_sampler_spool_open(sampler, options->spool));
  *result = sampler;
  return 0;
out:
  sc_sampler_close(sampler);
  return err;
}

size_t sc_sampler_fds(const sc_sampler *sampler, int *fds, size_t room)
{
  size_t count = 0;
  for (; count < sampler->ring_count && count < room; count++)
    fds[count] = sampler->rings[count].fd;
  return count;
}

/* Copies out of the ring, which may wrap inside a record. */
static void ring_copy(const sc_sampler_ring *ring, uint64_t at, void *to, size_t bytes)
{
  const char *data = (const char *)ring->control + ring->control->data_offset;
  size_t start = (size_t)(at & (ring->bytes - 1));
  size_t first = bytes < ring->bytes - start ? bytes : ring->bytes - start;
  memcpy(to, data + start, first);
  memcpy((char *)to + first, data, bytes - first);
}

static int drain_ring(sc_sampler *sampler, sc_sampler_ring *ring)
{
  uint64_t head = __atomic_load_n(&ring->control->data_head, __ATOMIC_ACQUIRE);
  uint64_t tail = ring->control->data_tail;
  struct perf_event_header *record = (void *)sampler->record;
  int err = 0;
  while (err == 0 && tail < head) {
    ring_copy(ring, tail, record, sizeof *record);
    size_t bytes = record->size;
    if (bytes < sizeof *record || bytes > head - tail)
      break; /* cannot happen with a sane kernel; going on would read garbage */
    ring_copy(ring, tail, record, bytes);
    tail += bytes;
    err = sc_sampler_spool_add(sampler, record);
  }
  __atomic_store_n(&ring->control->data_tail, tail, __ATOMIC_RELEASE);
  return err;
}

static void calm_down(sc_sampler *sampler)
{
  sampler->calm = true;
  for (size_t i = 0; i < sampler->ring_count; i++)
    if (ioctl(sampler->rings[i].calm_fd, PERF_EVENT_IOC_ENABLE, 0) == 0)
      (void)ioctl(sampler->rings[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

int sc_sampler_drain(sc_sampler *sampler)
{
  int err = 0;
  for (size_t i = 0; err == 0 && i < sampler->ring_count; i++)
    err = drain_ring(sampler, &sampler->rings[i]);
  if (err == 0 && !sampler->calm && sampler->seen >= SC_SAMPLER_CALM_FROM)
    calm_down(sampler);
  return err;
}

static uint64_t sampler_count_of(int fd)
{
  uint64_t value;
  return fd >= 0 && read(fd, &value, sizeof value) == (ssize_t)sizeof value ? value : 0;
}

uint64_t sc_sampler_counted(const sc_sampler *sampler)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < sampler->ring_count; i++)
    sum += sampler_count_of(sampler->rings[i].fd) + sampler_count_of(sampler->rings[i].calm_fd);
  return sum;
}

void sc_sampler_close(sc_sampler *sampler)
{
  if (!sampler)
    return;
  unmap_rings(sampler);
  for (size_t i = 0; i < sampler->ring_count; i++) {
    close(sampler->rings[i].fd);
    if (sampler->rings[i].calm_fd >= 0)
      close(sampler->rings[i].calm_fd);
  }
  if (sampler->spool)
    fclose(sampler->spool);
  free(sampler->rings);
  free(sampler->record);
  free(sampler);
}
