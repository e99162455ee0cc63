/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run baseline: writes what diff needs of a study. */
#include "runner/baseline/baseline.h"
#include "runner/cli/verb.h"
#include "runner/several/open.h"
#include "runner/text/outfile.h"

int sc_verb_baseline(const sc_options *options)
{
  sc_judge judge;
  sc_outfile output;
  int err = sc_judge_open(options, &judge) ?: sc_outfile_open(options->out, &output);
  err = err ?: sc_outfile_close(&output, sc_baseline_write(output.stream, &judge.loaded, judge.machine));
  sc_judge_close(&judge);
  return err;
}
