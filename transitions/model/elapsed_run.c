/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/elapsed_run.h"

#include <math.h>

sc_elapsed_run sc_elapsed_of_run(const sc_run *run)
{
  sc_elapsed_run r = {.processor = sc_run_processor(run)};
  r.on = fmin(r.processor, run->wall_seconds);
  r.ready = run->has_waits ? fmin(run->waits[SC_WAIT_RUNNABLE], run->wall_seconds - r.on) : 0;
  r.waiting = fmax(0, run->wall_seconds - r.on - r.ready);
  return r;
}
