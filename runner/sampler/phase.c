/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/phase.h"

#include <math.h>
#include <sys/random.h>
#include <time.h>

#include "runner/text/tuning.h"

/* 0 to 1 */
static double draw_phase(void)
{
  uint64_t bits;
  struct timespec now;
  if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != (ssize_t)sizeof bits) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    bits = (uint64_t)now.tv_nsec * UINT64_C(0x9e3779b97f4a7c15);
  }
  return (double)(bits >> 11) * 0x1p-53;
}

uint64_t sc_sampler_phase_period(uint64_t period)
{
  return (uint64_t)fmax(1, round((double)period * pow(SC_PHASE_SPREAD, 2 * draw_phase() - 1)));
}

double sc_sampler_phase_weight(uint32_t number, double ratio)
{
  if (number >= SC_PHASE_FAR)
    return 1;
  double moment = number * ratio, density = 0;
  for (uint32_t k = 1; k <= moment * SC_PHASE_SPREAD;
       k++) /* it may be the k-th sample of a run whose period is moment / k */
    if (moment / k <= SC_PHASE_SPREAD)
      density += 1.0 / k;
  density /= 2 * log(SC_PHASE_SPREAD);
  return density > 0 ? 1 / density : 1;
}
