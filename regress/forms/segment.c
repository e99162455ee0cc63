/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/forms/segment.h"

#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/forms/joint.h"

/* Forms of a piece: columns of the space, 0 being the constant; `none` where there is no second term. A count changes
 * its growth where another part of the program takes over (a cache overflows, a threshold switches the algorithm, a
 * limit is reached), and each part alone is simple. */
enum { FORMS = 14, HEADS = 10, SIMPLE = 4, none = 255, SPLITS = 64, TWO_SPLITS = 20, MOST_PARAMETERS = 4 };
static const struct {
  unsigned char first, second;
  float cost;
} forms[FORMS] = {{0, none, 0},  {5, none, 0},  {6, none, 1}, {10, none, 0}, {1, none, 2}, {3, none, 3}, {8, none, 4},
                  {11, none, 3}, {15, none, 1}, {5, 0, 2},    {6, 0, 4},     {10, 0, 3},   {10, 5, 3},   {15, 0, 4}};

/* Where pieces may begin and end: at[0] is the first point, at[count - 1] is behind the last. */
typedef struct splits {
  size_t at[SPLITS + 2], count;
} splits;

/* Sums over the points before a split: of the products of a form's columns and the values. */
typedef struct sums {
  double aa, ab, bb, ay, by;
} sums;

typedef struct table {
  sums form[FORMS][SPLITS + 2];
  double yy[SPLITS + 2];
} table;

/* A hypothesis: the forms of its pieces and the splits between them. */
typedef struct found {
  unsigned char form[SC_MODEL_CHANGES + 1], split[SC_MODEL_CHANGES], changes;
  double score;
} found;

static size_t terms_of(size_t form) { return forms[form].second == none ? 1 : 2; }

static splits choose_splits(size_t points)
{
  splits s = {{0}, 1};
  size_t step = (points + SPLITS - 1) / SPLITS;
  for (size_t at = 2; at + 2 <= points; at += step) /* at most SPLITS times */
    s.at[s.count++] = at;
  s.at[s.count++] = points;
  return s;
}

static void add_point(const sc_engine *engine, size_t i, sums *running, double *yy)
{
  const sc_points *points = &engine->points;
  const double *x = engine->space.basis + i * SC_SPACE_COLUMNS;
  double w = points->weight[i] / (points->scale[i] * points->scale[i]), y = points->y[i];
  *yy += w * y * y;
  for (size_t f = 0; f < FORMS; f++) {
    sums *s = &running[f];
    double a = x[forms[f].first], wa = w * a;
    s->aa += wa * a, s->ay += wa * y;
    if (forms[f].second != none) {
      double b = x[forms[f].second];
      s->ab += wa * b, s->bb += w * b * b, s->by += w * b * y;
    }
  }
}

static void fill_table(const sc_engine *engine, const splits *s, table *t)
{
  sums running[FORMS] = {{0}};
  double yy = 0;
  size_t point = 0;
  for (size_t at = 0; at < s->count; at++) {
    for (; point < s->at[at]; point++)
      add_point(engine, point, running, &yy);
    for (size_t f = 0; f < FORMS; f++)
      t->form[f][at] = running[f];
    t->yy[at] = yy;
  }
}

/* What a form leaves of the sum of squares between two splits; infinity where there are no more points than terms. */
static double segment_residual(const splits *s, const table *t, size_t form, size_t from, size_t to)
{
  const sums *f = &t->form[form][from], *e = &t->form[form][to];
  double aa = e->aa - f->aa, ay = e->ay - f->ay, yy = t->yy[to] - t->yy[from];
  if (s->at[to] - s->at[from] <= terms_of(form))
    return INFINITY;
  if (terms_of(form) == 1)
    return sc_space_squares(yy - ay * ay / aa);
  double ab = e->ab - f->ab, bb = e->bb - f->bb, by = e->by - f->by, det = aa * bb - ab * ab;
  return det > 1e-12 * aa * bb ? sc_space_squares(yy - (ay * ay * bb - 2 * ay * by * ab + by * by * aa) / det)
                               : INFINITY;
}

static void keep_segment(found *list, size_t *count, found one)
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

static double times_of(const sc_points *points) { return points->whole ? SC_CANDIDATE_WHOLE : 1; }

/* `split_cost` is that of one place out of all. */
static double segment_cost_of(const sc_points *points, const found *f, double split_cost)
{
  double cost = forms[f->form[0]].cost;
  for (size_t c = 1; c <= f->changes; c++)
    cost += forms[f->form[c]].cost + (points->whole ? SC_SEGMENT_CHANGE_COUNTED : SC_SEGMENT_CHANGE);
  return cost * times_of(points) + (double)f->changes * split_cost;
}

static size_t parameters_of(const found *f)
{
  size_t count = 0;
  for (size_t c = 0; c <= f->changes; c++)
    count += terms_of(f->form[c]);
  return count;
}

/* What all searches of a series share. */
typedef struct search {
  const sc_points *points;
  const splits *splits;
  const table *table;
  double worst, floor, split_cost;
  double penalty[MOST_PARAMETERS + 1]; /* [parameters]: their share of the score, without cost and residuals */
  /* exp((worst - penalty - cost of the changes) / N), and exp(-cost / N) of each form. */
  double reach[SC_MODEL_CHANGES + 1][MOST_PARAMETERS + 1], ease[FORMS];
  found *list;
  size_t count;
} search;

/* The largest sum of squares with which forms may compete: floor N (exp((worst - score without any) / N) - 1). Negative
 * where they cannot. */
static double most_left(const search *s, const found *f)
{
  size_t parameters = parameters_of(f);
  if (parameters >= s->points->count)
    return -1;
  double ratio = s->reach[f->changes][parameters];
  for (size_t c = 0; c <= f->changes; c++)
    ratio *= s->ease[f->form[c]];
  return s->floor * (double)s->points->observations * (ratio - 1);
}

static void consider_segment(search *s, found *f, double rss)
{
  double all = (double)s->points->observations;
  f->score =
      s->penalty[parameters_of(f)] + segment_cost_of(s->points, f, s->split_cost) + all * log1p(rss / all / s->floor);
  keep_segment(s->list, &s->count, *f);
}

static void search_one(search *s)
{
  size_t end = s->splits->count - 1;
  double heads[HEADS][SPLITS + 2], tails[FORMS][SPLITS + 2];
  for (size_t i = 1; i < end; i++)
    for (size_t f = 0; f < FORMS; f++) {
      tails[f][i] = segment_residual(s->splits, s->table, f, i, end);
      if (f < HEADS)
        heads[f][i] = segment_residual(s->splits, s->table, f, 0, i);
    }
  for (unsigned char h = 0; h < HEADS; h++)
    for (unsigned char t = 0; t < FORMS; t++) {
      found f = {.form = {h, t}, .changes = 1};
      double most = h == t && h > 0 ? -1 : most_left(s, &f); /* two constants are a step */
      for (size_t i = 1; i < end && most > 0; i++)
        if (heads[h][i] + tails[t][i] < most) {
          f.split[0] = (unsigned char)i;
          consider_segment(s, &f, heads[h][i] + tails[t][i]);
        }
    }
}

/* For each pair of splits: the middle may be any simple form; head and tail only the best few would win anyway, so all
 * simple ones are tried. */
static void search_two(search *s)
{
  size_t end = s->splits->count - 1;
  if (end > TWO_SPLITS)
    return;
  for (unsigned char h = 0; h < SIMPLE; h++)
    for (unsigned char m = 0; m < SIMPLE; m++)
      for (unsigned char t = 0; t < SIMPLE; t++) {
        found f = {.form = {h, m, t}, .changes = 2};
        double most = h == m || m == t ? -1 : most_left(s, &f);
        for (size_t i = 1; i < end && most > 0; i++) {
          double head = segment_residual(s->splits, s->table, h, 0, i);
          for (size_t j = i + 1; j < end && head < most; j++) {
            double rss = head + segment_residual(s->splits, s->table, t, j, end);
            if (rss < most)
              rss += segment_residual(s->splits, s->table, m, i, j);
            if (rss < most) {
              f.split[0] = (unsigned char)i;
              f.split[1] = (unsigned char)j;
              consider_segment(s, &f, rss);
            }
          }
        }
      }
}

static size_t set_segment_terms(size_t form, sc_term *terms)
{
  terms[0] = sc_space_term(forms[form].first);
  if (terms_of(form) == 2)
    terms[1] = sc_space_term(forms[form].second);
  return terms_of(form);
}

/* Fits one piece. */
static int fit_piece(sc_engine *engine, size_t first, size_t end, const sc_term *form, size_t count, sc_term *terms,
                     sc_wls_result *fit)
{
  sc_points part = sc_points_part(&engine->points, first, end - first);
  memcpy(terms, form, count * sizeof *terms);
  SC_TRY(sc_wls_fit(engine->wls, &part, terms, count, fit));
  return sc_candidate_sane(fit, terms, count, true) ? 0 : SC_E_NUMERIC;
}

/* Whether what begins to lead after the change is a small part of the whole even at the largest size: such a change is
 * the shape of bursts. */
static bool leads_unseen(const sc_points *points, const sc_candidate *made)
{
  if (made->count < 2 || sc_term_is_constant(&made->terms[1], 1))
    return false;
  return made->fit.part[0] <
         (points->whole ? SC_SEGMENT_SEEN_COUNTED : SC_SEGMENT_SEEN_MEASURED) * (made->fit.part[0] + made->fit.part[1]);
}

/* Whether what holds after the change stands on more sizes than it has terms. Those of one neighbourhood show the same
 * stair or burst, and are one. */
static bool segment_stands(const sc_points *points, const sc_candidate *made)
{
  size_t sizes = 0;
  double before = 0;
  for (size_t i = made->first; i < points->count; i++)
    if (points->n[i] >= SC_SEGMENT_APART * before) {
      before = points->n[i];
      sizes++;
    }
  return sizes > made->count;
}

static int examine_segment(sc_engine *engine, const search *s, const found *f, sc_candidate *made)
{
  const sc_points *points = &engine->points;
  size_t split[SC_MODEL_CHANGES + 1] = {0}, first = 0;
  double rss = 0;
  *made = (sc_candidate){.piece_count = f->changes, .parameters = parameters_of(f)};
  for (size_t c = 0; c <= f->changes; c++) {
    sc_term form[2];
    sc_wls_result fit;
    bool last = c == f->changes;
    size_t count = set_segment_terms(f->form[c], form);
    split[c] = last ? points->count : s->splits->at[f->split[c]];
    SC_TRY(fit_piece(engine, first, split[c], form, count, last ? made->terms : made->pieces[c].terms,
                     last ? &made->fit : &fit));
    rss += last ? made->fit.rss : fit.rss;
    made->first = first;
    if (last)
      made->count = count;
    else
      made->pieces[c].term_count = count;
    first = split[c];
  }
  made->fit.rss = rss;
  made->forward_error = fabs(made->fit.forward[0]);
  made->forward_square = made->forward_error * made->forward_error;
  if (isnan(made->forward_error) || made->terms[0].coefficient < 0 || leads_unseen(points, made) ||
      (points->counts && !segment_stands(points, made)))
    return SC_E_NUMERIC;
  double scatter = sqrt((points->pure_ss + rss) / (double)(points->observations - made->parameters)) + 1e-9;
  sc_points tail = sc_points_part(points, made->first, points->count - made->first);
  made->cost = segment_cost_of(points, f, s->split_cost) +
               SC_SEGMENT_JUMP * (double)sc_joint_place(points, split, scatter, made) +
               sc_candidate_sign_cost(&tail, &made->fit, made->count);
  made->score = sc_candidate_score(points, rss, made->forward_square, made->parameters, made->cost);
  return 0;
}

static void prepare_splits(search *s)
{
  double all = (double)s->points->observations, times = times_of(s->points);
  double change = (s->points->whole ? SC_SEGMENT_CHANGE_COUNTED : SC_SEGMENT_CHANGE) * times + s->split_cost;
  for (size_t changes = 1; changes <= SC_MODEL_CHANGES; changes++)
    for (size_t p = 0; p <= MOST_PARAMETERS; p++)
      s->reach[changes][p] = exp((s->worst - s->penalty[p] - (double)changes * change) / all);
  for (size_t f = 0; f < FORMS; f++)
    s->ease[f] = exp(-forms[f].cost * times / all);
}

/* Whether what the best hypothesis so far misses the sizes by is more than their noise. */
static bool segment_misses(const sc_points *points, const sc_candidate *best)
{
  double noise = points->pure_degrees ? points->pure_ss / (double)points->pure_degrees : 0;
  double lack = best->fit.rss / fmax(1, (double)points->count - (double)best->parameters);
  return lack > fmax(SC_SEGMENT_CLEAR * noise, SC_SEGMENT_EXACT * SC_SEGMENT_EXACT);
}

size_t sc_segment_find(sc_engine *engine, const sc_candidate *best, double worst, sc_candidate *candidates)
{
  const sc_points *points = &engine->points;
  size_t made = 0;
  if (points->count < 5)
    return 0;
  found list[SC_SEGMENT_MOST], simplest = {.changes = 1};
  splits s = choose_splits(points->count);
  search all = {points, &s, .worst = worst, .floor = sc_candidate_variance(points, 0, NAN), .list = list};
  all.split_cost = 2 * log((double)s.count - 2);
  for (size_t p = 0; p <= MOST_PARAMETERS; p++)
    all.penalty[p] =
        (double)points->observations * log(all.floor) + sc_candidate_penalty((double)points->observations, p);
  if (all.penalty[2] + segment_cost_of(points, &simplest, all.split_cost) > worst)
    return 0;
  table t;
  fill_table(engine, &s, &t);
  all.table = &t;
  prepare_splits(&all);
  search_one(&all);
  if (points->count >= 7 && (!best || segment_misses(points, best)))
    search_two(&all);
  for (size_t i = 0; i < all.count; i++)
    made += examine_segment(engine, &all, &list[i], &candidates[made]) == 0;
  return made;
}
