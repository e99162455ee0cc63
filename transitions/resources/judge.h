/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_JUDGE_H
#define SC_TRANSITIONS_RESOURCES_JUDGE_H
#include "base/buf.h"
#include "transitions/resources/resources_internal.h"

/* What every rule has in common: a score at a size, of which 1 and more means that the rule holds there. */
typedef struct sc_question {
  const sc_resources *r;
  const sc_rcell *cell;
  /* Predicted score. The low end says whether the data support it. */
  int (*predict)(const struct sc_question *q, double n, sc_interval *score);
  /* Measured at a size (an index); NAN: cannot be told. */
  double (*measure)(const struct sc_question *q, size_t size);
  const sc_model *model; /* of counts the score rests on: gives the confidence; NULL: the score's interval does */
  double reference;      /* for the rule's own use */
  int metric;            /* the same */
  bool growing;          /* a prediction counts only if its score is above that of the largest size measured */
} sc_question;

/* A prediction is supported if the low end of its score is at least the first, or if the score exceeds 1 with at least
 * the second probability. */
#define SC_JUDGE_SUPPORT     0.5
#define SC_JUDGE_PROBABILITY 0.55

typedef struct sc_judgement {
  bool holds;                 /* at the largest size measured, or at a target */
  bool now;                   /* at the largest size measured */
  bool *measured, *predicted; /* [size_count], [target_count]; owned until taken */
  sc_interval emergence;
  enum sc_severity severity;
  double confidence;
} sc_judgement;

int sc_judge(const sc_question *q, sc_judgement *verdict) SC_CHECK;
void sc_judge_clear(sc_judgement *verdict);

/* Makes the finding of a verdict, which it takes over, and appends it. `sites`: cells of the same location about which
 * the same is said [site_count], the worst first; their contexts are the finding's. */
typedef struct sc_findings_draft {
  enum sc_rule rule;
  const sc_rcell *cell;
  const sc_rcell *const *sites;
  size_t site_count;
  const enum sc_resource_metric *metrics;
  size_t metric_count;
  const enum sc_resource_role *roles; /* the first one's amounts rank tasks */
  size_t role_count;
  bool peak;     /* KEEPS is by peak, not by what is outstanding at the end */
  double impact; /* ranks among findings of one severity */
  const sc_question *question;
  /* Writes the sentences, when everything else of the finding is there. */
  void (*tell)(const struct sc_findings_draft *draft, const sc_resource_finding *finding, sc_buf *evidence,
               sc_buf *advice);
} sc_findings_draft;
int sc_draft_finish(sc_resources *r, sc_findings_draft *draft, sc_judgement *verdict) SC_CHECK;

/* people.c: ranked sites, tasks and pairs of a finding. */
int sc_people_fill(const sc_resources *r, const sc_findings_draft *draft, sc_resource_finding *finding) SC_CHECK;

/* The rules: each appends its findings. */
int sc_rule_contention(sc_resources *r) SC_CHECK;
int sc_rule_policy(sc_resources *r) SC_CHECK;
int sc_rule_allocation(sc_resources *r) SC_CHECK;
int sc_rule_growth(sc_resources *r) SC_CHECK;
int sc_rule_leak(sc_resources *r) SC_CHECK;
int sc_rule_state(sc_resources *r) SC_CHECK;
#endif
