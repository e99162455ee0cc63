/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a question that a rule answered with yes to a finding with numbers, sites and texts. */
#include "transitions/resources/draft.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/findings/explain.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/nested.h"
#include "transitions/resources/people.h"
#include "transitions/resources/predict.h"
#include "transitions/resources/series.h"

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
  free(f->nested);
  free(f->also);
  free(f->evidence);
  free(f->advice);
}

static int fill_number(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                       sc_resource_number *number)
{
  sc_interval largest = {0};
  bool derived = false;
  number->metric = metric;
  number->measured = sc_rmetric_last(r, cell, metric);
  if (r->place) { /* nothing was measured */
    SC_TRY(sc_resources_predict_cell(r, cell, metric, r->sizes[r->size_count - 1], &largest, &derived));
    number->measured = largest.value;
  }
  number->predictions = sc_mem_new(r->target_count + 1, sizeof *number->predictions);
  if (!number->predictions)
    return SC_E_NOMEM;
  for (size_t i = 0; i < r->target_count; i++)
    SC_TRY(sc_resources_predict_cell(r, cell, metric, r->targets[i], &number->predictions[i], &derived));
  return sc_resources_basis_of(r, cell, metric, &number->model, &number->correction);
}

static int fill_numbers(const sc_resources *r, const sc_findings_draft *draft, sc_resource_finding *f)
{
  const sc_draft_form *form = draft->form;
  f->numbers = sc_mem_new(form->metric_count + 1, sizeof *f->numbers);
  if (!f->numbers)
    return SC_E_NOMEM;
  for (size_t i = 0; i < form->metric_count; i++) {
    const sc_rseries *series;
    SC_TRY(sc_rseries_get(r, draft->question->cell, form->metrics[i], &series));
    if (series) /* else it has no such metric */
      SC_TRY(fill_number(r, draft->question->cell, form->metrics[i], &f->numbers[f->number_count++]));
  }
  return 0;
}

static int write_finding_texts(const sc_findings_draft *draft, sc_resource_finding *f)
{
  sc_buf evidence = {0}, advice = {0};
  draft->form->tell(draft, f, &evidence, &advice);
  return sc_explain_take(&evidence, &advice, &f->evidence, &f->advice);
}

int sc_draft_append(sc_resources *r, const sc_resource_finding *f, double impact)
{
  SC_TRY(sc_mem_grow(&r->findings, &r->finding_capacity, r->finding_count + 1, sizeof *r->findings));
  SC_TRY(sc_mem_grow(&r->impacts, &r->impact_capacity, r->finding_count + 1, sizeof *r->impacts));
  r->impacts[r->finding_count] = impact;
  r->findings[r->finding_count++] = *f;
  return 0;
}

/* Takes over what the verdict owns. */
static int finish_verdict(sc_resources *r, const sc_findings_draft *draft, sc_judgement *verdict)
{
  int err;
  double more = 0;
  const sc_draft_form *form = draft->form;
  const sc_resource_cell *cell = draft->question->cell;
  const sc_rpool *pool = sc_rpool_at(r, cell->resource);
  sc_resource_finding f = {.rule = form->rule,
                           .resource = cell->resource,
                           .severity = verdict->severity,
                           .confidence = verdict->confidence,
                           .emergence = verdict->emergence,
                           .holds_measured = verdict->measured,
                           .holds_predicted = verdict->predicted,
                           .context = pool ? pool->take.context : cell->context,
                           .line = pool ? pool->take.line : cell->line,
                           .column = pool ? pool->take.column : cell->column,
                           .servers = pool ? pool->as.capacity : 0};
  *verdict = (sc_judgement){0};
  if (f.severity > SC_SEVERITY_WARNING && form->harmless && form->harmless(draft->question))
    f.severity = SC_SEVERITY_WARNING;
  if (form->weigh)
    SC_GOTO(form->weigh(draft->question, &more));
  SC_GOTO(fill_numbers(r, draft, &f));
  SC_GOTO(sc_people_fill(r, draft, &f));
  if (f.rule == SC_RULE_CONTENTION && !pool)
    SC_GOTO(sc_nested_fill(r, cell, &f));
  SC_GOTO(write_finding_texts(draft, &f));
  SC_GOTO(sc_draft_append(r, &f, form->weight + more));
  return 0;
out:
  sc_resource_finding_clear(&f);
  return err;
}

/* The verdict comes first, and texts and numbers only for what holds: most questions of most places say no. */
int sc_draft_judge(sc_resources *r, const sc_draft_form *form, const sc_question *q,
                   const sc_resource_cell *const *members, size_t count, bool *found)
{
  sc_findings_draft draft = {form, q, members, q->cell->context == SC_USAGE_NONE ? 0 : count};
  sc_judgement verdict;
  bool holds = false;
  int err;
  SC_GOTO(sc_question_judge(q, &verdict));
  holds = verdict.holds;
  if (holds)
    SC_GOTO(finish_verdict(r, &draft, &verdict));
out:
  sc_question_clear(&verdict);
  if (found)
    *found = holds;
  return err;
}
