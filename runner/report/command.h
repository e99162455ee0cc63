/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Commands that a report gives to say more of the same. */
#include <stdio.h>

#include "base/buf.h"
#include "runner/judge/judge.h"

/* The first target, or ten times the largest size measured. */
double sc_report_target(const sc_judge *judge);
/* A command about the same answers in lines of `width`: `text`, which ends with its verb and is released, the study,
 * --at where it was judged away from the base values, and `option` (" --all", ""). */
void sc_report_print_command(FILE *out, const sc_judge *judge, sc_buf *text, const char *option, int width);
