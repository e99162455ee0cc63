/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "runner/cli/verb.h"
#include "runner/discover/discover.h"
#include "runner/text/operand.h"
#include "runner/text/outfile.h"

static int write_probes(const char *path, const sc_discovery *discovery, const sc_discover_view *view)
{
  sc_outfile out;
  if (!path)
    return 0;
  SC_TRY(sc_outfile_open(path, &out));
  return sc_outfile_close(&out, sc_discover_print_probes(out.stream, discovery, view));
}

/* What to do with it: the commands, to be copied. */
static void print_next(const char *probes)
{
  sc_buf name = {0};
  if (!probes) {
    puts("\nNext: the same with -o probes.json writes them as a probe set, to be reviewed and built with.");
    return;
  }
  sc_operand_quote(probes, &name);
  if (sc_buf_finish(&name) == 0)
    printf("\nNext: review %s, then build with it: scale-cc --scale-probes=%s%s\n", name.text,
           *probes == '/' ? "" : "$PWD/", name.text);
  sc_buf_free(&name);
}

int sc_verb_discover(const sc_options *options)
{
  const sc_discover_view view = {.limit = (size_t)options->limit_resources, .all = options->discover_all};
  sc_discovery *discovery = NULL;
  int err;
  if (!options->operand)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "say which program to look at"),
                       "scale-run discover PATH...: what scale-cc --scale-facts built, or the folder it was built in");
  SC_GOTO(sc_discover(options->operands, options->operand_count, options->facts, &discovery));
  SC_GOTO(write_probes(options->probes, discovery, &view));
  if (options->json)
    SC_GOTO(sc_discover_print_json(stdout, discovery, &view));
  else {
    sc_discover_print_text(stdout, discovery, &view);
    print_next(options->probes);
  }
out:
  sc_discovery_free(discovery);
  return err;
}
