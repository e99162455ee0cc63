/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table over a range of sizes, for people. */
#include <math.h>
#include <string.h>

#include "runner/ask/ask.h"
#include "runner/text/table.h"

enum { NARROW = 96 };

/* How a quantity grows between two sizes: as a power of the parameter. */
static sc_text asked_sweep_growth(const sc_ask_size *before, const sc_ask_size *after)
{
  double from = before->values[0].predicted.value, to = after->values[0].predicted.value;
  sc_text out = {""};
  if (from > 0 && to > 0 && isfinite(to))
    snprintf(out.s, sizeof out.s, "n^%.2f", log(to / from) / log(after->n / before->n));
  return out;
}

static sc_text asked_sweep_beyond(const sc_certainty *c)
{
  sc_text out = {""};
  if (c->beyond > 1)
    snprintf(out.s, sizeof out.s, "%.50s x", sc_format_count(c->beyond).s);
  return out;
}

static const char *asked_sweep_word(const sc_certainty *c) { return c->half == 0 ? "exact" : sc_certainty_word(c); }

static void add_sweep_row(sc_table *table, const sc_ask *ask, size_t i, bool narrow)
{
  const sc_ask_size *size = &ask->sweep[i];
  const sc_ask_value *first = &size->values[0];
  sc_text grows = i ? asked_sweep_growth(size - 1, size) : (sc_text){""};
  const char *v = ask->judge->loaded.workload->parameter;
  sc_table_cell(table, sc_format_number(size->n).s);
  sc_table_cell(table, sc_amount_estimate(ask->quantities[0].kind, &first->predicted).s);
  sc_table_cell(table, sc_amount_interval(ask->quantities[0].kind, &first->predicted).s);
  sc_table_cell(table, ask->supposed ? sc_amount_estimate(ask->quantities[0].kind, &first->supposed).s : "");
  for (size_t q = 1; q < 3; q++)
    sc_table_cell(table, q < ask->quantity_count
                             ? sc_amount_estimate(ask->quantities[q].kind, &size->values[q].predicted).s
                             : "");
  if (*grows.s && strcmp(v, "n") != 0) { /* the parameter's own name where that is short */
    sc_text named;
    snprintf(named.s, sizeof named.s, "%.20s%.40s", v, grows.s + 1);
    grows = named;
  }
  sc_table_cell(table, grows.s);
  sc_table_cell(table, asked_sweep_word(&first->certainty));
  sc_table_cell(table, narrow ? "" : asked_sweep_beyond(&first->certainty).s);
}

int sc_ask_print_sweep(FILE *out, const sc_ask *ask, const sc_text_options *options)
{
  bool narrow = options->width < NARROW;
  const char *const headings[] = {ask->judge->loaded.workload->parameter,
                                  "predicted",
                                  "95% interval",
                                  ask->supposed ? "supposed" : "",
                                  ask->quantity_count > 1 ? ask->quantities[1].metric : "",
                                  ask->quantity_count > 2 ? ask->quantities[2].metric : "",
                                  "grows as",
                                  "confidence",
                                  narrow ? "" : "beyond measured"};
  sc_buf held = {0};
  sc_table *table = sc_table_new("rrrrrrllr");
  for (size_t i = 0; i < 9; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < ask->sweep_count; i++)
    add_sweep_row(table, ask, i, narrow);
  sc_judge_describe_held(ask->judge, &held);
  fprintf(out, "%s%c%s over %s%s%s\n", options->style.bold, ask->quantities[0].title[0] & ~0x20,
          ask->quantities[0].title + 1, ask->judge->loaded.workload->parameter,
          sc_buf_finish(&held) == 0 ? held.text : "", options->style.off);
  sc_buf_free(&held);
  int err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  sc_table_free(table);
  return err;
}
