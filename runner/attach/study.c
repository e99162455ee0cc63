/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/attach/study.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/compare.h"
#include "base/path.h"
#include "runner/process/machine.h"
#include "runner/process/uprobes_events.h"
#include "runner/workload/expand.h"

/* ---- the size ---- */

static int refuse_size(const char *given)
{
  (void)sc_err_set(SC_E_USAGE, "-P %.80s: one attach is one size: NAME=SIZE", given);
  return sc_err_hint(SC_E_USAGE,
                     "say which load the program is under: -P clients=8; attach again at another one, and both "
                     "are sizes of one study");
}

static bool is_name(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (!(isalnum((unsigned char)text[i]) || text[i] == '_') || (i == 0 && isdigit((unsigned char)text[i])))
      return false;
  return length > 0;
}

static int parse_load_size(const char *given, sc_attached *to)
{
  const char *equals = given ? strchr(given, '=') : NULL;
  snprintf(to->parameter, sizeof to->parameter, "load");
  to->size = 1;
  if (!given)
    return 0;
  if (!equals || strpbrk(given, ";,") || strstr(given, "..") || (size_t)(equals - given) >= sizeof to->parameter ||
      !is_name(given, (size_t)(equals - given)) || sc_workload_parse_size(equals + 1, &to->size) < 0 || !(to->size > 0))
    return refuse_size(given);
  snprintf(to->parameter, sizeof to->parameter, "%.*s", (int)(equals - given), given);
  return 0;
}

/* ---- the workload ---- */

static int compare_attached_sizes(const void *left, const void *right)
{
  return SC_COMPARE(*(const double *)left, *(const double *)right);
}

static void add_attached_number(sc_buf *out, double number)
{
  char text[64];
  sc_expand_number(number, text, sizeof text);
  sc_buf_puts(out, text);
}

/* Sizes of the study with this one, ascending, each once. To be freed. */
static double *list_sizes(const sc_attached *of, size_t *count)
{
  size_t runs = of->graph ? sc_graph_run_count(of->graph) : 0;
  double *sizes = sc_mem_new(runs + 1, sizeof *sizes);
  *count = 0;
  if (!sizes)
    return NULL;
  for (size_t r = 0; r < runs; r++)
    sizes[r] = sc_graph_run_const(of->graph, r)->n;
  sizes[runs] = of->size;
  qsort(sizes, runs + 1, sizeof *sizes, compare_attached_sizes);
  for (size_t i = 0; i <= runs; i++)
    if (*count == 0 || sizes[i] != sizes[*count - 1])
      sizes[(*count)++] = sizes[i];
  return sizes;
}

static void add_element(sc_buf *out, const char *before, const char *text, const char *after)
{
  sc_buf_puts(out, before);
  sc_workload_escape(text, out);
  sc_buf_puts(out, after);
}

static void compose_attached_workload(const sc_attached *of, const sc_attach_options *options, const char *program,
                                      const double *sizes, size_t count, sc_buf *out)
{
  sc_buf_puts(out, "<workload name=\"attached\">\n");
  add_element(out, "  <title>", sc_path_last(program), "</title>\n");
  add_element(out, "  <parameter name=\"", of->parameter, "\" kind=\"");
  sc_buf_puts(out, options->kind ? options->kind : sc_workload_kind_name(sc_workload_kind_by_name(of->parameter)));
  sc_buf_puts(out, "\">\n    <range low=\"");
  add_attached_number(out, sizes[0]);
  sc_buf_puts(out, "\" high=\"");
  add_attached_number(out, count > 1 ? sizes[count - 1] : 2 * sizes[0]);
  sc_buf_puts(out, "\"/>\n    <first>");
  for (size_t i = 0; i < count; i++) {
    sc_buf_puts(out, i ? " " : "");
    add_attached_number(out, sizes[i]);
  }
  sc_buf_puts(out, "</first>\n  </parameter>\n");
  add_element(out, "  <command><arg>", program, "</arg></command>\n");
  char *copy = sc_mem_copy_string(options->tasks ? options->tasks : ""), *rest = copy;
  for (const char *task; copy && (task = strsep(&rest, ";"));)
    if (*task)
      add_element(out, "  <task function=\"", task, "\"/>\n");
  free(copy);
  sc_buf_puts(out, "</workload>\n");
}

static int make_workload(sc_attached *of, const sc_attach_options *options, const char *program)
{
  sc_buf text = {0};
  size_t count;
  double *sizes = list_sizes(of, &count);
  int err = sizes ? 0 : SC_E_NOMEM;
  if (err == 0) {
    compose_attached_workload(of, options, program, sizes, count, &text);
    err = sc_buf_finish(&text) ?: sc_workload_parse(text.text, "attach", &of->workload);
  }
  free(sizes);
  sc_buf_free(&text);
  return err;
}

/* ---- the study ---- */

static int refuse_other_study(const sc_attach_options *options, const char *how)
{
  (void)sc_err_set(SC_E_MISMATCH, "the study %s %s", options->study_path, how);
  return sc_err_hint(SC_E_MISMATCH, "write another study: -o FILE");
}

static int refuse_nothing(const sc_attach_options *options)
{
  (void)sc_err_set(SC_E_USAGE, "attach probes what --probes or --uprobes says, and neither is there");
  return sc_err_hint(SC_E_USAGE, "scale-run attach %d --probes SET.json, or --uprobes FUNCTION,...",
                     (int)options->process);
}

static int get_study_text(sc_study *study, const char *key, char **text)
{
  SC_TRY(sc_study_get(study, key, text));
  if (!*text)
    *text = sc_mem_copy_string("");
  return *text ? 0 : SC_E_NOMEM;
}

/* What the study probes, which stays the same over its runs. */
static int choose_probes(sc_attached *of, const sc_attach_options *options)
{
  bool given = options->uprobes || options->probe_sets, begun = sc_graph_run_count(of->graph) > 0;
  char *sets = NULL;
  SC_TRY(get_study_text(of->study, "uprobes", &of->uprobes));
  SC_TRY(get_study_text(of->study, "uprobe_sets", &of->sets));
  if (given && options->probe_sets)
    SC_TRY(sc_uprobes_sets(options->probe_sets, &sets));
  if (given && !sets && !(sets = sc_mem_copy_string("")))
    return SC_E_NOMEM;
  const char *names = options->uprobes ? options->uprobes : "";
  int err = 0;
  if (given && begun && (strcmp(names, of->uprobes) != 0 || strcmp(sets, of->sets) != 0))
    err = refuse_other_study(options, "probes other functions");
  else if (!given && !(begun && (*of->uprobes || *of->sets)))
    err = refuse_nothing(options);
  else if (given) {
    free(of->uprobes);
    free(of->sets);
    of->sets = sets;
    sets = NULL;
    of->uprobes = sc_mem_copy_string(names);
    err = of->uprobes ? 0 : SC_E_NOMEM;
  }
  free(sets);
  return err;
}

/* Counts of other things are not comparable. */
static int choose_per(sc_attached *of, const sc_attach_options *options)
{
  SC_TRY(get_study_text(of->study, "attach_per", &of->per));
  if (!options->per)
    return 0;
  if (sc_graph_run_count(of->graph) && strcmp(of->per, options->per) != 0)
    return refuse_other_study(options,
                              *of->per ? "tells counts for calls of another function" : "tells counts for a time");
  free(of->per);
  of->per = sc_mem_copy_string(options->per);
  return of->per ? 0 : SC_E_NOMEM;
}

static int check_known(sc_attached *of, const sc_attach_options *options)
{
  char hash[17], *known = NULL;
  int err;
  if (!sc_graph_run_count(of->graph))
    return 0;
  SC_GOTO(sc_study_get_number(of->study, "attached", &of->window));
  SC_GOTO(sc_study_get(of->study, "workload_hash", &known));
  SC_GOTO(sc_workload_hash(of->workload, hash));
  if (!(of->window > 0))
    err = refuse_other_study(options, "was not made by attaching");
  else if (!known || strcmp(known, hash) != 0)
    err = refuse_other_study(options, "is of another program, or another parameter");
out:
  free(known);
  return err;
}

int sc_attached_open(const sc_attach_options *options, const char *program, sc_attached *of)
{
  *of = (sc_attached){.lock = -1};
  SC_TRY(parse_load_size(options->parameter, of));
  if (access(options->study_path, F_OK) != 0 && !options->uprobes && !options->probe_sets)
    return refuse_nothing(options);
  SC_TRY(sc_study_open(options->study_path, SC_STUDY_CREATE, &of->study));
  SC_TRY(sc_study_lock(options->study_path, &of->lock));
  SC_TRY(sc_graph_new(&of->graph));
  SC_TRY(sc_study_load_roles(of->study, 1u << SC_RUN_TRAINING | 1u << SC_RUN_VALIDATION, of->graph));
  SC_TRY(make_workload(of, options, program));
  SC_TRY(check_known(of, options));
  SC_TRY(choose_per(of, options));
  return choose_probes(of, options);
}

/* ---- a run ---- */

typedef struct comparing {
  const sc_module *module;
  bool other;
} comparing;

static int compare_known(void *user, const sc_module *known)
{
  comparing *c = user;
  c->other |= strcmp(known->path, c->module->path) == 0 && strcmp(known->build_id, c->module->build_id) != 0;
  return 0;
}

static int check_files(const sc_attached *of, const sc_execute_result *result)
{
  for (size_t i = 0; i < result->module_count; i++) {
    comparing c = {&result->modules[i], false};
    SC_TRY(sc_study_modules(of->study, compare_known, &c));
    if (!c.other)
      continue;
    (void)sc_err_set(SC_E_MISMATCH, "the study was made with another build of %s", result->modules[i].path);
    return sc_err_hint(SC_E_MISMATCH, "write another study: -o FILE; `scale-run diff` compares both");
  }
  return 0;
}

static int put_attached_provenance(const sc_attached *of, double overhead)
{
  char hash[17], window[40], most[40];
  double known;
  sc_buf machine = {0};
  int err;
  SC_GOTO(sc_workload_hash(of->workload, hash));
  SC_GOTO(sc_study_get_number(of->study, "attach_overhead", &known));
  snprintf(window, sizeof window, "%.17g", of->window);
  snprintf(most, sizeof most, "%.17g", fmax(overhead, known));
  sc_machine_describe(&machine);
  SC_GOTO(sc_buf_finish(&machine));
  SC_GOTO(sc_study_put(of->study, "workload", of->workload->source));
  SC_GOTO(sc_study_put(of->study, "workload_hash", hash));
  SC_GOTO(sc_study_put(of->study, "command", of->workload->command.argv[0]));
  SC_GOTO(sc_study_put(of->study, "machine", machine.text));
  SC_GOTO(sc_study_put(of->study, "versions", "scale-run " SCALE_VERSION));
  SC_GOTO(sc_study_put(of->study, "uprobes", of->uprobes));
  SC_GOTO(sc_study_put(of->study, "uprobe_sets", of->sets));
  SC_GOTO(sc_study_put(of->study, "attached", window));
  SC_GOTO(sc_study_put(of->study, "attach_per", of->per));
  err = sc_study_put(of->study, "attach_overhead", most);
out:
  sc_buf_free(&machine);
  return err;
}

int sc_attached_save(sc_attached *of, const sc_execute_result *result, double overhead)
{
  SC_TRY(check_files(of, result));
  SC_TRY(put_attached_provenance(of, overhead));
  SC_TRY(sc_seen_store(of->study, result->seen));
  return sc_study_save_run(of->study, of->graph, result->run, result->modules, result->module_count);
}

void sc_attached_close(sc_attached *of)
{
  sc_graph_free(of->graph);
  sc_workload_free(of->workload);
  sc_study_close(of->study);
  if (of->lock >= 0)
    close(of->lock);
  free(of->uprobes);
  free(of->sets);
  free(of->per);
}
