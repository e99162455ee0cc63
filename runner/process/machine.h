/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"

/* The machine that measures, in a line: system, model of its processors and their number. */
void sc_machine_describe(sc_buf *out);
/* The number of processors that such a line ends with; NULL, or 0: not known. */
double sc_machine_processors(const char *machine);
