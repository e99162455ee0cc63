/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "runner/blame/blame.h"
#include "runner/cli/verb.h"
#include "runner/judge/named.h"
#include "runner/resources/find.h"
#include "runner/several/open.h"

static int print(const sc_options *options, const sc_blame_view *view)
{
  const char *format = options->json ? "json" : options->blame_format ? options->blame_format : "text";
  const sc_text_options text = {.top = (size_t)options->top,
                                .all = options->all,
                                .width = sc_terminal_width(stdout),
                                .style = sc_terminal_style(stdout)};
  if (strcmp(format, "json") == 0)
    return sc_blame_print_json(stdout, view);
  if (strcmp(format, "dot") == 0)
    return sc_blame_print_dot(stdout, view);
  sc_blame_print_text(stdout, view, &text);
  return 0;
}

int sc_verb_blame(const sc_options *options)
{
  sc_judge judge = {0};
  sc_blame_view view = {0};
  uint32_t resource;
  int err;
  SC_GOTO(sc_judge_open(options, &judge));
  SC_GOTO(sc_judge_need_resources(&judge));
  if (sc_named_resource(options))
    SC_GOTO(sc_resource_find(judge.loaded.graph, sc_named_resource(options), &resource));
  else
    SC_GOTO(sc_resource_find_worst(&judge, &resource));
  SC_GOTO(sc_blame_view_make(&judge, resource, &view));
  err = print(options, &view);
out:
  sc_blame_view_free(&view);
  sc_judge_close(&judge);
  return err;
}
