/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study judged where --at says, at other values of further parameters, too. */
#include "runner/several/open.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/baseline/baseline.h"
#include "runner/judge/named.h"
#include "runner/several/several.h"

static int refuse_several_others(const sc_several *several, const double *at, bool sized)
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
      err = refuse_several_others(several, points[0].at, focused != NULL);
out:
  free(points);
  sc_buf_free(&list);
  return err;
}

/* A study at the base values of further parameters, and models of all its runs once somebody asks for other values:
 * what judges of it at several places have in common. */
struct sc_judge_shared {
  sc_judge base;
  sc_several *several; /* NULL: nobody asked */
  bool of_base;        /* the study that `diff` compares with */
  bool along;          /* the base has what grows along further parameters */
  bool resources;      /* and resources that turn pathological there */
  char *sizes;         /* of the focused parameter in --at; NULL: none */
  size_t users;
};

static void release_several(sc_judge_shared *shared)
{
  if (!shared || --shared->users)
    return;
  sc_several_leave_beside(&shared->base);
  sc_several_free(shared->several);
  sc_judge_close_at_base(&shared->base);
  free(shared->sizes);
  free(shared);
}

static bool same_sizes(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static sc_judge_shared *find_shared(const sc_judge_cache *cache, bool of_base, const char *sizes)
{
  for (size_t i = 0; cache && i < cache->count; i++)
    if (cache->list[i]->of_base == of_base && same_sizes(cache->list[i]->sizes, sizes))
      return cache->list[i];
  return NULL;
}

static int keep_shared(sc_judge_cache *cache, sc_judge_shared *shared)
{
  if (!cache)
    return 0;
  SC_TRY(sc_mem_grow(&cache->list, &cache->capacity, cache->count + 1, sizeof *cache->list));
  cache->list[cache->count++] = shared;
  shared->users++;
  return 0;
}

/* At the sizes `sizes`, as sc_several_focused has them; `head` NULL: the head itself, else the study to compare it
 * with. One more user in any case; *shared NULL after an error. */
static int open_shared(const sc_options *options, sc_judge_cache *cache, const char *sizes, const sc_judge *head,
                       sc_judge_shared **shared)
{
  int err = SC_E_NOMEM;
  sc_options own = *options;
  own.at = (char *)sizes;
  *shared = find_shared(cache, head != NULL, sizes);
  if (*shared) {
    (*shared)->users++;
    return 0;
  }
  sc_judge_shared *made = sc_mem_new(1, sizeof *made);
  if (!made)
    return err;
  *made = (sc_judge_shared){.of_base = head != NULL, .users = 1};
  made->sizes = sizes ? sc_mem_copy_string(sizes) : NULL;
  if (sizes && !made->sizes)
    goto out;
  SC_GOTO(head ? sc_judge_open_at_base_of(options, head, &made->base) : sc_judge_open_at_base(&own, &made->base));
  SC_GOTO(keep_shared(cache, made));
  *shared = made;
  made = NULL;
out:
  release_several(made);
  return err;
}

/* What grows along further parameters joins the findings at the base, once. */
static int add_several_along(sc_judge_shared *shared)
{
  sc_judge *base = &shared->base;
  if (shared->along || !base->loaded.workload->other_count || sc_baseline_is(base->study))
    return 0;
  shared->along = true;
  int err = shared->several ? 0 : sc_several_new(base, &shared->several);
  if (err == SC_E_TOOLITTLE) /* no other value has been run yet */
    return 0;
  return err < 0 ? err : sc_several_add_along(shared->several, base);
}

/* Resources along further parameters, where a report is of no sizes that somebody named; those that a run is asked for
 * are the study's. */
static int add_several_resources(const sc_options *options, sc_judge_shared *shared)
{
  bool reports = options->verb == SC_VERB_REPORT || options->verb == SC_VERB_LSP;
  if (shared->resources || !shared->several || (!(reports && !options->at) && options->verb != SC_VERB_RUN))
    return 0;
  shared->resources = true;
  return sc_several_add_resources(shared->several, &shared->base);
}

/* The judge at the base values, which takes over the caller's use. */
static int take_base(const sc_options *options, sc_judge_shared *shared, sc_judge *judge)
{
  SC_TRY(add_several_along(shared));
  SC_TRY(add_several_resources(options, shared));
  *judge = shared->base;
  judge->shared = shared;
  return 0;
}

/* The judge where further parameters have the values `others`. */
static int move_shared(sc_judge_shared *shared, const double *others, bool resources, sc_judge *judge)
{
  if (sc_workload_is_base(shared->base.loaded.workload, others))
    SC_TRY(add_several_along(shared));
  SC_TRY(sc_several_move(shared->several, others, judge));
  judge->base = &shared->base;
  judge->shared = shared; /* released with the judge from now on */
  shared->users++;
  return resources ? sc_several_move_resources(shared->several, judge) : 0;
}

/* --at has values of further parameters: the study judged there. */
static int open_elsewhere(const sc_options *options, sc_judge_cache *cache, sc_judge *judge)
{
  sc_judge_shared *shared = NULL;
  char *focused = NULL;
  double others[SC_RUN_OTHERS] = {0};
  int err;
  SC_GOTO(sc_several_focused(options, &focused));
  SC_GOTO(open_shared(options, cache, focused, NULL, &shared));
  if (!shared->several)
    SC_GOTO(sc_several_new(&shared->base, &shared->several));
  SC_GOTO(one_place(shared->several, options->at, focused, others));
  err = move_shared(shared, others, options->verb != SC_VERB_EXPORT, judge);
out:
  free(focused);
  release_several(shared);
  return err;
}

/* The judge at the base values. */
static int open_base_values(const sc_options *options, sc_judge_cache *cache, sc_judge *judge)
{
  sc_judge_shared *shared = NULL;
  char *focused = NULL;
  int err = cache ? sc_several_focused(options, &focused) : 0; /* which the cache finds others with the same sizes by */
  if (err == 0)
    err = open_shared(options, cache, focused ? focused : options->at, NULL, &shared);
  if (err == 0)
    err = take_base(options, shared, judge);
  if (err < 0)
    release_several(shared);
  free(focused);
  return err;
}

int sc_judge_open_in(sc_judge_cache *cache, const sc_options *options, sc_judge *judge)
{
  sc_options at = *options;
  at.sweep = at.over = NULL;
  int several = sc_several_asked(&at);
  *judge = (sc_judge){.study = sc_named_study(options)};
  if (several < 0)
    return several;
  return (several ? open_elsewhere : open_base_values)(options, cache, judge);
}

int sc_judge_open(const sc_options *options, sc_judge *judge) { return sc_judge_open_in(NULL, options, judge); }

int sc_judge_open_unvaried(const sc_options *options, sc_judge *judge) { return sc_judge_open_at_base(options, judge); }

void sc_judge_cache_free(sc_judge_cache *cache)
{
  for (size_t i = 0; i < cache->count; i++)
    release_several(cache->list[i]);
  free(cache->list);
  *cache = (sc_judge_cache){0};
}

/* The head's values of further parameters, in the order of the base's workload. What only the base varies stays at its
 * base value. */
static int match_others(const sc_judge *head, const sc_judge *base, double *others)
{
  const sc_workload *of_head = head->loaded.workload, *of_base = base->loaded.workload;
  sc_workload_base(of_base, others);
  for (size_t i = 0; i < of_head->other_count; i++) {
    size_t at = sc_workload_find_other(of_base, of_head->others[i].name);
    if (at < of_base->other_count) {
      others[at] = head->others[i];
      continue;
    }
    (void)sc_err_set(SC_E_MISMATCH, "the base %s does not vary %.60s", base->study, of_head->others[i].name);
    return sc_err_hint(SC_E_MISMATCH, "leave %.60s out of --at, or measure the base with -P %.60s=..., too",
                       of_head->others[i].name, of_head->others[i].name);
  }
  return 0;
}

int sc_judge_open_base_in(sc_judge_cache *cache, const sc_options *options, const sc_judge *head, sc_judge *judge)
{
  sc_judge_shared *shared = NULL;
  double others[SC_RUN_OTHERS] = {0};
  int err;
  *judge = (sc_judge){.study = options->operand};
  SC_TRY(sc_judge_need_file(judge->study));
  bool baseline = sc_baseline_is(judge->study);
  if (baseline && head->several && !sc_workload_is_base(head->loaded.workload, head->others))
    return sc_judge_refuse_baseline(judge->study, head->loaded.workload);
  SC_GOTO(open_shared(options, cache, head->shared ? head->shared->sizes : NULL, head, &shared));
  if (!head->several || baseline) {
    SC_GOTO(take_base(options, shared, judge));
    return 0;
  }
  SC_GOTO(match_others(head, &shared->base, others));
  if (!shared->several)
    SC_GOTO(sc_several_new(&shared->base, &shared->several));
  err = move_shared(shared, others, true, judge);
out:
  release_several(shared);
  return err;
}

void sc_judge_close(sc_judge *judge)
{
  sc_judge_shared *shared = judge->shared;
  if (!shared) {
    sc_judge_close_at_base(judge);
    return;
  }
  if (judge->several)
    sc_several_leave(judge);
  *judge = (sc_judge){0};
  release_several(shared);
}
