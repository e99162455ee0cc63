/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/findings/judging.h"

/* To which part of the coverage a context's own cost, or its executions, belong. */
typedef struct sc_coverage_assignment {
  uint32_t source;          /* the context that is named: where the growth that carries it begins, or itself */
  unsigned char part_class; /* enum sc_coverage_class */
} sc_coverage_assignment;

struct sc_coverage_map {
  sc_coverage_assignment *list[2]; /* [enum sc_coverage_metric][contexts]; one for both where no cost rises by itself */
  struct sc_coverage *last[2];     /* what was asked last, as commands ask again and again; NULL: nothing yet */
  const sc_analysis *last_of[2];
};

/* Once all findings and undecided places are made: judging->classes says what became of each transition. Costs follow
 * their owners; executions of a context whose cost alone grows belong to what is around. */
int sc_coverage_map_new(const sc_judging *judging, const bool *dissolved, struct sc_coverage_map **map) SC_CHECK;
void sc_coverage_map_free(struct sc_coverage_map *map);
