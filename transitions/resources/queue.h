/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * A closed queueing network of one kind of station: a number of customers think, then queue at one of the stations,
 * each as likely, are served, and think again. Times in seconds. Detached: customers do not stay while they are served.
 * They ask for a unit every `think` seconds, wait for it, and go on; somebody gives it back `hold` later. So one
 * customer may hold many units, or units that others give back.
 *
 * Processors are a second station. Parts of hold and think time are processor time; where more threads can run than
 * there are processors they share them, and all that takes longer.
 */
typedef struct sc_queue {
  double hold;      /* service time, >= 0 */
  double think;     /* >= 0 */
  double customers; /* >= 0, need not be whole */
  double stations;  /* >= 1: instances of a lock */
  double servers;   /* >= 1 of each station: units of a pool */
  bool detached;
  double hold_work, think_work; /* processor time in hold and think, at most these; not detached */
  double hold_exposed;          /* share, 0..1, of what sharing adds to hold_work that passes while it is held: else the
                                   next holder waits for a processor before it takes what is free */
  double processors;            /* of the machine; 0: one for everybody */
  double others;                /* threads of other programs that can always run */
  bool grouped;                 /* the system gives programs their part, not threads: `others` leave the same share of
                                   the processors however many of the customers can run */
  double steady;   /* how alike holds of one server are: 0 if they vary as exponential ones do, 1 if they last
                      the same, 1 less the square of their coefficient of variation */
  double handover; /* from a release to the hold of one that waited; one station of one server only */
  double kept_out; /* detached: how much longer a unit is out while somebody waits for one, seconds */
} sc_queue;

typedef struct sc_queue_result {
  double wait;        /* of one visit */
  double blocked;     /* share of visits that wait: that find all servers busy, 0..1 */
  double throughput;  /* visits a second, all customers together */
  double share;       /* of a customer's time that is waiting, 0..1 */
  double utilisation; /* of a server, 0..1. Time until whoever may hold it has a processor counts as waiting */
  double cycle;       /* from one visit to the next without waiting, processors being shared */
  double stretch;     /* time that processor time takes, over itself; 1: never without a processor */
  double out;         /* detached: mean time that a unit is out */
} sc_queue_result;

/* What the customers ask of a server if nobody ever waits: N h / (h + z) / (stations servers), detached
 * N h / z / (stations servers); from 1 on it is saturated. */
double sc_queue_offered(const sc_queue *queue);
/* By how much they ask for less because they share the processors, 0..1. */
double sc_queue_slowed(const sc_queue *queue);
/* The number of customers from which on it is saturated (Denning and Buzen): stations servers (h + z) / h, detached
 * stations servers z / h; INFINITY if h is 0. */
double sc_queue_saturation(const sc_queue *queue);
/* Exact mean value analysis (Reiser and Lavenberg) for stations of one server, with the share of visits that wait by
 * the arrival theorem; waits of steady holds are shorter, as one station of one server has it exactly (Takacs); for one
 * station of several servers, and for detached customers, the birth and death process of their number there (several
 * detached stations each on their own); for several of several Seidmann's approximation; for customers in thousands the
 * asymptotes. With processors, the fixed point of this queue, whose times the processors stretch, and of the
 * processors, at which those are that do not wait in the queue. All 0 if hold and think time are.
 */
sc_queue_result sc_queue_solve(const sc_queue *queue);
/* How much longer processor time takes for `customers` that need a processor for `work`, then are away for `away`, and
 * share `processors` with `others` that always need one: the machine repairman's problem with several repairmen and
 * processor sharing, exactly; for thousands the asymptote. 1 or more. */
double sc_queue_stretch(double customers, double work, double away, double processors, double others);
/* The mean time that a reader, which asks every `think` seconds, is kept waiting by one exclusive hold. */
double sc_queue_blocked(double hold, double think);
