/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/surface/internal.h"

/* What the points cannot tell, and the words for it. */

void sc_surface_cannot_tell(sc_surface *surface, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(surface->why, sizeof surface->why, format, args);
  va_end(args);
  surface->verdict = SC_VERDICT_CANNOT_TELL;
}

sc_surface_label sc_surface_label_of(const sc_surface_series *series, size_t p)
{
  sc_surface_label made;
  if (series->names && series->names[p])
    snprintf(made.text, sizeof made.text, "%s", series->names[p]);
  else
    snprintf(made.text, sizeof made.text, "parameter %zu", p + 1);
  return made;
}

bool sc_surface_silent(const sc_surface_engine *engine, size_t p)
{
  const sc_surface_lines *lines = &engine->lines[p];
  bool all = lines->count > 0;
  for (size_t i = 0; i < lines->start[lines->count]; i++)
    all = all && engine->points.y[lines->index[i]] == 0;
  return all;
}

static bool has_together(const sc_surface_form *form, size_t p, size_t q)
{
  for (size_t i = 0; i < form->term_count; i++)
    if (!sc_term_is_constant(&form->terms[i].factor[p], 1) && !sc_term_is_constant(&form->terms[i].factor[q], 1))
      return true;
  return false;
}

/* Whether the model has the factor; a free exponent or scale becomes the model's, which was fitted to all points. */
static bool in_use(const sc_surface *surface, size_t p, sc_surface_factor *factor)
{
  sc_term *term = &factor->term;
  for (size_t j = 0; j < surface->form.term_count; j++) {
    const sc_term *used = &surface->form.terms[j].factor[p];
    bool near = factor->free && !sc_term_is_constant(used, 1) && used->shape == term->shape &&
                used->log_exponent == term->log_exponent && fabs(used->exponent - term->exponent) < SC_SURFACE_SAME;
    if (near)
      *term = *used;
    if (near || sc_surface_same_factor(used, term))
      return true;
  }
  return false;
}

/* Leaves the search only the factors that the model has. */
static void keep_factors(sc_surface_space *space, const sc_surface *surface)
{
  for (size_t p = 0; p < surface->parameters; p++) {
    size_t kept = 1;
    for (size_t i = 1; i < space->count[p]; i++)
      if (in_use(surface, p, &space->factor[p][i]))
        space->factor[p][kept++] = space->factor[p][i];
    space->count[p] = kept;
    space->sets[p] = 0;
  }
}

/* No point tells a sum of functions of p and q from their product: the best of either kind is kept. */
static int keep_both(sc_surface_engine *engine, const sc_surface_series *series, size_t p, size_t q,
                     sc_surface *surface)
{
  double best = engine->ranks ? engine->ranked[0].score : 0;
  bool together = has_together(&surface->form, p, q);
  const sc_surface_pair pair = {p, q, together ? SC_SURFACE_APART : SC_SURFACE_TOGETHER};
  keep_factors(&engine->space, surface);
  SC_TRY(sc_surface_search(engine, &pair));
  SC_TRY(sc_surface_examine(engine));
  if (engine->ranks)
    sc_surface_spread_other(engine, best, surface);
  sc_surface_cannot_tell(surface, "no point has both %s and %s changed: whether they add or multiply is undecided",
                         sc_surface_label_of(series, p).text, sc_surface_label_of(series, q).text);
  surface->ambiguous = true;
  surface->exact = false;
  return 0;
}

int sc_surface_judge(sc_surface_engine *engine, const sc_surface_series *series, sc_surface *surface)
{
  const sc_surface_points *points = &engine->points;
  for (size_t p = 0; p < points->parameters; p++)
    if (surface->effective[p] && points->values[p] < 3) {
      sc_surface_cannot_tell(surface, "%s has only %zu values; at least 3 are needed to see how it acts",
                             sc_surface_label_of(series, p).text, points->values[p]);
      surface->exact = false;
      return 0;
    }
  if (surface->r2 < engine->options.r2_threshold) {
    sc_surface_cannot_tell(surface, "the best model explains only %.0f%% of the variation (R^2 below %g)",
                           100 * surface->r2, engine->options.r2_threshold);
    return 0;
  }
  for (size_t p = 0; p < points->parameters; p++)
    for (size_t q = p + 1; q < points->parameters; q++)
      if (surface->effective[p] && surface->effective[q] && sc_surface_points_aliased(points, p, q))
        return keep_both(engine, series, p, q, surface);
  return 0;
}

void sc_surface_judge_together(sc_surface_engine *engine, const sc_surface_series *series, sc_surface *surface)
{
  const sc_surface_points *points = &engine->points;
  for (size_t p = 0; p < points->parameters; p++)
    for (size_t q = p + 1; q < points->parameters; q++) {
      if (!sc_surface_points_together(points, p, q))
        continue;
      sc_surface_cannot_tell(surface, "%s and %s always change together: which of them acts is undecided",
                             sc_surface_label_of(series, p).text, sc_surface_label_of(series, q).text);
      surface->ambiguous = surface->exact = false;
    }
}
