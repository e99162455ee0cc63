/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "args.h"

/* 1 if the option is one of gcc's that clang rejects or warns about (gcc_only.def). */
int sc_gcc_only_has(const char *option);
/* 1 if the option asks for link-time optimisation, under which the counters are not yet exact: it is dropped. */
int sc_gcc_only_lto(const char *option);
/* 1 if the option has the linker leave out symbols or debug information, which times are attributed by: it is dropped.
 */
int sc_gcc_only_symbols(const char *option);
/* Adds the options by which clang warns of what gcc 12 takes, with a warning at most, and clang rejects; `all` is the
   whole command line. None where it asks for errors (-Werror, -pedantic-errors): then gcc rejects that, too. To stand
   in front of what is given, which may ask otherwise. */
void sc_gcc_only_accept(struct sc_args *command, const struct sc_args *all);
