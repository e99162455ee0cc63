/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_CALIBRATE_H
#define SC_TRANSITIONS_RESOURCES_CALIBRATE_H
#include "transitions/resources/check.h"
#include "transitions/resources/demand.h"

/* Figures that follow from a resource's queue. */
enum sc_figure { SC_FIGURE_USED, SC_FIGURE_WAITING, SC_FIGURE_BLOCKED, SC_FIGURE_FAILED, SC_FIGURES };

/* What the sizes measured say of a resource's queue: what kind it is, and how far off it is. */
typedef struct sc_calibration {
  bool detached;         /* threads hold more units than one each, or units that others give back */
  bool crowded;          /* most acquires go to few of the instances: */
  bool crowd_stays;      /* to as many however many there are; else to a share of them */
  double crowd;          /* number or share */
  double most_blocked;   /* of the acquires at any size: those of other instances may never wait */
  double busy;           /* active time of an acquire not waited, over the queue's cycle */
  double each_wait;      /* mean wait of those that waited at the largest size; 0: nobody did */
  double each_customers; /* customers times hold time there */
  double offered;        /* there: what is asked for of what can be served */
  double others;         /* threads of other programs that used the machine meanwhile */
  double exposed;        /* sc_queue.hold_exposed */
  double handover;       /* seconds from a release to the hold of one that waited */
  bool made;
  bool fails;      /* acquires failed while others held it */
  bool tried;      /* they did, and none ever waited: it is only tried */
  sc_check demand; /* of utilisation, before anything is corrected: what is asked for */
  sc_check figures[SC_FIGURES];
} sc_calibration;

/* Made once for a resource of known demand. */
int sc_calibration_get(const sc_resources *r, const sc_rcell *cell, const sc_calibration **calibration) SC_CHECK;

/* What the queue alone made of a metric where that missed most; n is 0 if nothing was missed, or too little to matter.
 */
int sc_calibration_missed(const sc_resources *r, const sc_rcell *cell, enum sc_resource_metric metric,
                          sc_resource_correction *out) SC_CHECK;

/* demand.c: the figures at n as the queue alone has them, after what `calibration` has of its kind and demand so far.
 */
int sc_demand_raw(const sc_resources *r, const sc_rcell *cell, const sc_calibration *calibration, double n,
                  sc_demand *out) SC_CHECK;
/* Interval of a figure: odds of waiting for SC_FIGURE_WAITING, else a share. */
sc_interval *sc_demand_figure(sc_demand *demand, enum sc_figure figure);
#endif
