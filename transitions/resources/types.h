/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "profiles/graph/usage.h"
#include "transitions/findings/findings.h"

/* What is said of resources: metrics and their series, findings, pools, hot stripes, scalability. */
typedef struct sc_resources sc_resources;
/* NULL is allowed. */
void sc_resources_free(sc_resources *resources);

/* What the workload's parameter means: decides what growth is worth a warning. */
enum sc_parameter_kind {
  SC_PARAMETER_DATA,    /* more data: memory that grows in proportion is no pathology */
  SC_PARAMETER_WORK,    /* more work on the same data: whatever keeps growing is one */
  SC_PARAMETER_THREADS, /* more threads or processes of the program at the same work */
  SC_PARAMETER_CLIENTS  /* more clients of a server */
};
/* Whether it counts who works at the same time: threads or clients. */
static inline bool sc_parameter_is_workers(enum sc_parameter_kind kind)
{
  return kind == SC_PARAMETER_THREADS || kind == SC_PARAMETER_CLIENTS;
}

/* All runs of a study, as points of several parameters: the first is the analysis's. */
typedef struct sc_resources_runs {
  const sc_graph *graph; /* contexts and resources have the numbers of those of the analysis */
  const size_t *runs;    /* [count] of the graph */
  const double *at;      /* [count][parameters] */
  size_t count, parameters;
  const char *const *names;            /* [parameters] */
  const enum sc_parameter_kind *kinds; /* [parameters] */
} sc_resources_runs;

typedef struct sc_resource_options {
  enum sc_parameter_kind kind;
  const char *const *tasks; /* functions that are a request's entry [task_count]; others: thread roots */
  size_t task_count;
  double processors;       /* of the machine that measured; 0: not known */
  double other_processors; /* of an idle machine to predict for; 0: the one that measured, as busy as it was */
} sc_resource_options;

/* Metrics of a resource that have a model each. Times are in seconds, ratios without unit. */
enum sc_resource_metric {
  SC_RMETRIC_ACQUIRES,
  SC_RMETRIC_FAILURES,
  SC_RMETRIC_WAITS,
  SC_RMETRIC_RELEASES,
  SC_RMETRIC_USES,
  SC_RMETRIC_UNITS,
  SC_RMETRIC_OUTSTANDING, /* at the end */
  SC_RMETRIC_PEAK,
  SC_RMETRIC_HOLD, /* mean, of one hold */
  SC_RMETRIC_HOLD_TOTAL,
  SC_RMETRIC_WAIT, /* mean, of one acquire */
  SC_RMETRIC_WAIT_TOTAL,
  SC_RMETRIC_THINK, /* mean time of a thread between giving back and the next acquire, waits left out */
  SC_RMETRIC_THREADS,
  SC_RMETRIC_INSTANCES,
  SC_RMETRIC_UTILISATION, /* exclusive hold time over span, per instance (of hot ones: of the busiest), or per unit of
                             capacity */
  SC_RMETRIC_USE_RATIO,   /* uses over acquires */
  SC_RMETRIC_FAILURE_RATIO,
  SC_RMETRIC_COUNT
};
const char *sc_resource_metric_name(enum sc_resource_metric metric); /* "acquires", "mean hold time", ... */
const char *sc_resource_metric_unit(enum sc_resource_metric metric); /* "", "s", "units" */

/* A resource (context SC_USAGE_NONE), or what calls in a context do to it: those at a line, or (line, column 0) what is
 * not kept apart by line. */
typedef struct sc_resource_spot {
  uint32_t resource, context, line, column;
} sc_resource_spot;

/* One metric of one resource, or of one resource in one context. */
typedef struct sc_resource_series {
  const double *sizes, *values; /* [count] every fitted run, ascending by size; repeats stand one behind the other */
  size_t count;
  sc_model model;
} sc_resource_series;

/* Where what was computed of a metric missed what was measured by most, so that its predictions are corrected. */
typedef struct sc_resource_correction {
  double n; /* 0: nothing was missed */
  double computed, measured;
} sc_resource_correction;

typedef struct sc_resource_number { /* behind a finding */
  enum sc_resource_metric metric;
  double measured;          /* at the largest measured size (median of repeats) */
  sc_interval *predictions; /* [options.target_count] of the analysis */
  const sc_model *model;    /* NULL: computed from others (docs/resources.md says how) */
  sc_resource_correction correction;
} sc_resource_number;

enum sc_resource_role { SC_ROLE_ACQUIRES, SC_ROLE_HOLDS, SC_ROLE_KEEPS, SC_ROLE_WAITS, SC_ROLE_FAILS };
const char *sc_resource_role_name(enum sc_resource_role role); /* "acquires", "holds", "keeps", "waits", "fails" */

typedef struct sc_resource_site { /* a code site that takes part, ranked */
  enum sc_resource_role role;
  uint32_t context;
  const char *via;
  uint32_t line, column; /* of the call, or 0 */
  double amount, share;  /* of what the role says, at the largest measured size; share of the resource's, 0..1 */
} sc_resource_site;

typedef struct sc_resource_task { /* a thread root or request entry, ranked */
  uint32_t context;
  double amount, share;
} sc_resource_task;

typedef struct sc_resource_pair { /* who waited while who held, ranked, at the largest measured size */
  uint32_t waiter, holder;        /* contexts; holder SC_USAGE_NONE: not known */
  uint32_t waiter_line, waiter_column, holder_line, holder_column;
  double waits, seconds, share;
  double seconds_small; /* the same pair at the smallest size, per wait */
} sc_resource_pair;

typedef struct sc_resource_nested { /* what holders wait for while they hold it, at the largest measured size */
  uint32_t resource;                /* waited for; of calls that block: a class that is no resource */
  uint32_t context, line, column;   /* of the call that waits longest; line, column 0: not known */
  double seconds;                   /* mean of the runs */
  double share;                     /* of the time that it is held, 0..1 */
  double ahead;                     /* that share at the horizon, as far as it is predicted; 0: not told */
} sc_resource_nested;

typedef struct sc_resource_finding {
  enum sc_rule rule;
  uint32_t resource;
  enum sc_severity severity;
  double confidence;         /* 0..1 */
  sc_interval emergence;     /* size from which on the rule holds; infinite: not below any size looked at */
  const sc_resources *along; /* NULL: it holds where the others of these resources do. Else those that it is of, at
                                another value of a further parameter: `emergence` is a value of that */
  bool *holds_measured;      /* [sc_analysis distinct sizes] whether it holds at each measured size */
  bool *holds_predicted;     /* [target_count] */
  uint32_t context;          /* SC_USAGE_NONE, or the context that the finding is about (an allocation site) */
  uint32_t line, column;     /* of the call there; 0: not known, or not about one */
  double servers;            /* threads of the pool that it is about, whose work is queued behind a condition; else 0 */
  sc_resource_number *numbers;
  size_t number_count;
  sc_resource_site *sites;
  size_t site_count;
  sc_resource_task *tasks;
  size_t task_count;
  sc_resource_pair *pairs;
  size_t pair_count;
  sc_resource_nested *nested; /* contention: of a tenth of the hold time or more, the longest first */
  size_t nested_count;
  char *also;     /* weaker findings that name the same line for the same reason, "; " between them; NULL: none */
  char *evidence; /* sentences, with figures */
  char *advice;
} sc_resource_finding;

/* Whether findings about resources of this severity are as probably nothing: a confidence below SC_CONFIDENCE_SURE, and
 * nothing else, makes them notes. Nobody is to be alarmed by them. */
static inline bool sc_resource_uncertain(enum sc_severity severity) { return severity == SC_SEVERITY_NOTE; }

/* Universal Scalability Law X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)), for THREADS and CLIENTS. */
typedef struct sc_scalability {
  bool known; /* false: `why` says why not */
  const char *why;
  sc_interval lambda, sigma, kappa;  /* throughput of one; contention; coherency */
  sc_interval peak, peak_throughput; /* where throughput is highest (infinite: grows for ever), and how high */
  double error;                      /* mean relative error of the fit */
  double *sizes, *throughputs;       /* [count] measured: completed work per second */
  size_t count;
} sc_scalability;

/* A pool of threads whose work is queued behind a condition. */
typedef struct sc_thread_pool {
  double threads;
  uint32_t answers;        /* the condition that its clients wait for; SC_USAGE_NONE: not known */
  bool closed;             /* a client waits until what it asked for is done */
  const uint32_t *clients; /* [client_count] contexts of the functions that those begin in who hand out the work */
  size_t client_count;
} sc_thread_pool;
/* Whether there is such a pool behind a resource. If so, its metrics are those of the pool: requests are acquires,
 * served in holds. */
bool sc_resources_pool(const sc_resources *resources, uint32_t resource, sc_thread_pool *pool);
/* Whether whoever holds it waits for work, as the thread does that has the turn to accept: the more there is to do, the
 * sooner it is given back, so that it is held all the time and serves ever more. How busy its threads are is not seen.
 */
bool sc_resources_awaits_work(const sc_resources *resources, uint32_t resource);
/* What a run tells of a pool's threads, all together, in seconds. */
typedef struct sc_pool_times {
  double threads, items; /* how many; requests that they served */
  double span, loaded;   /* as in sc_occupancy, of the condition */
  double active, idle;   /* from each one's first wait for work to its last; waited in it */
  double answered;       /* that clients waited for answers; 0: not known */
} sc_pool_times;
/* Seconds that they were busy. */
double sc_pool_busy(const sc_pool_times *times);
/* Seconds in which there was something to do for them, and which utilisation is the busy share of; `busy` as above. */
double sc_pool_loaded(const sc_pool_times *times, double busy);
/* Seconds that its clients waited for one of its threads, if they waited `answered` for answers; `closed` as in
 * sc_thread_pool. */
double sc_pool_waited(bool closed, double answered, double busy);
/* A hot stripe: a few locks of one name are held for most of the time, at the largest size measured. Its
 * utilisation, and what is computed from that, are those of the busiest instance. */
typedef struct sc_resource_hot {
  double instances;      /* there are */
  double hot;            /* of these, each held for at least twice its part, by more than chance */
  double share, busiest; /* of the exclusive hold time, 0..1: of the hot ones together, of the busiest one */
} sc_resource_hot;
bool sc_resources_hot(const sc_resources *resources, uint32_t resource, sc_resource_hot *hot); /* false: none is */
/* "1 of 16 instances has 72% of the hold time of all". */
void sc_resource_hot_text(const sc_resource_hot *hot, sc_buf *out);
