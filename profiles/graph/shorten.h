/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"

/* Appends a demangled name as people call it, safe to print: without return type and parameters (file and line tell
 * overloads apart), and where it is long without template arguments and unnamed namespaces:
 * "std::vector<...>::erase". */
void sc_shorten_name(const char *display, sc_buf *out);
