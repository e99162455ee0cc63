/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/quantity/quantity.h"

#include <stdlib.h>
#include <string.h>

#include "runner/text/tuning.h"

void sc_quantity_phrase(const sc_quantity *quantity, const char *amount, sc_buf *out)
{
  bool of = quantity->portion ? quantity->kind == SC_AMOUNT_TIME : strcmp(quantity->metric, "memory") == 0;
  const char *title = quantity->title, *end = title + strcspn(title, " ");
  bool one = !of && strcmp(amount, "1") == 0 && end > title && end[-1] == 's';
  if (one)
    sc_buf_printf(out, "1 %.*s%s", (int)(end - title) - 1, title, end);
  else
    sc_buf_printf(out, "%s %s%s", amount, of ? "of " : "", title);
}

void sc_quantity_free(sc_quantity *quantity)
{
  sc_portion_free(quantity->portion);
  free(quantity->title);
  free(quantity->contexts);
  free(quantity->resources);
  *quantity = (sc_quantity){0};
}

int sc_quantity_predict(const sc_quantity *quantity, double n, sc_interval *out)
{
  *out = (sc_interval){0};
  if (quantity->portion)
    return sc_portion_predict(quantity->portion, n, out);
  for (size_t i = 0; i < quantity->resource_count; i++) {
    sc_interval one;
    SC_TRY(sc_resources_predict_at(quantity->judge->resources, &quantity->resources[i], quantity->resource_metric, n,
                                   &one));
    sc_interval_add(out, &one);
  }
  return 0;
}

bool sc_quantity_is_count(const sc_quantity *quantity)
{
  enum sc_resource_metric metric = quantity->resource_metric;
  if (quantity->portion)
    return quantity->kind != SC_AMOUNT_TIME;
  return strcmp(sc_resource_metric_unit(metric), "s") != 0 && metric != SC_RMETRIC_UTILISATION &&
         metric != SC_RMETRIC_FAILURE_RATIO;
}

double sc_quantity_farthest(const sc_quantity *quantity)
{
  double low, high;
  sc_analysis_range(quantity->judge->loaded.analysis, &low, &high);
  return quantity->portion ? SC_INVERSE_FAR : high * SC_QUANTITY_FAR;
}

const sc_model *sc_quantity_widest(const sc_quantity *quantity, double n)
{
  if (quantity->portion)
    return sc_portion_widest(quantity->portion, n);
  const sc_resource_series *series =
      sc_resources_series_at(quantity->judge->resources, &quantity->resources[0], quantity->resource_metric);
  return series && series->count ? &series->model : NULL;
}
