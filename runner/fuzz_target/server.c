/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fuzz_target/server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "profiles/layout.inc"
#include "runner/process/process.h"
#include "runner/text/tuning.h"

enum {
  CONTROL_BYTES = SCALE_CONTROL_INPUT + SC_FORKS_INPUT_MOST,
  START_SECONDS = 60,
  SLICE_MS = 50 /* between looks whether the server lives */
};

struct sc_forks {
  sc_process *process;
  struct scale_control *control;
  sc_live *live;
  double limit; /* seconds of a run; 0: none */
  pid_t pid;
};

static long forks_futex(const uint32_t *at, int operation, uint32_t value, const struct timespec *timeout)
{
  return syscall(SYS_futex, at, operation, value, timeout, NULL, 0);
}

static void forks_command(uint32_t *word)
{
  __atomic_store_n(word, 1, __ATOMIC_RELEASE);
  (void)forks_futex(word, FUTEX_WAKE, 1, NULL);
}

/* Waits for an answer and takes it. 0: none came until `deadline` (0: none). */
static int await_answer(sc_forks *server, double deadline, uint32_t *answer)
{
  uint32_t *word = &server->control->answer;
  while (!(*answer = __atomic_exchange_n(word, 0, __ATOMIC_ACQ_REL))) {
    double left = deadline > 0 ? deadline - sc_clock_now() : SLICE_MS * 1e-3;
    bool ended = false;
    if (left <= 0)
      return 0;
    left = left < SLICE_MS * 1e-3 ? left : SLICE_MS * 1e-3;
    struct timespec wait = {0, (long)(left * 1e9)};
    if (forks_futex(word, FUTEX_WAIT, 0, &wait) == 0 || errno != ETIMEDOUT)
      continue;
    SC_TRY(sc_process_poll(server->process, 0, NULL, &ended));
    if (ended && !__atomic_load_n(word, __ATOMIC_ACQUIRE)) {
      (void)sc_err_set(SC_E_TARGET, "the program ended before it could be run");
      return sc_err_hint(SC_E_TARGET, "an input that makes it end its parent process ends all runs");
    }
  }
  return 0;
}

static int make_control(sc_forks *server, const char *path)
{
  int err = 0, fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return sc_err_system(SC_E_IO, errno, "cannot make the file %s", path);
  void *at = ftruncate(fd, CONTROL_BYTES) == 0 ? mmap(NULL, CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                                               : MAP_FAILED;
  if (at == MAP_FAILED)
    err = sc_err_system(SC_E_IO, errno, "cannot map the file %s", path);
  else
    server->control = at;
  close(fd);
  return err;
}

/* The one profile in the folder. */
static int find_forks_profile(const char *folder, char **path)
{
  sc_buf found = {0};
  DIR *dir = opendir(folder);
  for (const struct dirent *entry; dir && !found.length && (entry = readdir(dir));) {
    const char *dot = strrchr(entry->d_name, '.');
    if (dot && strcmp(dot, ".scprof") == 0)
      sc_buf_printf(&found, "%s/%s", folder, entry->d_name);
  }
  if (dir)
    closedir(dir);
  if (!found.length)
    return sc_err_set(SC_E_NOPROFILE, "the program wrote no profile into %s", folder);
  SC_TRY(sc_buf_finish(&found));
  *path = sc_buf_take(&found);
  return 0;
}

static void limit_resource(pid_t pid, int resource, uint64_t most)
{
  struct rlimit limit = {most, most};
  (void)prlimit(pid, (__rlimit_resource_t)resource, &limit, NULL); /* a lower hard limit stays */
}

/* Limits are its children's: the server has all it needs. */
static int limit_children(sc_forks *server, const char *profile, const struct sc_fuzz_spec *spec, uint64_t budget)
{
  struct scale_header header;
  struct sysinfo system;
  int fd = open(profile, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  ssize_t got = fd < 0 ? -1 : pread(fd, &header, sizeof header, 0);
  if (fd >= 0)
    close(fd);
  if (got != (ssize_t)sizeof header)
    return sc_err_set(SC_E_DAMAGED, "cannot read the profile %s", profile);
  pid_t pid = server->pid = (pid_t)header.pid;
  limit_resource(pid, RLIMIT_CORE, 1); /* 0 still hands the core to a program that the system names */
  if (spec->memory)
    limit_resource(pid, RLIMIT_AS, spec->memory + CONTROL_BYTES + budget);
  if (spec->file_size)
    limit_resource(pid, RLIMIT_FSIZE, spec->file_size);
  if (spec->processes && sysinfo(&system) == 0)
    limit_resource(pid, RLIMIT_NPROC, system.procs + spec->processes);
  return 0;
}

/* Variables of the environment by which the program is forked where it first looks at its input. */
static int preload_defer(const sc_fuzz_input *input, sc_buf *path, sc_buf *preloaded)
{
  char library[4096];
  const char *further = getenv("LD_PRELOAD");
  if (!sc_process_find_part("libscale-defer.so", library, sizeof library))
    return sc_err_set(SC_E_TARGET, "libscale-defer.so is missing");
  sc_buf_printf(preloaded, "LD_PRELOAD=%s%s%s", library, further && *further ? ":" : "", further ? further : "");
  sc_buf_printf(path, SCALE_DEFER_INPUT "=%s", input->path);
  SC_TRY(sc_buf_finish(preloaded));
  return sc_buf_finish(path);
}

static int start_program(sc_forks *server, const struct sc_fuzz_spec *spec, const sc_fuzz_input *input,
                         const char *folder, uint64_t budget)
{
  sc_buf where = {0}, room = {0}, path = {0}, preloaded = {0};
  int err;
  sc_buf_printf(&where, "SCALE_FUZZ=%s", folder);
  sc_buf_printf(&room, "SCALE_PROFILE_MAX=%llu", (unsigned long long)budget);
  SC_GOTO(sc_buf_finish(&where));
  SC_GOTO(sc_buf_finish(&room));
  if (server->control->defer)
    SC_GOTO(preload_defer(input, &path, &preloaded));
  char *const environment[] = {where.text, room.text, preloaded.text, path.text, NULL};
  sc_process_options options = {.argv = input->argv,
                                .environment = environment,
                                .directory = spec->directory,
                                .stdin_file = input->way == SC_FUZZ_BY_STDIN ? input->path : NULL,
                                .stderr_file = "/dev/null"};
  SC_GOTO(sc_process_start(&options, &server->process));
  SC_GOTO(sc_process_release(server->process));
out:
  sc_buf_free(&where);
  sc_buf_free(&room);
  sc_buf_free(&path);
  sc_buf_free(&preloaded);
  return err;
}

static int await_server(sc_forks *server, const sc_fuzz_input *input)
{
  char name[200];
  uint32_t answer = 0;
  int err = await_answer(server, sc_clock_now() + START_SECONDS, &answer);
  if (err == 0 && answer == SCALE_ANSWER_READY)
    return 0;
  sc_process_describe(input->argv, name, sizeof name);
  err = sc_err_set(SC_E_TARGET, "%s has no counters that scale-run fuzz can use", name);
  return sc_err_hint(err, "build it with scale-cc; if the command is a script, name the program itself");
}

int sc_forks_start(const struct sc_fuzz_spec *spec, const sc_fuzz_input *input, const char *folder, uint64_t budget,
                   bool defer, sc_graph *graph, sc_forks **server)
{
  int err = SC_E_NOMEM;
  sc_buf path = {0};
  char *profile = NULL;
  *server = NULL;
  sc_forks *fresh = sc_mem_new(1, sizeof *fresh);
  if (!fresh)
    goto out;
  fresh->limit = spec->seconds;
  sc_buf_printf(&path, "%s/control", folder);
  SC_GOTO(sc_buf_finish(&path));
  SC_GOTO(make_control(fresh, path.text));
  fresh->control->harness = input->way == SC_FUZZ_BY_MEMORY ? SCALE_HARNESS_WANTED : SCALE_HARNESS_NONE;
  fresh->control->defer = defer ? SCALE_DEFER_WANTED : SCALE_DEFER_NONE;
  fresh->control->argument = input->way == SC_FUZZ_BY_ARGUMENT ? (uint32_t)input->argument : 0;
  SC_GOTO(start_program(fresh, spec, input, folder, budget));
  SC_GOTO(await_server(fresh, input));
  SC_GOTO(find_forks_profile(folder, &profile));
  SC_GOTO(limit_children(fresh, profile, spec, budget));
  SC_GOTO(sc_live_open(profile, graph, &fresh->live));
  *server = fresh;
  fresh = NULL;
out:
  sc_forks_stop(fresh);
  sc_buf_free(&path);
  free(profile);
  return err;
}

/* The child's number is its own until it is asked for the next. */
static void kill_child(const sc_forks *server)
{
  uint32_t child = __atomic_load_n(&server->control->child, __ATOMIC_ACQUIRE);
  if (child && kill(-(pid_t)child, SIGKILL) < 0)
    (void)kill((pid_t)child, SIGKILL); /* it has no group of its own yet */
}

void sc_forks_stop(sc_forks *server)
{
  if (!server)
    return;
  if (server->process && server->control)
    kill_child(server);
  sc_process_free(server->process);
  sc_live_close(server->live);
  if (server->control)
    munmap(server->control, CONTROL_BYTES);
  free(server);
}

static int put_in_memory(sc_forks *server, const void *bytes, size_t size)
{
  if (size >= SC_FORKS_INPUT_MOST)
    return sc_err_set(SC_E_INPUT, "an input of %zu bytes: a harness gets at most %d", size, SC_FORKS_INPUT_MOST);
  if (size)
    memcpy((char *)server->control + SCALE_CONTROL_INPUT, bytes, size);
  server->control->bytes = size;
  return 0;
}

static int put_input(sc_forks *server, sc_fuzz_input *input, const void *bytes, size_t size)
{
  char *to = (char *)server->control + SCALE_CONTROL_INPUT;
  if (input->way == SC_FUZZ_BY_MEMORY)
    return put_in_memory(server, bytes, size);
  if (input->way != SC_FUZZ_BY_ARGUMENT)
    return sc_fuzz_input_write(input, bytes, size);
  size_t before = input->before ? strlen(input->before) : 0, after = input->after ? strlen(input->after) : 0;
  if (size >= SC_FORKS_INPUT_MOST - before - after)
    return sc_err_set(SC_E_INPUT, "an input of %zu bytes: an argument gets at most %d", size, SC_FORKS_INPUT_MOST);
  if (before)
    memcpy(to, input->before, before);
  if (size)
    memcpy(to + before, bytes, size);
  size = strnlen(to, before + size);
  memcpy(to + size, input->after ? input->after : "", after + 1);
  return 0;
}

/* What the child's end was. */
static void take_end(const sc_forks *server, sc_forks_end *end)
{
  const struct scale_control *control = server->control;
  end->seconds = (double)control->nanoseconds * 1e-9;
  end->peak_kib = control->peak_kib;
  if (control->code == CLD_EXITED)
    end->exit_status = (int)control->status;
  else
    end->signal = (int)control->status;
}

enum sc_fuzz_outcome sc_forks_outcome(const sc_forks_end *end, uint64_t memory)
{
  if (end->timed_out)
    return SC_FUZZ_TIMED_OUT;
  bool much = memory && (double)end->peak_kib * 1024 >= SC_FUZZ_MEMORY_SHARE * (double)memory;
  if (end->signal == SIGKILL || ((end->signal || end->exit_status) && much)) /* SIGKILL: the kernel's choice */
    return SC_FUZZ_OUT_OF_MEMORY;
  return end->signal ? SC_FUZZ_CRASHED : SC_FUZZ_ENDED;
}

/* A child that could not be forked has no end. */
static int check_forked(const sc_forks *server)
{
  if (server->control->harness == SCALE_HARNESS_WANTED && server->control->code == CLD_EXITED) {
    int err = sc_err_set(SC_E_TARGET, "the program is no harness");
    return sc_err_hint(err, "link it by scale-cc --scale-fuzz-main, with LLVMFuzzerTestOneInput and no main");
  }
  if (server->control->code)
    return 0;
  int err = sc_err_set(SC_E_TARGET, "the program cannot be forked");
  return sc_err_hint(err, "allow more memory or processes");
}

/* Has the input run; *answer: what the program says of it. */
static int run_asked(sc_forks *server, uint32_t *answer, bool *timed_out)
{
  double deadline = server->limit > 0 ? sc_clock_now() + server->limit : 0;
  __atomic_store_n(&server->control->child, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&server->control->answer, 0, __ATOMIC_RELEASE); /* a harness may have ended by itself meanwhile */
  forks_command(&server->control->ask);
  SC_TRY(await_answer(server, deadline, answer));
  while (!*answer) {
    *timed_out = true;
    kill_child(server);
    SC_TRY(await_answer(server, sc_clock_now() + SLICE_MS * 1e-3, answer));
  }
  return 0;
}

int sc_forks_run(sc_forks *server, sc_fuzz_input *input, const void *bytes, size_t size, sc_forks_end *end)
{
  const struct sc_live_count *counts;
  uint32_t answer;
  size_t count;
  *end = (sc_forks_end){0};
  SC_TRY(put_input(server, input, bytes, size));
  SC_TRY(run_asked(server, &answer, &end->timed_out));
  if (answer == SCALE_ANSWER_READY) {
    SC_TRY(sc_live_read(server->live, &counts, &count));
    SC_TRY(run_asked(server, &answer, &end->timed_out));
  }
  SC_TRY(check_forked(server));
  take_end(server, end);
  return 0;
}

int sc_forks_change(sc_forks *server, unsigned char *bytes, size_t *size, size_t most, uint64_t seed)
{
  struct scale_control *control = server->control;
  uint32_t answer;
  bool timed_out = false;
  size_t before = *size;
  *size = 0;
  if (__atomic_load_n(&control->harness, __ATOMIC_ACQUIRE) != SCALE_HARNESS_CHANGES)
    return 0;
  SC_TRY(put_in_memory(server, bytes, before));
  control->mutate = most;
  control->seed = seed;
  int err = run_asked(server, &answer, &timed_out);
  if (err == 0 && answer == SCALE_ANSWER_READY)
    err = run_asked(server, &answer, &timed_out);
  control->mutate = 0;
  SC_TRY(err);
  if (control->code != CLD_EXITED || control->status || control->bytes > most)
    return 0;
  *size = control->bytes;
  memcpy(bytes, (const char *)control + SCALE_CONTROL_INPUT, *size);
  return 0;
}

sc_live *sc_forks_live(sc_forks *server) { return server->live; }

/* A line of /proc/PID/maps, whose last field is a path: not one that it had as the line before. */
static int take_mapping(char *line, sc_buf *last, int (*take)(void *user, const char *path), void *user)
{
  char *path = strchr(line, '/');
  line[strcspn(line, "\n")] = '\0';
  if (!path || strstr(line, ".scprof") || strstr(path, " (deleted)") || (last->text && strcmp(last->text, path) == 0))
    return 0;
  last->length = 0;
  sc_buf_puts(last, path);
  SC_TRY(sc_buf_finish(last));
  return take(user, path);
}

int sc_forks_each_file(const sc_forks *server, int (*take)(void *user, const char *path), void *user)
{
  char path[64], *line = NULL;
  size_t room = 0;
  sc_buf last = {0};
  int err = 0;
  snprintf(path, sizeof path, "/proc/%ld/maps", (long)server->pid);
  FILE *maps = fopen(path, "re");
  while (maps && err == 0 && getline(&line, &room, maps) > 0)
    err = take_mapping(line, &last, take, user);
  if (maps)
    fclose(maps);
  free(line);
  sc_buf_free(&last);
  return err;
}
