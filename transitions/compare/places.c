/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locations by name, then renamed ones by what calls them, what they call, where they stand and how often they run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "base/path.h"
#include "transitions/compare/internal.h"
#include "transitions/model/tuning.h"

/* Of loops (those whose function is not above them) the place belongs to the name. */
static int compare_paired_names(const sc_location *a, const sc_location *b)
{
  int order = a->kind != b->kind ? (int)a->kind - (int)b->kind : strcmp(a->name, b->name);
  if (order || a->kind != SC_LOCATION_LOOP)
    return order;
  return SC_COMPARE(a->line, b->line) ?: SC_COMPARE(a->column, b->column) ?: SC_COMPARE(a->nth, b->nth);
}

static int compare_paired_places(const void *a, const void *b, void *user)
{
  const sc_side *s = user;
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return compare_paired_names(s->places[x].at, s->places[y].at) ?: SC_COMPARE(x, y);
}

static int sorted_places(const sc_side *s, uint32_t **list, size_t *count)
{
  *count = 0;
  SC_TRY(SC_NEW(*list, s->place_count + 1));
  for (uint32_t l = 0; l < s->place_count; l++)
    if (s->places[l].at && s->places[l].function == SC_NONE)
      (*list)[(*count)++] = l;
  qsort_r(*list, *count, sizeof **list, compare_paired_places, (void *)s);
  return 0;
}

static void pair_places(sc_compared *c, uint32_t base, uint32_t head)
{
  c->base.places[base].mate = head;
  c->head.places[head].mate = base;
}

static bool same_file(const sc_place *a, const sc_place *b, int pass)
{
  if (pass == 0)
    return strcmp(a->file, b->file) == 0;
  return strcmp(sc_path_last(a->file), sc_path_last(b->file)) == 0;
}

/* Locations of one name: by file, then by the file's name, then what is left if there is one each. */
static void pair_group(sc_compared *c, const uint32_t *base, size_t bases, const uint32_t *head, size_t heads)
{
  sc_place *b = c->base.places, *h = c->head.places;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < bases; i++)
      for (size_t k = 0; k < heads && b[base[i]].mate == SC_NONE; k++)
        if (h[head[k]].mate == SC_NONE && same_file(&b[base[i]], &h[head[k]], pass))
          pair_places(c, base[i], head[k]);
  size_t left[2] = {0, 0}, last[2] = {0, 0};
  for (size_t i = 0; i < bases; i++)
    if (b[base[i]].mate == SC_NONE)
      left[0]++, last[0] = i;
  for (size_t k = 0; k < heads; k++)
    if (h[head[k]].mate == SC_NONE)
      left[1]++, last[1] = k;
  if (left[0] == 1 && left[1] == 1)
    pair_places(c, base[last[0]], head[last[1]]);
}

static int pair_names(sc_compared *c)
{
  int err;
  uint32_t *base = NULL, *head = NULL;
  size_t bases, heads;
  SC_GOTO(sorted_places(&c->base, &base, &bases));
  SC_GOTO(sorted_places(&c->head, &head, &heads));
  for (size_t i = 0, k = 0; i < bases && k < heads;) {
    const sc_location *x = c->base.places[base[i]].at, *y = c->head.places[head[k]].at;
    int order = compare_paired_names(x, y);
    size_t more = 1, other = 1;
    while (i + more < bases && !compare_paired_names(x, c->base.places[base[i + more]].at))
      more++;
    while (k + other < heads && !compare_paired_names(y, c->head.places[head[k + other]].at))
      other++;
    if (order == 0)
      pair_group(c, base + i, more, head + k, other);
    i += order <= 0 ? more : 0;
    k += order >= 0 ? other : 0;
  }
out:
  free(base);
  free(head);
  return err;
}

typedef struct candidate {
  uint32_t place;
  double weight;
} candidate;

static int compare_candidates(const void *a, const void *b)
{
  const candidate *x = a, *y = b;
  return SC_COMPARE(y->weight, x->weight) ?: SC_COMPARE(x->place, y->place);
}

/* Locations of a kind without a counterpart, what matters most first. */
static int unpaired_places(const sc_side *s, enum sc_location_kind kind, candidate **list, size_t *count)
{
  *count = 0;
  SC_TRY(SC_NEW(*list, s->place_count + 1));
  for (uint32_t l = 0; l < s->place_count; l++) {
    const sc_place *p = &s->places[l];
    if (!p->at || p->at->kind != kind || p->mate != SC_NONE)
      continue;
    double weight = 0;
    for (uint32_t i = p->first; i; i = s->next[i])
      weight = fmax(weight, s->share[i]);
    (*list)[(*count)++] = (candidate){l, weight};
  }
  qsort(*list, *count, sizeof **list, compare_candidates);
  *count = *count < SC_PLACES_CANDIDATES ? *count : SC_PLACES_CANDIDATES;
  return 0;
}

typedef struct likely {
  uint32_t base, head;
  double points;
} likely;

static int compare_likely(const void *a, const void *b)
{
  const likely *x = a, *y = b;
  return SC_COMPARE(y->points, x->points) ?: SC_COMPARE(x->base, y->base) ?: SC_COMPARE(x->head, y->head);
}

static int pair_likely(sc_compared *c, const candidate *base, size_t bases, const candidate *head, size_t heads,
                       size_t *found)
{
  int err = 0;
  likely *list = NULL;
  size_t count = 0, capacity = 0;
  *found = 0;
  for (size_t i = 0; i < bases; i++)
    for (size_t k = 0; k < heads; k++) {
      double points = sc_likeness_functions(c, base[i].place, head[k].place);
      if (points < SC_LIKENESS_ENOUGH)
        continue;
      SC_GOTO(sc_mem_grow(&list, &capacity, count + 1, sizeof *list));
      list[count++] = (likely){base[i].place, head[k].place, points};
    }
  if (count)
    qsort(list, count, sizeof *list, compare_likely);
  for (size_t i = 0; i < count; i++)
    if (c->base.places[list[i].base].mate == SC_NONE && c->head.places[list[i].head].mate == SC_NONE) {
      pair_places(c, list[i].base, list[i].head);
      ++*found;
    }
out:
  free(list);
  return err;
}

static int pair_renamed(sc_compared *c, size_t *found)
{
  int err;
  candidate *base = NULL, *head = NULL;
  size_t bases, heads;
  SC_GOTO(unpaired_places(&c->base, SC_LOCATION_FUNCTION, &base, &bases));
  SC_GOTO(unpaired_places(&c->head, SC_LOCATION_FUNCTION, &head, &heads));
  err = pair_likely(c, base, bases, head, heads, found);
out:
  free(base);
  free(head);
  return err;
}

/* A program that was renamed. */
static int pair_processes(sc_compared *c)
{
  int err;
  candidate *base = NULL, *head = NULL;
  size_t bases, heads;
  SC_GOTO(unpaired_places(&c->base, SC_LOCATION_PROCESS, &base, &bases));
  SC_GOTO(unpaired_places(&c->head, SC_LOCATION_PROCESS, &head, &heads));
  if (bases == 1 && heads == 1)
    pair_places(c, base[0].place, head[0].place);
out:
  free(base);
  free(head);
  return err;
}

int sc_places_match(sc_compared *c)
{
  size_t found = 1;
  SC_TRY(pair_names(c));
  SC_TRY(pair_processes(c));
  for (int round = 0; found && round < SC_PLACES_ROUNDS; round++) /* callers of what was renamed may be so themselves */
    SC_TRY(pair_renamed(c, &found));
  return sc_loops_align(c);
}
