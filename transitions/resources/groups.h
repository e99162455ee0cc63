/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_GROUPS_H
#define SC_TRANSITIONS_RESOURCES_GROUPS_H
#include "transitions/resources/judge.h"

/* Cells about which a rule may say the same, gathered by the source location of their contexts, so that a function that
 * is called from many places has one finding. */
typedef struct sc_group_member {
  const sc_rcell *cell;
  double weight; /* ranks within the group */
} sc_group_member;

typedef struct sc_groups {
  const sc_resources *r;
  sc_group_member *list;
  size_t count, capacity;
} sc_groups;

int sc_groups_add(sc_groups *groups, const sc_rcell *cell, double weight) SC_CHECK;
/* Calls what() with the members of each group [count], the heaviest first, and frees the list. */
int sc_groups_each(sc_groups *groups, sc_resources *r,
                   int (*what)(sc_resources *r, const sc_rcell *const *members, size_t count)) SC_CHECK;
#endif
