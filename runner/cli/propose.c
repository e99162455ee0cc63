/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/cli/propose.h"

#include "runner/text/operand.h"
#include "runner/text/outfile.h"

int sc_propose_write(const char *path, const sc_discovery *discovery, const sc_discover_view *view)
{
  sc_outfile out;
  if (!path)
    return 0;
  SC_TRY(sc_outfile_open(path, &out));
  return sc_outfile_close(&out, sc_discover_print_probes(out.stream, discovery, view));
}

/* What to do with it: the commands, to be copied. */
static void print_proposal_next(const char *probes)
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

void sc_propose_print(const char *probes, const sc_discovery *discovery, const sc_discover_view *view)
{
  sc_discover_print_text(stdout, discovery, view);
  print_proposal_next(probes);
}
