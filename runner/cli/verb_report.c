/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run report: what a study found, as text, JSON or page. */
#include <string.h>

#include "runner/cli/combinations.h"
#include "runner/cli/verb.h"
#include "runner/report/text.h"
#include "runner/report/untold.h"
#include "runner/review/review.h"
#include "runner/several/open.h"

/* As text and JSON the report proper, which says more than the list of notices that other formats are. */
static int judge_and_print(const sc_options *options, const sc_judge *judge, struct sc_page *page, sc_notices *notices)
{
  const char *format = options->json ? "json" : options->format ? options->format : "text";
  bool json = strcmp(format, "json") == 0;
  SC_TRY(sc_notices_of_study(judge, notices));
  if (!json && strcmp(format, "text") != 0)
    return sc_notices_deliver(options, options->fail_on, notices, page);
  SC_TRY(sc_notices_accept_default(notices, options));
  SC_TRY(sc_report_print(options->out, judge, json,
                         (sc_text_options){.top = (size_t)options->top,
                                           .all = options->all,
                                           .details = options->details,
                                           .resources = options->resources,
                                           .notices = notices}));
  return sc_notices_status(notices, options->fail_on);
}

static int report_combination(const sc_options *options, sc_combination *combination)
{
  sc_judge judge;
  sc_notices notices = {0};
  int err = sc_judge_open_in(combination->cache, options, &judge);
  err = err ?: judge_and_print(options, &judge, combination->page, &notices);
  combination->printed = err >= 0;
  err = err ?: sc_report_untold_status(&judge);
  err = err ?: sc_report_unexplained_status(&judge, options->fail_on);
  sc_notices_free(&notices);
  sc_judge_close(&judge);
  return err;
}

static int report_there(const sc_options *options)
{
  return sc_combinations_each(options, options->json ? "json" : options->format, report_combination);
}

int sc_verb_report(const sc_options *options) { return sc_combinations_at_targets(options, false, report_there); }
