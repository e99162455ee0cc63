/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/resources/finish.h"

/* Worst first: by severity, then by what the rule says of the impact, then by confidence. Contention and exhausted
 * capacities have an impact of 1 and more: they stop everybody. */
typedef struct ranked {
  sc_resource_finding finding;
  double impact;
} ranked;

static int compare(const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  if (x->finding.severity != y->finding.severity)
    return x->finding.severity > y->finding.severity ? -1 : 1;
  if (x->impact != y->impact)
    return x->impact > y->impact ? -1 : 1;
  if (x->finding.confidence != y->finding.confidence)
    return x->finding.confidence > y->finding.confidence ? -1 : 1;
  if (x->finding.resource != y->finding.resource)
    return x->finding.resource < y->finding.resource ? -1 : 1;
  if (x->finding.rule != y->finding.rule)
    return x->finding.rule < y->finding.rule ? -1 : 1;
  if (x->finding.context != y->finding.context)
    return x->finding.context < y->finding.context ? -1 : 1;
  if (x->finding.line != y->finding.line)
    return x->finding.line < y->finding.line ? -1 : 1;
  return x->finding.column < y->finding.column ? -1 : x->finding.column > y->finding.column;
}

int sc_findings_rank(sc_resources *r)
{
  ranked *all = sc_mem_new(r->finding_count + 1, sizeof *all);
  if (!all)
    return SC_E_NOMEM;
  for (size_t i = 0; i < r->finding_count; i++)
    all[i] = (ranked){r->findings[i], r->impacts[i]};
  qsort(all, r->finding_count, sizeof *all, compare);
  for (size_t i = 0; i < r->finding_count; i++) {
    r->findings[i] = all[i].finding;
    r->impacts[i] = all[i].impact;
  }
  free(all);
  return 0;
}
