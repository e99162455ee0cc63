/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* Seconds of runs that go with a count of the program: elapsed time, waiting, ready time. */

/* seconds = start + each * count of a series, neither negative, by relative least squares. */
typedef struct sc_seconds_line {
  uint32_t model;
  double start, each, error; /* of `each`: half width at 95 % */
  double misfit;             /* mean square of the relative misses */
} sc_seconds_line;

/* The count that explains the seconds [run_count] best; *low and *high: what others that are as good predict at the
 * horizon. `own`: a series that is known to be their cause and has no rivals if it explains them, or SC_NONE. */
sc_seconds_line sc_seconds_best_line(const sc_analysis *analysis, const double *seconds, uint32_t own, double *low,
                                     double *high);
double sc_seconds_line_at(const sc_analysis *analysis, const sc_seconds_line *line, double n);
/* Adds the line's seconds to a blend. `doubt`: of each second, below and above. */
int sc_seconds_add_line(sc_analysis *analysis, const sc_seconds_line *line, double low, double high,
                        const double doubt[2], sc_blend *out) SC_CHECK;
/* Whether seconds that go with a count, `each` of them, rise by more from its least to its most than what starts and
 * exits of processes scatter by. */
bool sc_seconds_show(double each, double least, double most);
/* As sc_seconds_add_line, of seconds [run_count] that nobody timed at their place. Where the line does not show they are
 * the same at every size, and the upper end alone goes with the count. */
int sc_seconds_add_scattering(sc_analysis *analysis, const double *seconds, const sc_seconds_line *line, double low,
                              double high, const double doubt[2], sc_blend *out) SC_CHECK;
/* Adds seconds that go with a model's count, `each` of them (half-widths at 95 %: below, above), and once a run. */
int sc_seconds_add(uint32_t model, double each, double below, double above, double start, sc_blend *out) SC_CHECK;
/* Adds to a blend seconds [run_count] that grow with some count, or by a model of their own. `own`: a series that goes
 * before others that explain them about as well, or UINT32_MAX; `only`: no other is looked at. */
int sc_seconds_load(sc_analysis *analysis, const double *seconds, uint32_t own, bool only, sc_blend *out) SC_CHECK;
/* The same of seconds [run_count] that nobody timed at their place, as with sc_seconds_add_scattering. */
int sc_seconds_load_scattering(sc_analysis *analysis, const double *seconds, sc_blend *out) SC_CHECK;
