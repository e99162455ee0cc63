/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run verify: runs further sizes, and compares with what was predicted for them. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/baseline/baseline.h"
#include "runner/cli/combinations.h"
#include "runner/cli/verb.h"
#include "runner/drive/session.h"
#include "runner/judge/named.h"
#include "runner/points/points.h"
#include "runner/report/command.h"
#include "runner/report/json.h"
#include "runner/report/text.h"
#include "runner/several/open.h"
#include "runner/several/several.h"
#include "runner/text/operand.h"
#include "transitions/model/elapsed.h"

static int run_sizes(const sc_options *options, double **sizes, size_t *count)
{
  sc_judge judge;
  sc_session session;
  bool open = false;
  int err;
  SC_GOTO(sc_judge_open(options, &judge));
  const sc_analysis_options *asked = sc_analysis_get_options(judge.loaded.analysis);
  *sizes = sc_mem_new(asked->target_count, sizeof **sizes);
  if (!*sizes) {
    err = SC_E_NOMEM;
    goto out;
  }
  *count = asked->target_count;
  memcpy(*sizes, asked->targets, *count * sizeof **sizes);
  open = true;
  SC_GOTO(sc_session_open(options, judge.loaded.workload, &session));
  for (size_t i = 0; i < *count; i++)
    SC_GOTO(sc_session_verify(&session, judge.loaded.workload, (*sizes)[i],
                              sc_elapsed_expected(judge.loaded.analysis, (*sizes)[i])));
out:
  if (open) {
    err = sc_session_explain(&session, err);
    sc_session_close(&session);
  }
  sc_judge_close(&judge);
  return err;
}

static int print_comparison(const sc_options *options, const double *sizes, size_t count)
{
  sc_judge judge;
  sc_text_options text = {.width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  int err = sc_judge_open(options, &judge);
  if (err == 0 && options->json)
    err = sc_report_json_compare(stdout, &judge, sizes, count);
  for (size_t i = 0; i < count && err == 0 && !options->json; i++) {
    if (i)
      putchar('\n');
    err = sc_report_compare_print(stdout, &judge, sizes[i], &text);
  }
  if (err == 0 && !options->json) {
    fputs("\nNext: scale-run report", stdout);
    sc_operand_print_study(judge.study, stdout);
    putchar('\n');
  }
  sc_judge_close(&judge);
  return err;
}

/* Of a study that is there, a size that it predicts: the command works as it is. */
static int ask_for_size(const sc_options *options)
{
  sc_judge judge;
  sc_buf text = {0};
  int err = sc_judge_open(options, &judge);
  sc_buf_puts(&text, "scale-run verify");
  if (err == 0) {
    sc_operand_study(judge.study, &text);
    sc_buf_puts(&text, " --at ");
    sc_judge_describe_option(&judge, sc_report_target(&judge), &text);
  } else {
    sc_buf_puts(&text, " --at n=64000");
  }
  if (sc_buf_finish(&text) < 0)
    err = SC_E_NOMEM;
  else
    err = sc_err_hint(sc_err_set(SC_E_USAGE, "say which size to run"), "%s", text.text);
  sc_buf_free(&text);
  sc_judge_close(&judge);
  return err;
}

static int verify_there(const sc_options *options)
{
  double *sizes = NULL;
  size_t count = 0;
  int err, several = sc_several_asked(options);
  if (several)
    return several < 0 ? several : sc_several_verify(options);
  SC_GOTO(run_sizes(options, &sizes, &count));
  err = print_comparison(options, sizes, count);
out:
  free(sizes);
  return err;
}

int sc_verb_verify(const sc_options *options)
{
  if (sc_baseline_is(sc_named_study(options))) {
    (void)sc_err_set(SC_E_USAGE, "%s is a baseline, which knows no command to run", sc_named_study(options));
    return sc_err_hint(SC_E_USAGE, "name the study: scale-run verify STUDY.db --at %s",
                       options->at ? options->at : "n=64000");
  }
  return options->at ? sc_combinations_at_targets(options, false, verify_there)
                     : sc_combinations_at_targets(options, true, ask_for_size);
}
