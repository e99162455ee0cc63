/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `ask --at threads=64 --sweep n=1e6..1e8`: one parameter over a range, the others as --at has them. */
#include <stdlib.h>
#include <string.h>

#include "runner/ask/sweep.h"
#include "runner/points/internal.h"
#include "runner/text/format.h"
#include "runner/text/table.h"

enum { NARROW = 120 }; /* columns: less have no room for how far it is beyond what was measured */

/* The parameter whose name a range begins with; the focused one without a name, or with one that the study has not. */
size_t sc_several_swept(const sc_several *s, const char *range)
{
  for (size_t i = 0; i < s->parameters; i++)
    if (sc_several_sweeps(range, s->names[i]))
      return i;
  return 0;
}

static bool counts_workers(const sc_several *s, size_t parameter)
{
  const sc_workload *workload = s->judge->loaded.workload;
  return sc_parameter_is_workers(parameter ? workload->others[parameter - 1].kind : workload->kind);
}

int sc_several_sweep_list(const sc_several *s, const char *at, const char *range, char **list)
{
  size_t parameter = sc_several_swept(s, range), count = 0;
  const char *name = s->names[parameter];
  double *sizes = NULL;
  char *named = NULL;
  sc_buf text = {0};
  *list = NULL;
  if (at && *at)
    SC_TRY(sc_several_focus(at, name, &named));
  if (named) {
    free(named);
    (void)sc_err_set(SC_E_USAGE, "--sweep goes over %.60s, and --at names it as well", name);
    return sc_err_hint(SC_E_USAGE, "leave %.60s out of --at", name);
  }
  int err = sc_sweep_parse(range, name, s->high[parameter], counts_workers(s, parameter), &sizes, &count);
  sc_buf_printf(&text, "%s%s%s=", at ? at : "", at && *at ? "," : "", name);
  for (size_t i = 0; i < count; i++)
    sc_buf_printf(&text, "%s%.17g", i ? "," : "", sizes[i]);
  free(sizes);
  if (err < 0)
    sc_buf_free(&text);
  else
    *list = sc_buf_take(&text);
  return err < 0 || *list ? err : SC_E_NOMEM;
}

static void add_swept_row(sc_table *table, const sc_several *s, const sc_several_answer *a, const char *unit,
                          bool narrow)
{
  double beyond = 0;
  for (size_t i = 0; i < s->parameters; i++) {
    sc_table_cell(table, sc_format_number(a->point.at[i]).s);
    beyond = a->beyond[i] > beyond ? a->beyond[i] : beyond;
  }
  sc_table_cell(table, sc_format_count(a->executions.value).s);
  sc_table_cell(table, sc_format_interval(&a->executions, "").s);
  sc_table_cell(table, a->costs ? sc_format_estimate(&a->cost, unit).s : "");
  sc_table_cell(table, a->costs ? sc_format_interval(&a->cost, unit).s : "");
  sc_text times = sc_format_count(beyond);
  sc_buf text = {0};
  sc_buf_printf(&text, "%s x", times.s);
  sc_table_cell(table, beyond > 1 && !narrow && sc_buf_finish(&text) == 0 ? text.text : "");
  sc_buf_free(&text);
}

int sc_several_print_sweep(FILE *out, const sc_several *s, const sc_several_answer *answers, size_t count,
                           const sc_text_options *options)
{
  const char *unit = sc_analysis_cost_unit(s->judge->loaded.analysis);
  bool time = strcmp(unit, "s") == 0, narrow = options->width < NARROW, costs = count && answers[0].costs;
  const char *const headings[] = {"executions", "95% interval",
                                  !costs ? ""
                                  : time ? "processor time"
                                         : unit,
                                  costs ? "95% interval" : "", narrow ? "" : "beyond measured"};
  char columns[SC_SURFACE_PARAMETERS + 6];
  memset(columns, 'r', s->parameters + 5);
  columns[s->parameters + 5] = '\0';
  sc_table *table = sc_table_new(columns);
  for (size_t i = 0; i < s->parameters; i++)
    sc_table_cell(table, s->names[i]);
  for (size_t i = 0; i < 5; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < count; i++)
    add_swept_row(table, s, &answers[i], time ? "s" : "", narrow);
  int err = sc_table_print_within(table, out, 2, s->parameters, options->width, options->style.dim, options->style.off);
  sc_table_free(table);
  return err;
}
