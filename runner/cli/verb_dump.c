/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run dump: what profiles and a study's runs have, context by context. */
#include "profiles/scprof/dump.h"
#include "runner/cli/verb.h"

int sc_verb_dump(const sc_options *options)
{
  if (!options->operand)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "say which profile to print"), "scale-run dump FILE.scprof");
  if (options->dump_trace)
    return sc_dump_trace(options->operand, stdout);
  return options->totals ? sc_dump_totals(options->operand, stdout) : sc_dump_profile(options->operand, stdout);
}
