/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fuzz_target/outcome.h"

#include <signal.h>

#include "runner/text/tuning.h"

enum sc_fuzz_outcome sc_forks_outcome(const sc_forks_end *end, uint64_t memory)
{
  if (end->timed_out)
    return SC_FUZZ_TIMED_OUT;
  bool much = memory && (double)end->peak_kib * 1024 >= SC_FUZZ_MEMORY_SHARE * (double)memory;
  if (end->signal == SIGKILL || ((end->signal || end->exit_status) && much)) /* SIGKILL: the kernel's choice */
    return SC_FUZZ_OUT_OF_MEMORY;
  return end->signal ? SC_FUZZ_CRASHED : SC_FUZZ_ENDED;
}
