/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* What the files of this folder share about a comparison; nobody else includes it. */
#include "transitions/compare/compare.h"
#include "transitions/model/data.h"

/* A location of one side with what all its contexts do together. */
typedef struct sc_place {
  const sc_location *at; /* NULL: no context stands for it */
  uint32_t first;        /* context; the others by sc_side.next */
  uint32_t count;        /* contexts */
  uint32_t mate;         /* location of the other side, or SC_NONE */
  uint32_t function;     /* of a loop or work: the location of its function, or SC_NONE */
  const char *file;      /* of the location, or of its function where it has none */
} sc_place;

typedef struct sc_side {
  const sc_compare_side *in;
  const sc_analysis *a;
  const sc_graph *graph;
  uint32_t contexts;
  uint32_t *mate;   /* [contexts] of the other side, or SC_COMPARE_NONE */
  uint32_t *next;   /* [contexts] the next context of the same location; 0: none */
  sc_place *places; /* [place_count] by location number */
  uint32_t place_count;
  double *sizes; /* [size_count] distinct ones measured */
  size_t size_count;
  double *means;                   /* [series][size_count] of the repeats */
  double *totals;                  /* [place_count][size_count] of the location's contexts */
  double *own_cost, *cost;         /* [contexts] predicted at the horizon: own, and with all below */
  double *added_cost, *added_work; /* [contexts] with all below, more than the other side's counts make of it, at this
                                      side's cost of an execution */
  double *own_work, *work;         /* the same of executions */
  double *share;                   /* [contexts] of cost or executions, with all below, the most at any target */
  double total_cost, total_work;
} sc_side;

/* Sizes at which both sides know a value: measured, or between two measured ones. */
typedef struct sc_grid_point {
  double n;
  size_t base[2], head[2];         /* the measured sizes around it; both the same where it was measured */
  double base_weight, head_weight; /* of the second */
} sc_grid_point;

typedef struct sc_grid {
  sc_grid_point *points; /* [count] ascending */
  size_t count;
} sc_grid;

typedef struct sc_compared {
  sc_side base, head;
  const double *targets;
  size_t target_count;
  double horizon;
  sc_grid grid;
  sc_comparison *out;
  size_t capacity; /* of out->list */
} sc_compared;

/* How two curves differ on the grid. */
typedef struct sc_difference {
  size_t points;
  bool equal;   /* at every point, all of them measured on both sides */
  bool between; /* some point was not measured on both */
  double worst; /* largest |ln head / base| */
  double last;  /* ln head / base at the largest size */
  double slope; /* the exponent by which head / base grows from the smallest size to the largest */
  double least; /* of the upper half, the smallest |ln|, 0 if its sign varies */
} sc_difference;

/* sides.c */
int sc_sides_open(sc_compared *c, const sc_compare_side *base, const sc_compare_side *head) SC_CHECK;
void sc_sides_close(sc_compared *c);
/* Mean count over the sizes [size_count]; of what is not counted: 1. */
const double *sc_sides_curve(const sc_side *side, uint32_t context);
/* Of what is not counted: that of a constant 1. */
const sc_model *sc_sides_model(const sc_side *side, uint32_t context);
/* Whether it stands for what a baseline left out. */
bool sc_sides_is_rest(const sc_side *side, uint32_t context);
/* Fills in added_cost and added_work, once contexts are matched. */
int sc_sides_weigh_added(sc_compared *c) SC_CHECK;
/* The nearest ancestor that is matched; the root is. */
uint32_t sc_sides_matched_above(const sc_side *side, uint32_t context);
/* grid.c: of values, or of values over those of parents (NULL: none). `counts`: one more or less of a handful is no
 * difference. */
int sc_grid_make(sc_compared *c) SC_CHECK;
sc_difference sc_grid_compare(const sc_grid *grid, const double *base, const double *head, const double *base_parent,
                              const double *head_parent, bool counts);

/* places.c: which location of the base is which of the head. */
int sc_places_match(sc_compared *c) SC_CHECK;
/* likeness.c: how alike two functions are; a pair above SC_LIKENESS_ENOUGH is the same, renamed. */
double sc_likeness_functions(const sc_compared *c, uint32_t base, uint32_t head);
double sc_likeness_loops(const sc_compared *c, uint32_t base, uint32_t head);
/* Share of children that both contexts have, 0..1; -1: neither has any. */
double sc_likeness_children(const sc_compared *c, uint32_t base, uint32_t head);
/* loops.c: the loops of two functions that are the same, in their order in the source; also their calls of library
 * functions. */
int sc_loops_align(sc_compared *c) SC_CHECK;
/* matching.c: contexts, by locations, then through functions that appeared or disappeared in between. */
int sc_matching_run(sc_compared *c) SC_CHECK;

/* behaviour.c: what became of the count of a matched pair. */
enum sc_behaviour { SC_BEHAVES_SAME, SC_BEHAVES_WORSE_ORDER, SC_BEHAVES_WORSE, SC_BEHAVES_BETTER, SC_BEHAVES_UNKNOWN };
/* Of the head's context, which is matched. Errors are those of predicting. */
int sc_behaviour_judge(const sc_compared *c, uint32_t head, enum sc_behaviour *what) SC_CHECK;
/* Whether `head` grows by a higher order than `base`, which grew by `explained` itself: 1 yes, -1 the data cannot tell,
 * 0 no. */
int sc_behaviour_rise(const sc_model *base, const sc_model *head, double explained);

/* plausible.c: the order that a change counts for. One that the data leave open is the base's lowest plausible one, the
 * head's highest, so that what nobody knew of the base does not excuse what the head does. *undecided: they differ, or
 * there is no model. */
sc_order sc_plausible_order(const sc_side *side, uint32_t context, bool head, bool *undecided);
/* Whether `head` may grow by a higher order than `base` for all that is known, where one of them is undecided. */
bool sc_plausible_rise(const sc_compared *c, uint32_t base, uint32_t head, double explained);

/* change.c */
typedef struct sc_change_draft {
  enum sc_rule rule;
  enum sc_change_of of;
  uint32_t base, head;      /* the worst contexts; SC_COMPARE_NONE: none */
  const uint32_t *contexts; /* [count] of the head; of GONE: the base */
  const uint32_t *others;   /* [count] their counterparts on the other side, SC_COMPARE_NONE: none */
  size_t count;
  double share;
  double confidence;    /* 0: that of the models */
  const char *evidence; /* sentences in place of models and points; NULL: those */
} sc_change_draft;
/* Copies what the draft refers to, and adds figures, places and texts. SC_E_NOMEM. */
int sc_change_add(sc_compared *c, const sc_change_draft *draft) SC_CHECK;
/* Severity, once everything else is there. */
enum sc_severity sc_change_severity(const sc_change *change);
void sc_change_clear(sc_change *change);
int sc_change_rank(sc_comparison *out);

/* counts.c, region.c, each.c, holdings.c: append what they find. */
int sc_counts_compare(sc_compared *c) SC_CHECK;
int sc_region_compare(sc_compared *c) SC_CHECK;
int sc_each_compare(sc_compared *c) SC_CHECK;
int sc_holdings_compare(sc_compared *c) SC_CHECK;
/* small.c: after counts and regions, what of these is only much together. */
int sc_small_compare(sc_compared *c) SC_CHECK;
/* totals.c: fills in the totals of `out`. */
int sc_totals_compare(sc_compared *c) SC_CHECK;
/* tell.c: writes the evidence; `instead` as in a draft. */
int sc_tell_change(const sc_compared *c, const char *instead, sc_change *change) SC_CHECK;
/* How many sizes of a side to go on by, so that the smallest, the largest and at most two between them are told. */
size_t sc_tell_step(const sc_side *s);
