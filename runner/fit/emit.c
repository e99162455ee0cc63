/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/emit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

enum { FORMULA_BYTES = 8192 };

void sc_emit_text(sc_buf *out, const char *text) { sc_buf_add(out, text, strlen(text)); }

/* In quotes; the text is valid UTF-8. */
static void emit_string(sc_buf *out, sc_view text)
{
  size_t from = 0;
  sc_buf_add(out, "\"", 1);
  for (size_t i = 0; i < text.length; i++) {
    unsigned char c = (unsigned char)text.text[i];
    if (c != '"' && c != '\\' && c >= 0x20 && c != 0x7f)
      continue;
    char escape[8];
    int length = c == '"' || c == '\\' ? snprintf(escape, sizeof escape, "\\%c", c)
                                       : snprintf(escape, sizeof escape, "\\u%04x", c);
    sc_buf_add(out, text.text + from, i - from);
    sc_buf_add(out, escape, (size_t)length);
    from = i + 1;
  }
  sc_buf_add(out, text.text + from, text.length - from);
  sc_buf_add(out, "\"", 1);
}

void sc_emit_shown(sc_buf *out, const char *text)
{
  sc_buf shown = {0};
  sc_utf8_show(text, &shown);
  out->failed |= sc_buf_finish(&shown) < 0;
  if (!out->failed)
    emit_string(out, (sc_view){shown.text, shown.length});
  sc_buf_free(&shown);
}

int sc_emit_flush(sc_buf *out, FILE *stream)
{
  SC_TRY(sc_buf_finish(out));
  (void)fwrite(out->text, 1, out->length, stream);
  out->length = 0;
  return 0;
}

static void emit_digits(sc_buf *out, double value, int count)
{
  char text[SC_NUMBER_BYTES];
  if (isfinite(value))
    sc_buf_add(out, text, sc_number_write(value, count, text));
  else
    sc_emit_text(out, "null");
}

void sc_emit_number(sc_buf *out, double value) { emit_digits(out, value, SC_NUMBER_SAME); }

static sc_view emit_view(const char *text) { return (sc_view){text, strlen(text)}; }

/* "key": value, with what stands before it. */
static void emit_number(sc_buf *out, const char *before, double value)
{
  sc_emit_text(out, before);
  sc_emit_number(out, value);
}

/* The same of what is computed: fifteen digits are what a double has; the largest one would become infinite by them. */
static void emit_computed(sc_buf *out, const char *before, double value)
{
  sc_emit_text(out, before);
  emit_digits(out, value, value < 1e308 ? 15 : SC_NUMBER_SAME);
}

/* Errors and weights: nobody needs more. */
static void emit_rough(sc_buf *out, const char *before, double value)
{
  sc_emit_text(out, before);
  emit_digits(out, value, 6);
}

static void emit_member_string(sc_buf *out, const char *before, sc_view value)
{
  sc_emit_text(out, before);
  emit_string(out, value);
}

/* A size: a number where the series has one parameter, else an object. */
static void emit_point(sc_buf *out, const sc_store_set *set, const double *at)
{
  if (set->count == 1) {
    sc_emit_number(out, at[0]);
    return;
  }
  for (size_t p = 0; p < set->count; p++) {
    emit_member_string(out, p ? ", " : "{", emit_view(set->names[p]));
    emit_number(out, ": ", at[p]);
  }
  sc_emit_text(out, set->count ? "}" : "null");
}

static void emit_order(sc_buf *out, const sc_order *growth)
{
  emit_computed(out, "{\"n\": ", growth->exponent);
  emit_computed(out, ", \"log\": ", growth->log_exponent);
  if (growth->base > 0) {
    emit_number(out, ", \"base\": ", growth->base);
    emit_number(out, ", \"beside\": ", growth->beside);
  }
  sc_emit_text(out, "}");
}

static void emit_orders(sc_buf *out, const sc_solved *solved)
{
  sc_emit_text(out, ", \"order\": ");
  if (!solved->several && solved->parameters > 1) { /* too many */
    sc_emit_text(out, "null");
    return;
  }
  if (!solved->several) {
    emit_order(out, sc_solve_order(solved, 0));
    return;
  }
  for (size_t i = 0; i < solved->parameters; i++) {
    emit_member_string(out, i ? ", " : "{", emit_view(solved->series->set->names[solved->parameter[i]]));
    sc_emit_text(out, ": ");
    emit_order(out, sc_solve_order(solved, i));
  }
  sc_emit_text(out, "}");
}

/* Formulas have nothing that needs an escape. */
static int emit_formula(sc_buf *out, const char *before, const char *text, int length)
{
  if (length >= FORMULA_BYTES)
    return sc_err_set(SC_E_INTERNAL, "a formula of more than %d characters", FORMULA_BYTES);
  sc_emit_text(out, before);
  sc_buf_add(out, text, (size_t)length);
  sc_buf_add(out, "\"", 1);
  return 0;
}

static int emit_formulas(sc_buf *out, const sc_solved *solved, const sc_solve_facts *facts)
{
  char text[FORMULA_BYTES];
  if (facts->usable)
    SC_TRY(emit_formula(out, ", \"model\": \"", text, sc_solve_format(solved, true, text, sizeof text)));
  else
    sc_emit_text(out, ", \"model\": null");
  emit_orders(out, solved);
  sc_emit_text(out, ", \"rivals\": [");
  const char *before = "{\"model\": \"";
  for (size_t i = 0; i < facts->rivals; i++) {
    double weight, error;
    if (sc_solve_rival_weight(solved, i) < SC_MODEL_PLAUSIBLE)
      continue;
    int length = sc_solve_format_rival(solved, i, true, text, sizeof text, &weight, &error);
    SC_TRY(emit_formula(out, before, text, length));
    before = ", {\"model\": \"";
    emit_rough(out, ", \"weight\": ", weight);
    emit_rough(out, ", \"error\": ", error < 0 ? NAN : error);
    sc_emit_text(out, "}");
  }
  sc_emit_text(out, "]");
  return 0;
}

static void emit_parameters(sc_buf *out, const sc_solved *solved)
{
  const sc_store_set *set = solved->series->set;
  sc_emit_text(out, ", \"parameters\": {");
  for (size_t p = 0; p < set->count; p++) {
    emit_member_string(out, p ? ", " : "", emit_view(set->names[p]));
    emit_number(out, ": {\"min\": ", solved->low[p]);
    emit_number(out, ", \"max\": ", solved->high[p]);
    for (size_t i = 0; i < solved->parameters; i++)
      if (solved->parameter[i] == p && strcmp(solved->names[i], set->names[p]) != 0)
        emit_member_string(out, ", \"variable\": ", emit_view(solved->names[i]));
    sc_emit_text(out, "}");
  }
  sc_emit_text(out, "}");
}

static void fit_emit(sc_buf *out, const sc_solved *solved, const sc_solve_facts *facts)
{
  emit_number(out, ", \"fit\": {\"points\": ", (double)facts->points);
  emit_number(out, ", \"observations\": ", (double)solved->series->observations);
  sc_emit_text(out, solved->counts ? ", \"counts\": true" : ", \"counts\": false");
  sc_emit_text(out, facts->exact ? ", \"exact\": true" : ", \"exact\": false");
  emit_rough(out, ", \"error\": ", facts->error < 0 ? NAN : facts->error);
  emit_rough(out, ", \"fit_error\": ", facts->fit_error < 0 ? NAN : facts->fit_error);
  emit_rough(out, ", \"r2\": ", facts->r2);
  sc_emit_text(out, "}");
}

static void decide_emit(sc_buf *out, const sc_solved *solved)
{
  double all[SC_STORE_PARAMETERS];
  sc_emit_text(out, ", \"decide\": ");
  if (!sc_solve_deciding(solved, all)) {
    sc_emit_text(out, "null");
    return;
  }
  emit_point(out, solved->series->set, all);
}

/* JSON has no infinity; the largest number compares as it should. */
static void emit_predictions(sc_buf *out, const sc_solved *solved)
{
  const sc_store_set *set = solved->series->set;
  sc_emit_text(out, ", \"predictions\": [");
  for (size_t i = 0; i < solved->predictions; i++) {
    const sc_interval *predicted = &solved->predicted[i];
    sc_emit_text(out, i ? ", {\"at\": " : "{\"at\": ");
    emit_point(out, set, &solved->points[i * set->count]);
    emit_computed(out, ", \"value\": ", predicted->value);
    emit_computed(out, ", \"low\": ", predicted->low);
    emit_computed(out, ", \"high\": ", isinf(predicted->high) ? DBL_MAX : predicted->high);
    sc_emit_text(out, "}");
  }
  sc_emit_text(out, "]");
}

int sc_emit_series(sc_buf *out, const sc_solved *solved)
{
  sc_solve_facts facts = sc_solve_describe(solved);
  emit_member_string(out, "{\"callpath\": ", solved->series->callpath);
  emit_member_string(out, ", \"metric\": ", solved->series->metric);
  if (solved->series->unit.length)
    emit_member_string(out, ", \"unit\": ", solved->series->unit);
  emit_parameters(out, solved);
  sc_emit_text(out, facts.usable ? ", \"verdict\": \"model\"" : ", \"verdict\": \"cannot-tell\"");
  if (*facts.why)
    emit_member_string(out, ", \"why\": ", emit_view(facts.why));
  SC_TRY(emit_formulas(out, solved, &facts));
  decide_emit(out, solved);
  fit_emit(out, solved, &facts);
  emit_predictions(out, solved);
  sc_emit_text(out, "}");
  return 0;
}

void sc_emit_points(sc_buf *out, const sc_store_series *series)
{
  const sc_store_set *set = series->set;
  for (size_t i = 0, from = 0; i < series->points; from += series->repeats[i++]) {
    sc_emit_text(out, "{\"params\": {");
    for (size_t p = 0; p < set->count; p++) {
      emit_member_string(out, p ? ", " : "", emit_view(set->names[p]));
      emit_number(out, ": ", series->at[from * set->count + p]);
    }
    emit_member_string(out, "}, \"callpath\": ", series->callpath);
    emit_member_string(out, ", \"metric\": ", series->metric);
    if (series->unit.length)
      emit_member_string(out, ", \"unit\": ", series->unit);
    for (size_t k = 0; k < series->repeats[i]; k++)
      emit_number(out, k ? ", " : ", \"value\": [", series->y[from + k]);
    sc_emit_text(out, "]}\n");
  }
}
