/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "base/err.h"

/* Answers at several combinations of further parameters as one document. */
/* One document of all texts[count], each a document of the format: one of --format, or "json". Not a page. */
int sc_combine_write(FILE *out, const char *format, char *const *texts, size_t count) SC_CHECK;
