/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask/ask.h"
#include "runner/resources/ask.h"
#include "runner/resources/find.h"
#include "runner/terminal.h"
#include "runner/verb.h"

static int ask_resource(const sc_options *options, const sc_judge *judge)
{
  const sc_report_text_options text = {.width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  uint32_t resource;
  sc_resource_limit limit;
  SC_TRY(sc_judge_need_resources(judge));
  SC_TRY(sc_resource_find(judge->loaded.graph, options->resource, &resource));
  if (options->limit) {
    SC_TRY(sc_resource_limit_parse(options->limit, &limit));
    SC_TRY(sc_resource_limit_find(judge, resource, &limit));
  }
  return options->json ? sc_resource_ask_json(stdout, judge, resource, options->limit ? &limit : NULL)
                       : sc_resource_ask_text(stdout, judge, resource, options->limit ? &limit : NULL, &text);
}

int sc_verb_ask(const sc_options *options)
{
  sc_judge judge = {0};
  sc_ask ask = {0};
  int err;
  if (!options->at && !options->limit && !options->resource)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "say what to ask: a size or a limit"),
                       "scale-run ask --at n=1e6, or scale-run ask --limit time=200ms");
  SC_GOTO(sc_judge_open(options, &judge));
  if (options->resource) {
    err = ask_resource(options, &judge);
    goto out;
  }
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
