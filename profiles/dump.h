/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_PROFILES_DUMP_H
#define SC_PROFILES_DUMP_H
#include <stdio.h>

#include "profiles/graph.h"

/* Prints the tree of calling contexts of one run, a line a context, two blanks of indentation a level:
 *   process cmark
 *     function main main.c:15 calls=1
 *       loop main main.c:17:3#0 iterations=10
 * C++ names are demangled; depth=N is the deepest recursion where it is known. */
int sc_dump_graph(const sc_graph *graph, size_t run, FILE *out) SC_CHECK;

/* Reads a raw profile and prints its provenance, in lines that begin with #, and its tree. */
int sc_dump_profile(const char *path, FILE *out) SC_CHECK;

/* Reads a raw profile and prints its totals over all contexts, for comparison with another counter, sorted bytewise
 * (fields are separated by tabs)
 *   function <linkage name> <file> <calls>
 *   loop <linkage name> <file> <line>:<column> <nth> <iterations>
 *   removed function <linkage name> <file>
 *   removed loop <linkage name> <file> <line>:<column> <nth>
 * What was never executed is left out; local functions of the same name in one file are added up. */
int sc_dump_totals(const char *path, FILE *out) SC_CHECK;
#endif
