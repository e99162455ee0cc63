/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "runner/cli/propose.h"
#include "runner/cli/verb.h"
#include "runner/judge/judge.h"

/* What --study names, apart. They are to be freed with sc_mem_free_list. */
static int split_studies(const char *studies, char ***list, size_t *count)
{
  size_t most = 1;
  for (const char *at = studies; *at; at++)
    most += *at == ';';
  SC_TRY(SC_NEW(*list, most + 1));
  for (const char *at = studies; *at; at += *at == ';') {
    size_t length = strcspn(at, ";");
    if (!((*list)[(*count)++] = strndup(at, length)))
      return sc_err_set(SC_E_NOMEM, "no memory for the names of studies");
    at += length;
  }
  return 0;
}

int sc_verb_discover(const sc_options *options)
{
  const sc_discover_view view = {.limit = (size_t)options->limit_resources, .all = options->discover_all};
  sc_discovery *discovery = NULL;
  char **studies = NULL;
  size_t count = 0;
  int err;
  if (!options->operand && !options->studies)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "say which program to look at"),
                       "scale-run discover PATH...: what scale-cc --scale-facts built, or the folder it was built in");
  if (options->studies)
    SC_GOTO(split_studies(options->studies, &studies, &count));
  for (size_t i = 0; i < count; i++)
    SC_GOTO(sc_judge_need_file(studies[i]));
  SC_GOTO(options->operand ? sc_discover(options->operands, options->operand_count, options->facts, &discovery)
                           : sc_discover_loaded(studies[0], options->facts, &discovery));
  if (count)
    SC_GOTO(sc_discover_check(discovery, (const char *const *)studies, count));
  SC_GOTO(sc_propose_write(options->probes, discovery, &view));
  if (options->json)
    SC_GOTO(sc_discover_print_json(stdout, discovery, &view));
  else
    sc_propose_print(options->probes, discovery, &view);
out:
  sc_mem_free_list(studies);
  sc_discovery_free(discovery);
  return err;
}
