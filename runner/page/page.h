/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "base/err.h"

struct sc_notices;

/* One HTML page that shows a study, or what changed between two, needs no network and runs nothing but what is in it
 * (docs/page.md): at one combination of further parameters, or at several, between which its reader switches. */
typedef struct sc_page sc_page;

/* Of the head's source at most `source_bytes` are embedded, 0: nothing. SC_E_INPUT if this build of scale-run has no
 * page in it. */
int sc_page_new(size_t source_bytes, sc_page **page) SC_CHECK;
void sc_page_free(sc_page *page);
/* Adds the study that the notices are of, or both studies of a change, at their combination; the page opens at the
 * first. The same studies each time, else SC_E_DAMAGED. Nothing of what is given is needed afterwards but the path. */
int sc_page_add(sc_page *page, const struct sc_notices *notices) SC_CHECK;
/* Once, with all that was added. */
int sc_page_write(FILE *out, sc_page *page) SC_CHECK;
