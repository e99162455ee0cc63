/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "runner/cli/propose.h"
#include "runner/cli/verb.h"
#include "runner/judge/judge.h"

/* What --study names, apart: they stand in *text. Both are to be freed. */
static int split_studies(const char *studies, char **text, const char ***list, size_t *count)
{
  size_t most = 1;
  char *rest = *text = sc_mem_copy_string(studies);
  if (!rest)
    return SC_E_NOMEM;
  for (const char *at = rest; *at; at++)
    most += *at == ';';
  SC_TRY(SC_NEW(*list, most));
  for (char *study; (study = strsep(&rest, ";"));)
    (*list)[(*count)++] = study;
  return 0;
}

int sc_verb_discover(const sc_options *options)
{
  const sc_discover_view view = {.limit = (size_t)options->limit_resources, .all = options->discover_all};
  sc_discovery *discovery = NULL;
  const char **studies = NULL;
  char *names = NULL;
  size_t count = 0;
  int err;
  if (!options->operand && !options->studies)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "say which program to look at"),
                       "scale-run discover PATH...: what scale-cc --scale-facts built, or the folder it was built in");
  if (options->studies)
    SC_GOTO(split_studies(options->studies, &names, &studies, &count));
  for (size_t i = 0; i < count; i++)
    SC_GOTO(sc_judge_need_file(studies[i]));
  SC_GOTO(options->operand ? sc_discover(options->operands, options->operand_count, options->facts, &discovery)
                           : sc_discover_loaded(studies[0], options->facts, &discovery));
  if (count)
    SC_GOTO(sc_discover_check(discovery, studies, count));
  SC_GOTO(sc_propose_write(options->probes, discovery, &view));
  if (options->json)
    SC_GOTO(sc_discover_print_json(stdout, discovery, &view));
  else
    sc_propose_print(options->probes, discovery, &view);
out:
  free(studies);
  free(names);
  sc_discovery_free(discovery);
  return err;
}
