/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heap bytes beyond the sizes measured, where large blocks are rounded up to pages. */
#include "transitions/resources/mapped.h"

#include <math.h>

#include "transitions/model/tuning.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/series.h"

enum { PAGE = 4096 };

/* The most blocks of at least SC_MAPPED_BLOCK bytes that `bytes` in `blocks` blocks can be; their mean is as measured
 * if blocks are of the same sizes at all n (`level`). */
static double count_mapped(double bytes, double blocks, bool level)
{
  double most = floor(bytes / SC_MAPPED_BLOCK), mean = blocks > 0 ? bytes / blocks : 0;
  double spread = level ? 1 : fmin(blocks, SC_MAPPED_SPREAD);
  return mean * spread >= SC_MAPPED_BLOCK ? fmin(most, blocks) : 0;
}

/* Of a place's blocks, whether the mean grows with n. */
static bool mean_grows(const sc_resources *r, const sc_resource_cell *cell)
{
  double bytes, blocks, first = 0, mean = 0;
  for (size_t size = 0; size < r->size_count; size++)
    if (sc_rmetric_at(r, cell, size, SC_RMETRIC_UNITS, &bytes) &&
        sc_rmetric_at(r, cell, size, SC_RMETRIC_ACQUIRES, &blocks) && blocks > 0) {
      mean = bytes / blocks;
      first = first > 0 ? first : mean;
    }
  return mean > SC_MAPPED_LEVEL * first;
}

/* Large blocks of one place at n: the most there can be. */
static int mapped_at(const sc_resources *r, const sc_resource_cell *cell, double n, double *count)
{
  sc_interval bytes, blocks;
  *count = 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_UNITS, n, &bytes));
  if (bytes.high < SC_MAPPED_BLOCK)
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &blocks));
  *count = count_mapped(bytes.high, blocks.high, !mean_grows(r, cell));
  return 0;
}

static double mapped_last(const sc_resources *r, const sc_resource_cell *cell)
{
  return count_mapped(sc_rmetric_last(r, cell, SC_RMETRIC_UNITS), sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES),
                      !mean_grows(r, cell));
}

static bool was_measured(const sc_resources *r, double n) { return sc_resources_size_of(r, n) < r->size_count; }

/* Sums over the places of the resource, or takes the cell itself where it is one. */
static int count_all(const sc_resources *r, const sc_resource_cell *cell, double n, double *there, double *here)
{
  bool whole = cell->context == SC_USAGE_NONE;
  size_t from = whole ? r->cell_starts[cell->resource] : (size_t)(cell - r->cells);
  size_t to = whole ? r->cell_starts[cell->resource + 1] : from + 1;
  *there = *here = 0;
  for (size_t i = from; i < to; i++) {
    double count;
    SC_TRY(mapped_at(r, &r->cells[i], n, &count));
    *there += count;
    *here += mapped_last(r, &r->cells[i]);
  }
  return 0;
}

int sc_rmapped_widen(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric, double n,
                     sc_interval *out)
{
  double there, here, most = floor(out->high / SC_MAPPED_BLOCK); /* at a time, of a peak */
  if ((metric != SC_RMETRIC_UNITS && metric != SC_RMETRIC_PEAK && metric != SC_RMETRIC_OUTSTANDING) ||
      sc_resource_cell_resource(r, cell)->resource_class != SC_RESOURCE_HEAP || most < 1 || was_measured(r, n))
    return 0;
  SC_TRY(count_all(r, cell, n, &there, &here));
  out->high += PAGE * fmin(there, most);
  out->low =
      fmax(fmin(out->low, 0), out->low - PAGE * fmin(here, most)); /* the models have the pages of those measured */
  return 0;
}
