/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"
#include "runner/text/text_options.h"

/* One finding about a resource as text; `rank` is the number in front. With options->brief its headline and one line.
 */
int sc_resource_finding_print(FILE *out, const sc_judge *judge, const sc_resource_finding *finding, size_t rank,
                              const sc_text_options *options) SC_CHECK;
/* What the finding is about, as everything that prints it names it: "order_lock (book.c:41)", "heap of put
 * (cache.c:80)", "Pool of 4 threads behind jobs (server.c:9), waiting in work (server.c:30)". */
void sc_resource_finding_name(const sc_judge *judge, const sc_resource_finding *finding, sc_buf *out);
/* "order_lock (book.c:41): mutex, contention from n = 12,400 on (9,800 to 15,000)". */
void sc_resource_finding_headline(const sc_judge *judge, const sc_resource_finding *finding, sc_buf *out);
/* What other formats put over it: of a pool that headline, "Pool of 4 threads behind jobs (server.c:9), waiting in work
 * (server.c:30): contention from n = 12 on"; else the rule's title. */
void sc_resource_finding_title(const sc_judge *judge, const sc_resource_finding *finding, sc_buf *out);
