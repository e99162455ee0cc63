/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/fit/check.h"
#include "runner/fit/words.h"
#include "runner/text/format.h"
#include "runner/text/table.h"

enum { PART = 200, COLUMNS = 6, STACKED = 3, CELL_BYTES = 256, FORMULA_BYTES = 2048, WIDE = 40 };

struct sc_fit_text {
  FILE *out;
  int width;
  sc_style style;
  sc_table *table;
  sc_buf notes; /* below the table: why something is undecided */
  size_t rows, series, untold;
  bool stacked; /* predictions stand below the model, not beside it */
};

int sc_fit_text_new(FILE *out, int width, sc_style style, sc_fit_text **text)
{
  SC_TRY(SC_NEW(*text, 1));
  **text = (sc_fit_text){.out = out, .width = width, .style = style};
  return 0;
}

void sc_fit_text_free(sc_fit_text *text)
{
  if (!text)
    return;
  sc_table_free(text->table);
  sc_buf_free(&text->notes);
  free(text);
}

/* On a narrow terminal, and where sizes need names, there is not room for all columns. */
static int begin_part(sc_fit_text *text, const sc_solved *solved)
{
  static const char *const headings[COLUMNS] = {"Series", "Model", "error", "at", "predicted", "interval"};
  text->stacked = text->width < SC_TERMINAL_WIDTH || solved->series->set->count > 1;
  text->table = sc_table_new(text->stacked ? "lll" : "llrrrr");
  text->rows = 0;
  for (size_t i = 0; i < (text->stacked ? STACKED : COLUMNS); i++)
    sc_table_cell(text->table, headings[i]);
  return text->table ? 0 : SC_E_NOMEM;
}

static void print_notes(sc_fit_text *text)
{
  if (!text->notes.length)
    return;
  fputc('\n', text->out);
  for (char *line = text->notes.text, *end; *line; line = end + 1) {
    end = strchr(line, '\n');
    *end = '\0';
    sc_format_wrap(text->out, line, 0, 2, text->width);
  }
  text->notes.length = 0;
}

static int print_part(sc_fit_text *text)
{
  if (!text->table)
    return 0;
  if (!text->stacked)
    sc_table_fit(text->table, 0, text->width);
  sc_table_fit_ends(text->table, 1, text->width);
  sc_table_fit(text->table, 0, text->width);
  int err = sc_table_print(text->table, text->out, 0, text->style.bold, text->style.off);
  sc_table_free(text->table);
  text->table = NULL;
  print_notes(text);
  return err;
}

/* Tables cut plain ASCII only. */
static void shorten_fit_text(char *name)
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
  char unit[24];
  sc_view metric = series->metric, named = SC_VIEW("");
  sc_check_plain(series->unit, unit, sizeof unit);
  sc_words_take_unit(&metric, &named);
  if (first)
    name = sc_check_series(series->callpath, series->metric);
  shorten_fit_text(name.text);
  size_t length = strlen(name.text);
  if (first && *unit && !named.length && !(sc_words_seconds(series->unit) > 0)) /* times have theirs in the formula */
    snprintf(name.text + length, sizeof name.text - length, " (%s)", unit);
  sc_table_cell(text->table, name.text);
}

static void formula_cell(sc_fit_text *text, const char *before, const char *formula)
{
  char cell[FORMULA_BYTES + sizeof "or "];
  snprintf(cell, sizeof cell, "%s%s", before, formula);
  sc_table_cell(text->table, cell);
}

static sc_text error_of(double error, bool exact)
{
  sc_text none = {""};
  return exact ? (sc_text){"exact"} : error < 0 ? none : sc_format_percent(error);
}

/* Rivals that are worth showing: plausible ones that do not read as the model does. */
typedef struct shown_rivals {
  size_t list[SC_MODEL_RIVALS + SC_SURFACE_RIVALS], count;
} shown_rivals;

static shown_rivals choose_rivals(const sc_solved *solved, const sc_solve_facts *facts)
{
  shown_rivals shown = {.count = 0};
  char model[FORMULA_BYTES], rival[FORMULA_BYTES];
  double weight, error;
  if (!facts->usable)
    return shown;
  (void)sc_solve_format(solved, false, model, sizeof model);
  for (size_t i = 0; i < facts->rivals; i++) {
    (void)sc_solve_format_rival(solved, i, false, rival, sizeof rival, &weight, &error);
    if (weight >= SC_MODEL_PLAUSIBLE && strcmp(rival, model) != 0)
      shown.list[shown.count++] = i;
  }
  return shown;
}

/* The model, then the rivals, one in each row. */
static void model_cells(sc_fit_text *text, const sc_solved *solved, const sc_solve_facts *facts,
                        const shown_rivals *rivals, size_t row)
{
  char formula[FORMULA_BYTES];
  double weight, error;
  if (row == 0 && facts->usable) {
    (void)sc_solve_format(solved, false, formula, sizeof formula);
    formula_cell(text, "", formula);
    sc_table_cell(text->table, error_of(facts->error < 0 ? facts->fit_error : facts->error, facts->exact).s);
  } else if (row && row <= rivals->count) {
    (void)sc_solve_format_rival(solved, rivals->list[row - 1], false, formula, sizeof formula, &weight, &error);
    formula_cell(text, "or ", formula);
    sc_table_cell(text->table, error_of(error, false).s);
  } else {
    sc_table_cell(text->table, row ? "" : "cannot tell");
    sc_table_cell(text->table, "");
  }
}

/* "n=1,000,000", or without the name where there is but one parameter. */
static void format_place(const sc_store_set *set, const double *at, char *place, size_t size)
{
  size_t length = 0;
  *place = '\0';
  for (size_t p = 0; p < set->count && length < size; p++) {
    char name[64];
    sc_check_plain((sc_view){set->names[p], strlen(set->names[p])}, name, sizeof name);
    length += (size_t)snprintf(place + length, size - length, "%s%s%s%s", p ? " " : "", set->count > 1 ? name : "",
                               set->count > 1 ? "=" : "", sc_format_number(at[p]).s);
  }
}

typedef struct prediction {
  sc_text value, interval;
} prediction;

/* Times in a unit of their size, whatever the input's. */
static prediction show_predicted(const sc_solved *solved, size_t at)
{
  char unit[24];
  sc_interval x = solved->predicted[at];
  double seconds = sc_words_seconds(solved->series->unit);
  sc_check_plain(solved->series->unit, unit, sizeof unit);
  if (seconds > 0) {
    x = (sc_interval){x.value * seconds, x.low * seconds, x.high * seconds};
    snprintf(unit, sizeof unit, "s");
  }
  return (prediction){sc_format_cost(x.value, unit), sc_format_interval(&x, unit)};
}

static void prediction_cells(sc_fit_text *text, const sc_solved *solved, size_t row)
{
  const sc_store_set *set = solved->series->set;
  char place[CELL_BYTES] = "";
  if (row >= solved->predictions) {
    for (int i = 0; i < 3; i++)
      sc_table_cell(text->table, "");
    return;
  }
  format_place(set, &solved->points[row * set->count], place, sizeof place);
  sc_table_cell(text->table, place);
  prediction predicted = show_predicted(solved, row);
  sc_table_cell(text->table, predicted.value.s);
  sc_table_cell(text->table, predicted.interval.s);
}

/* "  at 1,000,000" and "3.1 million (3.0 to 3.3 million)" in a row of their own. */
static void stacked_row(sc_fit_text *text, const sc_solved *solved, size_t row)
{
  char place[CELL_BYTES], cell[CELL_BYTES + 8];
  prediction predicted = show_predicted(solved, row);
  format_place(solved->series->set, &solved->points[row * solved->series->set->count], place, sizeof place);
  snprintf(cell, sizeof cell, "  at %s", place);
  sc_table_cell(text->table, cell);
  if (isnan(solved->predicted[row].value))
    snprintf(cell, sizeof cell, "unknown");
  else
    snprintf(cell, sizeof cell, "%s (%s)", predicted.value.s, predicted.interval.s);
  sc_table_cell(text->table, cell);
  sc_table_cell(text->table, "");
}

static void note_why(sc_fit_text *text, const sc_solved *solved, const sc_solve_facts *facts)
{
  char place[CELL_BYTES];
  double at[SC_STORE_PARAMETERS];
  const sc_store_series *series = solved->series;
  sc_buf_printf(&text->notes, "%s is undecided: %s", sc_check_series(series->callpath, series->metric).text,
                facts->why);
  if (sc_solve_deciding(solved, at)) {
    format_place(series->set, at, place, sizeof place);
    sc_buf_printf(&text->notes, ". Measure %s%s next", series->set->count == 1 ? "size " : "", place);
  }
  sc_buf_puts(&text->notes, "\n");
}

int sc_fit_text_add(sc_fit_text *text, const sc_solved *solved)
{
  sc_solve_facts facts = sc_solve_describe(solved);
  shown_rivals rivals = choose_rivals(solved, &facts);
  size_t rows = 1 + rivals.count;
  if (!text->table)
    SC_TRY(begin_part(text, solved));
  if (rows < solved->predictions && !text->stacked)
    rows = solved->predictions;
  for (size_t row = 0; row < rows; row++) {
    name_cell(text, solved->series, row == 0);
    model_cells(text, solved, &facts, &rivals, row);
    if (!text->stacked)
      prediction_cells(text, solved, row);
  }
  for (size_t row = 0; row < solved->predictions && text->stacked; row++, rows++)
    stacked_row(text, solved, row);
  text->rows += rows;
  text->series++;
  text->untold += !facts.usable;
  if (!facts.usable)
    note_why(text, solved, &facts);
  SC_TRY(sc_buf_finish(&text->notes));
  return text->rows >= PART ? print_part(text) : 0;
}

int sc_fit_text_end(sc_fit_text *text)
{
  SC_TRY(print_part(text));
  fprintf(text->out, "%s%s series", text->series ? "\n" : "", sc_format_number((double)text->series).s);
  if (text->untold)
    fprintf(text->out, ", %s undecided", sc_format_number((double)text->untold).s);
  fputc('\n', text->out);
  return 0;
}
