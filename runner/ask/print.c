/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An answer as the command line asks for it: text or JSON on stdout, plots. */
#include "runner/ask/ask.h"
#include "runner/ask/curve.h"
#include "runner/report/text.h"
#include "runner/text/terminal.h"

/* Whether there is an answer in words beside the plot. */
static bool says_more(const sc_ask *ask)
{
  return ask->size_count || ask->sweep_count || ask->limit_count || ask->supposing ||
         ask->subject.kind == SC_SUBJECT_RESOURCE;
}

int sc_curve_show(const sc_curve *curve, const sc_options *options, const sc_text_options *text)
{
  if (options->svg)
    SC_TRY(sc_curve_write_svg(curve, options->svg));
  return options->plot && !options->json ? sc_curve_print(stdout, curve, sc_terminal_utf8(), text) : 0;
}

static int draw_answer(const sc_options *options, const sc_ask *ask, const sc_text_options *text)
{
  sc_curve curve;
  int err;
  SC_GOTO(sc_curve_make(ask, &curve));
  err = sc_curve_show(&curve, options, text);
  if (err == 0 && options->plot && !options->json && says_more(ask))
    putchar('\n');
out:
  sc_curve_free(&curve);
  return err;
}

int sc_ask_print(const sc_options *options, sc_ask *ask)
{
  const sc_text_options text = {.width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  if (options->plot || options->svg)
    SC_TRY(draw_answer(options, ask, &text));
  if (options->json)
    return sc_ask_print_json(stdout, ask, options->plot);
  SC_TRY(sc_ask_print_text(stdout, ask, &text));
  return ask->all ? sc_report_negligible_print(stdout, ask->judge, &text) : 0;
}
