/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a workload file: parsed, validated, hashed, its placeholders and repetitions expanded; nothing is run. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "runner/process/launch.h"
#include "runner/workload/expression.h"
#include "runner/workload/workload.h"

static void expand(const sc_command *commands, size_t count, const sc_expand_vars *vars)
{
  for (size_t i = 0; i < count; i++) {
    sc_launch launch;
    if (sc_launch_expand(&commands[i], vars, &launch) == 0)
      sc_launch_free(&launch);
  }
}

static void generate(const sc_generator *generator, const sc_expand_vars *vars)
{
  for (size_t p = 0; p < generator->part_count; p++) {
    sc_expand_vars own = *vars;
    uint64_t times;
    char *text;
    own.generator = true;
    own.i = 1;
    if (sc_expression_repeat(generator->parts[p].repeat, &own, &times) < 0 && sc_err_message()[0] == '\0')
      abort();
    if (sc_expand_text(generator->parts[p].text, &own, &text) == 0)
      free(text);
  }
}

static void use(const sc_workload *workload)
{
  const sc_expand_vars vars = {
      .parameter = workload->parameter, .n = workload->range_high, .dir = "/run", .shared = "/all", .check = true};
  sc_workload *again;
  char one[17], two[17];
  if (!workload->command.argv || !workload->command.argv[0] || !(workload->range_low < workload->range_high))
    abort();
  expand(&workload->command, 1, &vars);
  expand(workload->setup, workload->setup_count, &vars);
  expand(workload->prepare, workload->prepare_count, &vars);
  for (size_t i = 0; i < workload->generator_count; i++)
    generate(&workload->generators[i], &vars);
  if (sc_workload_hash(workload, one) < 0)
    return;
  /* what a study stores has to be the same workload when it is read again */
  if (sc_workload_parse(workload->source, "again", &again) < 0 || sc_workload_hash(again, two) < 0 || strcmp(one, two))
    abort();
  sc_workload_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_workload *workload;
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  int err = sc_workload_parse(text, "fuzz", &workload);
  if (err == 0)
    use(workload);
  else if (!sc_err_message()[0])
    abort();
  sc_workload_free(workload);
  double value, *sizes;
  size_t count;
  if (sc_workload_parse_time(text, &value) == 0 && !(value > 0))
    abort();
  if (sc_workload_parse_sizes(text, &sizes, &count) == 0)
    free(sizes);
  free(text);
  return 0;
}
