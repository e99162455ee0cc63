/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run discover: a probe set proposed from the program's code, its runs and a language model. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "runner/cli/propose.h"
#include "runner/cli/verb.h"
#include "runner/judge/judge.h"
#include "runner/text/tuning.h"

enum { MOST = 1000000000 }; /* of a budget */

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

/* ---- the language model -------------------------------------------------------------------------------------- */

static int budget_part(const char *part, sc_discover_llm *llm)
{
  double value = 0;
  const char *equals = strchr(part, '=');
  size_t length = equals ? (size_t)(equals - part) : 0;
  bool requests = length == strlen("requests") && strncmp(part, "requests", length) == 0;
  bool tokens = length == strlen("tokens") && strncmp(part, "tokens", length) == 0;
  if (!equals || !(requests || tokens) || !sc_number_positive(equals + 1, false, &value) || value > MOST)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--llm-budget does not take '%s'", part),
                       "--llm-budget requests=50,tokens=200000; either may be left out");
  if (requests)
    llm->requests = (size_t)value;
  else
    llm->tokens = value;
  return 0;
}

static int read_budget(const char *text, sc_discover_llm *llm)
{
  char *copy = sc_mem_copy_string(text), *rest = copy;
  int err = copy ? 0 : SC_E_NOMEM;
  for (const char *part; err == 0 && (part = strsep(&rest, ","));)
    err = budget_part(part, llm);
  free(copy);
  return err;
}

/* *llm_used: whether there is one, or its answers. */
static int read_llm(const sc_options *options, sc_discover_llm *llm, bool *llm_used)
{
  *llm = (sc_discover_llm){.answers = options->llm_answers,
                           .url = options->llm,
                           .model = options->llm_model,
                           .requests = SC_LLM_REQUESTS,
                           .tokens = SC_LLM_TOKENS,
                           .timeout = options->llm_timeout > 0 ? options->llm_timeout : SC_LLM_TIMEOUT,
                           .dry = options->llm_dry_run ? stdout : NULL};
  *llm_used = options->llm || options->llm_answers || options->llm_dry_run;
  if (!options->llm && (options->llm_budget || options->llm_timeout > 0 || (options->llm_model && !llm->dry)))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "nothing is asked without --llm"),
                       "say where the language model is: --llm http://localhost:8080/v1");
  if (options->llm)
    llm->key = getenv("SCALE_LLM_KEY");
  if (!llm->answers)
    llm->answers = "scale-llm.json";
  return options->llm_budget ? read_budget(options->llm_budget, llm) : 0;
}

/* ---- the verb -----------------------------------------------------------------------------------------------------
 */

int sc_verb_discover(const sc_options *options)
{
  const sc_discover_view view = {.limit = (size_t)options->limit_resources, .all = options->discover_all};
  sc_discovery *discovery = NULL;
  const char **studies = NULL;
  char *names = NULL;
  size_t count = 0;
  sc_discover_llm llm;
  bool llm_used;
  int err;
  SC_TRY(read_llm(options, &llm, &llm_used));
  if (!options->operand && !options->studies)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "say which program to look at"),
                       "scale-run discover PATH...: what scale-cc --scale-facts built, or the folder it was built in");
  if (options->studies)
    SC_GOTO(split_studies(options->studies, &names, &studies, &count));
  for (size_t i = 0; i < count; i++)
    SC_GOTO(sc_judge_need_file(studies[i]));
  SC_GOTO(options->operand ? sc_discover(options->operands, options->operand_count, options->facts,
                                         llm_used ? &llm : NULL, &discovery)
                           : sc_discover_loaded(studies[0], options->facts, llm_used ? &llm : NULL, &discovery));
  if (llm.dry)
    goto out; /* the requests were the product */
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
