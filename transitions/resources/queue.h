/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_QUEUE_H
#define SC_TRANSITIONS_RESOURCES_QUEUE_H

/*
 * A closed queueing network of one kind of station: so many customers think, then queue at one of the stations, each as
 * likely, are served, and think again. Times in seconds.
 */
typedef struct sc_queue {
  double hold;      /* service time, >= 0 */
  double think;     /* >= 0 */
  double customers; /* >= 0, need not be whole */
  double stations;  /* >= 1: instances of a lock */
  double servers;   /* >= 1 of each station: units of a pool */
} sc_queue;

typedef struct sc_queue_result {
  double wait;        /* of one visit */
  double throughput;  /* visits a second, all customers together */
  double share;       /* of a customer's time that is waiting, 0..1 */
  double utilisation; /* of a server, 0..1 */
} sc_queue_result;

/* What the customers ask of a server if nobody ever waits: N h / (h + z) / (stations servers); from 1 on it is
 * saturated. */
double sc_queue_offered(const sc_queue *queue);
/* The number of customers from which on it is saturated (Denning and Buzen): stations servers (h + z) / h; INFINITY if
 * h is 0. */
double sc_queue_saturation(const sc_queue *queue);
/* Exact mean value analysis (Reiser and Lavenberg) for one server; for more, Seidmann's approximation; for customers in
 * thousands the asymptotes. All 0 if hold and think time are. */
sc_queue_result sc_queue_solve(const sc_queue *queue);
/* The mean time that a reader, which asks every `think` seconds, is kept waiting by one exclusive hold. */
double sc_queue_blocked(double hold, double think);
#endif
