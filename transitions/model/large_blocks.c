/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What blocks that become large add to the cost of the bytes in them. */
#include "transitions/model/large_blocks.h"

#include <math.h>
#include <string.h>

#include "profiles/graph/usage.h"
#include "transitions/model/footprint.h"
#include "transitions/model/tuning.h"

enum { STEP = 64, PAGE = 4096 }; /* bytes: what weighs as much as an execution; of a page */

/* Bytes of a call, as far as models tell: 0 if they don't. */
static double bytes_of_call(const sc_analysis *a, uint32_t context, double n)
{
  uint32_t above = sc_analysis_counted_ancestor(a, context);
  if (!sc_analysis_known(a, context) || !above || !sc_analysis_known(a, above))
    return 0;
  double calls = sc_model_value(sc_analysis_model(a, above), n);
  double steps = sc_analysis_executions(a, context, sc_model_value(sc_analysis_model(a, context), n));
  return calls > 0 ? STEP * steps / calls : 0;
}

static bool is_heap(const sc_analysis *a, const sc_usage *row)
{
  return sc_usage_resource_at(a->graph, row->resource)->resource_class == SC_RESOURCE_HEAP;
}

/* Of the blocks that a row allocated; 0: none. */
static double mean_block(const sc_usage *row)
{
  return row->values[SC_USAGE_ACQUIRES] > 0 ? row->values[SC_USAGE_UNITS] / row->values[SC_USAGE_ACQUIRES] : 0;
}

/* Whether the blocks of a place, `factor` times as large since the run at n `before`, are large at the horizon if they
 * go on to grow so. */
static bool becomes_large(const sc_analysis *a, double block, double factor, double before)
{
  double last = a->sizes[a->run_count - 1], exponent = log(factor) / log(last / before);
  double growth = pow(sc_analysis_horizon(a) / last, fmin(fmax(exponent, 0), SC_LARGE_BLOCKS_STEEPEST));
  return block < SC_LARGE_BLOCKS_LARGE && block * growth >= SC_LARGE_BLOCKS_LARGE;
}

/* The C library gives large blocks straight from the kernel, so that each first touch of a page is a fault: bytes that
 * were cheap in small blocks get dear where blocks grow beyond that bound. */
void sc_large_blocks_load(sc_analysis *a)
{
  size_t last = a->run_count - 1, before = last, count;
  const sc_usage *rows = sc_usage_rows(a->graph, a->runs[last], &count);
  while (before > 0 && a->sizes[before] > a->sizes[last] / 2)
    before--;
  for (size_t i = 0; i < count; i++) {
    const sc_usage *row = &rows[i];
    if (!is_heap(a, row))
      continue;
    const sc_usage *then = sc_usage_find(a->graph, a->runs[before], row);
    double block = mean_block(row), small = then ? mean_block(then) : 0;
    a->blocks.allocated += row->values[SC_USAGE_UNITS];
    if (block > 0 && small > 0 && a->sizes[before] < a->sizes[last] &&
        becomes_large(a, block, block / small, a->sizes[before]))
      a->blocks.becoming_large += row->values[SC_USAGE_UNITS];
  }
}

/* What the C++ library allocates for its strings is not seen; searching in them (const) and erasing needs nothing new.
 */
static bool allocates_unseen(const sc_analysis *a, uint32_t context)
{
  const char *name = sc_graph_at(a->graph, context)->name;
  return strncmp(name, "_ZN", 3) == 0 && strncmp(name, "_ZNK", 4) != 0 && !strstr(name, "erase");
}

/* Of the bytes that the context goes over, the share that can be fresh pages: `bytes` that were allocated. */
static double fresh_share(const sc_analysis *a, uint32_t context, double bytes)
{
  double steps = sc_analysis_executions(a, context, sc_analysis_values(a, context)[a->run_count - 1]);
  return steps > 0 ? fmin(1, bytes / (STEP * steps)) : 0;
}

/* Seconds of a step through memory: in fresh pages, each with a fault, clearing and filling; else as the machine reads
 * what no cache holds, with several lines under way at a time. */
static double slowest_step(const sc_analysis *a, double share)
{
  double fresh = SC_LARGE_BLOCKS_FAULT * sc_latency_page(&a->options.latency) * STEP / PAGE;
  double stream =
      sc_latency_step(&a->options.latency, sc_footprint_bytes(a, sc_analysis_horizon(a))) / SC_LARGE_BLOCKS_AHEAD;
  return share * fresh + stream;
}

void sc_large_blocks_allow(const sc_analysis *a, uint32_t context, sc_load *load)
{
  if (load->weight >= 1) /* elements and operations */
    return;
  double measured = bytes_of_call(a, context, a->sizes[a->run_count - 1]), share;
  if (measured < SC_LARGE_BLOCKS_LARGE && bytes_of_call(a, context, sc_analysis_horizon(a)) >= SC_LARGE_BLOCKS_LARGE)
    share = allocates_unseen(a, context) ? 1 : fresh_share(a, context, a->blocks.allocated);
  else if (a->blocks.becoming_large > 0) /* calls that differ, as those of an interpreter, have a small mean */
    share = fresh_share(a, context, a->blocks.becoming_large);
  else
    return;
  load->above = fmax(load->above, slowest_step(a, share) * load->weight - load->each);
}
