/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

#define SC_SAMPLER_DEFAULT_EVENT "task-clock"

/* What to sample, ready for perf_event_open but for the processor. */
typedef struct sc_sampler_event {
  struct perf_event_attr attr;
  char name[64];        /* as the user wrote it */
  bool clock;           /* the period is in nanoseconds of processor time */
  bool hardware;        /* needs a performance monitoring unit */
  bool privilege_given; /* the name says which privilege level (":u"): not to be changed */
} sc_sampler_event;

/* Resolves a libpfm4 event name (NULL: task-clock) into an attribute that samples user registers and `stack_bytes` of
 * the user stack, `frequency` times a second of processor time. SC_E_INPUT if libpfm4 does not know the name. */
int sc_sampler_event_resolve(const char *name, double frequency, size_t stack_bytes, sc_sampler_event *event) SC_CHECK;

/* Changes how often the event is sampled. */
void sc_sampler_event_set_frequency(sc_sampler_event *event, double frequency);

/* Opens the event for a thread (and what it creates) on one processor; where the kernel is out of reach only user mode
 * is counted, and `event` says so from then on. SC_E_UNSUPPORTED with the cause; SC_E_TARGET if the thread is gone. */
int sc_sampler_event_open(sc_sampler_event *event, pid_t pid, int cpu, int *fd) SC_CHECK;

/* What decides why the kernel refused. */
typedef struct sc_sampler_facts {
  int paranoid;     /* kernel.perf_event_paranoid; -2 if it cannot be read */
  bool hypervisor;  /* a virtual machine */
  bool pmu;         /* the kernel has a driver for the processor's counters */
  bool seccomp;     /* this process is under a system call filter */
  bool may_profile; /* CAP_PERFMON or CAP_SYS_ADMIN */
} sc_sampler_facts;
/* Of this machine, this process, now. */
void sc_sampler_event_facts(sc_sampler_facts *facts);
/* Words the failure `errnum` of perf_event_open; returns SC_E_UNSUPPORTED (ESRCH: SC_E_TARGET). */
int sc_sampler_event_refused(const char *name, bool hardware, int errnum, const sc_sampler_facts *facts);
