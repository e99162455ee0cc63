/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_PROCESSORS_H
#define SC_TRANSITIONS_RESOURCES_PROCESSORS_H
#include "transitions/resources/internal.h"

/*
 * Processor time of the threads that use a resource, from one hold to the next: how much of the time in which they
 * neither wait for it nor are blocked elsewhere was processor time, and how much they were ready to run and had no
 * processor. docs/resources.md, "Processors".
 */
typedef struct sc_rprocessors {
  const char *why;              /* not known, and why: a clause; NULL: known */
  double hold_part, think_part; /* processor time: share of hold time, and of think time, without ready time; 0..1 */
  uint64_t roles; /* functions that threads begin with and that acquire it: a bit for each of those of the program */
  double *work, *ready; /* [run_count] of a cycle: seconds on a processor, and ready without one; NAN: not known */
  double *think_ready, *hold_ready; /* [run_count] of these: in think time, in the hold */
} sc_rprocessors;

/* Those of the cell, if they are known; else NULL. */
static inline const sc_rprocessors *sc_rprocessors_known(const sc_rcell *cell)
{
  return cell->processors && !cell->processors->why ? cell->processors : NULL;
}
/* Makes those of all resources of known demand. */
int sc_rprocessors_find(sc_resources *r) SC_CHECK;
void sc_rprocessors_free(sc_rprocessors *processors);
/* Think time without the ready time in it. False if that is not known. */
bool sc_rprocessors_think(const sc_resources *r, const sc_rcell *cell, size_t run, double *value);
/* The same of hold time. */
bool sc_rprocessors_hold(const sc_resources *r, const sc_rcell *cell, size_t run, double *value);
#endif
