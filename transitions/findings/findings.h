/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/analysis.h"

/* Rules, from rules.def: RULE(id enum, "id", "title", "help"). */
enum sc_rule {
#define RULE(code, id, title, help) SC_RULE_##code,
#include "transitions/findings/rules.def"
#undef RULE
  SC_RULE_COUNT
};
/* Texts of rules.def, which live for ever: the identifier of formats and files, a heading, and what to do. */
const char *sc_rule_id(enum sc_rule rule);
const char *sc_rule_title(enum sc_rule rule);
const char *sc_rule_help(enum sc_rule rule);

enum sc_finding_kind {
  SC_FINDING_LOOP,      /* explicit loop in the source */
  SC_FINDING_IMPLICIT,  /* a foreign function or event source calls back: no loop statement in the program */
  SC_FINDING_RECURSION, /* recursion raises the order */
  SC_FINDING_SPREAD,    /* many places, each of them negligible: only their sum matters */
  SC_FINDING_WORK       /* what a library's function, called there, works through */
};
enum { SC_FINDING_KINDS = SC_FINDING_WORK + 1 };

enum sc_severity {
  SC_SEVERITY_NOTE,    /* grows no faster than the workload, but for a log factor */
  SC_SEVERITY_WARNING, /* grows faster than the workload, or exceeds the time budget at a target */
  SC_SEVERITY_ERROR    /* a warning that takes half of the cost at the largest target, or exceeds the budget there, and
                          that the data support well (confidence 0.5 or more) */
};
const char *sc_severity_name(enum sc_severity severity);     /* "note", "warning", "error" */
const char *sc_finding_kind_name(enum sc_finding_kind kind); /* "loop", "implicit", ..., "work" */

/* One calling context in which a finding's location raises the order. */
typedef struct sc_finding_site {
  uint32_t context, parent;
  const sc_order *from, *to; /* of the analysis' models */
  sc_interval count;         /* at the horizon (sc_analysis_horizon) */
  double weight;             /* executions that one of its count stands for */
  double cost;               /* of this context's transition at the horizon, cost unit */
  double share;              /* of the predicted total at the horizon, 0..1 */
} sc_finding_site;

typedef struct sc_finding_prediction {
  double n;
  sc_interval count;    /* executions of the finding's context; of a spread finding of all its sites */
  sc_interval cost;     /* of the transition: members and what they carry along (section 6.3), cost unit; of all the
                           finding's contexts together */
  double share;         /* of the predicted total, 0..1: the paper's cost coverage */
  double waiting;       /* seconds that calls of the system wait in it, of all threads; 0 of a cost that rises, and */
  double waiting_share; /* where no elapsed time is known: of that of all threads, 0..1 */
} sc_finding_prediction;

/* What the places of a spread finding have in common: how many of them there are for each file, caller and order. */
enum sc_spread_by {
  SC_SPREAD_FILE,   /* as the location has it */
  SC_SPREAD_CALLER, /* name of the function that calls the place's function */
  SC_SPREAD_ORDER,  /* "n^2" */
  SC_SPREAD_BY_COUNT
};

typedef struct sc_spread_group {
  char *name;    /* "" if unknown */
  size_t places; /* distinct places in the source; one that has several callers counts for each of them */
  double share;  /* of the predicted total at the horizon, 0..1 */
} sc_spread_group;

typedef struct sc_spread {
  size_t places, functions; /* distinct ones */
  char *title;              /* "150 places in many.c" */
  char *common;             /* the same without numbers, which stays when a place is added: "many.c" */
  sc_spread_group *groups[SC_SPREAD_BY_COUNT]; /* the largest share first, then most places, then by name */
  size_t group_count[SC_SPREAD_BY_COUNT];
} sc_spread;

typedef struct sc_finding {
  enum sc_rule rule;
  enum sc_finding_kind kind;
  uint32_t context;  /* where the order rises: the loop, the callback, the recursive function; of a spread finding the
                        worst of them */
  uint32_t parent;   /* the context it rises from */
  uint32_t *members; /* [member_count] contexts of the transition, the set M of definition 6 with what it carries;
                        ascending; of all sites */
  size_t member_count;
  sc_order from, to;
  sc_model model;                     /* of `context`'s count; of a spread finding, and where `together`, of all sites'
                                         counts */
  sc_finding_prediction *predictions; /* [options.target_count] */
  double emergence;                   /* size from which on it takes half of the total or its budget; infinity: never */
  double waiting_share;               /* as in predictions, at the horizon */
  double confidence;                  /* 0..1 */
  char *evidence;                     /* a sentence: measured points */
  char *advice;                       /* what happens, and what to do next */
  const char *remedy;                 /* the end of it: what to do, the same text wherever it helps; or "" */
  enum sc_severity severity;
  bool has_cost_model; /* SC_RULE_GROWING_COST only: what rises is the cost of one execution. `from` is the count's
                          order, `to` the cost's, and `members` are the contexts themselves, without what they call */
  sc_model cost_model; /* of the context's own cost, in the cost unit; `model` stays that of its count */
  bool superlinear;    /* `to` grows faster than n log n */
  bool linear; /* no finding in the strict sense: grows no faster than n log n, within its budget, where no action was
                  named that has to answer whatever the workload is. Listed behind all others, with its cost */
  sc_finding_site *sites;   /* [site_count] every context in which this location raises the order, the worst first: */
  size_t site_count;        /* sites[0] is `context` */
  bool together;            /* sites are parts of what one call of a library does, and grow as their sum does */
  sc_spread *spread;        /* SC_FINDING_SPREAD only, else NULL */
  const sc_analysis *along; /* NULL: it grows with the focused parameter. Else the analysis along a further one
                               (transitions/model/along.h): `from`, `to`, `model` and `emergence` are of that, the
                               others at the horizon; predictions are where it has its target */
  char *formula;            /* of such a finding the count in all parameters, "n m^2"; NULL: as the model has it */
} sc_finding;

/* A place that may grow superlinearly: the best model does, but the data leave slower growth plausible. */
typedef struct sc_undecided {
  uint32_t context, parent;
  enum sc_finding_kind kind;
  sc_order from, to;        /* `to`: of the best model */
  double exponent_low;      /* the lowest exponent that is plausible */
  sc_model model;           /* of the context's count; of its cost if `of_cost` */
  bool of_cost;             /* what may grow is the own cost of one execution */
  double cost, share;       /* predicted at the horizon: of the context and what is in it and in no finding */
  double executed;          /* its share of all executions there, as its count is predicted; 0 of a spread */
  double deciding;          /* the size whose measurement would decide; infinity: unknown */
  char *reason;             /* a sentence */
  size_t sites;             /* contexts of this location about which the same holds */
  sc_spread *spread;        /* SC_FINDING_SPREAD only: `model` is that of all the places' counts together; else NULL */
  const sc_analysis *along; /* as in sc_finding; `deciding` is a value of that parameter */
} sc_undecided;

/*
 * How much of the predicted total the findings explain, and what the rest consists of (docs/findings.md, "Coverage").
 * Every context's own cost and executions belong to exactly one part, so that nested findings count once and the parts
 * sum to the total.
 */
enum sc_coverage_class {
  SC_COVERAGE_FINDINGS,   /* carried by findings, without linear growth */
  SC_COVERAGE_LINEAR,     /* linear growth, up to n log n, where it is listed apart and where it is negligible */
  SC_COVERAGE_UNDECIDED,  /* in undecided places */
  SC_COVERAGE_SMALL,      /* superlinear growth at places that are negligible one by one */
  SC_COVERAGE_CONSTANT,   /* the same at every size */
  SC_COVERAGE_SUBLINEAR,  /* grows slower than linearly: a logarithm, a root */
  SC_COVERAGE_OTHER,      /* growth that no finding may be made of: unknown callers, few executions, chosen roots */
  SC_COVERAGE_UNMODELLED, /* grows without a model */
  SC_COVERAGE_UNCOUNTED,  /* cost outside counted code: starts of processes, code without instrumentation */
  SC_COVERAGE_CLASSES
};

enum sc_coverage_metric { SC_COVERAGE_COST, SC_COVERAGE_EXECUTIONS };

struct sc_coverage_map; /* transitions/findings/coverage_map.h */

typedef struct sc_findings {
  sc_finding *list;       /* ranked, worst first; those that are only linear behind all others */
  size_t count, linear;   /* all; of these, the linear ones */
  sc_finding *negligible; /* [suppressed] locations that raise the order but are negligible, together too; superlinear
                             ones first, then by cost. They have no emergence, confidence, evidence or advice */
  size_t suppressed;
  sc_undecided *undecided; /* the costliest first, without negligible ones */
  size_t undecided_count;
  double unexplained; /* the exponent by which the total grows up to the horizon, where it is superlinear, but nothing
                         that is listed is; else 0 */
  struct sc_coverage_map *coverage; /* what each context is explained by: for sc_coverage_at */
} sc_findings;

/* The analysis that orders and models of a finding or an undecided place are of: `along`, or `focused` where that is
 * NULL. */
static inline const sc_analysis *sc_findings_analysis(const sc_analysis *focused, const sc_analysis *along)
{
  return along ? along : focused;
}
/* The parameter that it grows with. */
static inline const char *sc_findings_variable(const sc_analysis *focused, const sc_analysis *along)
{
  return sc_analysis_get_options(sc_findings_analysis(focused, along))->variable;
}
/* Algorithm 2 (TransInfer) with functions and loops as locations, each transition reported once at its source, and
 * its costs. *findings is to be released with sc_findings_free. */
int sc_findings_infer(const sc_analysis *analysis, sc_findings *findings) SC_CHECK;
/* Adds what grows superlinearly along a further parameter, surely or perhaps, and what of it is negligible. `there` is
 * the analysis of `findings` where that parameter has the target of `along`; `along` must outlive the findings. */
int sc_findings_add_along(const sc_analysis *there, const sc_analysis *along, sc_findings *findings) SC_CHECK;
/* The count predicted at n that `model` is of: of the context, or of all sites; of a spread finding in executions. */
int sc_finding_count(const sc_analysis *analysis, const sc_finding *finding, double n, sc_interval *out) SC_CHECK;
void sc_findings_free(sc_findings *findings);
