/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/event.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runner/sampler/regs.h"
#include "runner/sampler/sampler.h"

static int encode_event(const char *name, sc_sampler_event *event)
{
  static int state = 1; /* pfm_initialize's result; 1 = not called yet */
  if (state == 1)
    state = pfm_initialize();
  if (state != PFM_SUCCESS)
    return sc_err_set(SC_E_UNSUPPORTED, "libpfm4 cannot start: %s", pfm_strerror(state));
  pfm_perf_encode_arg_t request = {.attr = &event->attr, .size = sizeof request};
  int status = pfm_get_os_event_encoding(name, PFM_PLM3 | PFM_PLM0, PFM_OS_PERF_EVENT, &request);
  if (status != PFM_SUCCESS) {
    (void)sc_err_set(SC_E_INPUT, "unknown event '%s': %s", name, pfm_strerror(status));
    return sc_err_hint(SC_E_INPUT,
                       "use a libpfm4 event name such as task-clock, page-faults, cycles:u or cache-misses");
  }
  return 0;
}

void sc_sampler_event_set_frequency(sc_sampler_event *event, double frequency)
{
  event->attr.freq = !event->clock;
  if (event->clock)
    event->attr.sample_period = (uint64_t)(1e9 / frequency);
  else
    event->attr.sample_freq = (uint64_t)(frequency < 1 ? 1 : frequency);
}

int sc_sampler_event_resolve(const char *name, double frequency, size_t stack_bytes, sc_sampler_event *event)
{
  memset(event, 0, sizeof *event);
  event->attr.size = sizeof event->attr;
  name = name && *name ? name : SC_SAMPLER_DEFAULT_EVENT;
  if (strlen(name) >= sizeof event->name)
    return sc_err_set(SC_E_INPUT, "event name is too long: %.60s...", name);
  strcpy(event->name, name);
  SC_TRY(encode_event(name, event));
  struct perf_event_attr *attr = &event->attr;
  event->clock = attr->type == PERF_TYPE_SOFTWARE &&
                 (attr->config == PERF_COUNT_SW_TASK_CLOCK || attr->config == PERF_COUNT_SW_CPU_CLOCK);
  event->hardware = attr->type != PERF_TYPE_SOFTWARE && attr->type != PERF_TYPE_TRACEPOINT;
  event->privilege_given = attr->exclude_kernel || attr->exclude_user;
  attr->exclude_hv = 1;
  attr->exclude_guest = 0;
  sc_sampler_event_set_frequency(event, frequency);
  attr->sample_type =
      PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  attr->sample_regs_user = SC_SAMPLER_REGS_MASK;
  attr->sample_stack_user = (uint32_t)stack_bytes;
  attr->disabled = attr->enable_on_exec = attr->inherit = 1;
  attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = attr->sample_id_all = 1;
  attr->watermark = 1;
  return 0;
}

static int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
  return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

int sc_sampler_event_open(sc_sampler_event *event, pid_t pid, int cpu, int *fd)
{
  *fd = perf_open(&event->attr, pid, cpu);
  if (*fd < 0 && (errno == EACCES || errno == EPERM) && !event->privilege_given && !event->attr.exclude_kernel) {
    event->attr.exclude_kernel = 1;
    *fd = perf_open(&event->attr, pid, cpu);
  }
  if (*fd >= 0)
    return 0;
  int errnum = errno;
  sc_sampler_facts facts;
  sc_sampler_event_facts(&facts);
  return sc_sampler_event_refused(event->name, event->hardware, errnum, &facts);
}

/* Reads a small file of /proc; "" if it cannot be read. */
static const char *read_small_file(const char *path, char *text, size_t room)
{
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(text, 1, room - 1, file) : 0;
  if (file)
    fclose(file);
  text[length] = '\0';
  return text;
}

void sc_sampler_event_facts(sc_sampler_facts *facts)
{
  enum { CAP_ADMIN_BIT = 21, CAP_PERFMON_BIT = 38 };
  char text[16384];
  *facts = (sc_sampler_facts){.paranoid = -2};
  if (*read_small_file("/proc/sys/kernel/perf_event_paranoid", text, sizeof text))
    facts->paranoid = atoi(text);
  facts->hypervisor = strstr(read_small_file("/proc/cpuinfo", text, sizeof text), " hypervisor") != NULL ||
                      access("/sys/hypervisor/type", F_OK) == 0;
  facts->pmu = access("/sys/bus/event_source/devices/cpu", F_OK) == 0 ||
               access("/sys/bus/event_source/devices/cpu_core", F_OK) == 0 ||
               access("/sys/bus/event_source/devices/armv8_pmuv3_0", F_OK) == 0;
  read_small_file("/proc/self/status", text, sizeof text);
  const char *line = strstr(text, "\nSeccomp:");
  facts->seccomp = line && atoi(line + strlen("\nSeccomp:")) == 2;
  line = strstr(text, "\nCapEff:");
  unsigned long long capabilities = line ? strtoull(line + strlen("\nCapEff:"), NULL, 16) : 0;
  facts->may_profile = capabilities >> CAP_ADMIN_BIT & 1 || capabilities >> CAP_PERFMON_BIT & 1;
}

static int no_counter(const char *name, bool hardware, const sc_sampler_facts *facts)
{
  if (!hardware) {
    (void)sc_err_set(SC_E_UNSUPPORTED, "this kernel does not have the event '%s'", name);
    return sc_err_hint(SC_E_UNSUPPORTED, "use task-clock, the default, or see 'perf list' for what there is");
  }
  if (facts->hypervisor && !facts->pmu) {
    (void)sc_err_set(SC_E_UNSUPPORTED, "cannot count '%s': this virtual machine has no performance monitoring unit",
                     name);
    return sc_err_hint(SC_E_UNSUPPORTED,
                       "use task-clock, the default; or turn the virtual PMU on in the hypervisor, or "
                       "measure on the bare machine");
  }
  (void)sc_err_set(SC_E_UNSUPPORTED, "cannot count '%s': this processor%s has no such counter", name,
                   facts->hypervisor ? " (as the virtual machine shows it)" : "");
  return sc_err_hint(SC_E_UNSUPPORTED, "use another event, such as cycles:u, or task-clock, the default");
}

static int not_allowed(const char *name, const sc_sampler_facts *facts)
{
  if (facts->paranoid > 2 && !facts->may_profile) {
    (void)sc_err_set(SC_E_UNSUPPORTED, "not allowed to sample '%s': kernel.perf_event_paranoid is %d", name,
                     facts->paranoid);
    return sc_err_hint(SC_E_UNSUPPORTED, "sudo sysctl kernel.perf_event_paranoid=2, or give scale-run CAP_PERFMON "
                                         "(sudo setcap cap_perfmon+ep $(which scale-run))");
  }
  if (facts->seccomp) {
    (void)sc_err_set(SC_E_UNSUPPORTED,
                     "not allowed to sample '%s': a container's system call filter forbids "
                     "perf_event_open",
                     name);
    return sc_err_hint(SC_E_UNSUPPORTED, "start the container with --cap-add=PERFMON, or with a seccomp profile that "
                                         "allows perf_event_open");
  }
  if (facts->paranoid > 1 && !facts->may_profile && strstr(name, ":k")) {
    (void)sc_err_set(SC_E_UNSUPPORTED, "not allowed to sample '%s': the kernel's part is for privileged users", name);
    return sc_err_hint(SC_E_UNSUPPORTED, "leave out :k, or sudo sysctl kernel.perf_event_paranoid=1");
  }
  (void)sc_err_set(SC_E_UNSUPPORTED, "not allowed to sample '%s' of this process", name);
  return sc_err_hint(SC_E_UNSUPPORTED, "run scale-run as the user who owns the program (a set-user-ID program cannot "
                                       "be sampled), or with CAP_PERFMON");
}

int sc_sampler_event_refused(const char *name, bool hardware, int errnum, const sc_sampler_facts *facts)
{
  switch (errnum) {
  case ENOENT:
  case ENODEV:
  case ENXIO:
    return no_counter(name, hardware, facts);
  case EACCES:
  case EPERM:
    return not_allowed(name, facts);
  case EOPNOTSUPP:
  case EINVAL:
    (void)sc_err_system(SC_E_UNSUPPORTED, errnum, "the kernel can count '%s' but not sample it with stacks", name);
    return sc_err_hint(SC_E_UNSUPPORTED, "use task-clock, the default; sampling stacks needs Linux 4.1 or newer");
  case ENOSYS:
    (void)sc_err_set(SC_E_UNSUPPORTED, "cannot sample '%s': this kernel has no perf_event_open", name);
    return sc_err_hint(SC_E_UNSUPPORTED, "use a kernel with CONFIG_PERF_EVENTS; sandboxed kernels often lack it");
  case EMFILE:
  case ENFILE:
    (void)sc_err_system(SC_E_UNSUPPORTED, errnum, "cannot sample '%s'", name);
    return sc_err_hint(SC_E_UNSUPPORTED, "raise the limit of open files: ulimit -n 4096 (one per processor is needed)");
  case EBUSY:
    (void)sc_err_set(SC_E_UNSUPPORTED, "cannot count '%s': another program holds the counters", name);
    return sc_err_hint(SC_E_UNSUPPORTED, "stop the other profiler, or use task-clock, the default");
  case ESRCH:
    return sc_err_set(SC_E_TARGET, "cannot sample '%s': the process has gone", name);
  default:
    return sc_err_system(SC_E_UNSUPPORTED, errnum, "cannot sample '%s'", name);
  }
}

int sc_sampler_probe(const char *name)
{
  sc_sampler_event event;
  int fd = -1;
  SC_TRY(sc_sampler_event_resolve(name, 1000, 8192, &event));
  SC_TRY(sc_sampler_event_open(&event, 0, -1, &fd));
  close(fd);
  return 0;
}
