/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <signal.h>

#include "runner/fuzz_target/server.h"
#include "runner/text/tuning.h"

enum { LIMIT_KIB = 1000 };
static const uint64_t LIMIT = LIMIT_KIB * 1024;

static enum sc_fuzz_outcome outcome(int signal, int status, uint64_t peak_kib, uint64_t memory)
{
  return sc_forks_outcome(&(sc_forks_end){.signal = signal, .exit_status = status, .peak_kib = peak_kib}, memory);
}

TEST(what_ends_by_a_signal_crashed)
{
  assert_int_equal(outcome(0, 0, 10, 0), SC_FUZZ_ENDED);
  assert_int_equal(outcome(0, 3, 10, LIMIT), SC_FUZZ_ENDED);
  assert_int_equal(outcome(SIGSEGV, 0, 10, 0), SC_FUZZ_CRASHED);
  assert_int_equal(outcome(SIGKILL, 0, 10, 0), SC_FUZZ_OUT_OF_MEMORY);
  assert_int_equal(sc_forks_outcome(&(sc_forks_end){.timed_out = true, .signal = SIGKILL}, 0), SC_FUZZ_TIMED_OUT);
}

TEST(what_fails_with_half_its_limit_ran_out_of_memory)
{
  uint64_t edge = (uint64_t)(SC_FUZZ_MEMORY_SHARE * LIMIT_KIB);
  assert_int_equal(outcome(SIGABRT, 0, edge - 1, LIMIT), SC_FUZZ_CRASHED);
  assert_int_equal(outcome(SIGABRT, 0, edge, LIMIT), SC_FUZZ_OUT_OF_MEMORY);
  assert_int_equal(outcome(SIGABRT, 0, edge + 1, LIMIT), SC_FUZZ_OUT_OF_MEMORY);
  assert_int_equal(outcome(0, 1, edge, LIMIT), SC_FUZZ_OUT_OF_MEMORY);
  assert_int_equal(outcome(0, 1, edge - 1, LIMIT), SC_FUZZ_ENDED);
  assert_int_equal(outcome(0, 0, edge + 1, LIMIT), SC_FUZZ_ENDED);
  assert_int_equal(outcome(SIGABRT, 0, edge + 1, 0), SC_FUZZ_CRASHED);
}
