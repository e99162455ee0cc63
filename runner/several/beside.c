/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources that are healthy at the base and turn pathological along a further parameter, as findings of a judge. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/several/internal.h"

/* Where one further parameter has a value and the others their bases: a new one unless there is one already. */
static int go(const sc_several *s, sc_judge *judge, size_t parameter, double value, sc_judge **place)
{
  double others[SC_RUN_OTHERS] = {0};
  sc_workload_base(judge->loaded.workload, others);
  others[parameter - 1] = value;
  for (*place = judge->beside; *place; *place = (*place)->beside)
    if (memcmp((*place)->others, others, (s->parameters - 1) * sizeof *others) == 0)
      return 0;
  sc_judge *made = sc_mem_new(1, sizeof *made);
  if (!made)
    return SC_E_NOMEM;
  int err = sc_several_place(s, others, made);
  if (err < 0) {
    free(made);
    return err;
  }
  made->beside = judge->beside;
  *place = judge->beside = made;
  return sc_several_move_resources(s, made);
}

/* What lies halfway between two values; 0: nothing that matters. Above 2^53 there is not a double for each whole
 * number. */
static double halfway(double low, double high, bool whole)
{
  double middle = floor((low + high) / 2);
  if (whole)
    return high - low > 1 && middle > low && middle < high ? middle : 0;
  return high > SC_SEVERAL_CLOSE * low ? (low > 0 ? sqrt(low * high) : (low + high) / 2) : 0;
}

static bool is_whole(const sc_workload_other *other)
{
  bool whole = true;
  for (size_t i = 0; i < other->count; i++)
    whole = whole && other->values[i] == floor(other->values[i]);
  return whole;
}

/* From which value on it holds, that does not at the base and does at `at`. */
static int first_from(const sc_several *s, sc_judge *judge, size_t parameter, double at, const sc_resource_finding *f,
                      double *from)
{
  const sc_workload_other *other = &judge->loaded.workload->others[parameter - 1];
  bool whole = is_whole(other);
  double low = other->base, middle;
  *from = at;
  while ((middle = halfway(low, *from, whole)) > 0) {
    sc_judge *place;
    SC_TRY(go(s, judge, parameter, middle, &place));
    *(sc_resources_have(place->resources, f) ? from : &low) = middle;
  }
  return 0;
}

/* What is found where the parameter has that value, and not yet. */
static int add(const sc_several *s, sc_judge *judge, size_t parameter, double at, enum sc_severity worst)
{
  sc_judge *place;
  size_t count;
  double *from = NULL;
  int err;
  SC_GOTO(go(s, judge, parameter, at, &place));
  const sc_resource_finding *found = sc_resources_findings(place->resources, &count);
  from = sc_mem_new(count + 1, sizeof *from);
  if (!from) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (size_t i = 0; i < count; i++)
    if (found[i].severity > SC_SEVERITY_NOTE && !sc_resources_have(judge->resources, &found[i]))
      SC_GOTO(first_from(s, judge, parameter, at, &found[i], &from[i]));
  err = sc_resources_add_along(judge->resources, place->resources, from, worst);
out:
  free(from);
  return err;
}

int sc_several_add_resources(const sc_several *s, sc_judge *judge)
{
  if (!judge->resources || sc_analysis_get_options(judge->loaded.analysis)->fit.engine == SC_FIT_DELTA_INFER)
    return 0; /* the paper knows one parameter */
  for (size_t p = 1; p < s->parameters; p++) {
    if (s->high[p] > judge->loaded.workload->others[p - 1].base)
      SC_TRY(add(s, judge, p, s->high[p], SC_SEVERITY_ERROR));
    SC_TRY(add(s, judge, p, SC_SEVERAL_FAR * s->high[p], SC_SEVERITY_WARNING));
  }
  return 0;
}

void sc_several_leave_beside(sc_judge *judge)
{
  while (judge->beside) {
    sc_judge *place = judge->beside;
    judge->beside = place->beside;
    sc_several_leave(place);
    free(place);
  }
}
