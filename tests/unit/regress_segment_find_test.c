/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series that change their form at one size or two: which pieces are found, where, and at what price. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "regress/core/term.h"
#include "regress/forms/segment.h"

enum { SIZES = 12 };
static double n[SIZES];
static sc_candidate found[SC_SEGMENT_MOST];

/* What is found in values y. */
static size_t find(const double *y, size_t sizes, bool counts, const sc_candidate *best, double worst)
{
  static sc_fit_options options;
  sc_engine engine = {.options = &options};
  options = SC_FIT_OPTIONS_DEFAULT;
  assert_int_equal(sc_wls_new(&engine.wls), 0);
  assert_int_equal(sc_space_new(&engine.space, true), 0);
  assert_int_equal(sc_points_gather(&(sc_series){n, y, sizes, counts}, &engine.points), 0);
  assert_int_equal(sc_space_prepare(&engine.space, &engine.points), 0);
  size_t count = sc_segment_find(&engine, best, worst, found);
  sc_points_free(&engine.points);
  sc_space_free(&engine.space);
  sc_wls_free(engine.wls);
  return count;
}

static const sc_candidate *best_of(size_t count)
{
  assert_true(count > 0);
  size_t best = 0;
  for (size_t i = 1; i < count; i++)
    best = found[i].score < found[best].score ? i : best;
  return &found[best];
}

/* 20, 32, 52, ...: each size 1.6 times the one before. */
static void sizes(void)
{
  for (size_t i = 0; i < SIZES; i++)
    n[i] = round(20 * pow(1.6, (double)i));
}

static void measure(double (*f)(double), double *y)
{
  sizes();
  for (size_t i = 0; i < SIZES; i++)
    y[i] = f(n[i]);
}

typedef struct form {
  double exponent, log_exponent, beside; /* beside: of a second term, -1: none */
  double cost;
} form;

static double value(const form *f, double x, double scale)
{
  double y = pow(x, f->exponent) * pow(log2(x), f->log_exponent);
  return scale * (y + (f->beside >= 0 ? pow(x, f->beside) * pow(300, f->exponent - f->beside) : 0));
}

static void has_terms(const form *f, const sc_term *terms, size_t count)
{
  assert_int_equal(count, f->beside >= 0 ? 2 : 1);
  for (size_t i = 0; i < count; i++)
    if (terms[i].exponent == f->exponent && terms[i].log_exponent == f->log_exponent)
      return;
  fail_msg("no n^%g log^%g", f->exponent, f->log_exponent);
}

static const form forms[] = {{0, 0, -1, 0},   {1, 0, -1, 0},   {1, 1, -1, 1}, {2, 0, -1, 0}, {0, 1, -1, 2},
                             {0.5, 0, -1, 3}, {1.5, 0, -1, 4}, {2, 1, -1, 3}, {3, 0, -1, 1}, {1, 0, 0, 2},
                             {1, 1, 0, 4},    {2, 0, 0, 3},    {2, 0, 1, 3},  {3, 0, 0, 4}};
enum { HEADS = 10 }; /* forms that a first piece may have */

/* A tail that is nine times too large to meet its head is a jump, for 6 more. One place of nine is 2 log 9. */
TEST(each_form_is_found_at_its_price)
{
  sizes();
  for (size_t h = 0; h < HEADS; h++)
    for (size_t t = 0; t < COUNT(forms); t++)
      for (size_t split = 5; split <= 7; split++) {
        double y[SIZES], jump = 9 * value(&forms[h], n[split], 1) / value(&forms[t], n[split], 1);
        if (h == t)
          continue;
        for (size_t i = 0; i < SIZES; i++)
          y[i] = i < split ? value(&forms[h], n[i], 1) : value(&forms[t], n[i], jump);
        size_t count = find(y, SIZES, false, NULL, 1e9);
        const sc_candidate *c = NULL;
        size_t parameters = 2 + (forms[h].beside >= 0) + (forms[t].beside >= 0);
        for (size_t i = 0; i < count && !c; i++)
          c = found[i].piece_count == 1 && found[i].fit.rss < 1e-15 && found[i].parameters == parameters ? &found[i]
                                                                                                         : NULL;
        if (!c)
          fail_msg("forms %zu and %zu at %zu are not found", h, t, split);
        has_terms(&forms[t], c->terms, c->count);
        has_terms(&forms[h], c->pieces[0].terms, c->pieces[0].term_count);
        assert_int_equal(c->first, split);
        assert_true(c->pieces[0].until_low == n[split - 1] && c->pieces[0].until_high == n[split]);
        assert_true(c->pieces[0].until == n[split]); /* they meet nowhere */
        unit_near_by(c->cost, forms[h].cost + forms[t].cost + 6 + 2 * log(9) + 6, 1e-6);
        unit_near_by(sc_term_sum(c->terms, c->count, 1e5), value(&forms[t], 1e5, jump), 1e-5);
      }
}

/* 7 n up to 150, then 7 n^2 / 150: they meet there, which costs nothing. */
static double meeting(double x) { return x < 150 ? 7 * x : 7 * x * x / 150; }
static double counted(double x) { return x < 150 ? 150 * x : x * x; }

TEST(pieces_that_meet_are_cheaper)
{
  double y[SIZES];
  measure(meeting, y);
  const sc_candidate *c = best_of(find(y, SIZES, false, NULL, 1e9));
  unit_near_by(c->cost, 6 + 2 * log(9), 1e-6);
  unit_near_by(c->pieces[0].until, 150, 1e-6);
  measure(counted, y);
  c = best_of(find(y, SIZES, true, NULL, 1e9));
  unit_near_by(c->cost, 2 * 8 + 2 * log(9), 1e-6); /* of exact counts twice, and 8 for a change */
  unit_near_by(c->pieces[0].until, 150, 1e-6);
}

/* Ten sizes of 12 can begin a piece, and two must be left. */
TEST(pieces_have_more_sizes_than_terms)
{
  double y[SIZES];
  sizes();
  for (size_t split = 2; split <= SIZES - 2; split++) {
    for (size_t i = 0; i < SIZES; i++)
      y[i] = i < split ? 5 : 9000;
    const sc_candidate *c = best_of(find(y, SIZES, false, NULL, 1e9));
    assert_true(c->first == split && c->terms[0].exponent == 0 && c->fit.rss < 1e-18);
  }
  for (size_t count = 3; count <= 7; count++) {
    for (size_t i = 0; i < count; i++)
      y[i] = i < 2 ? 5 : 9000;
    assert_int_equal(find(y, count, false, NULL, 1e9) > 0, count >= 5);
  }
}

static double thrice(double x) { return x < 100 ? 4000 : x < 700 ? 40 * x : x * x * 40 / 700; }

/* From seven sizes on, and not where the best so far misses no more than repeats do. */
TEST(two_changes_are_looked_for_where_one_is_not_enough)
{
  double y[SIZES];
  measure(thrice, y);
  const sc_candidate *c = best_of(find(y, SIZES, false, NULL, 1e9));
  assert_true(c->piece_count == 2 && c->terms[0].exponent == 2 && c->count == 1);
  assert_true(c->pieces[0].terms[0].exponent == 0 && c->pieces[1].terms[0].exponent == 1);
  unit_near_by(c->pieces[0].until, 100, 1e-6);
  unit_near_by(c->pieces[1].until, 700, 1e-6);
  unit_near_by(c->cost, 2 * (6 + 2 * log(9)), 1e-6);
  sc_candidate best = {.parameters = 2, .fit = {.rss = 10 * 0.99e-12}}; /* of ten degrees of freedom a millionth each */
  size_t count = find(y, SIZES, false, &best, 1e9);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(found[i].piece_count, 1);
  best.fit.rss = 10 * 1.01e-12;
  assert_true(find(y, SIZES, false, &best, 1e9) > 0 && found[0].piece_count == 2);
}

/* A square is no change that is less than a tenth of the last piece (of counts three tenths) at the largest size. */
TEST(what_leads_unseen_is_no_change)
{
  for (int counts = 0; counts < 2; counts++)
    for (int above = 0; above < 2; above++) {
      double y[SIZES], share = (counts ? 0.3 : 0.1) * (above ? 1.02 : 0.98);
      sizes();
      double largest = n[SIZES - 1], slope = 1000 * (1 - share), square = 1000 * share / largest;
      for (size_t i = 0; i < SIZES; i++)
        y[i] = i < 5 ? 7e4 : slope * n[i] + square * n[i] * n[i];
      for (size_t i = 0; counts && i < SIZES; i++)
        y[i] = round(y[i]);
      size_t count = find(y, SIZES, counts, NULL, 1e9), with = 0;
      for (size_t i = 0; i < count; i++)
        with +=
            found[i].piece_count == 1 && found[i].count == 2 && found[i].terms[0].exponent == 2 && found[i].first == 5;
      assert_int_equal(with, above);
    }
}

/* Of counts the last piece takes more sizes than it has terms, and sizes less than a tenth apart are one. */
TEST(near_sizes_are_one)
{
  for (int apart = 0; apart < 2; apart++) {
    double y[SIZES];
    sizes();
    n[SIZES - 1] = n[SIZES - 2] * (apart ? 1.11 : 1.09);
    for (size_t i = 0; i < SIZES; i++)
      y[i] = i < SIZES - 2 ? 5 : 9000;
    size_t count = find(y, SIZES, true, NULL, 1e9), last = 0;
    for (size_t i = 0; i < count; i++)
      last += found[i].first == SIZES - 2 && found[i].count == 1;
    assert_int_equal(last > 0, apart);
  }
}

/* Nothing is looked for that could not be better. Sizes are missed by a hundredth, up and down in turn. */
TEST(only_what_may_win_is_examined)
{
  double y[SIZES];
  measure(meeting, y);
  for (size_t i = 0; i < SIZES; i++)
    y[i] *= i % 2 ? 1.01 : 0.99;
  double score = best_of(find(y, SIZES, false, NULL, 1e9))->score;
  unit_near(best_of(find(y, SIZES, false, NULL, score + 5))->score, score);
  assert_int_equal(find(y, SIZES, false, NULL, score - 5), 0);
}

/* ---- noise ---- */

typedef struct place {
  size_t head, tail, split;
  double score;
} place;

/* What is left of the values from one size on to before another by a form's least squares of relative errors, as
 * determinants say it. */
static double left_by(const form *f, const sc_points *p, size_t from, size_t to)
{
  double aa = 0, ab = 0, bb = 0, ay = 0, by = 0, yy = 0;
  for (size_t i = from; i < to; i++) {
    double w = sqrt(p->weight[i]) / p->scale[i], y = p->y[i] * w;
    double a = pow(p->n[i], f->exponent) * pow(log2(p->n[i]), f->log_exponent) * w;
    double b = f->beside >= 0 ? pow(p->n[i], f->beside) * w : 0;
    aa += a * a, ab += a * b, bb += b * b, ay += a * y, by += b * y, yy += y * y;
  }
  if (to - from <= 1 + (size_t)(f->beside >= 0))
    return INFINITY;
  return f->beside < 0 ? yy - ay * ay / aa
                       : yy - (ay * ay * bb - 2 * ay * by * ab + by * by * aa) / (aa * bb - ab * ab);
}

static int by_score(const void *a, const void *b)
{
  const place *x = a, *y = b;
  return SC_COMPARE(x->score, y->score);
}

/* All pairs of forms at all places, best first: residuals above a floor, a price for each parameter, form and change,
 * and for one place of all. */
static size_t rate_all(const double *y, place *list)
{
  sc_points p = {0};
  size_t count = 0;
  assert_int_equal(sc_points_gather(&(sc_series){n, y, SIZES, false}, &p), 0);
  double all = SIZES, floor_of = sc_candidate_variance(&p, 0, NAN);
  for (size_t h = 0; h < HEADS; h++)
    for (size_t t = 0; t < COUNT(forms); t++)
      for (size_t split = 2; split + 2 <= SIZES && (h != t || h == 0); split++) {
        double rss = left_by(&forms[h], &p, 0, split) + left_by(&forms[t], &p, split, SIZES);
        size_t numbers = 2 + (size_t)(forms[h].beside >= 0) + (size_t)(forms[t].beside >= 0);
        double cost = forms[h].cost + forms[t].cost + SC_SEGMENT_CHANGE + 2 * log(SIZES - 3);
        double score = all * log(floor_of + rss / all) + sc_candidate_penalty(all, numbers) + cost;
        if (isfinite(score))
          list[count++] = (place){h, t, split, score};
      }
  qsort(list, count, sizeof *list, by_score);
  sc_points_free(&p);
  return count;
}

static bool is_place(const place *p, const sc_candidate *c)
{
  const sc_term *tail = c->terms, *head = c->pieces[0].terms;
  const form *h = &forms[p->head], *t = &forms[p->tail];
  return c->piece_count == 1 && c->first == p->split && c->count == 1 + (size_t)(t->beside >= 0) &&
         c->pieces[0].term_count == 1 + (size_t)(h->beside >= 0) && head->exponent == h->exponent &&
         head->log_exponent == h->log_exponent && tail->exponent == t->exponent &&
         tail->log_exponent == t->log_exponent && (t->beside < 0 || tail[1].exponent == t->beside);
}

/* Whatever the noise, the four best are looked at, in their order; some of them are none for other reasons. */
TEST(the_best_places_and_forms_are_looked_at)
{
  static place list[HEADS * COUNT(forms) * SIZES];
  static const size_t heads[] = {1, 0, 3, 6, 9}, tails[] = {3, 1, 9, 11, 12};
  size_t seen = 0;
  sizes();
  for (size_t k = 0; k < COUNT(heads); k++)
    for (size_t split = 4; split <= 8; split++) {
      double y[SIZES], jump = 2 * value(&forms[heads[k]], n[split], 1) / value(&forms[tails[k]], n[split], 1);
      for (size_t i = 0; i < SIZES; i++)
        y[i] = (i < split ? value(&forms[heads[k]], n[i], 1) : value(&forms[tails[k]], n[i], jump)) *
               (1 + 0.03 * sin(17.0 * (double)(i + split) + 5.0 * (double)(k * i)));
      sc_candidate simple = {.fit = {.rss = 0},
                             .parameters = 1}; /* which follows all: two changes are not looked for */
      size_t count = find(y, SIZES, false, &simple, INFINITY), best = rate_all(y, list), at = 0;
      assert_true(best > SC_SEGMENT_MOST);
      for (size_t i = 0; i < count; i++, at++, seen++) {
        while (at < SC_SEGMENT_MOST && !is_place(&list[at], &found[i]))
          at++;
        assert_true(at < SC_SEGMENT_MOST);
      }
    }
  assert_true(seen >= 50);
}

static const form *form_of(const sc_term *terms, size_t count)
{
  for (size_t i = 0; i < COUNT(forms); i++)
    if ((count == 2) == (forms[i].beside >= 0) && terms[0].exponent == forms[i].exponent &&
        terms[0].log_exponent == forms[i].log_exponent && (count == 1 || terms[1].exponent == forms[i].beside))
      return &forms[i];
  fail_msg("no such form");
  return NULL;
}

/* The score without validation and jumps, which is what a search goes by. */
static double searched(const double *y, const sc_candidate *c)
{
  sc_points points = {0};
  assert_int_equal(sc_points_gather(&(sc_series){n, y, SIZES, false}, &points), 0);
  double cost = form_of(c->terms, c->count)->cost + (double)c->piece_count * (6 + 2 * log(9));
  for (size_t p = 0; p < c->piece_count; p++)
    cost += form_of(c->pieces[p].terms, c->pieces[p].term_count)->cost;
  double score = sc_candidate_score(&points, c->fit.rss, NAN, c->parameters, cost);
  sc_points_free(&points);
  return score;
}

static bool is_among(size_t count, const sc_candidate *wanted)
{
  for (size_t i = 0; i < count; i++) {
    bool same = found[i].piece_count == wanted->piece_count && found[i].first == wanted->first &&
                form_of(found[i].terms, found[i].count) == form_of(wanted->terms, wanted->count);
    for (size_t p = 0; same && p < wanted->piece_count; p++)
      same = found[i].pieces[p].until_high == wanted->pieces[p].until_high &&
             form_of(found[i].pieces[p].terms, found[i].pieces[p].term_count) ==
                 form_of(wanted->pieces[p].terms, wanted->pieces[p].term_count);
    if (same)
      return true;
  }
  return false;
}

static double twice(double x) { return x < 100 ? 50 : x < 600 ? x / 2 : x * x / 1200; }

/* Whatever its score is: a hypothesis is found where it may be as bad as that, and not where it may not. */
TEST(what_reaches_the_worst_is_found)
{
  static double (*const functions[])(double) = {meeting, counted, twice};
  static const form pairs[][2] = {{{1, 1, -1, 1}, {3, 0, -1, 1}},
                                  {{0.5, 0, -1, 3}, {2, 0, 1, 3}},
                                  {{0, 1, -1, 2}, {1.5, 0, -1, 4}},
                                  {{1, 0, 0, 2}, {2, 1, -1, 3}}};
  size_t checked = 0, twofold = 0;
  for (size_t k = 0; k < COUNT(functions) + COUNT(pairs); k++) {
    double y[SIZES];
    sc_candidate all[SC_SEGMENT_MOST];
    if (k < COUNT(functions))
      measure(functions[k], y);
    for (size_t i = 0; i < SIZES; i++) {
      const form *f = pairs[k < COUNT(functions) ? 0 : k - COUNT(functions)];
      if (k >= COUNT(functions))
        y[i] = i < 6 ? value(&f[0], n[i], 1) : 3 * value(&f[1], n[i], value(&f[0], n[6], 1) / value(&f[1], n[6], 1));
      y[i] *= 1 + 0.01 * sin(37.0 * (double)i);
    }
    size_t count = find(y, SIZES, false, NULL, 1e9);
    memcpy(all, found, sizeof all);
    for (size_t i = 0; i < count; i++) {
      double score = searched(y, &all[i]);
      assert_true(is_among(find(y, SIZES, false, NULL, score + 1e-4), &all[i]));
      assert_false(is_among(find(y, SIZES, false, NULL, score - 1e-4), &all[i]));
      checked++;
      twofold += all[i].piece_count == 2;
    }
  }
  assert_true(checked > 20 && twofold > 2);
}
