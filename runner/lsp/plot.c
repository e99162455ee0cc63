/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plot that `scale-run ask --plot` draws, in a hover. */
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "runner/ask/curve.h"
#include "runner/lsp/view.h"
#include "runner/text/context.h"
#include "runner/text/text_stream.h"

enum { WIDTH = 72 };

static int draw_lsp_plot(const sc_ask *ask, sc_buf *out)
{
  const sc_text_options options = {.width = WIDTH, .style = {"", "", "", "", ""}};
  sc_curve curve = {0};
  sc_text_stream memory;
  int err;
  SC_TRY(sc_text_stream_open(&memory));
  SC_GOTO(sc_curve_make(ask, &curve));
  err = sc_curve_print(memory.stream, &curve, true, &options);
out:
  sc_curve_free(&curve);
  err = sc_text_stream_close(&memory, err);
  if (err == 0)
    sc_buf_printf(out, "```text\n%s```\n\n", memory.text);
  free(memory.text);
  return err;
}

int sc_view_plot(const sc_view *view, const sc_spot *spot, sc_buf *out)
{
  const sc_analysis_options *asked = sc_analysis_get_options(view->judge->loaded.analysis);
  sc_buf quantity = {0};
  sc_ask ask = {0};
  int err;
  sc_buf_printf(&quantity, "%s(%s:%u", sc_context_counts(view->judge->loaded.graph, spot->contexts[0]),
                sc_path_last(spot->at->file), spot->at->line);
  if (spot->at->column)
    sc_buf_printf(&quantity, ":%u", spot->at->column);
  sc_buf_puts(&quantity, ")");
  SC_GOTO(sc_buf_finish(&quantity));
  const sc_ask_request request = {
      .sizes = asked->targets, .size_count = asked->target_count, .of = quantity.text, .top = 1};
  SC_GOTO(sc_ask_answer(view->judge, &request, &ask));
  err = draw_lsp_plot(&ask, out);
out:
  sc_ask_free(&ask);
  sc_buf_free(&quantity);
  return err;
}
