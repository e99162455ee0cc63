/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Whose growth it is when a mean hold or think time changes over the sizes: the program's or the machine's. */

/* A time of a cell at each size, n[count] ascending, and the exponent that the sizes agree on. */
typedef struct sc_growth {
  int metric; /* SC_RMETRIC_HOLD or _THINK; of others everything is believed */
  const double *n, *seconds;
  size_t count;
  double slope;
  double noise; /* half the range of a size's repeats, of most sizes, in logarithms; below 0: not known */
} sc_growth;

/* *believed: whether to extrapolate it. *doubt: what the machine adds, believed or not. A rise of hold time is believed
 * if it is long, and more than repeats of a size differ by, or if something counted that may be done under the hold
 * grows with it; a fall of think time if it is long. */
int sc_growth_judge(const sc_resources *r, const sc_resource_cell *cell, const sc_growth *growth, bool *believed,
                    sc_growth_doubt *doubt) SC_CHECK;
/* Keeps a growth that is believed for what is counted to what that may take, beyond the largest size n_max. */
void sc_growth_bound(const sc_growth_doubt *doubt, double n_max, double n, sc_interval *interval);
/* Makes an interval beyond the largest size n_max as wide, at the level, as the doubt has it. */
void sc_growth_widen(const sc_growth_doubt *doubt, double n_max, double n, double level, sc_interval *interval);
