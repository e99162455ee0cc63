/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/question.h"

/* Judges contention by a question, with these sentences: sc_contention_judge, whose rule asks this one. */
typedef int sc_kept_out_judged(sc_resources *r, const sc_question *q, sc_draft_tell *tell);
/* Of a lock whose readers are other threads than its writers: whether those that write wait until no reader is left. */
int sc_kept_out_judge(sc_resources *r, const sc_resource_cell *cell, sc_kept_out_judged *judge) SC_CHECK;
