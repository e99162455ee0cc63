/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/judge/named.h"

#include <string.h>
#include <unistd.h>

#include "runner/fit/targets.h"

/* One operand that is a file called as studies are is no resource. */
static bool only_study(const sc_options *options)
{
  size_t length = options->operand_count == 1 ? strlen(options->operand) : 0;
  return length > 3 && strcmp(options->operand + length - 3, ".db") == 0 && access(options->operand, R_OK) == 0;
}

const char *sc_named_resource(const sc_options *options) { return only_study(options) ? NULL : options->operand; }

/* Verbs differ in what their operands are: diff has base and head, blame a resource before the study, run and attach a
 * program, all others a study. */
const char *sc_named_study(const sc_options *options)
{
  if (options->verb == SC_VERB_DIFF) /* the head */
    return options->operand_count > 1 ? options->operands[1] : "scale.db";
  if (options->verb == SC_VERB_BLAME)
    return only_study(options) ? options->operand : options->operand_count > 1 ? options->operands[1] : "scale.db";
  if (options->operand && options->verb != SC_VERB_RUN && options->verb != SC_VERB_ATTACH)
    return options->operand;
  return options->output ? options->output : "scale.db";
}

static bool names_other(const sc_targets *targets, const sc_workload *workload)
{
  for (size_t g = 0; g < targets->count; g++)
    for (size_t a = 0; a < targets->groups[g].count; a++) {
      const char *name = targets->groups[g].axes[a].name;
      if (name && sc_workload_find_other(workload, name) < workload->other_count)
        return true;
    }
  return false;
}

/* An error here is not reported: whoever parses the text for its own purpose has the better message. */
bool sc_named_other(const char *at, const sc_workload *workload)
{
  sc_targets targets;
  bool named = sc_targets_parse(at, &targets) == 0 && names_other(&targets, workload);
  sc_targets_free(&targets);
  return named;
}
