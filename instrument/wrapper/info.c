/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "info.h"
#include "base/hash.h"
#include "help.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The hash of a file's content, begun with `hash`: tells one build of the pass from another. */
static uint64_t info_hash(uint64_t hash, const char *path)
{
  FILE *file = path ? fopen(path, "rb") : NULL;
  unsigned char buffer[65536];
  size_t got;

  if (!file)
    return 0;
  while ((got = fread(buffer, 1, sizeof(buffer), file)) > 0)
    hash = sc_hash_bytes(hash, buffer, got);
  fclose(file);
  return hash;
}

/* Of several files, separated by ':'. */
static uint64_t info_hash_list(const char *paths)
{
  uint64_t hash = SC_HASH_START;

  for (size_t bytes; *paths; paths += bytes + (paths[bytes] != 0)) {
    char *path;
    bytes = strcspn(paths, ":");
    path = strndup(paths, bytes);
    hash = info_hash(hash, path);
    free(path);
  }
  return hash;
}

static void info_variable(const char *name)
{
  const char *value = getenv(name);
  printf("%s=%s\n", name, value ? value : "");
}

static void info_files(const char *name)
{
  const char *paths = getenv(name);
  printf("%s=%s %016llx\n", name, paths ? paths : "", (unsigned long long)info_hash_list(paths ? paths : ""));
}

/* All that decides what the compiler makes of a source: what a compiler cache has to know. */
static void info_version(const struct sc_paths *paths)
{
  printf("scale-cc %s\n", SCALE_VERSION);
  printf("compiler=%s\n", paths->compiler);
  printf("plugin=%s %016llx\n", paths->plugin, (unsigned long long)info_hash(SC_HASH_START, paths->plugin));
  printf("runtime=%s %016llx\n", paths->runtime, (unsigned long long)info_hash(SC_HASH_START, paths->runtime));
  info_variable("SCALE_WRAPPER");
  info_variable("SCALE_INCLUDE");
  info_variable("SCALE_EXCLUDE");
  info_variable("SCALE_FACTS");
  info_variable("SCALE_PLAIN_COPIES");
  info_files("SCALE_FILTER");
  info_files("SCALE_PROBES");
}

static void info_where(const struct sc_paths *paths)
{
  printf("wrapper=%s\nplugin=%s\nruntime=%s\ncmake=%s\ninclude=%s\ncompiler=%s\n", paths->self, paths->plugin,
         paths->runtime, paths->cmake, paths->include, paths->compiler);
}

int sc_info_answers(const char *option, const struct sc_paths *paths)
{
  if (strcmp(option, "--scale-version") == 0)
    info_version(paths);
  else if (strcmp(option, "--scale-where") == 0)
    info_where(paths);
  else if (strcmp(option, "--scale-help") == 0)
    sc_help_print();
  else if (strcmp(option, "--scale-help=man") == 0)
    sc_help_print_man();
  else
    return 0;
  return 1;
}
