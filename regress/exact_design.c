/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact_design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Functions that counting loops make; docs/models.md has the reasons. Floors of small blocks (every second, every third
 * item) come last: FIRST_BLOCK + 2 * (items - 2), then the same times n. */
enum {
  ONE,
  LINE,
  SQUARE,
  CUBE,
  FOURTH,
  LOG,
  N_LOG,
  POWER,
  LOG_DOWN,
  N_LOG_DOWN,
  POWER_DOWN,
  ROOT,
  N_ROOT,
  LOG2,
  N_LOG2,
  N_POWER,
  SQUARE_LOG,
  FIRST_BLOCK,
  LEAST_BLOCK = 2,
  MOST_BLOCK = 8,
  THIRDS = FIRST_BLOCK + 2 * (MOST_BLOCK - LEAST_BLOCK + 1),
  COLUMNS,
  SETS = 400,
  ROWS = 12,
  CACHED = 8
};

static const sc_term columns[FIRST_BLOCK] = {
    [ONE] = {.exponent = 0},
    [LINE] = {.exponent = 1},
    [SQUARE] = {.exponent = 2},
    [CUBE] = {.exponent = 3},
    [FOURTH] = {.exponent = 4},
    [LOG] = {.log_exponent = 1, .shape = SC_SHAPE_CEIL_LOG},
    [N_LOG] = {.exponent = 1, .log_exponent = 1, .shape = SC_SHAPE_CEIL_LOG},
    [POWER] = {.exponent = 1, .shape = SC_SHAPE_CEIL_POWER},
    [LOG_DOWN] = {.log_exponent = 1, .shape = SC_SHAPE_FLOOR_LOG},
    [N_LOG_DOWN] = {.exponent = 1, .log_exponent = 1, .shape = SC_SHAPE_FLOOR_LOG},
    [POWER_DOWN] = {.exponent = 1, .shape = SC_SHAPE_FLOOR_POWER},
    [ROOT] = {.exponent = 0.5, .shape = SC_SHAPE_FLOOR_ROOT},
    [N_ROOT] = {.exponent = 1.5, .shape = SC_SHAPE_FLOOR_ROOT},
    [LOG2] = {.log_exponent = 2, .shape = SC_SHAPE_CEIL_LOG},
    [N_LOG2] = {.exponent = 1, .log_exponent = 2, .shape = SC_SHAPE_CEIL_LOG},
    [N_POWER] = {.exponent = 2, .shape = SC_SHAPE_CEIL_POWER},
    [SQUARE_LOG] = {.exponent = 2, .log_exponent = 1, .shape = SC_SHAPE_CEIL_LOG},
};

const sc_exact_set sc_exact_piece_sets[SC_EXACT_PIECES] = {
    {1, {ONE}},         {1, {LINE}},        {1, {SQUARE}},     {1, {CUBE}},
    {1, {LOG}},         {1, {N_LOG}},       {2, {LINE, ONE}},  {2, {SQUARE, LINE}},
    {2, {SQUARE, ONE}}, {2, {N_LOG, LINE}}, {2, {N_LOG, ONE}}, {3, {SQUARE, LINE, ONE}}};

sc_term sc_exact_column(size_t column)
{
  if (column < FIRST_BLOCK)
    return columns[column];
  if (column == THIRDS) /* with its floor: any function of n mod 3 */
    return (sc_term){.exponent = 1, .scale = 3, .shape = SC_SHAPE_CEIL_BLOCK};
  size_t at = column - FIRST_BLOCK;
  return (sc_term){
      .exponent = 1 + (double)(at % 2), .scale = LEAST_BLOCK + (double)(at / 2), .shape = SC_SHAPE_FLOOR_BLOCK};
}

struct sc_exact_designs {
  sc_exact_set sets[SETS];
  size_t set_count, next;
  sc_exact_design made[CACHED];
};

/* All subsets of the family with `least` to `most` members of which one is in `needed` (a mask of the family). */
static void add_subsets(sc_exact_designs *d, const unsigned char *family, unsigned size, unsigned needed, int most)
{
  for (unsigned mask = 1; mask < 1u << size; mask++) {
    int count = __builtin_popcount(mask);
    if (count > most || !(mask & needed) || d->set_count == SETS)
      continue;
    sc_exact_set *set = &d->sets[d->set_count++];
    *set = (sc_exact_set){0};
    for (unsigned i = 0; i < size; i++)
      if (mask >> i & 1)
        set->column[set->count++] = family[i];
    set->spare = set->column[0] >= FIRST_BLOCK && count > 2 ? 2 : 1;
  }
}

static int by_count(const void *left, const void *right)
{
  const sc_exact_set *a = left, *b = right;
  return a->count != b->count ? a->count - b->count : memcmp(a->column, b->column, sizeof a->column);
}

int sc_exact_designs_new(sc_exact_designs **designs)
{
  sc_exact_designs *d = sc_mem_new(1, sizeof *d);
  *designs = d;
  if (!d)
    return SC_E_NOMEM;
  add_subsets(d, (const unsigned char[]){FOURTH, CUBE, SQUARE, LINE, ONE}, 5, 31, 4);
  add_subsets(d, (const unsigned char[]){N_LOG, POWER, LOG, SQUARE, LINE, ONE}, 6, 7, 4);
  add_subsets(d, (const unsigned char[]){N_LOG_DOWN, POWER_DOWN, LOG_DOWN, SQUARE, LINE, ONE}, 6, 7, 4);
  add_subsets(d, (const unsigned char[]){N_ROOT, ROOT, SQUARE, LINE, ONE}, 5, 3, 3);
  add_subsets(d, (const unsigned char[]){N_LOG2, N_LOG, LINE, ONE}, 4, 1, 4);
  add_subsets(d, (const unsigned char[]){LOG2, LOG, ONE}, 3, 1, 3);
  add_subsets(d, (const unsigned char[]){N_POWER, SQUARE, LINE, ONE}, 4, 1, 3);
  add_subsets(d, (const unsigned char[]){SQUARE_LOG, SQUARE, N_LOG, LINE}, 4, 1, 3);
  for (unsigned char c = FIRST_BLOCK; c < THIRDS; c += 2)
    add_subsets(d, (const unsigned char[]){(unsigned char)(c + 1), c, SQUARE, LINE, ONE}, 5, 3, 4);
  add_subsets(d, (const unsigned char[]){THIRDS, FIRST_BLOCK + 2, SQUARE, LINE, ONE}, 5, 1, 4);
  qsort(d->sets, d->set_count, sizeof *d->sets, by_count);
  return 0;
}

static void clear(sc_exact_design *design)
{
  free(design->n);
  free(design->relations);
  free(design->windows);
  *design = (sc_exact_design){0};
}

void sc_exact_designs_free(sc_exact_designs *designs)
{
  for (size_t i = 0; designs && i < CACHED; i++)
    clear(&designs->made[i]);
  free(designs);
}

/*
 * Eliminates in a[rows][count], columns in turn; order[] receives the pivot rows, then the row to be told by them: of
 * the others the last. Rows whose place in the order is given (`fixed`) stay. False where the functions do not differ.
 */
static bool eliminate(long double a[][SC_MODEL_TERMS], size_t rows, size_t count, bool fixed, unsigned *order)
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
    for (size_t i = c + 1; i < (fixed ? count : rows); i++)
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

/* weight with: value at rows[count] = sum of weight[i] * value at rows[i], for every function of the set. */
static bool relate(long double v[][COLUMNS], const sc_exact_set *set, const unsigned *rows, double *weight)
{
  long double a[SC_MODEL_TERMS][SC_MODEL_TERMS + 1];
  size_t k = set->count;
  for (size_t j = 0; j < k; j++) { /* one equation per function */
    long double most = 0;
    for (size_t i = 0; i <= k; i++)
      most = fmaxl(most, a[j][i] = v[rows[i]][set->column[j]]);
    for (size_t i = 0; i <= k; i++)
      a[j][i] /= most;
  }
  for (size_t c = 0; c < k; c++) {
    size_t pivot = c;
    for (size_t i = c + 1; i < k; i++)
      if (fabsl(a[i][c]) > fabsl(a[pivot][c]))
        pivot = i;
    if (fabsl(a[pivot][c]) < 1e-17L)
      return false;
    for (size_t j = 0; pivot != c && j <= k; j++) {
      long double swap = a[c][j];
      a[c][j] = a[pivot][j];
      a[pivot][j] = swap;
    }
    for (size_t i = 0; i < k; i++) {
      long double factor = a[i][c] / a[c][c];
      for (size_t j = c; i != c && j <= k; j++)
        a[i][j] -= factor * a[c][j];
    }
  }
  for (size_t c = 0; c < k; c++)
    weight[c] = (double)(a[c][k] / a[c][c]);
  return true;
}

/* Which of the sizes a relation is taken from: all, or ROWS of many. */
static unsigned sampled(size_t i, size_t rows, size_t count)
{
  return (unsigned)(rows == count ? i : i * (count - 1) / (rows - 1));
}

static void add_relations(const sc_exact_designs *d, sc_exact_design *design, long double v[][COLUMNS])
{
  size_t rows = design->count < ROWS ? design->count : ROWS;
  long double sample[ROWS][COLUMNS];
  for (size_t i = 0; i < rows; i++)
    memcpy(sample[i], v[sampled(i, rows, design->count)], sizeof *sample);
  for (size_t s = 0; s < d->set_count; s++) {
    const sc_exact_set *set = &d->sets[s];
    sc_exact_relation *relation = &design->relations[design->relation_count];
    long double a[ROWS][SC_MODEL_TERMS];
    unsigned order[ROWS];
    bool usable = set->count + set->spare <= (int)rows;
    for (size_t i = 0; i < rows && usable; i++)
      for (size_t j = 0; j < set->count; j++) {
        a[i][j] = sample[i][set->column[j]];
        usable = usable && !isnan((double)a[i][j]);
      }
    if (!usable || !eliminate(a, rows, set->count, false, order))
      continue;
    relation->set = *set;
    if (!relate(sample, set, order, relation->weight))
      continue;
    for (size_t i = 0; i <= set->count; i++)
      relation->rows[i] = sampled(order[i], rows, design->count);
    design->relation_count++;
  }
}

static void add_windows(sc_exact_design *design, long double v[][COLUMNS])
{
  for (size_t p = 0; p < SC_EXACT_PIECES; p++) {
    const sc_exact_set *set = &sc_exact_piece_sets[p];
    for (size_t i = 0; i < design->count; i++) {
      double *weight = design->windows + (p * design->count + i) * SC_EXACT_PIECE_TERMS;
      unsigned rows[SC_MODEL_TERMS] = {(unsigned)i, (unsigned)i + 1, (unsigned)i + 2, (unsigned)i + 3};
      long double a[SC_MODEL_TERMS][SC_MODEL_TERMS];
      unsigned order[SC_MODEL_TERMS];
      bool usable = i + set->count < design->count;
      for (size_t r = 0; r < set->count && usable; r++)
        for (size_t j = 0; j < set->count; j++)
          a[r][j] = v[i + r][set->column[j]];
      if (!usable || !eliminate(a, set->count, set->count, true, order) || !relate(v, set, rows, weight))
        weight[0] = NAN;
    }
  }
}

/* A column that is proportional to n at all sizes says nothing that n does not say. */
static bool as_line(long double v[][COLUMNS], size_t count, size_t column, size_t line)
{
  for (size_t i = 1; i < count; i++)
    if (v[i][column] * v[0][line] != v[0][column] * v[i][line])
      return false;
  return true;
}

static void hide_column(long double v[][COLUMNS], size_t count, size_t column)
{
  for (size_t i = 0; i < count; i++)
    v[i][column] = NAN;
}

static void hide_lines(sc_exact_design *design, long double v[][COLUMNS])
{
  design->doubling = as_line(v, design->count, POWER, LINE);
  for (size_t c = LOG; c < COLUMNS; c++) {
    double e = sc_exact_column(c).exponent;
    if (e == 1 || e == 2)
      if (as_line(v, design->count, c, e == 1 ? LINE : SQUARE))
        hide_column(v, design->count, c);
  }
}

static int make(const sc_exact_designs *d, const sc_points *points, sc_exact_design *design)
{
  size_t count = points->count;
  long double(*v)[COLUMNS] = sc_mem_new(count, sizeof *v);
  int err = 0;
  design->n = sc_mem_new(count, sizeof *design->n);
  design->relations = sc_mem_new(d->set_count, sizeof *design->relations);
  design->windows = sc_mem_new(count * SC_EXACT_PIECES * SC_EXACT_PIECE_TERMS, sizeof *design->windows);
  if (!v || !design->n || !design->relations || !design->windows) {
    err = SC_E_NOMEM;
    goto out;
  }
  memcpy(design->n, points->n, count * sizeof *design->n);
  design->count = count;
  for (size_t i = 0; i < count; i++)
    for (size_t c = 0; c < COLUMNS; c++) {
      sc_term term = sc_exact_column(c);
      sc_wide value;
      v[i][c] = sc_exact_basis(&term, points->n[i], &value) ? (long double)value : (long double)NAN;
    }
  hide_lines(design, v);
  add_relations(d, design, v);
  add_windows(design, v);
out:
  free(v);
  return err;
}

int sc_exact_designs_get(sc_exact_designs *designs, const sc_points *points, const sc_exact_design **design)
{
  for (size_t i = 0; i < CACHED; i++) {
    sc_exact_design *made = &designs->made[i];
    if (made->count == points->count && memcmp(made->n, points->n, points->count * sizeof *points->n) == 0) {
      *design = made;
      return 0;
    }
  }
  sc_exact_design *made = &designs->made[designs->next];
  clear(made);
  int err = make(designs, points, made);
  if (err < 0)
    clear(made);
  else
    designs->next = (designs->next + 1) % CACHED;
  *design = err < 0 ? NULL : made;
  return err;
}
