/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of an analysis's options, with defaults filled in. */
#include "transitions/model/options.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/tuning.h"

static int copy_targets(sc_analysis_options *own, const sc_analysis_options *given)
{
  if (!given->target_count)
    return 0;
  double *targets;
  SC_TRY(SC_NEW(targets, given->target_count));
  own->targets = targets;
  for (size_t i = 0; i < given->target_count; i++) {
    targets[i] = given->targets[i];
    if (!isfinite(targets[i]) || targets[i] <= 0)
      return sc_err_hint(sc_err_set(SC_E_INPUT, "target size %zu is %g, not a positive number", i + 1, targets[i]),
                         "Give sizes to predict as positive numbers.");
  }
  return 0;
}

/* root_count is how many were copied so far: after an error sc_options_clear frees as many. */
static int copy_roots(sc_analysis_options *own, const sc_analysis_options *given)
{
  if (!given->root_count)
    return 0;
  const char **roots;
  SC_TRY(SC_NEW(roots, given->root_count));
  own->roots = roots;
  for (size_t i = 0; i < given->root_count; i++, own->root_count++)
    if (!(roots[i] = sc_mem_copy_string(given->roots[i])))
      return SC_E_NOMEM;
  return 0;
}

/* A 0 in an option means its default, so that callers name only what they set. */
int sc_options_copy(sc_analysis_options *own, const sc_analysis_options *given)
{
  *own = *given;
  own->variable = NULL;
  own->targets = NULL;
  own->roots = NULL;
  own->root_count = 0;
  SC_TRY(copy_targets(own, given));
  SC_TRY(copy_roots(own, given));
  own->variable = sc_mem_copy_string(given->variable && *given->variable ? given->variable : "n");
  if (!own->variable)
    return SC_E_NOMEM;
  if (!(own->level > 0 && own->level < 1))
    own->level = SC_ANALYSIS_LEVEL;
  if (!(own->fit.r2_threshold > 0))
    own->fit.r2_threshold = SC_ANALYSIS_R2;
  if (own->negligible == 0)
    own->negligible = SC_ANALYSIS_NEGLIGIBLE;
  return 0;
}

void sc_options_clear(sc_analysis_options *own)
{
  for (size_t i = 0; i < own->root_count; i++)
    free((char *)own->roots[i]);
  free((void *)own->roots);
  free((void *)own->targets);
  free((void *)own->variable);
}
