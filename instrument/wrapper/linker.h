/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "args.h"

/* Adds `from` (response files already opened up) to `to`, each word for the linker by itself behind an -Xlinker: those
   of -Wl,A,B too, and those of response files that are the linker's own. */
void sc_linker_split(struct sc_args *to, const struct sc_args *from);
/* The value of an option for the linker whose name is `name` (without dashes) and whose value stands behind a '=' or is
   the next word. `*at` is the number of the word before, 0 at first; it becomes that of the word that holds the value.
   NULL: there is no further one. */
const char *sc_linker_value(const struct sc_args *args, const char *name, size_t *at);
/* Makes `text`, which nobody may change, the content of a file. Returns its name, to keep, which holds as long as this
   process and its children live; NULL on failure. */
char *sc_linker_file(const char *name, const char *text, size_t bytes);
