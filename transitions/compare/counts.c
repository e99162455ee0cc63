/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of what is executed how often, told once for each source location. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/compare/internal.h"
#include "transitions/model/tuning.h"

typedef struct group {
  uint32_t *heads, *bases; /* [count] of one location, the worst first */
  size_t count;
  double share, base_share, impact;
} group;

typedef struct ordered {
  uint32_t head;
  double share;
} ordered;

static int compare_shares(const void *a, const void *b)
{
  const ordered *x = a, *y = b;
  return SC_COMPARE(y->share, x->share) ?: SC_COMPARE(x->head, y->head);
}

static double count_at_horizon(const sc_side *s, uint32_t context) { return s->own_work[context]; }

static double group_share(double part, double total) { return total > 0 ? fmin(1, part / total) : 0; }

/* The part of the whole that the change adds (takes away, of what got better), with all that is inside: more iterations
 * of something whose whole has become less are no harm. */
static double group_impact(const sc_compared *c, uint32_t head, enum sc_behaviour what)
{
  const sc_side *s = what == SC_BEHAVES_BETTER ? &c->base : &c->head;
  uint32_t context = what == SC_BEHAVES_BETTER ? c->head.mate[head] : head;
  return fmax(group_share(s->added_cost[context], s->total_cost), group_share(s->added_work[context], s->total_work));
}

/* The contexts of a location that behave so. */
static int gather_group(const sc_compared *c, const unsigned char *behaviours, uint32_t location,
                        enum sc_behaviour what, group *g)
{
  size_t room = c->head.places[location].count;
  ordered *list = sc_mem_new(room + 1, sizeof *list);
  *g = (group){.heads = sc_mem_new(room + 1, sizeof *g->heads), .bases = sc_mem_new(room + 1, sizeof *g->bases)};
  if (!list || !g->heads || !g->bases) {
    free(list);
    return SC_E_NOMEM;
  }
  for (uint32_t h = c->head.places[location].first; h; h = c->head.next[h])
    if (behaviours[h] == what)
      list[g->count++] = (ordered){h, fmax(c->head.share[h], c->base.share[c->head.mate[h]])};
  qsort(list, g->count, sizeof *list, compare_shares);
  for (size_t i = 0; i < g->count; i++) {
    uint32_t h = g->heads[i] = list[i].head, b = g->bases[i] = c->head.mate[h];
    g->share += c->head.share[h];
    g->base_share += c->base.share[b];
    g->impact += group_impact(c, h, what);
  }
  free(list);
  return 0;
}

static bool group_matters(const group *g, enum sc_behaviour what)
{
  switch (what) {
  case SC_BEHAVES_WORSE_ORDER:
    return g->share >= SC_COMPARE_SHARE;
  case SC_BEHAVES_UNKNOWN:
    return fmax(g->share, g->base_share) >= SC_COUNTS_UNKNOWN;
  default:
    return g->impact >= SC_COMPARE_SHARE;
  }
}

static enum sc_rule group_rule_of(enum sc_behaviour what)
{
  static const enum sc_rule rules[] = {[SC_BEHAVES_WORSE_ORDER] = SC_RULE_WORSE_ORDER,
                                       [SC_BEHAVES_WORSE] = SC_RULE_WORSE_COST,
                                       [SC_BEHAVES_BETTER] = SC_RULE_BETTER,
                                       [SC_BEHAVES_UNKNOWN] = SC_RULE_CHANGE_UNKNOWN};
  return rules[what];
}

static double group_share_of(const sc_compared *c, const group *g)
{
  double cost = 0, work = 0;
  for (size_t i = 0; i < g->count; i++) {
    cost += c->head.cost[g->heads[i]];
    work += c->head.work[g->heads[i]];
  }
  return c->head.total_cost > 0 ? group_share(cost, c->head.total_cost) : group_share(work, c->head.total_work);
}

static int add_behaviour(sc_compared *c, const unsigned char *behaviours, uint32_t location, enum sc_behaviour what)
{
  group g;
  int err = gather_group(c, behaviours, location, what, &g);
  if (err == 0 && g.count && group_matters(&g, what))
    err = sc_change_add(c, &(sc_change_draft){.rule = group_rule_of(what),
                                              .of = SC_CHANGE_OF_COUNT,
                                              .base = g.bases[0],
                                              .head = g.heads[0],
                                              .contexts = g.heads,
                                              .others = g.bases,
                                              .count = g.count,
                                              .share = group_share_of(c, &g)});
  free(g.heads);
  free(g.bases);
  return err;
}

/* What a location does in all its contexts together is what it did: it is only called from elsewhere. */
static bool same_in_all(const sc_compared *c, uint32_t location)
{
  double before = 0, after = 0;
  uint32_t mate = c->head.places[location].mate;
  if (mate == SC_NONE)
    return false;
  for (uint32_t h = c->head.places[location].first; h; h = c->head.next[h])
    after += count_at_horizon(&c->head, h);
  for (uint32_t b = c->base.places[mate].first; b; b = c->base.next[b])
    before += count_at_horizon(&c->base, b);
  return before > 0 && after > 0 && fabs(log(after / before)) <= SC_COUNTS_SAME;
}

int sc_counts_compare(sc_compared *c)
{
  int err = SC_E_NOMEM;
  unsigned char *behaviours = sc_mem_new(c->head.contexts, 1), *of_place = sc_mem_new(c->head.place_count, 1);
  if (!behaviours || !of_place)
    goto out;
  for (uint32_t h = 1; h < c->head.contexts; h++) {
    enum sc_behaviour what;
    if (c->head.mate[h] == SC_COMPARE_NONE)
      continue;
    SC_GOTO(sc_behaviour_judge(c, h, &what));
    behaviours[h] = (unsigned char)what;
    of_place[sc_graph_location_of(c->head.graph, h)] |= (unsigned char)(1 << what);
  }
  err = 0;
  for (uint32_t l = 0; l < c->head.place_count; l++) {
    if (of_place[l] <= 1 << SC_BEHAVES_SAME || same_in_all(c, l))
      continue;
    for (enum sc_behaviour what = SC_BEHAVES_WORSE_ORDER; what <= SC_BEHAVES_UNKNOWN; what++)
      if (of_place[l] & 1 << what)
        SC_GOTO(add_behaviour(c, behaviours, l, what));
  }
out:
  free(behaviours);
  free(of_place);
  return err;
}
