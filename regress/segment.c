/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/segment.h"

#include <math.h>
#include <string.h>

#include "regress/term.h"

/* Forms of a piece: columns of the space, 0 being the constant; `none` where there is no second term. A count changes
 * its growth where another part of the program takes over (a cache overflows, a threshold switches the algorithm, a
 * limit is reached), and each part alone is simple. */
enum { FORMS = 14, HEADS = 10, none = 255, SPLITS = 64 };
static const struct {
  unsigned char first, second;
  float cost;
} forms[FORMS] = {{0, none, 0},  {5, none, 0},  {6, none, 1}, {10, none, 0}, {1, none, 2}, {3, none, 3}, {8, none, 4},
                  {11, none, 3}, {15, none, 1}, {5, 0, 2},    {6, 0, 4},     {10, 0, 3},   {10, 5, 3},   {15, 0, 4}};

/* What a change point costs beside its pieces, in units of -2 log likelihood: set so that at most one series without a
 * change in twenty gets one; and for one that jumps: nearly all meet. docs/models.md, "Change points". */
static const double change_cost = 6, jump_cost = 6;
/* Pieces meet if at the end of the gap they are no further apart than this many times the scatter. */
static const double nearly_meets = 2;

/* The sums of squares left by every form on the first points, or on the last, for every number of them. */
typedef struct side {
  double rss[FORMS][SPLITS];
} side;

typedef struct splits {
  size_t at[SPLITS]; /* the first point of the tail */
  size_t count;
} splits;

static size_t terms_of(size_t form) { return forms[form].second == none ? 1 : 2; }

static splits choose_splits(size_t points)
{
  splits s = {{0}, 0};
  size_t step = (points + SPLITS - 1) / SPLITS;
  for (size_t at = 2; at + 2 <= points && s.count < SPLITS; at += step)
    s.at[s.count++] = at;
  return s;
}

/* Running sums over the points in the order of `step`; what is left unexplained is noted at every split. */
static void run(const sc_engine *engine, size_t form, const splits *s, bool forward, double *rss)
{
  const sc_points *points = &engine->points;
  double aa = 0, ab = 0, bb = 0, ay = 0, by = 0, yy = 0;
  size_t k = points->count, next = 0;
  for (size_t done = 0; done < k; done++) {
    size_t split = forward ? next : s->count - 1 - next;
    if (next < s->count && done == (forward ? s->at[split] : k - s->at[split])) {
      double left = yy - ay * ay / aa;
      if (terms_of(form) == 2) {
        double det = aa * bb - ab * ab;
        left = det > 1e-12 * aa * bb ? yy - (ay * ay * bb - 2 * ay * by * ab + by * by * aa) / det : INFINITY;
      }
      rss[split] = done > terms_of(form) ? fmax(left, 0) : INFINITY;
      next++;
    }
    size_t i = forward ? done : k - 1 - done;
    const double *x = engine->space.basis + i * SC_SPACE_COLUMNS;
    double w = points->weight[i] / (points->scale[i] * points->scale[i]), y = points->y[i];
    double a = x[forms[form].first], b = forms[form].second == none ? 0 : x[forms[form].second];
    aa += w * a * a, ab += w * a * b, bb += w * b * b, ay += w * a * y, by += w * b * y, yy += w * y * y;
  }
}

typedef struct found {
  unsigned char head, tail, split;
  double score;
} found;

static void keep(found *list, size_t *count, found one)
{
  size_t at = *count;
  if (at == SC_SEGMENT_MOST) {
    if (list[at - 1].score <= one.score)
      return;
    at--;
  } else {
    ++*count;
  }
  for (; at > 0 && list[at - 1].score > one.score; at--)
    list[at] = list[at - 1];
  list[at] = one;
}

static double cost_of(const sc_points *points, size_t head, size_t tail, size_t split_count)
{
  double cost = forms[head].cost + forms[tail].cost + change_cost;
  return cost * (points->whole ? SC_CANDIDATE_WHOLE : 1) + 2 * log((double)split_count);
}

/* Pairs of forms at the splits; only sums of squares small enough to compete are scored. */
static size_t search(const sc_engine *engine, const splits *s, const side *heads, const side *tails, double worst,
                     found *list)
{
  const sc_points *points = &engine->points;
  double all = (double)points->observations, floor = sc_candidate_variance(points, 0, NAN);
  double lowest = all * log(floor), cost_of_splits = cost_of(points, 0, 0, s->count), penalty[5];
  size_t count = 0;
  for (size_t p = 2; p <= 4; p++)
    penalty[p] = sc_candidate_penalty(points, p);
  for (size_t h = 0; h < HEADS; h++)
    for (size_t t = 0; t < FORMS; t++) {
      size_t p = terms_of(h) + terms_of(t);
      double forms_cost = (forms[h].cost + forms[t].cost) * (points->whole ? SC_CANDIDATE_WHOLE : 1);
      double base = lowest + penalty[p] + cost_of_splits + forms_cost;
      if (h == t || base >= worst || p >= points->count)
        continue;
      double most = floor * expm1((worst - base) / all) * all;
      for (size_t i = 0; i < s->count; i++) {
        double rss = heads->rss[h][i] + tails->rss[t][i];
        if (rss < most)
          keep(list, &count,
               (found){(unsigned char)h, (unsigned char)t, (unsigned char)i, base + all * log1p(rss / all / floor)});
      }
    }
  return count;
}

static size_t set_terms(size_t form, sc_term *terms)
{
  terms[0] = sc_space_term(forms[form].first);
  if (terms_of(form) == 2)
    terms[1] = sc_space_term(forms[form].second);
  return terms_of(form);
}

/* Where the two pieces meet between the sizes a and b; whether they do. If they nearly do, the end that is nearer. */
static bool meet(const sc_piece *head, const sc_candidate *tail, double a, double b, double scatter, double *at)
{
  double from = sc_term_sum(head->terms, head->term_count, a), to = sc_term_sum(head->terms, head->term_count, b);
  double left = from - sc_term_sum(tail->terms, tail->count, a), right = to - sc_term_sum(tail->terms, tail->count, b);
  if ((left < 0) == (right < 0)) {
    bool at_left = fabs(left) / fabs(from) < fabs(right) / fabs(to);
    *at = at_left ? a : b;
    return fmin(fabs(left) / fabs(from), fabs(right) / fabs(to)) <= nearly_meets * scatter;
  }
  for (int i = 0; i < 60; i++) {
    double middle = (a + b) / 2;
    double gap = sc_term_sum(head->terms, head->term_count, middle) - sc_term_sum(tail->terms, tail->count, middle);
    if ((gap < 0) == (left < 0))
      a = middle;
    else
      b = middle;
  }
  *at = (a + b) / 2;
  return true;
}

static int examine(sc_engine *engine, const splits *s, const found *f, sc_candidate *made)
{
  const sc_points *points = &engine->points;
  size_t split = s->at[f->split];
  sc_points head = sc_points_part(points, 0, split), tail = sc_points_part(points, split, points->count - split);
  sc_wls_result fit;
  *made = (sc_candidate){.first = split, .piece_count = 1};
  sc_piece *piece = &made->pieces[0];
  piece->term_count = set_terms(f->head, piece->terms);
  made->count = set_terms(f->tail, made->terms);
  made->parameters = piece->term_count + made->count;
  SC_TRY(sc_wls_fit(engine->wls, &head, piece->terms, piece->term_count, &fit));
  SC_TRY(sc_wls_fit(engine->wls, &tail, made->terms, made->count, &made->fit));
  if (!sc_candidate_sane(&fit, piece->terms, piece->term_count, true) ||
      !sc_candidate_sane(&made->fit, made->terms, made->count, true) || !(made->terms[0].coefficient > 0))
    return SC_E_NUMERIC;
  made->fit.rss += fit.rss;
  made->forward_error = fabs(made->fit.forward[0]);
  made->forward_square = made->forward_error * made->forward_error;
  if (isnan(made->forward_error))
    return SC_E_NUMERIC;
  double scatter = sqrt((points->pure_ss + made->fit.rss) / (double)(points->observations - made->parameters));
  piece->until_low = head.n[split - 1];
  piece->until_high = tail.n[0];
  bool meets = meet(piece, made, piece->until_low, piece->until_high, scatter + 1e-9, &piece->until);
  if (!meets)
    piece->until = tail.n[0];
  made->cost = cost_of(points, f->head, f->tail, s->count) + (meets ? 0 : jump_cost) +
               sc_candidate_sign_cost(&tail, &made->fit, made->count);
  made->score = sc_candidate_score(points, made->fit.rss, made->forward_square, made->parameters, made->cost);
  return 0;
}

size_t sc_segment_find(sc_engine *engine, double worst, sc_candidate *candidates)
{
  size_t made = 0;
  if (engine->points.count < 5)
    return 0;
  side heads, tails;
  found list[SC_SEGMENT_MOST];
  splits s = choose_splits(engine->points.count);
  if (sc_candidate_score(&engine->points, 0, NAN, 2, cost_of(&engine->points, 0, 0, s.count)) > worst)
    return 0;
  for (size_t f = 0; f < FORMS; f++) {
    if (f < HEADS)
      run(engine, f, &s, true, heads.rss[f]);
    run(engine, f, &s, false, tails.rss[f]);
  }
  size_t count = search(engine, &s, &heads, &tails, worst, list);
  for (size_t i = 0; i < count; i++)
    made += examine(engine, &s, &list[i], &candidates[made]) == 0;
  return made;
}
