/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions that name no further parameter are about the study's targets of them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/same.h"
#include "runner/baseline/baseline.h"
#include "runner/judge/named.h"
#include "runner/several/internal.h"
#include "runner/workload/expand.h"

typedef struct targeted {
  const sc_options *options;
  const sc_workload *workload, *base; /* base: of the base of `diff`; NULL: no such verb */
  bool largest;                       /* one combination is answered */
} targeted;

/* What is predicted at the base values anyway needs no mention, nor has what is looked for a value; and what the base
 * does not vary can be compared at its base value alone. */
static bool is_elsewhere(const targeted *t, const sc_workload_other *other)
{
  const sc_options *o = t->options;
  bool varied = !t->base || sc_workload_find_other(t->base, other->name) < t->base->other_count;
  return sc_workload_elsewhere(other) && varied && !sc_several_sweeps(o->sweep, other->name) &&
         !sc_same_text(o->over, other->name);
}

/* ",threads=8,64" */
static void add_targets_others(const targeted *t, sc_buf *out)
{
  char number[64];
  for (size_t i = 0; i < t->workload->other_count; i++) {
    const sc_workload_other *other = &t->workload->others[i];
    if (!is_elsewhere(t, other))
      continue;
    sc_buf_printf(out, "%s%s=", out->length && out->text[out->length - 1] != ';' ? "," : "", other->name);
    for (size_t k = t->largest ? other->target_count - 1 : 0; k < other->target_count; k++) {
      sc_expand_number(other->targets[k], number, sizeof number);
      sc_buf_printf(out, "%s%s", k && !t->largest ? "," : "", number);
    }
  }
}

/* Each list of sizes in --at, or none. */
static void add_groups(const targeted *t, sc_buf *out)
{
  const char *at = t->options->at ? t->options->at : "", *focused = t->workload->parameter;
  do {
    size_t length = strcspn(at, ";");
    sc_buf_puts(out, out->length ? ";" : "");
    if (length)
      sc_buf_printf(out, "%s%s", memchr(at, '=', length) ? "" : focused, memchr(at, '=', length) ? "" : "=");
    sc_buf_add(out, at, length);
    add_targets_others(t, out);
    at += length + (at[length] != '\0');
  } while (*at);
}

/* The workload of the base of `diff`; NULL: it is a baseline, or no such file. */
static int load_base(const sc_options *options, sc_workload **workload)
{
  *workload = NULL;
  if (!options->operand || access(options->operand, R_OK) != 0 || sc_baseline_is(options->operand))
    return 0;
  return sc_several_workload(options->operand, workload);
}

int sc_several_at_targets(const sc_options *options, bool largest, char **at)
{
  const char *path = sc_named_study(options);
  sc_workload *workload = NULL, *base = NULL;
  sc_buf text = {0};
  bool elsewhere = false, compares = options->verb == SC_VERB_DIFF;
  int err = 0;
  *at = NULL;
  if (access(path, R_OK) != 0 || sc_baseline_is(path))
    return 0;
  SC_GOTO(sc_several_workload(path, &workload));
  if (compares)
    SC_GOTO(load_base(options, &base));
  if ((compares && !base) || (options->at && sc_named_other(options->at, workload)))
    goto out;
  const targeted t = {.options = options, .workload = workload, .base = base, .largest = largest};
  for (size_t i = 0; i < workload->other_count; i++)
    elsewhere = elsewhere || is_elsewhere(&t, &workload->others[i]);
  if (!elsewhere)
    goto out;
  add_groups(&t, &text);
  SC_GOTO(sc_buf_finish(&text));
  *at = sc_buf_take(&text);
  err = *at ? 0 : SC_E_NOMEM;
out:
  sc_workload_free(workload);
  sc_workload_free(base);
  sc_buf_free(&text);
  return err;
}
