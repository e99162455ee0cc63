/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/resources.h"

/*
 * Two studies of one program before and after a change: what became worse, better, is new or gone, per context and
 * resource, so that noise and mere renaming, moving or inlining of functions give no finding. docs/diff.md has the
 * matching, the tests and their false-alarm rates.
 */
#define SC_COMPARE_NONE UINT32_MAX
/* A function of this name stands for contexts below its parent that a baseline left out. */
#define SC_COMPARE_REST "(rest)"

typedef struct sc_compare_side {
  const sc_analysis *analysis;
  const sc_resources *resources; /* NULL: none recorded */
  const char *machine;           /* where times were measured; NULL: unknown. Times of two machines are not compared */
  bool plain;                    /* times are the plain program's: not compared with those of an instrumented one */
  /* Where `analysis` was moved to other values of further parameters (transitions/model/elsewhere.h): the one at the
   * base, whose runs tell what an execution costs. Both sides have one or none; NULL: `analysis` itself. */
  const sc_analysis *measured;
} sc_compare_side;

enum sc_change_of {
  SC_CHANGE_OF_COUNT,   /* executions of a location, all its contexts that changed alike together */
  SC_CHANGE_OF_COST,    /* own cost of an execution of it */
  SC_CHANGE_OF_RESOURCE /* a metric of a resource */
};

typedef struct sc_change_state {
  uint32_t context, resource; /* the worst context; the resource; SC_COMPARE_NONE: none on this side */
  uint32_t line, column;      /* of a resource: of the call in that context; 0: not known */
  const sc_model *model;      /* of the count or metric of the worst context; NULL: none */
  sc_interval *predictions;   /* [target_count] of the counts together, of the cost of one execution, or of the metric;
                                 NULL on the side that lacks it */
  sc_order counts_as;         /* the model's order; of one that is undecided, the base's lowest plausible one and the
                                 head's highest */
  bool undecided;             /* the data leave another order plausible */
} sc_change_state;

/* What the whole program takes at a target. */
typedef struct sc_change_total {
  sc_interval base, head;
  double factor; /* head over base; NaN where that means nothing */
  bool clear;    /* the factor is beyond what both intervals, and the machine's moods, leave open */
} sc_change_total;

typedef struct sc_change {
  enum sc_rule rule; /* WORSE_ORDER, WORSE_COST, NEW_COST, BETTER, GONE, CHANGE_UNKNOWN */
  enum sc_severity severity;
  enum sc_change_of of;
  enum sc_resource_metric metric; /* of a resource */
  sc_change_state base, head;
  uint32_t *contexts; /* [context_count] all head contexts (of GONE: base contexts) that it is about, worst first */
  size_t context_count;
  bool other_unit;   /* base and head count different things (calls and bytes): the factor is that of executions */
  double factor;     /* head over base at the largest target; infinite: new; 0: gone */
  double share;      /* of the head's (GONE: the base's) predicted total at the largest target, 0..1 */
  double emergence;  /* size from which on head exceeds base by more than noise; NaN: not of that kind */
  double confidence; /* 0..1 */
  char *evidence;    /* sentences with both models and measured points */
} sc_change;

typedef struct sc_comparison {
  const double *targets; /* [target_count] the head's */
  size_t target_count;
  sc_change *list; /* ranked, worst first; worse ones before better ones */
  size_t count;
  uint32_t *base_of; /* [contexts of head] the base's context it was matched with, or SC_COMPARE_NONE */
  uint32_t *head_of; /* [contexts of base] the reverse */
  sc_interval base_total, head_total; /* cost at the largest target; executions where the units of cost differ */
  const char *total_unit;             /* of both: "s", "iterations", an event's name */
  sc_change_total *totals;            /* [target_count] */
  bool totals_cost;                   /* totals are costs in the unit of both; else executions */
  bool same_machine;                  /* costs were compared */
  size_t matched, renamed;            /* contexts; of them, under another name or at another place */
} sc_comparison;

/* SC_E_MISMATCH if the studies have different parameters, or are of different programs. Both sides must outlive the
 * result; sc_comparison_free also after an error. */
int sc_compare(const sc_compare_side *base, const sc_compare_side *head, sc_comparison *out) SC_CHECK;
void sc_comparison_free(sc_comparison *comparison);
