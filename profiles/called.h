/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_PROFILES_CALLED_H
#define SC_PROFILES_CALLED_H
#include "profiles/location.h"

/* Whether the name that a user gave means this function: its linkage name, or its demangled one, with or without
 * parameters. */
bool sc_location_is_called(const sc_location *location, const char *name);
#endif
