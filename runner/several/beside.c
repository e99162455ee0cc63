/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources that are healthy at the base and turn pathological along a further parameter, as findings of a judge. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "runner/several/internal.h"

/* Where one further parameter has a value and the others their bases: a place to leave. */
static int go_beside(const sc_several *s, size_t parameter, double value, sc_judge *place)
{
  double others[SC_RUN_OTHERS] = {0};
  sc_workload_base(s->judge->loaded.workload, others);
  others[parameter - 1] = value;
  SC_TRY(sc_several_place(s, others, place));
  int err = sc_several_move_resources(s, place);
  if (err < 0)
    sc_several_leave(place);
  return err;
}

/* What lies halfway between two values; 0: nothing that matters. Above 2^53 there is not a double for each whole
 * number. */
static double halve_beside(double low, double high, bool whole)
{
  double middle = floor((low + high) / 2);
  if (whole)
    return high - low > 1 && middle > low && middle < high ? middle : 0;
  return high > SC_SEVERAL_CLOSE * low ? (low > 0 ? sqrt(low * high) : (low + high) / 2) : 0;
}

static bool is_beside_whole(const sc_workload_other *other)
{
  bool whole = true;
  for (size_t i = 0; i < other->count; i++)
    whole = whole && other->values[i] == floor(other->values[i]);
  return whole;
}

/* What is found where the parameter has a value, and neither at the base nor at a nearer one. */
typedef struct found {
  sc_judge place;
  double *from; /* of each finding of the place, from where on it holds; 0: it does not count */
  double *low;  /* where it does not hold */
} found;

/* The value halfway for the first finding that is not narrowed yet; 0: all are. */
static double next_value(const found *f, size_t count, bool whole)
{
  double value = 0;
  for (size_t i = 0; i < count && value == 0; i++)
    value = f->from[i] > 0 ? halve_beside(f->low[i], f->from[i], whole) : 0;
  return value;
}

/* Places are as large as the program: one at a time, for all findings that it tells something about. */
static int narrow_beside(const sc_several *s, size_t parameter, const sc_resource_finding *list, size_t count, found *f)
{
  bool whole = is_beside_whole(&s->judge->loaded.workload->others[parameter - 1]);
  double value;
  while ((value = next_value(f, count, whole)) > 0) {
    sc_judge place;
    SC_TRY(go_beside(s, parameter, value, &place));
    for (size_t i = 0; i < count; i++)
      if (f->low[i] < value && value < f->from[i])
        *(sc_resources_have(place.resources, &list[i]) ? &f->from[i] : &f->low[i]) = value;
    sc_several_leave(&place);
  }
  return 0;
}

static int find_beside(const sc_several *s, const sc_judge *judge, size_t parameter, double at, const found *nearer,
                       found *f)
{
  size_t count;
  SC_TRY(go_beside(s, parameter, at, &f->place));
  const sc_resource_finding *list = sc_resources_findings(f->place.resources, &count);
  SC_TRY(SC_NEW(f->from, count + 1));
  SC_TRY(SC_NEW(f->low, count + 1));
  for (size_t i = 0; i < count; i++) {
    f->low[i] = judge->loaded.workload->others[parameter - 1].base;
    if (!sc_resource_uncertain(list[i].severity) && !sc_resources_have(judge->resources, &list[i]) &&
        !(nearer->place.resources && sc_resources_have(nearer->place.resources, &list[i])))
      f->from[i] = at;
  }
  return narrow_beside(s, parameter, list, count, f);
}

/* The place stays beside the judge if its findings do. */
static int join_beside(sc_judge *judge, found *f, enum sc_severity worst)
{
  size_t count = 0, i = 0;
  if (f->place.resources)
    (void)sc_resources_findings(f->place.resources, &count);
  while (i < count && !(f->from[i] > 0))
    i++;
  if (i == count)
    return 0;
  sc_judge *kept = sc_mem_new(1, sizeof *kept);
  if (!kept)
    return SC_E_NOMEM;
  *kept = f->place;
  f->place = (sc_judge){0};
  kept->beside = judge->beside;
  judge->beside = kept;
  return sc_resources_add_along(judge->resources, kept->resources, f->from, worst);
}

static void drop_beside(found *f)
{
  sc_several_leave(&f->place);
  free(f->from);
  free(f->low);
}

static int add_beside_parameter(const sc_several *s, sc_judge *judge, size_t parameter)
{
  found none = {.from = NULL}, near = none, far = none;
  int err;
  if (s->high[parameter] > judge->loaded.workload->others[parameter - 1].base)
    SC_GOTO(find_beside(s, judge, parameter, s->high[parameter], &none, &near));
  SC_GOTO(find_beside(s, judge, parameter, SC_SEVERAL_FAR * s->high[parameter], &near, &far));
  SC_GOTO(join_beside(judge, &near, SC_SEVERITY_ERROR));
  err = join_beside(judge, &far, SC_SEVERITY_WARNING);
out:
  drop_beside(&near);
  drop_beside(&far);
  return err;
}

int sc_several_add_resources(const sc_several *s, sc_judge *judge)
{
  if (!judge->resources || sc_analysis_get_options(judge->loaded.analysis)->fit.engine == SC_FIT_DELTA_INFER)
    return 0; /* the paper knows one parameter */
  for (size_t p = 1; p < s->parameters; p++)
    SC_TRY(add_beside_parameter(s, judge, p));
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
