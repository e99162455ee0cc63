/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/attach/watch.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "runner/attach/afford.h"
#include "runner/process/running.h"
#include "runner/text/tuning.h"

/* What was counted up to a moment. */
typedef struct look {
  double time, processor;
  uint64_t *calls; /* [functions] */
} look;

enum { LOOKS = 11 /* of SC_ATTACH_LOOK: a second, with both ends */ };

typedef struct watch {
  sc_catch *caught;
  sc_groups *groups;
  const sc_watch_options *options;
  sc_watch_result *result;
  sc_running_tree tree;
  double listed; /* when */
  double ended;  /* processor time of processes that are gone, as far as it was seen */
  look looks[LOOKS];
  size_t count; /* of looks so far */
  double begun;
  bool chosen;
  int gone; /* descriptor that tells of the target's end; -1: none */
} watch;

static look *look_back(watch *w, size_t back) { return &w->looks[(w->count - 1 - back) % LOOKS]; }

/* What the program took itself, of `processor` seconds. */
static double own_time(double probes, double processor) { return fmax(processor - probes, probes / SC_ATTACH_DROWNED); }

double sc_watch_overhead(double probes, double processor, double seconds)
{
  return probes < SC_ATTACH_IDLE * seconds ? 0 : probes / own_time(probes, processor);
}

/* ---- joining ---- */

static int join_processes(watch *w, const sc_running_tree *tree)
{
  sc_catch_running *all = sc_mem_new(tree->count, sizeof *all);
  if (!all)
    return SC_E_NOMEM;
  for (size_t i = 0; i < tree->count; i++)
    all[i] = (sc_catch_running){tree->list[i].process, tree->list[i].threads, tree->list[i].image};
  int err = sc_catch_join(w->caught, all, tree->count);
  free(all);
  return err;
}

static bool has_process(const sc_running_tree *tree, pid_t process)
{
  for (size_t i = 0; i < tree->count; i++)
    if (tree->list[i].process == process)
      return true;
  return false;
}

/* A process that was forked between the look and the joining is seen by a second look; later ones the kernel tells of.
 */
static int join_all(watch *w)
{
  sc_running_tree again, fresh = {0};
  int err;
  SC_TRY(sc_running_list(w->options->process, &w->tree));
  if (!w->tree.count)
    return sc_err_set(SC_E_INPUT, "process %d has ended", (int)w->options->process);
  SC_TRY(join_processes(w, &w->tree));
  SC_TRY(sc_consumed_begin(w->options->consumed, w->caught, &w->tree));
  SC_TRY(sc_running_list(w->options->process, &again));
  err = SC_NEW(fresh.list, again.count + 1);
  for (size_t i = 0; err == 0 && i < again.count; i++)
    if (!has_process(&w->tree, again.list[i].process))
      fresh.list[fresh.count++] = again.list[i];
  if (err == 0 && fresh.count)
    err = join_processes(w, &fresh) ?: sc_consumed_join(w->options->consumed, &fresh);
  w->result->processes = w->tree.count + fresh.count;
  sc_running_free(&fresh);
  sc_running_free(&again);
  return err;
}

/* ---- looking ---- */

/* Processes that are not there any more took what they took: the sum never falls. */
static int measure_processor(watch *w, double now, double *processor)
{
  double before = sc_running_processor(&w->tree);
  if (now - w->listed >= SC_ATTACH_LIST) {
    sc_running_tree tree;
    sc_running_refresh(&w->tree);
    before = fmax(before, sc_running_processor(&w->tree));
    SC_TRY(sc_running_list(w->options->process, &tree));
    sc_running_free(&w->tree);
    w->tree = tree;
    w->listed = now;
  } else
    sc_running_refresh(&w->tree);
  w->ended += fmax(0, before - sc_running_processor(&w->tree));
  *processor = w->ended + sc_running_processor(&w->tree);
  return 0;
}

static int take_look(watch *w)
{
  look *now = &w->looks[w->count % LOOKS];
  now->time = sc_clock_now();
  SC_TRY(measure_processor(w, now->time, &now->processor));
  SC_TRY(sc_catch_calls(w->caught, now->calls));
  w->count++;
  return 0;
}

/* What groups took between two looks. Returns the sum of seconds of those that are probed still. */
static double price_between(const watch *w, const look *from, const look *to)
{
  sc_groups *groups = w->groups;
  double seconds = to->time - from->time, sum = 0;
  for (size_t i = 0; i < groups->count; i++)
    if (groups->list[i].until < 0)
      groups->list[i].calls = groups->list[i].price = 0;
  for (size_t i = 0; i < groups->functions; i++) {
    sc_group *group = &groups->list[groups->of[i]];
    double calls = (double)(to->calls[i] - from->calls[i]);
    if (group->until >= 0)
      continue;
    group->calls += calls / seconds;
    group->price += calls * groups->call_price[i] / seconds;
    sum += calls * groups->call_price[i];
  }
  return sum;
}

static double overhead_between(const watch *w, const look *from, const look *to)
{
  return sc_watch_overhead(price_between(w, from, to), to->processor - from->processor, to->time - from->time);
}

/* ---- choosing ---- */

/* Lets go of those that are not chosen. */
static int drop_groups(watch *w, const bool *chosen, double overhead)
{
  sc_groups *groups = w->groups;
  bool *functions = sc_mem_new(groups->functions, sizeof *functions);
  if (!functions)
    return SC_E_NOMEM;
  for (size_t i = 0; i < groups->functions; i++)
    functions[i] = !chosen[groups->of[i]] && groups->list[groups->of[i]].until < 0;
  sc_catch_drop(w->caught, functions);
  free(functions);
  for (size_t i = 0; i < groups->count; i++) {
    sc_group *group = &groups->list[i];
    if (chosen[i] || group->until >= 0)
      continue;
    group->share = overhead;
    group->until = look_back(w, 0)->time - w->begun;
    group->requests = groups->per == UINT32_MAX ? 0 : (double)look_back(w, 0)->calls[groups->per];
    if (w->options->dropped)
      w->options->dropped(w->options->user, group);
  }
  return 0;
}

/* Of those that are probed, what the budget allows by what was measured between two looks. */
static int choose_groups(watch *w, const look *from, const look *to)
{
  sc_groups *groups = w->groups;
  double seconds = to->time - from->time, processor = to->processor - from->processor;
  double probes = price_between(w, from, to), ranking = 0, knapsack = 0;
  double budget = fmax(w->options->overhead * own_time(probes, processor) / seconds, SC_ATTACH_IDLE);
  sc_afford_item *items = sc_mem_new(groups->count, sizeof *items);
  bool *chosen = sc_mem_new(2 * groups->count, sizeof *chosen);
  int err = items && chosen ? 0 : SC_E_NOMEM;
  for (size_t i = 0; err == 0 && i < groups->count; i++)
    items[i] = groups->list[i].until < 0
                   ? (sc_afford_item){fmax(groups->list[i].utility, SC_ATTACH_LEAST), groups->list[i].price}
                   : (sc_afford_item){0, 2 * budget};
  if (err == 0)
    err = sc_afford_ranking(items, groups->count, budget, chosen + groups->count, &ranking)
              ?: sc_afford_knapsack(items, groups->count, budget, chosen, &knapsack);
  if (err == 0 && !w->chosen) {
    w->result->knapsack = knapsack;
    w->result->ranking = ranking;
  }
  if (err == 0)
    err = drop_groups(w, chosen, sc_watch_overhead(probes, processor, seconds));
  free(items);
  free(chosen);
  return err;
}

/* The first choice is by a short window; later ones by a second, or by two looks where that drowns the program. */
static int keep_budget(watch *w)
{
  const look *now = look_back(w, 0);
  size_t back = w->count - 1 < LOOKS - 1 ? w->count - 1 : LOOKS - 1;
  if (w->count < 2)
    return 0;
  const look *before = look_back(w, 1), *first = look_back(w, back);
  bool drowns = overhead_between(w, before, now) > SC_ATTACH_MUCH * w->options->overhead;
  bool exceeds = overhead_between(w, first, now) > w->options->overhead;
  bool due = w->chosen ? exceeds && w->count >= LOOKS : now->time - w->begun >= SC_ATTACH_FIRST;
  if (!due && !drowns)
    return 0;
  SC_TRY(choose_groups(w, w->chosen && drowns ? before : first, now));
  w->chosen = true;
  w->count = 0; /* dropping takes time, in which the old price is paid */
  return take_look(w);
}

/* What was taken since the look before; looks are forgotten, this is not. */
static void sum_calls(watch *w, const look *from)
{
  const look *now = look_back(w, 0);
  for (size_t i = 0; i < w->groups->functions; i++) {
    double calls = (double)(now->calls[i] - from->calls[i]);
    w->result->calls += calls;
    w->result->probes += calls * w->groups->call_price[i];
  }
}

/* ---- the loop ---- */

/* Waits for the next look; true: it is over. */
static bool wait_for_look(watch *w)
{
  double now = sc_clock_now(), end = w->begun + w->options->seconds;
  double due = fmin(end, look_back(w, 0)->time + SC_ATTACH_LOOK);
  struct pollfd gone = {.fd = w->gone, .events = POLLIN};
  const struct timespec pause = {0, (long)(fmax(0, due - now) * 1e9)};
  int told = ppoll(&gone, 1, &pause, NULL);
  if (told > 0 || (w->gone < 0 && kill(w->options->process, 0) < 0 && errno == ESRCH)) {
    w->result->end = SC_WATCH_TARGET;
    return true;
  }
  if (w->options->interrupted && *w->options->interrupted) {
    w->result->end = SC_WATCH_INTERRUPTED;
    return true;
  }
  w->result->end = SC_WATCH_TIME;
  return sc_clock_now() >= end;
}

static int watch_on(watch *w, look *first)
{
  bool over;
  SC_TRY(take_look(w));
  w->begun = look_back(w, 0)->time;
  double processor = look_back(w, 0)->processor;
  memcpy(first->calls, look_back(w, 0)->calls, w->groups->functions * sizeof *first->calls);
  do {
    over = wait_for_look(w);
    SC_TRY(take_look(w));
    sum_calls(w, first);
    memcpy(first->calls, look_back(w, 0)->calls, w->groups->functions * sizeof *first->calls);
    w->result->seconds = look_back(w, 0)->time - w->begun;
    w->result->processor = fmax(w->result->processor, look_back(w, 0)->processor - processor);
    if (!over)
      SC_TRY(keep_budget(w));
  } while (!over);
  return 0;
}

int sc_watch_run(sc_catch *caught, sc_groups *groups, const sc_watch_options *options, sc_watch_result *result)
{
  watch w = {.caught = caught, .groups = groups, .options = options, .result = result};
  uint64_t *calls = sc_mem_new((LOOKS + 1) * groups->functions, sizeof *calls);
  look first = {.calls = calls};
  int err = calls ? 0 : SC_E_NOMEM;
  *result = (sc_watch_result){0};
  for (size_t i = 0; calls && i < LOOKS; i++)
    w.looks[i].calls = calls + (i + 1) * groups->functions;
  w.gone = (int)syscall(SYS_pidfd_open, options->process, 0);
  err = err ?: join_all(&w);
  err = err ?: watch_on(&w, &first);
  if (w.gone >= 0)
    close(w.gone);
  sc_running_free(&w.tree);
  free(calls);
  return err;
}
