/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/consumed.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* ---- threads that live ---- */

static unsigned long long number_after(const char *text, const char *label)
{
  const char *at = strstr(text, label);
  return at ? strtoull(at + strlen(label), NULL, 10) : 0;
}

/* All of the thread, up to now. False: it is gone, or the kernel does not say. */
static bool read_thread(pid_t process, long thread, struct scale_consumed *consumed)
{
  char text[1024];
  *consumed = (struct scale_consumed){0};
  if (!sc_running_read(process, thread, "schedstat", text, sizeof text) ||
      sscanf(text, "%llu %llu", &consumed->processor, &consumed->queued) != 2)
    return false;
  const char *rest = sc_running_stat(process, thread, text, sizeof text);
  if (!rest || sscanf(rest, " %*c %*d %*d %*d %*d %*d %*u %llu %*u %llu", &consumed->minor, &consumed->major) != 2)
    return false;
  if (sc_running_read(process, thread, "io", text, sizeof text)) {
    consumed->read = number_after(text, "\nread_bytes: ");
    consumed->written = number_after(text, "\nwrite_bytes: ");
  }
  return true;
}

static int find_image(sc_consumed *consumed, const char *image, sc_consumed_image **found)
{
  for (size_t i = 0; i < consumed->count; i++)
    if (strcmp(consumed->list[i].image, image) == 0) {
      *found = &consumed->list[i];
      return 0;
    }
  SC_TRY(sc_mem_grow_zeroed(&consumed->list, &consumed->room, consumed->count + 1, sizeof *consumed->list));
  *found = &consumed->list[consumed->count++];
  snprintf((*found)->image, sizeof(*found)->image, "%s", image);
  return 0;
}

static int add_consumed(sc_consumed *consumed, const char *image, const struct scale_consumed *more, double sign)
{
  const double values[SC_CONSUMED_KINDS] = {(double)more->processor, (double)more->queued, (double)more->minor,
                                            (double)more->major,     (double)more->read,   (double)more->written};
  sc_consumed_image *to;
  SC_TRY(find_image(consumed, image, &to));
  for (size_t k = 0; k < SC_CONSUMED_KINDS; k++)
    to->sums[k] += sign * values[k];
  return 0;
}

static int add_tasks(sc_consumed *consumed, const sc_running *process, double sign)
{
  char path[64];
  int err = 0;
  snprintf(path, sizeof path, "/proc/%d/task", (int)process->process);
  DIR *folder = opendir(path);
  for (const struct dirent *at; err == 0 && folder && (at = readdir(folder));) {
    struct scale_consumed one;
    if (!isdigit((unsigned char)at->d_name[0]) || !read_thread(process->process, atol(at->d_name), &one))
      continue;
    consumed->known = true;
    err = add_consumed(consumed, process->image, &one, sign);
  }
  if (folder)
    closedir(folder);
  return err;
}

static int add_tree(sc_consumed *consumed, const sc_running_tree *tree, double sign)
{
  for (size_t i = 0; i < tree->count; i++)
    SC_TRY(add_tasks(consumed, &tree->list[i], sign));
  return 0;
}

/* ---- threads that ended ---- */

typedef struct adding_ended {
  sc_consumed *consumed;
  double sign;
} adding_ended;

static int add_ended(void *user, const char *image, const struct scale_consumed *consumed)
{
  const adding_ended *to = user;
  return add_consumed(to->consumed, image, consumed, to->sign);
}

/* Who ended between joining and here is in neither sum. */
int sc_consumed_begin(sc_consumed *consumed, sc_catch *caught, const sc_running_tree *tree)
{
  adding_ended to = {consumed, -1};
  *consumed = (sc_consumed){0};
  SC_TRY(add_tree(consumed, tree, -1));
  return sc_catch_ended(caught, add_ended, &to);
}

int sc_consumed_join(sc_consumed *consumed, const sc_running_tree *tree) { return add_tree(consumed, tree, -1); }

int sc_consumed_end(sc_consumed *consumed, sc_catch *caught, const sc_running_tree *tree)
{
  adding_ended to = {consumed, 1};
  SC_TRY(add_tree(consumed, tree, 1));
  return sc_catch_ended(caught, add_ended, &to);
}

/* ---- into the study ---- */

typedef struct consumed_series {
  const char *name;
  enum sc_work_unit unit;
  double each; /* of the kernel's units make one of these */
} consumed_series;

static const consumed_series all_series[SC_CONSUMED_KINDS] = {{"processor-time", SC_UNIT_MICROSECONDS, 1000},
                                                              {"run-queue-wait", SC_UNIT_MICROSECONDS, 1000},
                                                              {"page-faults", SC_UNIT_FAULTS, 1},
                                                              {"disk-faults", SC_UNIT_FAULTS, 1},
                                                              {"disk-reads", SC_UNIT_BLOCKS, 512},
                                                              {"disk-writes", SC_UNIT_BLOCKS, 512}};

/* Whether the earlier runs, if there are any, have them. */
static bool follows_others(const sc_graph *graph, size_t run)
{
  if (run == 0)
    return true;
  for (uint32_t i = 0; i < sc_graph_location_count(graph); i++) {
    const sc_location *at = sc_graph_location_at(graph, i);
    if (at->kind == SC_LOCATION_WORK && at->nth == SC_UNIT_MICROSECONDS)
      return true;
  }
  return false;
}

static int add_consumed_series(sc_graph *graph, size_t run, uint32_t role, const consumed_series *series, double sum)
{
  const sc_location location = {.kind = SC_LOCATION_WORK, .name = series->name, .file = "", .nth = series->unit};
  uint32_t number, context;
  double value = round(sum / series->each);
  if (!(value > 0)) /* a thread that ended while it was read may be missing */
    return 0;
  SC_TRY(sc_graph_location(graph, &location, &number));
  SC_TRY(sc_graph_context(graph, role, number, &context));
  return sc_graph_add(graph, run, context, SC_METRIC_COUNT, value);
}

int sc_consumed_collect(const sc_consumed *consumed, sc_graph *graph, size_t run, double scale)
{
  if (!consumed->known || !follows_others(graph, run))
    return 0;
  for (size_t i = 0; i < consumed->count; i++) {
    const sc_location process = {.kind = SC_LOCATION_PROCESS, .name = consumed->list[i].image};
    uint32_t number, role;
    SC_TRY(sc_graph_location(graph, &process, &number));
    SC_TRY(sc_graph_context(graph, 0, number, &role));
    for (size_t k = 0; k < SC_CONSUMED_KINDS; k++)
      SC_TRY(add_consumed_series(graph, run, role, &all_series[k], scale * consumed->list[i].sums[k]));
  }
  return 0;
}

void sc_consumed_free(sc_consumed *consumed)
{
  free(consumed->list);
  *consumed = (sc_consumed){0};
}
