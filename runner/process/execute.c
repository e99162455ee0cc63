/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/execute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/saved_error.h"
#include "runner/process/harvest.h"
#include "runner/process/launch.h"
#include "runner/process/scratch.h"
#include "runner/process/service.h"
#include "runner/process/uprobes.h"
#include "runner/workload/expand.h"
#include "runner/workload/generate.h"

/* Everything of one run; released by finish(). */
typedef struct attempt {
  const sc_workload *workload;
  const sc_execute_options *options;
  sc_expand_vars vars;
  sc_scratch scratch;
  sc_launch launch;
  sc_sampler *sampler;
  sc_service_run *service;
  sc_process *process;
  sc_process_end end;      /* of the command */
  sc_waits waits;          /* of the command */
  sc_lifetimes *lifetimes; /* NULL: not known */
  sc_process_end service_end;
  char *tail;
} attempt;

static void warn_run(const attempt *a, const char *message, const char *hint)
{
  if (a->options->warn)
    a->options->warn(a->options->user, message, hint);
}

static int prepare_attempt(attempt *a)
{
  const sc_workload *workload = a->workload;
  for (size_t i = 0; i < workload->generator_count; i++)
    SC_TRY(sc_generate_file(&workload->generators[i], &a->vars, a->options->interrupted, a->options->deadline));
  SC_TRY(sc_launch_steps(workload->prepare, workload->prepare_count, "a step of <prepare>", &a->vars, a->options));
  SC_TRY(sc_launch_expand(&workload->command, &a->vars, &a->launch));
  a->launch.trace = a->options->trace;
  return 0;
}

bool sc_execute_samples(const char *event) { return !event || strcmp(event, "none") != 0; }

static bool uses_uprobes(const sc_execute_options *options) { return options->uprobes && !options->plain; }

/* Attaches the sampler to a process that waits for its release. Where the machine refuses, counts are still exact. */
static int sample_process(attempt *a, pid_t pid)
{
  const sc_execute_options *options = a->options;
  const sc_sampler_options wanted = {
      .event = options->event, .frequency = options->frequency, .spool = a->scratch.spool};
  if (options->plain || !sc_execute_samples(options->event))
    return 0;
  int err = sc_sampler_open(&wanted, pid, &a->sampler);
  if (err != SC_E_UNSUPPORTED)
    return err;
  a->sampler = NULL;
  warn_run(a, sc_err_message(), sc_err_hint_text());
  return 0;
}

/* Whoever observes the program is there before its first instruction. Uprobes cost a program time wherever it runs. */
static int observe_run(attempt *a, pid_t pid)
{
  if (uses_uprobes(a->options))
    return sc_uprobes_begin(a->options->uprobes, pid);
  if (a->options->uprobes)
    sc_uprobes_detach(a->options->uprobes);
  return sample_process(a, pid);
}

static int start_service(attempt *a)
{
  if (!a->workload->service)
    return 0;
  SC_TRY(sc_service_start(a->workload->service, &a->vars, a->scratch.profiles, a->options->trace, a->scratch.run,
                          &a->service));
  SC_TRY(observe_run(a, sc_service_pid(a->service)));
  return sc_service_wait_ready(a->service, a->sampler, a->options->interrupted, a->options->deadline);
}

static int check_output(const attempt *a)
{
  struct stat info;
  if (!a->workload->command.output_required || (stat(a->launch.stdout_file, &info) == 0 && info.st_size > 0))
    return 0;
  (void)sc_err_set(SC_E_TARGET, "the command printed nothing, though its output is required: %s", a->launch.name);
  return sc_err_hint(SC_E_TARGET, "run it by hand at this size, or remove output=\"required\" of the <command>");
}

static int run_command(attempt *a)
{
  const sc_command *command = &a->workload->command;
  SC_TRY(sc_launch_start(&a->launch, a->scratch.profiles, NULL, &a->process));
  if (!a->service)
    SC_TRY(observe_run(a, sc_process_pid(a->process)));
  SC_TRY(sc_process_release(a->process));
  const sc_process_wait wait = {sc_launch_timeout(a->options, command->timeout), a->options->interrupted, a->sampler,
                                &a->waits, a->lifetimes};
  SC_TRY(sc_process_wait_end(a->process, &wait, &a->end));
  a->tail = sc_mem_copy_string(sc_process_error_tail(a->process));
  if (!a->tail)
    return SC_E_NOMEM;
  SC_TRY(sc_launch_judge(command, a->launch.name, "the command", &a->end, a->tail, SC_E_TARGET));
  if (a->end.strays)
    warn_run(a, "processes that the command left running were killed",
             "a program that stays in the background belongs into <service>");
  return check_output(a);
}

static int stop_service(attempt *a)
{
  if (!a->service)
    return 0;
  SC_TRY(sc_service_stop(a->service, a->sampler, &a->service_end));
  if (a->service_end.timed_out)
    warn_run(a, "the service did not stop and was killed", "set stop=\"...\" of <service> to a signal that it obeys");
  return 0;
}

static double timeval_seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec * 1e-6; }

static void describe_run(const attempt *a, const sc_run *planned, sc_run *run)
{
  const struct rusage *usage = a->service ? &a->service_end.usage : &a->end.usage;
  *run =
      (sc_run){.n = planned->n, .role = planned->role, .repeat = planned->repeat, .wall_seconds = a->end.wall_seconds};
  memcpy(run->others, planned->others, sizeof run->others);
  run->user_seconds = timeval_seconds(usage->ru_utime);
  run->system_seconds = timeval_seconds(usage->ru_stime);
  run->max_rss_kib = (uint64_t)usage->ru_maxrss;
  run->has_waits = true;
  sc_waits_divide(&a->waits, run->wall_seconds, sc_run_processor(run), a->end.ready, run->waits);
}

/* A program without instrumentation that wrote a profile was built with scale-cc, somewhere behind a script. */
static int check_plain(const attempt *a)
{
  if (!sc_harvest_any(a->scratch.profiles))
    return 0;
  (void)sc_err_set(SC_E_TARGET, "it is instrumented: it wrote a profile");
  if (uses_uprobes(a->options))
    return sc_err_hint(SC_E_TARGET, "leave out --uprobes, which is for programs that were not built with scale-cc");
  return sc_err_hint(SC_E_TARGET, "--plain takes the program, or a script that starts it, built without scale-cc");
}

static int read_profiles(attempt *a, sc_graph *graph, sc_execute_result *result)
{
  SC_TRY(sc_lifetimes_drain(a->lifetimes));
  int err = sc_harvest_profiles(a->scratch.profiles, a->lifetimes, graph, result->run, a->options, result);
  if (err == SC_E_NOPROFILE)
    err = sc_harvest_missing(a->service ? sc_service_argv(a->service) : a->launch.argv, a->launch.directory,
                             a->scratch.profiles);
  if (err == 0 && a->sampler)
    err = sc_sampler_drain(a->sampler) ?: sc_sampler_attribute(a->sampler, graph, result->run);
  return err;
}

static int collect_counts(attempt *a, const sc_run *run, sc_graph *graph, sc_execute_result *result)
{
  bool uprobes = uses_uprobes(a->options);
  if (a->options->plain || uprobes)
    SC_TRY(check_plain(a));
  SC_TRY(sc_graph_begin_run(graph, run, &result->run));
  if (a->options->plain)
    return 0;
  int err =
      uprobes ? sc_uprobes_collect(a->options->uprobes, graph, result->run, result) : read_profiles(a, graph, result);
  if (err < 0)
    sc_graph_drop_run(graph);
  return err;
}

static void finish_attempt(attempt *a, const char *keep_as)
{
  sc_process_free(a->process);
  sc_service_free(a->service);
  sc_sampler_close(a->sampler);
  sc_lifetimes_free(a->lifetimes);
  sc_launch_free(&a->launch);
  sc_scratch_close(&a->scratch, a->options->keep ? keep_as : NULL);
  free(a->tail);
}

/* After the run, even a failed one; the first error stays the one that is reported. */
static int clean_up(attempt *a, int err)
{
  const sc_workload *workload = a->workload;
  sc_saved_error saved;
  sc_saved_error_take(&saved);
  sc_execute_options options = *a->options;
  options.interrupted = NULL; /* cleaning up belongs to stopping cleanly */
  options.deadline = 0;
  int cleaned = sc_launch_steps(workload->cleanup, workload->cleanup_count, "a step of <cleanup>", &a->vars, &options);
  return err == 0 ? cleaned : sc_saved_error_restore(&saved, err);
}

/* "n = 100", "n = 100, threads = 8"; between the parts of a file's name "n=100" and "n=100,threads=8". */
static void name_run(const sc_workload *workload, const sc_run *run, const char *equals, const char *comma, char *text,
                     size_t size)
{
  char number[64];
  sc_expand_number(run->n, number, sizeof number);
  int length = snprintf(text, size, "%.60s%s%s", workload->parameter, equals, number);
  for (size_t i = 0; i < workload->other_count && length > 0 && (size_t)length < size; i++) {
    sc_expand_number(run->others[i], number, sizeof number);
    length +=
        snprintf(text + length, size - (size_t)length, "%s%.60s%s%s", comma, workload->others[i].name, equals, number);
  }
}

int sc_execute_once(const sc_workload *workload, const sc_run *planned, const sc_execute_options *options,
                    sc_graph *graph, sc_execute_result *result)
{
  char keep_as[400], where[380];
  attempt a = {.workload = workload, .options = options};
  sc_run run;
  *result = (sc_execute_result){0};
  name_run(workload, planned, "=", ",", where, sizeof where);
  snprintf(keep_as, sizeof keep_as, "%s.%u", where, planned->repeat);
  name_run(workload, planned, " = ", ", ", where, sizeof where);
  int err = sc_scratch_open(options->scratch, &a.scratch);
  if (err < 0)
    return err;
  a.vars = sc_workload_vars(workload, planned->n, planned->others);
  a.vars.dir = a.scratch.files;
  a.vars.shared = a.scratch.shared;
  SC_GOTO(prepare_attempt(&a));
  SC_GOTO(sc_lifetimes_watch(a.scratch.profiles, &a.lifetimes));
  SC_GOTO(start_service(&a));
  SC_GOTO(run_command(&a));
  SC_GOTO(stop_service(&a));
  describe_run(&a, planned, &run);
  err = collect_counts(&a, &run, graph, result);
out:
  err = clean_up(&a, err);
  result->output_tail = a.tail;
  a.tail = NULL;
  finish_attempt(&a, keep_as);
  if (err == SC_E_INTERRUPTED)
    (void)sc_err_hint(err, "finished runs are kept; the same command resumes from there");
  else if (err < 0)
    (void)sc_err_prefix(err, "at %s", where);
  return err;
}

void sc_execute_result_free(sc_execute_result *result)
{
  for (size_t i = 0; i < result->module_count; i++)
    free((char *)result->modules[i].path);
  free(result->modules);
  free(result->output_tail);
  for (size_t i = 0; i < SC_SEEN_KINDS; i++)
    sc_buf_free(&result->seen[i]);
  *result = (sc_execute_result){0};
}

static int run_commands(const sc_workload *workload, const sc_command *commands, size_t count, const char *what,
                        const sc_execute_options *options)
{
  sc_scratch scratch;
  if (count == 0)
    return 0;
  SC_TRY(sc_scratch_open(options->scratch, &scratch));
  sc_expand_vars vars = sc_workload_vars(workload, workload->range_high, NULL);
  vars.dir = vars.shared = scratch.shared;
  int err = sc_launch_steps(commands, count, what, &vars, options);
  sc_scratch_close(&scratch, NULL);
  return err;
}

int sc_execute_setup(const sc_workload *workload, const sc_execute_options *options)
{
  return run_commands(workload, workload->setup, workload->setup_count, "a step of <setup>", options);
}

int sc_execute_teardown(const sc_workload *workload, const sc_execute_options *options)
{
  return run_commands(workload, workload->teardown, workload->teardown_count, "a step of <teardown>", options);
}
