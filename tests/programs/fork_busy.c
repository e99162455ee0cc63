/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parent that goes on making contexts while its children copy the tree: what it makes is no part of theirs, and their
 * profiles can be read. oracle: none (children) */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))

enum { FUNCTIONS = 9, DEPTH = 6, CHILDREN = 40, PATHS = 400 };

static volatile int sink;
typedef void step(unsigned used, unsigned path, int depth);
static step *const steps[FUNCTIONS];

/* Each function once on a path: every path is a context of its own. */
static void go_on(unsigned used, unsigned path, int depth)
{
  unsigned left = (unsigned)(FUNCTIONS - DEPTH + depth), skip = path % left;
  unsigned next = 0;
  if (depth == 0)
    return;
  while (used >> next & 1)
    next++;
  for (; skip; skip--)
    do
      next++;
    while (used >> next & 1);
  steps[next](used | 1U << next, path / left, depth - 1);
}

#define STEP(name)                                                   \
  NOINLINE static void name(unsigned used, unsigned path, int depth) \
  {                                                                  \
    sink++;                                                          \
    go_on(used, path, depth);                                        \
  }
STEP(step0)
STEP(step1)
STEP(step2)
STEP(step3)
STEP(step4)
STEP(step5)
STEP(step6)
STEP(step7)
STEP(step8)
static step *const steps[FUNCTIONS] = {step0, step1, step2, step3, step4, step5, step6, step7, step8};

NOINLINE static void leaf(void) { sink++; }

NOINLINE static void child(void)
{
  for (int i = 0; i < 10; i++)
    leaf();
}

int main(void)
{
  int good = 0;
  for (unsigned i = 0; i < CHILDREN; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      child();
      _exit(0);
    }
    for (unsigned path = i * PATHS; path < (i + 1) * PATHS; path++)
      go_on(0, path * 7919, DEPTH);
    int status;
    good += waitpid(pid, &status, 0) == pid && status == 0;
  }
  printf("%d %d\n", good, sink);
  return 0;
}
