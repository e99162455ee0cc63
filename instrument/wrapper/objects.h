/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "args.h"

/* Replaces each object and archive of the command in which a function was made weak or local, or was renamed, after
   compiling (objcopy) by a copy whose other objects' calls reach that function by its name only. What cannot be read
   stays as it is. */
void sc_objects_mend(struct sc_args *command);
