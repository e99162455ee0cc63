/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/harvest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/buf.h"
#include "base/compare.h"
#include "profiles/graph/usage.h"
#include "profiles/scprof/trace.h"
#include "profiles/scprof/validate.h"
#include "runner/process/inspect.h"
#include "runner/process/modules.h"
#include "runner/process/seen.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"

/*
 * Processes whose counts are in several trees. A library that does not find the program's runtime (closed exports,
 * RTLD_LOCAL in a plain program) brings its own, with a profile of its own, and calls across the border have no
 * context.
 */

typedef struct sc_trees {
  struct sc_tree *items;
  size_t count, capacity;
} sc_trees;

struct sc_tree {
  uint32_t pid;
  uint64_t start, last; /* of its clock, in nanoseconds */
  char *exe, *module;   /* the program; the first module that counted here, the program itself if it did */
};

static const char *first_module(const sc_reader *reader, const char *exe)
{
  size_t count = sc_reader_module_count(reader);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(sc_reader_module(reader, i)->path, exe))
      return exe;
  return count ? sc_reader_module(reader, 0)->path : exe;
}

/* Notes one profile of a run. */
static int note_tree(sc_trees *trees, const sc_reader *reader)
{
  const sc_reader_info *info = sc_reader_get_info(reader);
  SC_TRY(sc_mem_grow(&trees->items, &trees->capacity, trees->count + 1, sizeof *trees->items));
  struct sc_tree *tree = &trees->items[trees->count];
  *tree = (struct sc_tree){.pid = info->pid, .start = info->clock_start, .last = info->clock_last};
  tree->exe = sc_mem_copy_string(info->exe);
  tree->module = sc_mem_copy_string(first_module(reader, info->exe));
  trees->count++;
  return tree->exe && tree->module ? 0 : SC_E_NOMEM;
}

/* A program that replaces itself by exec has several profiles, too, but one after the other. */
static bool is_same_process(const struct sc_tree *a, const struct sc_tree *b)
{
  return a->pid == b->pid && a->start < b->last && b->start < a->last && !strcmp(a->exe, b->exe);
}

static int compare_trees(const void *left, const void *right)
{
  const struct sc_tree *a = left, *b = right;
  return SC_COMPARE(a->pid, b->pid) ?: SC_COMPARE(a->start, b->start);
}

/* Adds a line to `seen` (runner/process/seen.h, SC_SEEN_SEPARATE_TREE) for each module that counted beside its
 * process's main tree: its file, and the program. */
static void tell_trees(const sc_trees *trees, sc_buf *seen)
{
  if (trees->count)
    qsort(trees->items, trees->count, sizeof *trees->items, compare_trees);
  for (size_t i = 0; i < trees->count; i++) {
    const struct sc_tree *tree = &trees->items[i];
    bool beside =
        (i > 0 && is_same_process(tree, tree - 1)) || (i + 1 < trees->count && is_same_process(tree, tree + 1));
    if (beside && strcmp(tree->module, tree->exe))
      sc_seen_add(seen, "separate tree", tree->exe, tree->module, 0);
  }
}

static void free_trees(sc_trees *trees)
{
  for (size_t i = 0; i < trees->count; i++) {
    free(trees->items[i].exe);
    free(trees->items[i].module);
  }
  free(trees->items);
}

static int is_profile(const struct dirent *entry)
{
  size_t length = strlen(entry->d_name);
  return entry->d_type != DT_LNK && length > 7 && !strcmp(entry->d_name + length - 7, ".scprof");
}

bool sc_harvest_any(const char *directory)
{
  bool found = false;
  DIR *entries = opendir(directory);
  for (const struct dirent *entry; entries && !found && (entry = readdir(entries));)
    found = is_profile(entry);
  if (entries)
    closedir(entries);
  return found;
}

/* Without the file's name, which differs in each run: the same message is printed once. */
static void warn_of_profile(const sc_execute_options *options, const char *path, const char *message, const char *hint)
{
  size_t length = strlen(path);
  if (!strncmp(message, path, length) && !strncmp(message + length, ": ", 2))
    message += length + 2;
  if (options->warn)
    options->warn(options->user, message, hint);
}

static int merge_harvest(const char *path, double *tick, sc_graph *graph, size_t run, const sc_execute_options *options,
                         sc_trees *trees, sc_execute_result *result)
{
  sc_reader *reader;
  int err = sc_reader_open(path, &reader);
  if (err == SC_E_DAMAGED) { /* a process that ends before its profile has begun leaves a file that is not a profile */
    sc_graph_run(graph, run)->lost_processes++;
    warn_of_profile(options, path, sc_err_message(),
                    "its process was killed before it had begun its profile: what that did is missing from the counts");
    return 0;
  }
  if (err < 0)
    return err;
  const char *damage = sc_reader_get_info(reader)->damage;
  if (*damage)
    warn_of_profile(options, path, damage, "what is whole is counted; the report says how much is lost");
  sc_reader_borrow_tick(reader, *tick);
  *tick = sc_reader_tick(reader);
  err = sc_reader_merge(reader, graph, run);
  for (size_t i = 0; err == 0 && i < sc_reader_module_count(reader); i++)
    err = sc_modules_add(sc_reader_module(reader, i), result);
  err = err ?: sc_seen_gather(reader, result->seen);
  err = err ?: note_tree(trees, reader);
  sc_reader_close(reader);
  return err;
}

static bool is_full(int reason) { return reason == ENOSPC || reason == EDQUOT || reason == EFBIG; }

/* What a full disk cost can be had by measuring again. Whatever else is lost goes with the run. */
static int check_losses(const sc_run *run, const sc_execute_options *options)
{
  char text[300];
  if (is_full(run->lost_reason)) {
    (void)sc_err_set(SC_E_NOSPACE, "the program could not store its profile: %s and %s are lost",
                     sc_format_bytes((double)run->lost_bytes).s, sc_format_plural(run->lost_records, "record").s);
    return sc_err_hint(SC_E_NOSPACE, "free space where the scratch directory is, or set TMPDIR to a place with more");
  }
  if (run->lost_processes && run->lost_reason && options->warn) {
    snprintf(text, sizeof text, "forked processes could not make profiles (%s): what they did is missing",
             strerror(run->lost_reason));
    options->warn(options->user, text, sc_harvest_reason_hint(run->lost_reason));
  }
  if (run->truncated_nodes && options->warn) {
    snprintf(text, sizeof text,
             "%llu calling contexts did not fit into the profile and are counted without their callers",
             (unsigned long long)run->truncated_nodes);
    options->warn(options->user, text, "set SCALE_PROFILE_MAX to more bytes in an <env> of the command");
  }
  return 0;
}

struct profile {
  char *path;
  uint64_t began, ended; /* of its process; 0: not known */
};

/* The profiles in a directory. */
typedef struct folder {
  struct profile *list;
  size_t count;
} folder;

static void free_profiles(folder *all)
{
  for (size_t i = 0; i < all->count; i++)
    free(all->list[i].path);
  free(all->list);
}

static int list_profiles(const char *directory, folder *all)
{
  struct dirent **names;
  int count = scandir(directory, &names, is_profile, alphasort), err = 0;
  if (count < 0)
    return sc_err_system(SC_E_IO, errno, "cannot read %s", directory);
  all->list = sc_mem_new((size_t)count, sizeof *all->list);
  for (int i = 0; i < count; i++) {
    if (all->list && asprintf(&all->list[all->count].path, "%s/%s", directory, names[i]->d_name) >= 0)
      all->count++;
    else
      err = sc_err_set(SC_E_NOMEM, "out of memory");
    free(names[i]);
  }
  free(names);
  return all->list ? err : SC_E_NOMEM;
}

static int compare_began(const void *left, const void *right)
{
  const struct profile *a = left, *b = right;
  return SC_COMPARE(a->began, b->began);
}

/* In the order in which the processes began. Unless that is known of all of them, it is of none. */
static void order_profiles(folder *all, const sc_lifetimes *lifetimes)
{
  for (size_t i = 0; i < all->count; i++) {
    struct profile *profile = &all->list[i];
    if (!sc_lifetimes_of(lifetimes, strrchr(profile->path, '/') + 1, &profile->began, &profile->ended)) {
      for (size_t k = 0; k < i; k++)
        all->list[k].began = 0;
      return;
    }
  }
  if (all->count)
    qsort(all->list, all->count, sizeof *all->list, compare_began);
}

/* Events that the traces found impossible are named as they are found. */
static void tell_discarded(const sc_graph *graph, size_t before, const sc_execute_options *options)
{
  size_t count;
  const sc_discarded_event *events = sc_usage_discarded(graph, &count);
  for (size_t i = before; options->warn && i < count; i++) {
    char text[600];
    snprintf(text, sizeof text, "calls of %.150s are left out of \"%.100s\": %.300s", events[i].via, events[i].resource,
             events[i].why);
    options->warn(options->user, text, "what its probe set or annotation says of the function is not what it does");
  }
}

/* The traces of all processes are looked at together, before anything is merged. */
static int validate_harvest(const folder *all, sc_graph *graph, const sc_execute_options *options)
{
  sc_reader **readers = sc_mem_new(all->count, sizeof *readers);
  size_t open = 0, before;
  int err = readers ? 0 : SC_E_NOMEM;
  (void)sc_usage_discarded(graph, &before);
  for (size_t i = 0; err == 0 && i < all->count; i++) {
    err = sc_reader_open(all->list[i].path, &readers[open]);
    if (err == SC_E_DAMAGED) /* told when it is to be merged */
      err = 0;
    else if (err == 0 && !sc_reader_has_trace(readers[open]))
      sc_reader_close(readers[open]);
    else if (err == 0)
      open++;
  }
  if (err == 0 && open)
    err = sc_validate_profiles(readers, open, graph);
  while (open)
    sc_reader_close(readers[--open]);
  free(readers);
  if (err == 0)
    tell_discarded(graph, before, options);
  return err;
}

int sc_harvest_profiles(const char *directory, const sc_lifetimes *lifetimes, sc_graph *graph, size_t run,
                        const sc_execute_options *options, sc_execute_result *result)
{
  folder all = {0};
  sc_trees trees = {0};
  double tick = 0;
  int err;
  SC_GOTO(list_profiles(directory, &all));
  order_profiles(&all, lifetimes);
  if (options->trace)
    SC_GOTO(validate_harvest(&all, graph, options));
  for (size_t i = 0; i < all.count; i++) {
    sc_usage_begin_process(graph, run, all.list[i].began, all.list[i].ended);
    SC_GOTO(merge_harvest(all.list[i].path, &tick, graph, run, options, &trees, result));
  }
  sc_usage_end_processes(graph, run);
  tell_trees(&trees, &result->seen[SC_SEEN_SEPARATE_TREE]);
  if (sc_graph_run_const(graph, run)->processes == 0) {
    err = SC_E_NOPROFILE;
    goto out;
  }
  sc_modules_set_build(result, sc_graph_run(graph, run));
  err = check_losses(sc_graph_run_const(graph, run), options);
out:
  free_trees(&trees);
  free_profiles(&all);
  return err;
}

const char *sc_harvest_reason_hint(int reason)
{
  switch (reason) {
  case EACCES:
  case EPERM:
    return "the program gave up its privileges: set TMPDIR to a directory that its new user may enter";
  case ENOENT:
    return "the program changed its root directory: measure it without chroot, or make TMPDIR appear below the new "
           "root, too (mount --bind)";
  case EMFILE:
  case ENFILE:
    return "the program has all the descriptors it may have: raise `ulimit -n`";
  default:
    return is_full(reason) ? "point TMPDIR at a larger disk, or raise `ulimit -f`" : "run again with --restart";
  }
}

static bool disk_full(const char *directory)
{
  struct statvfs disk;
  return statvfs(directory, &disk) == 0 && (double)disk.f_bavail * (double)disk.f_frsize < SC_HARVEST_FREE;
}

int sc_harvest_missing(char *const *argv, const char *directory, const char *profiles)
{
  if (disk_full(profiles)) {
    (void)sc_err_set(SC_E_NOSPACE, "%s could not write its profile: no space left in %s", argv[0], profiles);
    return sc_err_hint(SC_E_NOSPACE, "free some space, or set TMPDIR to a place with more");
  }
  (void)sc_err_set(SC_E_NOPROFILE, "%s ran but wrote no profile", argv[0]);
  switch (sc_inspect_program(argv[0], directory)) {
  case SC_INSPECT_SCRIPT:
    return sc_err_hint(SC_E_NOPROFILE, "it is a script; no program that it started was built with scale-cc");
  case SC_INSPECT_PRIVILEGED:
    return sc_err_hint(SC_E_NOPROFILE,
                       "it is set-uid or set-gid and so ignores SCALE_PROFILE_DIR; measure a copy without "
                       "these bits");
  case SC_INSPECT_PLAIN:
    return sc_err_hint(SC_E_NOPROFILE,
                       "it is not instrumented: build it with scale-cc (CC=scale-cc CXX=scale-c++), and "
                       "check that the build did not cache old objects");
  case SC_INSPECT_INSTRUMENTED:
    return sc_err_hint(SC_E_NOPROFILE,
                       "it is instrumented, so it ended before its first instrumented function or clears "
                       "its environment, or the scratch directory is full");
  case SC_INSPECT_UNKNOWN:
    break;
  }
  return sc_err_hint(SC_E_NOPROFILE, "build the program under test with scale-cc or scale-c++");
}
