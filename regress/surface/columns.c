/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/surface/columns.h"

#include <math.h>

#include "base/buf.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"

sc_surface_term sc_surface_columns_term(const sc_surface_columns *columns, size_t c)
{
  sc_surface_term term = {.coefficient = 1};
  for (size_t p = 0; p < columns->points->parameters; p++)
    term.factor[p] = columns->space->factor[p][columns->digit[c * SC_SURFACE_PARAMETERS + p]].term;
  return term;
}

/* Column c is a number whose digits are the factors; the pair's rule may forbid it. */
static bool describe_column(sc_surface_columns *s, size_t c)
{
  unsigned char *digit = s->digit + c * SC_SURFACE_PARAMETERS;
  size_t factors = 0, rest = c;
  s->cost[c] = 0;
  s->bits[c] = 0;
  for (size_t p = 0; p < s->points->parameters; p++) {
    digit[p] = (unsigned char)(rest % s->space->count[p]);
    rest /= s->space->count[p];
    s->cost[c] += s->space->factor[p][digit[p]].cost;
    factors += digit[p] > 0;
    s->bits[c] |= (uint64_t)1 << (p * SC_SURFACE_FACTORS + digit[p]);
  }
  if (factors > 1)
    s->cost[c] += SC_SURFACE_PRODUCT * (double)(factors - 1);
  return s->pair.rule != SC_SURFACE_APART || !digit[s->pair.p] || !digit[s->pair.q];
}

/* The ends of the ranges, the last of them with all parameters at their largest; then the same with far beyond. */
static void corner_at(const sc_surface_points *points, size_t corner, double *at)
{
  size_t ends = (size_t)1 << points->parameters;
  for (size_t p = 0; p < points->parameters; p++) {
    bool high = corner >> p & 1, varied = points->values[p] > 1;
    at[p] = high ? points->high[p] * (corner >= ends && varied ? SC_SURFACE_BEYOND : 1) : points->low[p];
  }
}

static void fill_column(sc_surface_columns *s, size_t c)
{
  const sc_surface_points *points = s->points;
  bool usable = describe_column(s, c);
  sc_surface_term term = sc_surface_columns_term(s, c);
  double *x = s->x + c * points->count, length = 0, square = 0, at[SC_SURFACE_PARAMETERS];
  for (size_t i = 0; i < points->count; i++) {
    x[i] = sc_surface_term_value(&term, points->parameters, points->at + i * points->parameters) *
           sqrt(points->repeats[i]) / points->scale[i];
    length = fmax(length, fabs(x[i]));
  }
  usable = usable && length > 0 && isfinite(length);
  for (size_t i = 0; i < points->count && usable; i++)
    square += (x[i] / length) * (x[i] / length);
  s->norm[c] = usable ? length * sqrt(square) : 0;
  s->xy[c] = 0;
  for (size_t i = 0; i < points->count; i++) {
    x[i] = usable ? x[i] / s->norm[c] : 0;
    s->xy[c] += x[i] * s->y[i];
  }
  for (size_t k = 0; k < s->corners; k++) {
    corner_at(points, k, at);
    double value = sc_surface_term_value(&term, points->parameters, at);
    s->corner[c * SC_SURFACE_CORNERS + k] = usable ? value / s->norm[c] : 0;
  }
}

static void fill_gram(sc_surface_columns *s)
{
  size_t n = s->points->count;
  for (size_t c = 0; c < s->count; c++) {
    for (size_t d = 0; d <= c; d++) {
      double sum = 0;
      for (size_t i = 0; i < n; i++)
        sum += s->x[c * n + i] * s->x[d * n + i];
      s->gram[c * s->count + d] = s->gram[d * s->count + c] = sum;
    }
  }
}

static void rank_factors(sc_surface_columns *s)
{
  const sc_term constant = {0};
  for (size_t p = 0; p < s->points->parameters; p++) {
    for (size_t i = 0; i < s->space->count[p]; i++) {
      const sc_term *term = &s->space->factor[p][i].term;
      s->rank[p][i] = 0;
      if (s->space->factor[p][i].free)
        s->free |= (uint64_t)1 << (p * SC_SURFACE_FACTORS + i);
      for (size_t j = 0; j < s->space->count[p] && sc_term_compare(term, &constant) > 0; j++)
        s->rank[p][i] += sc_term_compare(term, &s->space->factor[p][j].term) >= 0;
    }
    size_t values = s->points->values[p];
    s->functions[p] = values < 4 ? 2 : values < 6 ? 3 : 4;
  }
}

int sc_surface_columns_fill(sc_surface_engine *engine, const sc_surface_pair *pair, sc_surface_columns *s)
{
  const sc_surface_points *points = &engine->points;
  *s = (sc_surface_columns){.points = points, .space = &engine->space, .pair = *pair, .count = 1};
  s->corners = (size_t)2 << points->parameters;
  for (size_t p = 0; p < points->parameters; p++)
    s->count *= engine->space.count[p];
  size_t n = points->count, c = s->count;
  SC_TRY(sc_mem_grow(&engine->numbers, &engine->numbers_capacity,
                     c * (n + c + 4 + SC_SURFACE_CORNERS) + 2 * n + c * SC_SURFACE_PARAMETERS / sizeof(double) + 1,
                     sizeof *engine->numbers));
  s->x = engine->numbers;
  s->gram = s->x + c * n;
  s->xy = s->gram + c * c;
  s->norm = s->xy + c;
  s->cost = s->norm + c;
  s->corner = s->cost + c;
  s->y = s->corner + c * SC_SURFACE_CORNERS;
  s->left = s->y + n;
  s->bits = (uint64_t *)(s->left + n);
  s->digit = (unsigned char *)(s->bits + c);
  for (size_t i = 0; i < n; i++) {
    s->y[i] = points->y[i] * sqrt(points->repeats[i]) / points->scale[i];
    s->yy += s->y[i] * s->y[i];
  }
  s->rounding = s->yy * SC_SURFACE_SCREENING * SC_SURFACE_SCREENING;
  for (size_t i = 0; i < c; i++)
    fill_column(s, i);
  fill_gram(s);
  rank_factors(s);
  for (size_t k = 1; k <= SC_SURFACE_TERMS; k++)
    s->rarity[k] = s->rarity[k - 1] + log(fmax(1, (double)c - (double)(k - 1)) / (double)k);
  return 0;
}

static uint64_t factors_of(size_t p) { return (((uint64_t)1 << SC_SURFACE_FACTORS) - 1) << (p * SC_SURFACE_FACTORS); }

double sc_surface_columns_prior(const sc_surface_columns *s, size_t count, double cost, uint64_t bits)
{
  bool growing = false;
  for (size_t p = 0; p < s->points->parameters; p++)
    growing = growing || (bits & factors_of(p)) > (uint64_t)1 << (p * SC_SURFACE_FACTORS);
  /* The more sums of a size there are, the less likely is each: Chen and Chen's extended BIC (Biometrika 95, 2008),
   * with gamma = 1. */
  return cost + 2 * s->rarity[count] + (growing ? SC_SURFACE_GROWING : 0);
}

size_t sc_surface_columns_free(const sc_surface_columns *s, uint64_t bits)
{
  return (size_t)__builtin_popcountll(bits & s->free);
}

bool sc_surface_columns_told(const sc_surface_columns *s, uint64_t bits)
{
  for (size_t p = 0; p < s->points->parameters; p++)
    if ((size_t)__builtin_popcountll(bits & factors_of(p)) > s->functions[p])
      return false;
  return true;
}

/* Whether the terms that grow fastest in parameter p matter anywhere in the ranges. */
static bool column_leads(const sc_surface_columns *s, const sc_surface_set *set, const double *coefficient, size_t p)
{
  unsigned char top = 0;
  double share = 0;
  for (size_t j = 0; j < set->count; j++) {
    unsigned char rank = s->rank[p][s->digit[set->column[j] * SC_SURFACE_PARAMETERS + p]];
    top = rank > top ? rank : top;
  }
  for (size_t k = 0; k < s->corners / 2 && top > 0; k++) {
    double parts = 0, lead = 0;
    for (size_t j = 0; j < set->count; j++) {
      double part = coefficient[j] * s->corner[set->column[j] * SC_SURFACE_CORNERS + k];
      parts += fabs(part);
      if (s->rank[p][s->digit[set->column[j] * SC_SURFACE_PARAMETERS + p]] == top)
        lead += part;
    }
    share = fmax(share, fabs(lead) / parts);
  }
  return top == 0 || share >= SC_SURFACE_LEADING;
}

/* Whether terms with both parameters of the pair matter, or nobody asks for them. */
static bool column_joined(const sc_surface_columns *s, const sc_surface_set *set, const double *coefficient)
{
  double parts = 0, both = 0;
  for (size_t j = 0; j < set->count; j++) {
    const unsigned char *digit = s->digit + set->column[j] * SC_SURFACE_PARAMETERS;
    double part = fabs(coefficient[j] * s->corner[set->column[j] * SC_SURFACE_CORNERS + s->corners / 2 - 1]);
    parts += part;
    both += digit[s->pair.p] && digit[s->pair.q] ? part : 0;
  }
  return s->pair.rule != SC_SURFACE_TOGETHER || both >= SC_SURFACE_LEADING * parts;
}

bool sc_surface_columns_sane(const sc_surface_columns *s, const sc_surface_set *set, const double *coefficient)
{
  size_t largest = s->corners / 2 - 1;
  if (!column_joined(s, set, coefficient))
    return false;
  for (size_t k = 0; k < s->corners; k++) {
    double sum = 0, parts = 0;
    for (size_t j = 0; j < set->count; j++) {
      double part = coefficient[j] * s->corner[set->column[j] * SC_SURFACE_CORNERS + k];
      sum += part;
      parts += fabs(part);
    }
    if (!(sum >= -SC_SURFACE_NEGATIVE * parts) || (k == largest && parts > SC_SURFACE_CANCELLING * sum))
      return false;
  }
  for (size_t p = 0; p < s->points->parameters && set->rss > 0; p++)
    if (!column_leads(s, set, coefficient, p))
      return false;
  return true;
}
