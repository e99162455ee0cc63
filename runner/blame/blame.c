/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/blame/blame.h"

#include <stdlib.h>

#include "base/buf.h"
#include "runner/several/several.h"
#include "runner/text/format.h"

int sc_blame_view_make(const sc_judge *judge, uint32_t resource, sc_blame_view *view)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  *view = (sc_blame_view){.judge = judge, .resource = resource, .targets = asked->targets};
  view->each = sc_mem_new(asked->target_count, sizeof *view->each);
  view->seconds = sc_mem_new(asked->target_count, sizeof *view->seconds);
  if (!view->seconds || !view->each)
    return SC_E_NOMEM;
  view->elsewhere = judge->resources && sc_resources_moved(judge->resources);
  if (view->elsewhere) {
    sc_several_nearest(judge->several, judge->others, view->others);
    SC_TRY(sc_blame_new(sc_several_graph(judge->several), resource, view->others, &view->blame));
  } else {
    SC_TRY(sc_blame_new(judge->loaded.graph, resource, NULL, &view->blame));
  }
  sc_thread_pool pool;
  view->pool = judge->resources && sc_resources_pool(judge->resources, resource, &pool);
  if (view->pool) /* what is predicted is how long requests wait, not how long its threads do */
    return 0;
  for (; judge->resources && view->target_count < asked->target_count; view->target_count++) {
    size_t t = view->target_count;
    SC_TRY(sc_resources_predict(judge->resources, resource, SC_RMETRIC_WAIT, asked->targets[t], &view->each[t]));
    SC_TRY(
        sc_resources_predict(judge->resources, resource, SC_RMETRIC_WAIT_TOTAL, asked->targets[t], &view->seconds[t]));
  }
  return 0;
}

void sc_blame_view_size(const sc_blame_view *view, double n, sc_buf *out)
{
  const sc_workload *workload = view->judge->loaded.workload;
  sc_buf_printf(out, "%s = %s", workload->parameter, sc_format_number(n).s);
  for (size_t i = 0; view->elsewhere && i < workload->other_count; i++)
    sc_buf_printf(out, ", %s = %s", workload->others[i].name, sc_format_number(view->others[i]).s);
}

void sc_blame_view_free(sc_blame_view *view)
{
  sc_blame_free(&view->blame);
  free(view->each);
  free(view->seconds);
  *view = (sc_blame_view){0};
}
