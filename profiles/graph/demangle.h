/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* A C++ linkage name as the programmer wrote it, to be freed, or at least its scopes and name;
 * NULL if `name` is not a C++ name. */
char *sc_demangle_name(const char *name);
