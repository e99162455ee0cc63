/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask.h"
#include "runner/terminal.h"
#include "runner/verb.h"

int sc_verb_ask(const sc_options *options)
{
  sc_judge judge = {0};
  sc_ask ask = {0};
  int err;
  if (!options->at && !options->limit)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "say what to ask: a size or a limit"),
                       "scale-run ask --at n=1e6, or scale-run ask --limit time=200ms");
  SC_GOTO(sc_judge_open(options, &judge));
  const sc_analysis_options *asked = sc_analysis_get_options(judge.loaded.analysis);
  SC_GOTO(sc_ask_answer(&judge, asked->targets, options->at ? asked->target_count : 0, options->limit, &ask));
  if (options->top)
    ask.top = (size_t)options->top;
  sc_report_text_options text = {.width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  err = options->json ? sc_ask_print_json(stdout, &ask) : sc_ask_print_text(stdout, &ask, &text);
out:
  sc_ask_free(&ask);
  sc_judge_close(&judge);
  return err;
}
