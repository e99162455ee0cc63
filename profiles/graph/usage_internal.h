/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/index.h"
#include "profiles/graph/resource_set.h"
#include "profiles/graph/usage.h"
#include "profiles/graph/usage_lives.h"

enum { SC_USAGE_BITMAP = 4 /* words of 64 bits, for linear counting */ };

/* When, and by how many instances, a process touched a resource. Of several processes: of all. */
struct sc_usage_extent {
  uint64_t bits[SC_USAGE_BITMAP];           /* a bit for hash(instance) */
  double first, last;                       /* CLOCK_MONOTONIC in nanoseconds; last < first: not known */
  double loaded_first, loaded_last;         /* the same, of what sc_occupancy calls loaded */
  double busiest_seconds, hot, hot_seconds; /* as in sc_occupancy, of a process */
  double instances;                         /* that are told apart; 0: only `bits` tell how many there are */
};

/* A run's part. */
struct sc_usage_run {
  sc_usage *rows;
  size_t row_count, row_capacity;
  sc_index by_key; /* row + 1 */
  sc_wait_pair *pairs;
  size_t pair_count, pair_capacity;
  sc_index by_pair; /* pair + 1 */
  sc_occupancy *occupancies;
  struct sc_usage_extent *extents; /* of the same number */
  size_t occupancy_count, occupancy_capacity, extent_capacity;
  uint32_t *occupancy_of; /* [resource] row + 1, or 0 */
  size_t occupancy_of_capacity;
  uint64_t process_began, process_ended; /* of the one that is being added; 0: it is not known who lived when */
  struct sc_usage_alive *alive;          /* [alive_capacity] of the rows, while processes are added */
  size_t alive_capacity;
  struct sc_usage_alive *alive_whole; /* [alive_whole_capacity] the same of the occupancies */
  size_t alive_whole_capacity;
};

/* The graph's. */
struct sc_usage_tables {
  sc_resource_set resources;
  sc_discarded_event *discarded;
  size_t discarded_count, discarded_capacity;
};

/* Free a run's rows, what is known of its processes while they are added, and the graph's tables. */
void sc_usage_free_run(struct sc_usage_run *run);
void sc_usage_forget_processes(struct sc_usage_run *run);
void sc_usage_free(struct sc_usage_tables *tables);

/* As sc_usage_add_occupancy, of one process: `threads` of it were active for so long. */
int sc_usage_occupy(sc_graph *graph, size_t run, uint32_t resource, double threads, double active_seconds,
                    const struct sc_usage_extent *extent) SC_CHECK;
/* How many instances set the bits of an extent. */
double sc_usage_instances(const uint64_t bits[SC_USAGE_BITMAP]);
/* Most units of the resource that one process had out at a time. */
int sc_usage_peak(sc_graph *graph, size_t run, uint32_t resource, double peak) SC_CHECK;
