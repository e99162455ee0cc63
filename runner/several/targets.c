/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions that name no further parameter are about the study's targets of them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "runner/baseline/baseline.h"
#include "runner/judge/named.h"
#include "runner/several/internal.h"
#include "runner/workload/expand.h"

/* What is predicted at the base values anyway needs no mention. */
static bool is_elsewhere(const sc_workload_other *other)
{
  return other->target_count > 1 || (other->target_count && other->targets[0] != other->base);
}

/* ",threads=8,64" */
static void add_targets_others(const sc_workload *workload, bool largest, sc_buf *out)
{
  char number[64];
  for (size_t i = 0; i < workload->other_count; i++) {
    const sc_workload_other *other = &workload->others[i];
    if (!is_elsewhere(other))
      continue;
    sc_buf_printf(out, "%s%s=", out->length && out->text[out->length - 1] != ';' ? "," : "", other->name);
    for (size_t k = largest ? other->target_count - 1 : 0; k < other->target_count; k++) {
      sc_expand_number(other->targets[k], number, sizeof number);
      sc_buf_printf(out, "%s%s", k && !largest ? "," : "", number);
    }
  }
}

/* Each list of sizes in --at, or none. */
static void add_groups(const char *at, const sc_workload *workload, bool largest, sc_buf *out)
{
  do {
    size_t length = strcspn(at, ";");
    sc_buf_puts(out, out->length ? ";" : "");
    if (length)
      sc_buf_printf(out, "%s%s", memchr(at, '=', length) ? "" : workload->parameter,
                    memchr(at, '=', length) ? "" : "=");
    sc_buf_add(out, at, length);
    add_targets_others(workload, largest, out);
    at += length + (at[length] != '\0');
  } while (*at);
}

int sc_several_at_targets(const sc_options *options, bool largest, char **at)
{
  const char *path = sc_named_study(options);
  sc_workload *workload = NULL;
  sc_buf text = {0};
  bool elsewhere = false;
  int err = 0;
  *at = NULL;
  if (access(path, R_OK) != 0 || sc_baseline_is(path))
    return 0;
  SC_GOTO(sc_several_workload(path, &workload));
  for (size_t i = 0; workload && i < workload->other_count; i++)
    elsewhere = elsewhere || is_elsewhere(&workload->others[i]);
  if (!elsewhere || (options->at && sc_named_other(options->at, workload)))
    goto out;
  add_groups(options->at ? options->at : "", workload, largest, &text);
  SC_GOTO(sc_buf_finish(&text));
  *at = sc_buf_take(&text);
  err = *at ? 0 : SC_E_NOMEM;
out:
  sc_workload_free(workload);
  sc_buf_free(&text);
  return err;
}
