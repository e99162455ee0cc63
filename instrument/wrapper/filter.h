/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

/*
 * The rules that choose functions, checked before anything is compiled: the pass, which must not print in the
 * middle of somebody's build, skips what it does not understand.
 */

enum { SC_FILTER_MESSAGE = 512 };

/* What is wrong, and what to do about it. */
struct sc_filter_fault {
  char what[SC_FILTER_MESSAGE];
  const char *hint;
};

/* Checks what SCALE_FILTER, SCALE_INCLUDE and SCALE_EXCLUDE hold (any may be NULL). 0, or -1 with *fault filled in. */
int sc_filter_check(const char *files, const char *include, const char *exclude, struct sc_filter_fault *fault);
