/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/same.h"
#include "runner/cli/verb.h"
#include "runner/export/export.h"
#include "runner/several/open.h"
#include "runner/text/outfile.h"
#include "runner/text/terminal.h"

static sc_export_write_fn writer(const char *format)
{
  if (sc_same_text(format, "folded"))
    return sc_export_folded;
  if (sc_same_text(format, "speedscope"))
    return sc_export_speedscope;
  if (sc_same_text(format, "callgrind"))
    return sc_export_callgrind;
  return sc_export_pprof;
}

/* What the options ask for together. */
static int check(const sc_options *options)
{
  const char *format = options->export_format ? options->export_format : "pprof";
  bool trace = sc_same_text(format, "trace"), series = sc_same_text(format, "extra-p");
  if (trace && !options->operand) {
    (void)sc_err_set(SC_E_USAGE, "say which raw profiles to take the trace from: a study keeps none");
    return sc_err_hint(SC_E_USAGE,
                       "scale-run run --trace 65536 --keep ..., then scale-run export --format trace FILE.scprof...");
  }
  if (!trace && options->operand_count > 1) {
    (void)sc_err_set(SC_E_USAGE, "one study is exported at a time, not %zu", options->operand_count);
    return sc_err_hint(SC_E_USAGE, "several files are for --format trace, which takes raw profiles");
  }
  if ((trace || series) && (options->at || options->metric))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--format %s takes no %s", format, options->at ? "--at" : "--metric"),
                       trace ? "it holds what one run did" : "it holds all sizes, executions and costs");
  if (sc_same_text(format, "pprof") && !options->out && isatty(STDOUT_FILENO))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "a compressed profile is nothing for a terminal"), "-o profile.pb.gz");
  return 0;
}

/* The size asked for; the largest one measured if none is. */
static int choose_size(const sc_options *options, const sc_judge *judge, double *n)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  double low;
  sc_analysis_range(judge->loaded.analysis, &low, n);
  if (!options->at)
    return 0;
  if (asked->target_count > 1)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "a profile has one size, not %zu", asked->target_count),
                       "export each of them to a file of its own");
  *n = asked->targets[0];
  return 0;
}

static int write_study(const sc_options *options, FILE *stream)
{
  sc_judge judge = {0};
  sc_export made = {0};
  double n;
  int err;
  SC_GOTO(sc_judge_open(options, &judge));
  if (sc_same_text(options->export_format, "extra-p")) {
    err = sc_export_series(stream, &judge);
    goto out;
  }
  SC_GOTO(choose_size(options, &judge, &n));
  SC_GOTO(sc_export_make(&judge, n, options->metric, &made));
  err = writer(options->export_format)(stream, &made);
out:
  sc_export_free(&made);
  sc_judge_close(&judge);
  return err;
}

int sc_verb_export(const sc_options *options)
{
  sc_outfile out;
  SC_TRY(check(options));
  SC_TRY(sc_outfile_open(options->out, &out));
  int err = sc_same_text(options->export_format, "trace")
                ? sc_export_trace(out.stream, options->operands, options->operand_count)
                : write_study(options, out.stream);
  return sc_outfile_close(&out, err);
}
