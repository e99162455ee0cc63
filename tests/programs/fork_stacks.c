/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a child of fork go on counting where they were: below it on the stack, in another thread, on a fiber that
 * forked or waits, on a signal handler's stack, and where only a longjmp comes back to.
 * oracle: none
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))

enum { STACK = 64 << 10 };

static volatile int sink, good;
static jmp_buf back;
static ucontext_t home, fiber;
static char fiber_stack[STACK], handler_stack[STACK];

NOINLINE static void leaf(void) { sink++; }

/* 1 in the child; in the parent 0, when it has ended well. */
NOINLINE static int forks(void)
{
  pid_t pid = fork();
  int status;
  if (pid == 0)
    return 1;
  good += waitpid(pid, &status, 0) == pid && status == 0;
  return 0;
}

NOINLINE static void below(int n)
{
  int child = forks();
  for (int i = 0; i < n; i++)
    leaf();
  if (child)
    _exit(0);
}

NOINLINE static void *in_thread(void *unused)
{
  below(3);
  return unused;
}

NOINLINE static void jumps(void)
{
  if (forks())
    longjmp(back, 1);
}

NOINLINE static void jumped_to(void)
{
  if (setjmp(back)) {
    for (int i = 0; i < 5; i++)
      leaf();
    _exit(0);
  }
  jumps();
}

NOINLINE static void on_fiber(void)
{
  below(7);
  swapcontext(&fiber, &home);
  for (int i = 0; i < 11; i++)
    leaf();
  swapcontext(&fiber, &home);
}

NOINLINE static void fibers(void)
{
  getcontext(&fiber);
  fiber.uc_stack.ss_sp = fiber_stack;
  fiber.uc_stack.ss_size = STACK;
  makecontext(&fiber, on_fiber, 0);
  swapcontext(&home, &fiber);
  int child = forks(); /* while the fiber waits */
  swapcontext(&home, &fiber);
  if (child)
    _exit(0);
}

NOINLINE static void handler(int number) { below(13 + number - SIGUSR1); }

NOINLINE static void handlers(void)
{
  stack_t stack = {.ss_sp = handler_stack, .ss_size = STACK};
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaltstack(&stack, NULL);
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
}

int main(void)
{
  pthread_t thread;
  below(2);
  jumped_to();
  if (pthread_create(&thread, NULL, in_thread, NULL) == 0)
    pthread_join(thread, NULL);
  fibers();
  handlers();
  printf("%d %d\n", good, sink);
  return 0;
}
