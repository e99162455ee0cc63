/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A child process counts for itself, from the fork on. oracle: none (its counters are copied to the child) */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))

static volatile int sink;
NOINLINE static void leaf(int i) { sink += i; }

NOINLINE static void child(int n)
{
  for (int i = 0; i < n; i++)
    leaf(i);
}

NOINLINE static void parent(int n)
{
  for (int i = 0; i < n; i++)
    leaf(-i);
}

int main(void)
{
  for (int i = 0; i < 5; i++)
    leaf(i);
  for (int i = 0; i < 3; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      child(10);
      _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    parent(7);
  }
  printf("%d\n", sink);
  return 0;
}
