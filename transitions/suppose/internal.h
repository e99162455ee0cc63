/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"
#include "transitions/suppose/suppose.h"

/* Contexts whose executions change by the same factor. Number 0: nothing changes. */
enum sc_suppose_kind { SC_SUPPOSE_NOTHING, SC_SUPPOSE_TIMES, SC_SUPPOSE_ORDER, SC_SUPPOSE_PER_CALL };
typedef struct sc_suppose_group {
  enum sc_suppose_kind kind;
  uint32_t supposition;
  uint32_t outer;  /* group that the factor multiplies: of what is around it, or of the function called */
  uint32_t model;  /* ORDER, PER_CALL: of the executions replaced */
  uint32_t caller; /* PER_CALL: model of the calls */
  uint32_t own;    /* ORDER: context without a model of its own, whose measured executions count; 0: none */
  double anchor;   /* size at which the replaced and the supposed executions are the same; infinity: none */
} sc_suppose_group;

struct sc_suppose {
  const sc_analysis *analysis;
  sc_supposition *list; /* [count], without their contexts */
  size_t count;
  unsigned char *changed; /* [count][contexts] */
  uint32_t *group;        /* [contexts] */
  uint32_t *times;        /* [contexts] group of the factors alone, which orders inside leave in force */
  sc_suppose_group *groups;
  size_t group_count, group_capacity;
  void *tree; /* tsearch: of group numbers */
};

/* Factor of every group at n: fills factors[group_count]. */
void sc_suppose_factors(const sc_suppose *suppose, double n, double *factors);
/* Executions at n of contexts of a group whose own model it replaces, `factor` times what the model says: as sure as
 * they are at the anchor (PER_CALL: as the calls are at n). False if the group replaces another model. */
int sc_suppose_count(const sc_suppose *suppose, uint32_t group, uint32_t model, double n, double factor,
                     sc_interval *count) SC_CHECK;
