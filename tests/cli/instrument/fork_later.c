/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a parent first allocates after a fork, while its child has no profile yet, the child allocates, too. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))

extern void parent_is_done(void), wait_for_parent(void);
static void *volatile block;

APART void first(void)
{
  block = malloc(100);
  free(block);
}
APART void later(void)
{
  block = malloc(200);
  free(block);
}
APART void last(void)
{
  block = malloc(300);
  free(block);
}

/* bare: a child made behind libc's back. early: nothing was allocated before the fork. */
int main(int argc, char **argv)
{
  int bare = argc > 1 && *argv[1] == 'b', early = argc > 1 && *argv[argc - 1] == 'e', status = 0;
  pid_t child;

  if (!early)
    first();
  child = bare ? (pid_t)syscall(SYS_fork) : fork();
  if (child) {
    later();
    parent_is_done();
    waitpid(child, &status, 0);
    printf("%d\n", status);
    return 0;
  }
  if (bare)
    wait_for_parent();
  later();
  last();
  last();
  _exit(0);
}
