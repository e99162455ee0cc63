/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The factors of each parameter that are worth trying together. */
#include <math.h>

#include "regress/core/term.h"
#include "regress/surface/lines.h"

static bool add_factor(sc_surface_space *space, size_t p, size_t most, const sc_surface_factor *factor)
{
  for (size_t i = 0; i < space->count[p]; i++)
    if (sc_surface_same_factor(&space->factor[p][i].term, &factor->term))
      return false;
  if (space->count[p] >= most)
    return false;
  space->factor[p][space->count[p]++] = *factor;
  return true;
}

/* Exact counts along a line may be a form that no table holds: rounded logarithms, blocks. */
static int add_exact(sc_surface_engine *engine, size_t p, size_t most)
{
  const sc_surface_points *points = &engine->points;
  const sc_surface_lines *lines = &engine->lines[p];
  for (size_t third = 0; third < 3 && lines->count; third++) {
    size_t l = third * (lines->count - 1) / 2, count = lines->start[l + 1] - lines->start[l];
    sc_model model;
    if (count < SC_SURFACE_LINE_LEAST || (third > 0 && lines->count <= third))
      continue;
    for (size_t j = 0; j < count; j++) {
      size_t i = lines->index[lines->start[l] + j];
      engine->line_n[j] = points->at[i * points->parameters + p];
      engine->line_y[j] = points->y[i];
    }
    sc_series series = {engine->line_n, engine->line_y, count, true};
    SC_TRY(sc_fit_run(engine->fit, &series, &model));
    for (size_t t = 0; model.exact && model.piece_count == 0 && t < model.term_count; t++) {
      sc_surface_factor factor = {.term = model.terms[t]};
      factor.term.coefficient = 1;
      if (!sc_term_is_constant(&factor.term, 1))
        engine->space.exact[p] += add_factor(&engine->space, p, most, &factor);
    }
  }
  return 0;
}

/* A factor that is a set by itself. */
static void add_free(sc_surface_space *space, size_t p, const sc_surface_factor *factor)
{
  if (!add_factor(space, p, SC_SURFACE_FACTORS, factor) || space->sets[p] == SC_SURFACE_SETS)
    return;
  space->set[p][space->sets[p]][0] = space->count[p] - 1;
  space->set[p][space->sets[p]++][1] = 0;
}

/* The factors of the best sets of the lines, as sets of factors. */
static void add_sets(sc_surface_space *space, size_t p, const sc_surface_rating *rating, const size_t *index)
{
  for (size_t i = 0; i < rating->pairs && space->sets[p] < SC_SURFACE_SETS - 2; i++) {
    size_t a = index[rating->pair[i][0]], b = index[rating->pair[i][1]];
    if (!a || (rating->pair[i][1] && !b))
      continue;
    space->set[p][space->sets[p]][0] = a;
    space->set[p][space->sets[p]++][1] = b;
  }
}

/* The growths of the table, best first; the line always, and where there are no lines, log x and 1/x, too: what other
 * parameters were taken to do there. */
static void add_rated(sc_surface_engine *engine, size_t p, size_t most, sc_surface_rating *rating, size_t *index)
{
  static const size_t always[] = {1, SC_SURFACE_LOG, SC_SURFACE_INVERSE};
  double dear = engine->points.whole ? 2 : 1; /* loops make polynomials, in exact counts more than elsewhere */
  size_t sure = rating->lines ? 1 : sizeof always / sizeof *always;
  for (size_t taken = 0; taken < SC_SURFACE_GROWTHS + sure && engine->space.count[p] < most; taken++) {
    size_t best = 1;
    for (size_t i = 2; i <= SC_SURFACE_GROWTHS; i++)
      if (rating->score[i] < rating->score[best])
        best = i;
    best = taken < sure ? always[taken] : best;
    sc_surface_factor factor = {.term = sc_surface_lines_term(best), .cost = sc_surface_lines_cost(best) * dear};
    if (add_factor(&engine->space, p, most, &factor))
      index[best] = engine->space.count[p] - 1;
    rating->score[best] = INFINITY;
  }
}

static int choose_surface_space(sc_surface_engine *engine, size_t p, size_t most)
{
  const sc_surface_points *points = &engine->points;
  sc_surface_space *space = &engine->space;
  sc_surface_rating rating;
  size_t index[SC_SURFACE_GROWTHS + 1] = {0};
  sc_surface_lines_rate(engine, p, &rating);
  if (!rating.lines)
    SC_TRY(sc_surface_scatter_rate(engine, p, &rating));
  if (points->whole)
    SC_TRY(add_exact(engine, p, most - 2));
  add_rated(engine, p, most - 1, &rating, index);
  add_sets(space, p, &rating, index);
  sc_surface_factor free;
  if (rating.lines && sc_surface_free_power(engine, p, &free))
    add_free(space, p, &free);
  if (rating.lines && points->values[p] > 3 && sc_surface_free_limit(engine, p, rating.pair_score[0], &free))
    add_free(space, p, &free);
  return 0;
}

int sc_surface_space_choose(sc_surface_engine *engine)
{
  const sc_surface_points *points = &engine->points;
  size_t varying = 0;
  for (size_t p = 0; p < points->parameters; p++)
    varying += points->values[p] > 1;
  for (size_t p = 0; p < points->parameters; p++) {
    engine->space.count[p] = 1;
    engine->space.exact[p] = engine->space.sets[p] = 0;
    engine->space.factor[p][0] = (sc_surface_factor){.term = {.coefficient = 1}};
    sc_surface_factor line = {.term = sc_surface_lines_term(1)};
    if (points->values[p] == 2) /* any function of two values is a line */
      engine->space.exact[p] += add_factor(&engine->space, p, 2, &line);
    else if (points->values[p] > 2)
      SC_TRY(choose_surface_space(engine, p, varying < 3 ? 10 : 7));
  }
  return 0;
}
