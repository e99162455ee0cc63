/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/question.h"

/* Whether those that write wait until no reader is left. The question comes first: what predicts gets that alone. */
typedef struct sc_kept_out {
  sc_question question;
  double by, low, high; /* odds of waiting as measured, over those computed: of most sizes, the least, the most */
} sc_kept_out;

/* *asked: readers of the lock are other threads than its writers; else there is nothing to ask. */
int sc_kept_out_ask(const sc_resources *r, const sc_resource_cell *cell, sc_kept_out *out, bool *asked) SC_CHECK;
/* The sentences of a finding about that question (sc_draft_tell). */
void sc_kept_out_tell(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice);
