/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/digits.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

typedef struct change {
  int degree;    /* of what the change adds: 1, a line; 2, the sum of one over 0 .. n - 1 */
  double power;  /* of ten that the size passes */
  double offset; /* of the change, below it */
  double rise;   /* of the coefficient of n^degree */
} change;

static double coefficient(const sc_term *terms, size_t count, double exponent)
{
  for (size_t i = 0; i < count; i++)
    if (terms[i].shape == SC_SHAPE_PLAIN && terms[i].exponent == exponent && terms[i].log_exponent == 0)
      return terms[i].coefficient;
  return 0;
}

/* The highest power whose coefficient differs, if all terms are plain and it is 1 or 2; 0: another change. */
static int degree_of(const sc_piece *before, const sc_term *after, size_t count)
{
  double most = 0;
  for (size_t i = 0; i < before->term_count; i++) {
    most = fmax(most, before->terms[i].exponent);
    if (before->terms[i].shape != SC_SHAPE_PLAIN)
      return 0;
  }
  for (size_t i = 0; i < count; i++) {
    most = fmax(most, after[i].exponent);
    if (after[i].shape != SC_SHAPE_PLAIN)
      return 0;
  }
  int degree = 1;
  for (int e = 2; e <= most; e++)
    if (coefficient(before->terms, before->term_count, e) != coefficient(after, count, e))
      degree = e;
  return degree <= 2 ? degree : 0;
}

static bool offset_plausible(double n, double power)
{
  return power >= 10 && n >= (1 - SC_EXACT_OFFSET_MOST) * power && n <= power + 1;
}

/* Where the line changes: the power of ten there; 0: none. */
static void read_line(const sc_piece *before, const sc_term *after, size_t count, change *out)
{
  double n = before->until, power = pow(10, round(log10(n)));
  double apart = sc_term_sum(before->terms, before->term_count, n) - sc_term_sum(after, count, n);
  if (fabs(apart) > 0.5) { /* they do not meet: it is somewhere between two sizes */
    out->power = power >= 10 && power > before->until_low && power <= before->until_high ? power : 0;
    return;
  }
  out->power = offset_plausible(n, power) ? power : 0;
  out->offset = power - n;
}

/* Where the sum of a line begins: rise (n - root) (n - root + 1) is added. */
static void read_sum(const sc_piece *before, const sc_term *after, size_t count, change *out)
{
  double line = (coefficient(after, count, 1) - coefficient(before->terms, before->term_count, 1)) / out->rise;
  double constant = (coefficient(after, count, 0) - coefficient(before->terms, before->term_count, 0)) / out->rise;
  double root = (1 - line) / 2, power = root >= 1 ? pow(10, round(log10(root))) : 0;
  bool sum = fabs(constant - root * (root - 1)) <= SC_EXACT_ACCURACY * root * root;
  out->power = sum && offset_plausible(root, power) ? power : 0;
  out->offset = power - root;
}

/* Numbers of k digits take k steps each, or one less, before they get another one. */
static bool read_change(const sc_piece *before, const sc_term *after, size_t count, change *out)
{
  *out = (change){.degree = degree_of(before, after, count)};
  if (!out->degree)
    return false;
  double most = coefficient(before->terms, before->term_count, out->degree);
  out->rise = coefficient(after, count, out->degree) - most;
  if (!(out->rise > 0))
    return false;
  (out->degree == 1 ? read_line : read_sum)(before, after, count, out);
  if (!(out->power > 0))
    return false;
  bool alone = before->term_count && before->terms[0].exponent <= out->degree;
  return !alone || most >= (log10(out->power) - 1) * out->rise;
}

/* From `root` on. */
static void add_change(const change *what, double root, sc_exact_model *model)
{
  const double line[] = {-root, 1}, sum[] = {root * (root - 1), 1 - 2 * root, 1};
  for (int e = what->degree; e >= 0; e--) {
    size_t at = 0;
    while (at < model->term_count && model->terms[at].exponent != e)
      at++;
    if (at == model->term_count)
      model->terms[model->term_count++] = (sc_term){.exponent = e};
    model->terms[at].coefficient += what->rise * (what->degree == 1 ? line : sum)[e];
  }
}

static size_t terms_needed(const sc_exact_model *pieces, int degree)
{
  size_t needed = pieces->term_count;
  for (int e = 0; e < degree; e++)
    needed += coefficient(pieces->terms, pieces->term_count, e) == 0;
  return needed;
}

/* Whether the change before it was the same, one digit earlier. */
static bool repeats(const sc_exact_model *pieces, const change *last)
{
  change before;
  if (pieces->piece_count < 2)
    return false;
  const sc_piece *after = &pieces->pieces[1];
  return read_change(&pieces->pieces[0], after->terms, after->term_count, &before) && before.degree == last->degree &&
         before.rise == last->rise && before.power * 10 == last->power;
}

bool sc_exact_digits(const sc_points *points, const sc_exact_model *pieces, sc_exact_model *digits, double *bits)
{
  change last;
  if (!pieces->piece_count || pieces->piece_count >= SC_MODEL_PIECES ||
      !read_change(&pieces->pieces[pieces->piece_count - 1], pieces->terms, pieces->term_count, &last))
    return false;
  double next = 10 * last.power - last.offset;
  if (points->n[points->count - 1] > next || terms_needed(pieces, last.degree) >= SC_MODEL_TERMS)
    return false;
  *digits = *pieces;
  *bits = repeats(pieces, &last) ? SC_EXACT_LIMIT_REPEATED : SC_EXACT_LIMIT;
  for (double power = 10 * last.power; digits->piece_count < SC_MODEL_PIECES; power *= 10) {
    sc_piece *piece = &digits->pieces[digits->piece_count++];
    next = power - last.offset;
    *piece = (sc_piece){.until = next, .until_low = next, .until_high = next, .term_count = digits->term_count};
    for (size_t i = 0; i < digits->term_count; i++)
      piece->terms[i] = digits->terms[i];
    add_change(&last, next, digits);
  }
  return true;
}
