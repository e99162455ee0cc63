/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "instrument/attach/catch.h"
#include "runner/attach/groups.h"
#include "runner/process/consumed.h"

/* Keeps an attach within its budget while it lasts: what the probes take is measured all the time, and what tells least
 * for it goes first. */

typedef struct sc_watch_options {
  pid_t process;
  double seconds;  /* how long */
  double overhead; /* of the processor time that the program takes without probes */
  volatile int *interrupted;
  void (*dropped)(void *user, const sc_group *group); /* may be NULL */
  void *user;
  sc_consumed *consumed; /* begins when all have joined */
} sc_watch_options;

enum sc_watch_end { SC_WATCH_TIME, SC_WATCH_INTERRUPTED, SC_WATCH_TARGET /* it ended */ };
typedef struct sc_watch_result {
  double seconds;           /* that it was attached */
  double processor;         /* seconds that the program took meanwhile, with what the probes took */
  double probes;            /* seconds of these */
  double calls;             /* that were counted or caught */
  double knapsack, ranking; /* utilities of the sets that both ways choose at first */
  size_t processes;         /* that were there */
  enum sc_watch_end end;
} sc_watch_result;

/* Processes join the run, which sc_catch_begin began; returns when it is over. The caller stops counting. */
int sc_watch_run(sc_catch *caught, sc_groups *groups, const sc_watch_options *options,
                 sc_watch_result *result) SC_CHECK;

/* Part of the program's own time: what its probes took of `processor` seconds, which contain it. */
double sc_watch_overhead(double probes, double processor, double seconds);
