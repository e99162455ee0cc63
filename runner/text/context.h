/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "profiles/graph/graph.h"
#include "regress/core/model.h"
#include "transitions/model/analysis.h"

/* Contexts in words. */

/* "check_open_blocks (blocks.c:1075:3)", "qsort, not instrumented", "process cmark"; a loop is named by its function,
 * what a library's header does by the user's function and the line of its call: "vector::erase from Queue::pop
 * (app.cpp:26)". */
void sc_context_title(const sc_graph *graph, uint32_t context, sc_buf *out);
/* The same without the place: "vector::erase from Queue::pop". */
void sc_context_subject(const sc_graph *graph, uint32_t context, sc_buf *out);
/* In a path, where the function stands above: "loop blocks.c:1075:3", "parse (main.c:12) from line 40" (of the caller),
 * "vector::erase (app.cpp:26)" for the user's call of a library. */
void sc_context_step(const sc_graph *graph, uint32_t context, sc_buf *out);
/* The same for a call in it: "check_open_blocks (blocks.c:1080)", with the column if another call that acquires stands
 * in the line: "check_open_blocks (blocks.c:1080:14)". In a header of the C++ library: the user's function
 * and the one of the library that it calls, "open_session (session.cpp:7), by std::vector<...>::resize". */
void sc_context_call(const sc_graph *graph, uint32_t context, uint32_t line, uint32_t column, sc_buf *out);
/* The functions on the way to it that are not the library's, the thread's first, and of the others at most the last
 * `most` - 1, which is not 0: "worker > ... > serve > put". */
void sc_context_functions(const sc_graph *graph, uint32_t context, size_t most, sc_buf *out);
/* The path from the process: "cmark > main > loop main.c:3:2"; of a long one what is telling. */
void sc_context_path(const sc_graph *graph, const sc_analysis *analysis, uint32_t context, sc_buf *out);
/* Whether step i of a path of `depth` steps is shown: of a long one the process and its root, where the order rises,
 * and the last two. */
bool sc_context_is_telling(const sc_analysis *analysis, const uint32_t *path, size_t i, size_t depth);
/* Of its spot (sc_graph_spot): "/src/blocks.c:1075:3", relative to the current directory where it is below it; "" if
 * unknown. */
void sc_context_place(const sc_graph *graph, uint32_t context, sc_buf *out);
/* Contexts from the process down to this one, without folded ones (sc_graph_folded): fills at most `room`, nearest the
 * root first, returns how many. */
size_t sc_context_ancestry(const sc_graph *graph, uint32_t context, uint32_t *path, size_t room);
/* What its count counts: "iterations" or "calls". */
const char *sc_context_counts(const sc_graph *graph, uint32_t context);
/* Its model's formula with four significant digits; exact models keep all of theirs. */
void sc_context_formula(const sc_model *model, const char *variable, sc_buf *out);
/* The same context in another graph; UINT32_MAX if that has none. */
uint32_t sc_context_translate(const sc_graph *graph, uint32_t context, const sc_graph *other);
