/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/options/options.h"

/* The end of what measures: the study's findings are stored, said in brief, and judged by --fail-on. Returns the exit
 * status, or a negative error. */
int sc_conclude(const sc_options *options) SC_CHECK;
