/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/launch.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "runner/text/tuning.h"

static int expand_list(char *const *list, const sc_expand_vars *vars, char ***out)
{
  size_t count = 0;
  while (list && list[count])
    count++;
  SC_TRY(SC_NEW(*out, count + 1));
  for (size_t i = 0; i < count; i++)
    SC_TRY(sc_expand_text(list[i], vars, &(*out)[i]));
  return 0;
}

static int expand_optional(const char *text, const sc_expand_vars *vars, char **out)
{
  return text ? sc_expand_text(text, vars, out) : 0;
}

int sc_launch_expand(const sc_command *command, const sc_expand_vars *vars, sc_launch *launch)
{
  int err;
  *launch = (sc_launch){0};
  SC_GOTO(expand_list(command->argv, vars, &launch->argv));
  SC_GOTO(expand_list(command->environment, vars, &launch->environment));
  SC_GOTO(expand_optional(command->directory, vars, &launch->directory));
  SC_GOTO(expand_optional(command->stdin_file, vars, &launch->stdin_file));
  SC_GOTO(expand_optional(command->stdout_file, vars, &launch->stdout_file));
  if (!launch->stdout_file && command->output_required && asprintf(&launch->stdout_file, "%s/stdout", vars->dir) < 0) {
    launch->stdout_file = NULL;
    err = sc_err_set(SC_E_NOMEM, "out of memory");
    goto out;
  }
  sc_process_describe(launch->argv, launch->name, sizeof launch->name);
out:
  if (err < 0)
    sc_launch_free(launch);
  return err;
}

int sc_launch_expand_smallest(const sc_workload *workload, const sc_command *command, sc_launch *launch)
{
  sc_expand_vars vars = sc_workload_vars(workload, workload->range_low, NULL);
  vars.dir = vars.shared = ".";
  return sc_launch_expand(command, &vars, launch);
}

void sc_launch_free(sc_launch *launch)
{
  sc_mem_free_list(launch->argv);
  sc_mem_free_list(launch->environment);
  free(launch->directory);
  free(launch->stdin_file);
  free(launch->stdout_file);
  *launch = (sc_launch){0};
}

int sc_launch_start(const sc_launch *launch, const char *profile_dir, const char *stderr_file, sc_process **process)
{
  const sc_process_options options = {.argv = launch->argv,
                                      .environment = launch->environment,
                                      .profile_dir = profile_dir,
                                      .trace = launch->trace,
                                      .directory = launch->directory,
                                      .background = launch->background,
                                      .stdin_file = launch->stdin_file,
                                      .stdout_file = launch->stdout_file,
                                      .stderr_file = stderr_file};
  return sc_process_start(&options, process);
}

/* The last line that says something, without control characters, for a one-line message. */
static void last_line(const char *tail, char *line, size_t size)
{
  size_t end = strlen(tail);
  while (end && isspace((unsigned char)tail[end - 1]))
    end--;
  size_t start = end;
  while (start && tail[start - 1] != '\n')
    start--;
  size_t length = 0;
  for (size_t i = start; i < end && length < size - 1; i++)
    line[length++] = iscntrl((unsigned char)tail[i]) ? ' ' : tail[i];
  line[length] = '\0';
}

int sc_launch_judge(const sc_command *command, const char *name, const char *what, const sc_process_end *end,
                    const char *tail, int code)
{
  char line[300], said[340];
  last_line(tail, line, sizeof line);
  if (*line)
    snprintf(said, sizeof said, "; its last words: %s", line);
  else
    snprintf(said, sizeof said, "; it wrote nothing to stderr");
  if (end->interrupted) {
    (void)sc_err_set(SC_E_INTERRUPTED, "interrupted while %s ran: %s", what, name);
    return sc_err_hint(SC_E_INTERRUPTED, "finished runs are kept; the same command resumes from there");
  }
  if (end->wants_terminal) {
    (void)sc_err_set(code, "%s waits for the terminal, and was stopped after %g s: %s%s", what, command->timeout, name,
                     said);
    return sc_err_hint(code, "it reads /dev/tty, which has no user here: give it an option that asks nothing, or its "
                             "answers in a file (stdin=\"...\" of the <command>)");
  }
  if (end->timed_out) {
    (void)sc_err_set(SC_E_TIMEOUT, "%s took longer than %g s and was stopped: %s%s", what, command->timeout, name,
                     said);
    return sc_err_hint(SC_E_TIMEOUT, "raise timeout=\"...\" of the <command>, or lower the sizes");
  }
  if (end->signal) {
    (void)sc_err_set(code, "%s was killed by signal %d (%s): %s%s", what, end->signal, strsignal(end->signal), name,
                     said);
    return sc_err_hint(code, "run it by hand at this size; --keep keeps the run's files");
  }
  if (end->exit_status != command->expect_status) {
    (void)sc_err_set(code, "%s ended with status %d, expected %d: %s%s", what, end->exit_status, command->expect_status,
                     name, said);
    return sc_err_hint(code, "run it by hand, or set status=\"%d\" of the <command> if this is right",
                       end->exit_status);
  }
  return 0;
}

double sc_launch_timeout(const sc_execute_options *options, double timeout)
{
  if (!(options->deadline > 0))
    return timeout;
  double left = fmax(options->deadline - sc_clock_now(), SC_LAUNCH_AT_ONCE);
  return timeout > 0 ? fmin(timeout, left) : left;
}

static int run_step(const sc_command *command, const char *what, const sc_expand_vars *vars,
                    const sc_execute_options *options)
{
  sc_launch launch;
  sc_process *process = NULL;
  sc_process_end end;
  const sc_process_wait wait = {sc_launch_timeout(options, command->timeout), options->interrupted, NULL};
  SC_TRY(sc_launch_expand(command, vars, &launch));
  launch.background = true; /* one step may start a server that another one stops */
  int err;
  SC_GOTO(sc_launch_start(&launch, NULL, NULL, &process));
  SC_GOTO(sc_process_release(process));
  SC_GOTO(sc_process_wait_end(process, &wait, &end));
  err = sc_launch_judge(command, launch.name, what, &end, sc_process_error_tail(process), SC_E_WORKLOAD);
  if (err == 0 && end.strays && options->warn) {
    char text[400];
    snprintf(text, sizeof text, "processes that %s left running were killed: %s", what, launch.name);
    options->warn(options->user, text, "a program that stays in the background belongs into <service>");
  }
out:
  sc_process_free(process);
  sc_launch_free(&launch);
  return err == SC_E_TARGET ? SC_E_WORKLOAD : err;
}

int sc_launch_steps(const sc_command *commands, size_t count, const char *what, const sc_expand_vars *vars,
                    const sc_execute_options *options)
{
  for (size_t i = 0; i < count; i++)
    SC_TRY(run_step(&commands[i], what, vars, options));
  return 0;
}
