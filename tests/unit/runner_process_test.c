/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/process/process.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/process/scratch.h"

static char *directory;

static int set_up(void **state) { return sc_scratch_make(NULL, &directory, NULL); }

static int tear_down(void **state)
{
  sc_scratch_remove(directory);
  free(directory);
  return 0;
}

/* Runs a shell script in the test's directory and waits for it. */
static sc_process *run(sc_process_options options, const char *script, sc_process_wait wait, sc_process_end *end)
{
  char *argv[] = {"/bin/sh", "-c", (char *)script, NULL};
  sc_process *process;
  options.argv = argv;
  options.directory = directory;
  assert_int_equal(sc_process_start(&options, &process), 0);
  assert_int_equal(sc_process_release(process), 0);
  assert_int_equal(sc_process_wait_end(process, &wait, end), 0);
  return process;
}

TEST(test_status_and_usage)
{
  sc_process_end end;
  sc_process_free(run((sc_process_options){0}, "exit 7", (sc_process_wait){0}, &end));
  assert_int_equal(end.exit_status, 7);
  assert_int_equal(end.signal, 0);
  assert_false(end.timed_out || end.interrupted || end.strays);
  assert_true(end.wall_seconds > 0);
  assert_true(end.usage.ru_maxrss > 0);
  sc_process_free(run((sc_process_options){0}, "kill -SEGV $$", (sc_process_wait){0}, &end));
  assert_int_equal(end.signal, SIGSEGV);
}

TEST(test_surroundings)
{
  char path[4096], in[4096], text[512] = "";
  char *environment[] = {"SC_ONE=1 2", "HOME=/nowhere", NULL};
  snprintf(path, sizeof path, "%s/out", directory);
  snprintf(in, sizeof in, "%s/in", directory);
  FILE *file = fopen(in, "w");
  fputs("input", file);
  fclose(file);
  setenv("SCALE_PROFILE_DIR", "/elsewhere", 1);
  sc_process_end end;
  const sc_process_options options = {
      .environment = environment, .profile_dir = "/profiles", .stdin_file = in, .stdout_file = path};
  sc_process *process = run(options, "cat; echo; echo \"$SC_ONE|$HOME|$SCALE_PROFILE_DIR\"; pwd; echo err >&2",
                            (sc_process_wait){0}, &end);
  assert_string_equal(sc_process_error_tail(process), "err\n");
  sc_process_free(process);
  file = fopen(path, "r");
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  assert_non_null(strstr(text, "input\n1 2|/nowhere|/profiles\n"));
  assert_non_null(strstr(text, directory));
  sc_process_free(run((sc_process_options){0}, "test -z \"$SCALE_PROFILE_DIR\"", (sc_process_wait){0}, &end));
  assert_int_equal(end.exit_status, 0); /* a step that is not measured sees none */
  unsetenv("SCALE_PROFILE_DIR");
}

TEST(test_tail_keeps_the_end)
{
  sc_process_end end;
  sc_process *process =
      run((sc_process_options){0}, "i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done >&2",
          (sc_process_wait){0}, &end);
  const char *tail = sc_process_error_tail(process);
  assert_int_equal(strlen(tail), 4096);
  assert_string_equal(tail + strlen(tail) - 10, "line 4999\n");
  sc_process_free(process);
}

TEST(test_missing_programs)
{
  sc_process *process;
  char *none[] = {"/proc/self/exe/program", NULL}, *plain[] = {"/etc/passwd", NULL}, *shell[] = {"sh", "-c", ":", NULL};
  sc_process_options options = {.argv = none};
  assert_int_equal(sc_process_start(&options, &process), 0);
  assert_int_equal(sc_process_release(process), SC_E_TARGET);
  assert_non_null(strstr(sc_err_message(), "/proc/self/exe/program"));
  assert_true(*sc_err_hint_text() != '\0');
  sc_process_free(process);
  options.argv = plain;
  assert_int_equal(sc_process_start(&options, &process), 0);
  assert_int_equal(sc_process_release(process), SC_E_TARGET);
  sc_process_free(process);
  options = (sc_process_options){.argv = shell, .stdin_file = "/proc/self/exe/input"};
  assert_int_equal(sc_process_start(&options, &process), SC_E_WORKLOAD);
  assert_null(process);
  options = (sc_process_options){.argv = shell, .directory = "/proc/self/exe"};
  assert_int_equal(sc_process_start(&options, &process), 0);
  assert_int_equal(sc_process_release(process), SC_E_WORKLOAD);
  sc_process_free(process);
}

/* The pid a script wrote, gone or a zombie of somebody else. */
static bool gone(const char *name)
{
  char path[4096];
  long pid = 0;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%ld", &pid), 1);
  fclose(file);
  return kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

TEST(test_timeout_ends_the_group)
{
  sc_process_end end;
  sc_process *process =
      run((sc_process_options){0}, "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > a; exec sleep 60' & sleep 60",
          (sc_process_wait){.timeout = 0.5}, &end);
  assert_true(end.timed_out);
  assert_int_equal(end.signal, SIGKILL);
  assert_true(gone("a"));
  sc_process_free(process);
}

TEST(test_interruption)
{
  sc_process_end end;
  volatile int interrupted = 1;
  sc_process *process =
      run((sc_process_options){0}, "exec sleep 60", (sc_process_wait){.interrupted = &interrupted}, &end);
  assert_true(end.interrupted);
  assert_false(end.timed_out);
  assert_int_equal(end.signal, SIGINT);
  sc_process_free(process);
}

TEST(test_strays)
{
  sc_process_end end;
  sc_process_free(run((sc_process_options){0}, "sleep 60 & echo $! > b", (sc_process_wait){0}, &end));
  assert_true(end.strays);
  assert_true(gone("b"));
  /* one that ends soon is waited for */
  sc_process_free(run((sc_process_options){0}, "(sleep 0.2; echo done > c) &", (sc_process_wait){0}, &end));
  assert_false(end.strays);
  char path[4096];
  snprintf(path, sizeof path, "%s/c", directory);
  assert_int_equal(access(path, F_OK), 0);
}

TEST(test_nothing_runs_before_release)
{
  char path[4096], *argv[] = {"/bin/sh", "-c", "echo > early", NULL};
  sc_process *process;
  bool ended;
  snprintf(path, sizeof path, "%s/early", directory);
  assert_int_equal(sc_process_start(&(sc_process_options){.argv = argv, .directory = directory}, &process), 0);
  assert_int_equal(sc_process_poll(process, 0.05, NULL, &ended), 0);
  assert_false(ended);
  assert_int_not_equal(access(path, F_OK), 0);
  sc_process_free(process); /* never released: killed */
  assert_int_not_equal(access(path, F_OK), 0);
}

/* Starts daemons: own sessions, parents that are gone. Their numbers go to the file `d`, one a line. */
static const char daemons[] = "i=0; while [ $i -lt 3 ]; do (setsid sh -c 'sleep 60 & echo $! >> d; echo $$ >> d; wait' "
                              "&) ; i=$((i+1)); done; while [ \"$(wc -l < d)\" != 6 ]; do sleep 0.01; done";

/* How many of the processes in `d` are still there; waits up to ten seconds until it is `wanted`. */
static int daemons_left(int wanted)
{
  char path[4096];
  int left = -1;
  snprintf(path, sizeof path, "%s/d", directory);
  for (int i = 0; i < 1000 && left != wanted; i++) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    long pid;
    for (left = 0; fscanf(file, "%ld", &pid) == 1;)
      left += kill((pid_t)pid, 0) == 0;
    fclose(file);
    if (left != wanted)
      nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  return left;
}

static void forget_daemons(void)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/d", directory);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fclose(file);
}

TEST(test_daemons_are_ended)
{
  sc_process_end end;
  forget_daemons();
  sc_process_free(run((sc_process_options){0}, daemons, (sc_process_wait){0}, &end));
  assert_true(end.strays);
  assert_int_equal(daemons_left(0), 0);
  forget_daemons(); /* of a step they may stay, until all is over */
  sc_process_free(run((sc_process_options){.background = true}, daemons, (sc_process_wait){0}, &end));
  assert_false(end.strays);
  assert_int_equal(daemons_left(6), 6);
  sc_process_end_background();
  assert_int_equal(daemons_left(0), 0);
}

/* Another process is in the place of scale-run, and is killed: nothing that it started runs on. */
TEST(test_kill_of_the_parent)
{
  static const int signals[] = {SIGKILL, SIGQUIT, SIGUSR1, SIGALRM, SIGHUP, SIGABRT, SIGSEGV};
  char script[600];
  snprintf(script, sizeof script, "trap '' TERM HUP INT; %s; echo $$ >> d; sleep 60", daemons);
  char *argv[] = {"/bin/sh", "-c", script, NULL};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    forget_daemons();
    pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
      sc_process *process;
      signal(signals[i], SIG_DFL); /* cmocka catches some */
      if (sc_process_start(&(sc_process_options){.argv = argv, .directory = directory}, &process) == 0 &&
          sc_process_release(process) == 0)
        for (;;)
          pause();
      _exit(1);
    }
    assert_int_equal(daemons_left(7), 7);
    kill(parent, signals[i]);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(daemons_left(0), 0);
  }
}

TEST(test_kill_of_the_keeper)
{
  char *argv[] = {"/bin/sh", "-c", "sleep 60 & sleep 60", NULL};
  char path[64];
  int keeper = 0;
  sc_process *process;
  sc_process_end end;
  assert_int_equal(sc_process_start(&(sc_process_options){.argv = argv}, &process), 0);
  assert_int_equal(sc_process_release(process), 0);
  snprintf(path, sizeof path, "/proc/%d/stat", (int)sc_process_pid(process));
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%*d %*s %*c %d", &keeper), 1);
  fclose(file);
  kill((pid_t)keeper, SIGKILL);
  assert_int_equal(sc_process_wait_end(process, &(sc_process_wait){0}, &end), SC_E_TARGET);
  assert_non_null(strstr(sc_err_message(), "scale-keeper"));
  sc_process_free(process);
}

/* A stopped keeper neither ends the program nor reports its end. */
TEST(test_stop_of_the_keeper)
{
  sc_process_end end;
  sc_process_free(run((sc_process_options){0}, "echo $$ > k; kill -STOP $PPID; exec sleep 60",
                      (sc_process_wait){.timeout = 0.5}, &end));
  assert_true(end.timed_out);
  assert_int_equal(end.signal, SIGTERM);
  assert_true(gone("k"));
}

/* Nor one that is stopped before it could report the release, as on a busy machine: with one processor for both, some
 * of these programs are faster than it. */
TEST(test_stop_of_the_keeper_at_once)
{
  cpu_set_t all, one;
  sc_process_end end;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
    if (CPU_ISSET(cpu, &all))
      CPU_SET(cpu, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  for (int i = 0; i < 40; i++) {
    sc_process_free(run((sc_process_options){0}, "kill -STOP $PPID", (sc_process_wait){.timeout = 0.01}, &end));
    assert_int_equal(end.exit_status, 0);
  }
  sc_process_free(run((sc_process_options){0}, "trap 'kill -STOP $PPID' TERM; kill -STOP $PPID; while :; do :; done",
                      (sc_process_wait){.timeout = 0.2}, &end));
  assert_true(end.timed_out);
  assert_int_equal(end.signal, SIGKILL);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

/* The lines SigBlk and SigIgn of a process that writes its status to standard output; "self": this one. */
static void signals_of(const char *file_name, char *text, size_t size)
{
  char line[256];
  FILE *file = fopen(file_name, "r");
  assert_non_null(file);
  for (*text = '\0'; fgets(line, sizeof line, file);)
    if (!strncmp(line, "SigBlk:", 7) || !strncmp(line, "SigIgn:", 7))
      strncat(text, line, size - strlen(text) - 1);
  fclose(file);
}

static void run_to_file(const char *path)
{
  char *argv[] = {"cat", "/proc/self/status", NULL};
  sc_process *process;
  sc_process_end end;
  assert_int_equal(sc_process_start(&(sc_process_options){.argv = argv, .stdout_file = path}, &process), 0);
  assert_int_equal(sc_process_release(process), 0);
  assert_int_equal(sc_process_wait_end(process, &(sc_process_wait){0}, &end), 0);
  assert_int_equal(end.exit_status, 0);
  sc_process_free(process);
}

/* The program gets the signals that we were started with; that ended children are forgotten changes nothing. */
TEST(test_inherited_signals)
{
  char path[4096], ours[512], its[512], before[512];
  sc_process_end end;
  sigset_t blocked;
  static const int ignored[] = {SIGCHLD, SIGPIPE, SIGTERM};
  snprintf(path, sizeof path, "%s/status", directory);
  signals_of("/proc/self/status", before, sizeof before);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  for (size_t i = 0; i < 3; i++)
    signal(ignored[i], SIG_IGN);
  signals_of("/proc/self/status", ours, sizeof ours);
  assert_string_not_equal(ours, before);
  sc_process_free(run((sc_process_options){0}, "kill -SEGV $$", (sc_process_wait){0}, &end));
  assert_int_equal(end.signal, SIGSEGV);
  run_to_file(path);
  for (size_t i = 0; i < 3; i++)
    signal(ignored[i], SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &blocked, NULL);
  signals_of(path, its, sizeof its);
  assert_string_equal(its, ours);
  run_to_file(path);
  signals_of(path, its, sizeof its);
  assert_string_equal(its, before);
}

TEST(test_memory_is_the_program_s)
{
  enum { MUCH = 256 << 20, SMALL_KIB = 16 << 10 };
  sc_process_end end;
  char *memory = mmap(NULL, MUCH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(memory != MAP_FAILED);
  for (size_t i = 0; i < MUCH; i += 4096)
    memory[i] = 1;
  sc_process_free(run((sc_process_options){0}, "exec true", (sc_process_wait){0}, &end));
  munmap(memory, MUCH);
  assert_in_range(end.usage.ru_maxrss, 1, SMALL_KIB);
}

int main(void) { return unit_run(set_up, tear_down); }
