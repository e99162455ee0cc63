/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/analysis.h"

/*
 * Whether the processor time of whole runs grows faster than what they execute, so that each execution costs more and
 * more. It is decided apart from the counts: these are exact after one run at milliseconds, times are not.
 */
enum sc_time_state {
  SC_TIME_UNKNOWN,  /* no times, fewer than four sizes, or only a part of the program is asked about */
  SC_TIME_CONSTANT, /* an execution costs about the same at every size, or nobody would notice at the targets */
  SC_TIME_GROWING,
  SC_TIME_UNCHECKED, /* the runs are too short, or too few, to check it, and nothing hints at growth */
  SC_TIME_UNDECIDED  /* the times allow both, and hint at growth */
};

typedef struct sc_time_growth {
  enum sc_time_state state;
  double checked;             /* the largest size */
  double exponent, low, high; /* of the time in n beyond what a process pays to start, with its 95% interval */
  double counts;              /* the highest exponent of the counts, at least 1 */
  double longest;             /* seconds: the time of the largest size */
  bool unnoticed;             /* CONSTANT: only because nobody would notice at the targets */
  double deciding; /* UNCHECKED, UNDECIDED: a size whose time would decide; infinity: none within 1,000 times the
                      largest */
  double between; /* UNCHECKED, UNDECIDED: a size below the largest that tells more than a larger one; GROWING: one that
                     may show where; 0: none */
} sc_time_growth;

/* Computed anew at each call. */
sc_time_growth sc_analysis_time_growth(const sc_analysis *analysis);
/* "unknown", "constant", "growing", "unchecked", "undecided" */
const char *sc_time_state_name(enum sc_time_state state);
/* Whether the time of the largest size is too short to check anything by it. */
bool sc_time_growth_is_short(const sc_time_growth *growth);
