/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/* Which of a program's own functions acquire, release and wait for which resources, from what the compiler wrote about
 * its source; and which of that runs bear out. Nothing is run here. */
typedef struct sc_discovery sc_discovery;

/* A language model as a third judge (docs/discover.md): what is there in the file of answers is used, and the rest
 * asked for where there is a URL. */
typedef struct sc_discover_llm {
  const char *answers;     /* the file: read if it is there, and written when something was asked */
  const char *url;         /* NULL: nothing is asked */
  const char *key, *model; /* NULL: none */
  size_t requests;         /* of the budget */
  double tokens, timeout;  /* timeout: seconds for an answer */
  FILE *dry; /* gets every request that may be made, a line each; nothing is asked then. NULL: they are made */
} sc_discover_llm;

/* Reads the facts of all paths (runner/discover/sources.h) and judges them. `facts`: a file that gets them as text, or
 * NULL; `llm`: NULL without. *discovery is to be freed, also after an error. */
int sc_discover(const char *const *paths, size_t count, const char *facts, const sc_discover_llm *llm,
                sc_discovery **discovery) SC_CHECK;
/* The same of facts as text, a unit a line; errors name it `name`. */
int sc_discover_text(const char *text, size_t length, const char *name, sc_discovery **discovery) SC_CHECK;
void sc_discovery_free(sc_discovery *discovery);

/* Holds what was proposed against the measured runs of studies, of different sizes: what ran in none of them more often
 * at larger sizes, or what the probes and traces of these runs disprove, is rejected; what did not run stays.
 * SC_E_TOOLITTLE, SC_E_INPUT: a study has one size, or is of another program. */
int sc_discover_check(sc_discovery *discovery, const char *const *studies, size_t count) SC_CHECK;
/* As sc_discover, of the programs and libraries that the runs of a study loaded, as far as they are still there. */
int sc_discover_loaded(const char *study, const char *facts, const sc_discover_llm *llm,
                       sc_discovery **discovery) SC_CHECK;

typedef struct sc_discover_view {
  size_t limit; /* resources at most; 0: the default */
  bool all;     /* every resource, also those with one side only, and all that was rejected */
} sc_discover_view;

/* For people; for scripts (docs/discover.md); as a probe set. */
void sc_discover_print_text(FILE *out, const sc_discovery *discovery, const sc_discover_view *view);
int sc_discover_print_json(FILE *out, const sc_discovery *discovery, const sc_discover_view *view) SC_CHECK;
int sc_discover_print_probes(FILE *out, const sc_discovery *discovery, const sc_discover_view *view) SC_CHECK;
