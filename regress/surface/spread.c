/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the examined surfaces to a model with the rivals that its interval needs. */
#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/surface/internal.h"

static void far_at(const sc_surface_points *points, double by, double *at)
{
  for (size_t p = 0; p < points->parameters; p++)
    at[p] = points->high[p] * (points->values[p] > 1 ? by : 1);
}

void sc_surface_sort(const sc_surface_points *points, sc_surface_form *form)
{
  double at[SC_SURFACE_PARAMETERS], size[SC_SURFACE_TERMS];
  size_t map[SC_SURFACE_TERMS];
  sc_surface_form old = *form;
  far_at(points, 1, at);
  for (size_t i = 0; i < form->term_count; i++) {
    double part = old.terms[i].coefficient * sc_surface_term_value(&old.terms[i], points->parameters, at);
    double s = fabs(part) * (part > 0 ? 1 + 1e-9 : 1); /* of two equal ones the positive one first */
    size_t to = i;
    for (; to > 0 && size[to - 1] < s; to--)
      size[to] = size[to - 1], map[to] = map[to - 1];
    size[to] = s, map[to] = i;
  }
  for (size_t i = 0; i < form->term_count; i++) {
    form->terms[i] = old.terms[map[i]];
    for (size_t j = 0; j < form->term_count; j++)
      form->covariance[i][j] = old.covariance[map[i]][map[j]];
  }
}

static void spread_form(const sc_surface_engine *engine, const sc_surface_candidate *from, const double *center,
                        sc_surface_form *form)
{
  const sc_surface_points *points = &engine->points;
  double all = (double)points->observations, k = (double)points->count, p = (double)from->parameters;
  double lack = k > p ? from->rss / (k - p) : from->rss, together = (points->pure_ss + from->rss) / fmax(all - p, 1);
  double noise = points->pure_degrees ? points->pure_ss / (double)points->pure_degrees : 0;
  bool misfit = lack > together;
  double variance = misfit ? lack : together;
  *form = (sc_surface_form){.error = from->forward_error, .sigma = sqrt(variance), .weight = 1};
  double effect = all / points->independent, observed = effect > 1 || misfit ? k : all;
  form->degrees = observed / effect > p + 1 ? (size_t)(observed / effect - p) : 1;
  form->scatter = sqrt(fmax(0, lack - noise) * k / all);
  form->term_count = from->count;
  memcpy(form->terms, from->terms, sizeof form->terms);
  for (size_t i = 0; i < from->count; i++)
    for (size_t j = 0; j < from->count; j++)
      form->covariance[i][j] = from->covariance[i][j] * variance * effect;
  sc_surface_sort(points, form);
  double factor = SC_SURFACE_DRIFT * (effect > 1 ? SC_SURFACE_MISFIT : 1);
  for (size_t q = 0; q < points->parameters; q++) {
    double spread = 0;
    for (size_t i = 0; i < points->count; i++) {
      double away = log(points->at[i * points->parameters + q] / center[q]);
      spread += points->repeats[i] * away * away;
    }
    form->drift[q] = spread > 0 ? factor * sqrt(variance * engine->effect[q] / spread) : 0;
  }
}

static void add_surface_spread_rival(const sc_surface_engine *engine, const sc_surface_candidate *from, double best,
                                     sc_surface *surface)
{
  if (surface->rival_count == SC_SURFACE_RIVALS)
    return;
  sc_surface_form *rival = &surface->rivals[surface->rival_count++];
  spread_form(engine, from, surface->center, rival);
  rival->weight = fmin(1, exp((best - from->score) / 2));
}

/* The two next best, and the two that lead furthest away. */
static void choose_rivals(const sc_surface_engine *engine, sc_surface *surface)
{
  const sc_surface_candidate *ranked = engine->ranked;
  double at[SC_SURFACE_PARAMETERS], lowest = INFINITY, highest = -INFINITY;
  size_t near = 1, low = 0, high = 0;
  far_at(&engine->points, SC_SURFACE_RIVAL_FAR, at);
  while (near < engine->ranks && ranked[near].score - ranked[0].score <= SC_SURFACE_RIVAL)
    near++;
  for (size_t i = 1; i < near; i++) {
    double value = sc_surface_sum(ranked[i].terms, ranked[i].count, surface->parameters, at);
    if (value < lowest)
      lowest = value, low = i;
    if (value > highest)
      highest = value, high = i;
  }
  for (size_t i = 1; i < near; i++)
    if (i <= 2 || i == low || i == high)
      add_surface_spread_rival(engine, &ranked[i], ranked[0].score, surface);
}

void sc_surface_spread(sc_surface_engine *engine, sc_surface *surface)
{
  spread_form(engine, &engine->ranked[0], surface->center, &surface->form);
  surface->error = engine->ranked[0].forward_error;
  choose_rivals(engine, surface);
}

/* Whether every factor of the rival is one that the model has, too. */
static bool same_factors(const sc_surface *surface, const sc_surface_form *rival)
{
  for (size_t p = 0; p < surface->parameters; p++)
    for (size_t i = 0; i < rival->term_count; i++) {
      const sc_term *factor = &rival->terms[i].factor[p];
      bool known = sc_term_is_constant(factor, 1);
      for (size_t j = 0; j < surface->form.term_count && !known; j++)
        known = sc_surface_same_factor(&surface->form.terms[j].factor[p], factor);
      if (!known)
        return false;
    }
  return true;
}

void sc_surface_spread_other(sc_surface_engine *engine, double best, sc_surface *surface)
{
  size_t kept = 0;
  for (size_t i = 0; i < surface->rival_count; i++)
    if (surface->rivals[i].weight >= SC_MODEL_PLAUSIBLE && same_factors(surface, &surface->rivals[i]))
      surface->rivals[kept++] = surface->rivals[i];
  surface->rival_count = kept < SC_SURFACE_RIVALS ? kept : SC_SURFACE_RIVALS - 1;
  add_surface_spread_rival(engine, &engine->ranked[0], best, surface);
  sc_surface_form *other = &surface->rivals[surface->rival_count - 1];
  other->weight = fmax(other->weight, SC_MODEL_PLAUSIBLE);
}

/* Growth in one parameter while the others stay at their largest: that of the fastest growing factor whose terms
 * together are above 0. */
static sc_order order_of(const sc_surface_points *points, const sc_surface_form *form, size_t p)
{
  double at[SC_SURFACE_PARAMETERS];
  far_at(points, 1, at);
  sc_term sorted[SC_SURFACE_TERMS];
  size_t count = 0;
  for (size_t i = 0; i < form->term_count; i++) {
    double part = form->terms[i].coefficient * sc_surface_term_value(&form->terms[i], points->parameters, at);
    sc_term term = form->terms[i].factor[p];
    size_t to = 0;
    while (to < count && sc_term_compare(&sorted[to], &term) != 0)
      to++;
    if (to == count) {
      sorted[count++] = term;
      sorted[to].coefficient = 0;
    }
    sorted[to].coefficient += part;
  }
  size_t lead = 0;
  for (size_t i = 1; i < count; i++)
    if (sc_term_compare(&sorted[i], &sorted[lead]) > 0)
      lead = i;
  return sc_term_order(sorted + lead, count ? 1 : 0);
}

void sc_surface_describe(const sc_surface_points *points, sc_surface *surface)
{
  const sc_surface_form *form = &surface->form;
  surface->interacting = false;
  for (size_t p = 0; p < points->parameters; p++) {
    surface->order[p] = order_of(points, form, p);
    surface->effective[p] = false;
  }
  for (size_t i = 0; i < form->term_count; i++) {
    size_t factors = 0;
    for (size_t p = 0; p < points->parameters; p++) {
      bool has = !sc_term_is_constant(&form->terms[i].factor[p], 1);
      surface->effective[p] = surface->effective[p] || has;
      factors += has;
    }
    surface->interacting = surface->interacting || factors > 1;
  }
  double mean = 0, total = 0, left = 0, error = 0;
  for (size_t i = 0; i < points->count; i++)
    mean += points->y[i] / (double)points->count;
  for (size_t i = 0; i < points->count; i++) {
    double residual = points->y[i] - sc_surface_value(surface, points->at + i * points->parameters);
    total += (points->y[i] - mean) * (points->y[i] - mean);
    left += residual * residual;
    error += fabs(residual) / points->scale[i] / (double)points->count;
  }
  surface->fit_error = error;
  surface->r2 = total > 0 ? fmax(0, 1 - left / total) : left == 0;
}
