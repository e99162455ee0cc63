/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/compare/internal.h"

static int check_sides(const sc_compare_side *base, const sc_compare_side *head)
{
  const char *x = sc_analysis_get_options(base->analysis)->variable;
  const char *y = sc_analysis_get_options(head->analysis)->variable;
  if (strcmp(x, y) == 0)
    return 0;
  (void)sc_err_set(SC_E_MISMATCH, "the studies have different parameters: %s in the base, %s in the head", x, y);
  return sc_err_hint(SC_E_MISMATCH, "compare two studies of the same workload");
}

/* Every program has main, and many have the same libraries. */
static bool is_common(const sc_place *place)
{
  return strcmp(place->at->name, "main") == 0 || sc_location_is_library(place->at);
}

/* Counts a program's own functions, and those that have a counterpart of the same name. */
static size_t count_functions(const sc_side *s, const sc_side *other, size_t *matched)
{
  size_t count = 0;
  *matched = 0;
  for (uint32_t l = 0; l < s->place_count; l++)
    if (s->places[l].at && s->places[l].at->kind == SC_LOCATION_FUNCTION && !is_common(&s->places[l])) {
      count++;
      *matched +=
          s->places[l].mate != SC_NONE && strcmp(s->places[l].at->name, other->places[s->places[l].mate].at->name) == 0;
    }
  return count;
}

static bool same_process(const sc_compared *c)
{
  for (uint32_t l = 0; l < c->base.place_count; l++) {
    const sc_place *p = &c->base.places[l];
    if (p->at && p->at->kind == SC_LOCATION_PROCESS && p->mate != SC_NONE &&
        strcmp(p->at->name, c->head.places[p->mate].at->name) == 0)
      return true;
  }
  return false;
}

/* A program may be renamed, or written anew; both at once is another program. */
static int check_program(const sc_compared *c)
{
  size_t matched;
  if (same_process(c) || count_functions(&c->base, &c->head, &matched) < 2 ||
      count_functions(&c->head, &c->base, &matched) < 2 || matched)
    return 0;
  (void)sc_err_set(SC_E_MISMATCH, "the studies are of different programs: they have no function in common");
  return sc_err_hint(SC_E_MISMATCH, "compare two studies of the same program, before and after a change");
}

static int take_mates(sc_compared *c)
{
  c->out->base_of = c->head.mate;
  c->out->head_of = c->base.mate;
  c->head.mate = c->base.mate = NULL;
  return 0;
}

/* Times of one machine alone, and in the same unit. */
static bool comparable_costs(const sc_compare_side *base, const sc_compare_side *head)
{
  return base->machine && head->machine && strcmp(base->machine, head->machine) == 0 && base->plain == head->plain &&
         strcmp(sc_analysis_cost_unit(base->analysis), sc_analysis_cost_unit(head->analysis)) == 0;
}

static int judge_comparison(sc_compared *c)
{
  SC_TRY(sc_counts_compare(c));
  SC_TRY(sc_region_compare(c));
  SC_TRY(sc_small_compare(c));
  if (c->out->same_machine && c->base.a->sampled)
    SC_TRY(sc_each_compare(c));
  SC_TRY(sc_holdings_compare(c));
  return sc_change_rank(c->out);
}

int sc_compare(const sc_compare_side *base, const sc_compare_side *head, sc_comparison *out)
{
  int err;
  const sc_analysis_options *options = sc_analysis_get_options(head->analysis);
  double own = sc_analysis_horizon(head->analysis);
  double *targets = NULL;
  *out = (sc_comparison){0};
  sc_compared c = {.out = out, .horizon = own};
  SC_GOTO(check_sides(base, head));
  targets = sc_mem_new(options->target_count + 1, sizeof *targets);
  out->targets = targets;
  if (!targets) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (size_t i = 0; i < options->target_count; i++)
    targets[i] = options->targets[i];
  if (!options->target_count)
    targets[0] = own;
  out->target_count = c.target_count = options->target_count ? options->target_count : 1;
  c.targets = targets;
  out->same_machine = comparable_costs(base, head);
  SC_GOTO(sc_sides_open(&c, base, head));
  SC_GOTO(sc_places_match(&c));
  SC_GOTO(check_program(&c));
  SC_GOTO(sc_matching_run(&c));
  SC_GOTO(sc_sides_weigh_added(&c));
  SC_GOTO(sc_totals_compare(&c));
  SC_GOTO(judge_comparison(&c));
  err = take_mates(&c);
out:
  sc_sides_close(&c);
  return err;
}

void sc_comparison_free(sc_comparison *comparison)
{
  for (size_t i = 0; i < comparison->count; i++)
    sc_change_clear(&comparison->list[i]);
  free(comparison->list);
  free((void *)comparison->targets);
  free(comparison->totals);
  free(comparison->base_of);
  free(comparison->head_of);
  *comparison = (sc_comparison){0};
}
