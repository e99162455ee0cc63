/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runner/scratch.h"

static char *directory;

static int set_up(void **state) { return sc_scratch_make(NULL, &directory); }

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

static void test_status_and_usage(void **state)
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

static void test_surroundings(void **state)
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

static void test_tail_keeps_the_end(void **state)
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

static void test_missing_programs(void **state)
{
  sc_process *process;
  char *none[] = {"/nonexistent/program", NULL}, *plain[] = {"/etc/passwd", NULL}, *shell[] = {"sh", "-c", ":", NULL};
  sc_process_options options = {.argv = none};
  assert_int_equal(sc_process_start(&options, &process), 0);
  assert_int_equal(sc_process_release(process), SC_E_TARGET);
  assert_non_null(strstr(sc_err_message(), "/nonexistent/program"));
  assert_true(*sc_err_hint_text() != '\0');
  sc_process_free(process);
  options.argv = plain;
  assert_int_equal(sc_process_start(&options, &process), 0);
  assert_int_equal(sc_process_release(process), SC_E_TARGET);
  sc_process_free(process);
  options = (sc_process_options){.argv = shell, .stdin_file = "/nonexistent/input"};
  assert_int_equal(sc_process_start(&options, &process), SC_E_WORKLOAD);
  assert_null(process);
  options = (sc_process_options){.argv = shell, .directory = "/nonexistent"};
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

static void test_timeout_ends_the_group(void **state)
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

static void test_interruption(void **state)
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

static void test_strays(void **state)
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

static void test_nothing_runs_before_release(void **state)
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_status_and_usage),
      cmocka_unit_test(test_surroundings),
      cmocka_unit_test(test_tail_keeps_the_end),
      cmocka_unit_test(test_missing_programs),
      cmocka_unit_test(test_timeout_ends_the_group),
      cmocka_unit_test(test_interruption),
      cmocka_unit_test(test_strays),
      cmocka_unit_test(test_nothing_runs_before_release),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
