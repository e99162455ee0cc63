/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_BOTTLENECK_H
#define SC_TRANSITIONS_RESOURCES_BOTTLENECK_H
#include "transitions/resources/internal.h"
#include "transitions/resources/queue.h"

/* Of the customers of a resource's queue at n, those that do not wait for another resource that all of its threads
 * take, too, and that lets fewer through (Denning and Buzen's bottleneck): at most as many as make the queue's
 * throughput what the other one allows. */
int sc_bottleneck_leave(const sc_resources *r, const sc_rcell *cell, double n, const sc_queue *queue,
                        double *customers) SC_CHECK;
#endif
