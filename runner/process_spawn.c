/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The child's side of starting a process: between fork and exec only async-signal-safe calls. */
#include "runner/process_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/buf.h"

extern char **environ;

static bool same_variable(const char *a, const char *b)
{
  size_t length = strcspn(a, "=");
  return length == strcspn(b, "=") && !memcmp(a, b, length);
}

static int set_variable(char ***list, size_t *count, size_t *capacity, const char *pair)
{
  for (size_t i = 0; i < *count; i++)
    if (same_variable((*list)[i], pair)) {
      (*list)[i] = (char *)pair;
      return 0;
    }
  SC_TRY(sc_mem_grow(list, capacity, *count + 2, sizeof **list));
  (*list)[(*count)++] = (char *)pair;
  return 0;
}

int sc_process_environment(const sc_process_options *options, sc_process_variables *variables, char ***out)
{
  size_t count = 0, capacity = 0;
  *out = NULL;
  *variables = (sc_process_variables){0};
  for (char **at = environ; *at; at++)
    if (strncmp(*at, "SCALE_PROFILE_DIR=", 18) != 0)
      SC_TRY(set_variable(out, &count, &capacity, *at));
  for (char *const *at = options->environment; at && *at; at++)
    SC_TRY(set_variable(out, &count, &capacity, *at));
  if (options->profile_dir) {
    if (asprintf(&variables->profile, "SCALE_PROFILE_DIR=%s", options->profile_dir) < 0)
      return sc_err_set(SC_E_NOMEM, "out of memory");
    SC_TRY(set_variable(out, &count, &capacity, variables->profile));
  }
  if (options->trace) {
    snprintf(variables->trace, sizeof variables->trace, "SCALE_TRACE=%" PRIu64, options->trace);
    SC_TRY(set_variable(out, &count, &capacity, variables->trace));
  }
  SC_TRY(sc_mem_grow(out, &capacity, count + 1, sizeof **out));
  (*out)[count] = NULL;
  return 0;
}

/* Tells the parent what failed and ends. */
static _Noreturn void give_up(int report, int step)
{
  int message[2] = {step, errno};
  ssize_t written = write(report, message, sizeof message);
  _exit(written == (ssize_t)sizeof message ? 127 : 126);
}

static void reset_signals(void)
{
  sigset_t none;
  sigemptyset(&none);
  for (int number = 1; number < 32; number++)
    if (number != SIGKILL && number != SIGSTOP)
      signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn void sc_process_child(const struct sc_process_child *child)
{
  const sc_process_options *options = child->options;
  char go;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  reset_signals();
  /* Fixed addresses make programs that hash or sort by address repeat themselves; where it is refused, so be it. */
  int persona = personality(0xffffffff);
  if (persona >= 0)
    personality((unsigned long)persona | ADDR_NO_RANDOMIZE);
  /* What can fail waits for the gate too: the sampler has to find the process alive. */
  if (read(child->gate, &go, 1) != 1)
    _exit(126); /* the parent gave up */
  if (dup2(child->in, 0) < 0 || dup2(child->out, 1) < 0 || dup2(child->error, 2) < 0)
    give_up(child->report, SC_PROCESS_STEP_FILES);
  if (options->directory && chdir(options->directory) < 0)
    give_up(child->report, SC_PROCESS_STEP_DIRECTORY);
  execvpe(options->argv[0], options->argv, child->environment);
  give_up(child->report, SC_PROCESS_STEP_EXEC);
}
