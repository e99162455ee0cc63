/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_FINDINGS_H
#define SC_TRANSITIONS_FINDINGS_H
#include "transitions/analysis.h"

/* Rules, from rules.def: RULE(id enum, "id", "title", "help"). */
enum sc_rule {
#define RULE(code, id, title, help) SC_RULE_##code,
#include "transitions/rules.def"
#undef RULE
  SC_RULE_COUNT
};
const char *sc_rule_id(enum sc_rule rule);
const char *sc_rule_title(enum sc_rule rule);
const char *sc_rule_help(enum sc_rule rule);

enum sc_finding_kind {
  SC_FINDING_LOOP,      /* explicit loop in the source */
  SC_FINDING_IMPLICIT,  /* a foreign function or event source calls back: no loop statement in the program */
  SC_FINDING_RECURSION  /* recursion raises the order */
};

typedef struct sc_finding_prediction {
  double n;
  sc_interval count;    /* executions of the finding's context */
  sc_interval cost;     /* of the transition: members and what they carry along (section 6.3), cost unit */
  double share;         /* of the predicted total, 0..1: the paper's cost coverage */
} sc_finding_prediction;

typedef struct sc_finding {
  enum sc_rule rule;
  enum sc_finding_kind kind;
  uint32_t context;     /* where the order rises: the loop, the callback, the recursive function */
  uint32_t parent;      /* the context it rises from */
  uint32_t *members;    /* [member_count] contexts of the transition, the set M of definition 6 */
  size_t member_count;
  sc_order from, to;
  sc_model model;       /* of `context`'s count */
  sc_finding_prediction *predictions; /* [options.target_count] */
  double emergence;     /* size from which on it takes half of the total or its budget; infinity: never */
  double confidence;    /* 0..1 */
  char *evidence;       /* a sentence: measured points */
  char *advice;         /* what to do next */
} sc_finding;

typedef struct sc_findings {
  sc_finding *list;     /* ranked, worst first */
  size_t count;
} sc_findings;

/* Algorithm 2 (TransInfer) with functions and loops as locations, each transition reported once at its source, and
 * its costs. *findings is to be released with sc_findings_free. */
int sc_findings_infer(const sc_analysis *analysis, sc_findings *findings) SC_CHECK;
void sc_findings_free(sc_findings *findings);
#endif
