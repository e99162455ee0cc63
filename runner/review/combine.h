/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_REVIEW_COMBINE_H
#define SC_RUNNER_REVIEW_COMBINE_H
#include <stdio.h>

#include "base/err.h"

/* Answers at several combinations of further parameters as one document. */
/* One document of all texts[count], each a document of the format: one of --format, or "json". Not a page. */
int sc_combine_write(FILE *out, const char *format, char *const *texts, size_t count) SC_CHECK;
#endif
