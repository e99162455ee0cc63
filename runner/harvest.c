/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/harvest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/buf.h"
#include "runner/format.h"
#include "runner/hash.h"
#include "runner/identity.h"
#include "runner/inspect.h"

static const double SMALLEST_PROFILE = 1 << 20; /* bytes that must be free for one to come about */

static int is_profile(const struct dirent *entry)
{
  size_t length = strlen(entry->d_name);
  return length > 7 && !strcmp(entry->d_name + length - 7, ".scprof");
}

static int add_module(const sc_module *module, sc_execute_result *result)
{
  sc_module copy = *module;
  if (!copy.build_id[0])
    (void)sc_identity_hash(module->path, copy.build_id); /* gone: it stays without identity */
  for (size_t i = 0; i < result->module_count; i++)
    if (!strcmp(result->modules[i].path, copy.path) && !strcmp(result->modules[i].build_id, copy.build_id))
      return 0;
  sc_module *larger = realloc(result->modules, (result->module_count + 1) * sizeof *larger);
  if (!larger)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  result->modules = larger;
  copy.path = sc_mem_copy_string(module->path);
  if (!copy.path)
    return SC_E_NOMEM;
  result->modules[result->module_count++] = copy;
  return 0;
}

static int compare_ids(const void *a, const void *b)
{
  return strcmp(((const sc_module *)a)->build_id, ((const sc_module *)b)->build_id);
}

static void set_build(sc_execute_result *result, sc_run *run)
{
  uint64_t hash = SC_HASH_START;
  qsort(result->modules, result->module_count, sizeof *result->modules, compare_ids);
  for (size_t i = 0; i < result->module_count; i++)
    hash = sc_hash_string(hash, result->modules[i].build_id);
  sc_hash_format(hash, run->build);
}

static int merge(const char *path, sc_graph *graph, size_t run, sc_execute_result *result)
{
  sc_reader *reader;
  int err = sc_reader_open(path, &reader);
  if (err < 0)
    return err;
  err = sc_reader_merge(reader, graph, run);
  for (size_t i = 0; err == 0 && i < sc_reader_module_count(reader); i++)
    err = add_module(sc_reader_module(reader, i), result);
  sc_reader_close(reader);
  return err;
}

static int check_losses(const sc_run *run, const sc_execute_options *options)
{
  char text[200];
  if (run->lost_bytes || run->lost_records) {
    (void)sc_err_set(SC_E_NOSPACE, "the program could not store its profile: %s and %s are lost",
                     sc_format_bytes((double)run->lost_bytes).s, sc_format_plural(run->lost_records, "record").s);
    return sc_err_hint(SC_E_NOSPACE, "free space where the scratch directory is, or set TMPDIR to a place with more");
  }
  if (run->truncated_nodes && options->warn) {
    snprintf(text, sizeof text,
             "%llu calling contexts did not fit into the profile and are counted without their callers",
             (unsigned long long)run->truncated_nodes);
    options->warn(options->user, text, "set SCALE_PROFILE_MAX to more bytes in an <env> of the command");
  }
  return 0;
}

int sc_harvest_profiles(const char *directory, sc_graph *graph, size_t run, const sc_execute_options *options,
                        sc_execute_result *result)
{
  struct dirent **names;
  int count = scandir(directory, &names, is_profile, alphasort);
  int err = 0;
  if (count < 0)
    return sc_err_system(SC_E_IO, errno, "cannot read %s", directory);
  for (int i = 0; i < count; i++) {
    char *path;
    if (err == 0 && asprintf(&path, "%s/%s", directory, names[i]->d_name) < 0)
      err = sc_err_set(SC_E_NOMEM, "out of memory");
    else if (err == 0) {
      err = merge(path, graph, run, result);
      free(path);
    }
    free(names[i]);
  }
  free(names);
  if (err < 0)
    return err;
  if (count == 0)
    return SC_E_NOPROFILE;
  set_build(result, sc_graph_run(graph, run));
  return check_losses(sc_graph_run_const(graph, run), options);
}

static bool disk_full(const char *directory)
{
  struct statvfs disk;
  return statvfs(directory, &disk) == 0 && (double)disk.f_bavail * (double)disk.f_frsize < SMALLEST_PROFILE;
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
