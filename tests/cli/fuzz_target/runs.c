/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a fuzzed target, for the test: runs [OPTION...] -- COMMAND...; each line of standard input is "TIMES TEXT", an
 * input of TEXT repeated TIMES times. --harness: of
 * LLVMFuzzerTestOneInput. Prints a line an input: outcome, signal, exit status, and the counts of functions
 * and loops named by --show, with --numbers their contexts' numbers. --again N: runs each input N times and fails if
 * the counts differ; --speed: prints the mean processor time of a run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/clock.h"
#include "runner/fuzz_target/target.h"

static struct options {
  struct sc_fuzz_spec spec;
  const char *show;
  bool numbers, speed;
  long again;
} options = {.again = 1};

static int fail_runs(void)
{
  fprintf(stderr, "runs: %s\nhint: %s\n", sc_err_message(), sc_err_hint_text());
  return 1;
}

static void print_run(struct sc_fuzz_target *target, const struct sc_fuzz_run *run)
{
  static const char *const names[] = {"ended", "crashed", "timed-out", "out-of-memory"};
  printf("%s %d %d", names[run->outcome], run->signal, run->exit_status);
  for (size_t i = 0; i < run->count_count; i++) {
    struct sc_fuzz_place place;
    target->ops->place(target, run->counts[i].context, &place);
    if (!options.show || !strstr(options.show, place.function) || !*place.function)
      continue;
    if (options.numbers)
      printf(" #%u", run->counts[i].context);
    printf(" %s:%u=%llu", place.function, place.kind == SC_FUZZ_PLACE_CALL ? 0 : place.line,
           (unsigned long long)run->counts[i].count);
  }
  printf("\n");
}

static bool equal_counts(const struct sc_live_count *a, size_t a_count, const struct sc_fuzz_run *run)
{
  return a_count == run->count_count && memcmp(a, run->counts, a_count * sizeof *a) == 0;
}

static double spent(void)
{
  struct rusage own, children;
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
         (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec + children.ru_utime.tv_usec + children.ru_stime.tv_usec) *
             1e-6;
}

static int run_input(struct sc_fuzz_target *target, const char *bytes, size_t size)
{
  struct sc_fuzz_run run;
  struct sc_live_count *first = NULL;
  size_t first_count = 0;
  double seconds = 0, before = spent(), clock = sc_clock_now();
  int status = 0;
  for (long i = 0; i < options.again && status == 0; i++) {
    if (target->ops->run(target, bytes, size, &run) < 0) {
      status = fail_runs();
      break;
    }
    seconds += run.seconds;
    if (i == 0) {
      print_run(target, &run);
      first = calloc(run.count_count + 1, sizeof *first);
      if (first)
        memcpy(first, run.counts, run.count_count * sizeof *first);
      first_count = run.count_count;
    } else if (!equal_counts(first, first_count, &run)) {
      printf("run %ld has other counts\n", i);
      print_run(target, &run);
      status = 1;
    }
  }
  if (options.speed)
    printf("each: %.1f us of the program, %.1f us elapsed, %.1f us of this process\n",
           seconds / (double)options.again * 1e6, (sc_clock_now() - clock) / (double)options.again * 1e6,
           (spent() - before) / (double)options.again * 1e6);
  free(first);
  return status;
}

static int run_lines(struct sc_fuzz_target *target)
{
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  int status = 0;
  while (status == 0 && (length = getline(&line, &capacity, stdin)) > 0) {
    char *text;
    sc_buf input = {0};
    line[length - 1] = '\0';
    unsigned long times = strtoul(line, &text, 10);
    for (text += *text == ' '; times-- > 0;)
      for (const char *at = text; *at; at++) {
        bool newline = at[0] == '\\' && at[1] == 'n';
        sc_buf_add(&input, newline ? "\n" : at, 1);
        at += newline;
      }
    status = run_input(target, input.length ? input.text : "", input.length);
    sc_buf_free(&input);
    fflush(stdout);
  }
  free(line);
  return status;
}

static int read_options(int argc, char **argv)
{
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(name, "--numbers") == 0)
      options.numbers = true;
    else if (strcmp(name, "--speed") == 0)
      options.speed = true;
    else if (strcmp(name, "--harness") == 0)
      options.spec.harness = true;
    else {
      if (strcmp(name, "--show") == 0)
        options.show = value;
      else if (strcmp(name, "--scratch") == 0)
        options.spec.scratch = value;
      else if (strcmp(name, "--directory") == 0)
        options.spec.directory = value;
      else if (strcmp(name, "--seconds") == 0)
        options.spec.seconds = strtod(value, NULL);
      else if (strcmp(name, "--memory") == 0)
        options.spec.memory = strtoull(value, NULL, 10);
      else if (strcmp(name, "--file-size") == 0)
        options.spec.file_size = strtoull(value, NULL, 10);
      else if (strcmp(name, "--processes") == 0)
        options.spec.processes = strtoull(value, NULL, 10);
      else if (strcmp(name, "--again") == 0)
        options.again = strtol(value, NULL, 10);
      i++;
    }
  }
  return i + 1;
}

int main(int argc, char **argv)
{
  struct sc_fuzz_target *target;
  int first = read_options(argc, argv);
  options.spec.argv = argv + (first < argc ? first : argc);
  if (sc_fuzz_target_open(&options.spec, &target) < 0)
    return fail_runs();
  int status = run_lines(target);
  target->ops->close(target);
  return status;
}
