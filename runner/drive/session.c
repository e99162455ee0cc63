/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the command line's options to those of a drive: the one place where both are known. */
#include "runner/drive/session.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "profiles/scprof/trace.h"
#include "runner/judge/judge.h"
#include "runner/judge/named.h"
#include "runner/process/interrupt.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"
#include "transitions/model/elapsed.h"

/* The paper's models default to the paper's sizes. */
static enum sc_drive_refine choose_refinement(const sc_options *options)
{
  const char *refine = options->refine ? options->refine : options->models;
  return refine && strcmp(refine, "delta-infer") == 0 ? SC_DRIVE_REFINE_ALGORITHM : SC_DRIVE_REFINE_TARGET;
}

static int check_trace(uint64_t entries)
{
  if (entries <= SC_TRACE_MOST)
    return 0;
  (void)sc_err_set(SC_E_USAGE, "--trace %" PRIu64 ": no more than %d events are kept of each thread", entries,
                   SC_TRACE_MOST);
  return sc_err_hint(SC_E_USAGE, "--trace %d, or fewer: each takes 32 bytes", SC_TRACE_MOST);
}

int sc_session_open(const sc_options *options, const sc_workload *workload, sc_session *session)
{
  sc_progress_open(&session->progress, stderr, options->quiet, workload->parameter);
  session->drive = (sc_drive_options){
      .study_path = sc_named_study(options),
      .workload_path = options->verb == SC_VERB_RUN ? options->operand : NULL,
      .event = options->event,
      .frequency = options->frequency,
      .uprobes = options->verb == SC_VERB_RUN ? options->uprobes : NULL,
      .probe_sets = options->verb == SC_VERB_RUN ? options->probe_sets : NULL,
      .plain = options->verb == SC_VERB_RUN ? options->plain : NULL,
      .trace = options->trace,
      .refine = choose_refinement(options),
      .precision = options->precision,
      .budget_seconds = options->budget,
      .timeout_seconds = options->timeout,
      .seed = options->seed,
      .max_iterations = options->max_iterations,
      .prediction_error = options->error,
      .restart = options->restart,
      .keep_scratch = options->keep,
      .interrupted = sc_interrupt_catch(),
      .report = sc_progress_report,
      .user = &session->progress,
  };
  SC_TRY(check_trace(options->trace));
  return sc_judge_fit(options, &session->drive.fit);
}

void sc_session_close(sc_session *session)
{
  sc_progress_close(&session->progress);
  sc_interrupt_release();
}

/* What the study's models say, or -1. */
static double predict_size(const sc_session *session, double n)
{
  sc_loaded loaded;
  if (sc_loaded_read(session->drive.study_path, &session->drive.fit, &n, 1, &loaded) < 0)
    return -1;
  double seconds = sc_elapsed_expected(loaded.analysis, n);
  sc_loaded_free(&loaded);
  return seconds;
}

static void warn_if_long(sc_session *session, const sc_workload *workload, double n, double seconds)
{
  double timeout = session->drive.timeout_seconds > 0 ? session->drive.timeout_seconds : workload->command.timeout;
  char text[300], hint[200];
  if (seconds < SC_SESSION_VERY_LONG || timeout > 0 || (session->progress.terminal && !session->progress.quiet))
    return;
  snprintf(text, sizeof text, "%s = %s is predicted to take %s", workload->parameter, sc_format_number(n).s,
           sc_format_seconds(seconds).s);
  snprintf(hint, sizeof hint, "--timeout TIME stops it after that time; `scale-run ask --at %s=%.17g` only predicts it",
           workload->parameter, n);
  sc_progress_warn(&session->progress, text, hint);
}

static void announce_session(const sc_workload *workload, double n, const double *others, double seconds)
{
  fprintf(stderr, "scale-run: running %s = %s", workload->parameter, sc_format_number(n).s);
  for (size_t i = 0; others && i < workload->other_count; i++)
    fprintf(stderr, ", %s = %s", workload->others[i].name, sc_format_number(others[i]).s);
  fputs(" for real", stderr);
  if (seconds >= 0)
    fprintf(stderr, ", predicted to take %s", sc_format_seconds(seconds).s);
  fputs(seconds > SC_SESSION_LONG ? " (Ctrl-C stops it)\n" : "\n", stderr);
}

int sc_session_verify_varied(sc_session *session, const sc_workload *workload, double n, const double *others,
                             double seconds)
{
  warn_if_long(session, workload, n, seconds);
  if (!session->progress.quiet)
    announce_session(workload, n, others, seconds);
  return sc_drive_verify(workload, &session->drive, n, others);
}

int sc_session_verify(sc_session *session, const sc_workload *workload, double n, double seconds)
{
  return sc_session_verify_varied(session, workload, n, NULL, seconds < 0 ? predict_size(session, n) : seconds);
}

static size_t stored_runs(const char *path)
{
  sc_study *study = NULL;
  size_t runs = 0;
  if (access(path, R_OK) == 0 && sc_study_open(path, SC_STUDY_READ, &study) == 0 &&
      sc_study_run_count(study, &runs) < 0)
    runs = 0;
  sc_study_close(study);
  return runs;
}

int sc_session_explain(const sc_session *session, int err)
{
  if (err != SC_E_INTERRUPTED)
    return err;
  size_t runs = stored_runs(session->drive.study_path);
  if (!runs)
    return sc_err_set(err, "interrupted before the first run was finished");
  (void)sc_err_set(err, "interrupted; %s kept in %s", sc_format_plural(runs, "run").s, session->drive.study_path);
  return sc_err_hint(err, "the same command resumes from there%s",
                     session->drive.restart ? " (without --restart, which would start anew)" : "");
}
