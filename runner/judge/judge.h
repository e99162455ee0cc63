/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "runner/loaded/load.h"
#include "runner/options/options.h"
#include "transitions/findings/findings.h"
#include "transitions/model/elapsed.h"

/* A study, or a baseline, opened and judged: what report, ask, verify, diff and the end of run print. */
typedef struct sc_judge sc_judge;
struct sc_judge {
  const char *study; /* path */
  char *machine;     /* where it was measured; NULL: not known */
  sc_loaded loaded;
  sc_findings findings;
  sc_resources *resources; /* NULL: the runs touched none */
  double at;               /* the first size of --at; 0: without it */
  double processors;       /* of the idle machine to predict queues for (--processors); 0: that which measured */
  const struct sc_several *several; /* NULL: further parameters, where there are any, have their base values; */
  double others[SC_RUN_OTHERS];     /* else these (runner/several) */
  /* Of a study of several parameters, which findings refer to: analyses along further ones. */
  sc_analysis *along[SC_RUN_OTHERS];
  struct sc_judge *beside;     /* at other values of further parameters, one behind the other: findings about resources
                                  along these are of them. Its owner is who made them; NULL: none */
  const struct sc_judge *base; /* of a judge that was moved to other values: the judge at the base; NULL: none */
  struct sc_judge_shared *shared; /* with judges at other places (runner/several/open.h); NULL: nothing */
};

/* The study that the command line names, at the base values of further parameters; sc_judge_open of
 * runner/several/open.h opens it elsewhere, too. sc_judge_close_at_base also after an error. */
int sc_judge_open_at_base(const sc_options *options, sc_judge *judge) SC_CHECK;
/* The base that `diff` names, with the models and the targets of the head. The same. */
int sc_judge_open_at_base_of(const sc_options *options, const sc_judge *head, sc_judge *judge) SC_CHECK;
void sc_judge_close_at_base(sc_judge *judge);
/* The analyses along further parameters alone. */
void sc_judge_free_along(sc_judge *judge);
/* SC_E_INPUT if there is no such file. */
int sc_judge_need_file(const char *path) SC_CHECK;
/* SC_E_USAGE: a baseline has the base values of further parameters only. */
int sc_judge_refuse_baseline(const char *path, const sc_workload *workload) SC_CHECK;

/* The engine it asks for; --models is remembered in the study by sc_judge_remember. */
int sc_judge_fit(const sc_options *options, sc_fit_options *fit) SC_CHECK;
int sc_judge_remember(const sc_options *options) SC_CHECK;

/* The value that a further parameter of the workload has in what the judge says. */
static inline double sc_judge_other(const sc_judge *judge, size_t other)
{
  return judge->several ? judge->others[other] : judge->loaded.workload->others[other].base;
}
/* Which further parameter an analysis of judge->along is along. */
static inline size_t sc_judge_along(const sc_judge *judge, const sc_analysis *along)
{
  size_t other = 0;
  while (judge->along[other] != along)
    other++;
  return other;
}
/* The judge at the place that a finding about resources is of: `judge`, or one beside it, where a further parameter,
 * *along of the workload's, is at another value than the base; *along SIZE_MAX: none is. */
const sc_judge *sc_judge_beside(const sc_judge *judge, const sc_resource_finding *finding, size_t *along);
/* "n = 1,000,000", away from the base values with them: "n = 1,000,000, threads = 64". */
void sc_judge_describe(const sc_judge *judge, double n, sc_buf *out);
/* The same with another value of the further parameter `name`, "n = 1,000,000, m = 32"; NULL: as it is. */
void sc_judge_describe_with(const sc_judge *judge, double n, const char *name, double value, sc_buf *out);
/* Where findings are of several parameters the values of all, at the base, too; else as sc_judge_describe. */
void sc_judge_describe_all(const sc_judge *judge, double n, sc_buf *out);
/* The workload's title, away from the base values with them: "sort (threads = 64)". */
void sc_judge_title(const sc_judge *judge, sc_buf *out);
/* " at threads = 64, users = 2", of a workload with one parameter nothing: what else holds in a picture over sizes. */
void sc_judge_describe_held(const sc_judge *judge, sc_buf *out);
/* The same as --at takes it: "n=1000000,threads=64". */
void sc_judge_describe_option(const sc_judge *judge, double n, sc_buf *out);

/* SC_E_INPUT if the runs recorded nothing of resources. */
int sc_judge_need_resources(const sc_judge *judge) SC_CHECK;

/* Mean over the target runs at size n of a context's count or of the scope's cost; false if n was never run. */
bool sc_judge_actual_count(const sc_judge *judge, uint32_t context, double n, double *value);
/* What the function of the library that a context is the work of goes over at size n in places of the same call where
 * no smaller run came; 0 if n was never run. */
double sc_judge_worked_elsewhere(const sc_judge *judge, uint32_t context, double n);
bool sc_judge_actual_total(const sc_judge *judge, double n, double *value);
/* The same of the elapsed time, in seconds. */
bool sc_judge_actual_elapsed(const sc_judge *judge, double n, double *value);
/* What the seconds that passed at size n went to: means over the target runs; false where no such run has it. */
bool sc_judge_actual_parts(const sc_judge *judge, double n, sc_elapsed_parts *parts);
bool sc_judge_was_run(const sc_judge *judge, double n);
/* Whether this one of the target runs was at size n, and at the values of further parameters that the judge is of. */
bool sc_judge_ran(const sc_judge *judge, size_t run, double n);
