/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What turns pathological along a further parameter, among what does at the base. */
#include "transitions/resources/draft.h"
#include "transitions/resources/finish.h"
#include "transitions/resources/resources.h"

bool sc_resources_have(const sc_resources *r, const sc_resource_finding *finding)
{
  for (size_t i = 0; i < r->finding_count; i++)
    if (!r->findings[i].along && !sc_resource_uncertain(r->findings[i].severity) &&
        sc_findings_same(r, &r->findings[i], finding))
      return true;
  return false;
}

/* Takes the finding over once it is there. */
static int add_finding_along(sc_resources *r, const sc_resources *there, size_t i, double from, enum sc_severity worst)
{
  sc_resource_finding f = there->findings[i];
  f.along = there;
  f.emergence = (sc_interval){from, from, from};
  f.severity = f.severity > worst ? worst : f.severity;
  return sc_draft_append(r, &f, there->impacts[i]);
}

/* Findings move from one set to the other, so that each has one owner; those that stay close up. After an error all
 * that were not moved are still in the one they came from. */
int sc_resources_add_along(sc_resources *r, sc_resources *there, const double *from, enum sc_severity worst)
{
  size_t kept = 0;
  int err = 0;
  for (size_t i = 0; i < there->finding_count; i++) {
    if (err == 0 && from[i] > 0) {
      err = add_finding_along(r, there, i, from[i], worst);
      if (err == 0)
        continue;
    }
    there->impacts[kept] = there->impacts[i];
    there->findings[kept++] = there->findings[i];
  }
  there->finding_count = kept;
  return err < 0 ? err : sc_findings_rank(r);
}
