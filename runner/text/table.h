/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "base/err.h"

/* A small table of text: columns as wide as their widest cell, two blanks between them, empty columns left out. */
typedef struct sc_table sc_table;

/* `alignment`: a letter a column, 'l' or 'r'; the first row is the heading. Returns NULL when out of memory. */
sc_table *sc_table_new(const char *alignment);
void sc_table_free(sc_table *table);
/* Adds the next cell, row by row (copied). Out of memory shows in sc_table_print. A NULL table is ignored. */
void sc_table_cell(sc_table *table, const char *text);
/* Cuts the cells of a column in their middle until the table fits `width` columns, but not below 20; of "name (place)"
 * only the name, where it can be cut without tearing brackets, and not below 12. */
void sc_table_fit(sc_table *table, size_t column, int width);
/* The same, but cut at their ends: formulas begin with what matters most. */
void sc_table_fit_ends(sc_table *table, size_t column, int width);
/* Prints every row behind `indent` blanks; the heading in `heading` .. `off` escapes. */
int sc_table_print(const sc_table *table, FILE *out, int indent, const char *heading, const char *off) SC_CHECK;
/* The same within `width` columns: where it is wider, as several tables, each with the first `keys` columns and as many
 * of the others as fit, in twos (a value and its interval), at least two. */
int sc_table_print_within(const sc_table *table, FILE *out, int indent, size_t keys, int width, const char *heading,
                          const char *off) SC_CHECK;
