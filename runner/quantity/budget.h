/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"
#include "runner/text/json_parts.h"
#include "runner/text/text_options.h"
#include "runner/workload/amount.h"

/* A <budget> of the workload held against what is predicted at its size, or against what was measured there if that
 * size was run for real. */
enum sc_budget_state {
  SC_BUDGET_KEPT,       /* the whole interval, or what was measured, is within the limit */
  SC_BUDGET_BROKEN,     /* ... is above the limit */
  SC_BUDGET_CANNOT_TELL /* the limit lies inside the interval, or nothing of the kind was measured: `why` */
};
const char *sc_budget_state_name(enum sc_budget_state state); /* "kept", "broken", "cannot_tell" */

typedef struct sc_budget_verdict {
  enum sc_budget_state state;
  bool known; /* predicted, limit and kind say something; never for an order */
  enum sc_amount_kind kind;
  double limit;
  sc_interval predicted; /* at the budget's size */
  bool was_run;
  double actual;              /* if the size was run for real */
  char found[64];             /* of an order: the highest that was found; "" if none was */
  char why[160];              /* CANNOT_TELL: a few words; else "" */
  uint32_t context, resource; /* what it is about; SC_BUDGET_NONE: everything */
} sc_budget_verdict;
#define SC_BUDGET_NONE UINT32_MAX

/* The workload's `index`-th budget. SC_E_USAGE or SC_E_INPUT with a hint if it names what the study does not have. */
int sc_budget_judge(const sc_judge *judge, size_t index, sc_budget_verdict *verdict) SC_CHECK;
/* Of an order: among everything that is executed in the function (budget_order.c). */
int sc_budget_judge_order(const sc_judge *judge, const sc_budget *budget, sc_budget_verdict *verdict) SC_CHECK;
/* "predicted 3.1 s (2.9 to 3.4 s)", "measured 3.1 s", "it grows as n^2", "no time was measured". */
void sc_budget_words(const sc_budget_verdict *verdict, sc_buf *out);
/* A table of all budgets; nothing without any. */
int sc_budget_print(FILE *out, const sc_judge *judge, const sc_text_options *options) SC_CHECK;
/* Adds the list "budgets" to a report (docs/report-format.md). */
int sc_budget_to_json(sc_json *json, const sc_judge *judge, cJSON *document) SC_CHECK;
