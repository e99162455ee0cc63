/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Splits a LIST of sizes, each with or without "NAME=": *sizes [*count], to be freed by the caller. `parameter`: the
 * name they may have; NULL: any. "10x" is ten times `largest`, the largest size measured; 0: not known, and an error.
 * SC_E_USAGE for anything else than sizes. */
int sc_sizes_parse(const char *list, const char *parameter, double largest, double **sizes, size_t *count) SC_CHECK;
/* "10x" [length]: its factor; 0 if it is something else. */
double sc_sizes_multiple(const char *text, size_t length);
/* Whether a LIST has a size that is a multiple of the largest one measured. */
bool sc_sizes_relative(const char *list);
