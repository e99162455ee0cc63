/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>

/* What --fail-on names: words with commas in between, "order,cost>1.5x". NULL never fails. */
typedef bool (*sc_gate_fn)(const void *user, const char *word);
/* Whether `applies` holds for one of the words; a ratio behind a word is not handed on. */
bool sc_gate_any(const char *fail_on, sc_gate_fn applies, const void *user);
/* The ratio of "cost>1.5x" (or "cost=1.5x", which needs no quotes in a shell); 0: it is not among them. */
double sc_gate_cost_ratio(const char *fail_on);
