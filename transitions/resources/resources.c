/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps from an analysis to findings about resources. */
#include "transitions/resources/resources.h"

#include <math.h>

#include "transitions/resources/calibrate.h"
#include "transitions/resources/finish.h"
#include "transitions/resources/inner_locks.h"
#include "transitions/resources/pools.h"
#include "transitions/resources/predict.h"
#include "transitions/resources/prepare.h"
#include "transitions/resources/processors.h"
#include "transitions/resources/rules/rules.h"
#include "transitions/resources/scalability.h"
#include "transitions/resources/series.h"
#include "transitions/resources/sharing.h"

/* In the order of what needs what: pools turn conditions into cells with holds before anything is judged by a queue,
 * inner locks need the demand of both locks, calibrations need inner locks, and findings are folded in the order of
 * their rank. */
int sc_resources_new(const sc_analysis *analysis, const sc_resource_options *options, sc_resources **resources)
{
  sc_resources *r;
  *resources = NULL;
  int err = sc_resources_prepare(analysis, options, &r);
  SC_GOTO(err);
  SC_GOTO(sc_resource_cells_gather(r));
  SC_GOTO(sc_rpools_find(r));
  sc_rsharing_find(r);
  SC_GOTO(sc_rprocessors_find(r, r));
  SC_GOTO(sc_inner_locks_find(r));
  SC_GOTO(sc_calibrations_make(r));
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

const sc_resource_series *sc_resources_series_at(const sc_resources *r, const sc_resource_spot *spot,
                                                 enum sc_resource_metric metric)
{
  const sc_rseries *series = NULL;
  const sc_resource_cell *cell = sc_resource_cells_find(r, spot);
  if (!cell || (unsigned)metric >= SC_RMETRIC_COUNT || sc_rseries_get(r, cell, metric, &series) < 0 || !series)
    return NULL;
  return &series->shown;
}

const sc_resource_series *sc_resources_series(const sc_resources *r, uint32_t resource, uint32_t context,
                                              enum sc_resource_metric metric)
{
  const sc_resource_spot spot = {.resource = resource, .context = context};
  return sc_resources_series_at(r, &spot, metric);
}

bool sc_resources_spot(const sc_resources *r, size_t i, sc_resource_spot *spot)
{
  if (i >= r->cell_count - r->resource_count)
    return false;
  *spot = sc_resource_cell_spot(&r->cells[r->resource_count + i]);
  return true;
}

/* SC_E_INPUT without one, or without such a metric. */
static int find_spot(const sc_resources *r, const sc_resource_spot *spot, enum sc_resource_metric metric,
                     const sc_resource_cell **cell)
{
  *cell = sc_resource_cells_find(r, spot);
  if (*cell && (unsigned)metric < SC_RMETRIC_COUNT)
    return 0;
  return sc_err_set(SC_E_INPUT, "there is no resource %u%s, or no metric %d of it", spot->resource,
                    spot->context == SC_USAGE_NONE ? "" : " there", (int)metric);
}

int sc_resources_basis(const sc_resources *r, const sc_resource_spot *spot, enum sc_resource_metric metric,
                       const sc_model **model, sc_resource_correction *correction)
{
  const sc_resource_cell *cell;
  SC_TRY(find_spot(r, spot, metric, &cell));
  return sc_resources_basis_of(r, cell, metric, model, correction);
}

int sc_resources_predict_at(const sc_resources *r, const sc_resource_spot *spot, enum sc_resource_metric metric,
                            double n, sc_interval *out)
{
  bool derived;
  const sc_resource_cell *cell;
  *out = (sc_interval){0};
  SC_TRY(find_spot(r, spot, metric, &cell));
  if (!(n > 0) || !isfinite(n))
    return sc_err_set(SC_E_INPUT, "the size to predict is %g, not a positive number", n);
  return sc_resources_predict_cell(r, cell, metric, n, out, &derived);
}

int sc_resources_predict(const sc_resources *r, uint32_t resource, enum sc_resource_metric metric, double n,
                         sc_interval *out)
{
  const sc_resource_spot spot = sc_resources_whole(resource);
  return sc_resources_predict_at(r, &spot, metric, n, out);
}

const sc_resource_finding *sc_resources_findings(const sc_resources *r, size_t *count)
{
  *count = r->finding_count;
  return r->findings;
}

const sc_scalability *sc_resources_scalability(const sc_resources *r) { return &r->scalability; }
