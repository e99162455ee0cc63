/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "args.h"

struct sc_unsupported {
  const char *option; /* the word of the command */
  const char *why;
  const char *hint;
};

/* Finds what cannot be instrumented in a command that compiles (sources) or links an executable (program). `args` is
   split into words (linker.h). 1 if there is something. */
int sc_unsupported_find(const struct sc_args *args, int sources, int program, struct sc_unsupported *found);
