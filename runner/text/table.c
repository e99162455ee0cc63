/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/table.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/text/format.h"

enum { LEAST = 20, LEAST_NAME = 12, LONGEST_CALL = 24 };

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

/* The number in front of a name: "12. ". */
static size_t table_numbering(const char *text)
{
  size_t digits = strspn(text, "0123456789");
  return digits && strncmp(text + digits, ". ", 2) == 0 ? digits + 2 : 0;
}

/* What stands in front of the name that may be cut: the number, and of "vector::erase from Queue::pop" the call. */
static size_t before_name(const char *text, const char *place)
{
  static const char from[] = " from ";
  size_t number = table_numbering(text);
  const char *call = strstr(text + number, from);
  size_t length = call && call < place ? (size_t)(call - text) + sizeof from - 1 : 0;
  return length && length - number <= LONGEST_CALL ? length : number;
}

/* Where the last name of "a<...>::b<...>::c" begins. */
static size_t table_last_name(const char *text, size_t length)
{
  int depth = 0;
  for (size_t i = length; i-- > 2;) {
    depth += text[i] == '>' || text[i] == ')' || text[i] == '}';
    depth -= text[i] == '<' || text[i] == '(' || text[i] == '{';
    if (depth == 0 && text[i - 1] == ':' && text[i - 2] == ':')
      return i;
  }
  return 0;
}

/* The longest beginning of at most `most` bytes that opens no bracket without closing it; `whole`: of whole names. */
static size_t table_beginning(const char *text, size_t most, bool whole)
{
  size_t best = 0;
  int depth = 0;
  for (size_t i = 0; i < most && text[i]; i++) {
    depth += text[i] == '<' || text[i] == '(' || text[i] == '{';
    depth -= text[i] == '>' || text[i] == ')' || text[i] == '}';
    if (depth == 0 && (!whole || (i && text[i] == ':' && text[i - 1] == ':')))
      best = i + 1;
  }
  return best;
}

/* Of "atol -> strtol from main" the function that works, which the other one calls. */
static size_t cut_calls(char *text, size_t want)
{
  size_t number = table_numbering(text), length = strlen(text);
  char *from = strstr(text, " from "), *last = NULL;
  for (char *c = text + number; from && (c = strstr(c, " -> ")) && c < from; c += 4)
    last = c + 4;
  if (length <= want || !last)
    return length;
  memmove(text + number, last, strlen(last) + 1);
  return strlen(text);
}

/* Of "string::~basic_string from join" the library's function alone, where class and function take much of the room. */
static size_t cut_called(char *text, size_t want)
{
  size_t number = table_numbering(text), length = strlen(text);
  const char *from = strstr(text + number, " from ");
  if (length <= want || !from || (size_t)(from - text) - number + strlen(" from ") <= LONGEST_CALL)
    return length;
  size_t gone = table_last_name(text + number, (size_t)(from - text) - number);
  memmove(text + number, text + number + gone, length + 1 - number - gone);
  return length - gone;
}

/* "1. std::vector<...>::_M_erase (vector.tcc:176)": the place stays whole, and of the name what says most, its end. */
static bool cut_name(char *text, size_t want)
{
  char *place = strrchr(text, '(');
  size_t length = strlen(text), first = place ? before_name(text, place) : 0;
  if (!place || place < text + 2 + first || place[-1] != ' ' || text[length - 1] != ')' || !strchr(place, ':'))
    return false;
  size_t tail = strlen(--place), name = (size_t)(place - text) - first;
  size_t room = want > first + tail + LEAST_NAME ? want - first - tail : LEAST_NAME;
  if (name <= room)
    return true;
  char *at = text + first;
  size_t last = table_last_name(at, name), kept = name - last;
  if (kept > room && kept > 5 && strncmp(place - 5, "<...>", 5) == 0)
    kept -= 5;
  if (kept <= room) {
    size_t head = kept + 5 <= room ? table_beginning(at, room - 5 - kept, true) : 0;
    memmove(at + head + (head ? 5 : 0), at + last, kept);
    if (head)
      memcpy(at + head, "...::", 5);
    memmove(at + head + (head ? 5 : 0) + kept, place, tail + 1);
    return true;
  }
  kept = table_beginning(at + last, room - 3, false);
  memmove(at, at + last, kept);
  memcpy(at + kept, "...", 3);
  memmove(at + kept + 3, place, tail + 1);
  return true;
}

/* Only plain ASCII is cut: elsewhere a cut could split a character. */
static void cut_table(char *text, int columns)
{
  size_t want = (size_t)columns;
  for (const char *c = text; *c; c++)
    if ((unsigned char)*c >= 0x80)
      return;
  size_t length = cut_calls(text, want);
  if (length > want)
    length = cut_called(text, want);
  if (length <= want || want < 8 || cut_name(text, want))
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

/* What a column may take so that the table fits; 0 where it does as it is. */
static int width_to_fit(const sc_table *table, size_t column, int width)
{
  int total = 0, own = table && !table->failed ? column_width(table, column) : 0;
  if (!own)
    return 0;
  for (size_t i = 0; i < table->columns; i++) {
    int columns = column_width(table, i);
    total += columns ? columns + 2 : 0;
  }
  int wanted = own - (total - 2 - width);
  return wanted >= own ? 0 : wanted < LEAST ? LEAST : wanted;
}

/* Of "1. vector::erase from store::Ring<int>::pop (ring.h:9)" no more than "1. erase from Ring<int>::pop (ring.h:9)":
 * the class tells functions of one name apart. */
static void cut_to_class(char *text)
{
  static const char between[] = " from ";
  char *at = text + table_numbering(text), *place = strrchr(at, '('), *from = strstr(at, between);
  if (!place || place < at + 2 || place[-1] != ' ')
    return;
  place--;
  if (from && from < place) {
    size_t gone = table_last_name(at, (size_t)(from - at));
    memmove(at, at + gone, strlen(at + gone) + 1);
    at = from - gone + sizeof between - 1;
    place -= gone;
  }
  size_t last = table_last_name(at, (size_t)(place - at));
  size_t gone = last > 2 ? table_last_name(at, last - 2) : 0;
  memmove(at, at + gone, strlen(at + gone) + 1);
}

typedef struct fitted {
  char *cell, *full; /* as it is now, and as it was */
} fitted;

static int compare_fitted(const void *a, const void *b)
{
  const fitted *x = a, *y = b;
  int order = strcmp(x->cell, y->cell);
  return order ? order : strcmp(x->full, y->full);
}

/* Cells that are the same now although they differed keep their class, whatever room that takes. */
static void tell_table_apart(fitted *list, size_t rows)
{
  qsort(list, rows, sizeof *list, compare_fitted);
  for (size_t i = 0, end; i < rows; i = end) {
    for (end = i + 1; end < rows && strcmp(list[i].cell, list[end].cell) == 0;)
      end++;
    if (strcmp(list[i].full, list[end - 1].full) == 0)
      continue;
    for (size_t j = i; j < end; j++) {
      strcpy(list[j].cell, list[j].full);
      cut_to_class(list[j].cell);
    }
  }
}

void sc_table_fit(sc_table *table, size_t column, int width)
{
  int wanted = width_to_fit(table, column, width);
  size_t rows = wanted ? table->count / table->columns : 0, kept = 0;
  fitted *list = rows ? sc_mem_new(rows, sizeof *list) : NULL;
  for (; list && kept < rows; kept++) {
    list[kept].cell = table->cells[kept * table->columns + column];
    list[kept].full = sc_mem_copy_string(list[kept].cell);
    if (!list[kept].full)
      break;
    cut_table(list[kept].cell, wanted);
  }
  if (kept < rows)
    table->failed = true;
  else if (rows)
    tell_table_apart(list, rows);
  for (size_t i = 0; i < kept; i++)
    free(list[i].full);
  free(list);
}

void sc_table_fit_ends(sc_table *table, size_t column, int width)
{
  int wanted = width_to_fit(table, column, width);
  for (size_t i = column; wanted && i < table->count; i += table->columns)
    if (sc_format_columns(table->cells[i]) > wanted &&
        sc_format_columns(table->cells[i]) == (int)strlen(table->cells[i]))
      memcpy(table->cells[i] + wanted - 3, "...", 4);
}

static void print_table_row(const sc_table *table, FILE *out, size_t row, const int *widths)
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

static void print_table_rows(const sc_table *table, FILE *out, int indent, const char *heading, const char *off,
                             const int *widths)
{
  for (size_t row = 0; row * table->columns < table->count; row++) {
    fprintf(out, "%*s%s", indent, "", row ? "" : heading);
    print_table_row(table, out, row, widths);
    fprintf(out, "%s\n", row ? "" : off);
  }
}

/* Columns of the table from the first one on that fit, in twos; at least two. Others get no width. */
static size_t take_table_columns(const sc_table *table, size_t keys, size_t from, int room, const int *widths,
                                 int *taken)
{
  size_t column = from;
  memset(taken, 0, table->columns * sizeof *taken);
  for (size_t i = 0; i < keys; i++) {
    taken[i] = widths[i];
    room -= widths[i] + 2;
  }
  while (column < table->columns) {
    size_t next = column + 2 < table->columns ? column + 2 : table->columns;
    int needed = 0;
    for (size_t i = column; i < next; i++)
      needed += widths[i] ? widths[i] + 2 : 0;
    if (needed > room + 2 && column > from) /* none behind the last one */
      break;
    room -= needed;
    for (; column < next; column++)
      taken[column] = widths[column];
  }
  return column;
}

static bool has_width(const int *widths, size_t from, size_t to)
{
  while (from < to && !widths[from])
    from++;
  return from < to;
}

static int print_table_parts(const sc_table *table, FILE *out, int indent, size_t keys, int width, const char *heading,
                             const char *off)
{
  if (!table || table->failed)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  int *widths = sc_mem_new(2 * table->columns, sizeof *widths), *taken;
  bool first = true;
  if (!widths)
    return SC_E_NOMEM;
  taken = widths + table->columns;
  for (size_t column = 0; column < table->columns; column++)
    widths[column] = column_width(table, column);
  for (size_t from = keys, to; from < table->columns; from = to) {
    to = take_table_columns(table, keys, from, width - indent, widths, taken);
    if (!has_width(taken, from, to))
      continue;
    if (!first)
      fputc('\n', out);
    first = false;
    print_table_rows(table, out, indent, heading, off, taken);
  }
  free(widths);
  return 0;
}

int sc_table_print(const sc_table *table, FILE *out, int indent, const char *heading, const char *off)
{
  return print_table_parts(table, out, indent, 0, INT_MAX / 2, heading, off);
}

int sc_table_print_within(const sc_table *table, FILE *out, int indent, size_t keys, int width, const char *heading,
                          const char *off)
{
  return print_table_parts(table, out, indent, keys, width, heading, off);
}
