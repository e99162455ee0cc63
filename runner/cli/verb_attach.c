/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run attach: joins a process as it serves, for a while, within a budget. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/attach/attach.h"
#include "runner/cli/conclude.h"
#include "runner/cli/verb.h"
#include "runner/judge/named.h"
#include "runner/process/interrupt.h"
#include "runner/text/format.h"
#include "runner/text/progress.h"
#include "runner/text/tuning.h"

typedef struct attaching {
  const sc_options *options;
  sc_progress progress;
  double seconds, overhead;
} attaching;

static int read_process(const char *word, pid_t *process)
{
  char *end = NULL;
  long number = word ? strtol(word, &end, 10) : 0;
  *process = (pid_t)number;
  if (word && *word && !*end && number > 0 && number == *process)
    return 0;
  (void)sc_err_set(SC_E_USAGE, word ? "\"%.80s\" is no process" : "say which process to attach to", word);
  return sc_err_hint(SC_E_USAGE, "its number: scale-run attach $(pidof -s memcached) --probes memcached.json");
}

static void tell_begun(void *user, const sc_uprobes *uprobes, const sc_groups *groups)
{
  attaching *a = user;
  sc_buf text = {0};
  sc_buf_printf(&text, "attached to process %s: %s in %s, for %s", a->options->operand,
                sc_format_plural(uprobes->functions.count, "function").s, sc_format_plural(groups->count, "group").s,
                sc_format_seconds(a->seconds).s);
  if (!a->progress.quiet)
    sc_progress_line(&a->progress, &text);
  sc_buf_free(&text);
}

static void tell_dropped(void *user, const sc_group *group)
{
  attaching *a = user;
  char text[600];
  snprintf(text, sizeof text, "%s dropped after %s: %s calls a second took %s of a processor; all probes together %s",
           group->name, sc_format_seconds(group->until).s, sc_format_number(round(group->calls)).s,
           sc_format_percent(group->price).s, sc_format_percent(group->share).s);
  char hint[200];
  snprintf(hint, sizeof hint, "the budget is %s: --overhead", sc_format_percent(a->overhead).s);
  sc_progress_warn(&a->progress, text, hint);
}

static void tell_warning(void *user, const char *message, const char *hint)
{
  attaching *a = user;
  sc_progress_warn(&a->progress, message, hint);
}

/* ---- what was seen ---- */

static void print_groups(const sc_attach_result *result)
{
  size_t width = strlen("Probed");
  for (size_t i = 0; i < result->groups.count; i++) {
    size_t length = strlen(result->groups.list[i].name);
    width = length > width && length <= 50 ? length : width;
  }
  printf("%-*s %14s %14s %10s\n", (int)width, "Probed", "calls", "a second", "probes");
  for (size_t i = 0; i < result->groups.count; i++) {
    const sc_group *group = &result->groups.list[i];
    double seconds = group->until < 0 ? result->watch.seconds : group->until;
    double own = fmax(result->watch.processor - result->watch.probes, result->watch.probes / SC_ATTACH_DROWNED);
    printf("%-*.*s %14s %14s %10s%s\n", (int)width, 50, group->name, sc_format_number(result->calls[i]).s,
           sc_format_number(round(seconds > 0 ? result->calls[i] / seconds : 0)).s,
           sc_format_percent(own > 0 ? group->spent / own : 0).s, group->until < 0 ? "" : "  dropped");
  }
}

static void print_attach_summary(const sc_attach_result *result, double budget)
{
  const sc_watch_result *watched = &result->watch;
  static const char *const ends[] = {"", ", when it was interrupted", ", when the process ended"};
  printf("Attached for %s%s, at %s = %s: %s of processor time. Overhead of the probes: %s (budget %s).\n\n",
         sc_format_seconds(watched->seconds).s, ends[watched->end], result->parameter, sc_format_number(result->size).s,
         sc_format_seconds(watched->processor).s,
         sc_format_percent(sc_watch_overhead(watched->probes, watched->processor, watched->seconds)).s,
         sc_format_percent(budget).s);
  print_groups(result);
  if (result->earlier)
    printf("\n%s of what was acquired before it was attached to: not counted.\n",
           sc_format_plural(result->earlier, "release").s);
  if (*result->per)
    printf("\nThe study has counts of %d calls of %s.\n", SC_ATTACH_REQUESTS, result->per);
  else if (fabs(result->window / watched->seconds - 1) > SC_ATTACH_SAME)
    printf("\nThe study has counts of %s: these are scaled to it.\n", sc_format_seconds(result->window).s);
}

static void print_attach_next(const sc_attach_result *result, const char *study)
{
  size_t missing = SC_LOADED_SIZES - result->sizes;
  printf("\n%s more make models: scale-run attach PID -P %s=%s -o %s\n", sc_format_plural(missing, "size").s,
         strcmp(result->parameter, "load") == 0 ? "clients" : result->parameter, sc_format_number(2 * result->size).s,
         study);
}

static int attach_as_asked(const sc_options *options, attaching *a, sc_attach_result *result)
{
  sc_attach_options wanted = {.uprobes = options->uprobes,
                              .probe_sets = options->probe_sets,
                              .parameter = options->load,
                              .kind = options->kind,
                              .tasks = options->task,
                              .per = options->per,
                              .seconds = a->seconds,
                              .overhead = a->overhead,
                              .study_path = sc_named_study(options),
                              .begun = tell_begun,
                              .dropped = tell_dropped,
                              .warn = tell_warning,
                              .user = a};
  SC_TRY(read_process(options->operand, &wanted.process));
  sc_progress_open(&a->progress, stderr, options->quiet, "");
  wanted.interrupted = sc_interrupt_catch();
  int err = sc_attach_once(&wanted, result);
  sc_progress_close(&a->progress);
  sc_interrupt_release();
  return err;
}

int sc_verb_attach(const sc_options *options)
{
  attaching a = {.options = options,
                 .seconds = options->attach_for > 0 ? options->attach_for : SC_ATTACH_FOR,
                 .overhead = options->overhead > 0 ? options->overhead : SC_ATTACH_OVERHEAD};
  sc_attach_result result = {0};
  int err = attach_as_asked(options, &a, &result);
  if (err == 0 && !options->no_report) {
    print_attach_summary(&result, a.overhead);
    if (result.sizes < SC_LOADED_SIZES)
      print_attach_next(&result, sc_named_study(options));
    else {
      putchar('\n');
      err = sc_conclude(options);
    }
  }
  sc_attach_result_free(&result);
  return err;
}
