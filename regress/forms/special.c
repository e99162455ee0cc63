/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series that need no search: too short, constant, zero, or with an exact tail. */
#include "regress/forms/special.h"

#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

void sc_special_set_terms(sc_model *model, const sc_term *terms, size_t count)
{
  memcpy(model->terms, terms, count * sizeof *terms);
  model->term_count = count;
  model->order = sc_term_order(model->terms, count);
}

/* What is longer to describe but holds as well is a rival. */
static void add_rivals(const sc_exact_result *found, sc_model *model)
{
  for (size_t i = 1; i < found->count && model->rival_count < SC_MODEL_RIVALS; i++) {
    sc_rival *rival = &model->rivals[model->rival_count++];
    memcpy(rival->terms, found->models[i].terms, sizeof rival->terms);
    rival->term_count = found->models[i].term_count;
    rival->weight = found->models[i].weight;
  }
}

static void set_special_exact(const sc_points *points, const sc_exact_result *found, sc_model *model)
{
  const sc_exact_model *best = &found->models[0];
  sc_special_set_terms(model, best->terms, best->term_count);
  memcpy(model->pieces, best->pieces, sizeof model->pieces);
  model->piece_count = best->piece_count;
  add_rivals(found, model);
  model->exact = found->sure;
  model->error = 0;
  model->degrees = points->observations - best->term_count;
  sc_engine_judge(points, model);
}

static bool all_equal(const sc_points *points)
{
  for (size_t i = 0; i < points->count; i++)
    if (points->y[i] != points->y[0])
      return false;
  return points->pure_ss == 0;
}

sc_term sc_special_power_law(const sc_points *points, size_t from, double before)
{
  size_t last = points->count - 1;
  double e = log(points->y[last] / before) / (points->log_n[last] - points->log_n[from]);
  return (sc_term){.coefficient = points->y[last] / pow(points->n[last], e), .exponent = e};
}

/* One or two sizes: a best guess, so that there is something to show, and the verdict that it is one. */
static void guess_special(const sc_points *points, sc_model *model)
{
  sc_term term = {points->y[points->count - 1], 0, 0};
  if (points->count == 2 && points->y[0] > 0 && points->y[1] > 0)
    term = sc_special_power_law(points, 0, points->y[0]);
  sc_special_set_terms(model, &term, term.coefficient != 0);
  sc_engine_judge(points, model);
  sc_engine_cannot_tell(model, "only %zu size%s with a count above 0; at least 3 different sizes are needed",
                        points->count, points->count == 1 ? "" : "s");
}

static void set_constant(const sc_points *points, sc_model *model)
{
  sc_term term = {points->y[0], 0, 0};
  sc_special_set_terms(model, &term, points->y[0] != 0);
  model->error = 0;
  model->degrees = points->observations - model->term_count;
  sc_engine_judge(points, model);
}

/* Exactness is asked first: two sizes may be all that a formula needs, and a constant is a formula too. */
int sc_special_fit(sc_engine *engine, sc_model *model)
{
  const sc_points *points = &engine->points;
  sc_exact_result *found = &engine->found;
  SC_TRY(sc_exact_find(engine->exact, points, found));
  if (found->count && found->believed && found->first == 0)
    set_special_exact(points, found, model);
  else if (points->count >= 2 && all_equal(points))
    set_constant(points, model);
  else if (points->count < 3)
    guess_special(points, model);
  else
    return 0;
  return 1;
}

/* The model of all sizes stays as a rival: small sizes may be a program's start, or the tail may be chance. */
void sc_special_tail(sc_engine *engine, sc_model *model)
{
  const sc_exact_result *found = &engine->found;
  if (found->count == 0 || (!found->believed && model->verdict != SC_VERDICT_CANNOT_TELL))
    return;
  sc_rival *rival = &model->rivals[0];
  *rival = (sc_rival){.term_count = model->term_count,
                      .error = model->error,
                      .weight = found->believed ? SC_SPECIAL_TAIL : SC_SPECIAL_GUESSED};
  memcpy(rival->terms, model->terms, sizeof rival->terms);
  model->rival_count = 1;
  model->mass = 1;
  sc_points tail = sc_points_part(&engine->points, found->first, engine->points.count - found->first);
  memset(model->covariance, 0, sizeof model->covariance);
  model->verdict = SC_VERDICT_MODEL;
  model->why[0] = '\0';
  model->sigma = model->scatter = model->drift = 0;
  model->points = tail.count;
  model->n_min = tail.n[0];
  set_special_exact(&tail, found, model);
  model->exact = false;
}
