/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/resources/finish.h"
#include "transitions/resources/judge.h"

void sc_resource_finding_clear(sc_resource_finding *f)
{
  free(f->holds_measured);
  free(f->holds_predicted);
  for (size_t i = 0; f->numbers && i < f->number_count; i++)
    free(f->numbers[i].predictions);
  free(f->numbers);
  free(f->sites);
  free(f->tasks);
  free(f->pairs);
  free(f->evidence);
  free(f->advice);
}

static int fill_number(const sc_resources *r, const sc_rcell *cell, enum sc_resource_metric metric,
                       sc_resource_number *number)
{
  const sc_rseries *series;
  SC_TRY(sc_rseries_get(r, cell, metric, &series));
  number->metric = metric;
  number->measured = sc_rmetric_last(r, cell, metric);
  number->predictions = sc_mem_new(r->target_count + 1, sizeof *number->predictions);
  if (!number->predictions)
    return SC_E_NOMEM;
  bool derived = false;
  for (size_t i = 0; i < r->target_count; i++)
    SC_TRY(sc_resources_predict_cell(r, cell, metric, r->targets[i], &number->predictions[i], &derived));
  number->model = series && !derived ? &series->shown.model : NULL;
  return 0;
}

static int fill_numbers(const sc_resources *r, const sc_findings_draft *draft, sc_resource_finding *f)
{
  f->numbers = sc_mem_new(draft->metric_count + 1, sizeof *f->numbers);
  if (!f->numbers)
    return SC_E_NOMEM;
  f->number_count = draft->metric_count;
  for (size_t i = 0; i < draft->metric_count; i++)
    SC_TRY(fill_number(r, draft->cell, draft->metrics[i], &f->numbers[i]));
  return 0;
}

static int tell(const sc_findings_draft *draft, sc_resource_finding *f)
{
  sc_buf evidence = {0}, advice = {0};
  draft->tell(draft, f, &evidence, &advice);
  int err = sc_buf_finish(&evidence);
  if (!err)
    err = sc_buf_finish(&advice);
  f->evidence = sc_buf_take(&evidence);
  f->advice = sc_buf_take(&advice);
  sc_buf_free(&evidence);
  sc_buf_free(&advice);
  return err;
}

int sc_draft_finish(sc_resources *r, sc_findings_draft *draft, sc_judgement *verdict)
{
  int err;
  sc_resource_finding f = {.rule = draft->rule,
                           .resource = draft->cell->resource,
                           .severity = verdict->severity,
                           .confidence = verdict->confidence,
                           .emergence = verdict->emergence,
                           .holds_measured = verdict->measured,
                           .holds_predicted = verdict->predicted,
                           .context = draft->cell->context};
  *verdict = (sc_judgement){0};
  SC_GOTO(fill_numbers(r, draft, &f));
  SC_GOTO(sc_people_fill(r, draft, &f));
  SC_GOTO(tell(draft, &f));
  SC_GOTO(sc_mem_grow(&r->findings, &r->finding_capacity, r->finding_count + 1, sizeof *r->findings));
  SC_GOTO(sc_mem_grow(&r->impacts, &r->impact_capacity, r->finding_count + 1, sizeof *r->impacts));
  r->impacts[r->finding_count] = draft->impact;
  r->findings[r->finding_count++] = f;
  return 0;
out:
  sc_resource_finding_clear(&f);
  return err;
}
