/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_PAGE_H
#define SC_RUNNER_PAGE_H
#include <stdio.h>

#include "runner/judge/judge.h"
#include "transitions/compare/compare.h"

struct sc_notices;

/* Writes one HTML page that shows the study, needs no network and runs nothing but what is in it (docs/page.md). With
 * `base` and `comparison` (both or none) it shows what changed, too. `notices` say what of it is
 * accepted; NULL: nothing. Of the head's source at most `source_bytes` are embedded, 0: nothing. SC_E_INPUT if this
 * build of scale-run has no page in it. */
int sc_page_write(FILE *out, const sc_judge *judge, const sc_judge *base, const sc_comparison *comparison,
                  const struct sc_notices *notices, size_t source_bytes) SC_CHECK;
#endif
