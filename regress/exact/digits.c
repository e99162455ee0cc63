/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/digits.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

typedef struct change {
  double power;  /* of ten that the size passes */
  double offset; /* of the change, below it */
  double rise;   /* of the coefficient of n */
} change;

static double coefficient(const sc_term *terms, size_t count, double exponent)
{
  for (size_t i = 0; i < count; i++)
    if (terms[i].shape == SC_SHAPE_PLAIN && terms[i].exponent == exponent && terms[i].log_exponent == 0)
      return terms[i].coefficient;
  return 0;
}

/* Whether all but the line is the same before and after. */
static bool only_line_differs(const sc_piece *before, const sc_term *after, size_t count)
{
  double most = 0;
  for (size_t i = 0; i < before->term_count; i++)
    most = fmax(most, before->terms[i].exponent);
  for (size_t i = 0; i < count; i++)
    most = fmax(most, after[i].exponent);
  for (double e = 2; e <= most; e++)
    if (coefficient(before->terms, before->term_count, e) != coefficient(after, count, e))
      return false;
  for (size_t i = 0; i < before->term_count; i++)
    if (before->terms[i].shape != SC_SHAPE_PLAIN)
      return false;
  for (size_t i = 0; i < count; i++)
    if (after[i].shape != SC_SHAPE_PLAIN)
      return false;
  return true;
}

/* The power of ten at the change point; 0: none. */
static double power_at(const sc_piece *before, const sc_term *after, size_t count)
{
  double n = before->until, power = pow(10, round(log10(n)));
  double apart = sc_term_sum(before->terms, before->term_count, n) - sc_term_sum(after, count, n);
  if (power < 10)
    return 0;
  if (fabs(apart) > 0.5) /* they do not meet: it is somewhere between two sizes */
    return power > before->until_low && power <= before->until_high ? power : 0;
  return n >= (1 - SC_EXACT_OFFSET_MOST) * power && n <= power + 1 ? power : 0;
}

/* Numbers of k digits take k steps each, or one less, before they get another one. */
static bool read_change(const sc_piece *before, const sc_term *after, size_t count, change *out)
{
  double line = coefficient(before->terms, before->term_count, 1);
  out->power = power_at(before, after, count);
  out->rise = coefficient(after, count, 1) - line;
  if (!(out->power > 0) || !(out->rise > 0) || !only_line_differs(before, after, count))
    return false;
  double apart =
      sc_term_sum(before->terms, before->term_count, before->until) - sc_term_sum(after, count, before->until);
  out->offset = fabs(apart) > 0.5 ? 0 : out->power - before->until;
  bool alone = before->term_count && before->terms[0].exponent <= 1;
  return !alone || line >= (log10(out->power) - 1) * out->rise;
}

static void add_line(double slope, double constant, sc_exact_model *model)
{
  double add[] = {constant, slope};
  for (int e = 1; e >= 0; e--) {
    size_t at = 0;
    while (at < model->term_count && model->terms[at].exponent != e)
      at++;
    if (at == model->term_count)
      model->terms[model->term_count++] = (sc_term){.exponent = e};
    model->terms[at].coefficient += add[e];
  }
}

/* Whether the change before it was the same, one digit earlier. */
static bool repeats(const sc_exact_model *pieces, const change *last)
{
  change before;
  if (pieces->piece_count < 2)
    return false;
  const sc_piece *after = &pieces->pieces[1];
  return read_change(&pieces->pieces[0], after->terms, after->term_count, &before) && before.rise == last->rise &&
         before.power * 10 == last->power;
}

bool sc_exact_digits(const sc_points *points, const sc_exact_model *pieces, sc_exact_model *digits, double *bits)
{
  change last;
  if (!pieces->piece_count || pieces->piece_count >= SC_MODEL_PIECES ||
      !read_change(&pieces->pieces[pieces->piece_count - 1], pieces->terms, pieces->term_count, &last))
    return false;
  double next = 10 * last.power - last.offset;
  size_t needed = pieces->term_count + (coefficient(pieces->terms, pieces->term_count, 0) == 0);
  if (points->n[points->count - 1] > next || needed >= SC_MODEL_TERMS)
    return false;
  *digits = *pieces;
  *bits = repeats(pieces, &last) ? SC_EXACT_LIMIT_REPEATED : SC_EXACT_LIMIT;
  for (double power = 10 * last.power; digits->piece_count < SC_MODEL_PIECES; power *= 10) {
    sc_piece *piece = &digits->pieces[digits->piece_count++];
    next = power - last.offset;
    *piece = (sc_piece){.until = next, .until_low = next, .until_high = next, .term_count = digits->term_count};
    for (size_t i = 0; i < digits->term_count; i++)
      piece->terms[i] = digits->terms[i];
    add_line(last.rise, -last.rise * next, digits);
  }
  return true;
}
