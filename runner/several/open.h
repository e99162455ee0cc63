/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_SEVERAL_OPEN_H
#define SC_RUNNER_SEVERAL_OPEN_H
#include "runner/judge/judge.h"

/* Opens the study (operand, -o or scale.db), fits with --models or as the study was made, predicts at --at or the
 * workload's targets; where --at has one combination of further parameters, the study judged there.
 * sc_judge_close also after an error. */
int sc_judge_open(const sc_options *options, sc_judge *judge) SC_CHECK;
/* The base that `diff` names, with the models and the targets of the head. The same. */
int sc_judge_open_base(const sc_options *options, const sc_judge *head, sc_judge *judge) SC_CHECK;
void sc_judge_close(sc_judge *judge);
#endif
