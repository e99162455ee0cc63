/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/piece.h"

#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

enum { RUNS = 48, MOST_PIECES = SC_MODEL_CHANGES + 1 };

/* Neighbouring sizes [first, end) that one sum reproduces. */
typedef struct run {
  sc_exact_sum sum;
  size_t first, end;
} run;

typedef struct search {
  const sc_points *points;
  run runs[RUNS];
  size_t count;
  const double *worth;
  run chosen[MOST_PIECES], best[MOST_PIECES]; /* last piece first */
  size_t best_count, best_first;
  double best_bits;
} search;

static bool solve_run(const sc_points *points, const sc_exact_set *set, run *r)
{
  unsigned rows[SC_MODEL_TERMS];
  r->sum = (sc_exact_sum){.count = set->count, .under = 1};
  if (set->count == 1 && sc_exact_column(set->column[0]).exponent == 0 && points->y[r->first] == 0) {
    r->sum.count = 0;
    return true;
  }
  for (size_t j = 0; j < set->count; j++) {
    r->sum.basis[j] = sc_exact_column(set->column[j]);
    rows[j] = (unsigned)(r->first + (set->count > 1 ? j * (r->end - 1 - r->first) / (set->count - 1u) : 0));
  }
  return sc_exact_sum_solve(&r->sum, points->n, points->y, rows) && sc_exact_sum_counts(&r->sum) &&
         sc_exact_sum_holds(&r->sum, points->n + r->first, points->y + r->first, r->end - r->first);
}

/* Neighbouring windows share as many sizes as there are coefficients, so that one sum holds in all of them. */
static void collect_pieces(const sc_exact_design *design, search *s)
{
  for (size_t set = 0; set < SC_EXACT_PIECES; set++)
    for (size_t i = 0; i < design->count; i++) {
      size_t first = i;
      while (sc_exact_window_obeys(design, s->points->y, set, i))
        i++;
      if (i == first || s->count == RUNS)
        continue;
      run *r = &s->runs[s->count];
      *r = (run){.first = first, .end = i + sc_exact_piece_sets[set].count};
      s->count += solve_run(s->points, &sc_exact_piece_sets[set], r);
    }
}

static double piece_value_of(const sc_exact_sum *sum, double n)
{
  double value = 0;
  for (size_t j = 0; j < sum->count; j++)
    value += (double)sum->over[j] / (double)sum->under * sc_term_basis(&sum->basis[j], n);
  return value;
}

/* Where the piece before and the one after, which begins at size `at`, meet; 0 where they do not. */
static double piece_meeting(const sc_points *points, const sc_exact_sum *before, const sc_exact_sum *after, size_t at)
{
  double low = points->n[at - 1], high = points->n[at];
  double from = piece_value_of(before, low) - piece_value_of(after, low),
         to = piece_value_of(before, high) - piece_value_of(after, high);
  if (from == 0)
    return low;
  if (to == 0)
    return high;
  if ((from > 0) == (to > 0))
    return 0;
  for (int step = 0; step < 80; step++) {
    double middle = (low + high) / 2, d = piece_value_of(before, middle) - piece_value_of(after, middle);
    if ((d > 0) == (from > 0))
      low = middle;
    else
      high = middle;
  }
  return fabs(high - round(high)) < 1e-6 * high ? round(high) : high;
}

/* The chosen pieces, the sizes before `first` being told one by one. */
static void weigh_piece(search *s, size_t pieces, size_t first)
{
  const sc_points *points = s->points;
  double bits = first ? SC_EXACT_CHANGE + log2((double)points->count) : 0;
  for (size_t i = 0; i < first; i++)
    bits += SC_EXACT_OUTSIDE + s->worth[i];
  for (size_t p = 0; p < pieces; p++) {
    const run *r = &s->chosen[p];
    bits += sc_exact_sum_bits(&r->sum, points->n[r->end - 1], points->y_max);
    if (p > 0)
      bits += SC_EXACT_CHANGE +
              (piece_meeting(points, &r->sum, &s->chosen[p - 1].sum, r->end) > 0 ? 0 : log2((double)points->count));
  }
  if (bits >= s->best_bits)
    return;
  s->best_bits = bits;
  s->best_count = pieces;
  s->best_first = first;
  memcpy(s->best, s->chosen, sizeof s->best);
}

/* A piece of one or two sizes that nothing confirms. */
static void add_unseen(search *s, size_t pieces, size_t end)
{
  static const sc_exact_set forms[] = {{1, {0}}, {1, {1}}, {1, {2}}, {2, {1, 0}}};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    s->chosen[pieces] = (run){.first = 0, .end = end};
    if (solve_run(s->points, &forms[f], &s->chosen[pieces]))
      weigh_piece(s, pieces + 1, 0);
  }
}

/* Adds the pieces before size `end`. At least half of the sizes must be in pieces. */
static void extend_piece(search *s, size_t pieces, size_t end)
{
  if (pieces > 0 && pieces < MOST_PIECES && end <= SC_EXACT_OUTSIDE_MOST)
    add_unseen(s, pieces, end);
  if (pieces > 0 && 2 * end <= s->points->count)
    weigh_piece(s, pieces, end);
  if (pieces == MOST_PIECES)
    return;
  for (size_t i = 0; i < s->count; i++) {
    const run *r = &s->runs[i];
    if (r->first >= end || r->end < end || (pieces == 0 && r->first == 0))
      continue;
    s->chosen[pieces] = (run){r->sum, r->first, end};
    if (r->first == 0)
      weigh_piece(s, pieces + 1, 0);
    else
      extend_piece(s, pieces + 1, r->first);
  }
}

static void set_piece(const sc_points *points, const run *r, const run *after, sc_piece *piece)
{
  sc_term terms[SC_MODEL_TERMS];
  *piece = (sc_piece){.until_low = points->n[r->end - 1], .until_high = points->n[r->end]};
  piece->term_count = sc_exact_sum_terms(&r->sum, terms);
  memcpy(piece->terms, terms, piece->term_count * sizeof *terms);
  piece->until = piece_meeting(points, &r->sum, &after->sum, r->end);
  if (!(piece->until > 0))
    piece->until = ceil(sqrt(piece->until_low * piece->until_high));
}

bool sc_exact_pieces(const sc_exact_design *design, const sc_points *points, const double *worth, sc_exact_model *model,
                     size_t *first)
{
  if (points->count < SC_EXACT_PIECE_SIZES)
    return false;
  search s = {.points = points, .worth = worth, .best_bits = INFINITY};
  collect_pieces(design, &s);
  extend_piece(&s, 0, points->count);
  if (s.best_count == 0)
    return false;
  *first = s.best_first;
  *model = (sc_exact_model){.bits = s.best_bits, .weight = 1, .piece_count = s.best_count - 1};
  model->term_count = sc_exact_sum_terms(&s.best[0].sum, model->terms);
  for (size_t p = 0; p < model->piece_count; p++)
    set_piece(points, &s.best[p + 1], &s.best[p], &model->pieces[model->piece_count - 1 - p]);
  return model->term_count == 0 || model->terms[0].coefficient > 0 || model->terms[0].exponent <= 1;
}
