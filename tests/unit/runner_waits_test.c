/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a process waits for, seen from outside. */
#include "unit.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/process/waits.h"

static void sleep_long(void) { sleep(60); }

static void read_nothing(void)
{
  int ends[2];
  char byte;
  if (pipe(ends) == 0)
    _exit(read(ends[0], &byte, 1) > 0);
}

static void lock_twice(void)
{
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
}

static void *sleeping(void *nothing)
{
  sleep(60);
  return nothing;
}

static void join_a_sleeper(void)
{
  pthread_t thread;
  if (pthread_create(&thread, NULL, sleeping, NULL) == 0)
    pthread_join(thread, NULL);
}

static void poll_nothing(void) { poll(NULL, 0, 60000); }

/* The kind that a process with this behaviour is seen in most, in 50 looks; SC_WAIT_KINDS: in none. */
static int see(void (*behaviour)(void))
{
  sc_waits waits = {0};
  pid_t pid = fork();
  if (pid == 0) {
    behaviour();
    _exit(0);
  }
  nanosleep(&(struct timespec){0, 200000000}, NULL); /* until it waits */
  for (int i = 0; i < 50; i++)
    sc_waits_look(&waits, pid, i);
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  int most = SC_WAIT_KINDS;
  assert_int_equal(waits.looks, 50);
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    if (waits.seen[k] > (most < SC_WAIT_KINDS ? waits.seen[most] : 0))
      most = k;
  return most;
}

TEST(processes_are_seen_waiting)
{
  if (access("/proc/self/syscall", R_OK) != 0)
    skip();
  assert_int_equal(see(sleep_long), SC_WAIT_SLEEP);
  assert_int_equal(see(poll_nothing), SC_WAIT_SLEEP);
  assert_int_equal(see(read_nothing), SC_WAIT_IO);
  assert_int_equal(see(lock_twice), SC_WAIT_LOCK);
  assert_int_equal(see(join_a_sleeper), SC_WAIT_SLEEP); /* it waits for what its thread waits for */
}

TEST(nobody_there_is_no_error)
{
  sc_waits waits = {0};
  sc_waits_look(&waits, 0x7ffffff0, 1);
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    assert_int_equal(waits.seen[k], 0);
}

TEST(system_calls_have_kinds)
{
  assert_int_equal(sc_waits_kind(SYS_clock_nanosleep, 0, 0), SC_WAIT_SLEEP);
  assert_int_equal(sc_waits_kind(SYS_fsync, 3, 0), SC_WAIT_IO);
  assert_int_equal(sc_waits_kind(SYS_futex, 0, 0), SC_WAIT_LOCK);
  assert_int_equal(sc_waits_kind(SYS_wait4, 0, 0), SC_WAIT_PROCESS);
  assert_int_equal(sc_waits_kind(SYS_ppoll, 0, 1), SC_WAIT_IO);
  assert_int_equal(sc_waits_kind(SYS_ppoll, 0, 0), SC_WAIT_SLEEP);
  assert_int_equal(sc_waits_kind(SYS_pselect6, 4, 0), SC_WAIT_IO);
  assert_int_equal(sc_waits_kind(-1, 0, 0), SC_WAIT_IO);
  assert_int_equal(sc_waits_kind(SYS_sched_yield, 0, 0), SC_WAIT_OTHER);
}

TEST(looks_are_an_interval_apart)
{
  sc_waits waits = {0};
  assert_int_equal(sc_waits_due(&waits, 5), 0);
  sc_waits_look(&waits, getpid(), 5);
  assert_int_equal(waits.looks, 1);
  sc_waits_look(&waits, getpid(), 5.0005);
  assert_int_equal(waits.looks, 1);
  assert_in_range(sc_waits_due(&waits, 5), 1, 2);
  sc_waits_look(&waits, getpid(), 5.01);
  assert_int_equal(waits.looks, 2);
}

static void expect(const double *got, const double *wanted)
{
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    assert_true(fabs(got[k] - wanted[k]) < 1e-12);
}

TEST(parts_add_up_to_the_elapsed_time)
{
  double seconds[SC_WAIT_KINDS];
  const sc_waits waits = {.looks = 100, .seen = {[SC_WAIT_SLEEP] = 60, [SC_WAIT_IO] = 20}};
  sc_waits_divide(&waits, 10, 4, 2, seconds);
  expect(seconds, (const double[SC_WAIT_KINDS]){[SC_WAIT_RUNNABLE] = 2, [SC_WAIT_SLEEP] = 3, [SC_WAIT_IO] = 1});
  sc_waits_divide(&waits, 10, 9, 5, seconds); /* some of it while another thread ran */
  expect(seconds, (const double[SC_WAIT_KINDS]){[SC_WAIT_RUNNABLE] = 1});
  sc_waits_divide(&waits, 10, 40, 5, seconds); /* four threads */
  expect(seconds, (const double[SC_WAIT_KINDS]){0});
  sc_waits_divide(&(sc_waits){0}, 10, 4, -1, seconds); /* nobody saw anything */
  expect(seconds, (const double[SC_WAIT_KINDS]){[SC_WAIT_OTHER] = 6});
}
