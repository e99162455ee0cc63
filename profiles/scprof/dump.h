/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "profiles/graph/graph.h"

/* Prints the tree of calling contexts of one run, a line a context, two blanks of indentation a level:
 *   process cmark
 *     function main main.c:15 calls=1
 *       loop main main.c:17:3#0 iterations=10
 *       mutex order_book::mutex (book.c:41)  pthread_mutex_lock:17  acquires 10, waits 2 (1.2 ms), holds 10 (3.4 ms)
 * C++ names are demangled; depth=N is the deepest recursion where it is known. Then, of those that waited for a
 * resource, who held it meanwhile, and what is known of each resource as a whole. */
int sc_dump_graph(const sc_graph *graph, size_t run, FILE *out) SC_CHECK;

/* Reads a raw profile and prints its provenance, in lines that begin with #, and its tree. */
int sc_dump_profile(const char *path, FILE *out) SC_CHECK;

/* Reads a raw profile and prints its trace of resource events, a line each: seconds since the first, thread, what
 * happened, the resource, its instance, the function called, how many units. */
int sc_dump_trace(const char *path, FILE *out) SC_CHECK;

/* Reads a raw profile and prints its totals over all contexts, for comparison with another counter, sorted bytewise
 * (fields are separated by tabs)
 *   function <linkage name> <file> <calls>
 *   loop <linkage name> <file> <line>:<column> <nth> <iterations>
 *   removed function <linkage name> <file>
 *   removed loop <linkage name> <file> <line>:<column> <nth>
 * What was never executed is left out; local functions of the same name in one file are added up. */
int sc_dump_totals(const char *path, FILE *out) SC_CHECK;
