/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report_elapsed.h"

#include <math.h>
#include <string.h>

#include "runner/format.h"
#include "transitions/elapsed.h"

static const double SAME = 0.1;       /* a difference to processor time that no number of its own is worth */
static const double MENTIONED = 0.02; /* share of the elapsed time that a kind of waiting is named from */

bool sc_report_elapsed_differs(const sc_judge *judge, double n)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  sc_interval elapsed, total;
  if (!sc_analysis_elapsed_known(analysis) || sc_analysis_elapsed(analysis, n, &elapsed) < 0)
    return false;
  if (!sc_elapsed_has_costs(analysis) || sc_analysis_total(analysis, n, &total) < 0)
    return true;
  return fabs(elapsed.value - total.value) > SAME * elapsed.value;
}

/* The kinds, those that take most first. */
static size_t sort_kinds(const sc_elapsed_parts *parts, enum sc_wait_kind order[SC_WAIT_KINDS])
{
  for (int k = 0; k < SC_WAIT_KINDS; k++) {
    int at = k;
    for (; at > 0 && parts->waits[order[at - 1]] < parts->waits[k]; at--)
      order[at] = order[at - 1];
    order[at] = (enum sc_wait_kind)k;
  }
  return SC_WAIT_KINDS;
}

static double sum_waits(const sc_elapsed_parts *parts)
{
  double sum = 0;
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    sum += parts->waits[k];
  return sum;
}

bool sc_report_elapsed_parts_note(const sc_elapsed_parts *parts, const char *where, sc_buf *text)
{
  enum sc_wait_kind order[SC_WAIT_KINDS];
  double waits = sum_waits(parts), all = waits + parts->processor;
  if (!sc_elapsed_parts_mostly_wait(parts))
    return false;
  sc_buf_printf(text, "%s of the elapsed time at %s is not processor time", sc_format_percent(waits / all).s, where);
  size_t kinds = sort_kinds(parts, order), said = 0;
  for (size_t i = 0; i < kinds && parts->measured; i++)
    if (parts->waits[order[i]] >= MENTIONED * all)
      sc_buf_printf(text, "%s%s %s", said++ ? ", " : ": ", sc_format_percent(parts->waits[order[i]] / all).s,
                    sc_elapsed_wait_name(order[i]));
  sc_buf_puts(text, parts->measured ? "." : ". What it waits for was not measured: measure again with --restart.");
  return true;
}

bool sc_report_elapsed_note(const sc_judge *judge, double n, sc_buf *text)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  sc_elapsed_parts parts;
  sc_buf where = {0};
  if (!sc_analysis_elapsed_known(analysis) || sc_analysis_elapsed_parts(analysis, n, &parts) < 0)
    return false;
  sc_judge_describe(judge, n, &where);
  bool said = sc_buf_finish(&where) == 0 && sc_report_elapsed_parts_note(&parts, where.text, text);
  sc_buf_free(&where);
  return said;
}
