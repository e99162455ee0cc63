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

/* A copy of list[count], which is freed, with room for one more at `at`; NULL and the list as it was without memory. */
static void *make_room(void *list, size_t count, size_t at, size_t size)
{
  char *wider = sc_mem_new(count + 1, size);
  if (!wider)
    return NULL;
  if (count) {
    memcpy(wider, list, at * size);
    memcpy(wider + (at + 1) * size, (char *)list + at * size, (count - at) * size);
  }
  free(list);
  return wider;
}

/* Takes the finding over, into list[count] at `at`. */
static int insert_along(sc_finding *finding, size_t at, sc_finding **list, size_t *count)
{
  sc_finding *wider = make_room(*list, *count, at, sizeof *wider);
  if (!wider)
    return SC_E_NOMEM;
  wider[at] = *finding;
  *list = wider;
  ++*count;
  *finding = (sc_finding){0};
  return 0;
}

/* In front of the first one that is linear, or takes less. */
static int insert_found(const sc_analysis *there, sc_finding *finding, sc_findings *to)
{
  size_t targets = there->options.target_count, at = 0;
  SC_TRY(sc_judging_predict_there(there, finding));
  double share = most_share(finding, targets);
  while (at < to->count && !to->list[at].linear && most_share(&to->list[at], targets) >= share)
    at++;
  return insert_along(finding, at, &to->list, &to->count);
}

/* Behind the superlinear ones. */
static int insert_negligible(const sc_analysis *there, sc_finding *finding, sc_findings *to)
{
  size_t at = 0;
  SC_TRY(sc_judging_predict_there(there, finding));
  while (at < to->suppressed && to->negligible[at].superlinear)
    at++;
  return insert_along(finding, at, &to->negligible, &to->suppressed);
}

/* The costliest first. */
static int insert_undecided(sc_undecided *undecided, sc_findings *to)
{
  size_t at = 0;
  while (at < to->undecided_count && to->undecided[at].share >= undecided->share)
    at++;
  sc_undecided *wider = make_room(to->undecided, to->undecided_count, at, sizeof *wider);
  if (!wider)
    return SC_E_NOMEM;
  wider[at] = *undecided;
  to->undecided = wider;
  to->undecided_count++;
  undecided->reason = NULL;
  undecided->spread = NULL;
  return 0;
}

/* Only superlinear growth is taken: along a number of threads, say, linear growth is what the user asked for. */
int sc_findings_add_along(const sc_analysis *there, const sc_analysis *along, sc_findings *findings)
{
  sc_findings own;
  int err;
  SC_GOTO(sc_findings_infer(along, &own));
  for (size_t i = 0; i < own.count; i++) {
    own.list[i].along = along;
    if (own.list[i].superlinear)
      SC_GOTO(insert_found(there, &own.list[i], findings));
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
