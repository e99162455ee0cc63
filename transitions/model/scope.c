/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/scope.h"

#include <stdlib.h>

#include "base/buf.h"

static enum sc_scope scope_of(const sc_analysis *analysis, uint32_t context, bool *reached)
{
  const sc_location *location = sc_graph_at(analysis->graph, context);
  enum sc_scope scope = context && analysis->scope[sc_graph_parent(analysis->graph, context)] != SC_SCOPE_OUT
                            ? SC_SCOPE_IN
                            : SC_SCOPE_OUT;
  if (location->kind != SC_LOCATION_FUNCTION)
    return scope;
  for (size_t i = 0; i < analysis->options.root_count; i++)
    if (sc_location_is_called(location, analysis->options.roots[i])) {
      reached[i] = true;
      return scope == SC_SCOPE_OUT ? SC_SCOPE_TOP : scope;
    }
  return scope;
}

int sc_scope_find(sc_analysis *analysis)
{
  int err = 0;
  size_t roots = analysis->options.root_count;
  bool *reached = sc_mem_new(roots + 1, sizeof *reached);
  analysis->scope = sc_mem_new(analysis->contexts, sizeof *analysis->scope);
  if (!reached || !analysis->scope) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (uint32_t c = 0; c < analysis->contexts; c++)
    analysis->scope[c] = (unsigned char)(roots ? scope_of(analysis, c, reached) : SC_SCOPE_IN);
  for (size_t i = 0; i < roots; i++)
    if (!reached[i]) {
      err = sc_err_set(SC_E_INPUT, "no run reached a function named %s, which the analysis is to be restricted to",
                       analysis->options.roots[i]);
      sc_err_hint(err, "Check the spelling; static functions that were never called do not appear in profiles.");
      goto out;
    }
out:
  free(reached);
  return err;
}
