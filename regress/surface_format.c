/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "regress/surface_internal.h"

/* As snprintf in a row: counts what does not fit. */
typedef struct sink {
  char *text;
  size_t size, length;
  bool programs, exact;
} sink;

static void put(sink *out, const char *format, ...) SC_PRINTF(2, 3);
static void put(sink *out, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  size_t left = out->length < out->size ? out->size - out->length : 0;
  int length = vsnprintf(left ? out->text + out->length : NULL, left, format, args);
  va_end(args);
  if (length > 0)
    out->length += (size_t)length;
}

/* One factor, or a number, as formulas of one parameter write it. */
static void put_model(sink *out, const sc_term *term, const char *name)
{
  sc_model model = {.terms = {*term}, .term_count = 1, .exact = out->exact};
  char text[400];
  if (out->programs)
    sc_model_expression(&model, name, text, sizeof text);
  else
    sc_model_format(&model, name, text, sizeof text);
  bool quotient = strstr(text, " / ") && text[0] != '(';
  put(out, quotient ? "(%s)" : "%s", text);
}

static bool dividing(const sc_term *factor) { return factor->shape == SC_SHAPE_PLAIN && factor->exponent < 0; }

/* "3 n log2(t) / t^0.5": what divides stands behind. */
static void put_term(sink *out, const sc_surface_term *term, size_t parameters, const char *const *names)
{
  const char *times = out->programs ? " * " : " ";
  double size = fabs(term->coefficient);
  size_t put_count = 0;
  bool above = false;
  for (size_t p = 0; p < parameters; p++) {
    sc_term rest = term->factor[p];
    if (dividing(&rest))
      rest.exponent = 0;
    above = above || !sc_surface_plain(&rest);
  }
  if (!above || fabs(size - 1) >= 1e-10) {
    put_model(out, &(sc_term){.coefficient = size}, "");
    put_count++;
  }
  for (size_t p = 0; p < parameters; p++) {
    sc_term factor = term->factor[p];
    factor.coefficient = 1;
    if (dividing(&factor))
      factor.exponent = 0;
    if (sc_surface_plain(&factor))
      continue;
    put(out, "%s", put_count++ ? times : "");
    put_model(out, &factor, names[p]);
  }
  for (size_t p = 0; p < parameters; p++) {
    if (!dividing(&term->factor[p]))
      continue;
    put(out, " / ");
    put_model(out, &(sc_term){.coefficient = 1, .exponent = -term->factor[p].exponent}, names[p]);
  }
}

static int put_form(sink *out, const sc_surface_form *form, size_t parameters, const char *const *names)
{
  if (out->size)
    out->text[0] = '\0';
  if (form->term_count == 0)
    put(out, "0");
  for (size_t i = 0; i < form->term_count; i++) {
    bool below = form->terms[i].coefficient < 0;
    put(out, "%s", i ? below ? " - " : " + " : below ? "-" : "");
    put_term(out, &form->terms[i], parameters, names);
  }
  return (int)out->length;
}

int sc_surface_format(const sc_surface *surface, const char *const *names, char *text, size_t size)
{
  if (surface->along >= 0)
    return sc_model_format(&surface->line, names[surface->along], text, size);
  sink out = {.text = text, .size = size, .exact = surface->exact};
  return put_form(&out, &surface->form, surface->parameters, names);
}

int sc_surface_expression(const sc_surface *surface, const char *const *names, char *text, size_t size)
{
  if (surface->along >= 0)
    return sc_model_expression(&surface->line, names[surface->along], text, size);
  sink out = {.text = text, .size = size, .exact = surface->exact, .programs = true};
  return put_form(&out, &surface->form, surface->parameters, names);
}

int sc_surface_format_form(const sc_surface_form *form, size_t parameters, const char *const *names, char *text,
                           size_t size)
{
  sink out = {.text = text, .size = size};
  return put_form(&out, form, parameters, names);
}
