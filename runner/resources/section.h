/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "runner/judge/judge.h"
#include "runner/text/text_options.h"

/* The report's part about resources: findings, the table of those that matter, throughput, events left out. Prints
 * nothing where the runs touched none. */
int sc_resource_section_print(FILE *out, const sc_judge *judge, const sc_text_options *options) SC_CHECK;
/* "grows with threads to at most 2 times that of threads = 1": of a throughput without a highest point. */
void sc_resource_section_rise(const sc_judge *judge, const sc_scalability *s, sc_buf *out);
/* "      scale-run blame order_lock", if a finding is about waiting. */
void sc_resource_section_print_next(FILE *out, const sc_judge *judge);
