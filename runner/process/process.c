/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "runner/process/internal.h"
#include "runner/process/running.h"
#include "runner/text/tuning.h"

enum { TAIL_BYTES = 4096, SAMPLER_FDS = 256, SLICE_MS = 50 };

struct sc_process {
  pid_t keeper, pid;
  int control;    /* socket to the keeper; -1: it is gone */
  int errors;     /* read end of stderr, or -1 */
  bool ended;     /* the program */
  bool gone;      /* and all that has to end with it */
  bool some_stay; /* others, in the background, do not have to */
  bool lost;      /* the keeper ended before the program did */
  int status;
  struct rusage usage;
  double start, end, ready;
  sc_waits *waits;         /* of whom is waiting for it; NULL: nobody asks */
  sc_lifetimes *lifetimes; /* the same */
  char name[200];
  char directory[256]; /* the command's, for messages; "" if it is ours */
  char tail[TAIL_BYTES + 1];
  size_t tail_length;
};

/* Keepers of programs that were left in the background. */
static struct {
  struct background {
    pid_t keeper;
    int control;
  } * list;
  size_t count, capacity;
} background;

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

static int open_ends(const sc_process_options *options, sc_process *process, sc_process_ends *ends)
{
  enum { OUT = O_WRONLY | O_CREAT | O_TRUNC };
  int pipes[2];
  SC_TRY(open_end(options->stdin_file, O_RDONLY, &ends->in));
  SC_TRY(open_end(options->stdout_file, options->stdout_file ? OUT : O_WRONLY, &ends->out));
  if (options->stderr_file)
    return open_end(options->stderr_file, OUT, &ends->error);
  if (pipe2(pipes, O_CLOEXEC) < 0)
    return sc_process_descriptor_error(errno, "cannot make a pipe to the program");
  process->errors = pipes[0];
  ends->error = pipes[1];
  fcntl(process->errors, F_SETFL, O_NONBLOCK);
  return 0;
}

/* A program may have stopped its parent, which then neither obeys nor reports. */
static void wake_keeper(pid_t keeper)
{
  if (keeper > 0)
    kill(keeper, SIGCONT);
}

/* The next report, or the part that has arrived: 1; 0: nothing yet; -1: the keeper is gone. */
static int receive_report(sc_process *process, sc_keeper_report *report, int flags)
{
  ssize_t got;
  if (process->control < 0)
    return -1;
  do
    got = recv(process->control, report, sizeof *report, flags);
  while (got < 0 && errno == EINTR);
  if (got == (ssize_t)sizeof *report)
    return 1;
  if (got < 0 && errno == EAGAIN)
    return 0;
  close(process->control);
  process->control = -1;
  return -1;
}

/* The keeper was killed: the program died with it, and its group must not be left. */
static void lose_keeper(sc_process *process)
{
  process->lost |= !process->gone;
  if (process->lost && process->pid > 0)
    kill(-process->pid, SIGKILL);
  if (!process->ended) {
    process->end = sc_clock_now();
    process->status = SIGKILL;
  }
  process->ended = process->gone = true;
}

static void note_report(sc_process *process, const sc_keeper_report *report)
{
  if (report->kind == SC_KEEPER_ENDED) {
    process->ended = true;
    process->status = report->status;
    process->usage = report->usage;
    process->ready = report->ready;
    process->end = report->time;
  } else if (report->kind == SC_KEEPER_GONE) {
    process->gone = true;
    process->some_stay = report->left;
  }
}

static void take_reports(sc_process *process)
{
  sc_keeper_report report;
  int got;
  while ((got = receive_report(process, &report, MSG_DONTWAIT)) > 0)
    note_report(process, &report);
  if (got < 0 && !process->gone)
    lose_keeper(process);
}

static void send_command(sc_process *process, enum sc_keeper_command_kind kind, int number)
{
  const sc_keeper_command message = {kind, number};
  while (process->control >= 0 && send(process->control, &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR)
    continue;
}

static int keeper_failed(const sc_process *process)
{
  (void)sc_err_set(SC_E_TARGET, "scale-keeper, which runs %s, was killed", process->name);
  return sc_err_hint(SC_E_TARGET, "was it the system, for want of memory? finished runs are kept; the same command "
                                  "resumes from there");
}

static int await_start(sc_process *process)
{
  sc_keeper_report report = {0};
  if (receive_report(process, &report, 0) < 0)
    return keeper_failed(process);
  if (report.kind != SC_KEEPER_STARTED)
    return sc_err_system(SC_E_IO, report.error, "cannot start another process");
  process->pid = report.pid;
  return 0;
}

int sc_process_start(const sc_process_options *options, sc_process **out)
{
  sc_process_ends ends = {-1, -1, -1};
  sc_process *process = sc_mem_new(1, sizeof *process);
  *out = NULL;
  if (!process)
    return SC_E_NOMEM;
  process->keeper = process->pid = process->control = process->errors = -1;
  sc_process_describe(options->argv, process->name, sizeof process->name);
  snprintf(process->directory, sizeof process->directory, "%s", options->directory ? options->directory : "");
  int err = open_ends(options, process, &ends);
  err = err ?: sc_process_spawn(options, &ends, process->name, &process->keeper, &process->control);
  close_if(ends.in);
  close_if(ends.out);
  close_if(ends.error);
  err = err ?: await_start(process);
  if (err < 0) {
    sc_process_free(process);
    return err;
  }
  process->start = sc_clock_now();
  *out = process;
  return 0;
}

static int start_failed(const sc_process *process, const sc_keeper_report *report)
{
  int code = report->error;
  if (report->step == SC_KEEPER_STEP_DIRECTORY) {
    (void)sc_err_system(SC_E_WORKLOAD, code, "cannot change to the command's directory %s", process->directory);
    return sc_err_hint(SC_E_WORKLOAD,
                       "directory=\"...\" of the <command> %s: it is looked up from where scale-run is started",
                       process->name);
  }
  (void)sc_err_system(SC_E_TARGET, code, "cannot start %s", process->name);
  if (code == ENOENT || code == ENOTDIR)
    return sc_err_hint(SC_E_TARGET,
                       "is the path right? Programs are looked up as a shell does, from where scale-run was "
                       "started or from the command's directory; if the file is there, its interpreter is "
                       "missing");
  if (code == EACCES)
    return sc_err_hint(SC_E_TARGET,
                       "is it a program? A file has to be executable (chmod +x), and its folder open to you");
  return SC_E_TARGET;
}

/* The next report, however long it takes. A program that stops its parent in its first instructions can be faster than
 * the keeper's report that it was released. */
static int receive_from_stopped(sc_process *process, sc_keeper_report *report)
{
  struct pollfd control = {process->control, POLLIN, 0};
  while (process->control >= 0 && poll(&control, 1, SLICE_MS) <= 0)
    wake_keeper(process->keeper);
  return receive_report(process, report, 0);
}

int sc_process_release(sc_process *process)
{
  sc_keeper_report report;
  send_command(process, SC_KEEPER_RELEASE, 0);
  while (receive_from_stopped(process, &report) > 0) {
    if (report.kind == SC_KEEPER_FAILED)
      return start_failed(process, &report);
    if (report.kind == SC_KEEPER_RELEASED) {
      process->start = report.time;
      return 0;
    }
    note_report(process, &report); /* killed before it was let go */
  }
  lose_keeper(process);
  return keeper_failed(process);
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

/* One round of waiting, at most `seconds`: stderr is read, the sampler drained, the end noticed. */
static int pump_process(sc_process *process, double seconds, sc_sampler *sampler)
{
  struct pollfd fds[SAMPLER_FDS + 2];
  int samples[SAMPLER_FDS];
  nfds_t count = 0;
  take_reports(process);
  if (process->ended)
    seconds = 0;
  if (process->control >= 0)
    fds[count++] = (struct pollfd){process->control, POLLIN, 0};
  if (process->errors >= 0)
    fds[count++] = (struct pollfd){process->errors, POLLIN, 0};
  size_t sampled = sampler ? sc_sampler_fds(sampler, samples, SAMPLER_FDS) : 0;
  for (size_t i = 0; i < sampled; i++)
    fds[count++] = (struct pollfd){samples[i], POLLIN, 0};
  int timeout = seconds * 1000 < SLICE_MS ? (int)(seconds * 1000 + 0.999) : SLICE_MS;
  int due = process->waits ? sc_waits_due(process->waits, sc_clock_now()) : SLICE_MS;
  timeout = due < timeout ? due : timeout;
  if (poll(fds, count, timeout) < 0 && errno != EINTR)
    return sc_err_system(SC_E_IO, errno, "cannot wait for %s", process->name);
  read_errors(process);
  if (sampler)
    SC_TRY(sc_sampler_drain(sampler));
  SC_TRY(sc_lifetimes_drain(process->lifetimes));
  take_reports(process);
  if (process->waits && !process->ended)
    sc_waits_look(process->waits, process->pid, sc_clock_now());
  return 0;
}

void sc_process_signal(sc_process *process, int number)
{
  if (!process->ended)
    send_command(process, SC_KEEPER_SIGNAL, number);
}

static void take_nap(void) { nanosleep(&(struct timespec){0, 2000000}, NULL); }

/* Ends what is left: `first`, and SIGKILL after a while. */
static int stop_all(sc_process *process, int first, sc_sampler *sampler)
{
  int err = 0;
  wake_keeper(process->keeper);
  send_command(process, SC_KEEPER_GROUP, first);
  double deadline = sc_clock_now() + SC_PROCESS_GRACE;
  for (; err == 0 && !process->ended && sc_clock_now() < deadline; wake_keeper(process->keeper))
    err = pump_process(process, deadline - sc_clock_now(), sampler);
  send_command(process, SC_KEEPER_KILL, 0);
  for (; err == 0 && !process->ended; wake_keeper(process->keeper))
    err = pump_process(process, 1, sampler);
  for (deadline = sc_clock_now() + SC_PROCESS_GRACE; !process->gone && sc_clock_now() < deadline; take_nap())
    take_reports(process);
  return err;
}

/* Descendants that outlive the program get as long as the command has left, at most the grace time. */
static int wait_for_strays(sc_process *process, double deadline, const sc_process_wait *wait, bool *strays)
{
  double limit = sc_clock_now() + SC_PROCESS_GRACE;
  limit = deadline < limit ? deadline : limit;
  for (take_reports(process); !process->gone; take_reports(process)) {
    if (sc_clock_now() >= limit || (wait->interrupted && *wait->interrupted)) {
      *strays = true;
      return stop_all(process, SIGTERM, wait->sampler);
    }
    take_nap();
    if (wait->sampler)
      SC_TRY(sc_sampler_drain(wait->sampler));
    read_errors(process);
  }
  return 0;
}

/* Whether the program is stopped in the background of a terminal: it has read the terminal or changed its settings. */
static bool waits_for_terminal(pid_t pid)
{
  char text[512], state = 0;
  int group = 0, terminal = 0, foreground = 0;
  const char *behind_name = sc_running_stat(pid, 0, text, sizeof text);
  return behind_name && sscanf(behind_name, " %c %*d %d %*d %d %d", &state, &group, &terminal, &foreground) == 4 &&
         state == 'T' && terminal && group != foreground;
}

int sc_process_wait_end(sc_process *process, const sc_process_wait *wait, sc_process_end *end)
{
  double deadline = wait->timeout > 0 ? sc_clock_now() + wait->timeout : 1e300;
  *end = (sc_process_end){0};
  process->waits = wait->waits;
  process->lifetimes = wait->lifetimes;
  while (!process->ended) {
    double left = deadline - sc_clock_now();
    bool interrupted = wait->interrupted && *wait->interrupted;
    if (left <= 0 || interrupted) {
      end->timed_out = !interrupted;
      end->wants_terminal = !interrupted && waits_for_terminal(process->pid);
      end->interrupted = interrupted;
      SC_TRY(stop_all(process, interrupted ? SIGINT : SIGTERM, wait->sampler));
      break;
    }
    SC_TRY(pump_process(process, left < 1 ? left : 1, wait->sampler));
  }
  if (!end->timed_out && !end->interrupted)
    SC_TRY(wait_for_strays(process, deadline, wait, &end->strays));
  read_errors(process);
  if (process->lost)
    return keeper_failed(process);
  end->signal = WIFSIGNALED(process->status) ? WTERMSIG(process->status) : 0;
  end->exit_status = WIFEXITED(process->status) ? WEXITSTATUS(process->status) : 0;
  end->wall_seconds = process->end - process->start;
  end->ready = process->ready;
  end->usage = process->usage;
  return 0;
}

int sc_process_poll(sc_process *process, double seconds, sc_sampler *sampler, bool *ended)
{
  int err = pump_process(process, seconds, sampler);
  *ended = process->ended;
  return err;
}

/* Closing the socket tells it to end what is left, and itself. */
static void end_keeper(pid_t keeper, int control)
{
  close_if(control);
  wake_keeper(keeper);
  while (keeper > 0 && waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
    continue;
}

void sc_process_free(sc_process *process)
{
  if (!process)
    return;
  if (process->pid > 0 && !process->gone)
    send_command(process, SC_KEEPER_KILL, 0);
  close_if(process->errors);
  bool stays = process->some_stay && process->control >= 0 &&
               sc_mem_grow(&background.list, &background.capacity, background.count + 1, sizeof *background.list) == 0;
  if (stays)
    background.list[background.count++] = (struct background){process->keeper, process->control};
  else
    end_keeper(process->keeper, process->control);
  free(process);
}

void sc_process_end_background(void)
{
  while (background.count) {
    background.count--;
    end_keeper(background.list[background.count].keeper, background.list[background.count].control);
  }
  free(background.list);
  memset(&background, 0, sizeof background);
}
