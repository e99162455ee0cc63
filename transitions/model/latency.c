/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/latency.h"

#include <math.h>

#include "transitions/model/tuning.h"

/* Seconds, by the same sizes: of a server's processor with 32 KiB and 512 KiB of its own caches, beside other work. */
static const double USUAL[SC_LATENCY_SIZES] = {1.5e-9, 2e-9,  4e-9,  4.5e-9, 7e-9,   13e-9,
                                               30e-9,  60e-9, 90e-9, 130e-9, 160e-9, 180e-9};

/* Between two measured working sets in logarithms, as both axes span decades; beyond the ends what the ends have. */
static double read_curve(const double *measured, double bytes)
{
  const double *steps = measured[0] > 0 ? measured : USUAL;
  double at = log2(fmax(bytes, 1)) - SC_LATENCY_LEAST;
  if (!(at > 0))
    return steps[0];
  if (at >= SC_LATENCY_SIZES - 1)
    return steps[SC_LATENCY_SIZES - 1];
  int below = (int)at;
  return steps[below] * pow(steps[below + 1] / steps[below], at - below);
}

double sc_latency_step(const sc_latency *latency, double bytes) { return read_curve(latency->steps, bytes); }

double sc_latency_fast_step(const sc_latency *latency, double bytes) { return read_curve(latency->fast, bytes); }

double sc_latency_least_step(const sc_latency *latency, double bytes) { return read_curve(latency->least, bytes); }

double sc_latency_most_step(const sc_latency *latency, double bytes) { return read_curve(latency->most, bytes); }

double sc_latency_likely_most(const sc_latency *latency, double bytes)
{
  double most = sc_latency_most_step(latency, bytes), step = sc_latency_step(latency, bytes);
  if (!(latency->moments > 0) || latency->moments >= SC_LATENCY_MOMENTS || step < SC_LATENCY_SHARED * latency->steps[0])
    return most;
  double likely = step * exp(SC_LATENCY_SPREAD * sqrt(1 + 1 / latency->moments));
  return fmax(most, fmin(likely, latency->most[SC_LATENCY_SIZES - 1]));
}

double sc_latency_page(const sc_latency *latency) { return latency->page > 0 ? latency->page : SC_LATENCY_USUAL_PAGE; }
