/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/question.h"

/* Judges the question, which is about the first of `members` [count], and appends the finding if the rule holds, which
 * *found (unless NULL) says. `r`: that of the question. */
int sc_draft_judge(sc_resources *r, const sc_draft_form *form, const sc_question *q,
                   const sc_resource_cell *const *members, size_t count, bool *found) SC_CHECK;
void sc_resource_finding_clear(sc_resource_finding *finding);
/* Takes the finding over. */
int sc_draft_append(sc_resources *r, const sc_resource_finding *finding, double impact) SC_CHECK;
