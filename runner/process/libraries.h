/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_PROCESS_LIBRARIES_H
#define SC_RUNNER_PROCESS_LIBRARIES_H
#include "base/buf.h"

/* Adds a line to `seen` (runner/process/seen.h, SC_SEEN_SILENT_LIBRARY) for each shared library that the program is
 * linked to which takes locks and is not instrumented, so that nobody sees them: the function that it calls for that,
 * the program, and the library's file. Asks the program's loader, as ldd does; where that tells nothing, nothing is
 * added. Libraries of the compiler and of libc are left out: their locks are their own. */
void sc_libraries_add_silent(const char *program, sc_buf *seen);
#endif
