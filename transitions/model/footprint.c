/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/footprint.h"

#include <math.h>
#include <string.h>

/* KiB by which resident memory grows that is data, not pages of libraries touched late; and less, if it still grows
 * over the last doubling, when all pages have been touched. */
static const double LEAST_KIB = 1024, STEADY_KIB = 512, DOUBLING_KIB = 256;
/* Times of programs whose data grew by a factor f beyond the runs measured were up to f^0.54 times those predicted;
 * from caches to memory a walk over data gets a few times dearer, not more. */
static const double EXPONENT = 0.6, MOST = 4;

static bool data_grow(const sc_analysis *a, double largest)
{
  double least = INFINITY, half = 0, most = 0;
  for (size_t i = 0; i < a->run_count; i++) {
    double kib = (double)sc_graph_run_const(a->graph, a->runs[i])->max_rss_kib;
    least = fmin(least, kib);
    if (a->sizes[i] <= largest / 2)
      half = fmax(half, kib);
    if (a->sizes[i] == largest)
      most = fmax(most, kib);
  }
  return most - least >= LEAST_KIB || (most - least >= STEADY_KIB && half > 0 && most - half >= DOUBLING_KIB);
}

double sc_footprint_factor(const sc_analysis *a, double n)
{
  double largest = a->sizes[a->run_count - 1];
  if (!a->sampled || !sc_analysis_timed(a) || !(n > largest) || a->options.fit.engine == SC_FIT_DELTA_INFER ||
      !data_grow(a, largest))
    return 1;
  return fmin(MOST, pow(n / largest, EXPONENT));
}
