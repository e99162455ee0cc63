/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paths.h"
#include "args.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first of folders/name (folders relative to bin) that is there, or the first. */
static char *paths_beside(const char *bin, const char *name)
{
  static const char *const folders[] = {"/../lib/scale/", "/../" SCALE_LIBDIR "/scale/", NULL};
  char *first = NULL;

  for (const char *const *folder = folders; *folder; folder++) {
    char *base = sc_args_join(bin, *folder);
    char *path = sc_args_join(base, name);
    char *clean = realpath(path, NULL);
    free(base);
    if (clean)
      return clean;
    if (!first)
      first = path;
  }
  return first;
}

int sc_paths_find(struct sc_paths *paths, int cplusplus)
{
  const char *clang = getenv("SCALE_CLANG");
  char self[PATH_MAX];
  ssize_t bytes = readlink("/proc/self/exe", self, sizeof(self) - 1);
  char *slash;

  if (bytes <= 0)
    return -1;
  self[bytes] = 0;
  paths->self = sc_args_join(self, "");
  slash = strrchr(self, '/');
  if (slash)
    *slash = 0;
  paths->plugin = paths_beside(self, "scale-pass.so");
  paths->runtime = paths_beside(self, "libscale-rt.a");
  paths->fuzz = paths_beside(self, "libscale-fuzz-main.a");
  paths->cmake = paths_beside(self, "scale.cmake");
  paths->include = paths_beside(self, "include");
  if (clang && *clang)
    paths->compiler = sc_args_join(clang, "");
  else
    paths->compiler = sc_args_join(cplusplus ? SCALE_CLANGXX : SCALE_CLANG, "");
  return 0;
}

int sc_paths_ready(const struct sc_paths *paths, const char **missing)
{
  *missing = access(paths->plugin, R_OK) != 0    ? paths->plugin
             : access(paths->runtime, R_OK) != 0 ? paths->runtime
                                                 : NULL;
  return *missing == NULL;
}
