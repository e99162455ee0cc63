/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "runner/process_internal.h"

enum { TAIL_BYTES = 4096, SAMPLER_FDS = 256, SLICE_MS = 50 };
static const double GRACE_SECONDS = 2.0;

struct sc_process {
  pid_t pid;
  int pidfd;        /* -1 on kernels without: polled */
  int gate, report; /* write and read ends */
  int errors;       /* read end of stderr, or -1 */
  bool ended;
  int status;
  struct rusage usage;
  double start, end;
  char name[200];
  char directory[256]; /* the command's, for messages; "" if it is ours */
  char tail[TAIL_BYTES + 1];
  size_t tail_length;
};

double sc_process_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void sc_process_describe(char *const *argv, char *text, size_t size)
{
  size_t length = 0;
  text[0] = '\0';
  for (; *argv && length < size - 1; argv++) {
    int more = snprintf(text + length, size - length, "%s%s", length ? " " : "", *argv);
    if (more < 0)
      return;
    length += (size_t)more;
  }
  if (length >= size && size > 4)
    memcpy(text + size - 4, "...", 4);
}

pid_t sc_process_pid(const sc_process *process) { return process->pid; }
const char *sc_process_error_tail(const sc_process *process) { return process->tail; }

static void close_if(int fd)
{
  if (fd >= 0)
    close(fd);
}

static int open_end(const char *path, int flags, int *fd)
{
  *fd = open(path ? path : "/dev/null", flags | O_CLOEXEC, 0666);
  if (*fd >= 0)
    return 0;
  int err = sc_err_system(SC_E_WORKLOAD, errno, "cannot open %s for the command", path ? path : "/dev/null");
  if (flags == O_RDONLY)
    (void)sc_err_hint(err, "a <generate> or <prepare> step of the workload has to make this file");
  return err;
}

/* Descriptors of the child's side; closed by the parent after the fork. */
struct ends {
  int in, out, error, gate, report;
};

static int no_pipe(int errnum)
{
  (void)sc_err_system(SC_E_IO, errnum, "cannot make a pipe to the program");
  return sc_err_hint(SC_E_IO, "raise the limit of open files: ulimit -n 1024");
}

static int open_ends(const sc_process_options *options, sc_process *process, struct ends *ends)
{
  enum { OUT = O_WRONLY | O_CREAT | O_TRUNC };
  int pipes[2];
  SC_TRY(open_end(options->stdin_file, O_RDONLY, &ends->in));
  SC_TRY(open_end(options->stdout_file, options->stdout_file ? OUT : O_WRONLY, &ends->out));
  if (options->stderr_file) {
    SC_TRY(open_end(options->stderr_file, OUT, &ends->error));
  } else {
    if (pipe2(pipes, O_CLOEXEC) < 0)
      return no_pipe(errno);
    process->errors = pipes[0];
    ends->error = pipes[1];
    fcntl(process->errors, F_SETFL, O_NONBLOCK);
  }
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pipes) <
      0) /* unlike a pipe, it can be written without SIGPIPE */
    return no_pipe(errno);
  ends->gate = pipes[0];
  process->gate = pipes[1];
  if (pipe2(pipes, O_CLOEXEC) < 0)
    return no_pipe(errno);
  process->report = pipes[0];
  ends->report = pipes[1];
  return 0;
}

static int fork_child(const sc_process_options *options, const struct ends *ends, sc_process *process)
{
  sc_process_variables variables;
  char **environment = NULL;
  int err = sc_process_environment(options, &variables, &environment);
  if (err < 0)
    goto out;
  struct sc_process_child child = {options, environment, ends->in, ends->out, ends->error, ends->gate, ends->report};
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans of the target stay ours, so that nothing is left behind */
  process->pid = fork();
  if (process->pid == 0)
    sc_process_child(&child);
  if (process->pid < 0)
    err = sc_err_system(SC_E_IO, errno, "cannot start another process");
  else {
    setpgid(process->pid, process->pid); /* whoever is first */
    process->pidfd = pidfd_open(process->pid, 0);
  }
out:
  free(variables.profile);
  free(environment);
  return err;
}

int sc_process_start(const sc_process_options *options, sc_process **out)
{
  struct ends ends = {-1, -1, -1, -1, -1};
  sc_process *process = sc_mem_new(1, sizeof *process);
  *out = NULL;
  if (!process)
    return SC_E_NOMEM;
  process->pid = process->pidfd = process->gate = process->report = process->errors = -1;
  sc_process_describe(options->argv, process->name, sizeof process->name);
  snprintf(process->directory, sizeof process->directory, "%s", options->directory ? options->directory : "");
  int err = open_ends(options, process, &ends);
  if (err == 0)
    err = fork_child(options, &ends, process);
  close_if(ends.in);
  close_if(ends.out);
  close_if(ends.error);
  close_if(ends.gate);
  close_if(ends.report);
  if (err < 0) {
    sc_process_free(process);
    return err;
  }
  process->start = sc_process_now();
  *out = process;
  return 0;
}

static int start_failed(const sc_process *process, const int message[2])
{
  int code = message[1];
  if (message[0] == SC_PROCESS_STEP_DIRECTORY) {
    (void)sc_err_system(SC_E_WORKLOAD, code, "cannot change to the command's directory %s", process->directory);
    return sc_err_hint(SC_E_WORKLOAD,
                       "directory=\"...\" of the <command> %s: it is looked up from where scale-run is started",
                       process->name);
  }
  (void)sc_err_system(SC_E_TARGET, code, "cannot start %s", process->name);
  if (code == ENOENT)
    return sc_err_hint(SC_E_TARGET,
                       "is the path right? Programs are looked up as a shell does, from where scale-run was "
                       "started or from the command's directory; if the file is there, its interpreter is "
                       "missing");
  if (code == EACCES)
    return sc_err_hint(SC_E_TARGET,
                       "is it a program? A file has to be executable (chmod +x), and its folder open to you");
  return SC_E_TARGET;
}

int sc_process_release(sc_process *process)
{
  int message[2];
  ssize_t got = send(process->gate, "g", 1, MSG_NOSIGNAL); /* if it died before, the report says why */
  process->start = sc_process_now();
  close(process->gate);
  process->gate = -1;
  do
    got = read(process->report, message, sizeof message); /* end of file at exec */
  while (got < 0 && errno == EINTR);
  close(process->report);
  process->report = -1;
  return got == (ssize_t)sizeof message ? start_failed(process, message) : 0;
}

/* Keeps the newest bytes of stderr. False at its end. */
static void read_errors(sc_process *process)
{
  char block[TAIL_BYTES];
  ssize_t got;
  while (process->errors >= 0 && (got = read(process->errors, block, sizeof block)) != 0) {
    if (got < 0)
      return;
    size_t more = (size_t)got, keep = TAIL_BYTES - more;
    if (process->tail_length > keep) {
      memmove(process->tail, process->tail + (process->tail_length - keep), keep);
      process->tail_length = keep;
    }
    memcpy(process->tail + process->tail_length, block, more);
    process->tail_length += more;
    process->tail[process->tail_length] = '\0';
  }
  close_if(process->errors);
  process->errors = -1;
}

static void reap(sc_process *process)
{
  if (process->ended)
    return;
  pid_t got = wait4(process->pid, &process->status, WNOHANG, &process->usage);
  if (got == process->pid || (got < 0 && errno == ECHILD)) {
    process->ended = true;
    process->end = sc_process_now();
  }
}

/* One round of waiting, at most `seconds`: stderr is read, the sampler drained, the end noticed. */
static int pump(sc_process *process, double seconds, sc_sampler *sampler)
{
  struct pollfd fds[SAMPLER_FDS + 2];
  int samples[SAMPLER_FDS];
  nfds_t count = 0;
  reap(process);
  if (process->ended)
    seconds = 0;
  if (process->pidfd >= 0)
    fds[count++] = (struct pollfd){process->pidfd, POLLIN, 0};
  if (process->errors >= 0)
    fds[count++] = (struct pollfd){process->errors, POLLIN, 0};
  size_t sampled = sampler ? sc_sampler_fds(sampler, samples, SAMPLER_FDS) : 0;
  for (size_t i = 0; i < sampled; i++)
    fds[count++] = (struct pollfd){samples[i], POLLIN, 0};
  int slice = process->pidfd >= 0 ? SLICE_MS : 5;
  int timeout = seconds * 1000 < slice ? (int)(seconds * 1000 + 0.999) : slice;
  if (poll(fds, count, timeout) < 0 && errno != EINTR)
    return sc_err_system(SC_E_IO, errno, "cannot wait for %s", process->name);
  read_errors(process);
  if (sampler)
    SC_TRY(sc_sampler_drain(sampler));
  reap(process);
  return 0;
}

void sc_process_signal(sc_process *process, int number)
{
  if (process->pid > 0 && !process->ended)
    kill(process->pid, number);
}

static bool group_alive(const sc_process *process)
{
  while (waitpid(-process->pid, NULL, WNOHANG) > 0)
    continue; /* orphans that ended */
  return kill(-process->pid, 0) == 0;
}

/* Ends what is left of the group: `first`, and SIGKILL after a while. */
static int stop_group(sc_process *process, int first, sc_sampler *sampler)
{
  int err = 0;
  kill(-process->pid, first);
  kill(-process->pid, SIGCONT);
  double deadline = sc_process_now() + GRACE_SECONDS;
  while (err == 0 && !process->ended && sc_process_now() < deadline)
    err = pump(process, deadline - sc_process_now(), sampler);
  kill(-process->pid, SIGKILL);
  while (err == 0 && !process->ended)
    err = pump(process, 1, sampler);
  while (group_alive(process) && sc_process_now() < deadline + 2)
    nanosleep(&(struct timespec){0, 2000000}, NULL);
  return err;
}

/* Members of the group that outlive the leader get as long as the command has left, at most the grace time. */
static int wait_for_strays(sc_process *process, double deadline, const sc_process_wait *wait, bool *strays)
{
  double limit = sc_process_now() + GRACE_SECONDS;
  limit = deadline < limit ? deadline : limit;
  while (group_alive(process)) {
    if (sc_process_now() >= limit || (wait->interrupted && *wait->interrupted)) {
      *strays = true;
      return stop_group(process, SIGTERM, wait->sampler);
    }
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    if (wait->sampler)
      SC_TRY(sc_sampler_drain(wait->sampler));
    read_errors(process);
  }
  return 0;
}

int sc_process_wait_end(sc_process *process, const sc_process_wait *wait, sc_process_end *end)
{
  double deadline = wait->timeout > 0 ? sc_process_now() + wait->timeout : 1e300;
  *end = (sc_process_end){0};
  while (!process->ended) {
    double left = deadline - sc_process_now();
    bool interrupted = wait->interrupted && *wait->interrupted;
    if (left <= 0 || interrupted) {
      end->timed_out = !interrupted;
      end->interrupted = interrupted;
      SC_TRY(stop_group(process, interrupted ? SIGINT : SIGTERM, wait->sampler));
      break;
    }
    SC_TRY(pump(process, left < 1 ? left : 1, wait->sampler));
  }
  if (!end->timed_out && !end->interrupted)
    SC_TRY(wait_for_strays(process, deadline, wait, &end->strays));
  read_errors(process);
  end->signal = WIFSIGNALED(process->status) ? WTERMSIG(process->status) : 0;
  end->exit_status = WIFEXITED(process->status) ? WEXITSTATUS(process->status) : 0;
  end->wall_seconds = process->end - process->start;
  end->usage = process->usage;
  return 0;
}

int sc_process_poll(sc_process *process, double seconds, sc_sampler *sampler, bool *ended)
{
  int err = pump(process, seconds, sampler);
  *ended = process->ended;
  return err;
}

void sc_process_free(sc_process *process)
{
  if (!process)
    return;
  close_if(process->gate);
  if (process->pid > 0) {
    if (!process->ended || group_alive(process))
      kill(-process->pid, SIGKILL);
    if (!process->ended)
      waitpid(process->pid, NULL, 0);
    for (int i = 0; i < 500 && group_alive(process); i++)
      nanosleep(&(struct timespec){0, 2000000}, NULL);
  }
  close_if(process->pidfd);
  close_if(process->report);
  close_if(process->errors);
  free(process);
}
