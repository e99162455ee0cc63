/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/cli/conclude.h"

#include <stdio.h>
#include <stdlib.h>

#include "runner/cli/combinations.h"
#include "runner/export/store.h"
#include "runner/report/text.h"
#include "runner/report/untold.h"
#include "runner/review/review.h"
#include "runner/several/open.h"
#include "runner/several/several.h"
#include "runner/text/terminal.h"

/* What was found is said in brief, and judged by --fail-on. */
static int say_judged(const sc_options *options, const sc_judge *judge, bool *printed)
{
  sc_notices notices = {0};
  int err;
  SC_GOTO(sc_notices_of_study(judge, &notices));
  SC_GOTO(sc_notices_accept_default(&notices, options));
  if (!options->no_report)
    SC_GOTO(sc_report_print(options->out, judge, options->json, (sc_text_options){.brief = true, .notices = &notices}));
  *printed = !options->no_report;
  err = sc_notices_status(&notices, options->fail_on) ?: sc_report_lost_status(judge);
out:
  sc_notices_free(&notices);
  return err;
}

/* At values of further parameters in --at, as `report` does. The study is open already. */
static int say_there(const sc_options *options, sc_combination *combination)
{
  sc_judge judge;
  int err = sc_judge_open_in(combination->cache, options, &judge) ?: say_judged(options, &judge, &combination->printed);
  sc_judge_close(&judge);
  return err;
}

/* What `run --verify` ran, which is at the base values. */
static int print_verified(const sc_options *options, const sc_judge *judge)
{
  const sc_text_options text = {.brief = true, .width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  if (options->verify <= 0 || options->json || options->no_report)
    return 0;
  putchar('\n');
  return sc_report_compare_print(stdout, judge, options->verify, &text);
}

int sc_conclude(const sc_options *options)
{
  sc_judge judge = {0};
  sc_judge_cache cache = {0};
  sc_options own = *options, there = *options;
  char *focused = NULL, *at;
  bool printed;
  int err = sc_several_at_targets(options, false, &at);
  there.at = at ? at : options->at;
  int several = err < 0 ? err : sc_several_asked(&there);
  SC_GOTO(several);
  if (several)
    SC_GOTO(sc_several_focused(&there, &focused));
  own.at = several ? focused : options->at;
  SC_GOTO(sc_judge_open_in(&cache, &own, &judge));
  SC_GOTO(sc_store_analysis(&judge));
  int status = several ? sc_combinations_each_in(&cache, &there, options->json ? "json" : NULL, say_there)
                       : say_judged(options, &judge, &printed);
  SC_GOTO(status);
  err = print_verified(options, &judge) ?: status;
out:
  free(focused);
  free(at);
  sc_judge_close(&judge);
  sc_judge_cache_free(&cache);
  return err;
}
