/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "transitions/resources/cells.h"

/* What every rule has in common: a score at a size; at 1 and more the rule holds there. */
typedef struct sc_question {
  const sc_resources *r;
  const sc_resource_cell *cell;
  /* Predicted score. The low end says whether the data support it. */
  int (*predict)(const struct sc_question *q, double n, sc_interval *score);
  /* Measured at a size (an index); NAN: unknown. */
  double (*measure)(const struct sc_question *q, size_t size);
  const sc_model *model; /* of counts the score rests on: gives the confidence; NULL: the score's interval does */
  double reference;      /* for the rule's own use */
  bool timed;            /* the score rests on times: the further away, the less is certain */
  bool growing;          /* a prediction counts only if its score is above that of the largest size measured */
} sc_question;

/* The score of what holds where a metric reaches `limit` (> 0): predicted at n, and measured at a size (an index). */
int sc_question_predict(const sc_question *q, int metric, double n, double limit, sc_interval *score) SC_CHECK;
double sc_question_measure(const sc_question *q, int metric, size_t size, double limit);

typedef struct sc_judgement {
  bool holds;                 /* at the largest size measured, or at a target */
  bool now;                   /* at the largest size measured */
  bool *measured, *predicted; /* [size_count], [target_count]; owned until taken */
  sc_interval emergence;
  enum sc_severity severity;
  double confidence;
} sc_judgement;

/* At all sizes measured and all targets. sc_question_clear also after an error. */
int sc_question_judge(const sc_question *q, sc_judgement *verdict) SC_CHECK;
void sc_question_clear(sc_judgement *verdict);

typedef struct sc_findings_draft sc_findings_draft;

/* Writes the sentences, when everything else of the finding is there. */
typedef void sc_draft_tell(const sc_findings_draft *draft, const sc_resource_finding *finding, sc_buf *evidence,
                           sc_buf *advice);

/* What the findings of a rule have in common; at file scope, with the two lists as SC_DRAFT_METRICS(...) and
 * SC_DRAFT_ROLES(...). */
typedef struct sc_draft_form {
  enum sc_rule rule;
  const enum sc_resource_metric *metrics;
  size_t metric_count;
  const enum sc_resource_role *roles; /* the first one's amounts rank tasks */
  size_t role_count;
  bool peak; /* KEEPS is by peak, not by what is outstanding at the end */
  /* The impact ranks among findings of one severity: what the rule weighs, and, unless NULL, what weigh() adds. */
  double weight;
  int (*weigh)(const sc_question *q, double *impact);
  bool (*harmless)(const sc_question *q); /* unless NULL: whether it may be what is intended: a warning at most */
  sc_draft_tell *tell;
} sc_draft_form;
#define SC_DRAFT_METRICS(...)                                \
  .metrics = (const enum sc_resource_metric[]){__VA_ARGS__}, \
  .metric_count = sizeof(const enum sc_resource_metric[]){__VA_ARGS__} / sizeof(enum sc_resource_metric)
#define SC_DRAFT_ROLES(...)                              \
  .roles = (const enum sc_resource_role[]){__VA_ARGS__}, \
  .role_count = sizeof(const enum sc_resource_role[]){__VA_ARGS__} / sizeof(enum sc_resource_role)

/* A finding in the making. `sites`: cells of the same place in the source about which the same is said [site_count],
 * the worst first; none of a resource as a whole. */
struct sc_findings_draft {
  const sc_draft_form *form;
  const sc_question *question;
  const sc_resource_cell *const *sites;
  size_t site_count;
};
