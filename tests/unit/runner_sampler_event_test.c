/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <errno.h>

#include "runner/sampler/event.h"
#include "runner/sampler/sampler.h"

TEST(task_clock_is_the_default)
{
  sc_sampler_event event;
  assert_int_equal(sc_sampler_event_resolve(NULL, 1000, 8192, &event), 0);
  assert_string_equal(event.name, "task-clock");
  assert_true(event.clock);
  assert_false(event.hardware);
  assert_int_equal(event.attr.type, PERF_TYPE_SOFTWARE);
  assert_int_equal(event.attr.config, PERF_COUNT_SW_TASK_CLOCK);
  assert_false(event.attr.freq);
  assert_int_equal(event.attr.sample_period, 1000000);
  assert_int_equal(event.attr.sample_stack_user, 8192);
  assert_true(event.attr.disabled && event.attr.enable_on_exec && event.attr.inherit);
}

TEST(counters_adapt_their_period)
{
  sc_sampler_event event;
  assert_int_equal(sc_sampler_event_resolve("cycles:u", 500, 8192, &event), 0);
  assert_true(event.hardware);
  assert_false(event.clock);
  assert_true(event.privilege_given);
  assert_true(event.attr.exclude_kernel);
  assert_true(event.attr.freq);
  assert_int_equal(event.attr.sample_freq, 500);
}

TEST(unknown_events_are_named)
{
  sc_sampler_event event;
  char longest[200];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  assert_int_equal(sc_sampler_event_resolve("no-such-event", 1000, 8192, &event), SC_E_INPUT);
  assert_non_null(strstr(sc_err_message(), "no-such-event"));
  assert_true(*sc_err_hint_text());
  assert_int_equal(sc_sampler_event_resolve(longest, 1000, 8192, &event), SC_E_INPUT);
}

/* Every cause has its own words and its own way out. */
TEST(refusals_are_told_apart)
{
  static const struct {
    int errnum;
    bool hardware;
    sc_sampler_facts facts;
    const char *message, *hint;
  } cases[] = {
      {ENOENT, true, {2, true, false, false, true}, "virtual machine has no performance monitoring unit", "hypervisor"},
      {ENOENT, true, {2, false, true, false, true}, "this processor has no such counter", "another event"},
      {ENOENT, true, {2, true, true, false, true}, "as the virtual machine shows it", "another event"},
      {ENOENT, false, {2, true, false, false, true}, "this kernel does not have the event", "task-clock"},
      {EACCES, false, {3, false, true, false, false}, "kernel.perf_event_paranoid is 3", "perf_event_paranoid=2"},
      {EPERM, false, {1, false, true, true, false}, "system call filter", "--cap-add=PERFMON"},
      {EPERM, false, {2, false, true, false, false}, "not allowed to sample 'e' of this process", "set-user-ID"},
      {EOPNOTSUPP, true, {2, false, true, false, true}, "not sample it", "task-clock"},
      {ENOSYS, false, {-2, false, false, false, false}, "no perf_event_open", "CONFIG_PERF_EVENTS"},
      {EMFILE, false, {2, false, true, false, true}, "Too many open files", "ulimit -n"},
      {EBUSY, true, {2, false, true, false, true}, "another program holds the counters", "other profiler"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(sc_sampler_event_refused("e", cases[i].hardware, cases[i].errnum, &cases[i].facts),
                     SC_E_UNSUPPORTED);
    assert_non_null(strstr(sc_err_message(), "'e'"));
    assert_non_null(strstr(sc_err_message(), cases[i].message));
    assert_non_null(strstr(sc_err_hint_text(), cases[i].hint));
  }
  const sc_sampler_facts facts = {2, false, true, false, true};
  assert_int_equal(sc_sampler_event_refused("e", false, ESRCH, &facts), SC_E_TARGET);
}

/* Whatever this machine can do, the answer is 0 or a reason with a way out. */
TEST(probes_answer)
{
  static const char *const names[] = {NULL, "task-clock", "page-faults", "cycles:u", "cache-misses"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    int err = sc_sampler_probe(names[i]);
    assert_true(err == 0 || err == SC_E_UNSUPPORTED);
    assert_true(err == 0 || (*sc_err_message() && *sc_err_hint_text()));
  }
  assert_int_equal(sc_sampler_probe("no-such-event"), SC_E_INPUT);
}

TEST(options_are_checked)
{
  sc_sampler *sampler = NULL;
  assert_int_equal(sc_sampler_open(&(sc_sampler_options){.stack_bytes = 4097}, 1, &sampler), SC_E_INPUT);
  assert_int_equal(sc_sampler_open(&(sc_sampler_options){.stack_bytes = 65536}, 1, &sampler), SC_E_INPUT);
  assert_int_equal(sc_sampler_open(&(sc_sampler_options){.frequency = 1e9}, 1, &sampler), SC_E_INPUT);
  assert_int_equal(sc_sampler_open(&(sc_sampler_options){.event = "no-such-event"}, 1, &sampler), SC_E_INPUT);
  assert_null(sampler);
  sc_sampler_close(NULL);
}
