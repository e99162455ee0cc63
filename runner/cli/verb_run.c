/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run run: measures a program at chosen sizes, and reports what was found. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/cli/conclude.h"
#include "runner/cli/propose.h"
#include "runner/cli/verb.h"
#include "runner/drive/session.h"
#include "runner/judge/named.h"
#include "runner/several/several.h"
#include "runner/workload/sizes.h"

static int run_usage(const char *message)
{
  (void)sc_err_set(SC_E_USAGE, "%s", message);
  return sc_err_hint(SC_E_USAGE, "scale-run run -P n=100..6400 -- ./prog {n}, or scale-run run WORKLOAD.xml");
}

/* Uprobes count calls and catch what probe sets describe, and nothing else. */
static int check_run_uprobes(const sc_options *options)
{
  const char *other = options->trace                                          ? "--trace"
                      : options->discover                                     ? "--discover"
                      : options->event && strcmp(options->event, "none") != 0 ? "--event"
                                                                              : NULL;
  const char *uprobes = options->uprobes ? "--uprobes" : options->probe_sets ? "--probes" : NULL;
  if (!uprobes || !other)
    return 0;
  (void)sc_err_set(SC_E_USAGE, "%s and %s exclude each other", uprobes, other);
  return sc_err_hint(SC_E_USAGE, "%s takes a program that was built with scale-cc", other);
}

static int check_usage(const sc_options *options)
{
  if (options->operand && options->program)
    return run_usage("a workload file and a program behind -- exclude each other");
  if (options->operand && options->parameter)
    return run_usage("-P belongs to a program behind --; a workload file has its own parameter");
  if (options->operand && (options->kind || options->task))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--%s belongs to a program behind --; a workload file says it itself",
                                  options->kind ? "kind" : "task"),
                       options->kind ? "<parameter name=\"...\" kind=\"%s\">" : "<task function=\"%s\"/>",
                       options->kind ? options->kind : options->task);
  SC_TRY(check_run_uprobes(options));
  if (!options->operand && !options->program)
    return run_usage(options->parameter ? "-P is there, but no program behind --" : "say what to run");
  if (!options->operand && !options->parameter)
    return run_usage("the program behind -- needs -P: the parameter and its sizes");
  return 0;
}

/* A list of sizes, and `text`: the same as plain numbers, as a command line's workload stores them. */
static int parse_plain_sizes(const char *list, const char *parameter, double largest, double **sizes, size_t *count,
                             sc_buf *text)
{
  SC_TRY(sc_sizes_parse(list, parameter, largest, sizes, count));
  for (size_t i = 0; i < *count; i++)
    sc_buf_printf(text, "%s%.17g", i ? ";" : "", (*sizes)[i]);
  return sc_buf_finish(text);
}

/* Those in --at; with further parameters they are those of the first. */
static int plain_targets(const sc_options *options, const sc_workload *workload, double **targets, size_t *count,
                         sc_buf *text)
{
  const char *parameter = workload->parameter;
  char *focused = NULL;
  *targets = NULL;
  *count = 0;
  if (!options->at)
    return 0;
  if (sc_named_other(options->at, workload)) {
    SC_TRY(sc_several_focus(options->at, parameter, &focused));
    if (!focused) {
      (void)sc_err_set(SC_E_USAGE, "--at does not say which %s", parameter);
      return sc_err_hint(SC_E_USAGE, "for example --at %s=1e6,%.200s", parameter, options->at);
    }
  }
  int err = parse_plain_sizes(focused ? focused : options->at, parameter, 0, targets, count, text);
  free(focused);
  return err;
}

/* The same of a further parameter: *plain is NULL where --at does not name it. */
static int take_further_targets(const char *at, const sc_workload_other *other, char **plain)
{
  sc_buf text = {0};
  double *targets = NULL;
  size_t count = 0;
  char *named = NULL;
  int err;
  SC_GOTO(sc_several_focus(at, other->name, &named));
  if (named)
    SC_GOTO(parse_plain_sizes(named, other->name, other->values[other->count - 1], &targets, &count, &text));
  *plain = count ? sc_buf_take(&text) : NULL;
out:
  sc_buf_free(&text);
  free(targets);
  free(named);
  return err;
}

static int load_run_workload(const sc_options *options, sc_workload **workload)
{
  char *further[SC_RUN_OTHERS] = {NULL};
  sc_buf text = {0};
  double *targets = NULL;
  size_t count = 0;
  int err;
  *workload = NULL;
  sc_workload_words words = {.parameter = options->parameter, .kind = options->kind, .tasks = options->task};
  SC_GOTO(options->program ? sc_workload_from_command(&words, options->program, workload)
                           : sc_workload_load(options->operand, workload));
  SC_GOTO(plain_targets(options, *workload, &targets, &count, &text));
  for (size_t i = 0; options->at && i < (*workload)->other_count; i++) {
    SC_GOTO(take_further_targets(options->at, &(*workload)->others[i], &further[i]));
    words.others[i] = further[i];
  }
  if (count && options->program) { /* composed once more: its text, which the study keeps, has them */
    sc_workload_free(*workload);
    *workload = NULL;
    words.targets = text.text;
    err = sc_workload_from_command(&words, options->program, workload);
  } else if (count) {
    free((*workload)->targets);
    (*workload)->targets = targets;
    (*workload)->target_count = count;
    targets = NULL;
  }
out:
  for (size_t i = 0; i < SC_RUN_OTHERS; i++)
    free(further[i]);
  free(targets);
  sc_buf_free(&text);
  return err;
}

/* --discover: the resources in the facts of what ran, without what the runs disprove. */
static int propose_run(const sc_options *options)
{
  const char *study = sc_named_study(options);
  const sc_discover_view view = {0};
  sc_discovery *discovery = NULL;
  int err;
  err = sc_discover_loaded(study, NULL, NULL, &discovery);
  if (err == SC_E_INPUT)
    (void)sc_err_hint(
        err, "build it with scale-cc --scale-facts; the runs are kept: scale-run discover PROGRAM --study %s", study);
  SC_GOTO(err);
  SC_GOTO(sc_discover_check(discovery, &study, 1));
  SC_GOTO(sc_propose_write(options->discover, discovery, &view));
  if (!options->json && !options->no_report) {
    putchar('\n');
    sc_propose_print(options->discover, discovery, &view);
  }
out:
  sc_discovery_free(discovery);
  return err;
}

static int drive_run(const sc_options *options, const sc_workload *workload)
{
  sc_session session;
  int err;
  SC_GOTO(sc_session_open(options, workload, &session));
  SC_GOTO(sc_drive_study(workload, &session.drive));
  SC_GOTO(sc_judge_remember(options));
  if (options->verify > 0) {
    session.drive.restart = false;
    SC_GOTO(sc_session_verify(&session, workload, options->verify, -1));
  }
out:
  err = sc_session_explain(&session, err);
  sc_session_close(&session);
  return err;
}

int sc_verb_run(const sc_options *options)
{
  sc_workload *workload = NULL;
  int err;
  SC_GOTO(check_usage(options));
  SC_GOTO(load_run_workload(options, &workload));
  if (options->print_workload) {
    size_t length = strlen(workload->source);
    printf("%s%s", workload->source, length && workload->source[length - 1] == '\n' ? "" : "\n");
    goto out;
  }
  SC_GOTO(drive_run(options, workload));
  int status = sc_conclude(options);
  SC_GOTO(status);
  if (options->discover)
    SC_GOTO(propose_run(options));
  err = status;
out:
  sc_workload_free(workload);
  return err;
}
