/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/report_json.h"
#include "runner/report_text.h"
#include "runner/report_untold.h"
#include "runner/review/notice.h"
#include "runner/session.h"
#include "runner/store.h"
#include "runner/verb.h"

static int usage(const char *message)
{
  (void)sc_err_set(SC_E_USAGE, "%s", message);
  return sc_err_hint(SC_E_USAGE, "scale-run run -P n=100..6400 -- ./prog {n}, or scale-run run WORKLOAD.xml");
}

static int check_usage(const sc_options *options)
{
  if (options->operand && options->program)
    return usage("a workload file and a program behind -- exclude each other");
  if (options->operand && options->parameter)
    return usage("-P belongs to a program behind --; a workload file has its own parameter");
  if (options->operand && (options->kind || options->task))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--%s belongs to a program behind --; a workload file says it itself",
                                  options->kind ? "kind" : "task"),
                       options->kind ? "<parameter name=\"...\" kind=\"%s\">" : "<task function=\"%s\"/>",
                       options->kind ? options->kind : options->task);
  if (!options->operand && !options->program)
    return usage(options->parameter ? "-P is there, but no program behind --" : "say what to run");
  if (!options->operand && !options->parameter)
    return usage("the program behind -- needs -P: the parameter and its sizes");
  return 0;
}

/* --at as plain numbers, as a command line's workload stores them. */
static int plain_targets(const sc_options *options, const char *parameter, double **targets, size_t *count,
                         sc_buf *text)
{
  *targets = NULL;
  *count = 0;
  if (!options->at)
    return 0;
  SC_TRY(sc_options_sizes(options->at, parameter, 0, targets, count));
  for (size_t i = 0; i < *count; i++)
    sc_buf_printf(text, "%s%.17g", i ? ";" : "", (*targets)[i]);
  return sc_buf_finish(text);
}

static int load_workload(const sc_options *options, sc_workload **workload)
{
  sc_buf text = {0};
  double *targets = NULL;
  size_t count = 0;
  int err;
  *workload = NULL;
  if (options->program) {
    size_t length = strcspn(options->parameter, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), options->parameter);
    SC_GOTO(plain_targets(options, name, &targets, &count, &text));
    const sc_workload_words words = {options->parameter, text.text, options->kind, options->task};
    SC_GOTO(sc_workload_from_command(&words, options->program, workload));
    goto out;
  }
  SC_GOTO(sc_workload_load(options->operand, workload));
  SC_GOTO(plain_targets(options, (*workload)->parameter, &targets, &count, &text));
  if (count) {
    free((*workload)->targets);
    (*workload)->targets = targets;
    (*workload)->target_count = count;
    targets = NULL;
  }
out:
  free(targets);
  sc_buf_free(&text);
  return err;
}

static int print_result(const sc_options *options, const sc_judge *judge, const sc_notices *notices)
{
  sc_report_text_options text = {
      .brief = true, .notices = notices, .width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  if (options->json)
    return sc_report_json_print(stdout, judge, notices);
  SC_TRY(sc_report_text_print(stdout, judge, &text));
  if (options->verify <= 0)
    return 0;
  putchar('\n');
  return sc_report_compare_print(stdout, judge, options->verify, &text);
}

/* The end of a run: what was found is stored, said in brief, and judged by --fail-on. */
static int conclude(const sc_options *options)
{
  sc_judge judge;
  sc_notices notices = {0};
  int err = sc_judge_open(options, &judge);
  if (err < 0)
    goto out;
  SC_GOTO(sc_store_analysis(&judge));
  SC_GOTO(sc_notices_of_study(&judge, &notices));
  SC_GOTO(sc_notices_accept_default(&notices, options));
  if (!options->no_report)
    SC_GOTO(print_result(options, &judge, &notices));
  err = sc_notices_status(&notices, options->fail_on);
  if (err == 0)
    err = sc_report_lost_status(&judge);
out:
  sc_notices_free(&notices);
  sc_judge_close(&judge);
  return err;
}

static int drive(const sc_options *options, const sc_workload *workload)
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
  SC_GOTO(load_workload(options, &workload));
  if (options->print_workload) {
    size_t length = strlen(workload->source);
    printf("%s%s", workload->source, length && workload->source[length - 1] == '\n' ? "" : "\n");
    goto out;
  }
  SC_GOTO(drive(options, workload));
  err = conclude(options);
out:
  sc_workload_free(workload);
  return err;
}
