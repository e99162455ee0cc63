/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "profiles/graph/graph.h"

/* A function or loop that a command line names, in every calling context; or the calls of a library's function whose
 * work is counted. */
typedef struct sc_places {
  uint32_t *contexts; /* [count] of the function or loop itself, ascending */
  size_t count;
  bool loop; /* they are loops */
  bool work; /* they are calls of library functions */
} sc_places;

/* "parse"; "Panel::onChanged" with or without parameters and classes; "blocks.c:1075" or "blocks.c:1075:3", a function
 * or loop that begins there, else the call of a library's function there; "parse (blocks.c:12)", as reports print it;
 * each with callers in front of it, the nearest last: "main > load > parse". If there is no such place, SC_E_USAGE,
 * with the nearest name as a hint. Free with sc_places_free, after an error too. */
int sc_places_find(const sc_graph *graph, const char *text, sc_places *places) SC_CHECK;
void sc_places_free(sc_places *places);

/* The places and what is in them, each context once: *contexts [*count], to be freed by the caller. */
int sc_places_inside(const sc_graph *graph, const sc_places *places, uint32_t **contexts, size_t *count) SC_CHECK;
/* The library functions called by the places and the loops written in them, whose work is of the unit (0: any); of
 * places that are such calls, these themselves. */
int sc_places_work(const sc_graph *graph, const sc_places *places, uint32_t unit, uint32_t **contexts,
                   size_t *count) SC_CHECK;
/* The places and the loops written in them, without what they call; of a call of a library all that is folded into it.
 */
int sc_places_body(const sc_graph *graph, const sc_places *places, uint32_t **contexts, size_t *count) SC_CHECK;
/* "parse (blocks.c:12)", of the first one; if they differ, what they are called, without a place: "Ring<int>::pop and
 * Ring<long>::pop", of three or more "..., ... and others". */
void sc_places_title(const sc_graph *graph, const sc_places *places, sc_buf *out);
