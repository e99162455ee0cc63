/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/process/launch.h"

/* A service: started before the load, waited for until it is ready, stopped after it. */
typedef struct sc_service_run sc_service_run;

/* Forks it, held before exec so that a sampler can be attached. Its stdout and stderr go to a file in `log_dir`.
 * SC_E_WORKLOAD if its port is taken by another program already. */
int sc_service_start(const sc_service *service, const sc_expand_vars *vars, const char *profile_dir, uint64_t trace,
                     const char *log_dir, sc_service_run **run) SC_CHECK;
pid_t sc_service_pid(const sc_service_run *run);
/* Its arguments with the placeholders replaced. */
char *const *sc_service_argv(const sc_service_run *run);
/* Lets it go and waits until port, file or output line says that it is ready. SC_E_TIMEOUT, SC_E_TARGET if it ends.
 * deadline: sc_clock_now() at which it is late in any case; 0: none. */
int sc_service_wait_ready(sc_service_run *run, sc_sampler *sampler, volatile int *interrupted,
                          double deadline) SC_CHECK;
/* Sends the stop signal and waits. Ending by that signal, with status 0 or the expected status is right; ending before
 * it was told to, or in another way, is SC_E_TARGET. A service that does not stop is killed: end->timed_out. */
int sc_service_stop(sc_service_run *run, sc_sampler *sampler, sc_process_end *end) SC_CHECK;
/* Kills what still runs. NULL is allowed. */
void sc_service_free(sc_service_run *run);
