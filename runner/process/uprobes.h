/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "instrument/attach/functions.h"
#include "profiles/graph/graph.h"
#include "runner/process/execute.h"
#include "runner/process/uprobes_events.h"

/* The functions whose calls are counted by uprobes (docs/attach.md), in place of a program's own counters. */
struct sc_uprobes {
  sc_functions functions;
  struct sc_catch *caught;       /* NULL: not attached */
  struct sc_catch_place *places; /* [place_count] first instructions of all functions, in the order of files */
  size_t place_count;
  sc_uprobes_events events; /* of probe sets; without captures: none */
  sc_caught *tallies;       /* NULL: none */
  unsigned how;             /* they are attached: enum sc_catch_how */
  double *scale;            /* [functions] what counts of one are multiplied with; NULL: 1 */
};

/* Finds functions by their names: "parse,app::add(int, int),libz.so.1:inflate,/opt/lib/plugin.so:run", separated by
 * commas or semicolons. A name alone is looked for in the program, and then in the libraries that it is linked with, up
 * to the first that has it; the program is that of a command's first word, looked up from `directory` (NULL: here).
 * `sets`: text of probe sets (sc_uprobes_sets), whose events are caught as far as that goes; NULL: none; either may be.
 * SC_E_INPUT with a hint: not found, or without an entry to count; or nothing of the sets can be caught. To be released
 * with sc_uprobes_free. */
int sc_uprobes_find(const char *names, const char *sets, const char *program, const char *directory,
                    sc_uprobes **out) SC_CHECK;
/* The same in a process that runs, with what it has loaded: to be attached function by function, for processes that are
 * there (sc_catch_join). SC_E_INPUT, SC_E_UNSUPPORTED as of sc_running_check, too. */
int sc_uprobes_find_running(const char *names, const char *sets, pid_t process, sc_uprobes **out) SC_CHECK;
/* Whether uprobes work here, tried on this program's own file: SC_E_UNSUPPORTED with a hint if not. */
int sc_uprobes_try(void) SC_CHECK;
/* Attaches, unless that was done: SC_E_UNSUPPORTED without the rights to. */
int sc_uprobes_attach(sc_uprobes *uprobes) SC_CHECK;
void sc_uprobes_detach(sc_uprobes *uprobes);
/* A run begins with the next exec of the process. Attaches if need be. */
int sc_uprobes_begin(sc_uprobes *uprobes, pid_t process) SC_CHECK;
/* Adds what was counted to a run: contexts are root / process / function. Collects the modules and what is to be said
 * of the functions in `result`. */
int sc_uprobes_collect(sc_uprobes *uprobes, sc_graph *graph, size_t run, sc_execute_result *result) SC_CHECK;
/* Whether one of them was called in any run of the graph. */
bool sc_uprobes_was_called(const sc_function *function, const sc_graph *graph);
void sc_uprobes_free(sc_uprobes *uprobes); /* NULL is allowed */
