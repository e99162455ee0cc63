/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/types.h"

/*
 * Resources over the sizes of a study: series, models, what they become at the targets, and the pathologies that
 * follow (gigiprofiler 2.2 and 3.5.2, measured and predicted). docs/resources.md has every rule with its figures.
 */
/* Distinct sizes are those of the analysis's runs. The analysis must outlive the result. */
int sc_resources_new(const sc_analysis *analysis, const sc_resource_options *options,
                     sc_resources **resources) SC_CHECK;

/* What they did to resources, and the models of all parameters, each fitted when it is first asked for. Must not
 * outlive the runs, nor the analysis, whose scope counts. */
typedef struct sc_resources_everywhere sc_resources_everywhere;
/* Refers to the analysis and the runs. SC_E_NOMEM; freeing NULL does nothing. */
int sc_resources_everywhere_new(const sc_analysis *analysis, const sc_resources_runs *runs,
                                sc_resources_everywhere **everywhere) SC_CHECK;
void sc_resources_everywhere_free(sc_resources_everywhere *everywhere);
/* Resources where further parameters have the values `others` [parameters - 1], which `analysis` was moved to: metrics
 * by models of all parameters, and contention, which follows from them. Other pathologies are not judged there.
 * `everywhere` must outlive the result. */
int sc_resources_move(const sc_analysis *analysis, const sc_resource_options *options,
                      const sc_resources_everywhere *everywhere, const double *others,
                      sc_resources **resources) SC_CHECK;
bool sc_resources_moved(const sc_resources *resources);
/* Whether there is a warning or an error about the same as one of other resources of the study; what joined these from
 * elsewhere does not count. */
bool sc_resources_have(const sc_resources *resources, const sc_resource_finding *finding);
/* Findings of `there`, which were moved along a further parameter, join these: those with a value of it in from
 * [findings of `there`], from which on they hold; 0: stays. Errors become `worst` at most. `there` must outlive the
 * resources, and has its findings no more. */
int sc_resources_add_along(sc_resources *resources, sc_resources *there, const double *from,
                           enum sc_severity worst) SC_CHECK;
/* Whether series are of runs; else of models, at the base's sizes. */
bool sc_resources_measured(const sc_resources *resources);

size_t sc_resources_size_count(const sc_resources *resources); /* distinct measured sizes, and the i-th, ascending */
double sc_resources_size(const sc_resources *resources, size_t i);
/* The series of a resource (context SC_USAGE_NONE), or of a resource with a name of its own in a context; NULL if it
 * has none. */
const sc_resource_series *sc_resources_series(const sc_resources *resources, uint32_t resource, uint32_t context,
                                              enum sc_resource_metric metric);
/* A metric at a size: from its model, or, for utilisation and waits of locks, from hold and think time (operational
 * analysis: docs/resources.md). */
int sc_resources_predict(const sc_resources *resources, uint32_t resource, enum sc_resource_metric metric, double n,
                         sc_interval *out) SC_CHECK;
/* The same of a spot: everything that is done to the resource, or what calls in a context do to it. SC_E_INPUT where
 * nothing is. */
int sc_resources_predict_at(const sc_resources *resources, const sc_resource_spot *spot, enum sc_resource_metric metric,
                            double n, sc_interval *out) SC_CHECK;
const sc_resource_series *sc_resources_series_at(const sc_resources *resources, const sc_resource_spot *spot,
                                                 enum sc_resource_metric metric);
/* The i-th of the spots with a context, by resource, context, line and column; false beyond the last. */
bool sc_resources_spot(const sc_resources *resources, size_t i, sc_resource_spot *spot);
static inline sc_resource_spot sc_resources_whole(uint32_t resource)
{
  return (sc_resource_spot){.resource = resource, .context = SC_USAGE_NONE};
}
/* What predictions of a metric that the spot has rest on: *model is NULL if they are computed from others. */
int sc_resources_basis(const sc_resources *resources, const sc_resource_spot *spot, enum sc_resource_metric metric,
                       const sc_model **model, sc_resource_correction *correction) SC_CHECK;
/* Ranked, worst first. */
const sc_resource_finding *sc_resources_findings(const sc_resources *resources, size_t *count);
const sc_scalability *sc_resources_scalability(const sc_resources *resources);
