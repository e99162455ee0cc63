/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run ask: predicted quantities, sizes at which limits are reached, what-if questions. */
#include <string.h>

#include "runner/ask/ask.h"
#include "runner/cli/combinations.h"
#include "runner/cli/verb.h"
#include "runner/points/points.h"
#include "runner/several/open.h"
#include "runner/several/several.h"
#include "runner/text/format.h"
#include "runner/text/terminal.h"

/* Where all this holds, of a study that varies more than one parameter. */
static void print_base(const sc_judge *judge)
{
  sc_buf note = {0};
  sc_several_note(judge, &note);
  sc_buf_puts(&note, "; for others: ");
  sc_workload_example(judge->loaded.workload, &note);
  if (sc_buf_finish(&note) == 0) {
    putchar('\n');
    sc_format_wrap(stdout, note.text, 0, 0, sc_terminal_width(stdout));
  }
  sc_buf_free(&note);
}

/* Of a study without targets, something beyond what was measured. */
static char no_target[] = "10x";

static int open_judge(const sc_options *options, bool nothing, sc_judge *judge)
{
  SC_TRY(sc_judge_open(options, judge));
  if (!nothing || sc_analysis_get_options(judge->loaded.analysis)->target_count)
    return 0;
  sc_options at = *options;
  at.at = no_target;
  sc_judge_close(judge);
  *judge = (sc_judge){0};
  return sc_judge_open(&at, judge);
}

/* The table stands at sizes, which other questions leave out unless they are given. */
static int check_functions(const sc_options *options)
{
  bool other = options->over || (!options->at && (options->sweep || options->limit || options->plot || options->svg));
  if (!options->functions || !other)
    return 0;
  (void)sc_err_set(SC_E_USAGE, "--functions lists functions at sizes, which are not asked for");
  return options->over ? sc_err_hint(SC_E_USAGE, "leave out --over, or --functions")
                       : sc_err_hint(SC_E_USAGE, "at which: --functions --at SIZE");
}

static int ask_where_told(const sc_options *options)
{
  sc_judge judge = {0};
  sc_ask ask = {0};
  int err;
  bool question = options->at || options->limit || options->sweep || options->suppose || options->plot || options->svg;
  SC_TRY(check_functions(options));
  int several = sc_several_asked(options);
  if (several)
    return several < 0 ? several : sc_several_ask(options);
  SC_GOTO(open_judge(options, !question && !options->resource, &judge));
  const sc_analysis_options *asked = sc_analysis_get_options(judge.loaded.analysis);
  /* A function or metric alone, or nothing at all, is asked about at the targets. */
  bool at = options->at || (!question && !options->resource);
  const sc_ask_request request = {.sizes = asked->targets,
                                  .size_count = at ? asked->target_count : 0,
                                  .sweep = options->sweep,
                                  .limits = options->limit,
                                  .function = options->function,
                                  .resource = options->resource,
                                  .of = options->of,
                                  .suppose = options->suppose,
                                  .all = options->all,
                                  .functions = options->functions,
                                  .top = (size_t)options->top};
  SC_GOTO(sc_ask_answer(&judge, &request, &ask));
  err = sc_ask_print(options, &ask);
  if (err == 0 && !options->json && judge.loaded.workload->other_count)
    print_base(&judge);
out:
  sc_ask_free(&ask);
  sc_judge_close(&judge);
  return err;
}

int sc_verb_ask(const sc_options *options)
{
  bool one = options->svg || (options->plot && options->sweep); /* a picture is of one place */
  return sc_combinations_at_targets(options, one, ask_where_told);
}
