/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "instrument/attach/price.h"
#include "profiles/graph/graph.h"
#include "runner/process/uprobes.h"

/* What probes are chosen by: a resource with all its functions (and resources that share some with it), or a function
 * that is only counted. One is probed as a whole or not at all. */
typedef struct sc_group {
  char name[200]; /* of the resources, or of the function */
  bool resource;
  double utility;  /* what it tells: docs/attach.md, "The budget" */
  double calls;    /* a second, when last looked at */
  double price;    /* seconds a second that its probes took then */
  double until;    /* seconds after the beginning at which it was dropped; < 0: it is probed */
  double spent;    /* seconds that its probes took in all, when it is over */
  double requests; /* calls of groups->per until then */
  double share;    /* when it was: of the program's processor time that all probes took */
} sc_group;

typedef struct sc_groups {
  sc_group *list;
  size_t count;
  uint32_t *of;       /* [functions] the group of each */
  double *call_price; /* [functions] seconds of a call */
  size_t functions;
  uint32_t per; /* the function that is called once a request; UINT32_MAX: none */
} sc_groups;

/* Of functions that were found. To be released with sc_groups_free, also after an error. */
int sc_groups_make(const sc_uprobes *uprobes, const sc_prices *prices, sc_groups *groups) SC_CHECK;
void sc_groups_free(sc_groups *groups);
/* Raises utilities by what earlier runs tell: how much more of all calls, and of all waiting, is a group's at the
 * largest size than at the smallest. Without two sizes nothing is known. */
int sc_groups_learn(sc_groups *groups, const sc_uprobes *uprobes, const sc_graph *graph) SC_CHECK;
