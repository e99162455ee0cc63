/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/cli/doctor.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "runner/process/process.h"
#include "runner/sampler/sampler.h"
#include "runner/text/format.h"

static const char get_wrapper[] =
    "install the package scale-cc, or build with -DSCALE_INSTRUMENT=ON (needs: apt install clang-19 llvm-19-dev)";
static const double disk_enough = 1024.0 * 1024 * 1024, disk_least = 64.0 * 1024 * 1024;

void sc_doctor_add(sc_doctor *doctor, const char *name, enum sc_doctor_state state, const char *hint,
                   const char *detail, ...)
{
  if (doctor->count >= SC_DOCTOR_CHECKS)
    return;
  sc_doctor_check *check = &doctor->checks[doctor->count++];
  va_list args;
  check->name = name;
  check->state = state;
  snprintf(check->hint, sizeof check->hint, "%s", state == SC_DOCTOR_OK ? "" : hint);
  va_start(args, detail);
  vsnprintf(check->detail, sizeof check->detail, detail, args);
  va_end(args);
}

const char *sc_doctor_state_name(enum sc_doctor_state state)
{
  static const char *const names[] = {"ok", "limited", "missing"};
  return names[state];
}

bool sc_doctor_usable(const sc_doctor *doctor)
{
  for (size_t i = 0; i < doctor->count; i++)
    if (doctor->checks[i].state == SC_DOCTOR_MISSING)
      return false;
  return true;
}

/* Directory of this executable, which has scale-cc beside it. */
static void own_directory(char *path, size_t size)
{
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  path[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(path, '/');
  if (slash)
    *slash = '\0';
}

/* Looks through $PATH; fills path, or leaves "". */
static void find_program(const char *name, char *path, size_t size)
{
  const char *dirs = getenv("PATH");
  for (*path = '\0'; dirs && *dirs;) {
    size_t length = strcspn(dirs, ":");
    int need = snprintf(path, size, "%.*s/%s", length ? (int)length : 1, length ? dirs : ".", name);
    if (need > 0 && (size_t)need < size && access(path, X_OK) == 0)
      return;
    *path = '\0';
    dirs += length + (dirs[length] == ':');
  }
}

static void check_compiler(sc_doctor *doctor)
{
  char path[4096];
  const char *found = NULL, *const names[] = {"clang-19", "clang++-19"};
  for (size_t i = 0; i < 2; i++) {
    find_program(names[i], path, sizeof path);
    if (*path && !found)
      found = names[i];
    if (!*path)
      sc_doctor_add(doctor, names[i], SC_DOCTOR_MISSING, "apt install clang-19", "not in PATH");
    else
      sc_doctor_add(doctor, names[i], SC_DOCTOR_OK, "", "%s", path);
  }
}

static void check_wrapper(sc_doctor *doctor, const char *here)
{
  snprintf(doctor->wrapper, sizeof doctor->wrapper, "%.4000s/scale-cc", here);
  if (access(doctor->wrapper, X_OK) < 0)
    find_program("scale-cc", doctor->wrapper, sizeof doctor->wrapper);
  if (*doctor->wrapper)
    sc_doctor_add(doctor, "scale-cc", SC_DOCTOR_OK, "", "%s", doctor->wrapper);
  else
    sc_doctor_add(doctor, "scale-cc", SC_DOCTOR_MISSING, get_wrapper, "neither beside scale-run nor in PATH");
}

/* Where scale-cc looks for its own parts. */
static void check_part(sc_doctor *doctor, const char *name, const char *file)
{
  static const char *const folders[] = {"../lib/scale", "../" SCALE_LIBDIR "/scale"};
  char wrapper[PATH_MAX], path[PATH_MAX + 256], found[PATH_MAX];
  if (!realpath(doctor->wrapper, wrapper))
    own_directory(wrapper, sizeof wrapper);
  else if (strrchr(wrapper, '/'))
    *strrchr(wrapper, '/') = '\0';
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    snprintf(path, sizeof path, "%s/%s/%s", wrapper, folders[i], file);
    if (access(path, R_OK) == 0 && realpath(path, found)) {
      sc_doctor_add(doctor, name, SC_DOCTOR_OK, "", "%s", found);
      return;
    }
  }
  sc_doctor_add(doctor, name, SC_DOCTOR_MISSING, get_wrapper, "%s is neither in %s nor in %s beside scale-cc", file,
                folders[0], folders[1]);
}

static void check_keeper(sc_doctor *doctor)
{
  char path[8192];
  if (sc_process_find_keeper(path, sizeof path) == 0)
    sc_doctor_add(doctor, "scale-keeper", SC_DOCTOR_OK, "", "%s", path);
  else
    sc_doctor_add(doctor, "scale-keeper", SC_DOCTOR_MISSING, sc_err_hint_text(), "%s", sc_err_message());
}

static void check_sampling(sc_doctor *doctor)
{
  if (sc_sampler_probe(NULL) == 0)
    sc_doctor_add(doctor, "sampling", SC_DOCTOR_OK, "", "task-clock (processor time)");
  else
    sc_doctor_add(doctor, "sampling", SC_DOCTOR_LIMITED, sc_err_hint_text(), "no times, counts only: %s",
                  sc_err_message());
  if (sc_sampler_probe("cycles") == 0)
    sc_doctor_add(doctor, "hardware events", SC_DOCTOR_OK, "", "cycles and others, by --event NAME");
  else
    sc_doctor_add(doctor, "hardware events", SC_DOCTOR_LIMITED,
                  "virtual machines often have none; task-clock does without them", "%s", sc_err_message());
}

static void check_disk(sc_doctor *doctor)
{
  const char *path = getenv("TMPDIR");
  struct statvfs fs;
  if (!path || !*path)
    path = "/tmp";
  if (access(path, W_OK | X_OK) < 0 || statvfs(path, &fs) < 0) {
    sc_doctor_add(doctor, "scratch space", SC_DOCTOR_MISSING, "set TMPDIR to a directory on a disk with some space",
                  "%s: %s", path, strerror(errno));
    return;
  }
  double available = (double)fs.f_bavail * (double)fs.f_frsize;
  enum sc_doctor_state state = available >= disk_enough  ? SC_DOCTOR_OK
                               : available >= disk_least ? SC_DOCTOR_LIMITED
                                                         : SC_DOCTOR_MISSING;
  sc_doctor_add(doctor, "scratch space", state, "set TMPDIR to a directory on a larger disk", "%s free in %s",
                sc_format_bytes(available).s, path);
}

int sc_doctor_examine(sc_doctor *doctor)
{
  char here[4096];
  *doctor = (sc_doctor){0};
  own_directory(here, sizeof here);
  check_compiler(doctor);
  check_wrapper(doctor, here);
  check_part(doctor, "plugin", "scale-pass.so");
  check_part(doctor, "runtime", "libscale-rt.a");
  check_disk(doctor);
  if (sc_doctor_usable(doctor))
    sc_doctor_probe_program(doctor);
  check_keeper(doctor);
  check_sampling(doctor);
  return 0;
}
