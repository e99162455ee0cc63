/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/series.h"
#include "runner/several/several.h"
#include "runner/text/tuning.h"
#include "transitions/model/elsewhere.h"

_Static_assert((int)SC_SURFACE_PARAMETERS == 1 + (int)SC_RUN_OTHERS, "a surface has all parameters of a workload");

#define SC_SEVERAL_REST UINT32_MAX /* a series without a model of its own */

/* The analysis at other values; of answers at the same values the first one makes it. */
struct sc_several_moved {
  sc_analysis *analysis; /* NULL: none was asked for */
  double others[SC_RUN_OTHERS];
};

/* Points that differ in one parameter alone, the further ones beside it at their bases. */
typedef struct sc_several_line {
  size_t *points; /* [count] ascending by value, one of each */
  double *values; /* [count] */
  size_t count;
  double n; /* the focused parameter there, unless it is the one */
} sc_several_line;

/* A series that no sum of products describes, as the product of models along each parameter: m < 19: 30 n; else n m^2.
 * Its value is that of all lines by reference^(parameters - 1). */
typedef struct sc_several_product {
  sc_model lines[SC_SURFACE_PARAMETERS];
  double reference; /* the value where the lines cross */
} sc_several_product;

struct sc_several {
  const sc_judge *judge;
  size_t parameters;
  const char *names[SC_SURFACE_PARAMETERS];
  enum sc_parameter_kind kinds[SC_SURFACE_PARAMETERS];
  double low[SC_SURFACE_PARAMETERS], high[SC_SURFACE_PARAMETERS];
  double high_varied; /* largest focused value at which further parameters were varied */
  sc_graph *graph;    /* contexts have the same numbers as in the judge's */
  size_t *runs;       /* [run_count] of the graph that are fitted */
  double *at;         /* [run_count][parameters] */
  size_t run_count;
  sc_series_set set;
  uint32_t *series;   /* [context_count] number in the set */
  double *members;    /* [set.count] what contexts in scope that have it weigh in executions: 1, of work less */
  uint32_t *fits;     /* [set.count] index of its surface, or REST */
  sc_surface *models; /* [model_count]; the last one is of the rest's sum, if there is a rest */
  size_t model_count;
  sc_several_line lines[SC_SURFACE_PARAMETERS];
  sc_several_product **products; /* [set.count] NULL: its surface says it, or nothing does */
  bool rest;
  uint32_t contexts;
  double *prices;                             /* [contexts] own cost of an execution */
  bool *priced;                               /* [contexts] samples fell on it in some run */
  struct sc_several_time *time;               /* elapsed time; NULL: not known */
  struct sc_several_moved *moved;             /* what answers were predicted with last */
  bool costs;                                 /* were sampled */
  struct sc_resources_everywhere **resources; /* [1] made when first asked for */
  double checked;                             /* cost measured away from the base by what prices say; NaN: not known */
};

/* fit.c: the series, and their surfaces. */
int sc_several_fit(sc_several *several) SC_CHECK;
/* line.c: the values of each parameter at the size that was run with most of them, of several the largest; of the
 * focused one all sizes. */
int sc_several_find_lines(sc_several *several) SC_CHECK;
void sc_several_free_lines(sc_several *several);
/* product.c: of each series without a model a product, where that reproduces what was counted. */
int sc_several_find_products(sc_several *several) SC_CHECK;
void sc_several_free_products(sc_several *several);
/* Its value at all parameters. */
double sc_several_product_value(const sc_several *several, const sc_several_product *product, const double *at);
void sc_several_product_formula(const sc_several *several, const sc_several_product *product, bool expression,
                                sc_buf *out);
/* The model of a product along a parameter, the others at the values of `at`. */
int sc_several_cut_product(const sc_several *several, const sc_several_product *product, const double *at, size_t along,
                           sc_model *model) SC_CHECK;
/* costs.c: prices, and what they are worth. */
int sc_several_price(sc_several *several) SC_CHECK;

/* elapsed.c: what the elapsed time of all runs goes by, and of an answer. */
int sc_several_time_load(sc_several *several) SC_CHECK;
void sc_several_time_free(sc_several *several);
/* The elapsed time at other values, for an analysis that is moved there; several->time must be known. */
int sc_several_time_there(const sc_several *several, const double *others, sc_elsewhere_time *time) SC_CHECK;
/* cut.c: the analysis moved to other values of further parameters, to be freed by the caller. */
int sc_several_move_analysis(const sc_several *several, const double *others, sc_analysis **analysis) SC_CHECK;
/* The models of all series along a parameter, the others at the values of `at`: models[set.count]. */
int sc_several_cut(const sc_several *several, const double *at, size_t along, sc_model *models) SC_CHECK;
/* at.c: the workload in a study's file. SC_E_TOOLITTLE: it has none. */
int sc_several_workload(const char *path, sc_workload **workload) SC_CHECK;
/* --at, or where it is NULL the targets, without values of the further parameter `over`, which has its base in
 * the points; 0: as sc_several_points. */
int sc_several_points_over(const sc_several *several, const char *list, size_t over, sc_several_point **points,
                           size_t *count) SC_CHECK;
