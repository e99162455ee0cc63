/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A workload in memory: what it owns, what has to hold between its fields, and the hash by which a study knows its
 * own. Text is read elsewhere: parse.c from XML, command.c from a command line, both through sc_workload_complete. */
#include "runner/workload/workload.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "regress/core/sizes.h"
#include "runner/workload/expand.h"
#include "runner/workload/internal.h"

sc_workload *sc_workload_new(void)
{
  sc_workload *workload = sc_mem_new(1, sizeof *workload);
  if (workload)
    workload->repeats = 1;
  return workload;
}

static void free_command(sc_command *command)
{
  sc_mem_free_list(command->argv);
  sc_mem_free_list(command->environment);
  free(command->stdin_file);
  free(command->stdout_file);
  free(command->directory);
}

static void free_commands(sc_command *commands, size_t count)
{
  for (size_t i = 0; i < count; i++)
    free_command(&commands[i]);
  free(commands);
}

static void free_generators(sc_generator *generators, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    for (size_t p = 0; p < generators[i].part_count; p++) {
      free(generators[i].parts[p].text);
      free(generators[i].parts[p].repeat);
    }
    free(generators[i].parts);
    free(generators[i].family);
    free(generators[i].file);
  }
  free(generators);
}

static void free_service(sc_service *service)
{
  if (!service)
    return;
  free_command(&service->command);
  free(service->wait_file);
  free(service->wait_output);
  free(service);
}

static void free_others(sc_workload *workload)
{
  for (size_t i = 0; i < workload->other_count; i++) {
    free(workload->others[i].name);
    free(workload->others[i].unit);
    free(workload->others[i].values);
    free(workload->others[i].targets);
  }
}

void sc_workload_free(sc_workload *workload)
{
  if (!workload)
    return;
  free(workload->name);
  free(workload->title);
  if (workload->found) {
    free(workload->found->what);
    free(workload->found->place);
    free(workload->found->function);
    free(workload->found->file);
    free(workload->found);
  }
  free(workload->parameter);
  free(workload->unit);
  free(workload->first);
  free(workload->targets);
  free_commands(workload->setup, workload->setup_count);
  free_commands(workload->prepare, workload->prepare_count);
  free_commands(workload->cleanup, workload->cleanup_count);
  free_commands(workload->teardown, workload->teardown_count);
  free_generators(workload->generators, workload->generator_count);
  free_command(&workload->command);
  free_service(workload->service);
  for (size_t i = 0; i < workload->root_count; i++)
    free(workload->roots[i]);
  free(workload->roots);
  free_others(workload);
  sc_workload_free_tasks(workload);
  for (size_t i = 0; i < workload->budget_count; i++)
    sc_workload_free_budget(&workload->budgets[i]);
  free(workload->budgets);
  free(workload->source);
  free(workload);
}

/* NULL at the end, as exec wants its lists. Counted anew each time: they have a handful of entries. */
int sc_workload_append(char ***list, const char *text)
{
  size_t count = 0;
  while (*list && (*list)[count])
    count++;
  char *copy = sc_mem_copy_string(text);
  char **larger = copy ? realloc(*list, (count + 2) * sizeof **list) : NULL;
  if (!larger) {
    free(copy);
    return sc_err_set(SC_E_NOMEM, "out of memory");
  }
  larger[count] = copy;
  larger[count + 1] = NULL;
  *list = larger;
  return 0;
}

/* Errors here have no file name or line, as the fields may come from a command line; whoever knows the line adds it. */
static int check_sizes(const sc_workload *workload)
{
  if (!(workload->range_low < workload->range_high)) {
    (void)sc_err_set(SC_E_INPUT, "the fitting range %g..%g of %s is empty", workload->range_low, workload->range_high,
                     workload->parameter);
    return sc_err_hint(SC_E_INPUT, "low has to be below high, and a factor of 8 or more between them helps the models");
  }
  if (workload->validation_low > workload->range_low || workload->validation_high < workload->range_high) {
    (void)sc_err_set(SC_E_INPUT, "the validation range %g..%g does not include the fitting range %g..%g",
                     workload->validation_low, workload->validation_high, workload->range_low, workload->range_high);
    return sc_err_hint(SC_E_INPUT, "leave it out to get %g..%g", workload->range_low, 2 * workload->range_high);
  }
  for (size_t i = 0; i < workload->first_count; i++)
    if (workload->first[i] < workload->range_low || workload->first[i] > workload->range_high) {
      (void)sc_err_set(SC_E_INPUT, "the first size %g is outside of the fitting range %g..%g", workload->first[i],
                       workload->range_low, workload->range_high);
      return sc_err_hint(SC_E_INPUT, "widen the range, or leave the first sizes out to have them chosen");
    }
  return 0;
}

/* Sizes are a set: in which order, or how often, somebody wrote them must not matter to what is run. */
static void sort_sizes(double *values, size_t *count)
{
  size_t kept = 0;
  gsl_sort(values, 1, *count);
  for (size_t i = 0; i < *count; i++)
    if (kept == 0 || values[i] != values[kept - 1])
      values[kept++] = values[i];
  *count = kept;
}

/* A placeholder stands for one thing: these names are taken (expand.h). */
static int check_name(const char *name)
{
  static const char *const reserved[] = {"dir", "shared", "i"};
  for (size_t i = 0; i < 3; i++)
    if (!strcmp(name, reserved[i])) {
      (void)sc_err_set(SC_E_INPUT, "the parameter cannot be called \"%s\"", reserved[i]);
      return sc_err_hint(SC_E_INPUT, "{%s} stands for something else; call it n, for example", reserved[i]);
    }
  return 0;
}

/* Without a validation range a size twice as large as the range's end may be run, so that models are also judged by
 * one that they were not fitted to. */
int sc_workload_complete(sc_workload *workload)
{
  SC_TRY(check_name(workload->parameter));
  if (!(workload->validation_low > 0))
    workload->validation_low = workload->range_low;
  if (!(workload->validation_high > 0))
    workload->validation_high = 2 * workload->range_high;
  sort_sizes(workload->first, &workload->first_count);
  sort_sizes(workload->targets, &workload->target_count);
  return check_sizes(workload);
}

static bool is_whole_size(double value) { return value == floor(value); }

bool sc_workload_has_whole_sizes(const sc_workload *workload)
{
  bool all = is_whole_size(workload->range_low) && is_whole_size(workload->range_high);
  for (size_t i = 0; i < workload->first_count; i++)
    all = all && is_whole_size(workload->first[i]);
  return all;
}

double sc_workload_round_up(const sc_workload *workload, double n)
{
  double size = sc_sizes_round_up(n);
  return sc_workload_has_whole_sizes(workload) ? ceil(size) : size;
}

/* Nobody may run a size above the range: a list of sizes on the command line means these and no others. */
bool sc_workload_is_closed(const sc_workload *workload) { return workload->validation_high <= workload->range_high; }

bool sc_workload_may_open(const sc_workload *workload)
{
  return sc_workload_is_closed(workload) && !workload->first_count;
}

/* The NULL at the end of each list keeps {"a", "b"} {} from hashing as {"a"} {"b"}. */
static uint64_t hash_list(uint64_t hash, char *const *list)
{
  for (; list && *list; list++)
    hash = sc_hash_string(hash, *list);
  return sc_hash_string(hash, NULL);
}

/* What decides what a run does. Timeouts, expected status and where the output goes do not: changing them keeps the
 * runs. */
static uint64_t hash_commands(uint64_t hash, const sc_command *commands, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    hash = hash_list(hash, commands[i].argv);
    hash = hash_list(hash, commands[i].environment);
    hash = sc_hash_string(hash, commands[i].stdin_file);
    hash = sc_hash_string(hash, commands[i].directory);
  }
  return sc_hash_string(hash, NULL);
}

/* A workload of one parameter has the hash that it always had. */
static uint64_t hash_others(const sc_workload *workload, uint64_t hash)
{
  for (size_t i = 0; i < workload->other_count; i++) {
    char base[64];
    sc_expand_number(workload->others[i].base, base, sizeof base);
    hash = sc_hash_string(hash, workload->others[i].name);
    hash = sc_hash_string(hash, base);
  }
  return hash;
}

/* Ranges, targets, budgets and tasks are left out: they say what to run and to ask, not what a run at one size is, so
 * that a study can be resumed when they change. */
int sc_workload_hash(const sc_workload *workload, char text[17])
{
  uint64_t hash = hash_others(workload, sc_hash_string(SC_HASH_START, workload->parameter));
  hash = hash_commands(hash, workload->setup, workload->setup_count);
  hash = hash_commands(hash, workload->prepare, workload->prepare_count);
  for (size_t i = 0; i < workload->generator_count; i++) {
    const sc_generator *generator = &workload->generators[i];
    hash = sc_hash_string(hash, generator->file);
    if (generator->family)
      hash = sc_hash_string(hash, generator->family);
    for (size_t p = 0; p < generator->part_count; p++) {
      hash = sc_hash_string(hash, generator->parts[p].text);
      hash = sc_hash_string(hash, generator->parts[p].repeat);
    }
    hash = sc_hash_string(hash, NULL);
  }
  if (workload->service)
    hash = hash_commands(hash, &workload->service->command, 1);
  hash = hash_commands(hash, &workload->command, 1);
  hash = hash_commands(hash, workload->cleanup, workload->cleanup_count);
  sc_hash_format(hash, text);
  return 0;
}

/* Parameters beside the focused one. */
_Static_assert((int)SC_RUN_OTHERS == (int)SC_EXPAND_OTHERS, "each has a placeholder");

/* Fewer than three values of a parameter say nothing of its form (regress/surface). */
enum { LEAST_VALUES = 3 };

void sc_workload_base(const sc_workload *workload, double *others)
{
  for (size_t i = 0; i < SC_RUN_OTHERS; i++)
    others[i] = i < workload->other_count ? workload->others[i].base : 0;
}

bool sc_workload_is_base(const sc_workload *workload, const double *others)
{
  for (size_t i = 0; i < workload->other_count; i++)
    if (others[i] != workload->others[i].base)
      return false;
  return true;
}

size_t sc_workload_find_other(const sc_workload *workload, const char *name)
{
  size_t i = 0;
  while (i < workload->other_count && strcmp(workload->others[i].name, name) != 0)
    i++;
  return i;
}

/* Asked for at another value than the base: runs at the base alone cannot answer that. */
bool sc_workload_elsewhere(const sc_workload_other *other)
{
  return other->target_count > 1 || (other->target_count && other->targets[0] != other->base);
}

sc_expand_vars sc_workload_vars(const sc_workload *workload, double n, const double *others)
{
  sc_expand_vars vars = {.parameter = workload->parameter, .n = n};
  for (size_t i = 0; i < workload->other_count; i++) {
    vars.other_names[i] = workload->others[i].name;
    vars.others[i] = others ? others[i] : workload->others[i].base;
  }
  return vars;
}

/* The base has to be among the values: it is where the other parameters are varied from. */
static int check_values(const sc_workload_other *other)
{
  bool base = false;
  for (size_t i = 0; i < other->count; i++)
    base = base || other->values[i] == other->base;
  if (!base) {
    (void)sc_err_set(SC_E_INPUT, "the base value %g of %s is not one of its values", other->base, other->name);
    return sc_err_hint(SC_E_INPUT, "leave base out, and the first value is the base");
  }
  if (other->count >= LEAST_VALUES)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "%s has %zu different value%s: %d or more are needed to see how it matters", other->name,
                   other->count, other->count == 1 ? "" : "s", LEAST_VALUES);
  return sc_err_hint(SC_E_INPUT, "for example %s=1,2,4,8", other->name);
}

static int check_workload_distinct(const sc_workload *workload, size_t index)
{
  const char *name = workload->others[index].name;
  bool twice = strcmp(name, workload->parameter) == 0;
  for (size_t i = 0; i < index; i++)
    twice = twice || strcmp(name, workload->others[i].name) == 0;
  if (!twice)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "two parameters are called %s", name);
  return sc_err_hint(SC_E_INPUT, "each has a name of its own, which stands in braces");
}

int sc_workload_complete_others(sc_workload *workload)
{
  for (size_t i = 0; i < workload->other_count; i++) {
    sc_workload_other *other = &workload->others[i];
    SC_TRY(check_name(other->name));
    SC_TRY(check_workload_distinct(workload, i));
    if (!(other->base > 0))
      other->base = other->values[0];
    sort_sizes(other->values, &other->count);
    sort_sizes(other->targets, &other->target_count);
    SC_TRY(check_values(other));
  }
  return 0;
}

void sc_workload_example(const sc_workload *workload, sc_buf *out)
{
  sc_buf_printf(out, "--at %s=SIZE", workload->parameter);
  for (size_t i = 0; i < workload->other_count; i++)
    sc_buf_printf(out, ",%s=VALUE", workload->others[i].name);
  sc_buf_puts(out, ".");
}
