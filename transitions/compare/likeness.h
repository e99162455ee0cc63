/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_LIKENESS_H
#define SC_TRANSITIONS_LIKENESS_H
/* The last part of a path: checkouts stand in different folders. */
const char *sc_likeness_base_name(const char *path);
#endif
