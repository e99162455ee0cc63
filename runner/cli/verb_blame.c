/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run blame: who waits for a resource, and for whom. */
#include <string.h>

#include "runner/blame/blame.h"
#include "runner/cli/combinations.h"
#include "runner/cli/verb.h"
#include "runner/judge/named.h"
#include "runner/resources/find.h"
#include "runner/several/open.h"
#include "runner/text/outfile.h"

static int print_blame(const sc_options *options, const char *format, FILE *out, const sc_blame_view *view)
{
  const sc_text_options text = {.top = (size_t)options->top,
                                .all = options->all,
                                .width = sc_terminal_width(out),
                                .style = sc_terminal_style(out)};
  if (strcmp(format, "json") == 0)
    return sc_blame_print_json(out, view);
  if (strcmp(format, "dot") == 0)
    return sc_blame_print_dot(out, view);
  sc_blame_print_text(out, view, &text);
  return 0;
}

static const char *format_of(const sc_options *options) { return options->json ? "json" : options->blame_format; }

static int blame_combination(const sc_options *options, sc_combination *combination)
{
  const char *format = format_of(options) ? format_of(options) : "text";
  sc_judge judge = {0};
  sc_blame_view view = {0};
  sc_outfile out;
  sc_resource_spot spot = {0};
  int err;
  SC_GOTO(sc_judge_open_in(combination->cache, options, &judge));
  SC_GOTO(sc_judge_need_resources(&judge));
  if (sc_named_resource(options))
    SC_GOTO(sc_resource_find_spot(&judge, sc_named_resource(options), &spot));
  else
    SC_GOTO(sc_resource_find_worst(&judge, &spot.resource));
  SC_GOTO(sc_blame_view_make(&judge, spot.resource, &view));
  view.number = combination->number;
  SC_GOTO(sc_outfile_open(options->out, &out));
  err = sc_outfile_close(&out, print_blame(options, format, out.stream, &view));
out:
  sc_blame_view_free(&view);
  sc_judge_close(&judge);
  return err;
}

static int blame_there(const sc_options *options)
{
  return sc_combinations_each(options, format_of(options), blame_combination);
}

int sc_verb_blame(const sc_options *options) { return sc_combinations_at_targets(options, false, blame_there); }
