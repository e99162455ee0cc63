/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <string.h>

/* Whether two texts are the same; false where one is NULL. */
static inline bool sc_same_text(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }
