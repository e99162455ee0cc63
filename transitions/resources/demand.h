/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <math.h>

#include "transitions/model/tuning.h"
#include "transitions/resources/cells.h"
#include "transitions/resources/check.h"
#include "transitions/resources/demand_terms.h"
#include "transitions/resources/queue.h"

/* What a resource is asked for at a size, and what follows by operational analysis. docs/resources.md, "Demand". All of
 * it is of one queue, which is corrected where it contradicts what was measured. */
typedef struct sc_demand {
  sc_queue queue; /* best estimates; hold, think time and customers of exclusive holds */
  double cycle;   /* of a thread, from one acquire to the next, if nobody waits for it */
  double crowded; /* share of the acquires that can wait: that go to hot instances, that readers do not share */
  double stretch; /* time that processor time takes there, over itself */
  sc_interval utilisation; /* asked for: may exceed 1 */
  sc_interval used;        /* of it, what the queue serves: utilisation as it is measured, 0..1 */
  double longest, crowd;   /* upper ends of hold time and threads */
  double most;             /* that all customers could use if they held it all the time */
  sc_interval odds;        /* time waited over active time not waited */
  sc_interval wait;        /* of one acquire */
  sc_interval share;       /* of the active time of the threads that use it, 0..1 */
  sc_interval blocked;     /* share of the acquires that wait, 0..1 */
  sc_interval failed;      /* share of all attempts that fail, as `blocked` if nothing is to be waited for; 0..1 */
  bool fails;              /* some did */
} sc_demand;

/* Figures that follow from a resource's queue. */
enum sc_figure { SC_FIGURE_USED, SC_FIGURE_WAITING, SC_FIGURE_BLOCKED, SC_FIGURE_FAILED, SC_FIGURES };

/* What the sizes measured say of a resource's queue: what kind it is, and how far off it is. */
typedef struct sc_calibration {
  bool detached;         /* threads hold more units than one each, or units that others give back */
  bool crowded;          /* most acquires go to few of the instances: */
  bool crowd_stays;      /* to as many however many there are; else to a share of them */
  double crowd;          /* number or share */
  double most_blocked;   /* of the acquires at any size: those of other instances may never wait */
  bool apart;            /* the threads that use it never meet: they take turns, or one has it nearly alone */
  double busy;           /* active time of an acquire not waited, over the queue's cycle */
  double each_wait;      /* mean wait of those that waited at the largest size; 0: nobody did */
  double each_customers; /* customers times hold time there */
  double offered;        /* there: what is asked for of what can be served */
  double others;         /* threads of other programs that used the machine meanwhile */
  bool grouped;          /* sc_queue.grouped */
  double exposed;        /* sc_queue.hold_exposed */
  double handover;       /* seconds from a release to the hold of one that waited */
  bool alone;            /* at other values of further parameters: processors do not explain it, hold and think times of
                            all runs do */
  bool at_intervals;     /* detached: whoever gives back does so at intervals, all that is out at a time */
  bool made;
  bool fails;      /* acquires failed while others held it */
  bool tried;      /* they did, and none ever waited: it is only tried */
  sc_check demand; /* of utilisation, before anything is corrected: what is asked for */
  sc_check figures[SC_FIGURES];
} sc_calibration;

/* Odds of a share, as large as odds are taken for at most. */
static inline double sc_odds_of_share(double share)
{
  return share < 1 ? fmin(share / (1 - share), SC_DEMAND_ODDS) : SC_DEMAND_ODDS;
}
/* The share that odds stand for: 1 of infinite ones. */
static inline double sc_share_of_odds(double odds) { return isfinite(odds) ? odds / (1 + odds) : 1; }
static inline sc_interval sc_shares_of_odds(sc_interval odds)
{
  return (sc_interval){sc_share_of_odds(odds.value), sc_share_of_odds(odds.low), sc_share_of_odds(odds.high)};
}

/* A hold or think time as sc_demand_model has it, and what waits for locks inside of it add to it (inner_locks.h). */
int sc_demand_time(const sc_resources *r, const sc_resource_cell *cell, int metric, double n,
                   sc_interval *time) SC_CHECK;
/* Measured at a size (medians of its runs): exclusive hold time over span, and waiting over active time. False where
 * too little happened to tell. */
bool sc_demand_measured(const sc_resources *r, const sc_resource_cell *cell, size_t size, double *utilisation,
                        double *share);
/* True if utilisation or waiting was seen to grow over the sizes, or the parameter is a number of threads or clients.
 */
int sc_demand_grows(const sc_resources *r, const sc_resource_cell *cell, bool *yes) SC_CHECK;
/* True if the threads would have waited often at the largest sizes if they used the resource alike and at the same
 * time, but hardly ever did: one thread has it nearly alone, or they take turns. */
bool sc_demand_alone(const sc_resources *r, const sc_resource_cell *cell);

/* The figures at n as the queue alone has them, after what `calibration` has of its kind and demand so far.
 */
int sc_demand_raw(const sc_resources *r, const sc_resource_cell *cell, const sc_calibration *calibration, double n,
                  sc_demand *out) SC_CHECK;
/* Interval of a figure: odds of waiting for SC_FIGURE_WAITING, else a share. */
sc_interval *sc_demand_figure(sc_demand *demand, enum sc_figure figure);
