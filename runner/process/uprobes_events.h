/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "instrument/attach/functions.h"
#include "instrument/events/probes.h"
#include "runner/process/caught.h"

/* Which events of probe sets uprobes can catch, and what is to be read of their functions' calls. */
typedef struct sc_uprobes_events {
  sc_probes probes;
  sc_caught_events caught;        /* refers to them */
  struct scale_capture *captures; /* [functions] */
  sc_buf uncaught;                /* lines of runner/process/seen.h: the events that cannot be caught, and why */
} sc_uprobes_events;

/* Text of probe sets to keep in a study: of files, separated by semicolons. To be freed. SC_E_INPUT, SC_E_IO,
 * SC_E_USAGE. */
int sc_uprobes_sets(const char *files, char **sets) SC_CHECK;
/* Reads it. SC_E_DAMAGED: it is something else. */
int sc_uprobes_sets_parse(const char *sets, sc_probes *probes) SC_CHECK;

/* What is known of the function of an event. */
typedef struct sc_uprobes_place {
  uint32_t function; /* its number; UINT32_MAX: it has no entry */
  const char *why;   /* then: why not. A literal */
  const char *harm;  /* what watching its return would do to the program; NULL: none. A literal */
} sc_uprobes_place;

/* Chooses from events->probes, whose functions are where `places` [probes.event_count] says. An event that cannot be
 * caught is noted; without acquires or releases nothing of a resource is caught, as what came back and what did not
 * would be wrong. SC_E_INPUT: none is left. */
int sc_uprobes_events_choose(sc_uprobes_events *events, const sc_uprobes_place *places,
                             const sc_functions *functions) SC_CHECK;
void sc_uprobes_events_free(sc_uprobes_events *events);
