/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models that the data leave plausible beside the best one, and their share of its interval. */
#include "regress/choose/rivals.h"

#include <math.h>
#include <string.h>

#include "regress/choose/doubt.h"
#include "regress/choose/spread.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"

enum { MOST = 24, GROUPS = SC_MODEL_RIVALS + 1 };

/* Candidates that lead to about the same value. One of them stands for all. */
typedef struct group {
  const sc_candidate *candidate; /* the chosen one, or else the likeliest */
  bool chosen;
  double mass, weight; /* of all; of the candidate */
  double far, square;  /* log of the mean prediction at SC_RIVAL_FAR, and the sum of squares around it */
} group;

static void merge_rival(group *into, const group *other)
{
  double mass = into->mass + other->mass, apart = other->far - into->far;
  into->square += other->square + apart * apart * into->mass * other->mass / mass;
  into->far += apart * other->mass / mass;
  if (other->chosen || (!into->chosen && other->weight > into->weight)) {
    into->weight = other->weight;
    into->candidate = other->candidate;
    into->chosen = other->chosen;
  }
  into->mass = mass;
}

static size_t collect_rivals(const sc_points *points, const sc_candidate **ranked, size_t ranks, double far,
                             double lowest, group *groups)
{
  size_t count = 0;
  double temper = points->whole ? SC_RIVALS_TEMPER_COUNTED : SC_RIVALS_TEMPER_MEASURED;
  for (size_t i = 0; i < ranks && count < MOST; i++) {
    double behind = ranked[i]->score - ranked[0]->score;
    if (points->refused && !sc_doubt_proven(points, ranked[i]))
      behind = fmax(behind, -2 * log(SC_RIVALS_REFUSED));
    double mass = exp(-behind / 2 / temper);
    double value = sc_term_sum(ranked[i]->terms, ranked[i]->count, far);
    if (i > 0 && (mass < SC_RIVALS_MASS_LEAST || !(value > 0)))
      continue;
    group one = {ranked[i], i == 0, mass, exp(-behind / 2), log(fmax(value, lowest)), 0};
    size_t at = count++;
    for (; at > 0 && groups[at - 1].far > one.far; at--)
      groups[at] = groups[at - 1];
    groups[at] = one;
  }
  return count;
}

/* Merges neighbours, the nearest first, until there is room for all. */
static size_t condense_rival(group *groups, size_t count)
{
  while (count > GROUPS) {
    size_t nearest = 0;
    double least = INFINITY;
    for (size_t i = 0; i + 1 < count; i++) {
      const group *a = &groups[i], *b = &groups[i + 1];
      double loss = (b->far - a->far) * (b->far - a->far) * a->mass * b->mass / (a->mass + b->mass);
      if (loss < least)
        least = loss, nearest = i;
    }
    merge_rival(&groups[nearest], &groups[nearest + 1]);
    memmove(&groups[nearest + 1], &groups[nearest + 2], (count - nearest - 2) * sizeof *groups);
    count--;
  }
  return count;
}

/* Standard deviation of the logarithms of what the group's members lead to, around what its candidate leads to. */
static double rival_inner(const group *g, double far)
{
  double value = sc_term_sum(g->candidate->terms, g->candidate->count, far);
  double off = value > 0 ? log(value) - g->far : 0;
  return sqrt(g->square / g->mass + off * off);
}

static void add_rival_group(const sc_points *points, const group *g, double far, sc_model *model)
{
  sc_rival *rival = &model->rivals[model->rival_count++];
  sc_spread spread = sc_spread_of(points, g->candidate);
  memcpy(rival->terms, g->candidate->terms, sizeof rival->terms);
  rival->term_count = sc_term_sort(rival->terms, g->candidate->count, NULL);
  rival->error = g->candidate->forward_error;
  rival->weight = fmin(1, g->weight);
  rival->mass = g->mass;
  rival->deviation[0] = sc_spread_deviation(&spread, g->candidate, SC_RIVAL_NEAR * model->n_max);
  rival->deviation[1] = hypot(sc_spread_deviation(&spread, g->candidate, far), rival_inner(g, far));
}

void sc_rivals_set(const sc_points *points, const sc_candidate **ranked, size_t ranks, sc_model *model)
{
  group groups[MOST];
  double far = SC_RIVAL_FAR * points->n[points->count - 1];
  /* What falls is taken as falling this far, so that its logarithm exists. */
  double lowest = points->y_max * 1e-6;
  size_t count = condense_rival(groups, collect_rivals(points, ranked, ranks, far, lowest, groups));
  model->rival_count = 0;
  bool taken[GROUPS] = {false};
  for (size_t rank = 0; rank < count; rank++) { /* the likeliest first */
    size_t best = count;
    for (size_t i = 0; i < count; i++)
      if (!taken[i] && (best == count || groups[i].weight > groups[best].weight))
        best = i;
    taken[best] = true;
    if (!groups[best].chosen) {
      add_rival_group(points, &groups[best], far, model);
      continue;
    }
    model->mass = groups[best].mass;
    model->drift = hypot(model->drift, rival_inner(&groups[best], far) / log(far / model->n_center));
  }
}
