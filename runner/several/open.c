/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study judged where --at says, at other values of further parameters, too. */
#include "runner/several/open.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/baseline/baseline.h"
#include "runner/judge/named.h"
#include "runner/several/several.h"

static int refuse_others(const sc_several *several, const double *at, bool sized)
{
  sc_buf one = {0};
  for (size_t i = sized ? 0 : 1; i < sc_several_parameters(several); i++)
    sc_buf_printf(&one, "%s%s=%.12g", one.length ? "," : "", sc_several_names(several)[i], at[i]);
  (void)sc_err_set(SC_E_USAGE, "--at has several combinations of further parameters, and the answer is of one");
  if (sc_buf_finish(&one) == 0)
    (void)sc_err_hint(SC_E_USAGE, "name one: --at %s", one.text);
  sc_buf_free(&one);
  return SC_E_USAGE;
}

/* Values of further parameters in --at: one combination of them. */
static int one_place(const sc_several *several, const char *at, const char *focused, double *others)
{
  size_t parameters = sc_several_parameters(several), count = 0;
  sc_several_point *points = NULL;
  sc_buf list = {0};
  int err;
  if (!focused) /* points have all parameters */
    sc_buf_printf(&list, "%s=1,", sc_several_names(several)[0]);
  sc_buf_puts(&list, at);
  SC_GOTO(sc_buf_finish(&list));
  SC_GOTO(sc_several_points(several, list.text, &points, &count));
  memcpy(others, points[0].at + 1, (parameters - 1) * sizeof *others);
  for (size_t i = 1; i < count && err == 0; i++)
    if (memcmp(points[i].at + 1, others, (parameters - 1) * sizeof *others) != 0)
      err = refuse_others(several, points[0].at, focused != NULL);
out:
  free(points);
  sc_buf_free(&list);
  return err;
}

/* --at has values of further parameters: the study judged there. */
static int open_elsewhere(const sc_options *options, sc_judge *judge)
{
  sc_options own = *options;
  sc_several *several = NULL;
  char *focused = NULL;
  double others[SC_RUN_OTHERS] = {0};
  sc_judge *base = sc_mem_new(1, sizeof *base);
  int err = base ? 0 : SC_E_NOMEM;
  *judge = (sc_judge){.study = sc_named_study(options)};
  SC_GOTO(err);
  SC_GOTO(sc_several_focused(options, &focused));
  own.at = focused;
  SC_GOTO(sc_judge_open_at_base(&own, base));
  SC_GOTO(sc_several_new(base, &several));
  SC_GOTO(one_place(several, options->at, focused, others));
  SC_GOTO(sc_several_move(several, others, judge));
  judge->base = base; /* closed with the judge from now on */
  base = NULL;
  several = NULL;
  if (options->verb != SC_VERB_EXPORT)
    err = sc_several_move_resources(judge->several, judge);
out:
  free(focused);
  sc_several_free(several);
  if (base)
    sc_judge_close_at_base(base);
  free(base);
  return err;
}

int sc_judge_open(const sc_options *options, sc_judge *judge)
{
  sc_options at = *options;
  at.sweep = at.over = NULL;
  int several = sc_several_asked(&at);
  if (several == 0)
    return sc_judge_open_at_base(options, judge);
  *judge = (sc_judge){.study = sc_named_study(options)};
  return several < 0 ? several : open_elsewhere(options, judge);
}

static const sc_workload_other *find_other(const sc_workload *workload, const char *name, size_t *index)
{
  for (*index = 0; *index < workload->other_count; ++*index)
    if (strcmp(workload->others[*index].name, name) == 0)
      return &workload->others[*index];
  return NULL;
}

/* The head's values of further parameters, in the order of the base's workload. What only the base varies stays at its
 * base value. */
static int match_others(const sc_judge *head, const sc_judge *base, double *others)
{
  const sc_workload *of_head = head->loaded.workload, *of_base = base->loaded.workload;
  size_t at;
  sc_workload_base(of_base, others);
  for (size_t i = 0; i < of_head->other_count; i++) {
    if (find_other(of_base, of_head->others[i].name, &at)) {
      others[at] = head->others[i];
      continue;
    }
    (void)sc_err_set(SC_E_MISMATCH, "the base %s does not vary %.60s", base->study, of_head->others[i].name);
    return sc_err_hint(SC_E_MISMATCH, "leave %.60s out of --at, or measure the base with -P %.60s=..., too",
                       of_head->others[i].name, of_head->others[i].name);
  }
  return 0;
}

int sc_judge_open_base(const sc_options *options, const sc_judge *head, sc_judge *judge)
{
  sc_several *several = NULL;
  double others[SC_RUN_OTHERS] = {0};
  if (!head->several)
    return sc_judge_open_at_base_of(options, head, judge);
  *judge = (sc_judge){.study = options->operand};
  SC_TRY(sc_judge_need_file(judge->study));
  if (sc_baseline_is(judge->study))
    return sc_judge_refuse_baseline(judge->study, head->loaded.workload);
  sc_judge *base = sc_mem_new(1, sizeof *base);
  int err = base ? sc_judge_open_at_base_of(options, head, base) : SC_E_NOMEM;
  SC_GOTO(err);
  SC_GOTO(match_others(head, base, others));
  SC_GOTO(sc_several_new(base, &several));
  SC_GOTO(sc_several_move(several, others, judge));
  judge->base = base;
  return sc_several_move_resources(several, judge);
out:
  sc_several_free(several);
  if (base)
    sc_judge_close_at_base(base);
  free(base);
  *judge = (sc_judge){.study = options->operand};
  return err;
}

void sc_judge_close(sc_judge *judge)
{
  sc_judge *base = judge->base;
  sc_several *several = (sc_several *)judge->several;
  if (!base) {
    sc_judge_close_at_base(judge);
    return;
  }
  sc_several_leave(judge);
  sc_several_free(several);
  sc_judge_close_at_base(base);
  free(base);
}
