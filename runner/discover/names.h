/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/discover/internal.h"

enum { SC_NAMES_WORDS = 16, SC_NAMES_BYTES = 32 };

/* The words of a function's own name, in small letters: "ns::Pool<T>::takeBack2(int)" has "take", "back". */
size_t sc_names_split(const char *shown, char words[SC_NAMES_WORDS][SC_NAMES_BYTES]);
/* What the lexicon (words.def) says of it. */
void sc_names_judge(const char *shown, sc_name *name);
