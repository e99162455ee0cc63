/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/session.h"

#include <unistd.h>

#include "runner/format.h"
#include "runner/interrupt.h"
#include "runner/judge.h"

static const double long_run = 60; /* seconds */

int sc_session_open(const sc_options *options, const sc_workload *workload, sc_session *session)
{
  sc_progress_open(&session->progress, stderr, options->quiet, workload);
  session->drive = (sc_drive_options){
      .study_path = sc_judge_study(options),
      .workload_path = options->verb == SC_VERB_RUN ? options->operand : NULL,
      .event = options->event,
      .frequency = options->frequency,
      .budget_seconds = options->budget,
      .seed = options->seed,
      .max_iterations = options->max_iterations,
      .prediction_error = options->error,
      .restart = options->restart,
      .keep_scratch = options->keep,
      .interrupted = sc_interrupt_catch(),
      .report = sc_progress_report,
      .user = &session->progress,
  };
  return sc_judge_fit(options, &session->drive.fit);
}

void sc_session_close(sc_session *session)
{
  sc_progress_close(&session->progress);
  sc_interrupt_release();
}

int sc_session_verify(sc_session *session, const sc_workload *workload, double n, double seconds)
{
  if (!session->progress.quiet) {
    fprintf(stderr, "scale-run: running %s = %s for real", workload->parameter, sc_format_number(n).s);
    if (seconds >= 0)
      fprintf(stderr, ", predicted to take %s", sc_format_seconds(seconds).s);
    fputs(seconds > long_run ? " (Ctrl-C stops it)\n" : "\n", stderr);
  }
  return sc_drive_verify(workload, &session->drive, n);
}

static size_t stored_runs(const char *path)
{
  sc_study *study = NULL;
  sc_graph *graph = NULL;
  size_t runs = 0;
  if (access(path, R_OK) == 0 && sc_study_open(path, SC_STUDY_READ, &study) == 0 && sc_graph_new(&graph) == 0 &&
      sc_study_load(study, graph) == 0)
    runs = sc_graph_run_count(graph);
  sc_graph_free(graph);
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
  return sc_err_hint(err, "the same command goes on from there%s",
                     session->drive.restart ? " (without --restart, which would start anew)" : "");
}
