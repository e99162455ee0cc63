/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/blame.h"

#include <stdlib.h>

#include "base/buf.h"

int sc_blame_view_make(const sc_judge *judge, uint32_t resource, sc_blame_view *view)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  *view = (sc_blame_view){.judge = judge, .resource = resource, .targets = asked->targets};
  view->each = sc_mem_new(asked->target_count, sizeof *view->each);
  view->seconds = sc_mem_new(asked->target_count, sizeof *view->seconds);
  if (!view->seconds || !view->each)
    return SC_E_NOMEM;
  SC_TRY(sc_blame_new(judge->loaded.graph, resource, &view->blame));
  for (; judge->resources && view->target_count < asked->target_count; view->target_count++) {
    size_t t = view->target_count;
    SC_TRY(sc_resources_predict(judge->resources, resource, SC_RMETRIC_WAIT, asked->targets[t], &view->each[t]));
    SC_TRY(
        sc_resources_predict(judge->resources, resource, SC_RMETRIC_WAIT_TOTAL, asked->targets[t], &view->seconds[t]));
  }
  return 0;
}

void sc_blame_view_free(sc_blame_view *view)
{
  sc_blame_free(&view->blame);
  free(view->each);
  free(view->seconds);
  *view = (sc_blame_view){0};
}
