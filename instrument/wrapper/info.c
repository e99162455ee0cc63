/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "info.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INFO_HASH_SEED UINT64_C(0xcbf29ce484222325)

/* FNV-1a of a file's content, begun with `hash`: tells one build of the pass from another. */
static uint64_t info_hash(uint64_t hash, const char *path)
{
  FILE *file = path ? fopen(path, "rb") : NULL;
  unsigned char buffer[65536];
  size_t got;

  if (!file)
    return 0;
  while ((got = fread(buffer, 1, sizeof(buffer), file)) > 0)
    for (size_t i = 0; i < got; i++)
      hash = (hash ^ buffer[i]) * UINT64_C(0x100000001b3);
  fclose(file);
  return hash;
}

/* Of several files, separated by ':'. */
static uint64_t info_hash_list(const char *paths)
{
  uint64_t hash = INFO_HASH_SEED;

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
  printf("plugin=%s %016llx\n", paths->plugin, (unsigned long long)info_hash(INFO_HASH_SEED, paths->plugin));
  printf("runtime=%s %016llx\n", paths->runtime, (unsigned long long)info_hash(INFO_HASH_SEED, paths->runtime));
  info_variable("SCALE_WRAPPER");
  info_variable("SCALE_INCLUDE");
  info_variable("SCALE_EXCLUDE");
  info_files("SCALE_FILTER");
  info_files("SCALE_PROBES");
}

static void info_where(const struct sc_paths *paths)
{
  printf("wrapper=%s\nplugin=%s\nruntime=%s\ncmake=%s\ninclude=%s\ncompiler=%s\n", paths->self, paths->plugin,
         paths->runtime, paths->cmake, paths->include, paths->compiler);
}

static void info_help(void)
{
  fputs("Usage: scale-cc [clang or gcc options] file...      (scale-c++ for C++)\n"
        "\n"
        "Compiles like clang and adds exact counters for every call and loop, in context.\n"
        "  scale-cc -O2 -o prog prog.c && SCALE_PROFILE_DIR=profiles ./prog\n"
        "  cmake -DCMAKE_C_COMPILER=scale-cc -DCMAKE_CXX_COMPILER=scale-c++ ...\n"
        "  CC=scale-cc CXX=scale-c++ ./configure\n"
        "\n"
        "Options of its own (all others are the compiler's):\n"
        "  --scale-include=GLOB  only functions that match; file:GLOB matches the file's path\n"
        "  --scale-exclude=GLOB  none of the functions that match\n"
        "  --scale-filter=FILE   include and exclude rules from a file\n"
        "  --scale-probes=FILE   the program's own resources: a probe set, docs/probe-sets.md\n"
        "  --scale-check-probes FILE...  what probe sets say, or what is wrong with them\n"
        "  --scale-print-events FILE...  the same as the value of SCALE_EVENTS, for plain clang\n"
        "  --scale-where         where the compiler, the pass and the runtime are\n"
        "  --scale-version       versions, and all that a compiler cache has to know\n"
        "  --scale-help          this text\n"
        "\n"
        "Environment:\n"
        "  SCALE_WRAPPER=off     do nothing but run the compiler\n"
        "  SCALE_CLANG=PROGRAM   the compiler to run (a clang of the pass's version)\n"
        "  SCALE_INCLUDE, SCALE_EXCLUDE, SCALE_FILTER, SCALE_PROBES   as the options\n",
        stdout);
}

int sc_info_answers(const char *option, const struct sc_paths *paths)
{
  if (strcmp(option, "--scale-version") == 0)
    info_version(paths);
  else if (strcmp(option, "--scale-where") == 0)
    info_where(paths);
  else if (strcmp(option, "--scale-help") == 0)
    info_help();
  else
    return 0;
  return 1;
}
