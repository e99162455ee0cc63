/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/report/text.h"

/* A sentence on what grows without a model, with the next step. Only where there is such a thing. */
void sc_report_untold_text(const sc_judge *judge, sc_buf *text);
/* Whether totals at n have no upper bound. */
bool sc_report_untold_at(const sc_judge *judge, double n);
void sc_report_untold_print(FILE *out, const sc_judge *judge, const sc_text_options *options);
/* A sentence on a total that grows superlinearly though nothing listed does; false and nothing where that is not so. */
bool sc_report_unexplained_text(const sc_judge *judge, sc_buf *text);
/* `lead` " is the own time of main (user.c:3)", where more than half of the largest run's time was sampled in one
 * place; else nothing. */
void sc_report_most_time(const sc_judge *judge, const char *lead, sc_buf *text);
/* SC_E_TOOLITTLE if that is so and `fail_on` (--fail-on) asks for growth: a gate must not pass; else 0. */
int sc_report_unexplained_status(const sc_judge *judge, const char *fail_on) SC_CHECK;
/* SC_E_TOOLITTLE if most processes left no profile: whatever is said is said of the others; else 0. */
int sc_report_lost_status(const sc_judge *judge) SC_CHECK;
/* SC_E_TOOLITTLE if the greater part of what was measured grows without a model, or most processes left no profile;
 * else 0. Not where chance makes it, which no size settles: a gate would fail now and then. */
int sc_report_untold_status(const sc_judge *judge) SC_CHECK;
