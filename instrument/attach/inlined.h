/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "instrument/attach/functions.h"

/* What debug information says about functions of an object: where they are written, and whether the compiler put
 * their bodies in place of calls, which then enter nothing that could be counted. */

/* Fills in described, values, inlined, source and line of those of the object's functions that it has. A function is
 * described only where all its inlined copies are known. */
int sc_inlined_look(const sc_object *object, sc_functions *functions) SC_CHECK;
/* Places at which functions of this name were inlined, of a name that no symbol has; 0: none, or nobody can tell. */
unsigned sc_inlined_count(const sc_object *object, const char *name);
