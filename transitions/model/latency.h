/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What this machine's memory takes (runner/process/latency.h measures it; docs/cost.md, "Data that leave the caches").
 */
enum { SC_LATENCY_SIZES = 12, SC_LATENCY_LEAST = 14 };
typedef struct sc_latency {
  /* Seconds of a step from one cache line to the next, in random order within 2^(SC_LATENCY_LEAST + i) bytes:
   * ascending; all 0: not measured. */
  double steps[SC_LATENCY_SIZES];
  double fast[SC_LATENCY_SIZES]; /* the fastest of some at one moment: what runs may have had */
  /* The fewest and the most at any moment of the study: a cache that others share may hold everything now, and nothing
   * then. */
  double least[SC_LATENCY_SIZES], most[SC_LATENCY_SIZES];
  double page;    /* seconds that the first touch of a page takes; 0: not measured */
  double moments; /* that this is known of: `steps`, `fast` and `page` are their geometric means */
} sc_latency;

/* Seconds of a step within `bytes`: as measured, else as usual. Below and above the sizes that were measured it
 * stays as at the ends. */
double sc_latency_step(const sc_latency *latency, double bytes);
double sc_latency_fast_step(const sc_latency *latency, double bytes);
double sc_latency_least_step(const sc_latency *latency, double bytes);
double sc_latency_most_step(const sc_latency *latency, double bytes);
/* The most at any moment, also where too few were measured to see how much they differ on a machine that others use,
 * too: no more than in memory that no cache holds. */
double sc_latency_likely_most(const sc_latency *latency, double bytes);
/* Seconds of the first touch of a page of 4 KiB: as measured, else as usual. */
double sc_latency_page(const sc_latency *latency);
