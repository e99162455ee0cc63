/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/waits.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "runner/text/tuning.h"

/* What a task does that waits for none of the kinds. */
enum { RUNNING = SC_WAIT_KINDS, UNSEEN };

int sc_waits_due(const sc_waits *waits, double now)
{
  return waits->next > now ? (int)ceil((waits->next - now) * 1000) : 0;
}

#define CALL(name) SYS_##name

static bool is_sleep(long call)
{
  static const long calls[] = {CALL(nanosleep), CALL(clock_nanosleep), CALL(rt_sigtimedwait), CALL(rt_sigsuspend),
#ifdef SYS_pause
                               CALL(pause)
#endif
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (call == calls[i])
      return true;
  return false;
}

static bool is_lock(long call)
{
  static const long calls[] = {CALL(futex), CALL(flock), CALL(semop), CALL(semtimedop)};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (call == calls[i])
      return true;
  return false;
}

static bool is_io(long call)
{
  static const long calls[] = {
      CALL(read),         CALL(write),          CALL(readv),      CALL(writev),          CALL(pread64),
      CALL(pwrite64),     CALL(preadv),         CALL(pwritev),    CALL(fsync),           CALL(fdatasync),
      CALL(sync),         CALL(syncfs),         CALL(msync),      CALL(sendto),          CALL(recvfrom),
      CALL(sendmsg),      CALL(recvmsg),        CALL(accept),     CALL(accept4),         CALL(connect),
      CALL(epoll_pwait),  CALL(sendfile),       CALL(splice),     CALL(copy_file_range), CALL(openat),
      CALL(close),        CALL(ftruncate),      CALL(fallocate),  CALL(unlinkat),        CALL(sync_file_range),
      CALL(io_getevents), CALL(io_uring_enter), CALL(getdents64), CALL(fadvise64),       CALL(recvmmsg),
      CALL(sendmmsg),
#ifdef SYS_epoll_wait
      CALL(epoll_wait),   CALL(open),           CALL(rename),     CALL(unlink),          CALL(mkdir),
      CALL(rmdir),
#endif
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (call == calls[i])
      return true;
  return false;
}

/* Of calls that wait for descriptors: without one they are a sleep. */
static bool waits_for_descriptors(long call, unsigned long first, unsigned long second, bool *any)
{
  switch (call) {
#ifdef SYS_poll
  case SYS_poll:
#endif
  case SYS_ppoll:
    *any = second > 0;
    return true;
#ifdef SYS_select
  case SYS_select:
#endif
  case SYS_pselect6:
    *any = first > 0;
    return true;
  }
  return false;
}

enum sc_wait_kind sc_waits_kind(long call, unsigned long first, unsigned long second)
{
  bool any;
  if (waits_for_descriptors(call, first, second, &any))
    return any ? SC_WAIT_IO : SC_WAIT_SLEEP;
  if (call == -1) /* in no call: a page that is read from disk */
    return SC_WAIT_IO;
  if (call == SYS_wait4 || call == SYS_waitid)
    return SC_WAIT_PROCESS;
  return is_sleep(call) ? SC_WAIT_SLEEP : is_lock(call) ? SC_WAIT_LOCK : is_io(call) ? SC_WAIT_IO : SC_WAIT_OTHER;
}

/* What a single task does. */
static int look_at_task(long pid, long task)
{
  char path[80], text[256];
  long call;
  unsigned long first = 0, second = 0;
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/syscall", pid, task);
  FILE *file = fopen(path, "re");
  if (!file)
    return UNSEEN;
  bool got = fgets(text, sizeof text, file) != NULL;
  fclose(file);
  if (!got)
    return UNSEEN;
  if (sscanf(text, "%ld %lx %lx", &call, &first, &second) < 1)
    return RUNNING; /* "running" */
  return (int)sc_waits_kind(call, first, second);
}

static int look_at_process(long pid, int depth);

/* Somebody runs: so does the process that waits for it. Else the first that waits for neither a lock nor a process. */
static int merge_wait(int before, int one)
{
  if (before == RUNNING || one == RUNNING)
    return RUNNING;
  bool dull = before == UNSEEN || before == SC_WAIT_LOCK || before == SC_WAIT_PROCESS;
  return dull && one != UNSEEN ? one : before;
}

static int look_at_threads(long pid, int of_first)
{
  char path[64];
  int state = of_first, count = 0;
  snprintf(path, sizeof path, "/proc/%ld/task", pid);
  DIR *tasks = opendir(path);
  for (const struct dirent *entry; tasks && state != RUNNING && count < SC_WAITS_TASKS && (entry = readdir(tasks));
       count++) {
    long task = strtol(entry->d_name, NULL, 10);
    if (task > 0 && task != pid)
      state = merge_wait(state, look_at_task(pid, task));
  }
  if (tasks)
    closedir(tasks);
  return state;
}

static int look_at_children(long pid, int of_first, int depth)
{
  char path[80];
  long child;
  int state = of_first, count = 0;
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", pid, pid);
  FILE *file = fopen(path, "re");
  for (; file && state != RUNNING && count < SC_WAITS_TASKS && fscanf(file, "%ld", &child) == 1; count++)
    state = merge_wait(state, look_at_process(child, depth - 1));
  if (file)
    fclose(file);
  return state;
}

static int look_at_process(long pid, int depth)
{
  int state = look_at_task(pid, pid);
  if (state == SC_WAIT_LOCK)
    return look_at_threads(pid, state);
  return state == SC_WAIT_PROCESS && depth > 0 ? look_at_children(pid, state, depth) : state;
}

void sc_waits_look(sc_waits *waits, pid_t pid, double now)
{
  if (now < waits->next)
    return;
  int state = look_at_process(pid, SC_WAITS_DEEPEST);
  waits->looks++;
  waits->next = now + (waits->looks < SC_WAITS_FIRST ? SC_WAITS_OFTEN : SC_WAITS_SELDOM);
  if (state < SC_WAIT_KINDS)
    waits->seen[state]++;
}

void sc_waits_divide(const sc_waits *waits, double elapsed, double processor, double ready,
                     double seconds[SC_WAIT_KINDS])
{
  double rest = fmax(0, elapsed - processor), seen = 0;
  memset(seconds, 0, SC_WAIT_KINDS * sizeof *seconds);
  seconds[SC_WAIT_RUNNABLE] = fmin(rest, fmax(0, ready));
  rest -= seconds[SC_WAIT_RUNNABLE];
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    seen += waits->seen[k];
  for (int k = SC_WAIT_RUNNABLE + 1; k < SC_WAIT_KINDS; k++)
    seconds[k] = seen > 0 ? rest * waits->seen[k] / seen : 0;
  if (!(seen > 0))
    seconds[SC_WAIT_OTHER] = rest;
}
