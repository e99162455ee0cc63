/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/sets.h"

#include <stdlib.h>
#include <string.h>

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
};

_Static_assert((int)LINE == SC_EXACT_LINE && (int)SQUARE == SC_EXACT_SQUARE && (int)LOG == SC_EXACT_FIRST_SHAPE &&
                   (int)POWER == SC_EXACT_POWER && THIRDS + 1 == SC_EXACT_COLUMNS,
               "the names for others are these");

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

typedef struct list {
  sc_exact_set *sets;
  size_t count;
} list;

/* All subsets of the family with `least` to `most` members, one of them in `needed` (a mask of the family). */
static void add_subsets(list *d, const unsigned char *family, unsigned size, unsigned needed, int most)
{
  for (unsigned mask = 1; mask < 1u << size; mask++) {
    int count = __builtin_popcount(mask);
    if (count > most || !(mask & needed) || d->count == SC_EXACT_SETS)
      continue;
    sc_exact_set *set = &d->sets[d->count++];
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

size_t sc_exact_list_sets(sc_exact_set *sets, size_t *polynomials)
{
  list made = {sets, 0}, *d = &made;
  add_subsets(d, (const unsigned char[]){FOURTH, CUBE, SQUARE, LINE, ONE}, 5, 31, 4);
  qsort(sets, made.count, sizeof *sets, by_count);
  *polynomials = made.count;
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
  qsort(sets + *polynomials, made.count - *polynomials, sizeof *sets, by_count);
  return made.count;
}
