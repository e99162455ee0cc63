/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --at with several parameters. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "runner/baseline/baseline.h"
#include "runner/fit/targets.h"
#include "runner/judge/named.h"
#include "runner/several/internal.h"
#include "runner/text/tuning.h"

enum { POINTS_MOST = 1000 };

bool sc_several_sweeps(const char *range, const char *parameter)
{
  size_t length = strlen(parameter);
  return range && strncmp(range, parameter, length) == 0 && range[length] == '=';
}

static bool sweeps_other(const char *range, const sc_workload *workload)
{
  for (size_t i = 0; i < workload->other_count; i++)
    if (sc_several_sweeps(range, workload->others[i].name))
      return true;
  return false;
}

int sc_several_workload(const char *path, sc_workload **workload)
{
  sc_study *study = NULL;
  int err = sc_study_open(path, SC_STUDY_READ, &study) ?: sc_workload_of_study(study, workload);
  sc_study_close(study);
  if (err == 0 && !*workload) { /* nothing was measured yet when it was left */
    (void)sc_err_set(SC_E_TOOLITTLE, "the study %s holds no workload", path);
    err = sc_err_hint(SC_E_TOOLITTLE, "make one: scale-run run -P n=100..6400 -- ./prog {n}");
  }
  return err;
}

/* The index of the parameter that --over names; 0: the focused one. */
static int find_over(const sc_workload *workload, const char *name)
{
  sc_buf names = {0};
  if (strcmp(name, workload->parameter) == 0)
    return 0;
  size_t other = sc_workload_find_other(workload, name);
  if (other < workload->other_count)
    return 1 + (int)other;
  (void)sc_err_set(SC_E_USAGE, "--over: the study does not vary %.60s", name);
  sc_buf_puts(&names, workload->parameter);
  for (size_t i = 0; i < workload->other_count; i++)
    sc_buf_printf(&names, ", %s", workload->others[i].name);
  if (sc_buf_finish(&names) == 0)
    (void)sc_err_hint(SC_E_USAGE, "its parameters are: %s", names.text);
  sc_buf_free(&names);
  return SC_E_USAGE;
}

int sc_several_asked(const sc_options *options)
{
  const char *path = sc_named_study(options);
  sc_workload *workload = NULL;
  bool at = options->at && strchr(options->at, '='), sweep = options->sweep && strchr(options->sweep, '=');
  if ((!at && !sweep && !options->over) || access(path, R_OK) != 0 || sc_baseline_is(path))
    return 0;
  SC_TRY(sc_several_workload(path, &workload));
  int over = options->over ? find_over(workload, options->over) : 0;
  bool asked = over > 0 || sweeps_other(options->sweep, workload) || (at && sc_named_other(options->at, workload));
  sc_workload_free(workload);
  return over < 0 ? over : asked;
}

int sc_several_focus(const char *at, const char *parameter, char **sizes)
{
  sc_targets targets;
  sc_buf text = {0};
  int err;
  *sizes = NULL;
  SC_GOTO(sc_targets_parse(at, &targets));
  for (size_t g = 0; g < targets.count; g++)
    for (size_t a = 0; a < targets.groups[g].count; a++) {
      const sc_targets_axis *axis = &targets.groups[g].axes[a];
      for (size_t i = 0; axis->name && !strcmp(axis->name, parameter) && i < axis->count; i++)
        sc_buf_printf(&text, "%s%.17g%s", text.length ? ";" : "", axis->sizes[i], axis->relative[i] ? "x" : "");
    }
  if (text.length)
    err = sc_buf_finish(&text);
  *sizes = text.length ? sc_buf_take(&text) : NULL;
out:
  sc_buf_free(&text);
  sc_targets_free(&targets);
  return err;
}

int sc_several_focused(const sc_options *options, char **sizes)
{
  sc_workload *workload = NULL;
  *sizes = NULL;
  int err = sc_several_workload(sc_named_study(options), &workload);
  if (err == 0)
    err = sc_several_focus(options->at, workload->parameter, sizes);
  sc_workload_free(workload);
  return err;
}

static int refuse_unknown_parameter(const sc_several *s, const char *name)
{
  sc_buf names = {0};
  for (size_t i = 0; i < s->parameters; i++)
    sc_buf_printf(&names, "%s%s", i ? ", " : "", s->names[i]);
  (void)sc_err_set(SC_E_USAGE, "--at: the study does not vary %.60s", name);
  if (sc_buf_finish(&names) == 0)
    (void)sc_err_hint(SC_E_USAGE, "its parameters are: %s", names.text);
  sc_buf_free(&names);
  return SC_E_USAGE;
}

static int take_axes(const sc_several *s, const sc_targets_group *group, const sc_targets_axis **axes)
{
  for (size_t a = 0; a < group->count; a++) {
    size_t p = 0;
    while (p < s->parameters && group->axes[a].name && strcmp(group->axes[a].name, s->names[p]) != 0)
      p++; /* without a name it is the focused one */
    if (p == s->parameters)
      return refuse_unknown_parameter(s, group->axes[a].name);
    axes[p] = &group->axes[a];
  }
  return 0;
}

/* What an answer is about where --at has no size of the focused parameter: the study's targets, else ten times the
 * largest value measured. */
static int take_combination_targets(const sc_several *s, sc_targets_axis *axis)
{
  const sc_analysis_options *asked = sc_analysis_get_options(s->judge->loaded.analysis);
  size_t count = asked->target_count ? asked->target_count : 1;
  axis->sizes = sc_mem_new(count, sizeof *axis->sizes);
  axis->relative = sc_mem_new(count, sizeof *axis->relative);
  if (!axis->sizes || !axis->relative)
    return SC_E_NOMEM;
  axis->count = count;
  axis->sizes[0] = SC_SEVERAL_FAR;
  axis->relative[0] = !asked->target_count;
  for (size_t i = 0; i < asked->target_count; i++)
    axis->sizes[i] = asked->targets[i];
  return 0;
}

/* All combinations; what is left out stays at its base. */
static int expand_combination(const sc_several *s, const sc_targets_axis *const *axes, sc_several_point **points,
                              size_t *count)
{
  size_t index[SC_SURFACE_PARAMETERS] = {0}, capacity = *count, p;
  double base[SC_SURFACE_PARAMETERS] = {0};
  sc_workload_base(s->judge->loaded.workload, base + 1);
  do {
    if (*count == POINTS_MOST)
      return sc_err_set(SC_E_USAGE, "--at: more than %d combinations", POINTS_MOST);
    SC_TRY(sc_mem_grow(points, &capacity, *count + 1, sizeof **points));
    sc_several_point *point = &(*points)[(*count)++];
    *point = (sc_several_point){.at = {0}};
    for (p = 0; p < s->parameters; p++) {
      double factor = axes[p] && axes[p]->relative[index[p]] ? s->high[p] : 1;
      point->at[p] = axes[p] ? axes[p]->sizes[index[p]] * factor : base[p];
    }
    for (p = s->parameters; p-- > 0;) { /* the last one runs fastest */
      if (axes[p] && ++index[p] < axes[p]->count)
        break;
      index[p] = 0;
    }
  } while (p < s->parameters);
  return 0;
}

static int refuse_over(const sc_several *s, size_t over)
{
  (void)sc_err_set(SC_E_USAGE, "--over %s looks for %s, but --at names it as well", s->names[over], s->names[over]);
  return sc_err_hint(SC_E_USAGE, "leave %s out of --at", s->names[over]);
}

/* `over`: the parameter that has no values in --at; 0: any may have. */
static int expand_groups(const sc_several *s, const sc_targets *targets, size_t over, sc_several_point **points,
                         size_t *count)
{
  sc_targets_axis asked = {NULL};
  int err;
  SC_GOTO(take_combination_targets(s, &asked));
  for (size_t g = 0; g < targets->count || g == 0; g++) {
    const sc_targets_axis *axes[SC_SURFACE_PARAMETERS] = {NULL};
    if (targets->count)
      SC_GOTO(take_axes(s, &targets->groups[g], axes));
    if (over && axes[over])
      SC_GOTO(refuse_over(s, over));
    axes[0] = axes[0] ? axes[0] : &asked;
    SC_GOTO(expand_combination(s, axes, points, count));
  }
out:
  free(asked.sizes);
  free(asked.relative);
  return err;
}

int sc_several_points_over(const sc_several *s, const char *list, size_t over, sc_several_point **points, size_t *count)
{
  sc_targets targets = {NULL};
  int err;
  *points = NULL;
  *count = 0;
  SC_GOTO(sc_targets_parse(list, &targets));
  err = expand_groups(s, &targets, over, points, count);
out:
  sc_targets_free(&targets);
  if (err < 0) {
    free(*points);
    *points = NULL;
    *count = 0;
  }
  return err;
}

int sc_several_points(const sc_several *s, const char *list, sc_several_point **points, size_t *count)
{
  return sc_several_points_over(s, list, 0, points, count);
}

/* A combination of further parameters, and what --at has of the focused one there. */
typedef struct combination {
  char *others; /* "threads=64", in the workload's order */
  sc_buf sizes; /* "1000000,2000000" */
} combination;

typedef struct combinations {
  const sc_workload *workload;
  combination *list;
  size_t count, capacity;
} combinations;

static void add_combination_number(sc_buf *out, const sc_targets_axis *axis, size_t i)
{
  sc_buf_printf(out, "%.17g%s", axis->sizes[i], axis->relative[i] ? "x" : "");
}

static int add_several_combination(combinations *all, const sc_targets_axis *sizes, char *others)
{
  size_t i = 0;
  while (i < all->count && strcmp(all->list[i].others, others) != 0)
    i++;
  if (i < all->count)
    free(others);
  if (i == all->count) {
    int err = sc_mem_grow(&all->list, &all->capacity, all->count + 1, sizeof *all->list);
    if (err < 0) {
      free(others);
      return err;
    }
    all->list[all->count++] = (combination){.others = others};
  }
  sc_buf *out = &all->list[i].sizes;
  for (size_t k = 0; sizes && k < sizes->count; k++) {
    sc_buf_puts(out, out->length ? "," : "");
    add_combination_number(out, sizes, k);
  }
  return 0;
}

static const sc_targets_axis *find_axis(const sc_targets_group *group, const char *name, bool focused)
{
  for (size_t a = 0; a < group->count; a++)
    if (group->axes[a].name ? strcmp(group->axes[a].name, name) == 0 : focused)
      return &group->axes[a];
  return NULL;
}

/* All combinations of a group; what the workload does not vary stays for whoever reads the lists. */
static int split_group(combinations *all, const sc_targets_group *group)
{
  const char *parameter = all->workload->parameter;
  size_t *index = sc_mem_new(group->count + 1, sizeof *index), a;
  int err = 0;
  if (!index)
    return SC_E_NOMEM;
  const sc_targets_axis *sizes = find_axis(group, parameter, true);
  do {
    sc_buf text = {0};
    for (a = 0; err == 0 && a < group->count; a++)
      if (&group->axes[a] != sizes) {
        sc_buf_printf(&text, "%s%s=", text.length ? "," : "", group->axes[a].name ? group->axes[a].name : "");
        add_combination_number(&text, &group->axes[a], index[a]);
      }
    sc_buf_puts(&text, "");
    err = err == 0 ? sc_buf_finish(&text) : err;
    char *others = err == 0 ? sc_buf_take(&text) : NULL;
    sc_buf_free(&text);
    if (err == 0)
      err = others ? add_several_combination(all, sizes, others) : SC_E_NOMEM;
    for (a = group->count; a-- > 0;) { /* the last one runs fastest */
      if (&group->axes[a] != sizes && ++index[a] < group->axes[a].count)
        break;
      index[a] = 0;
    }
  } while (err == 0 && a < group->count && all->count < POINTS_MOST);
  free(index);
  return err;
}

static int list_combinations(const combinations *all, char ***lists, size_t *count)
{
  *lists = sc_mem_new(all->count + 1, sizeof **lists);
  if (!*lists)
    return SC_E_NOMEM;
  for (; *count < all->count; ++*count) {
    combination *one = &all->list[*count];
    sc_buf text = {0};
    if (one->sizes.length && sc_buf_finish(&one->sizes) == 0)
      sc_buf_printf(&text, "%s=%s%s", all->workload->parameter, one->sizes.text, *one->others ? "," : "");
    sc_buf_puts(&text, one->others);
    (*lists)[*count] = sc_buf_finish(&text) == 0 ? sc_buf_take(&text) : NULL;
    sc_buf_free(&text);
    if (!(*lists)[*count])
      return SC_E_NOMEM;
  }
  return 0;
}

int sc_several_split(const sc_options *options, char ***lists, size_t *count)
{
  sc_targets targets = {NULL};
  sc_workload *workload = NULL;
  combinations all = {NULL};
  int err;
  *lists = NULL;
  *count = 0;
  SC_GOTO(sc_targets_parse(options->at, &targets));
  SC_GOTO(sc_several_workload(sc_named_study(options), &workload));
  all.workload = workload;
  for (size_t g = 0; g < targets.count; g++)
    SC_GOTO(split_group(&all, &targets.groups[g]));
  err = list_combinations(&all, lists, count);
out:
  for (size_t i = 0; i < all.count; i++) {
    free(all.list[i].others);
    sc_buf_free(&all.list[i].sizes);
  }
  free(all.list);
  sc_workload_free(workload);
  sc_targets_free(&targets);
  return err;
}
