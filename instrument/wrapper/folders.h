/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "args.h"

/* Tells the pass, in the environment (SCALE_SYSTEM_FOLDERS), which folders of headers a command line or the environment
   calls a system's: -isystem, -cxx-isystem, -idirafter, C_INCLUDE_PATH, CPLUS_INCLUDE_PATH. What clang makes of it is not
   in its output. Response files must be opened up already. */
void sc_folders_tell(const struct sc_args *args);
