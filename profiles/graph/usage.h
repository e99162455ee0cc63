/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"

/*
 * What the contexts of a graph did to resources in each run: acquired, waited for, used, held, gave back. Rows are
 * sparse: only contexts that touched a resource have any. Resources are numbered from 0 in the order they came, and
 * keep their numbers while the graph lives.
 */
/* Values as in profiles/layout.inc. */
enum sc_resource_class {
  SC_RESOURCE_MUTEX = 1,
  SC_RESOURCE_RWLOCK,
  SC_RESOURCE_SPINLOCK,
  SC_RESOURCE_SEMAPHORE,
  SC_RESOURCE_CONDITION,
  SC_RESOURCE_BARRIER,
  SC_RESOURCE_THREAD,
  SC_RESOURCE_HEAP,
  SC_RESOURCE_MAPPING,
  SC_RESOURCE_DESCRIPTOR,
  SC_RESOURCE_STREAM,
  SC_RESOURCE_OTHER,  /* the application's own */
  SC_RESOURCE_SLEEP,  /* from here on no resources, but what a call waits for: time, or a signal; */
  SC_RESOURCE_IO,     /* input or output; */
  SC_RESOURCE_PROCESS /* the end of a process */
};
const char *sc_resource_class_name(enum sc_resource_class resource_class); /* "mutex", "heap", ... */
/* Whether one at a time has it, or several who only read. */
static inline bool sc_resource_class_locks(enum sc_resource_class resource_class)
{
  return resource_class == SC_RESOURCE_MUTEX || resource_class == SC_RESOURCE_RWLOCK ||
         resource_class == SC_RESOURCE_SPINLOCK;
}
/* Whether it is no resource: its rows say how long calls of the system waited (transitions/model/waiting.h). */
bool sc_resource_class_blocks(enum sc_resource_class resource_class);
/* Heap and mapping: what is in use is bytes. */
bool sc_resource_class_memory(enum sc_resource_class resource_class);
/* What one unit is: "byte" for heap and mapping, "lock", "descriptor", "stream", "thread", else "unit". */
const char *sc_resource_class_unit(enum sc_resource_class resource_class);
/* Many of them: "mutexes", "descriptors". Also the name of the resource where the class says all: "heap". */
const char *sc_resource_class_plural(enum sc_resource_class resource_class);

/* Two are the same if class, name, file and line are. Strings are never NULL. */
typedef struct sc_resource {
  enum sc_resource_class resource_class;
  const char *name; /* "order_book::mutex", "heap", "buffer pool" */
  const char *file; /* where it is declared; "" if unknown or none */
  uint32_t line;    /* there, or 0 */
  bool probe;       /* from a probe set or an annotation */
  bool global;      /* its instances are shared between processes */
  bool idle;        /* waiting for it is idling, not contention */
  double capacity;  /* units there are, as the probe set says; 0: not known */
} sc_resource;

enum sc_usage_value {
  SC_USAGE_ACQUIRES, /* that succeeded */
  SC_USAGE_FAILURES, /* acquires that failed */
  SC_USAGE_WAITS,    /* that took the slow path */
  SC_USAGE_RELEASES, /* calls that gave something back */
  SC_USAGE_READS,
  SC_USAGE_WRITES,
  SC_USAGE_UNITS,          /* acquired here */
  SC_USAGE_UNITS_RELEASED, /* by the releases here */
  SC_USAGE_RETURNED, /* acquires here whose units were given back, by whomever; by a process' end, if others lived on */
  SC_USAGE_RETURNED_UNITS, /* the outstanding ones at the end are UNITS - RETURNED_UNITS */
  SC_USAGE_UNSEEN,         /* of RETURNED: given back where nobody saw it */
  SC_USAGE_STRANGERS,      /* releases here of what nobody saw acquired */
  SC_USAGE_PEAK, /* most units outstanding at a time; over instances, threads and processes that lived at a time the
                  * sum: an upper bound */
  SC_USAGE_WAIT_SECONDS,
  SC_USAGE_HOLDS, /* holds that ended */
  SC_USAGE_HOLD_SECONDS,
  SC_USAGE_VALUES
};

enum { SC_USAGE_BUCKETS = 40 };

/* What a call does; values as enum scale_event in profiles/layout.inc. */
enum sc_usage_event {
  SC_USAGE_EVENT_ACQUIRE = 1,
  SC_USAGE_EVENT_READ,
  SC_USAGE_EVENT_WRITE,
  SC_USAGE_EVENT_WAIT,
  SC_USAGE_EVENT_RELEASE,
  SC_USAGE_EVENT_NAME,
  SC_USAGE_EVENT_RESIZE
};
const char *sc_usage_event_name(enum sc_usage_event event); /* "acquire", "read", ... */

/* What one function (`via`) called in one place of one context did to one resource in one run. */
typedef struct sc_usage {
  uint32_t context, resource;
  const char *via; /* linkage name of the function that was called: "pthread_mutex_lock"; interned by the graph */
  uint32_t line;   /* of the call, or 0 */
  uint32_t column; /* of the call, or 0 */
  bool shared;     /* holds do not exclude each other (a read lock) */
  enum sc_usage_event event;
  double values[SC_USAGE_VALUES];
  double kept_by_one; /* acquires that one process, which kept most of them, did not give back; 0: none, or not known */
  double buckets[SC_USAGE_BUCKETS]; /* holds of [2^i, 2^(i+1)) nanoseconds */
} sc_usage;

/* What is known of a resource as a whole in one run. */
typedef struct sc_occupancy {
  uint32_t resource;
  double instances;      /* distinct ones (an estimate above some 100) */
  double threads;        /* call trees it was touched in (of all processes): threads one after another share one */
  double active_seconds; /* summed over these trees: from a tree's first event with it to its last */
  double span_seconds;   /* from the first event of any of them to the last */
  double peak;           /* most units out at a time, wherever they were acquired; of several threads, or processes that
                          * lived at a time, the sum: an upper bound. 0: not told, only rows tell */
  double busiest_seconds; /* of a lock: how long its busiest instance was held exclusively; 0: unknown */
  double hot;             /* instances that were held for at least twice their part, by more than chance; 0: none */
  double hot_seconds;     /* how long these were held together */
  double loaded_seconds;  /* part of the span: from the first event of the places that do most to their last; of a
                           * condition, of those that signal it. 0: not known */
} sc_occupancy;

/* Waits of one usage while another one held the resource; or, where that is nested (sc_usage_pair_nested), while the
 * waiting thread itself held what another one had acquired, of another resource. */
typedef struct sc_wait_pair {
  uint32_t waiter, holder; /* indices of the run's usages; holder: SC_USAGE_NONE if nobody knows */
  double waits;            /* 0 of nested waits of resources: not counted */
  double seconds;
} sc_wait_pair;
#define SC_USAGE_NONE UINT32_MAX

/* Events that the check of a run's trace found impossible: sc_reader_merge and sc_study_load* leave their usages out.
 */
typedef struct sc_discarded_event {
  const char *via, *resource; /* function, resource name; owned by the graph */
  const char *why;            /* a sentence */
} sc_discarded_event;

/* Interns a resource (strings are copied) and returns its number. */
int sc_usage_resource(sc_graph *graph, const sc_resource *resource, uint32_t *number) SC_CHECK;
uint32_t sc_usage_resource_count(const sc_graph *graph);
const sc_resource *sc_usage_resource_at(const sc_graph *graph, uint32_t number);
/* Whether a resource is a condition whose name a semaphore has, too: threads wait for it to take units (docs/events.md,
 * "Units behind conditions"), and the semaphore has its waits. */
bool sc_usage_condition_has_units(const sc_graph *graph, uint32_t number);
/* Whether a row is of no resource: it says how long a call of the system waited. */
bool sc_usage_blocks(const sc_graph *graph, const sc_usage *row);

/* Whether the waiting thread itself held meanwhile what the pair's holder had acquired: of calls that block, and of
 * waits for a resource inside of another one's hold. `rows`: the run's. */
bool sc_usage_pair_nested(const sc_graph *graph, const sc_usage *rows, const sc_wait_pair *pair);

/* Adds a row to a run, or adds its values to those of the run's row with the same context, resource, via, line, column,
 * shared and event (`via` is copied). *row is its number there, if not NULL. */
int sc_usage_add(sc_graph *graph, size_t run, const sc_usage *usage, uint32_t *row) SC_CHECK;
/* What is added next is of a process that began and ended as these events of the run did: numbers from 1, UINT64_MAX if
 * it lived on. Processes are to be added in the order they began. What one has out when it ends is given back then:
 * peaks, and what stays out, are the most at a time. Without it all processes count as alive together. */
void sc_usage_begin_process(sc_graph *graph, size_t run, uint64_t began, uint64_t ended);
void sc_usage_end_processes(sc_graph *graph, size_t run); /* all were added */
int sc_usage_add_pair(sc_graph *graph, size_t run, const sc_wait_pair *pair) SC_CHECK;
/* Adds to the run's row of the same resource: processes add up, instances too unless the resource is global (then the
 * most count). */
int sc_usage_add_occupancy(sc_graph *graph, size_t run, const sc_occupancy *occupancy) SC_CHECK;
/* Takes the event's rows out of all runs: those behind them get other numbers. An event that is discarded already keeps
 * its reason. */
int sc_usage_add_discarded(sc_graph *graph, const sc_discarded_event *event) SC_CHECK;
bool sc_usage_is_discarded(const sc_graph *graph, const char *via, const char *resource);
/* Whether calls of some run have lines and no columns, as in studies of earlier versions: further runs of the same
 * program are then to have none either, or no call is the same in both. */
bool sc_usage_lacks_columns(const sc_graph *graph);
/* The column of a call if it takes that to tell it from another call that acquires in the same line of the context, in
 * the run that came last; else 0. */
uint32_t sc_usage_telling_column(const sc_graph *graph, uint32_t context, uint32_t line, uint32_t column);

/* The most units of a resource that were out at a time, at most: the peaks of its rows added up, but of locks that
 * exclude each other no more than there are instances (an estimate that may be too low: three standard errors are
 * added). */
double sc_usage_most_out(const sc_resource *resource, double peaks, double instances);

/* The run's row with the same context, resource, via, line, column, shared and event as one of any run of the graph;
 * NULL: it has none. Valid as those of sc_usage_rows. */
const sc_usage *sc_usage_find(const sc_graph *graph, size_t run, const sc_usage *like);
/* Rows of a run, in the order they came. Valid until the run gets another, or an event is discarded. */
const sc_usage *sc_usage_rows(const sc_graph *graph, size_t run, size_t *count);
const sc_wait_pair *sc_usage_pairs(const sc_graph *graph, size_t run, size_t *count);
const sc_occupancy *sc_usage_occupancies(const sc_graph *graph, size_t run, size_t *count);
const sc_discarded_event *sc_usage_discarded(const sc_graph *graph, size_t *count);
