/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_FINDINGS_HERD_H
#define SC_TRANSITIONS_FINDINGS_HERD_H
#include "profiles/graph/usage.h"
#include "transitions/findings/findings.h"

/* A thundering herd: all that wait for a condition are woken, one gets on, and the others wait again. In the last run
 * of the largest size: */
typedef struct sc_herd {
  uint32_t resource;      /* the condition */
  double waits;           /* for it in the loop */
  double wakings;         /* of all who wait for it: calls */
  const sc_usage *waking; /* the call that did most of them; owned by the graph */
} sc_herd;

/* Whether that is what the finding's loop is about. */
bool sc_herd_find(const sc_analysis *analysis, const sc_finding *finding, sc_herd *herd);
#endif
