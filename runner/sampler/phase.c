/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/phase.h"

#include <math.h>
#include <sys/random.h>
#include <time.h>

/* The periods of all runs are between 1/SPREAD and SPREAD times the one asked for: far enough apart that the second
 * samples begin where the first ones end, and no farther, for what is rare has a large weight. */
static const double SPREAD = M_SQRT2;
static const uint32_t FAR = 64; /* samples from which on all moments are as likely, to a hundredth */

/* 0 to 1 */
static double any(void)
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
  return (uint64_t)fmax(1, round((double)period * pow(SPREAD, 2 * any() - 1)));
}

double sc_sampler_phase_weight(uint32_t number, double ratio)
{
  if (number >= FAR)
    return 1;
  double moment = number * ratio, density = 0;
  for (uint32_t k = 1; k <= moment * SPREAD; k++) /* it may be the k-th sample of a run whose period is moment / k */
    if (moment / k <= SPREAD)
      density += 1.0 / k;
  density /= 2 * log(SPREAD);
  return density > 0 ? 1 / density : 1;
}
