/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "runner/discover/facts.h"

/* Where facts come from. */
typedef struct sc_sources {
  FILE *copy;      /* gets the text of each unit that was added, a line each; NULL */
  size_t files;    /* that were looked into */
  size_t units;    /* that were added */
  size_t repeated; /* that were there already: an object beside the program that is made of it */
} sc_sources;

/* Adds the facts of an executable, library, object, archive, of every such file below a folder, or of a text file with
 * a unit a line. SC_E_IO where it cannot be read; SC_E_INPUT where it is something else, or facts are invalid. A file
 * without facts is no error: sc_sources_need says so of all of them. */
int sc_sources_add(sc_sources *sources, sc_facts *facts, const char *path) SC_CHECK;
/* The same of facts as text. */
int sc_sources_add_text(sc_sources *sources, sc_facts *facts, const char *text, size_t length,
                        const char *name) SC_CHECK;
/* SC_E_INPUT with a hint if no facts were found. `path`: the first that was named. */
int sc_sources_need(const sc_sources *sources, const char *path) SC_CHECK;
