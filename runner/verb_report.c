/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "runner/report_json.h"
#include "runner/report_text.h"
#include "runner/report_untold.h"
#include "runner/verb.h"

int sc_verb_report(const sc_options *options)
{
  sc_judge judge;
  bool json = options->json || (options->format && strcmp(options->format, "json") == 0);
  sc_report_text_options text = {.top = (size_t)options->top,
                                 .all = options->all,
                                 .resources = options->resources,
                                 .width = sc_terminal_width(stdout),
                                 .style = sc_terminal_style(stdout)};
  int err = sc_judge_open(options, &judge);
  if (err == 0)
    err = json ? sc_report_json_print(stdout, &judge) : sc_report_text_print(stdout, &judge, &text);
  if (err == 0)
    err = sc_judge_status(&judge, options);
  if (err == 0)
    err = sc_report_untold_status(&judge);
  sc_judge_close(&judge);
  return err;
}
