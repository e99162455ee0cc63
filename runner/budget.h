/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_BUDGET_H
#define SC_RUNNER_BUDGET_H
#include <cjson/cJSON.h>

#include "runner/judge.h"
#include "runner/report_text.h"

/* A <budget> of the workload held against what is predicted at its size, or against what was measured there if that
 * size was run for real. */
enum sc_budget_state {
  SC_BUDGET_KEPT,       /* the whole interval, or what was measured, is within the limit */
  SC_BUDGET_BROKEN,     /* ... is above the limit */
  SC_BUDGET_CANNOT_TELL /* the limit lies inside the interval, or no time was measured */
};

typedef struct sc_budget_verdict {
  enum sc_budget_state state;
  bool timed;            /* time was measured: `predicted` says something */
  sc_interval predicted; /* seconds of processor time at the budget's size */
  bool was_run;
  double actual; /* seconds, if the size was run for real */
} sc_budget_verdict;

/* The workload's `index`-th budget. */
int sc_budget_judge(const sc_judge *judge, size_t index, sc_budget_verdict *verdict) SC_CHECK;
/* 1 if a budget is broken, else 0, or an error. */
int sc_budget_any_broken(const sc_judge *judge) SC_CHECK;
/* A table of all budgets; nothing without any. */
int sc_budget_print(FILE *out, const sc_judge *judge, const sc_report_text_options *options) SC_CHECK;
/* Adds the list "budgets" to a report (docs/report-format.md). */
int sc_budget_to_json(const sc_judge *judge, cJSON *document) SC_CHECK;
#endif
