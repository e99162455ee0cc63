/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `ask --sweep threads=1..64` of one number, or of limits: a row for each value. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "runner/points/internal.h"
#include "runner/text/format.h"
#include "runner/text/terminal.h"

static void print_limit_heading(const sc_several *s, const sc_ask *ask, size_t swept)
{
  sc_buf text = {0};
  sc_buf_printf(&text, "%s from which on", s->names[0]);
  for (size_t i = 0; i < ask->limit_count; i++) {
    const sc_limit *limit = &ask->limits[i];
    sc_buf_puts(&text, i ? "; " : " there is ");
    sc_quantity_phrase(&limit->quantity, sc_amount_text(limit->quantity.kind, limit->value).s, &text);
  }
  sc_buf_printf(&text, ", over %s", s->names[swept]);
  if (sc_buf_finish(&text) == 0)
    sc_format_wrap(stdout, text.text, 0, 2, sc_terminal_width(stdout));
  sc_buf_free(&text);
}

/* Four columns a limit, at most 16 limits, behind the values of further parameters. */
static const char LIMIT_COLUMNS[] = "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr";
static const char NUMBER_COLUMNS[] = "rrrrrrrl";

static void add_sweep_rows_heading(sc_table *table, const sc_several *s, const sc_ask *ask, size_t i)
{
  sc_buf text = {0};
  const sc_limit *limit = ask->limit_count > 1 ? &ask->limits[i] : NULL;
  sc_buf_puts(&text, ask->limit_count ? s->names[0] : ask->quantities[0].metric);
  if (limit)
    sc_buf_printf(&text, ", %s", sc_amount_text(limit->quantity.kind, limit->value).s);
  sc_table_cell(table, sc_buf_finish(&text) == 0 ? text.text : "");
  sc_buf_free(&text);
}

sc_table *sc_several_sweep_rows_new(const sc_several *s, const sc_ask *ask, size_t swept)
{
  const sc_style style = sc_terminal_style(stdout);
  const char *title = ask->quantities[0].title;
  bool limits = ask->limit_count > 0, supposed = limits ? ask->supposing != NULL : ask->supposed != NULL;
  size_t width = s->parameters - 1 + 4 * ask->limit_count;
  fputs(style.bold, stdout);
  if (limits)
    print_limit_heading(s, ask, swept);
  else
    printf("%c%s over %s\n", toupper((unsigned char)*title), title + 1, s->names[swept]);
  fputs(style.off, stdout);
  sc_table *table = sc_table_new(limits ? LIMIT_COLUMNS + sizeof LIMIT_COLUMNS - 1 - width
                                        : NUMBER_COLUMNS + SC_SURFACE_PARAMETERS - s->parameters);
  for (size_t i = limits ? 1 : 0; i < s->parameters; i++)
    sc_table_cell(table, s->names[i]);
  for (size_t i = 0; i < (limits ? ask->limit_count : 1); i++) {
    add_sweep_rows_heading(table, s, ask, i);
    sc_table_cell(table, "95% interval");
    sc_table_cell(table, supposed ? "supposed" : "");
    sc_table_cell(table, supposed ? "95% interval" : "");
  }
  if (!limits)
    sc_table_cell(table, "confidence");
  return table;
}

/* The size, and from the earliest to the latest one. */
static void add_limit(sc_table *table, const sc_limit *limit)
{
  sc_buf range = {0};
  sc_text low = sc_format_number(limit->n.low), high = sc_format_number(limit->n.high);
  bool already = sc_limit_exceeded_already(limit), told = already || !limit->cannot_tell;
  sc_table_cell(table, already                     ? "already"
                       : !told                     ? "cannot tell"
                       : !isfinite(limit->n.value) ? "never"
                                                   : sc_format_number(limit->n.value).s);
  if (!already && told && isfinite(limit->n.low)) {
    if (limit->n.low == limit->n.high)
      sc_buf_puts(&range, sc_quantity_is_count(&limit->quantity) ? "exactly" : "");
    else
      sc_buf_printf(&range, "%s to %s", low.s, isfinite(limit->n.high) ? high.s : "never");
  }
  sc_table_cell(table, sc_buf_finish(&range) == 0 && range.text ? range.text : "");
  sc_buf_free(&range);
}

static void add_sweep_rows_others(sc_table *table, const sc_several *s, const double *others)
{
  for (size_t k = 1; k < s->parameters; k++)
    sc_table_cell(table, sc_format_number(others[k - 1]).s);
}

void sc_several_sweep_rows_add(sc_table *table, const sc_several *s, const sc_ask *ask, const double *others)
{
  if (ask->limit_count)
    add_sweep_rows_others(table, s, others);
  for (size_t i = 0; i < ask->limit_count; i++) {
    add_limit(table, &ask->limits[i]);
    if (ask->supposing)
      add_limit(table, &ask->supposed_limits[i]);
    for (int blank = 0; blank < 2 && !ask->supposing; blank++)
      sc_table_cell(table, "");
  }
  for (size_t i = 0; i < ask->size_count && !ask->limit_count; i++) {
    const sc_ask_value *value = &ask->sizes[i].values[0];
    enum sc_amount_kind kind = ask->quantities[0].kind;
    sc_table_cell(table, sc_format_number(ask->sizes[i].n).s);
    add_sweep_rows_others(table, s, others);
    sc_table_cell(table, sc_amount_estimate(kind, &value->predicted).s);
    sc_table_cell(table, sc_amount_interval(kind, &value->predicted).s);
    sc_table_cell(table, ask->supposed ? sc_amount_estimate(kind, &value->supposed).s : "");
    sc_table_cell(table, ask->supposed ? sc_amount_interval(kind, &value->supposed).s : "");
    sc_table_cell(table, value->certainty.half == 0 ? "exact" : sc_certainty_word(&value->certainty));
  }
}
