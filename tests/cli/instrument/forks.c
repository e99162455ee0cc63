/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forks in the middle of a tree, with another thread busy; parent and child then count on, each for itself. With
   argv[1] "raw" by the bare system call, behind libc's back. */
#include "mimic.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

MIMIC_FUNCTION(outer)
MIMIC_FUNCTION(leaf)
MIMIC_FUNCTION(fresh)
MIMIC_FUNCTION(busy)
static volatile int stop;

__attribute__((noinline)) static void leaf(void)
{
  MIMIC_ENTER(leaf);
  node->loop += 3;
  MIMIC_LEAVE();
}
__attribute__((noinline)) static void fresh(void)
{
  MIMIC_ENTER(fresh);
  node->loop += 5;
  MIMIC_LEAVE();
}
static void *busy(void *unused)
{
  MIMIC_ENTER(busy);
  while (!stop) {
    MIMIC_CALL(0);
    leaf();
  }
  MIMIC_LEAVE();
  return unused;
}
__attribute__((noinline)) static int outer(int raw)
{
  MIMIC_ENTER(outer);
  for (int i = 0; i < 1000; i++) {
    MIMIC_CALL(0);
    leaf();
  }
  pid_t child = raw ? (pid_t)syscall(SYS_fork) : fork();
  for (int i = 0; i < (child ? 10 : 7); i++) {
    MIMIC_CALL(2);
    fresh();
    MIMIC_CALL(0);
    leaf();
  }
  if (child == 0)
    _exit(0);
  int status = 0;
  waitpid(child, &status, 0);
  MIMIC_LEAVE();
  return status;
}
int main(int argc, char **argv)
{
  int raw = argc > 1 && strcmp(argv[1], "raw") == 0;
  pthread_t thread;
  if (!raw)
    pthread_create(&thread, NULL, busy, NULL);
  int status = outer(raw);
  stop = 1;
  if (!raw)
    pthread_join(thread, NULL);
  return status ? 8 : 0;
}
