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

/* What is found where the parameter has a value, and neither at the base nor at a nearer one. */
typedef struct found {
  sc_judge *place;
  double *from; /* of each finding, else 0 */
} found;

static int find(const sc_several *s, sc_judge *judge, size_t parameter, double at, const found *nearer, found *f)
{
  size_t count;
  SC_TRY(go(s, judge, parameter, at, &f->place));
  const sc_resource_finding *list = sc_resources_findings(f->place->resources, &count);
  SC_TRY(SC_NEW(f->from, count + 1));
  for (size_t i = 0; i < count; i++)
    if (list[i].severity > SC_SEVERITY_NOTE && !sc_resources_have(judge->resources, &list[i]) &&
        !(nearer->place && sc_resources_have(nearer->place->resources, &list[i])))
      SC_TRY(first_from(s, judge, parameter, at, &list[i], &f->from[i]));
  return 0;
}

static int add_parameter(const sc_several *s, sc_judge *judge, size_t parameter)
{
  found none = {0}, near = {0}, far = {0};
  int err;
  if (s->high[parameter] > judge->loaded.workload->others[parameter - 1].base)
    SC_GOTO(find(s, judge, parameter, s->high[parameter], &none, &near));
  SC_GOTO(find(s, judge, parameter, SC_SEVERAL_FAR * s->high[parameter], &near, &far));
  if (near.place)
    SC_GOTO(sc_resources_add_along(judge->resources, near.place->resources, near.from, SC_SEVERITY_ERROR));
  err = sc_resources_add_along(judge->resources, far.place->resources, far.from, SC_SEVERITY_WARNING);
out:
  free(near.from);
  free(far.from);
  return err;
}

int sc_several_add_resources(const sc_several *s, sc_judge *judge)
{
  if (!judge->resources || sc_analysis_get_options(judge->loaded.analysis)->fit.engine == SC_FIT_DELTA_INFER)
    return 0; /* the paper knows one parameter */
  for (size_t p = 1; p < s->parameters; p++)
    SC_TRY(add_parameter(s, judge, p));
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
