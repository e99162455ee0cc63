/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-keeper: the parent of one program under test (protocol.h). It reads no options, prints nothing and needs only
 * libc; everything that it cannot do itself it reports. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/keeper/target.h"
#include "runner/text/tuning.h"

/* The parent in /proc/PID/stat; the name before it may contain anything, but a bracket only within. */
static long parent_of(const char *pid)
{
  char path[64], text[512];
  long parent = 0;
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  FILE *file = fopen(path, "re");
  if (!file)
    return 0;
  size_t got = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[got] = '\0';
  const char *bracket = strrchr(text, ')');
  if (!bracket || sscanf(bracket + 1, " %*c %ld", &parent) != 1)
    return 0;
  return parent;
}

/* For kernels that have no list of children (CONFIG_PROC_CHILDREN). */
static void signal_by_search(int number)
{
  DIR *processes = opendir("/proc");
  if (!processes)
    return;
  for (const struct dirent *entry; (entry = readdir(processes));)
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && parent_of(entry->d_name) == (long)getpid())
      kill((pid_t)atol(entry->d_name), number);
  closedir(processes);
}

/* Sends a signal to every child of this process. A child that was not waited for keeps its number, so that no stranger
 * is hit; of a process that is ended the children become ours, as this is their reaper, and are hit the next time. */
static void signal_children(int number)
{
  char path[64];
  int pid;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *file = fopen(path, "re");
  if (!file) {
    signal_by_search(number);
    return;
  }
  while (fscanf(file, "%d", &pid) == 1)
    kill((pid_t)pid, number);
  fclose(file);
}

typedef struct keeper {
  const sc_keeper_order *order;
  sc_target target;
  int control;
  int gate, report; /* our ends of the target's */
  pid_t pid;
  bool ended, gone;
} keeper;

static double keeper_now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void on_child(int number) {}

static void send_report(const keeper *k, const sc_keeper_report *report)
{
  while (send(k->control, report, sizeof *report, MSG_NOSIGNAL) < 0 && errno == EINTR)
    continue;
}

static void tell_failure(const keeper *k, int step, int error)
{
  send_report(k, &(sc_keeper_report){.kind = SC_KEEPER_FAILED, .step = step, .error = error});
}

/* The second number of /proc/PID/schedstat, which is there as long as the process was not waited for. */
static double read_ready(pid_t pid)
{
  char path[64];
  double ready = -1;
  unsigned long long ran, waited;
  snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)pid);
  FILE *file = fopen(path, "re");
  if (!file)
    return -1;
  if (fscanf(file, "%llu %llu", &ran, &waited) == 2)
    ready = (double)waited * 1e-9;
  fclose(file);
  return ready;
}

/* The next child that ended, which is left as it is. */
static pid_t next_ended(void)
{
  siginfo_t info = {0};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ? -1 : info.si_pid;
}

/* Waits for children that ended. False if there are none left at all. */
static bool reap_keeper(keeper *k)
{
  sc_keeper_report report = {.kind = SC_KEEPER_ENDED};
  pid_t got;
  while ((got = next_ended()) > 0) {
    double ended = keeper_now();
    report.ready = got == k->pid ? read_ready(got) : -1;
    if (wait4(got, &report.status, WNOHANG, &report.usage) == k->pid) {
      k->ended = true;
      report.pid = got;
      report.time = ended;
      send_report(k, &report);
    }
  }
  return got == 0;
}

static void check_child(keeper *k)
{
  bool left = reap_keeper(k);
  if (!k->ended || k->gone || (left && (!k->order->background || kill(-k->pid, 0) == 0)))
    return;
  k->gone = true;
  send_report(k, &(sc_keeper_report){.kind = SC_KEEPER_GONE, .left = left});
}

/* A group that is gone may have given its number to another one. */
static void signal_group(const keeper *k, int number)
{
  if (!k->gone)
    kill(-k->pid, number);
}

/* Signals all children until none are left, for at most `seconds`. */
static bool end_all(keeper *k, int number, bool again, double seconds)
{
  double deadline = keeper_now() + seconds;
  for (bool first = true; reap_keeper(k); first = false) {
    if (keeper_now() >= deadline)
      return false;
    if (first || again) {
      signal_group(k, number);
      signal_children(number);
      signal_children(SIGCONT);
    }
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  return true;
}

/* Lets the program go, and waits until it is what was asked for, or has said why it isn't. */
static void release_keeper(keeper *k)
{
  int message[2];
  ssize_t got;
  sc_keeper_report report = {.kind = SC_KEEPER_RELEASED, .pid = k->pid, .time = keeper_now()};
  if (k->gate < 0)
    return;
  /* SIGPIPE is blocked; if it died before, its end says so. NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores) */
  got = write(k->gate, "g", 1);
  close(k->gate);
  k->gate = -1;
  do
    got = read(k->report, message, sizeof message); /* end of file at exec */
  while (got < 0 && errno == EINTR);
  close(k->report);
  if (got == (ssize_t)sizeof message)
    tell_failure(k, message[0], message[1]);
  else
    send_report(k, &report);
}

static void obey_keeper(keeper *k, const sc_keeper_command *command)
{
  switch (command->kind) {
  case SC_KEEPER_RELEASE:
    release_keeper(k);
    break;
  case SC_KEEPER_SIGNAL:
    if (!k->ended)
      kill(k->pid, command->signal);
    break;
  case SC_KEEPER_GROUP:
    signal_group(k, command->signal);
    signal_group(k, SIGCONT);
    if (!k->order->background)
      signal_children(command->signal);
    break;
  case SC_KEEPER_KILL:
    if (k->order->background && k->ended)
      signal_group(k, SIGKILL);
    else
      (void)end_all(k, SIGKILL, true, SC_KEEPER_KILL_GRACE);
    break;
  }
}

/* Until scale-run is gone, or has closed the socket. */
static void serve_keeper(keeper *k)
{
  sigset_t all_but_child;
  sigfillset(&all_but_child);
  sigdelset(&all_but_child, SIGCHLD);
  for (;;) {
    struct pollfd control = {k->control, POLLIN, 0};
    sc_keeper_command command;
    check_child(k);
    if (ppoll(&control, 1, NULL, &all_but_child) < 0)
      continue;
    ssize_t got = recv(k->control, &command, sizeof command, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
      return;
    if (got == (ssize_t)sizeof command)
      obey_keeper(k, &command);
  }
}

static int start_keeper(keeper *k)
{
  int gate[2], report[2];
  if (pipe2(gate, O_CLOEXEC) < 0 || pipe2(report, O_CLOEXEC) < 0)
    return -1;
  k->gate = gate[1];
  k->report = report[0];
  k->target.keeper = getpid();
  k->target.gate = gate[0];
  k->target.report = report[1];
  k->pid = fork();
  if (k->pid < 0)
    return -1;
  if (k->pid == 0) {
    close(gate[1]);
    sc_target_begin(&k->target);
  }
  setpgid(k->pid, k->pid); /* whoever is first */
  for (int fd = 0; fd < 3; fd++)
    close(fd);
  close(gate[0]);
  close(report[1]);
  return 0;
}

/* The order with its strings; NULL, and errno, if it is not a whole one. */
static const sc_keeper_order *read_order(int fd, sc_target *target)
{
  struct stat info;
  /* NOLINTNEXTLINE(clang-analyzer-unix.StdCLibraryFunctions): main has tried it */
  if (fstat(fd, &info) < 0)
    return NULL;
  size_t bytes = (size_t)info.st_size;
  const sc_keeper_order *order = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  if (order == MAP_FAILED)
    return NULL;
  errno = EPROTO;
  if (bytes < sizeof *order || order->magic != SC_KEEPER_MAGIC || ((const char *)order)[bytes - 1] != '\0')
    return NULL;
  size_t count = (size_t)order->argument_count + order->variable_count + 2;
  char **list = calloc(count, sizeof *list), *at = (char *)(order + 1);
  if (!list)
    return NULL;
  target->order = order;
  target->directory = at;
  target->arguments = list;
  target->variables = list + order->argument_count + 1;
  for (size_t i = 0; i < count - 1; i++)
    if (i != order->argument_count) {
      at += strlen(at) + 1;
      if (at >= (const char *)order + bytes)
        return NULL;
      list[i] = at;
    }
  return order;
}

int main(int argc, char **argv)
{
  keeper k = {.control = argc > 2 ? atoi(argv[1]) : -1};
  int order = argc > 2 ? atoi(argv[2]) : -1;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  sigaction(SIGCHLD, &(struct sigaction){.sa_handler = on_child}, NULL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (fcntl(k.control, F_SETFD, FD_CLOEXEC) < 0 || fcntl(order, F_SETFD, FD_CLOEXEC) < 0)
    return 2; /* started by hand */
  k.order = read_order(order, &k.target);
  close(order);
  if (!k.order || start_keeper(&k) < 0) {
    tell_failure(&k, SC_KEEPER_STEP_FORK, errno);
    return 1; /* NOLINT(clang-analyzer-unix.Malloc): what is left is freed with the process */
  }
  send_report(&k, &(sc_keeper_report){.kind = SC_KEEPER_STARTED, .pid = k.pid});
  serve_keeper(&k);
  if (!end_all(&k, k.gate < 0 ? SIGTERM : SIGKILL, false, SC_KEEPER_GRACE))
    (void)end_all(&k, SIGKILL, true, SC_KEEPER_KILL_GRACE);
  return 0;
}
