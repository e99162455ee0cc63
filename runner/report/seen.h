/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>

#include "base/buf.h"
#include "runner/process/seen.h"

/* A study's list of one kind (NULL: it has none) in sentences; without `all` the first few of it. False: there is
 * nothing to say. */
bool sc_report_seen_text(const char *lines, enum sc_seen_kind kind, bool all, sc_buf *text);
