/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/text_options.h"

#include "runner/text/format.h"
#include "runner/text/tuning.h"

void sc_text_labelled(FILE *out, const char *label, const char *text, const sc_text_options *options)
{
  fprintf(out, "%*s%-*s", SC_TEXT_INDENT, "", SC_TEXT_LABEL - SC_TEXT_INDENT, label);
  sc_format_wrap(out, text, SC_TEXT_LABEL, SC_TEXT_LABEL, options->width);
}

const char *sc_text_confidence(double confidence)
{
  return confidence >= SC_TEXT_HIGH ? "high" : confidence >= SC_TEXT_MEDIUM ? "medium" : "low";
}
