/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of a function keep their order in the source: what aligns best as a whole belongs together. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/compare/internal.h"
#include "transitions/model/tuning.h"

/* Loops of one side, by function and then as they stand in the source. */
static int compare_loops(const void *a, const void *b, void *user)
{
  const sc_side *s = user;
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  const sc_place *p = &s->places[x], *q = &s->places[y];
  return SC_COMPARE(p->function, q->function) ?: SC_COMPARE(p->at->line, q->at->line) ?:
         SC_COMPARE(p->at->column, q->at->column) ?: SC_COMPARE(p->at->nth, q->at->nth);
}

typedef struct loops {
  uint32_t *list;
  size_t count;
} loops;

static int list_compare_loops(const sc_side *s, enum sc_location_kind kind, loops *l)
{
  SC_TRY(SC_NEW(l->list, s->place_count + 1));
  for (uint32_t i = 0; i < s->place_count; i++)
    if (s->places[i].at && s->places[i].at->kind == kind && s->places[i].function != SC_NONE)
      l->list[l->count++] = i;
  qsort_r(l->list, l->count, sizeof *l->list, compare_loops, (void *)s);
  return 0;
}

static loops of_function(const sc_side *s, const loops *all, uint32_t function)
{
  size_t low = 0, high = all->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->places[all->list[middle]].function < function)
      low = middle + 1;
    else
      high = middle;
  }
  size_t end = low;
  while (end < all->count && s->places[all->list[end]].function == function)
    end++;
  return (loops){all->list + low, end - low};
}

static void pair_loops(sc_compared *c, uint32_t base, uint32_t head)
{
  c->base.places[base].mate = head;
  c->head.places[head].mate = base;
}

/* Needleman and Wunsch: score[i][k] is the best of the first i and k loops. */
static int align_loops(sc_compared *c, const loops *b, const loops *h)
{
  int err = SC_E_NOMEM;
  size_t wide = h->count + 1;
  double *score = sc_mem_new((b->count + 1) * wide, sizeof *score), *each = sc_mem_new(b->count * wide, sizeof *each);
  if (!score || !each)
    goto out;
  for (size_t i = 1; i <= b->count; i++)
    for (size_t k = 1; k <= h->count; k++) {
      double both = each[(i - 1) * wide + k] = sc_likeness_loops(c, b->list[i - 1], h->list[k - 1]);
      double best = score[(i - 1) * wide + k - 1] + both;
      best = score[(i - 1) * wide + k] > best ? score[(i - 1) * wide + k] : best;
      score[i * wide + k] = score[i * wide + k - 1] > best ? score[i * wide + k - 1] : best;
    }
  for (size_t i = b->count, k = h->count; i && k;) {
    double here = score[i * wide + k];
    if (here == score[(i - 1) * wide + k])
      i--;
    else if (here == score[i * wide + k - 1])
      k--;
    else
      i--, k--, pair_loops(c, b->list[i], h->list[k]);
  }
  err = 0;
out:
  free(score);
  free(each);
  return err;
}

static void pair_same_place(sc_compared *c, const loops *b, const loops *h)
{
  for (size_t i = 0, k = 0; i < b->count && k < h->count;) {
    const sc_location *x = c->base.places[b->list[i]].at, *y = c->head.places[h->list[k]].at;
    int by = SC_COMPARE(x->line, y->line) ?: SC_COMPARE(x->column, y->column) ?: SC_COMPARE(x->nth, y->nth);
    if (by == 0 && (x->kind == SC_LOCATION_LOOP || strcmp(x->name, y->name) == 0))
      pair_loops(c, b->list[i], h->list[k]);
    i += by <= 0;
    k += by >= 0;
  }
}

static int align_all(sc_compared *c, enum sc_location_kind kind)
{
  int err = 0;
  loops base = {0}, head = {0};
  SC_GOTO(list_compare_loops(&c->base, kind, &base));
  SC_GOTO(list_compare_loops(&c->head, kind, &head));
  for (uint32_t f = 0; f < c->base.place_count; f++) {
    const sc_place *p = &c->base.places[f];
    if (!p->at || p->at->kind != SC_LOCATION_FUNCTION || p->mate == SC_NONE)
      continue;
    loops b = of_function(&c->base, &base, f), h = of_function(&c->head, &head, p->mate);
    if (!b.count || !h.count)
      continue;
    if (b.count > SC_LOOPS_MOST || h.count > SC_LOOPS_MOST)
      pair_same_place(c, &b, &h);
    else
      SC_GOTO(align_loops(c, &b, &h));
  }
out:
  free(base.list);
  free(head.list);
  return err;
}

/* Each kind in its own order: a call that was taken out of a loop's condition stands in front of the loop then. */
int sc_loops_align(sc_compared *c)
{
  SC_TRY(align_all(c, SC_LOCATION_LOOP));
  return align_all(c, SC_LOCATION_WORK);
}
