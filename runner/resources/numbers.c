/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/numbers.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/sample.h"

/* The median at the largest size. */
static double numbers_measured(const sc_resource_series *series)
{
  enum { ROOM = 64 };
  double values[ROOM];
  sc_sample repeats = sc_sample_begin(values, ROOM);
  for (size_t i = series->count; i-- > 0 && series->sizes[i] == series->sizes[series->count - 1];)
    sc_sample_add(&repeats, series->values[i]);
  if (!repeats.count)
    return NAN;
  gsl_sort(values, 1, repeats.count);
  return (values[(repeats.count - 1) / 2] + values[repeats.count / 2]) / 2;
}

/* How long a file is open is no time anything is held from anybody. */
bool sc_resource_number_is_void(const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric)
{
  enum sc_resource_class kind = sc_usage_resource_at(judge->loaded.graph, resource)->resource_class;
  bool lifetime = kind == SC_RESOURCE_DESCRIPTOR || kind == SC_RESOURCE_STREAM || kind == SC_RESOURCE_MAPPING ||
                  kind == SC_RESOURCE_THREAD;
  return lifetime && (metric == SC_RMETRIC_HOLD || metric == SC_RMETRIC_HOLD_TOTAL || metric == SC_RMETRIC_THINK ||
                      metric == SC_RMETRIC_UTILISATION);
}

static int number_now(const sc_judge *judge, const sc_resource_spot *spot, enum sc_resource_metric metric,
                      double *value)
{
  const sc_resource_series *series = sc_resources_series_at(judge->resources, spot, metric);
  double smallest, largest;
  sc_interval predicted;
  *value = series && series->count ? numbers_measured(series) : NAN;
  if (isnan(*value) || sc_resources_measured(judge->resources))
    return 0;
  sc_analysis_range(judge->loaded.analysis, &smallest, &largest);
  SC_TRY(sc_resources_predict_at(judge->resources, spot, metric, largest, &predicted));
  *value = predicted.value;
  return 0;
}

int sc_resource_number_now(const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric, double *value)
{
  const sc_resource_spot spot = sc_resources_whole(resource);
  return number_now(judge, &spot, metric, value);
}

int sc_resource_number_make(const sc_judge *judge, const sc_resource_spot *spot, enum sc_resource_metric metric,
                            sc_resource_number *number)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  const sc_resource_series *series = sc_resources_series_at(judge->resources, spot, metric);
  *number = (sc_resource_number){.metric = metric};
  if (!series || !series->count || sc_resource_number_is_void(judge, spot->resource, metric))
    return 0;
  SC_TRY(number_now(judge, spot, metric, &number->measured));
  SC_TRY(sc_resources_basis(judge->resources, spot, metric, &number->model, &number->correction));
  SC_TRY(SC_NEW(number->predictions, asked->target_count));
  for (size_t i = 0; i < asked->target_count; i++)
    SC_TRY(sc_resources_predict_at(judge->resources, spot, metric, asked->targets[i], &number->predictions[i]));
  return 1;
}

void sc_resource_number_drop(sc_resource_number *number)
{
  free(number->predictions);
  *number = (sc_resource_number){0};
}
