/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { CACHED = 8 };

struct sc_exact_designs {
  sc_exact_set sets[SC_EXACT_SETS];
  size_t set_count, polynomials, next;
  sc_exact_design made[CACHED];
};

int sc_exact_designs_new(sc_exact_designs **designs)
{
  sc_exact_designs *d = sc_mem_new(1, sizeof *d);
  *designs = d;
  if (!d)
    return SC_E_NOMEM;
  d->set_count = sc_exact_list_sets(d->sets, &d->polynomials);
  return 0;
}

static void clear_design(sc_exact_design *design)
{
  free(design->n);
  free(design->relations);
  free(design->windows);
  free(design->sample);
  *design = (sc_exact_design){0};
}

void sc_exact_designs_free(sc_exact_designs *designs)
{
  for (size_t i = 0; designs && i < CACHED; i++)
    clear_design(&designs->made[i]);
  free(designs);
}

typedef long double row[SC_EXACT_COLUMNS];

/*
 * Eliminates in a[rows][count], columns in turn; order[] receives the pivot rows, then the others. False where the
 * functions do not differ.
 */
static bool eliminate_design(long double a[][SC_MODEL_TERMS], size_t rows, size_t count, unsigned *order)
{
  for (size_t j = 0; j < count; j++) {
    long double most = 0;
    for (size_t i = 0; i < rows; i++)
      most = fmaxl(most, a[i][j]);
    for (size_t i = 0; i < rows && most > 0; i++)
      a[i][j] /= most;
  }
  for (size_t i = 0; i < rows; i++) {
    long double most = 0;
    order[i] = (unsigned)i;
    for (size_t j = 0; j < count; j++)
      most = fmaxl(most, a[i][j]);
    for (size_t j = 0; j < count && most > 0; j++)
      a[i][j] /= most;
  }
  for (size_t c = 0; c < count; c++) {
    size_t pivot = c;
    for (size_t i = c + 1; i < rows; i++)
      if (fabsl(a[order[i]][c]) > fabsl(a[order[pivot]][c]))
        pivot = i;
    unsigned at = order[pivot];
    order[pivot] = order[c];
    order[c] = at;
    if (fabsl(a[at][c]) < 1e-14L)
      return false;
    for (size_t i = c + 1; i < rows; i++) {
      long double factor = a[order[i]][c] / a[at][c];
      for (size_t j = c; j < count; j++)
        a[order[i]][j] -= factor * a[at][j];
    }
  }
  return true;
}

/* The inverse of the functions' values at the given rows: inverse[i] are the weights of row i. */
static bool invert_design(const row *v, const sc_exact_set *set, const unsigned *rows,
                          long double inverse[][SC_MODEL_TERMS])
{
  long double a[SC_MODEL_TERMS][2 * SC_MODEL_TERMS], most[SC_MODEL_TERMS];
  size_t k = set->count;
  for (size_t j = 0; j < k; j++) { /* one equation per function */
    most[j] = 0;
    for (size_t i = 0; i < k; i++)
      most[j] = fmaxl(most[j], a[j][i] = v[rows[i]][set->column[j]]);
    for (size_t i = 0; i < k; i++)
      a[j][i] /= most[j];
  }
  if (!sc_exact_invert(k, a))
    return false;
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++)
      inverse[i][j] = a[i][k + j] / most[j];
  return true;
}

/* weight with: value at the row == sum of weight[i] * value at row i of the inverse, for every function of the set. */
static void relate_design(const long double *at, const sc_exact_set *set, long double inverse[][SC_MODEL_TERMS],
                          double *weight)
{
  for (size_t i = 0; i < set->count; i++) {
    long double sum = 0;
    for (size_t j = 0; j < set->count; j++)
      sum += inverse[i][j] * at[set->column[j]];
    weight[i] = (double)sum;
  }
}

static size_t row_count(const sc_exact_design *design)
{
  return design->count < SC_EXACT_ROWS ? design->count : SC_EXACT_ROWS;
}

/* Which of the sizes relations are taken from: all, or SC_EXACT_ROWS of many. */
static unsigned design_sampled(const sc_exact_design *design, size_t i)
{
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): sc_exact_find wants two sizes */
  return (unsigned)(i * (design->count - 1) / (row_count(design) - 1));
}

static void add_relation(sc_exact_design *design, const sc_exact_set *set)
{
  const row *sample = (const row *)design->sample;
  sc_exact_relation *relation = &design->relations[design->relation_count];
  long double a[SC_EXACT_ROWS][SC_MODEL_TERMS], inverse[SC_MODEL_TERMS][SC_MODEL_TERMS];
  unsigned order[SC_EXACT_ROWS];
  size_t rows = row_count(design);
  bool usable = set->count + set->spare <= (int)rows;
  for (size_t i = 0; i < rows && usable; i++)
    for (size_t j = 0; j < set->count; j++) {
      a[i][j] = sample[i][set->column[j]];
      usable = usable && !isnan((double)a[i][j]);
    }
  if (!usable || !eliminate_design(a, rows, set->count, order) || !invert_design(sample, set, order, inverse))
    return;
  relation->set = *set;
  relation->row_count = (unsigned)rows;
  for (size_t i = 0; i < rows; i++) {
    relation->rows[i] = design_sampled(design, order[i]);
    if (i >= set->count)
      relate_design(sample[order[i]], set, inverse, relation->weight[i - set->count]);
  }
  design->relation_count++;
}

static void set_row(double n, long double *at)
{
  for (size_t c = 0; c < SC_EXACT_COLUMNS; c++) {
    sc_term term = sc_exact_column(c);
    sc_wide value;
    at[c] = sc_exact_basis(&term, n, &value) ? (long double)value : (long double)NAN;
  }
}

static int add_windows(sc_exact_design *design)
{
  row *v;
  SC_TRY(SC_NEW(v, design->count));
  for (size_t i = 0; i < design->count; i++)
    set_row(design->n[i], v[i]);
  for (size_t p = 0; p < SC_EXACT_PIECES; p++) {
    const sc_exact_set *set = &sc_exact_piece_sets[p];
    for (size_t i = 0; i < design->count; i++) {
      double *weight = design->windows + (p * design->count + i) * SC_EXACT_PIECE_TERMS;
      unsigned rows[SC_EXACT_PIECE_TERMS] = {(unsigned)i, (unsigned)i + 1, (unsigned)i + 2};
      long double inverse[SC_MODEL_TERMS][SC_MODEL_TERMS];
      if (i + set->count < design->count && invert_design((const row *)v, set, rows, inverse))
        relate_design(v[i + set->count], set, inverse, weight);
      else
        weight[0] = NAN;
    }
  }
  free(v);
  return 0;
}

/* A function that is proportional to n (or n^2) at all sizes says nothing that this does not say. */
static bool design_proportional(const sc_exact_design *design, size_t column, size_t line)
{
  const row *v = (const row *)design->sample;
  for (size_t i = 1; i < row_count(design); i++)
    if (v[i][column] * v[0][line] != v[0][column] * v[i][line])
      return false;
  return true;
}

static void hide_lines(sc_exact_design *design)
{
  row *v = (row *)design->sample;
  for (size_t c = SC_EXACT_FIRST_SHAPE; c < SC_EXACT_COLUMNS; c++) {
    double e = sc_exact_column(c).exponent;
    if ((e == 1 && design_proportional(design, c, SC_EXACT_LINE)) ||
        (e == 2 && design_proportional(design, c, SC_EXACT_SQUARE)))
      for (size_t i = 0; i < row_count(design); i++)
        v[i][c] = (long double)NAN;
  }
}

static int make_design(const sc_exact_designs *d, const sc_points *points, sc_exact_design *design)
{
  design->n = sc_mem_new(points->count, sizeof *design->n);
  design->relations = sc_mem_new(d->polynomials, sizeof *design->relations);
  design->sample = sc_mem_new(SC_EXACT_ROWS, sizeof(row));
  if (!design->n || !design->relations || !design->sample)
    return SC_E_NOMEM;
  memcpy(design->n, points->n, points->count * sizeof *design->n);
  design->count = points->count;
  for (size_t i = 0; i < row_count(design); i++)
    set_row(design->n[design_sampled(design, i)], ((row *)design->sample)[i]);
  design->doubling = design_proportional(design, SC_EXACT_POWER, SC_EXACT_LINE);
  for (size_t s = 0; s < d->polynomials; s++)
    add_relation(design, &d->sets[s]);
  design->polynomials = design->relation_count;
  return 0;
}

int sc_exact_designs_complete(sc_exact_designs *designs, sc_exact_design *design)
{
  if (design->complete)
    return 0;
  sc_exact_relation *relations = realloc(design->relations, designs->set_count * sizeof *relations);
  if (relations)
    design->relations = relations;
  design->windows = sc_mem_new(design->count * SC_EXACT_PIECES * SC_EXACT_PIECE_TERMS, sizeof *design->windows);
  if (!relations || !design->windows || add_windows(design) < 0) {
    clear_design(design);
    return sc_err_set(SC_E_NOMEM, "out of memory");
  }
  hide_lines(design);
  for (size_t s = designs->polynomials; s < designs->set_count; s++)
    add_relation(design, &designs->sets[s]);
  design->complete = true;
  return 0;
}

int sc_exact_designs_get(sc_exact_designs *designs, const sc_points *points, sc_exact_design **design)
{
  for (size_t i = 0; i < CACHED; i++) {
    sc_exact_design *made = &designs->made[i];
    if (made->count == points->count && memcmp(made->n, points->n, points->count * sizeof *points->n) == 0) {
      *design = made;
      return 0;
    }
  }
  sc_exact_design *made = &designs->made[designs->next];
  clear_design(made);
  int err = make_design(designs, points, made);
  if (err < 0)
    clear_design(made);
  else
    designs->next = (designs->next + 1) % CACHED;
  *design = err < 0 ? NULL : made;
  return err;
}
