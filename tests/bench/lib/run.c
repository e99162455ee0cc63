// SPDX-License-Identifier: GPL-3.0-or-later
// run CORE SECONDS RESULT COMMAND...: runs COMMAND on one core (on all, if CORE is -1), for at most SECONDS of
// processor time in each of its processes, and writes to RESULT: user, system and elapsed microseconds and peak memory
// in KiB (of COMMAND and all processes it waited for), then "exit N" or "signal N". A small process of its own, because
// the peak memory that the kernel reports begins with that of the process which forked: a Python interpreter would hide
// what small programs use.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static long long microseconds(struct timeval t) { return t.tv_sec * 1000000LL + t.tv_usec; }

static void start(char **argv)
{
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (atoi(argv[1]) >= 0)
    CPU_SET(atoi(argv[1]), &cores);
  struct rlimit seconds = {(rlim_t)atol(argv[2]), (rlim_t)atol(argv[2]) + 1};
  if ((atoi(argv[1]) >= 0 && sched_setaffinity(0, sizeof cores, &cores)) || setrlimit(RLIMIT_CPU, &seconds)) {
    perror("run");
    _exit(126);
  }
  execvp(argv[4], argv + 4);
  perror(argv[4]);
  _exit(127);
}

int main(int argc, char **argv)
{
  if (argc < 5)
    return 2;
  struct timeval begin, end;
  gettimeofday(&begin, NULL);
  pid_t child = fork();
  if (child < 0)
    return 2;
  if (child == 0)
    start(argv);
  int status;
  struct rusage used;
  if (wait4(child, &status, 0, &used) != child)
    return 2;
  gettimeofday(&end, NULL);
  FILE *result = fopen(argv[3], "w");
  if (!result)
    return 2;
  fprintf(result, "%lld %lld %lld %ld %s %d\n", microseconds(used.ru_utime), microseconds(used.ru_stime),
          microseconds(end) - microseconds(begin), used.ru_maxrss, WIFEXITED(status) ? "exit" : "signal",
          WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  return fclose(result) ? 2 : 0;
}
