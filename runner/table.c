/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/format.h"

enum { LEAST = 20 };

struct sc_table {
  const char *alignment;
  size_t columns, count, capacity;
  char **cells;
  bool failed;
};

sc_table *sc_table_new(const char *alignment)
{
  sc_table *table = sc_mem_new(1, sizeof *table);
  if (!table)
    return NULL;
  table->alignment = alignment;
  table->columns = strlen(alignment);
  return table;
}

void sc_table_free(sc_table *table)
{
  if (!table)
    return;
  for (size_t i = 0; i < table->count; i++)
    free(table->cells[i]);
  free(table->cells);
  free(table);
}

void sc_table_cell(sc_table *table, const char *text)
{
  if (!table || table->failed)
    return;
  char *copy = sc_mem_copy_string(text);
  if (!copy || sc_mem_grow(&table->cells, &table->capacity, table->count + 1, sizeof *table->cells) < 0) {
    free(copy);
    table->failed = true;
    return;
  }
  table->cells[table->count++] = copy;
}

/* Only plain ASCII is cut: elsewhere a cut could split a character. */
static void cut(char *text, int columns)
{
  size_t length = strlen(text), want = (size_t)columns;
  for (const char *c = text; *c; c++)
    if ((unsigned char)*c >= 0x80)
      return;
  if (length <= want || want < 8)
    return;
  size_t head = (want - 3) / 2, tail = want - 3 - head;
  memmove(text + head + 3, text + length - tail, tail + 1);
  memcpy(text + head, "...", 3);
}

/* 0 for a column with nothing below its heading. */
static int column_width(const sc_table *table, size_t column)
{
  int width = 0;
  bool empty = true;
  for (size_t i = column; i < table->count; i += table->columns) {
    int columns = sc_format_columns(table->cells[i]);
    if (columns > width)
      width = columns;
    if (i >= table->columns && columns > 0)
      empty = false;
  }
  return empty ? 0 : width;
}

void sc_table_fit(sc_table *table, size_t column, int width)
{
  int total = 0, own = table && !table->failed ? column_width(table, column) : 0;
  if (!own)
    return;
  for (size_t i = 0; i < table->columns; i++) {
    int columns = column_width(table, i);
    total += columns ? columns + 2 : 0;
  }
  int wanted = own - (total - 2 - width);
  if (wanted >= own)
    return;
  for (size_t i = column; i < table->count; i += table->columns)
    cut(table->cells[i], wanted < LEAST ? LEAST : wanted);
}

static void print_row(const sc_table *table, FILE *out, size_t row, const int *widths)
{
  int pending = 0; /* blanks owed: none are printed at the end of a line */
  for (size_t column = 0; column < table->columns; column++) {
    size_t index = row * table->columns + column;
    const char *cell = index < table->count ? table->cells[index] : "";
    int padding = widths[column] - sc_format_columns(cell);
    if (!widths[column])
      continue;
    if (table->alignment[column] == 'r')
      pending += padding;
    if (*cell) {
      fprintf(out, "%*s%s", pending, "", cell);
      pending = 0;
    }
    pending += (table->alignment[column] == 'r' ? 0 : padding) + 2;
  }
}

int sc_table_print(const sc_table *table, FILE *out, int indent, const char *heading, const char *off)
{
  if (!table || table->failed)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  int *widths = sc_mem_new(table->columns, sizeof *widths);
  if (!widths)
    return SC_E_NOMEM;
  for (size_t column = 0; column < table->columns; column++)
    widths[column] = column_width(table, column);
  for (size_t row = 0; row * table->columns < table->count; row++) {
    fprintf(out, "%*s%s", indent, "", row ? "" : heading);
    print_row(table, out, row, widths);
    fprintf(out, "%s\n", row ? "" : off);
  }
  free(widths);
  return 0;
}
