/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the models of one and of several parameters have in common, for those who print them. */
#include <math.h>
#include <string.h>

#include "runner/fit/solve.h"
#include "runner/fit/words.h"

sc_solve_facts sc_solve_describe(const sc_solved *solved)
{
  const sc_surface *s = &solved->surface;
  const sc_model *m = &solved->model;
  if (solved->several)
    return (sc_solve_facts){
        s->verdict == SC_VERDICT_MODEL, s->why, s->r2, s->error, s->fit_error, s->exact, s->points, s->rival_count};
  return (sc_solve_facts){
      m->verdict == SC_VERDICT_MODEL, m->why, m->r2, m->error, m->fit_error, m->exact, m->points, m->rival_count};
}

/* A series whose size has no name varies nothing. */
static const char *solved_variable(const sc_solved *solved) { return solved->parameters ? solved->names[0] : "n"; }

/* Of a series of times; 0: it is of something else. */
static double seconds_of(const sc_solved *solved) { return sc_words_seconds(solved->series->unit); }

int sc_solve_format(const sc_solved *solved, bool program, char *text, size_t size)
{
  if (solved->several)
    return program ? sc_surface_expression(&solved->surface, solved->names, text, size)
                   : sc_surface_format_brief(&solved->surface, solved->names, seconds_of(solved), text, size);
  return program ? sc_model_expression(&solved->model, solved_variable(solved), text, size)
                 : sc_model_format_brief(&solved->model, solved_variable(solved), seconds_of(solved), text, size);
}

double sc_solve_rival_weight(const sc_solved *solved, size_t rival)
{
  return solved->several ? solved->surface.rivals[rival].weight : solved->model.rivals[rival].weight;
}

int sc_solve_format_rival(const sc_solved *solved, size_t rival, bool program, char *text, size_t size, double *weight,
                          double *error)
{
  if (solved->several) {
    sc_surface other = solved->surface;
    other.form = solved->surface.rivals[rival];
    other.along = -1;
    *weight = other.form.weight;
    *error = other.form.error;
    return program ? sc_surface_expression(&other, solved->names, text, size)
                   : sc_surface_format_brief(&other, solved->names, seconds_of(solved), text, size);
  }
  const sc_rival *from = &solved->model.rivals[rival];
  sc_model other = {.term_count = from->term_count};
  memcpy(other.terms, from->terms, sizeof other.terms);
  *weight = from->weight;
  *error = from->error;
  return program ? sc_model_expression(&other, solved_variable(solved), text, size)
                 : sc_model_format_brief(&other, solved_variable(solved), seconds_of(solved), text, size);
}

const sc_order *sc_solve_order(const sc_solved *solved, size_t parameter)
{
  return solved->several ? &solved->surface.order[parameter] : &solved->model.order;
}

static bool open_question(const sc_solved *solved)
{
  sc_solve_facts facts = sc_solve_describe(solved);
  bool open = !facts.usable;
  for (size_t i = 0; i < facts.rivals && !open; i++)
    open = sc_solve_rival_weight(solved, i) >= SC_MODEL_PLAUSIBLE;
  return open;
}

bool sc_solve_deciding(const sc_solved *solved, double *at)
{
  double varying[SC_STORE_PARAMETERS];
  if (solved->parameters < 1 || !open_question(solved))
    return false;
  if (solved->parameters > SC_SURFACE_PARAMETERS)
    return false;
  if (solved->several && !sc_surface_deciding(&solved->surface, varying))
    return false;
  if (!solved->several)
    varying[0] = sc_model_deciding_size(&solved->model);
  if (!isfinite(varying[0]))
    return false;
  memcpy(at, solved->low, sizeof solved->low);
  for (size_t i = 0; i < solved->parameters; i++)
    at[solved->parameter[i]] = varying[i];
  return true;
}
