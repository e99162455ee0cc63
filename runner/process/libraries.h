/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"

typedef int (*sc_libraries_fn)(void *user, const char *path);
/* Visits the shared libraries that a program is linked to, in the order of loading: asks the program's loader, as ldd
 * does. Of a static program, and where the loader tells nothing, there are none. What `visit` returns below 0 ends it,
 * and is returned. */
int sc_libraries_visit(const char *program, sc_libraries_fn visit, void *user) SC_CHECK;

/* Adds a line to `seen` (runner/process/seen.h, SC_SEEN_SILENT_LIBRARY) for each shared library that the program is
 * linked to which takes locks and is not instrumented, so that nobody sees them: the function that it calls for that,
 * the program, and the library's file. Libraries of the compiler and of libc are left out: their locks are their own.
 */
void sc_libraries_add_silent(const char *program, sc_buf *seen);
