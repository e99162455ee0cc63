/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/exact/block.h"
#include "regress/exact/digits.h"
#include "regress/exact/piece.h"
#include "regress/exact/scale.h"
#include "regress/exact/worth.h"

enum { HITS = 48, MOST_BLOCK = 8 };

typedef struct hit {
  sc_exact_sum sum;
  double bits;
  int source;   /* of one whose n was read as a capacity: the index of the other; else -1 */
  bool between; /* a fraction in blocks */
} hit;

struct sc_exact {
  sc_exact_designs *designs;
  double *buffer;
  size_t capacity;
  const sc_points *points;
  hit hits[HITS];
  size_t hit_count;
  bool doubling;
  size_t settled; /* terms of a polynomial that can be the count at all sizes: no need to look further; 0: none yet */
};

int sc_exact_new(sc_exact **exact)
{
  sc_exact *made = sc_mem_new(1, sizeof *made);
  int err = made ? 0 : SC_E_NOMEM;
  if (made)
    SC_GOTO(sc_exact_designs_new(&made->designs));
out:
  if (err < 0) {
    sc_exact_free(made);
    made = NULL;
  }
  *exact = made;
  return err;
}

void sc_exact_free(sc_exact *exact)
{
  if (!exact)
    return;
  sc_exact_designs_free(exact->designs);
  free(exact->buffer);
  free(exact);
}

static bool exact_usable(const sc_points *points)
{
  if (!points->equal || points->count < 3)
    return false;
  for (size_t i = 0; i < points->count; i++)
    if (points->n[i] != floor(points->n[i]) || points->n[i] >= 0x1p53)
      return false;
  return true;
}

/* The terms of a power, blocks by their slope, added up; *size: the same without signs. */
static double sum_of_power(const sc_term *terms, size_t count, double exponent, double *size)
{
  double sum = 0;
  *size = 0;
  for (size_t i = 0; i < count; i++) {
    bool blocks = terms[i].shape == SC_SHAPE_CEIL_BLOCK || terms[i].shape == SC_SHAPE_FLOOR_BLOCK;
    if (terms[i].exponent != exponent || terms[i].log_exponent != 0 || (terms[i].shape != SC_SHAPE_PLAIN && !blocks))
      continue;
    double part = terms[i].coefficient / (blocks ? terms[i].scale : 1);
    sum += part;
    *size += fabs(part);
  }
  return sum;
}

/* Whether terms of the leading power take each other away on average: 8 n^2 - 48 n floor(n / 6) is linear. */
static bool exact_cancels(const sc_term *terms, size_t count)
{
  double size, sum = sum_of_power(terms, count, terms[0].exponent, &size);
  return terms[0].log_exponent == 0 && fabs(sum) < SC_EXACT_ACCURACY * size;
}

/* Whether blocks take the line away but for a hundredth: 2814 floor(n / 5) - 564.5 n is a remainder of n that would
 * count hundreds each, and is chance. A remainder of n takes it away altogether. */
static bool nearly_cancels(const sc_term *terms, size_t count)
{
  double size, sum = sum_of_power(terms, count, 1, &size);
  return fabs(sum) >= SC_EXACT_ACCURACY * size && fabs(sum) < SC_EXACT_CANCELLED * size;
}

/* A count does not turn down beyond the data, but it may fall on a line. */
static bool exact_grows(const sc_exact_sum *sum)
{
  sc_term terms[SC_MODEL_TERMS];
  size_t count = sc_exact_sum_terms(sum, terms);
  if ((terms[0].exponent > 1 && exact_cancels(terms, count)) || nearly_cancels(terms, count))
    return false;
  return terms[0].coefficient > 0 || (terms[0].shape == SC_SHAPE_PLAIN && terms[0].exponent <= 1);
}

static bool same_sum(const sc_exact_sum *a, const sc_exact_sum *b)
{
  bool equal = a->count == b->count && a->under == b->under;
  for (size_t i = 0; i < a->count && equal; i++)
    equal = a->over[i] == b->over[i] && sc_exact_same_basis(&a->basis[i], &b->basis[i]);
  return equal;
}

static bool exact_plain(const sc_exact_sum *sum)
{
  for (size_t j = 0; j < sum->count; j++)
    if (sum->basis[j].shape != SC_SHAPE_PLAIN)
      return false;
  return true;
}

static double bits_of(const sc_exact *exact, const sc_exact_sum *sum)
{
  return sc_exact_sum_bits(sum, exact->points->n[exact->points->count - 1], exact->points->y_max);
}

/* Fractions of n are what stairs look like at sizes that all hit them alike; other fractions are chance, or the part
 * that becomes a capacity where the sizes double. */
static void add_exact_sum(sc_exact *exact, const sc_exact_sum *sum, int source, double bonus)
{
  if (exact->hit_count == HITS || sum->count == 0 || !exact_grows(sum) ||
      (!exact->doubling && !exact_plain(sum) && !sc_exact_sum_counts(sum)))
    return;
  for (size_t i = 0; i < exact->hit_count; i++)
    if (same_sum(&exact->hits[i].sum, sum))
      return;
  if (exact->settled == 0 && exact_plain(sum) && sc_exact_sum_counts(sum))
    exact->settled = sum->count;
  exact->hits[exact->hit_count++] = (hit){*sum, bits_of(exact, sum) - bonus, source, false};
}

static void add_found(void *context, const sc_exact_sum *sum, double bonus) { add_exact_sum(context, sum, -1, bonus); }

/* Whether a sum that was found already is among the functions: more of them would only have coefficients 0. */
static bool has_part(const sc_exact *exact, const sc_exact_sum *sum)
{
  for (size_t h = 0; h < exact->hit_count; h++) {
    const sc_exact_sum *part = &exact->hits[h].sum;
    size_t found = 0;
    for (size_t i = 0; i < part->count; i++)
      for (size_t j = 0; j < sum->count; j++)
        found += sc_exact_same_basis(&part->basis[i], &sum->basis[j]);
    if (found == part->count)
      return true;
  }
  return false;
}

static inline bool exact_obeys(const sc_exact_relation *relation, const double *y)
{
  size_t count = relation->set.count;
  for (size_t r = 0; r + count < relation->row_count; r++)
    if (!sc_exact_obeys(y, relation->rows, relation->weight[r], count, y[relation->rows[count + r]]))
      return false;
  return true;
}

static void scan_exact(sc_exact *exact, const sc_exact_design *design, size_t from)
{
  const sc_points *points = exact->points;
  for (size_t i = from; i < design->relation_count; i++) {
    const sc_exact_relation *relation = &design->relations[i];
    if (exact->settled > 0 && relation->set.count > exact->settled)
      return;
    if (!exact_obeys(relation, points->y))
      continue;
    sc_exact_sum sum = {.count = relation->set.count};
    for (size_t j = 0; j < sum.count; j++)
      sum.basis[j] = sc_exact_column(relation->set.column[j]);
    if (!has_part(exact, &sum) && sc_exact_sum_solve(&sum, points->n, points->y, relation->rows) &&
        sc_exact_sum_holds(&sum, points->n, points->y, points->count))
      add_exact_sum(exact, &sum, -1, 0);
  }
}

/* c n^a as (c - part) n^a + part / ratio * n^(a - 1) * capacity, where capacity = over / under * n at all sizes. */
static void read_capacity(sc_exact *exact, int source, size_t term, enum sc_shape shape, int part)
{
  const sc_points *points = exact->points;
  sc_exact_sum sum = exact->hits[source].sum;
  sc_term power = {.exponent = 1, .shape = shape};
  sc_wide capacity;
  if (sum.count == SC_MODEL_TERMS || (part != 0 && sum.count + 1 == points->count) ||
      !sc_exact_basis(&power, points->n[0], &capacity) || points->n[0] >= 0x1p31)
    return;
  long n = (long)points->n[0], over = (long)capacity, common = sc_exact_divisor(over, n);
  over /= common, n /= common; /* capacity = over / n * size */
  power.exponent = sum.basis[term].exponent;
  long unit = part == 0 ? over : n, c = sum.over[term];
  for (size_t j = 0; j < sum.count; j++)
    if (__builtin_mul_overflow(sum.over[j], unit, &sum.over[j]))
      return;
  if (part == 0) { /* all of it */
    sum.basis[term] = power;
    if (__builtin_mul_overflow(c, n, &sum.over[term]))
      return;
  } else {
    sum.over[term] -= part * over * sum.under;
    sum.basis[sum.count] = power;
    sum.over[sum.count++] = part * sum.under * n;
  }
  sum.under *= unit;
  sc_exact_sum_reduce(&sum);
  if (sc_exact_sum_holds(&sum, points->n, points->y, points->count))
    add_exact_sum(exact, &sum, source, 0);
}

/* Where the sizes double, capacities that double are proportional to n: that is likely where the counts are fractions
 * of n, and possible where the sizes are powers of two. */
static void read_capacities(sc_exact *exact)
{
  static const int parts[] = {0, 1, 2, -1, 3};
  size_t count = exact->hit_count;
  bool powers = exp2(floor(log2(exact->points->n[0]))) == exact->points->n[0];
  for (size_t h = 0; h < count; h++) {
    sc_exact_sum sum = exact->hits[h].sum;
    bool counts = sc_exact_sum_counts(&sum);
    for (size_t t = 0; t < sum.count && (powers || !counts); t++) {
      if (sum.basis[t].shape != SC_SHAPE_PLAIN || sum.basis[t].exponent < 1)
        continue;
      for (size_t p = 0; p < (counts ? 1 : sizeof parts / sizeof *parts); p++)
        read_capacity(exact, (int)h, t, SC_SHAPE_CEIL_POWER, parts[p]);
      if (powers)
        read_capacity(exact, (int)h, t, SC_SHAPE_FLOOR_POWER, 0);
    }
  }
}

/* The sum with n in blocks, which is the same at multiples of a block; false where a power has no such function. */
static bool in_blocks(const sc_exact_sum *sum, long block, bool up, sc_exact_sum *out)
{
  static const enum sc_shape shapes[2][3] = {{SC_SHAPE_PLAIN, SC_SHAPE_FLOOR_BLOCK, SC_SHAPE_FLOOR_SQUARE},
                                             {SC_SHAPE_PLAIN, SC_SHAPE_CEIL_BLOCK, SC_SHAPE_BLOCK_SQUARE}};
  *out = *sum;
  for (size_t j = 0; j < sum->count; j++) {
    int power = (int)sum->basis[j].exponent;
    if (power > 2)
      return false;
    out->basis[j].shape = shapes[up][power];
    out->basis[j].scale = power ? (double)block : 0;
    for (int p = 0; p < power; p++)
      if (__builtin_mul_overflow(out->over[j], block, &out->over[j]))
        return false;
  }
  sc_exact_sum_reduce(out);
  return true;
}

/* The smallest block in which the sum is a whole number everywhere; 0: none. */
static long find_block(const sc_exact_sum *sum)
{
  sc_exact_sum blocks;
  for (long block = 2; block <= MOST_BLOCK; block++)
    if (in_blocks(sum, block, false, &blocks) && sc_exact_sum_counts(&blocks))
      return block;
  return 0;
}

/* Fractions of n are no count at sizes between multiples of the smallest block that makes them whole. Where all sizes
 * are multiples of it, the count between them may be that of the block before or of the one behind: the fraction stands
 * for both. */
static void read_blocks(sc_exact *exact)
{
  const sc_points *points = exact->points;
  size_t count = exact->hit_count;
  for (size_t h = 0; h < count; h++) {
    hit *fraction = &exact->hits[h];
    if (!exact_plain(&fraction->sum) || sc_exact_sum_counts(&fraction->sum))
      continue;
    long block = find_block(&fraction->sum);
    for (int up = 0; up <= 1 && block; up++) {
      sc_exact_sum blocks;
      if (!in_blocks(&fraction->sum, block, up, &blocks) ||
          !sc_exact_sum_holds(&blocks, points->n, points->y, points->count))
        continue;
      add_exact_sum(exact, &blocks, -1, 0);
      fraction->bits = fmin(fraction->bits, bits_of(exact, &blocks) - SC_EXACT_BETWEEN);
    }
  }
  for (size_t i = count; i < exact->hit_count; i++)
    exact->hits[i].between = true;
}

static void put_exact(sc_exact_result *out, const sc_exact_model *model)
{
  size_t at = out->count < SC_EXACT_MODELS ? out->count++ : SC_EXACT_MODELS;
  for (; at > 0 && out->models[at - 1].bits > model->bits; at--)
    if (at < SC_EXACT_MODELS)
      out->models[at] = out->models[at - 1];
  if (at < SC_EXACT_MODELS)
    out->models[at] = *model;
}

/* Pieces that may go on changing beyond the sizes do; that the last one holds for ever is the longer description. */
static void put_pieces(const sc_points *points, const sc_exact_model *pieces, sc_exact_result *out)
{
  double bits;
  sc_exact_model digits, as_is = *pieces;
  if (sc_exact_digits(points, pieces, &digits, &bits)) {
    as_is.bits += bits;
    put_exact(out, &digits);
  }
  put_exact(out, &as_is);
}

/* The digits of the numbers up to n, where that is the shortest description; whether it is. */
static bool put_numbers(const sc_points *points, sc_exact_result *out)
{
  sc_exact_model digits, as_is;
  if (!sc_exact_numbers(points, &digits, &as_is) || (out->count && digits.bits >= out->models[0].bits))
    return false;
  put_exact(out, &digits);
  if (as_is.piece_count)
    put_exact(out, &as_is);
  return true;
}

/* A logarithm to another base that the sizes show one step of may be a limit at a power of that base as well: `as_is`
 * is the line behind the step. */
static bool stays_behind_step(const sc_points *points, const sc_exact_model *steps, sc_exact_model *as_is)
{
  size_t at = 0, last = points->count - 1;
  while (at < steps->term_count && !(steps->terms[at].log_exponent == 1 && steps->terms[at].scale > 0))
    at++;
  if (at == steps->term_count)
    return false;
  const sc_term *log = &steps->terms[at];
  double low = sc_term_basis(log, points->n[0]) / points->n[0];
  double high = sc_term_basis(log, points->n[last]) / points->n[last];
  if (high - low != 1)
    return false;
  *as_is = *steps;
  as_is->bits += SC_EXACT_LIMIT;
  as_is->terms[at] = (sc_term){.coefficient = log->coefficient * high, .exponent = 1};
  for (size_t i = 0; i < steps->term_count; i++)
    if (i != at && steps->terms[i].exponent == 1) {
      as_is->terms[at].coefficient += steps->terms[i].coefficient;
      as_is->terms[i].coefficient = 0;
    }
  as_is->term_count = sc_term_sort(as_is->terms, as_is->term_count, NULL);
  return true;
}

/* The shortest descriptions first. */
static void rank_exact(sc_exact *exact, sc_exact_result *out)
{
  const hit *best = NULL;
  int source = -1;
  for (size_t i = 0; i < exact->hit_count; i++)
    if ((exact_plain(&exact->hits[i].sum) || sc_exact_sum_counts(&exact->hits[i].sum)) &&
        (!best || exact->hits[i].bits < best->bits))
      best = &exact->hits[i];
  if (best && best->source >= 0 && !sc_exact_sum_counts(&exact->hits[best->source].sum)) {
    source = best->source;
    exact->hits[source].bits = fmin(exact->hits[source].bits, best->bits + SC_EXACT_READING);
  }
  for (size_t i = 0; i < exact->hit_count; i++) {
    sc_exact_model model = {.bits = exact->hits[i].bits, .between = exact->hits[i].between}, as_is;
    if ((int)i != source && !exact_plain(&exact->hits[i].sum) && !sc_exact_sum_counts(&exact->hits[i].sum))
      continue;
    model.term_count = sc_exact_sum_terms(&exact->hits[i].sum, model.terms);
    put_exact(out, &model);
    if (stays_behind_step(exact->points, &model, &as_is))
      put_exact(out, &as_is);
  }
}

/* Drops rivals that are too long, weighs the others. */
static void judge_exact(const sc_points *points, sc_exact_result *out)
{
  double best = out->models[0].bits;
  while (out->models[out->count - 1].bits > best + SC_EXACT_RIVAL)
    out->count--;
  out->sure = true;
  for (size_t i = 0; i < out->count; i++) {
    out->models[i].weight = exp2(best - out->models[i].bits);
    out->sure = out->sure && (out->models[i].between ||
                              sc_exact_agree(&out->models[0], &out->models[i], points->n[points->count - 1]));
  }
}

/* Whether doubles, in which models are evaluated, give the counts too: terms that cancel at huge sizes lose them. */
static bool exact_evaluates(const sc_points *points, const sc_exact_result *out)
{
  const sc_exact_model *best = &out->models[0];
  for (size_t i = out->first; i < points->count; i++) {
    if (best->piece_count > 0 && points->n[i] < best->pieces[best->piece_count - 1].until)
      continue;
    double value = sc_term_sum(best->terms, best->term_count, points->n[i]);
    if (fabs(value - points->y[i]) > SC_EXACT_ACCURACY * (1 + points->y[i]))
      return false;
  }
  return true;
}

static void find_constant(const sc_points *points, sc_exact_result *out)
{
  for (size_t i = 1; i < points->count; i++)
    if (points->y[i] != points->y[0])
      return;
  out->models[0] = (sc_exact_model){.terms = {{points->y[0]}}, .term_count = points->y[0] != 0, .weight = 1};
  out->count = 1;
  out->believed = out->sure = true;
}

static int reserve_exact(sc_exact *exact, size_t count)
{
  if (count <= exact->capacity)
    return 0;
  free(exact->buffer);
  exact->buffer = sc_mem_new(count, sizeof *exact->buffer);
  exact->capacity = exact->buffer ? count : 0;
  return exact->buffer ? 0 : SC_E_NOMEM;
}

int sc_exact_find(sc_exact *exact, const sc_points *points, sc_exact_result *out)
{
  sc_exact_design *design;
  out->count = 0;
  out->first = 0;
  out->surplus = 0;
  out->believed = out->sure = false;
  if (!points->equal || points->count < 2)
    return 0;
  find_constant(points, out);
  if (out->count || !exact_usable(points))
    return 0;
  SC_TRY(reserve_exact(exact, points->count));
  SC_TRY(sc_exact_designs_get(exact->designs, points, &design));
  exact->points = points;
  exact->hit_count = 0;
  exact->settled = 0;
  exact->doubling = design->doubling;
  scan_exact(exact, design, 0);
  if (exact->settled == 0) {
    SC_TRY(sc_exact_designs_complete(exact->designs, design));
    scan_exact(exact, design, design->polynomials);
  }
  if (design->doubling)
    read_capacities(exact);
  bool done = exact->settled > 0;
  if (!done) {
    sc_exact_blocks(points, exact->buffer, add_found, exact);
    sc_exact_scaled(points, add_found, exact);
    read_blocks(exact);
  }
  rank_exact(exact, out);
  double worth = sc_exact_evidence(points, exact->buffer);
  sc_exact_model pieces;
  size_t first;
  bool numbers = put_numbers(points, out);
  if (!numbers && !done && sc_exact_pieces(design, points, exact->buffer, &pieces, &first)) {
    if (out->count == 0 || pieces.bits < out->models[0].bits)
      out->first = first;
    if (first == 0 || out->first == first)
      put_pieces(points, &pieces, out);
  }
  if (out->count == 0)
    return 0;
  judge_exact(points, out);
  out->surplus = done ? worth - out->models[0].bits : sc_exact_surplus(design, points, &out->models[0], worth);
  out->believed = out->surplus >= SC_EXACT_SURPLUS;
  if ((!out->believed && (out->surplus < SC_EXACT_GUESS || out->first > 0)) || !exact_evaluates(points, out))
    out->count = 0;
  return 0;
}

bool sc_exact_doubling(const sc_points *points)
{
  for (size_t i = 1; i < points->count; i++) {
    double apart = log2(points->n[i] / points->n[0]);
    if (fabs(apart - round(apart)) > SC_EXACT_DOUBLING)
      return false;
  }
  return true;
}
