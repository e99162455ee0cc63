/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "runner/judge/judge.h"
#include "runner/text/json_parts.h"
#include "transitions/model/time_growth.h"

struct sc_notices;

/* What a study comes to, in one line: what every report begins with. */
enum sc_outcome_kind {
  SC_OUTCOME_NONE,        /* no superlinear growth, in counts or in the time of an execution */
  SC_OUTCOME_SUPERLINEAR, /* findings that grow superlinearly, or a total or a time that does */
  SC_OUTCOME_UNDECIDED    /* none was found, but it cannot be excluded */
};

typedef struct sc_outcome {
  enum sc_outcome_kind kind;
  size_t superlinear, others, budgets, resources; /* findings, without accepted ones; `others`: not superlinear */
  size_t along;                                   /* of `resources`: those along a further parameter */
  const sc_resource_finding *first_along;         /* of these the one that holds from the least value on; NULL: none */
  bool along_several;                             /* they are along more than one parameter */
  size_t accepted;
  const sc_finding *worst; /* of the superlinear ones; NULL: none */
  size_t undecided;        /* places */
  bool untold;             /* most of what was measured has no model */
  bool chance;             /* `untold`, where runs of one size differ by more than a factor of two */
  bool exact;              /* the counts are, but for 1% of the executions */
  double unmodelled; /* share of what has no model, of cost or executions, where the total has no upper end; or 0 */
  sc_time_growth time;
  bool cut; /* UNDECIDED because the budget of time ended first */
} sc_outcome;

const char *sc_outcome_name(enum sc_outcome_kind kind); /* "none", "superlinear", "undecided" */
/* `notices`: which findings are accepted; NULL: none is. */
int sc_outcome_of(const sc_judge *judge, const struct sc_notices *notices, sc_outcome *outcome) SC_CHECK;
/* Whether the total of the counts at a target, or the time of an execution, is open because the budget of time ended.
 */
bool sc_outcome_is_cut(const sc_judge *judge);
/* "No superlinear growth found (counts exact, time per execution checked up to n = 6,400)": without a full stop, and
 * with every name in it safe to print. */
int sc_outcome_text(const sc_judge *judge, const sc_outcome *outcome, sc_buf *out) SC_CHECK;
/* The command, or the change of the workload file, that decides what the time of an execution, or the budget of time,
 * left open; nothing where nothing is left open. */
void sc_outcome_add_remedy(const sc_judge *judge, const sc_outcome *outcome, sc_buf *out);
/* The command that goes on where the budget of time ended. */
void sc_outcome_add_longer(const sc_judge *judge, sc_buf *out);
/* Adds "verdict" to a report (docs/report-format.md). */
int sc_outcome_to_json(sc_json *json, const sc_judge *judge, const struct sc_notices *notices,
                       cJSON *document) SC_CHECK;
