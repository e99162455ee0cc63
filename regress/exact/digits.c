/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/digits.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/exact/sum.h"

enum { MULTIPLES = 9 };

typedef struct change {
  int degree;    /* of what the change adds: 1, a line; 2, the sum of one over 0 .. n - 1 */
  double power;  /* of ten that the size passes, or its numbers do: */
  double each;   /* multiples of this */
  double offset; /* of the change, below it */
  double rise;   /* of the coefficient of n^degree */
} change;

static double digits_coefficient(const sc_term *terms, size_t count, double exponent)
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
    if (digits_coefficient(before->terms, before->term_count, e) != digits_coefficient(after, count, e))
      degree = e;
  return degree <= 2 ? degree : 0;
}

static bool offset_plausible(double n, double power)
{
  return power >= 10 && n >= (1 - SC_EXACT_OFFSET_MOST) * power && n <= power + 1;
}

/* The numbers are multiples of 2 to 9: they pass a power of ten at a half to a ninth of it. Both lines meet there at n.
 */
static void read_multiple(double n, change *out)
{
  for (int each = 2; each <= MULTIPLES; each++) {
    double power = pow(10, ceil(log10(n * each - each))), first = ceil(power / each);
    if (power < 10 || (n != first && n != first - 1))
      continue;
    out->power = power;
    out->each = each;
    out->offset = first - n;
    return;
  }
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
  if (!(out->power > 0))
    read_multiple(n, out);
}

/* Where the sum of a line begins: rise (n - root) (n - root + 1) is added. */
static void read_sum(const sc_piece *before, const sc_term *after, size_t count, change *out)
{
  double line =
      (digits_coefficient(after, count, 1) - digits_coefficient(before->terms, before->term_count, 1)) / out->rise;
  double constant =
      (digits_coefficient(after, count, 0) - digits_coefficient(before->terms, before->term_count, 0)) / out->rise;
  double root = (1 - line) / 2, power = root >= 1 ? pow(10, round(log10(root))) : 0;
  bool sum = fabs(constant - root * (root - 1)) <= SC_EXACT_ACCURACY * root * root;
  out->power = sum && offset_plausible(root, power) ? power : 0;
  out->offset = power - root;
}

/* Numbers of k digits take k steps each, or one less, before they get another one. */
static bool read_change(const sc_piece *before, const sc_term *after, size_t count, change *out)
{
  *out = (change){.degree = degree_of(before, after, count), .each = 1};
  if (!out->degree)
    return false;
  double most = digits_coefficient(before->terms, before->term_count, out->degree);
  out->rise = digits_coefficient(after, count, out->degree) - most;
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
    needed += digits_coefficient(pieces->terms, pieces->term_count, e) == 0;
  return needed;
}

/* Whether the change before it was the same, one digit earlier. */
static bool digits_repeats(const sc_exact_model *pieces, const change *last)
{
  change before;
  if (pieces->piece_count < 2)
    return false;
  const sc_piece *after = &pieces->pieces[1];
  return read_change(&pieces->pieces[0], after->terms, after->term_count, &before) && before.degree == last->degree &&
         before.rise == last->rise && before.each == last->each && before.power * 10 == last->power;
}

/* The size at which its numbers pass this power of ten. */
static double passes_at(const change *what, double power) { return ceil(power / what->each) - what->offset; }

bool sc_exact_digits(const sc_points *points, const sc_exact_model *pieces, sc_exact_model *digits, double *bits)
{
  change last;
  if (!pieces->piece_count || pieces->piece_count >= SC_MODEL_PIECES ||
      !read_change(&pieces->pieces[pieces->piece_count - 1], pieces->terms, pieces->term_count, &last))
    return false;
  double next = passes_at(&last, 10 * last.power);
  if (points->n[points->count - 1] > next || terms_needed(pieces, last.degree) >= SC_MODEL_TERMS)
    return false;
  *digits = *pieces;
  *bits = digits_repeats(pieces, &last) ? SC_EXACT_LIMIT_REPEATED : SC_EXACT_LIMIT;
  for (double power = 10 * last.power; digits->piece_count < SC_MODEL_PIECES; power *= 10) {
    sc_piece *piece = &digits->pieces[digits->piece_count++];
    next = passes_at(&last, power);
    *piece = (sc_piece){.until = next, .until_low = next, .until_high = next, .term_count = digits->term_count};
    for (size_t i = 0; i < digits->term_count; i++)
      piece->terms[i] = digits->terms[i];
    add_change(&last, next, digits);
  }
  return true;
}

/* Counts that are steps * n + rise * D(n) + constant, D being how many digits the numbers 0 .. n - 1, or 1 .. n where
 * `from` is 1, have beyond their first. */
typedef struct numbers {
  double steps, rise, constant;
  int from;
} numbers;

static double further_digits(double n, int from)
{
  double sum = 0;
  for (double power = 10; power < n + from; power *= 10)
    sum += n + from - power;
  return sum;
}

/* Where no size is in another decade than the others D(n) is a line, and what it takes away from each multiple of it
 * tells the rise. */
static double rise_by_constant(const sc_points *points, int from)
{
  double n = points->n[0], digits = 0, away;
  size_t last = points->count - 1;
  for (double power = 10; power < points->n[last] + from; power *= 10)
    digits++;
  away = digits * n - further_digits(n, from);
  double slope = (points->y[last] - points->y[0]) / (points->n[last] - n);
  return round((slope * n - points->y[0]) / fmax(away, 1));
}

/* By the first size, the last, and that between them whose D(n) is furthest from their line. */
static double rise_of(const sc_points *points, int from)
{
  size_t last = points->count - 1;
  const double *n = points->n, *y = points->y;
  double all = n[last] - n[0], digits = further_digits(n[last], from) - further_digits(n[0], from), most = 0, rise = 0;
  for (size_t i = 1; i < last; i++) {
    double bend = (n[i] - n[0]) * digits - all * (further_digits(n[i], from) - further_digits(n[0], from));
    if (fabs(bend) <= fabs(most))
      continue;
    most = bend;
    rise = ((n[i] - n[0]) * (y[last] - y[0]) - all * (y[i] - y[0])) / bend;
  }
  return most != 0 ? rise : rise_by_constant(points, from);
}

static bool read_numbers(const sc_points *points, int from, numbers *out)
{
  size_t last = points->count - 1;
  const double *n = points->n, *y = points->y;
  *out = (numbers){.from = from, .rise = rise_of(points, from)};
  double digits = further_digits(n[last], from) - further_digits(n[0], from);
  out->steps = (y[last] - y[0] - out->rise * digits) / (n[last] - n[0]);
  out->constant = y[0] - out->steps * n[0] - out->rise * further_digits(n[0], from);
  if (!(out->rise >= 1 && out->steps >= 0) || out->rise != floor(out->rise) || out->steps != floor(out->steps) ||
      fmax(y[last], y[last] - out->constant) >= 0x1p53) /* beyond, sums of doubles are rounded */
    return false;
  for (size_t i = 0; i <= last; i++)
    if (y[i] != out->steps * n[i] + out->rise * further_digits(n[i], from) + out->constant)
      return false;
  return true;
}

static double numbers_bits(const sc_points *points, const numbers *what)
{
  double largest = points->n[points->count - 1], most = points->y_max / fmax(1, further_digits(largest, what->from));
  sc_exact_sum beside = {.basis = {{.exponent = 1}, {.exponent = 0}},
                         .over = {(long)what->steps, (long)what->constant},
                         .under = 1,
                         .count = 2};
  sc_exact_sum_reduce(&beside);
  return sc_exact_sum_bits(&beside, largest, points->y_max) + 1 + SC_EXACT_NUMBERS +
         sc_exact_number_bits(what->rise, most) + what->from;
}

/* The line that holds while numbers have `digits` digits beyond their first. */
static size_t line_of(const numbers *what, int digits, sc_term *terms)
{
  double steps = what->steps, constant = what->constant;
  for (int k = 1; k <= digits; k++) {
    steps += what->rise;
    constant -= what->rise * (pow(10, k) - what->from);
  }
  terms[0] = (sc_term){.coefficient = steps, .exponent = 1};
  terms[1] = (sc_term){.coefficient = constant};
  return sc_term_sort(terms, 2, NULL);
}

/* Adds the line of `digits` and where it ends, beyond the sizes or between two of them. */
static void add_digits_line(const sc_points *points, const numbers *what, int digits, sc_exact_model *model)
{
  double until = pow(10, digits + 1) - what->from;
  sc_piece *piece = &model->pieces[model->piece_count++];
  *piece = (sc_piece){.until = until, .until_low = until, .until_high = until};
  piece->term_count = line_of(what, digits, piece->terms);
  for (size_t i = 0; i + 1 < points->count; i++)
    if (points->n[i] < until && points->n[i + 1] >= until) {
      piece->until_low = points->n[i];
      piece->until_high = points->n[i + 1];
    }
}

bool sc_exact_numbers(const sc_points *points, sc_exact_model *digits, sc_exact_model *as_is)
{
  numbers best = {0}, other;
  *digits = (sc_exact_model){.bits = INFINITY};
  for (int from = 0; from <= 1; from++) {
    double bits = read_numbers(points, from, &other) ? numbers_bits(points, &other) : INFINITY;
    if (bits < digits->bits) {
      best = other;
      digits->bits = bits;
    }
  }
  if (isinf(digits->bits))
    return false;
  int now = 0;
  while (pow(10, now + 1) - best.from <= points->n[0])
    now++;
  for (; pow(10, now + 1) - best.from < points->n[points->count - 1]; now++) {
    if (digits->piece_count == SC_MODEL_CHANGES)
      return false;
    add_digits_line(points, &best, now, digits);
  }
  *as_is = *digits;
  as_is->bits += as_is->piece_count > 1 ? SC_EXACT_LIMIT_REPEATED : SC_EXACT_LIMIT;
  as_is->term_count = line_of(&best, now, as_is->terms);
  while (digits->piece_count < SC_MODEL_PIECES)
    add_digits_line(points, &best, now++, digits);
  digits->term_count = line_of(&best, now, digits->terms);
  return true;
}
