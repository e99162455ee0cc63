/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/plain.h"

#include <math.h>

#include "runner/text/format.h"
#include "runner/text/tuning.h"
#include "transitions/model/elapsed.h"

static bool has_times(const sc_judge *judge)
{
  return sc_analysis_timed(judge->loaded.analysis) || sc_analysis_elapsed_known(judge->loaded.analysis);
}

double sc_report_plain_share(const sc_judge *judge)
{
  bool known = !judge->loaded.plain.runs && has_times(judge);
  return known ? judge->loaded.plain.estimated : -1;
}

static void add_plain_measured(const sc_judge *judge, const sc_plain *plain, sc_buf *text)
{
  sc_buf_printf(text,
                "Times are the plain program's. Instrumentation multiplies its processor time by %.3g (95%% interval "
                "%.3g to %.3g; %s at %s = %s",
                plain->slowdown, plain->slowdown_low, plain->slowdown_high,
                sc_format_plural(plain->runs, "plain run").s, judge->loaded.workload->parameter,
                sc_format_number(plain->low).s);
  if (plain->high > plain->low)
    sc_buf_printf(text, " to %s", sc_format_number(plain->high).s);
  sc_buf_puts(text, "), which was taken out.");
}

/* Uprobes that are hit often leave nothing of the program's own times; nor does a machine so busy that nobody can tell
 * how much they take. */
static void add_untimed(const sc_judge *judge, sc_buf *text)
{
  double slowdown = judge->loaded.slowdown;
  if (judge->loaded.attached > 0) {
    sc_buf_puts(text, "No times are predicted: what was attached to ran neither from its start nor to its end.");
    return;
  }
  sc_buf_puts(text, "No times are predicted: ");
  if (slowdown > SC_LOADED_PROBED)
    sc_buf_printf(text,
                  "the uprobes multiply the processor time by %s. Functions that are called less often give times.",
                  sc_format_number(slowdown).s);
  else if (slowdown > 0)
    sc_buf_puts(text, "how much of them is the uprobes' is not known, as runs with and without them differ from one "
                      "to the next. Larger sizes and a machine without other load give times.");
  else
    sc_buf_puts(text, "how much of them is the uprobes' is not known, as no run without them was made.");
}

void sc_report_attached_unit(const sc_judge *judge, sc_buf *text)
{
  const sc_loaded *loaded = &judge->loaded;
  if (loaded->attached_per && *loaded->attached_per)
    sc_buf_printf(text, "%d calls of %s", SC_ATTACH_REQUESTS, loaded->attached_per);
  else
    sc_buf_printf(text, "window of %s", sc_format_seconds(loaded->attached).s);
}

bool sc_report_attached_text(const sc_judge *judge, sc_buf *text)
{
  const sc_loaded *loaded = &judge->loaded;
  if (!loaded->attached)
    return false;
  sc_buf_puts(text, "Attached to a running process: counts are per ");
  sc_report_attached_unit(judge, text);
  sc_buf_printf(text, ". Acquires before it are unknown. Overhead of the probes: at most %s.",
                sc_format_percent(loaded->attach_overhead).s);
  return true;
}

bool sc_report_plain_text(const sc_judge *judge, sc_buf *text)
{
  const sc_plain *plain = &judge->loaded.plain;
  double low, high, share;
  if (judge->loaded.plain.taken_away) {
    add_untimed(judge, text);
    return true;
  }
  if (!has_times(judge))
    return false;
  if (plain->runs) {
    add_plain_measured(judge, plain, text);
    return true;
  }
  share = sc_report_plain_share(judge);
  if (share < SC_PLAIN_MENTIONED)
    return false;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  sc_buf_printf(text,
                "Times are the plain program's, by an estimate: roughly %s of the processor time at %s = %s was "
                "instrumentation, told from calls and events, and was taken out. To measure it, add --plain PROGRAM to "
                "scale-run run: the same program built without scale-cc.",
                sc_format_percent(share).s, judge->loaded.workload->parameter, sc_format_number(high).s);
  return true;
}

void sc_report_plain_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  sc_buf text = {0};
  if (sc_report_plain_text(judge, &text) && sc_buf_finish(&text) == 0) {
    fputs("  ", out);
    sc_format_wrap(out, text.text, 2, 2, options->width);
  }
  sc_buf_free(&text);
}

void sc_report_plain_json(sc_json *json, const sc_judge *judge, cJSON *document)
{
  const sc_plain *plain = &judge->loaded.plain;
  cJSON *object = sc_json_object(json, document, "instrumentation");
  double share = sc_report_plain_share(judge);
  sc_json_bool(json, object, "taken_out", plain->runs > 0);
  sc_json_number(json, object, "plain_runs", (double)plain->runs);
  sc_json_number(json, object, "estimated_share", share >= 0 ? share : NAN);
  if (!plain->runs)
    return;
  const sc_interval slowdown = {plain->slowdown, plain->slowdown_low, plain->slowdown_high};
  sc_json_number(json, object, "low", plain->low);
  sc_json_number(json, object, "high", plain->high);
  sc_json_interval(json, object, "slowdown", &slowdown);
}
