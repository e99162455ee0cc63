/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile int interrupted;
static struct sigaction pipe_before;
static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

static void on_signal(int number) { interrupted = number; }
static void on_pipe(int number) {}

volatile int *sc_interrupt_catch(void)
{
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND}, old;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
    if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* nohup stays in force */
      sigaction(caught[i], &action, NULL);
  struct sigaction pipe_action = {.sa_handler = on_pipe, .sa_flags = SA_RESTART};
  sigemptyset(&pipe_action.sa_mask);
  sigaction(SIGPIPE, &pipe_action, &pipe_before);
  return &interrupted;
}

void sc_interrupt_release(void)
{
  struct sigaction old;
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
    if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler == on_signal)
      signal(caught[i], SIG_DFL);
  sigaction(SIGPIPE, &pipe_before, NULL);
}
