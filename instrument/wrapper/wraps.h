/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "args.h"

/* Adds to `command` what makes calls of each function that `args` tells the linker to wrap (--wrap=FUNC) be resolved by
   the function's name, as in a plain program. `args` is split into words (linker.h). */
void sc_wraps_add(struct sc_args *command, const struct sc_args *args);
