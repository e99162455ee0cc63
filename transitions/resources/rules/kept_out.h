/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/question.h"

/* Odds of waiting as measured, over those computed, at the sizes where writers waited often enough to tell. */
typedef struct sc_kept_out_fit {
  double by, low, high;            /* of most sizes, the least and the most of them and that; 1 without sizes */
  double first, last, least, most; /* at the smallest and the largest of them, and of all */
  size_t sizes;
} sc_kept_out_fit;

/* Whether those that write wait until no reader is left. The question comes first: what predicts gets that alone. */
typedef struct sc_kept_out {
  sc_question question;
  sc_kept_out_fit apart, together; /* for independent readers, and for synchronised ones */
  bool in_step;
} sc_kept_out;

/* *asked: readers of the lock are other threads than its writers; else there is nothing to ask. */
int sc_kept_out_ask(const sc_resources *r, const sc_resource_cell *cell, sc_kept_out *out, bool *asked) SC_CHECK;
/* Whether readers are synchronised: more of them keep writers out no longer, so that what is computed for readers that
 * come each for itself misses by more at each size, and what is computed for one does not. */
bool sc_kept_out_is_in_step(const sc_kept_out_fit *apart, const sc_kept_out_fit *together);
/* The sentences of a finding about that question (sc_draft_tell). */
void sc_kept_out_tell(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice);
