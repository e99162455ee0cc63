/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/keeper/target.h"

#include <errno.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Noreturn void give_up_target(const sc_target *target, int step)
{
  int message[2] = {step, errno};
  ssize_t written = write(target->report, message, sizeof message);
  _exit(written == (ssize_t)sizeof message ? 127 : 126);
}

/* As scale-run found them: a program behaves differently where a pipe that closes is ignored. */
static void restore_signals(const sc_keeper_order *order)
{
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int number = 1; number <= SC_KEEPER_SIGNALS; number++) {
    uint64_t bit = (uint64_t)1 << (number - 1);
    if (order->blocked & bit)
      sigaddset(&blocked, number);
    /* The kernel's own call: posix_spawn leaves the C library's two signals ignored, and signal() refuses them. The
     * first word of its structure is the handler. */
    const unsigned long action[8] = {order->ignored & bit ? (unsigned long)SIG_IGN : (unsigned long)SIG_DFL};
    (void)syscall(SYS_rt_sigaction, number, action, NULL, SC_KEEPER_SIGNALS / 8);
  }
  sigprocmask(SIG_SETMASK, &blocked, NULL);
}

static void restore_limits(const sc_keeper_order *order) { (void)setrlimit(RLIMIT_NOFILE, &order->files); }

/* An instrumented level of recursion takes up to 2.5 times the stack at -O0 (docs/instrumenting.md), so the program
 * gets TIMES as much, below its hard limit: where it fitted plainly, it fits. Threads get stacks of that size, out of
 * address space: where that is limited, nothing changes. */
static void raise_stack(void)
{
  static const rlim_t TIMES = 3;
  struct rlimit stack, space;
  if (getrlimit(RLIMIT_STACK, &stack) < 0 || getrlimit(RLIMIT_AS, &space) < 0 || space.rlim_cur != RLIM_INFINITY ||
      stack.rlim_cur == RLIM_INFINITY)
    return;
  rlim_t wanted = stack.rlim_cur < RLIM_INFINITY / TIMES ? stack.rlim_cur * TIMES : stack.rlim_max;
  stack.rlim_cur = wanted < stack.rlim_max ? wanted : stack.rlim_max;
  (void)setrlimit(RLIMIT_STACK, &stack);
}

_Noreturn void sc_target_begin(const sc_target *target)
{
  char go;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != target->keeper) /* it died before it could be told to take us along */
    _exit(126);
  restore_signals(target->order);
  restore_limits(target->order);
  raise_stack();
  /* Fixed addresses make programs that hash or sort by address repeat themselves; a refusal is ignored. */
  int persona = personality(0xffffffff);
  if (persona >= 0)
    personality((unsigned long)persona | ADDR_NO_RANDOMIZE);
  /* What can fail waits for the gate too: the sampler has to find the process alive. */
  ssize_t got;
  do
    got = read(target->gate, &go, 1);
  while (got < 0 && errno == EINTR);
  if (got != 1)
    _exit(126); /* the keeper gave up */
  if (*target->directory && chdir(target->directory) < 0)
    give_up_target(target, SC_KEEPER_STEP_DIRECTORY);
  execvpe(target->arguments[0], target->arguments, target->variables);
  give_up_target(target, SC_KEEPER_STEP_EXEC);
}
