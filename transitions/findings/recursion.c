/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recursion that gets no deeper with the workload is not what grows: the loop that makes its calls is. */
#include "transitions/findings/recursion.h"

#include <math.h>

#include "transitions/model/order.h"
#include "transitions/model/tuning.h"

/* Of the repeats at that size the deepest, as what is asked is how deep it gets. */
double sc_recursion_depth(const sc_analysis *analysis, uint32_t context, bool largest)
{
  size_t last = analysis->run_count - 1;
  double n = analysis->sizes[largest ? last : 0], depth = 0;
  for (size_t i = 0; i < analysis->run_count; i++)
    if (analysis->sizes[i] == n)
      depth = fmax(depth, sc_graph_value(analysis->graph, analysis->runs[i], context, SC_METRIC_DEPTH));
  return depth;
}

/* The loop must account for the whole of the function's rise; one that explains half of it is another finding. */
static bool same_rise(const sc_analysis *a, uint32_t loop, const sc_order *base, const sc_order *order)
{
  const sc_model *model = sc_analysis_model(a, loop);
  return fabs(model->order.exponent - order->exponent) < SC_ORDER_STEP && sc_order_supported(model) &&
         sc_order_rise(base, model, a->options.fit.engine) == SC_RISE_ORDER;
}

uint32_t sc_recursion_loop(const sc_analysis *a, uint32_t context, const sc_order *base)
{
  const sc_order *order = &sc_analysis_model(a, context)->order;
  double first = sc_recursion_depth(a, context, false), last = sc_recursion_depth(a, context, true);
  uint32_t best = SC_NONE;
  size_t largest = a->run_count - 1;
  double most = sc_analysis_values(a, context)[largest] / SC_RECURSION_CALLS;
  if (!(first > 0) || last > first)
    return SC_NONE;
  for (uint32_t c = sc_graph_first_child(a->graph, context); c; c = sc_graph_next_within(a->graph, c, context))
    if (sc_graph_at(a->graph, c)->kind == SC_LOCATION_LOOP && sc_analysis_known(a, c) &&
        sc_analysis_values(a, c)[largest] >= most && same_rise(a, c, base, order)) {
      best = c;
      most = sc_analysis_values(a, c)[largest];
    }
  return best;
}
