/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/command.h"

#include "runner/text/format.h"
#include "runner/text/operand.h"

double sc_report_target(const sc_judge *judge)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  double low, high;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  return asked->target_count ? asked->targets[0] : high * 10;
}

void sc_report_print_command(FILE *out, const sc_judge *judge, sc_buf *text, const char *option, int width)
{
  sc_buf lines = {0};
  sc_operand_study(judge->study, text);
  if (judge->several) {
    sc_buf_puts(text, " --at ");
    sc_judge_describe_option(judge, sc_report_target(judge), text);
  }
  sc_buf_puts(text, option);
  if (sc_buf_finish(text) == 0)
    sc_format_command(text->text, width, &lines);
  if (sc_buf_finish(&lines) == 0)
    fprintf(out, "%s\n", lines.text);
  sc_buf_free(text);
  sc_buf_free(&lines);
}
