/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/block.h"

#include <math.h>
#include <string.h>

#include "regress/core/tuning.h"

/* Whole numbers below are exact in a double. */
static const double exact_double = 0x1p53;

/* What is left of the counts: values = y - beside, or y / n where `times`. */
typedef struct rest {
  const sc_points *points;
  const double *value;
  sc_exact_sum beside;
  int sign; /* of the blocks: -1 where the values fall */
  bool times;
  sc_exact_found *found;
  void *context;
} rest;

/* Bits saved where the offset is what a block counts: 1000 floor(n / 1000) + 1000 is one block more. */
static double saved_by_offset(const rest *r, double step, double offset)
{
  double most = r->points->y_max;
  return fabs(offset) == step ? sc_exact_number_bits(step, most) - sc_exact_number_bits(1, most) : 0;
}

/* Hands over beside + sign * step * blocks + offset. */
static void hand_over_block(const rest *r, enum sc_shape shape, double scale, double step, double offset, double bonus)
{
  sc_exact_sum sum = r->beside;
  double power = r->times ? 1 : 0;
  if (!(scale >= SC_EXACT_BLOCK_LEAST))
    return;
  sum.basis[sum.count] = (sc_term){.exponent = 1 + power, .shape = shape, .scale = scale};
  sum.over[sum.count++] = r->sign * (long)step * sum.under;
  sum.basis[sum.count] = (sc_term){.exponent = power};
  sum.over[sum.count++] = (long)offset * sum.under;
  sc_exact_sum_reduce(&sum);
  if (sc_exact_sum_holds(&sum, r->points->n, r->points->y, r->points->count))
    r->found(r->context, &sum, bonus + saved_by_offset(r, step, offset));
}

/* The roundest whole number in [low, high), or 0. */
static double find_roundest(double low, double high)
{
  for (double step = pow(10, floor(log10(high))); step >= 1; step /= 10) {
    double at = ceil(low / step) * step;
    if (at < high && at >= 1)
      return at;
  }
  return 0;
}

/* A power of two over a small number of bytes per item. */
static double find_page_size(double low, double high)
{
  for (int item = 1; item <= 64; item++) {
    double at = exp2(ceil(log2(low * item))) / item;
    if (at < high)
      return at;
  }
  return 0;
}

static void give_interval(const rest *r, enum sc_shape shape, double low, double high, double step, double offset)
{
  double first = ceil(low), last = ceil(high) - 1;
  double tries[] = {find_page_size(low, high), find_roundest(low, high), first, last};
  double ends = log2(fmax(1, (last - first + 1) / 2)); /* they stand for all between them, which are not round */
  double roundness = INFINITY;                         /* of the best, in bits */
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
    if (tries[i] >= low && tries[i] < high && tries[i] > 0)
      roundness = fmin(roundness, sc_exact_scale_bits(tries[i]));
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    bool seen = !(tries[i] > 0) || tries[i] < low || tries[i] >= high;
    for (size_t j = 0; j < i; j++)
      seen = seen || tries[j] == tries[i];
    if (seen)
      continue;
    double round = sc_exact_any_scale_bits(tries[i]) - sc_exact_scale_bits(tries[i]);
    double bonus = i < 2 ? 0 : fmax(0, ends - round);
    if (i >= 2 && high > (1 + SC_EXACT_BLOCK_WIDE) * low)
      bonus = fmax(bonus, sc_exact_scale_bits(tries[i]) - roundness - SC_EXACT_BLOCK_ENDS);
    hand_over_block(r, shape, tries[i], step, offset, bonus);
  }
}

/* The interval of block sizes for which the n of each size need k = (value - offset) / step blocks. */
static void try_offset(const rest *r, double step, double offset)
{
  const sc_points *p = r->points;
  double up_low = 0, up_high = INFINITY, down_low = 0, down_high = INFINITY;
  for (size_t i = 0; i < p->count; i++) {
    double k = (r->sign * (r->value[i]) - offset * r->sign) / step;
    if (k < 0)
      return;
    up_low = k > 0 ? fmax(up_low, p->n[i] / k) : INFINITY;
    up_high = k > 1 ? fmin(up_high, p->n[i] / (k - 1)) : up_high;
    down_low = fmax(down_low, p->n[i] / (k + 1));
    down_high = k > 0 ? fmin(down_high, p->n[i] / k) : down_high;
    if (up_low >= up_high && down_low >= down_high)
      return;
  }
  if (up_low < up_high && isfinite(up_high))
    give_interval(r, SC_SHAPE_CEIL_BLOCK, up_low, up_high, step, offset);
  if (down_low < down_high && isfinite(down_high)) /* open below, closed above */
    give_interval(r, SC_SHAPE_FLOOR_BLOCK, nextafter(down_low, INFINITY), nextafter(down_high, INFINITY), step, offset);
}

/* Blocks of `step` counts each: how many there were before the first size, one more or less, leaves an offset. */
static void try_step(const rest *r, double slope, double step)
{
  double blocks = r->points->n[0] * slope / step, from = fmax(0, floor(blocks) - 1), to = floor(blocks) + 2;
  double zero = r->sign * r->value[0] / step;
  if (slope / step > 1 / SC_EXACT_BLOCK_LEAST)
    return;
  if (zero >= 0 && zero == floor(zero) && (zero < from || zero > to))
    try_offset(r, step, 0);
  for (double k = from; k <= to; k++)
    try_offset(r, step, r->value[0] - r->sign * k * step);
}

/* Values that go one way, about straight: blocks of `step` counts each, or of one. */
static void try_rest(rest *r)
{
  const sc_points *p = r->points;
  size_t last = p->count - 1, middle = last / 2, steps = 0;
  double least = INFINITY, rise = r->value[last] - r->value[0];
  if (rise == 0 || !(fabs(rise) < exact_double))
    return;
  r->sign = rise > 0 ? 1 : -1;
  double slope = fabs(rise) / (p->n[last] - p->n[0]);
  for (size_t i = 1; i <= last; i++) {
    double up = r->sign * (r->value[i] - r->value[i - 1]);
    if (up < 0)
      return;
    steps += up > 0;
    if (up > 0)
      least = fmin(least, up);
  }
  if (steps < 2) /* a single event */
    return;
  double line = r->value[0] + r->sign * slope * (p->n[middle] - p->n[0]);
  if (fabs(r->value[middle] - line) > 2 * least)
    return;
  long step = (long)least;
  for (size_t i = 1; i <= last && step > 1; i++)
    step = sc_exact_divisor(step, (long)fabs(r->value[i] - r->value[i - 1]));
  if (fabs(r->value[middle] - line) > 2 * (double)step)
    return;
  try_step(r, slope, (double)step);
  if (step > 1)
    try_step(r, slope, 1);
}

/* The plain growth that blocks may stand beside: square / under n^2 + line / under n; and the lines nearest to the
 * counts. */
static const struct beside {
  int square, line, under;
} besides[] = {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {1, -1, 2}, {1, 1, 2}};

void sc_exact_blocks(const sc_points *points, double *buffer, sc_exact_found *found, void *context)
{
  rest r = {.points = points, .value = buffer, .found = found, .context = context};
  if (points->count < 3 || points->y_max >= exact_double || points->n[points->count - 1] >= 0x1p26)
    return;
  for (size_t b = 0; b < sizeof besides / sizeof *besides; b++) {
    const struct beside *s = &besides[b];
    r.beside = (sc_exact_sum){.under = s->under};
    if (s->square)
      r.beside.basis[r.beside.count] = (sc_term){.exponent = 2}, r.beside.over[r.beside.count++] = s->square;
    if (s->line)
      r.beside.basis[r.beside.count] = (sc_term){.exponent = 1}, r.beside.over[r.beside.count++] = s->line;
    for (size_t i = 0; i < points->count; i++)
      buffer[i] = points->y[i] - points->n[i] * (s->square * points->n[i] + s->line) / s->under;
    try_rest(&r);
  }
  double slope = (points->y[points->count - 1] - points->y[0]) / (points->n[points->count - 1] - points->n[0]);
  for (double line = fmax(3, floor(slope) - 1); line <= ceil(slope) + 1 && slope < exact_double; line++) {
    r.beside = (sc_exact_sum){.basis = {{.exponent = 1}}, .over = {(long)line}, .under = 1, .count = 1};
    for (size_t i = 0; i < points->count; i++)
      buffer[i] = points->y[i] - line * points->n[i];
    try_rest(&r);
  }
  r.beside = (sc_exact_sum){.under = 1};
  r.times = true;
  for (size_t i = 0; i < points->count; i++) {
    buffer[i] = points->y[i] / points->n[i];
    if (buffer[i] != floor(buffer[i]))
      return;
  }
  try_rest(&r);
}
