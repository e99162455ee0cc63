/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "args.h"

/* A linker's version script with "local: *" would hide the runtime's symbols in the library, which then would
   count into a profile of its own, cut off from its callers. Every version script that the command names is
   replaced by a copy that exports them; the copies live in memory and end with the linker. A script that cannot
   be read or understood stays as it is. `command` is split into words (linker.h). */
void sc_versions_open(struct sc_args *command);
/* The name of a version script (linker.h) for a library that has none: GNU ld lists the bounds of sections among a
   library's symbols, although they are hidden. NULL on failure. */
char *sc_versions_hide(void);
/* Whether a linker script that the words name, an input or -T's, has versions: beside those the linker takes no version
   script without names. */
int sc_versions_scripted(const struct sc_args *words);
/* -Bsymbolic would bind the library to its own copy of the runtime: replaces it, in words for the linker, by what binds
   all other symbols. */
void sc_versions_symbolic(struct sc_args *command);
