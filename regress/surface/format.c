/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas of several parameters, as people and as programs read them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "regress/core/format.h"
#include "regress/core/term.h"
#include "regress/surface/internal.h"

/* One factor, or a number, as formulas of one parameter write it. Coefficients alone are times. */
static void put_surface_formula_model(sc_sink *out, const sc_term *term, const char *name)
{
  sc_model model = {.terms = {*term}, .term_count = 1, .exact = out->exact};
  sc_sink style = *out;
  char text[400];
  style.seconds = *name ? 0 : out->seconds;
  sc_format_like(&style, &model, name, text, sizeof text);
  bool quotient = strstr(text, " / ") && text[0] != '(';
  sc_sink_put(out, quotient ? "(%s)" : "%s", text);
}

static bool surface_formula_dividing(const sc_term *factor)
{
  return factor->shape == SC_SHAPE_PLAIN && factor->exponent < 0;
}

/* "3 n log2(t) / t^0.5": what divides stands behind. */
static void put_surface_formula_term(sc_sink *out, const sc_surface_term *term, size_t parameters,
                                     const char *const *names)
{
  double size = fabs(term->coefficient);
  size_t put_count = 0;
  bool above = false;
  for (size_t p = 0; p < parameters; p++) {
    sc_term rest = term->factor[p];
    if (surface_formula_dividing(&rest))
      rest.exponent = 0;
    above = above || !sc_term_is_constant(&rest, 1);
  }
  if (!above || out->seconds > 0 || fabs(size - 1) >= 1e-10) {
    put_surface_formula_model(out, &(sc_term){.coefficient = size}, "");
    put_count++;
  }
  for (size_t p = 0; p < parameters; p++) {
    sc_term factor = term->factor[p];
    factor.coefficient = 1;
    if (surface_formula_dividing(&factor))
      factor.exponent = 0;
    if (sc_term_is_constant(&factor, 1))
      continue;
    sc_sink_put(out, "%s", put_count++ ? sc_sink_times(out) : "");
    put_surface_formula_model(out, &factor, names[p]);
  }
  for (size_t p = 0; p < parameters; p++) {
    if (!surface_formula_dividing(&term->factor[p]))
      continue;
    sc_sink_put(out, " / ");
    put_surface_formula_model(out, &(sc_term){.coefficient = 1, .exponent = -term->factor[p].exponent}, names[p]);
  }
}

static int put_form(sc_sink *out, const sc_surface *surface, const char *const *names)
{
  const sc_surface_form *form = &surface->form;
  if (form->term_count == 0)
    sc_sink_put(out, "0");
  for (size_t i = 0; i < form->term_count; i++) {
    bool below = form->terms[i].coefficient < 0;
    sc_sink_put(out, "%s", i ? below ? " - " : " + " : below ? "-" : "");
    put_surface_formula_term(out, &form->terms[i], surface->parameters, names);
  }
  return (int)out->length;
}

int sc_surface_format_brief(const sc_surface *surface, const char *const *names, double seconds, char *text,
                            size_t size)
{
  if (surface->along >= 0)
    return sc_model_format_brief(&surface->line, names[surface->along], seconds, text, size);
  sc_sink out = sc_sink_open(text, size, false, surface->exact);
  out.brief = true;
  out.seconds = seconds;
  return put_form(&out, surface, names);
}

int sc_surface_expression(const sc_surface *surface, const char *const *names, char *text, size_t size)
{
  if (surface->along >= 0)
    return sc_model_expression(&surface->line, names[surface->along], text, size);
  sc_sink out = sc_sink_open(text, size, true, surface->exact);
  return put_form(&out, surface, names);
}
