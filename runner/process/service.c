/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/service.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "runner/text/tuning.h"

struct sc_service_run {
  const sc_service *service;
  sc_launch launch;
  sc_process *process;
  char *log, *wait_file, *wait_output;
  char tail[4097];
};

static bool connects_to(int family, int port)
{
  int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return false;
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
  six.sin6_addr = in6addr_loopback;
  int got = family == AF_INET ? connect(fd, (struct sockaddr *)&four, sizeof four)
                              : connect(fd, (struct sockaddr *)&six, sizeof six);
  close(fd);
  return got == 0;
}

static bool is_port_open(int port) { return connects_to(AF_INET, port) || connects_to(AF_INET6, port); }

/* Keeps the end of the log for messages. */
static const char *read_tail(sc_service_run *run)
{
  run->tail[0] = '\0';
  int fd = open(run->log, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return run->tail;
  off_t size = lseek(fd, 0, SEEK_END);
  off_t from = size > 4096 ? size - 4096 : 0;
  ssize_t got = pread(fd, run->tail, 4096, from);
  run->tail[got > 0 ? got : 0] = '\0';
  close(fd);
  return run->tail;
}

static bool log_contains(const sc_service_run *run)
{
  char *line = NULL;
  size_t room = 0;
  bool found = false;
  FILE *file = fopen(run->log, "re");
  while (file && !found && getline(&line, &room, file) >= 0)
    found = strstr(line, run->wait_output) != NULL;
  free(line);
  if (file)
    fclose(file);
  return found;
}

static bool is_service_ready(const sc_service_run *run)
{
  struct stat info;
  if (run->service->wait_port)
    return is_port_open(run->service->wait_port);
  if (run->wait_file)
    return stat(run->wait_file, &info) == 0;
  return run->wait_output ? log_contains(run) : true;
}

static int prepare_service(sc_service_run *run, const sc_expand_vars *vars, const char *log_dir)
{
  const sc_service *service = run->service;
  if (service->wait_port && is_port_open(service->wait_port)) {
    (void)sc_err_set(SC_E_WORKLOAD, "port %d is in use before the service is started", service->wait_port);
    return sc_err_hint(SC_E_WORKLOAD, "stop the program that listens there, or give the service another port");
  }
  if (asprintf(&run->log, "%s/service.log", log_dir) < 0)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  if (service->wait_file) {
    SC_TRY(sc_expand_text(service->wait_file, vars, &run->wait_file));
    if (unlink(run->wait_file) < 0 && errno != ENOENT)
      return sc_err_system(SC_E_WORKLOAD, errno, "cannot remove the old %s, for which the service is waited",
                           run->wait_file);
  }
  if (service->wait_output)
    SC_TRY(sc_expand_text(service->wait_output, vars, &run->wait_output));
  SC_TRY(sc_launch_expand(&service->command, vars, &run->launch));
  if (!run->launch.stdout_file) {
    run->launch.stdout_file = sc_mem_copy_string(run->log);
    if (!run->launch.stdout_file)
      return SC_E_NOMEM;
  }
  return 0;
}

int sc_service_start(const sc_service *service, const sc_expand_vars *vars, const char *profile_dir, uint64_t trace,
                     const char *log_dir, sc_service_run **out)
{
  sc_service_run *run = sc_mem_new(1, sizeof *run);
  *out = NULL;
  if (!run)
    return SC_E_NOMEM;
  run->service = service;
  int err = prepare_service(run, vars, log_dir);
  run->launch.trace = trace;
  err = err ?: sc_launch_start(&run->launch, profile_dir, run->log, &run->process);
  if (err < 0)
    sc_service_free(run);
  else
    *out = run;
  return err;
}

pid_t sc_service_pid(const sc_service_run *run) { return sc_process_pid(run->process); }

char *const *sc_service_argv(const sc_service_run *run) { return run->launch.argv; }

static int ended_early(sc_service_run *run)
{
  sc_process_end end;
  SC_TRY(sc_process_wait_end(run->process, &(sc_process_wait){0}, &end));
  if (end.signal || end.exit_status != run->service->command.expect_status)
    return sc_launch_judge(&run->service->command, run->launch.name, "the service", &end, read_tail(run), SC_E_TARGET);
  (void)sc_err_set(SC_E_TARGET, "the service ended before it was told to: %s", run->launch.name);
  return sc_err_hint(SC_E_TARGET, "it has to stay in the foreground; daemons often have an option for that");
}

int sc_service_wait_ready(sc_service_run *run, sc_sampler *sampler, volatile int *interrupted, double last)
{
  const sc_service *service = run->service;
  SC_TRY(sc_process_release(run->process));
  double deadline = sc_clock_now() + service->wait_seconds;
  if (last > 0 && last < deadline)
    deadline = last;
  while (!is_service_ready(run)) {
    bool ended;
    if (interrupted && *interrupted)
      return sc_err_set(SC_E_INTERRUPTED, "interrupted while waiting for the service");
    if (sc_clock_now() > deadline) {
      char what[200];
      if (service->wait_port)
        snprintf(what, sizeof what, "port %d does not answer", service->wait_port);
      else
        snprintf(what, sizeof what, run->wait_file ? "the file %.150s is missing" : "no line contains \"%.150s\"",
                 run->wait_file ? run->wait_file : run->wait_output);
      const char *tail = read_tail(run);
      (void)sc_err_set(SC_E_TIMEOUT, "the service was not ready after %g s: %s%s", service->wait_seconds, what,
                       *tail ? "" : "; it printed nothing");
      return sc_err_hint(SC_E_TIMEOUT, "look at <ready>, its timeout, and at %s (kept with --keep)", run->log);
    }
    SC_TRY(sc_process_poll(run->process, SC_SERVICE_LOOK, sampler, &ended));
    if (ended)
      return ended_early(run);
  }
  return 0;
}

int sc_service_stop(sc_service_run *run, sc_sampler *sampler, sc_process_end *end)
{
  const sc_service *service = run->service;
  bool ended;
  SC_TRY(sc_process_poll(run->process, 0, sampler, &ended));
  if (ended)
    return ended_early(run);
  sc_process_signal(run->process, service->stop_signal);
  const sc_process_wait wait = {SC_SERVICE_STOP, NULL, sampler};
  SC_TRY(sc_process_wait_end(run->process, &wait, end));
  bool told = end->timed_out || end->signal == service->stop_signal ||
              (!end->signal && (end->exit_status == 0 || end->exit_status == service->command.expect_status ||
                                end->exit_status == 128 + service->stop_signal));
  return told ? 0
              : sc_launch_judge(&service->command, run->launch.name, "the service", end, read_tail(run), SC_E_TARGET);
}

void sc_service_free(sc_service_run *run)
{
  if (!run)
    return;
  sc_process_free(run->process);
  sc_launch_free(&run->launch);
  free(run->log);
  free(run->wait_file);
  free(run->wait_output);
  free(run);
}
