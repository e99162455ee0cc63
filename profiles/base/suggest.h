/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

/* Edits (insert, delete, replace, swap of neighbours) that turn a into b; 100 if either is longer than 63. */
unsigned sc_suggest_distance(const char *a, const char *b);
/* Keeps the better of *best and `candidate` for `word`; *distance starts as 100. */
void sc_suggest_consider(const char *word, const char *candidate, const char **best, unsigned *distance);
/* Whether a best distance is near enough to be shown. */
int sc_suggest_near(const char *word, unsigned distance);
