/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings of growth along a further parameter, among those of the focused one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/findings/judging.h"

/* Largest share of the total at a target: what findings of several parameters, each predicted where its own has its
 * target, are ranked by. */
static double most_share(const sc_finding *f, size_t targets)
{
  double share = 0;
  for (size_t i = 0; i < targets + !targets; i++)
    share = fmax(share, f->predictions[i].share);
  return share;
}

/* Takes the finding over: in front of the first one that is linear, or takes less. */
static int insert(const sc_analysis *there, sc_finding *finding, sc_findings *to)
{
  size_t capacity = 0, targets = there->options.target_count, at = 0;
  sc_finding *list = NULL;
  SC_TRY(sc_judging_predict_there(there, finding));
  double share = most_share(finding, targets);
  while (at < to->count && !to->list[at].linear && most_share(&to->list[at], targets) >= share)
    at++;
  SC_TRY(sc_mem_grow(&list, &capacity, to->count + 1, sizeof *list));
  memcpy(list, to->list, at * sizeof *list);
  list[at] = *finding;
  memcpy(list + at + 1, to->list + at, (to->count - at) * sizeof *list);
  free(to->list);
  to->list = list;
  to->count++;
  *finding = (sc_finding){0};
  return 0;
}

/* Behind the superlinear ones. */
static int insert_negligible(const sc_analysis *there, sc_finding *finding, sc_findings *to)
{
  size_t capacity = 0, at = 0;
  sc_finding *list = NULL;
  SC_TRY(sc_judging_predict_there(there, finding));
  while (at < to->suppressed && to->negligible[at].superlinear)
    at++;
  SC_TRY(sc_mem_grow(&list, &capacity, to->suppressed + 1, sizeof *list));
  memcpy(list, to->negligible, at * sizeof *list);
  list[at] = *finding;
  memcpy(list + at + 1, to->negligible + at, (to->suppressed - at) * sizeof *list);
  free(to->negligible);
  to->negligible = list;
  to->suppressed++;
  *finding = (sc_finding){0};
  return 0;
}

/* The costliest first. */
static int insert_undecided(sc_undecided *undecided, sc_findings *to)
{
  size_t capacity = 0, at = 0;
  sc_undecided *list = NULL;
  while (at < to->undecided_count && to->undecided[at].share >= undecided->share)
    at++;
  SC_TRY(sc_mem_grow(&list, &capacity, to->undecided_count + 1, sizeof *list));
  memcpy(list, to->undecided, at * sizeof *list);
  list[at] = *undecided;
  memcpy(list + at + 1, to->undecided + at, (to->undecided_count - at) * sizeof *list);
  free(to->undecided);
  to->undecided = list;
  to->undecided_count++;
  undecided->reason = NULL;
  undecided->spread = NULL;
  return 0;
}

int sc_findings_add_along(const sc_analysis *there, const sc_analysis *along, sc_findings *findings)
{
  sc_findings own;
  int err;
  SC_GOTO(sc_findings_infer(along, &own));
  for (size_t i = 0; i < own.count; i++) {
    own.list[i].along = along;
    if (own.list[i].superlinear)
      SC_GOTO(insert(there, &own.list[i], findings));
  }
  for (size_t i = 0; i < own.suppressed; i++) {
    own.negligible[i].along = along;
    if (own.negligible[i].superlinear)
      SC_GOTO(insert_negligible(there, &own.negligible[i], findings));
  }
  for (size_t i = 0; i < own.undecided_count; i++) {
    own.undecided[i].along = along;
    SC_GOTO(insert_undecided(&own.undecided[i], findings));
  }
out:
  sc_findings_free(&own);
  return err;
}
