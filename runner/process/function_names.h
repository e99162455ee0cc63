/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"

/* Whether files of programs have a function's name at all, whatever ran so far: in symbols or in the tables of what is
 * counted, where functions without symbols are too. */

/* The last word of a function's name as people write it, which each such table has: "pop" of
 * "main > app::Ring<int>::pop(int) (ring.h:12)". False, where it has none: an operator, a place, a loop. */
bool sc_function_names_word(const char *name, sc_buf *word);
/* Whether the file has the word by itself or in a linkage name; also true of a file that cannot be read. */
bool sc_function_names_has(const char *file, const char *word);
/* A function of the file that is called nearly so, copied to `best`; *distance is of the nearest so far, 100 at first.
 * A file that cannot be read has none. */
int sc_function_names_suggest(const char *file, const char *name, char *best, size_t size, unsigned *distance) SC_CHECK;
