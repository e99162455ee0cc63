/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/fit/check.h"
#include "runner/workload/sizes.h"
#include "runner/workload/workload.h"

enum { POINTS_MOST = 10000, PLAIN_BYTES = 64 };

static int refuse_target(const char *text, size_t length, const char *problem)
{
  (void)sc_err_set(SC_E_USAGE, "--at %.*s: %s", (int)(length < 80 ? length : 80), text, problem);
  return sc_err_hint(SC_E_USAGE, "--at 12800,64000, or with several parameters --at n=12800,threads=16");
}

static int add_target_size(sc_targets_axis *axis, double size, bool relative)
{
  size_t capacity = axis->count, flags = axis->count; /* few: growing one by one does */
  SC_TRY(sc_mem_grow(&axis->sizes, &capacity, axis->count + 1, sizeof *axis->sizes));
  SC_TRY(sc_mem_grow(&axis->relative, &flags, axis->count + 1, sizeof *axis->relative));
  axis->sizes[axis->count] = size;
  axis->relative[axis->count++] = relative;
  return 0;
}

static int add_target_plain(sc_targets_axis *axis, const char *text, size_t length)
{
  double *sizes = NULL;
  size_t count = 0;
  char *copy = sc_mem_new(length + 1, 1);
  int err = copy ? 0 : SC_E_NOMEM;
  if (!copy)
    return err;
  memcpy(copy, text, length);
  if (sc_workload_parse_sizes(copy, &sizes, &count) < 0)
    err = sc_err_prefix(SC_E_USAGE, "--at");
  for (size_t i = 0; err == 0 && i < count; i++)
    err = add_target_size(axis, sizes[i], false);
  free(sizes);
  free(copy);
  return err;
}

/* The sizes of one axis: what lies between multiples is a list as --at has it elsewhere ("1,000,000" is one size). */
static int add_target_sizes(sc_targets_axis *axis, const char *text, size_t length)
{
  const char *end = text + length, *from = text;
  for (const char *at = text; at < end;) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    size_t one = (size_t)((comma ? comma : end) - at);
    double factor = sc_sizes_multiple(at, one);
    if (factor > 0 && factor <= SC_CHECK_SIZE_MOST) {
      if (at > from)
        SC_TRY(add_target_plain(axis, from, (size_t)(at - from)));
      SC_TRY(add_target_size(axis, factor, true));
      from = comma ? comma + 1 : end;
    }
    at = comma ? comma + 1 : end;
  }
  if (from < end)
    SC_TRY(add_target_plain(axis, from, (size_t)(end - from)));
  return axis->count ? 0 : refuse_target(text, length, "a size is missing");
}

static int add_axis(sc_targets_group *group, const char *name, size_t name_length, const char *sizes, size_t length)
{
  size_t capacity = group->count;
  SC_TRY(sc_mem_grow(&group->axes, &capacity, group->count + 1, sizeof *group->axes));
  sc_targets_axis *axis = &group->axes[group->count++];
  *axis = (sc_targets_axis){0};
  if (name) {
    if (!name_length)
      return refuse_target(name, length, "a name is missing before =");
    axis->name = sc_mem_new(name_length + 1, 1);
    if (!axis->name)
      return SC_E_NOMEM;
    memcpy(axis->name, name, name_length);
  }
  for (size_t i = 0; i + 1 < group->count; i++)
    if (name && group->axes[i].name && strcmp(group->axes[i].name, axis->name) == 0)
      return refuse_target(name, name_length, "the parameter is there twice");
  return add_target_sizes(axis, sizes, length);
}

/* "n=1,2,threads=3": an axis ends before the name of the next. */
static int parse_target_group(const char *text, size_t length, sc_targets_group *group)
{
  const char *end = text + length, *equals = memchr(text, '=', length);
  if (!equals)
    return add_axis(group, NULL, 0, text, length);
  for (const char *name = text; name;) {
    const char *sizes = equals + 1, *stop = end, *following = memchr(sizes, '=', (size_t)(end - sizes));
    if (following)
      for (stop = following; stop > sizes && stop[-1] != ',';)
        stop--;
    SC_TRY(add_axis(group, name, (size_t)(equals - name), sizes, (size_t)(stop - sizes) - (following && stop > sizes)));
    name = following ? stop : NULL;
    equals = following;
  }
  return 0;
}

int sc_targets_parse(const char *list, sc_targets *targets)
{
  *targets = (sc_targets){0};
  size_t capacity = 0;
  for (size_t length; list && *list; list += length + (list[length] != '\0')) {
    length = strcspn(list, ";");
    if (length == 0)
      continue;
    SC_TRY(sc_mem_grow(&targets->groups, &capacity, targets->count + 1, sizeof *targets->groups));
    targets->groups[targets->count] = (sc_targets_group){0};
    SC_TRY(parse_target_group(list, length, &targets->groups[targets->count++]));
  }
  return 0;
}

void sc_targets_free(sc_targets *targets)
{
  for (size_t i = 0; i < targets->count; i++) {
    for (size_t k = 0; k < targets->groups[i].count; k++) {
      free(targets->groups[i].axes[k].name);
      free(targets->groups[i].axes[k].sizes);
      free(targets->groups[i].axes[k].relative);
    }
    free(targets->groups[i].axes);
  }
  free(targets->groups);
  *targets = (sc_targets){0};
}

static bool target_anywhere(const sc_store *store, const char *name, sc_buf *all)
{
  bool found = false;
  for (size_t i = 0; i < sc_store_set_count(store); i++)
    for (size_t k = 0; k < sc_store_get_set(store, i)->count; k++) {
      const char *other = sc_store_get_set(store, i)->names[k];
      char plain[PLAIN_BYTES];
      sc_check_plain((sc_view){other, strlen(other)}, plain, sizeof plain);
      found |= strcmp(other, name) == 0;
      if (all->length < 200)
        sc_buf_printf(all, "%s%s", all->length ? ", " : "", plain);
    }
  return found;
}

int sc_targets_check(const sc_targets *targets, const sc_store *store)
{
  for (size_t i = 0; i < targets->count; i++)
    for (size_t k = 0; k < targets->groups[i].count; k++) {
      const char *name = targets->groups[i].axes[k].name;
      sc_buf all = {0};
      bool found = !name || target_anywhere(store, name, &all);
      if (!found) {
        (void)sc_err_set(SC_E_USAGE, "--at: no series has a parameter %s", name);
        (void)sc_err_hint(SC_E_USAGE, "the parameters are: %s", all.length ? all.text : "none");
      }
      sc_buf_free(&all);
      if (!found)
        return SC_E_USAGE;
    }
  return 0;
}

static int left_out(const sc_store_series *series, size_t parameter, const double *low, const double *high)
{
  char names[SC_STORE_PARAMETERS * PLAIN_BYTES] = "", plain[PLAIN_BYTES], missing[PLAIN_BYTES] = "";
  size_t length = 0;
  for (size_t p = 0; p < series->set->count && length < sizeof names; p++) {
    sc_check_plain((sc_view){series->set->names[p], strlen(series->set->names[p])}, plain, sizeof plain);
    if (low[p] < high[p])
      length += (size_t)snprintf(names + length, sizeof names - length, "%s%s=SIZE", length ? "," : "", plain);
    if (p == parameter)
      memcpy(missing, plain, sizeof missing);
  }
  (void)sc_err_set(SC_E_USAGE, "series %s varies %s, but --at does not say which size of it",
                   sc_check_series(series->callpath, series->metric).text, missing);
  return sc_err_hint(SC_E_USAGE, "name all parameters that vary: --at %s", names);
}

/* The axis of each of the set's parameters; NULL: it keeps its one size. */
static int choose_axes(const sc_targets_group *group, const sc_store_series *series, const double *low,
                       const double *high, const sc_targets_axis **axes)
{
  size_t varying = 0;
  for (size_t p = 0; p < series->set->count; p++)
    varying += low[p] < high[p];
  for (size_t p = 0; p < series->set->count; p++) {
    bool sole = series->set->count == 1 || (varying == 1 && low[p] < high[p]);
    axes[p] = NULL;
    for (size_t k = 0; k < group->count; k++)
      if (group->axes[k].name ? strcmp(group->axes[k].name, series->set->names[p]) == 0 : sole)
        axes[p] = &group->axes[k];
    if (!axes[p] && low[p] < high[p])
      return left_out(series, p, low, high);
  }
  return 0;
}

static int add_target_group(const sc_targets_group *group, const sc_store_series *series, const double *low,
                            const double *high, double **points, size_t *capacity, size_t *count)
{
  const sc_targets_axis *axes[SC_STORE_PARAMETERS];
  size_t parameters = series->set->count, all = 1;
  SC_TRY(choose_axes(group, series, low, high, axes));
  for (size_t p = 0; p < parameters; p++) {
    all *= axes[p] ? axes[p]->count : 1;
    if (all + *count > POINTS_MOST)
      return sc_err_hint(sc_err_set(SC_E_USAGE, "--at stands for more than %d points", POINTS_MOST),
                         "it stands for all combinations of its sizes");
  }
  SC_TRY(sc_mem_grow(points, capacity, (*count + all) * parameters, sizeof **points));
  for (size_t i = 0; i < all; i++) {
    double *point = *points + (*count)++ * parameters;
    for (size_t p = parameters, rest = i; p-- > 0;) {
      size_t choices = axes[p] ? axes[p]->count : 1, choice = rest % choices;
      point[p] = axes[p] ? axes[p]->sizes[choice] * (axes[p]->relative[choice] ? high[p] : 1) : low[p];
      rest /= choices;
    }
  }
  return 0;
}

int sc_targets_expand(const sc_targets *targets, const sc_store_series *series, const double *low, const double *high,
                      double **points, size_t *capacity, size_t *count)
{
  *count = 0;
  for (size_t i = 0; i < targets->count && series->set->count; i++)
    SC_TRY(add_target_group(&targets->groups[i], series, low, high, points, capacity, count));
  return 0;
}
