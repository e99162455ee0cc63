/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/question.h"

/* Cells about which a rule may say the same, gathered by the source location of their contexts and the place of the
 * call there, so that a function that is called from many places has one finding for each of its own. */
typedef struct sc_group_member {
  const sc_resource_cell *cell;
  double weight; /* ranks within the group */
} sc_group_member;

typedef struct sc_groups {
  const sc_resources *r;
  sc_group_member *list;
  size_t count, capacity;
} sc_groups;

/* Refers to the cell. SC_E_NOMEM, after which the list is kept. */
int sc_groups_add(sc_groups *groups, const sc_resource_cell *cell, double weight) SC_CHECK;
/* Judges each group by the question about its heaviest cell, which ask() makes, and frees the list. */
int sc_groups_judge(sc_groups *groups, sc_resources *r, const sc_draft_form *form,
                    int (*ask)(const sc_resources *r, const sc_resource_cell *cell, sc_question *q)) SC_CHECK;
