/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/cli/doctor.h"

#include <dirent.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "profiles/graph/graph.h"
#include "profiles/graph/usage.h"
#include "profiles/scprof/reader.h"
#include "runner/process/process.h"
#include "runner/process/scratch.h"
#include "runner/process/uprobes.h"
#include "runner/sampler/sampler.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"

static const char get_wrapper[] =
    "install the package scale-cc, or build with -DSCALE_INSTRUMENT=ON (needs: apt install clang-19 llvm-19-dev)";

/* Adds a check and its outcome. */
SC_PRINTF(5, 6)
static void add_check(sc_doctor *doctor, const char *name, enum sc_doctor_state state, const char *hint,
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
      add_check(doctor, names[i], SC_DOCTOR_MISSING, "apt install clang-19", "not in PATH");
    else
      add_check(doctor, names[i], SC_DOCTOR_OK, "", "%s", path);
  }
}

static void check_wrapper(sc_doctor *doctor, const char *here)
{
  snprintf(doctor->wrapper, sizeof doctor->wrapper, "%.4000s/scale-cc", here);
  if (access(doctor->wrapper, X_OK) < 0)
    find_program("scale-cc", doctor->wrapper, sizeof doctor->wrapper);
  if (*doctor->wrapper)
    add_check(doctor, "scale-cc", SC_DOCTOR_OK, "", "%s", doctor->wrapper);
  else
    add_check(doctor, "scale-cc", SC_DOCTOR_MISSING, get_wrapper, "neither beside scale-run nor in PATH");
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
      add_check(doctor, name, SC_DOCTOR_OK, "", "%s", found);
      return;
    }
  }
  add_check(doctor, name, SC_DOCTOR_MISSING, get_wrapper, "%s is neither in %s nor in %s beside scale-cc", file,
            folders[0], folders[1]);
}

static void check_keeper(sc_doctor *doctor)
{
  char path[8192];
  if (sc_process_find_keeper(path, sizeof path) == 0)
    add_check(doctor, "scale-keeper", SC_DOCTOR_OK, "", "%s", path);
  else
    add_check(doctor, "scale-keeper", SC_DOCTOR_MISSING, sc_err_hint_text(), "%s", sc_err_message());
}

static void check_sampling(sc_doctor *doctor)
{
  if (sc_sampler_probe(NULL) == 0)
    add_check(doctor, "sampling", SC_DOCTOR_OK, "", "task-clock (processor time)");
  else
    add_check(doctor, "sampling", SC_DOCTOR_LIMITED, sc_err_hint_text(), "no times, counts only: %s", sc_err_message());
  if (sc_sampler_probe("cycles") == 0)
    add_check(doctor, "hardware events", SC_DOCTOR_OK, "", "cycles and others, by --event NAME");
  else
    add_check(doctor, "hardware events", SC_DOCTOR_LIMITED,
              "virtual machines often have none; task-clock does without them", "%s", sc_err_message());
}

static void check_doctor_uprobes(sc_doctor *doctor)
{
  if (sc_uprobes_try() == 0)
    add_check(doctor, "uprobes", SC_DOCTOR_OK, "", "calls in programs that nobody rebuilds: run --uprobes, attach");
  else
    add_check(doctor, "uprobes", SC_DOCTOR_LIMITED, sc_err_hint_text(), "%s", sc_err_message());
}

static void check_disk(sc_doctor *doctor)
{
  const char *path = getenv("TMPDIR");
  struct statvfs fs;
  if (!path || !*path)
    path = "/tmp";
  if (access(path, W_OK | X_OK) < 0 || statvfs(path, &fs) < 0) {
    add_check(doctor, "scratch space", SC_DOCTOR_MISSING, "set TMPDIR to a directory on a disk with some space",
              "%s: %s", path, strerror(errno));
    return;
  }
  double available = (double)fs.f_bavail * (double)fs.f_frsize;
  enum sc_doctor_state state = available >= SC_DOCTOR_DISK         ? SC_DOCTOR_OK
                               : available >= SC_DOCTOR_DISK_LEAST ? SC_DOCTOR_LIMITED
                                                                   : SC_DOCTOR_MISSING;
  add_check(doctor, "scratch space", state, "set TMPDIR to a directory on a larger disk", "%s free in %s",
            sc_format_bytes(available).s, path);
}

enum { ITERATIONS = 123, LOOP_LINE = 6 };
static const char probe_source[] =
    "#include <pthread.h>\n"
    "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
    "static volatile int sink;\n"
    "static void *count(void *unused)\n{\n"
    "  for (int i = 0; i < 123; i++) {\n"
    "    pthread_mutex_lock(&lock);\n"
    "    sink += i;\n"
    "    pthread_mutex_unlock(&lock);\n"
    "  }\n"
    "  return unused;\n}\n"
    "int main(void)\n{\n"
    "  pthread_t thread;\n"
    "  return pthread_create(&thread, NULL, count, NULL) || pthread_join(thread, NULL);\n}\n";

static int run_doctor(char *const *argv, const char *profiles, double timeout)
{
  sc_process *process = NULL;
  sc_process_end end;
  char name[200];
  int err;
  SC_GOTO(sc_process_start(&(sc_process_options){.argv = argv, .profile_dir = profiles}, &process));
  SC_GOTO(sc_process_release(process));
  SC_GOTO(sc_process_wait_end(process, &(sc_process_wait){.timeout = timeout}, &end));
  sc_process_describe(argv, name, sizeof name);
  if (end.timed_out)
    err = sc_err_set(SC_E_TIMEOUT, "%s ran out of time", name);
  else if (end.signal || end.exit_status)
    err = sc_err_set(SC_E_TARGET, "%s failed: %s", name, sc_process_error_tail(process));
out:
  sc_process_free(process);
  return err;
}

/* The profile's path, or NULL. */
static char *only_profile(const char *directory)
{
  sc_buf path = {0};
  DIR *dir = opendir(directory);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    size_t length = strlen(entry->d_name);
    if (length > 7 && strcmp(entry->d_name + length - 7, ".scprof") == 0 && !path.length)
      sc_buf_printf(&path, "%s/%s", directory, entry->d_name);
  }
  if (dir)
    closedir(dir);
  if (!path.length) {
    (void)sc_err_set(SC_E_NOPROFILE, "the test program wrote no profile");
    return NULL;
  }
  return sc_buf_take(&path);
}

/* Times the program's mutex was acquired, and given back, under its name; -1 if they differ. */
static double lock_events(const sc_graph *graph, size_t run)
{
  size_t count;
  double acquires = 0, releases = 0;
  const sc_usage *rows = sc_usage_rows(graph, run, &count);
  for (size_t i = 0; i < count; i++) {
    const sc_resource *resource = sc_usage_resource_at(graph, rows[i].resource);
    if (resource->resource_class != SC_RESOURCE_MUTEX || strcmp(resource->name, "lock") != 0)
      continue;
    acquires += rows[i].values[SC_USAGE_ACQUIRES];
    releases += rows[i].values[SC_USAGE_RELEASES];
  }
  return acquires == releases ? acquires : -1;
}

/* Reads the profile back: the loop must be there, by its line, with its exact count. *locked: how often its lock was.
 */
static int read_doctor_back(const char *directory, double *locked)
{
  sc_reader *reader = NULL;
  sc_graph *graph = NULL;
  size_t index;
  double seen = -1;
  int err = SC_E_NOPROFILE;
  char *path = only_profile(directory);
  if (!path)
    goto out;
  SC_GOTO(sc_reader_open(path, &reader));
  SC_GOTO(sc_graph_new(&graph));
  SC_GOTO(sc_graph_begin_run(graph, &(sc_run){.n = 1}, &index));
  SC_GOTO(sc_reader_merge(reader, graph, index));
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++)
    if (sc_graph_at(graph, c)->kind == SC_LOCATION_LOOP && sc_graph_at(graph, c)->line == LOOP_LINE)
      seen = sc_graph_value(graph, index, c, SC_METRIC_COUNT);
  *locked = lock_events(graph, index);
  if (seen != ITERATIONS)
    err = sc_err_set(SC_E_INTERNAL, "the test program's loop of %d iterations was counted as %g", ITERATIONS, seen);
out:
  sc_graph_free(graph);
  sc_reader_close(reader);
  free(path);
  return err;
}

/* Lines in the line table of the first compile unit; 0 without one. */
static size_t line_table(const char *program)
{
  size_t lines = 0, header;
  Dwarf_Off next;
  Dwarf_Die unit;
  Dwarf_Lines *table;
  int fd = open(program, O_RDONLY | O_CLOEXEC);
  Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
  for (Dwarf_Off offset = 0; dwarf && !lines && dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0;
       offset = next)
    if (dwarf_offdie(dwarf, offset + header, &unit) && dwarf_getsrclines(&unit, &table, &lines) != 0)
      lines = 0;
  if (dwarf)
    dwarf_end(dwarf);
  if (fd >= 0)
    close(fd);
  return lines;
}

static int write_doctor_source(const char *path)
{
  FILE *file = fopen(path, "we");
  if (!file)
    return sc_err_system(SC_E_IO, errno, "%s cannot be written", path);
  int failed = fputs(probe_source, file) < 0;
  failed |= fclose(file) != 0;
  return failed ? sc_err_system(SC_E_IO, errno, "%s cannot be written", path) : 0;
}

static void probe_in(sc_doctor *doctor, const char *directory)
{
  char from[4200], to[4200];
  snprintf(from, sizeof from, "%.4000s/probe.c", directory);
  snprintf(to, sizeof to, "%.4000s/probe", directory);
  char *const build[] = {doctor->wrapper, (char *)"-O2", (char *)"-pthread", (char *)"-o", to, from, NULL},
              *const start[] = {to, NULL};
  static const char name[] = "build, run, read";
  double locked = 0;
  int err;
  SC_GOTO(write_doctor_source(from));
  SC_GOTO(run_doctor(build, NULL, SC_DOCTOR_BUILD));
  SC_GOTO(run_doctor(start, directory, SC_DOCTOR_RUN));
  SC_GOTO(read_doctor_back(directory, &locked));
out:
  if (err < 0) {
    const char *hint = *sc_err_hint_text() ? sc_err_hint_text() : "reinstall scale-cc with its plugin and runtime";
    add_check(doctor, name, SC_DOCTOR_MISSING, hint, "%s", sc_err_message());
    return;
  }
  add_check(doctor, name, SC_DOCTOR_OK, "", "a loop of %d iterations was counted exactly", ITERATIONS);
  bool all = locked == ITERATIONS;
  add_check(doctor, "resources", all ? SC_DOCTOR_OK : SC_DOCTOR_LIMITED,
            "locks, memory and descriptors are not seen; are plugin and runtime of one version?",
            all ? "%d acquires of a thread's lock arrived, each given back" : "%d acquires did not all arrive",
            ITERATIONS);
  size_t lines = line_table(to);
  add_check(doctor, "line tables", lines ? SC_DOCTOR_OK : SC_DOCTOR_LIMITED,
            "times cannot be matched to source lines; is elfutils' libdw as new as the compiler's DWARF?",
            lines ? "%zu rows in the test program" : "none in the test program", lines);
}

static void probe_program(sc_doctor *doctor)
{
  char *directory = NULL;
  int lock = -1;
  sc_scratch_collect(NULL);
  if (sc_scratch_make(NULL, &directory, &lock) < 0) {
    add_check(doctor, "build, run, read", SC_DOCTOR_MISSING, sc_err_hint_text(), "%s", sc_err_message());
    return;
  }
  probe_in(doctor, directory);
  sc_scratch_remove(directory);
  if (lock >= 0)
    close(lock);
  free(directory);
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
    probe_program(doctor);
  check_keeper(doctor);
  check_sampling(doctor);
  check_doctor_uprobes(doctor);
  return 0;
}
