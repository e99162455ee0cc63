/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/fit/check.h"
#include "runner/format.h"
#include "runner/table.h"

enum { PART = 200, COLUMNS = 6, CELL_BYTES = 256, WIDE = 40 };

struct sc_fit_text {
  FILE *out;
  int width;
  sc_style style;
  sc_table *table;
  size_t rows, series, untold;
};

int sc_fit_text_new(FILE *out, int width, sc_style style, sc_fit_text **text)
{
  *text = sc_mem_new(1, sizeof **text);
  if (!*text)
    return SC_E_NOMEM;
  **text = (sc_fit_text){.out = out, .width = width, .style = style};
  return 0;
}

void sc_fit_text_free(sc_fit_text *text)
{
  if (text)
    sc_table_free(text->table);
  free(text);
}

static int begin_part(sc_fit_text *text)
{
  static const char *const headings[COLUMNS] = {"Series", "Model", "error", "at", "predicted", "interval"};
  text->table = sc_table_new("llrrrr");
  text->rows = 0;
  for (size_t i = 0; i < COLUMNS; i++)
    sc_table_cell(text->table, headings[i]);
  return text->table ? 0 : SC_E_NOMEM;
}

static int print_part(sc_fit_text *text)
{
  if (!text->table)
    return 0;
  sc_table_fit(text->table, 0, text->width);
  sc_table_fit(text->table, 1, text->width);
  int err = sc_table_print(text->table, text->out, 0, text->style.bold, text->style.off);
  sc_table_free(text->table);
  text->table = NULL;
  return err;
}

/* Tables cut plain ASCII only. */
static void shorten(char *name)
{
  if (sc_format_columns(name) <= WIDE || (int)strlen(name) == sc_format_columns(name))
    return;
  char *end = name;
  for (int columns = 0; columns < WIDE - 3; columns++)
    for (end++; ((unsigned char)*end & 0xc0) == 0x80;)
      end++;
  memcpy(end, "...", 4);
}

static void name_cell(sc_fit_text *text, const sc_store_series *series, bool first)
{
  sc_check_name name = {""};
  if (first)
    name = sc_check_series(series->callpath, series->metric);
  shorten(name.text);
  sc_table_cell(text->table, name.text);
}

static void cell_cut(sc_fit_text *text, char *cell, int length, size_t size)
{
  if (length >= (int)size)
    memcpy(cell + size - 4, "...", 4);
  sc_table_cell(text->table, cell);
}

static sc_text error_of(double error, bool exact)
{
  sc_text none = {""};
  return exact ? (sc_text){"exact"} : error < 0 ? none : sc_format_percent(error);
}

/* The model, then the rivals that are worth showing, one in each row. */
static void model_cells(sc_fit_text *text, const sc_solved *solved, const sc_solve_facts *facts, size_t row)
{
  char cell[CELL_BYTES], formula[CELL_BYTES];
  double weight = 0, error = -1;
  if (row == 0 && facts->usable) {
    cell_cut(text, cell, sc_solve_format(solved, false, cell, sizeof cell), sizeof cell);
    sc_table_cell(text->table, error_of(facts->error < 0 ? facts->fit_error : facts->error, facts->exact).s);
    return;
  }
  if (row == 0) {
    cell_cut(text, cell, snprintf(cell, sizeof cell, "cannot tell: %s", facts->why), sizeof cell);
    sc_table_cell(text->table, "");
    return;
  }
  if (row <= facts->rivals && facts->usable)
    (void)sc_solve_format_rival(solved, row - 1, false, formula, sizeof formula, &weight, &error);
  bool shown = weight >= SC_MODEL_PLAUSIBLE;
  if (shown)
    cell_cut(text, cell, snprintf(cell, sizeof cell, "or %s", formula), sizeof cell);
  else
    sc_table_cell(text->table, "");
  sc_table_cell(text->table, shown ? error_of(error, false).s : "");
}

static void prediction_cells(sc_fit_text *text, const sc_solved *solved, size_t row)
{
  const sc_store_series *series = solved->series;
  const sc_store_set *set = series->set;
  char place[CELL_BYTES] = "", unit[24];
  if (row >= solved->predictions) {
    for (int i = 0; i < 3; i++)
      sc_table_cell(text->table, "");
    return;
  }
  size_t length = 0;
  for (size_t p = 0; p < set->count && length < sizeof place; p++) {
    char name[64];
    sc_check_plain((sc_view){set->names[p], strlen(set->names[p])}, name, sizeof name);
    length +=
        (size_t)snprintf(place + length, sizeof place - length, "%s%s%s%s", p ? " " : "", set->count > 1 ? name : "",
                         set->count > 1 ? "=" : "", sc_format_number(solved->points[row * set->count + p]).s);
  }
  sc_table_cell(text->table, place);
  sc_check_plain(series->unit, unit, sizeof unit);
  sc_table_cell(text->table, sc_format_cost(solved->predicted[row].value, unit).s);
  sc_table_cell(text->table, sc_format_interval(&solved->predicted[row], unit).s);
}

static size_t shown_rivals(const sc_solved *solved, const sc_solve_facts *facts)
{
  char formula[CELL_BYTES];
  double weight, error;
  size_t shown = 0;
  for (size_t i = 0; facts->usable && i < facts->rivals; i++) {
    (void)sc_solve_format_rival(solved, i, false, formula, sizeof formula, &weight, &error);
    if (weight >= SC_MODEL_PLAUSIBLE)
      shown = i + 1;
  }
  return shown;
}

int sc_fit_text_add(sc_fit_text *text, const sc_solved *solved)
{
  sc_solve_facts facts = sc_solve_describe(solved);
  size_t rivals = shown_rivals(solved, &facts), rows = 1 + rivals;
  if (!text->table)
    SC_TRY(begin_part(text));
  if (rows < solved->predictions)
    rows = solved->predictions;
  for (size_t row = 0; row < rows; row++) {
    name_cell(text, solved->series, row == 0);
    model_cells(text, solved, &facts, row);
    prediction_cells(text, solved, row);
  }
  text->rows += rows;
  text->series++;
  text->untold += !facts.usable;
  return text->rows >= PART ? print_part(text) : 0;
}

int sc_fit_text_end(sc_fit_text *text)
{
  SC_TRY(print_part(text));
  fprintf(text->out, "%s%s", text->series ? "\n" : "", sc_format_plural(text->series, "series").s);
  if (text->untold)
    fprintf(text->out, ", of which %zu cannot be told: more sizes, or a wider range of them, would help", text->untold);
  fputc('\n', text->out);
  return 0;
}
