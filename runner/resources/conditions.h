/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "runner/judge/judge.h"

/* Conditions that no pool is known behind: a sentence on those that threads waited for at the largest size, and one on
 * those that were signalled and never waited for. Each stays empty where there are none. */
void sc_unjudged_conditions_text(const sc_judge *judge, sc_buf *waited_for, sc_buf *signalled);
/* A sentence on threads that wait for requests from outside, which are not judged: how busy they were. Stays empty
 * where there are none. */
void sc_listening_text(const sc_judge *judge, sc_buf *text);
