/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/sampler/internal.h"
#include "runner/sampler/sampler.h"

/* This program samples itself: `program SCENARIO` burns processor time in known functions, without instrumentation,
 * and the tree that the exact profile would have had is made by hand. Nothing depends on how fast the machine is: every
 * scenario burns a given amount of processor time where it says. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noclone))
#endif

static volatile unsigned long sink;

/* Seconds of processor time: many times what a process needs to start, 20 ms for the loader and more with a sanitizer.
 */
#define BURNT 0.5

/* Until this thread has used this many seconds of processor time more. */
KEEP static void spin(double seconds)
{
  struct timespec from, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
  do {
    for (unsigned i = 0; i < 20000; i++)
      sink += i;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((double)(now.tv_sec - from.tv_sec) + (double)(now.tv_nsec - from.tv_nsec) * 1e-9 < seconds);
}

KEEP static void direct(void)
{
  spin(BURNT);
  sink++; /* no tail call */
}

KEEP static void recurse(unsigned depth)
{
  volatile char frame[64] = {0};
  if (depth)
    recurse(depth - 1);
  else
    spin(BURNT);
  sink += (unsigned long)frame[0];
}

KEEP static int compare(const void *left, const void *right)
{
  spin(BURNT / 5);
  return *(const int *)left - *(const int *)right;
}

KEEP static void *worker(void *argument)
{
  spin(BURNT);
  sink++;
  return argument;
}

KEEP static void threads(void)
{
  pthread_t ids[3];
  for (int i = 0; i < 3; i++)
    if (pthread_create(&ids[i], NULL, worker, NULL) != 0)
      abort();
  for (int i = 0; i < 3; i++)
    pthread_join(ids[i], NULL);
}

KEEP static void forks(void)
{
  pid_t child = fork();
  if (child == 0) {
    spin(BURNT);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

/* Children that are gone before a sampling period is over. */
KEEP static void short_forks(void)
{
  for (int i = 0; i < 200; i++) {
    pid_t child = fork();
    if (child == 0) {
      spin(0.0002);
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
}

KEEP static void execs(char *self)
{
  pid_t child = fork();
  if (child == 0) {
    execl(self, self, "direct", (char *)NULL);
    _exit(127);
  }
  waitpid(child, NULL, 0);
}

KEEP static int scenario(const char *name, char *self)
{
  int values[] = {3, 1, 2, 5};
  if (!strcmp(name, "direct"))
    direct();
  else if (!strcmp(name, "recurse"))
    recurse(20000);
  else if (!strcmp(name, "callback"))
    qsort(values, 4, sizeof values[0], compare);
  else if (!strcmp(name, "threads"))
    threads();
  else if (!strcmp(name, "forks"))
    forks();
  else if (!strcmp(name, "short forks"))
    short_forks();
  else if (!strcmp(name, "execs"))
    execs(self);
  sink++;
  return 0;
}

static char self[4096];
static sc_graph *graph;
static size_t run;
static uint32_t process, entry, place;

static uint32_t add(uint32_t parent, enum sc_location_kind kind, const char *name)
{
  uint32_t number, context;
  sc_location at = {.kind = kind, .name = name, .file = ""};
  assert_int_equal(sc_graph_location(graph, &at, &number), 0);
  assert_int_equal(sc_graph_context(graph, parent, number, &context), 0);
  assert_int_equal(sc_graph_add(graph, run, context, SC_METRIC_COUNT, 1), 0);
  return context;
}

static uint32_t function(uint32_t parent, const char *name) { return add(parent, SC_LOCATION_FUNCTION, name); }

/* Runs a scenario under a sampler and returns it, drained, with the process gone. */
static sc_sampler *sample(const char *name, const sc_sampler_options *options)
{
  int gate[2], status, fds[64];
  char byte;
  sc_sampler *sampler;
  struct pollfd polled[64];
  assert_int_equal(pipe(gate), 0);
  pid_t pid = fork();
  if (pid == 0) {
    close(gate[1]);
    if (read(gate[0], &byte, 1) < 0)
      _exit(126);
    execl(self, self, name, (char *)NULL);
    _exit(127);
  }
  close(gate[0]);
  assert_int_equal(sc_sampler_open(options, pid, &sampler), 0);
  close(gate[1]);
  size_t count = sc_sampler_fds(sampler, fds, 64);
  for (size_t i = 0; i < count; i++)
    polled[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
  while (waitpid(pid, &status, WNOHANG) == 0) {
    poll(polled, count, 10);
    assert_int_equal(sc_sampler_drain(sampler), 0);
  }
  assert_int_equal(status, 0);
  assert_int_equal(sc_sampler_drain(sampler), 0);
  return sampler;
}

static int begin(void **state)
{
  const sc_run about = {.n = 1};
  assert_int_equal(sc_graph_new(&graph), 0);
  assert_int_equal(sc_graph_begin_run(graph, &about, &run), 0);
  process = add(0, SC_LOCATION_PROCESS, strrchr(self, '/') + 1);
  entry = function(process, "main");
  place = function(entry, "scenario");
  return 0;
}

static int end(void **state)
{
  sc_graph_free(graph);
  return 0;
}

static double cost(uint32_t context) { return sc_graph_value(graph, run, context, SC_METRIC_COST); }

/* Most of the process's cost must be where the scenario burns it; start and end of the process are the rest. */
static void expect(const char *name, uint32_t where)
{
  const sc_sampler_options options = {.stack_bytes = 8192, .spool = "/tmp"};
  if (sc_sampler_probe(NULL) < 0)
    skip();
  sc_sampler *sampler = sample(name, &options);
  assert_int_equal(sc_sampler_attribute(sampler, graph, run), 0);
  sc_sampler_close(sampler);
  const sc_run *about = sc_graph_run_const(graph, run);
  assert_true(about->samples > 0);
  assert_true(about->samples_unmatched <= about->samples / 4);
  assert_string_equal(about->cost_event, "task-clock");
  double total = 0;
  for (uint32_t i = 0; i < sc_graph_context_count(graph); i++)
    total += cost(i);
  assert_true(total > 0.05); /* of at least BURNT seconds; the kernel may drop some */
  assert_true(cost(where) > 0.6 * total);
}

TEST_WITH(plain_calls, begin, end) { expect("direct", function(function(place, "direct"), "spin")); }
TEST_WITH(deep_recursion, begin, end) { expect("recurse", function(function(place, "recurse"), "spin")); }
TEST_WITH(thread_roots, begin, end) { expect("threads", function(function(process, "worker"), "spin")); }
TEST_WITH(forked_children, begin, end) { expect("forks", function(function(place, "forks"), "spin")); }
TEST_WITH(new_programs, begin, end) { expect("execs", function(function(place, "direct"), "spin")); }

/* 200 children use 0.2 ms each, 40 ms with few samples or none. Whose it is (runner_sampler_rest_test) depends on how
 * many of them were sampled, and with that on what else the machine does; none of it may be lost. */
TEST_WITH(no_time_of_short_processes_is_lost, begin, end)
{
  double total = 0, counted;
  const sc_sampler_options options = {.frequency = 997, .stack_bytes = 8192, .spool = "/tmp"};
  if (sc_sampler_probe(NULL) < 0)
    skip();
  sc_sampler *sampler = sample("short forks", &options);
  sc_graph_run(graph, run)->user_seconds = 1; /* for machines where only user mode may be sampled */
  assert_int_equal(sc_sampler_attribute(sampler, graph, run), 0);
  counted = (double)sc_sampler_counted(sampler) * 1e-9;
  sc_sampler_close(sampler);
  for (uint32_t i = 0; i < sc_graph_context_count(graph); i++)
    total += cost(i);
  assert_true(counted >= 0.039);
  assert_float_equal(total, counted, 1e-6 * counted);
}

TEST_WITH(callbacks, begin, end)
{
  uint32_t sort = add(place, SC_LOCATION_FOREIGN, "qsort");
  expect("callback", function(function(sort, "compare"), "spin"));
}

TEST_WITH(unknown_functions_cost_their_caller, begin, end) { expect("direct", place); }

TEST_WITH(unknown_programs_are_unmatched, begin, end)
{
  const sc_sampler_options options = {.frequency = 2000, .spool = "/tmp"};
  if (sc_sampler_probe(NULL) < 0)
    skip();
  sc_sampler *sampler = sample("direct", &options);
  sc_graph *other;
  size_t there;
  const sc_run about = {.n = 1};
  assert_int_equal(sc_graph_new(&other), 0);
  assert_int_equal(sc_graph_begin_run(other, &about, &there), 0);
  assert_int_equal(sc_sampler_attribute(sampler, other, there), 0);
  const sc_run *result = sc_graph_run_const(other, there);
  assert_true(result->samples > 0);
  assert_int_equal(result->samples, result->samples_unmatched);
  assert_true(sc_graph_value(other, there, 0, SC_METRIC_COST) > 0.05);
  sc_graph_free(other);
  sc_sampler_close(sampler);
}

/* Page faults are a counter every kernel has. */
TEST_WITH(events_are_counted, begin, end)
{
  const sc_sampler_options options = {.event = "page-faults", .frequency = 1000, .spool = "/tmp"};
  if (sc_sampler_probe("page-faults") < 0)
    skip();
  sc_sampler *sampler = sample("recurse", &options);
  assert_int_equal(sc_sampler_attribute(sampler, graph, run), 0);
  sc_sampler_close(sampler);
  assert_string_equal(sc_graph_run_const(graph, run)->cost_event, "page-faults");
  double total = 0;
  for (uint32_t i = 0; i < sc_graph_context_count(graph); i++)
    total += cost(i);
  assert_true(total >= 100); /* 20,000 frames touch at least 1.2 MB of stack */
}

TEST_WITH(missing_spool_is_an_error, begin, end)
{
  sc_sampler *sampler = NULL;
  const sc_sampler_options options = {.spool = "/proc/self/exe/directory"};
  if (sc_sampler_probe(NULL) < 0)
    skip();
  assert_int_equal(sc_sampler_open(&options, getpid(), &sampler), SC_E_IO);
  assert_null(sampler);
}

TEST_WITH(a_process_that_is_gone, begin, end)
{
  sc_sampler *sampler = NULL;
  pid_t pid = fork();
  if (pid == 0)
    _exit(0);
  waitpid(pid, NULL, 0);
  if (sc_sampler_probe(NULL) < 0)
    skip();
  assert_int_equal(sc_sampler_open(&(sc_sampler_options){.spool = "/tmp"}, pid, &sampler), SC_E_TARGET);
}

int main(int argc, char **argv)
{
  if (argc > 1)
    return scenario(argv[1], argv[0]);
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0)
    return 1;
  return unit_run(NULL, NULL);
}
