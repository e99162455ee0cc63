/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps from an analysis to findings about resources. */
#include "transitions/resources/resources.h"

#include <math.h>

#include "transitions/resources/finish.h"
#include "transitions/resources/inner_locks.h"
#include "transitions/resources/pools.h"
#include "transitions/resources/predict.h"
#include "transitions/resources/prepare.h"
#include "transitions/resources/processors.h"
#include "transitions/resources/rules/rules.h"
#include "transitions/resources/scalability.h"
#include "transitions/resources/series.h"

/* In the order of what needs what: pools turn conditions into cells with holds before anything is judged by a queue,
 * inner locks need the demand of both locks, and findings are folded in the order of their rank. */
int sc_resources_new(const sc_analysis *analysis, const sc_resource_options *options, sc_resources **resources)
{
  sc_resources *r;
  *resources = NULL;
  int err = sc_resources_prepare(analysis, options, &r);
  SC_GOTO(err);
  SC_GOTO(sc_resource_cells_gather(r));
  SC_GOTO(sc_rpools_find(r));
  SC_GOTO(sc_rprocessors_find(r, r));
  SC_GOTO(sc_inner_locks_find(r));
  SC_GOTO(sc_rules_judge(r));
  SC_GOTO(sc_findings_rank(r));
  SC_GOTO(sc_findings_fold(r));
  SC_GOTO(sc_scalability_find(r));
  *resources = r;
  r = NULL;
out:
  sc_resources_free(r);
  return err;
}

size_t sc_resources_size_count(const sc_resources *r) { return r->size_count; }

double sc_resources_size(const sc_resources *r, size_t i) { return r->sizes[i]; }

const sc_resource_series *sc_resources_series(const sc_resources *r, uint32_t resource, uint32_t context,
                                              enum sc_resource_metric metric)
{
  const sc_rseries *series = NULL;
  const sc_resource_cell *cell = sc_resource_cells_find(r, resource, context);
  if (!cell || (unsigned)metric >= SC_RMETRIC_COUNT || sc_rseries_get(r, cell, metric, &series) < 0 || !series)
    return NULL;
  return &series->shown;
}

int sc_resources_basis(const sc_resources *r, uint32_t resource, enum sc_resource_metric metric, const sc_model **model,
                       sc_resource_correction *correction)
{
  const sc_resource_cell *cell = sc_resource_cells_find(r, resource, SC_USAGE_NONE);
  if (!cell || (unsigned)metric >= SC_RMETRIC_COUNT)
    return sc_err_set(SC_E_INPUT, "there is no resource %u, or no metric %d of it", resource, (int)metric);
  return sc_resources_basis_of(r, cell, metric, model, correction);
}

int sc_resources_predict(const sc_resources *r, uint32_t resource, enum sc_resource_metric metric, double n,
                         sc_interval *out)
{
  bool derived;
  const sc_resource_cell *cell = sc_resource_cells_find(r, resource, SC_USAGE_NONE);
  *out = (sc_interval){0};
  if (!cell || (unsigned)metric >= SC_RMETRIC_COUNT)
    return sc_err_set(SC_E_INPUT, "there is no resource %u, or no metric %d of it", resource, (int)metric);
  if (!(n > 0) || !isfinite(n))
    return sc_err_set(SC_E_INPUT, "the size to predict is %g, not a positive number", n);
  return sc_resources_predict_cell(r, cell, metric, n, out, &derived);
}

const sc_resource_finding *sc_resources_findings(const sc_resources *r, size_t *count)
{
  *count = r->finding_count;
  return r->findings;
}

const sc_scalability *sc_resources_scalability(const sc_resources *r) { return &r->scalability; }
