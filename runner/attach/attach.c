/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/attach/attach.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/saved_error.h"
#include "runner/attach/study.h"
#include "runner/process/running.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"

typedef struct attaching {
  const sc_attach_options *options;
  sc_attach_result *result;
  sc_attached attached;
  sc_uprobes *uprobes;
  uint64_t *calls; /* [functions] */
  sc_consumed consumed;
  char program[PATH_MAX];
} attaching;

static void warn_user(const attaching *a, const char *message, const char *hint)
{
  if (a->options->warn)
    a->options->warn(a->options->user, message, hint);
}

/* Before anything is counted, so that what is missing is known at once. */
static int announce_uncaught(const attaching *a)
{
  char *lines = sc_mem_copy_string(a->uprobes->events.uncaught.text ?: ""), *rest = lines;
  sc_seen one;
  if (!lines)
    return SC_E_NOMEM;
  while (sc_seen_next(&rest, &one)) {
    char text[700];
    snprintf(text, sizeof text, "%.200s of \"%.200s\" is not caught: %.200s", one.function, one.file, one.what);
    warn_user(a, text, "what is not caught is not in the numbers");
  }
  free(lines);
  return 0;
}

/* A resource that an earlier run had to do without is not judged: others come first. */
static void forget_discarded(const attaching *a)
{
  const sc_caught_events *events = &a->uprobes->events.caught;
  for (size_t i = 0; i < events->count; i++)
    if (sc_usage_is_discarded(a->attached.graph, events->list[i].event->function,
                              events->resources[events->list[i].resource].resource.name))
      a->result->groups.list[a->result->groups.of[events->list[i].function]].utility = 0;
}

/* What tells of requests goes last. */
static int find_per(const attaching *a)
{
  sc_groups *groups = &a->result->groups;
  const char *per = a->attached.per;
  if (!*per)
    return 0;
  for (uint32_t i = 0; i < groups->functions; i++)
    if (strcmp(a->uprobes->functions.list[i].name, per) == 0 || strcmp(a->uprobes->functions.list[i].display, per) == 0)
      groups->per = i;
  if (groups->per == UINT32_MAX) {
    (void)sc_err_set(SC_E_USAGE, "--per %.200s: it is not probed", per);
    return sc_err_hint(SC_E_USAGE, "name it in --uprobes, too");
  }
  groups->list[groups->of[groups->per]].utility = SC_ATTACH_REQUESTS;
  return 0;
}

static int find_probed(attaching *a)
{
  const char *names = a->attached.uprobes, *sets = a->attached.sets;
  sc_prices prices;
  SC_TRY(sc_uprobes_find_running(*names ? names : NULL, *sets ? sets : NULL, a->options->process, &a->uprobes));
  SC_TRY(announce_uncaught(a));
  SC_TRY(sc_price_measure(&prices));
  SC_TRY(sc_groups_make(a->uprobes, &prices, &a->result->groups));
  SC_TRY(sc_groups_learn(&a->result->groups, a->uprobes, a->attached.graph));
  forget_discarded(a);
  return find_per(a);
}

/* ---- scaling to the study's unit ---- */

/* 1 where it would be noise. */
static double scale_to(double window, double seconds)
{
  double scale = seconds > 0 ? window / seconds : 1;
  return fabs(scale - 1) > SC_ATTACH_SAME ? scale : 1;
}

/* Requests while a group was probed, as far as the function that tells of them was probed itself. */
static double requests_of(const attaching *a, const sc_group *group)
{
  const sc_groups *groups = &a->result->groups;
  const sc_group *teller = &groups->list[groups->of[groups->per]];
  double seconds = a->result->watch.seconds, until = group->until < 0 ? seconds : group->until;
  double told = teller->until < 0 ? seconds : teller->until;
  double calls = group->until < 0 ? (double)a->calls[groups->per] : group->requests;
  return until > told ? calls * until / told : calls;
}

static double scale_of(const attaching *a, const sc_group *group)
{
  if (a->result->groups.per != UINT32_MAX)
    return SC_ATTACH_REQUESTS / requests_of(a, group);
  return scale_to(a->attached.window, group->until < 0 ? a->result->watch.seconds : group->until);
}

static const sc_group whole_window = {.until = -1};

static int set_scales(attaching *a)
{
  const sc_groups *groups = &a->result->groups;
  SC_TRY(SC_NEW(a->uprobes->scale, groups->functions));
  if (groups->per != UINT32_MAX && !(requests_of(a, &whole_window) > 0)) {
    (void)sc_err_set(SC_E_TOOLITTLE, "--per %s: it was not called", a->attached.per);
    return sc_err_hint(SC_E_TOOLITTLE, "it has to be a function that every request calls");
  }
  for (size_t i = 0; i < groups->functions; i++) {
    double scale = scale_of(a, &groups->list[groups->of[i]]);
    a->uprobes->scale[i] = isfinite(scale) ? scale : 1;
  }
  if (a->uprobes->tallies)
    sc_caught_set_scale(a->uprobes->tallies, scale_of(a, &whole_window));
  return 0;
}

static void describe_drop(const attaching *a, const sc_group *group, char *text, size_t size)
{
  snprintf(text, size, "dropped after %s of %s at %s = %s: its probes took %s of a processor, all %s (budget %s)",
           sc_format_seconds(group->until).s, sc_format_seconds(a->result->watch.seconds).s, a->attached.parameter,
           sc_format_number(a->attached.size).s, sc_format_percent(group->price).s, sc_format_percent(group->share).s,
           sc_format_percent(a->options->overhead).s);
}

/* A resource with a missing side has none: of no run of the study. */
static int discard_resource(const attaching *a, const sc_caught_event *event, uint32_t resource, const char *why)
{
  const sc_discarded_event one = {event->event->function, a->uprobes->events.caught.resources[resource].resource.name,
                                  why};
  return sc_usage_add_discarded(a->attached.graph, &one);
}

static int note_drops(const attaching *a, sc_execute_result *to)
{
  const sc_groups *groups = &a->result->groups;
  const sc_caught_events *events = &a->uprobes->events.caught;
  char why[600];
  for (size_t i = 0; i < groups->functions; i++) {
    const sc_group *group = &groups->list[groups->of[i]];
    const sc_function *function = &a->uprobes->functions.list[i];
    if (group->until < 0)
      continue;
    describe_drop(a, group, why, sizeof why);
    sc_seen_add(&to->seen[SC_SEEN_DROPPED], why, function->name, function->file, 0);
  }
  for (size_t i = 0; i < events->count; i++) {
    const sc_group *group = &groups->list[groups->of[events->list[i].function]];
    if (group->until < 0)
      continue;
    describe_drop(a, group, why, sizeof why);
    SC_TRY(discard_resource(a, &events->list[i], events->list[i].resource, why));
    if (events->list[i].touched != UINT32_MAX)
      SC_TRY(discard_resource(a, &events->list[i], events->list[i].touched, why));
  }
  return 0;
}

/* Libraries that came while it was attached. */
typedef struct arrivals {
  char **before;
  size_t count, room;
  sc_buf fresh;
} arrivals;

static int note_library(void *user, const char *path)
{
  arrivals *all = user;
  SC_TRY(sc_mem_grow(&all->before, &all->room, all->count + 1, sizeof *all->before));
  all->before[all->count] = sc_mem_copy_string(path);
  return all->before[all->count++] ? 0 : SC_E_NOMEM;
}

static int compare_library(void *user, const char *path)
{
  arrivals *all = user;
  for (size_t i = 0; i < all->count; i++)
    if (strcmp(all->before[i], path) == 0)
      return 0;
  sc_buf_printf(&all->fresh, "%s%s", all->fresh.length ? ", " : "", path);
  return 0;
}

static void warn_of_exec(const attaching *a)
{
  char path[PATH_MAX], text[700];
  if (sc_running_program(a->options->process, path, sizeof path) < 0 || strcmp(path, a->program) == 0)
    return;
  snprintf(text, sizeof text, "it runs %.600s now, in place of what it was", path);
  warn_user(a, text, "only the files that were probed at first are: attach again");
}

static void warn_of_arrivals(const attaching *a, arrivals *all)
{
  sc_saved_error saved;
  sc_saved_error_take(&saved);
  if (sc_running_libraries(a->options->process, compare_library, all) == 0 && all->fresh.length &&
      sc_buf_finish(&all->fresh) == 0) {
    char text[700];
    snprintf(text, sizeof text, "it loaded %.600s meanwhile", all->fresh.text);
    warn_user(a, text, "functions that are named without a file were not looked for there: FILE:FUNCTION probes them");
  }
  warn_of_exec(a);
  (void)sc_saved_error_restore(&saved, 0);
  for (size_t i = 0; i < all->count; i++)
    free(all->before[i]);
  free(all->before);
  sc_buf_free(&all->fresh);
}

static int watch_window(attaching *a)
{
  const sc_attach_options *options = a->options;
  const sc_watch_options how = {.process = options->process,
                                .seconds = options->seconds,
                                .overhead = options->overhead,
                                .interrupted = options->interrupted,
                                .dropped = options->dropped,
                                .user = options->user,
                                .consumed = &a->consumed};
  arrivals libraries = {0};
  SC_TRY(sc_uprobes_begin(a->uprobes, 0));
  int err = sc_running_libraries(options->process, note_library, &libraries);
  if (err == 0 && options->begun)
    options->begun(options->user, a->uprobes, &a->result->groups);
  err = err ?: sc_watch_run(a->uprobes->caught, &a->result->groups, &how, &a->result->watch);
  warn_of_arrivals(a, &libraries);
  return err;
}

static int take_window_calls(attaching *a)
{
  const sc_groups *groups = &a->result->groups;
  sc_catch_end(a->uprobes->caught);
  SC_TRY(SC_NEW(a->calls, groups->functions));
  SC_TRY(SC_NEW(a->result->calls, groups->count));
  SC_TRY(sc_catch_calls(a->uprobes->caught, a->calls));
  for (size_t i = 0; i < groups->functions; i++) {
    a->result->calls[groups->of[i]] += (double)a->calls[i];
    groups->list[groups->of[i]].spent += (double)a->calls[i] * groups->call_price[i];
  }
  return 0;
}

static int take_consumed(attaching *a)
{
  sc_running_tree tree;
  SC_TRY(sc_running_list(a->options->process, &tree)); /* none, if it has ended */
  int err = sc_consumed_end(&a->consumed, a->uprobes->caught, &tree);
  sc_running_free(&tree);
  return err;
}

static int add_window_run(attaching *a, sc_execute_result *to)
{
  sc_attached *study = &a->attached;
  sc_run run = {.n = study->size,
                .role = SC_RUN_TRAINING,
                .wall_seconds = a->result->watch.seconds,
                .user_seconds = a->result->watch.processor};
  for (size_t r = 0; r < sc_graph_run_count(study->graph); r++)
    run.repeat += sc_graph_run_const(study->graph, r)->n == run.n;
  study->window = study->window > 0 ? study->window : a->result->watch.seconds;
  SC_TRY(take_window_calls(a));
  SC_TRY(take_consumed(a));
  if (!(a->result->watch.calls > 0)) {
    (void)sc_err_set(SC_E_TOOLITTLE, "none of these functions was called in %s",
                     sc_format_seconds(a->result->watch.seconds).s);
    return sc_err_hint(SC_E_TOOLITTLE,
                       "is this the process that serves, and was it under load? --for TIME attaches for "
                       "longer");
  }
  SC_TRY(set_scales(a));
  SC_TRY(sc_graph_begin_run(study->graph, &run, &to->run));
  SC_TRY(sc_uprobes_collect(a->uprobes, study->graph, to->run, to));
  SC_TRY(sc_consumed_collect(&a->consumed, study->graph, to->run, scale_of(a, &whole_window)));
  return note_drops(a, to);
}

static int save_window(attaching *a)
{
  const sc_watch_result *watched = &a->result->watch;
  sc_execute_result run = {0};
  int err = add_window_run(a, &run);
  sc_uprobes_detach(a->uprobes); /* saving may take its time */
  if (err == 0)
    err =
        sc_attached_save(&a->attached, &run, sc_watch_overhead(watched->probes, watched->processor, watched->seconds));
  if (err == 0) {
    const sc_run *saved = sc_graph_run_const(a->attached.graph, run.run);
    a->result->lost = saved->lost_events + saved->lost_processes;
    a->result->earlier = a->uprobes->tallies ? sc_caught_earlier(a->uprobes->tallies) : 0;
    a->result->sizes = sc_graph_size_count(a->attached.graph);
    a->result->window = a->attached.window;
    snprintf(a->result->per, sizeof a->result->per, "%s", a->attached.per);
  }
  sc_execute_result_free(&run);
  return err;
}

int sc_attach_once(const sc_attach_options *options, sc_attach_result *result)
{
  attaching a = {.options = options, .result = result, .attached = {.lock = -1}};
  bool there = access(options->study_path, F_OK) == 0;
  int err;
  *result = (sc_attach_result){0};
  SC_GOTO(sc_running_check(options->process));
  SC_GOTO(sc_running_program(options->process, a.program, sizeof a.program));
  SC_GOTO(sc_attached_open(options, a.program, &a.attached));
  snprintf(result->parameter, sizeof result->parameter, "%s", a.attached.parameter);
  result->size = a.attached.size;
  SC_GOTO(find_probed(&a));
  SC_GOTO(watch_window(&a));
  err = save_window(&a);
out:
  sc_uprobes_free(a.uprobes);
  free(a.calls);
  sc_consumed_free(&a.consumed);
  bool made = !there && a.attached.graph; /* which is made once the study is locked: else another one may write it */
  sc_attached_close(&a.attached);
  if (err < 0 && made)
    (void)unlink(options->study_path); /* an empty study */
  return err;
}

void sc_attach_result_free(sc_attach_result *result)
{
  sc_groups_free(&result->groups);
  free(result->calls);
  result->calls = NULL;
}
