/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/review/words.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/same.h"
#include "runner/text/tuning.h"

sc_text sc_notice_value(const char *unit, double value)
{
  if (sc_same_text(unit, "bytes"))
    return sc_format_bytes(value);
  if (sc_same_text(unit, SC_NOTICE_RATIO))
    return sc_format_percent(value);
  return sc_format_cost(value, sc_same_text(unit, "s") ? "s" : "");
}

sc_text sc_notice_range(const char *unit, const sc_interval *interval)
{
  bool exact = interval->low == interval->value && interval->high == interval->value;
  if (exact || !(sc_same_text(unit, "bytes") || sc_same_text(unit, SC_NOTICE_RATIO)))
    return sc_format_interval(interval, sc_same_text(unit, "s") ? "s" : "");
  sc_text low = sc_notice_value(unit, interval->low), high = sc_notice_value(unit, interval->high), out;
  snprintf(out.s, sizeof out.s, "%.28s to %.28s", low.s, isinf(interval->high) ? "unbounded" : high.s);
  return out;
}

const char *sc_notice_resource_unit(const sc_resource *resource, enum sc_resource_metric metric)
{
  if (metric == SC_RMETRIC_UTILISATION || metric == SC_RMETRIC_FAILURE_RATIO)
    return SC_NOTICE_RATIO;
  if (sc_same_text(sc_resource_metric_unit(metric), "s"))
    return "s";
  bool units = metric == SC_RMETRIC_UNITS || metric == SC_RMETRIC_OUTSTANDING || metric == SC_RMETRIC_PEAK;
  return units && sc_same_text(sc_resource_class_unit(resource->resource_class), "byte") ? "bytes" : "";
}

char *sc_notice_place(const char *file, uint32_t line, uint32_t column)
{
  sc_buf text = {0};
  sc_buf_puts(&text, file);
  if (*file && line)
    sc_buf_printf(&text, ":%u", line);
  if (*file && line && column)
    sc_buf_printf(&text, ":%u", column);
  char *place = sc_buf_finish(&text) == 0 ? sc_buf_take(&text) : NULL;
  sc_buf_free(&text);
  return place;
}

const sc_notice_prediction *sc_notice_last(const sc_notice *notice)
{
  return notice->prediction_count ? &notice->predictions[notice->prediction_count - 1] : NULL;
}

const char *sc_notice_variable(const sc_notices *notices) { return notices->judge->loaded.workload->parameter; }

void sc_notice_point(const sc_notices *notices, const sc_notice *notice, double n, sc_buf *out)
{
  sc_judge_describe_with(notices->judge, n, notice->parameter, notice->parameter_at, out);
}

/* What happens from there on. */
static void say_what_emerges(const sc_notices *notices, const sc_notice *notice, sc_buf *out)
{
  double budget = sc_analysis_get_options(notices->judge->loaded.analysis)->time_budget;
  if (notices->comparison)
    sc_buf_puts(out, "exceeds the base ");
  else if (notice->resource)
    sc_buf_puts(out, "holds ");
  else if (budget > 0)
    sc_buf_printf(out, "exceeds its budget of %s ", sc_format_seconds(budget).s);
  else
    sc_buf_puts(out, "takes half of the total ");
}

/* The smallest value measured of the parameter that a notice is about. */
static double smallest_measured(const sc_notices *notices, const sc_notice *notice)
{
  const sc_workload *workload = notices->judge->loaded.workload;
  double low, high;
  for (size_t i = 0; notice->parameter && i < workload->other_count; i++)
    if (sc_same_text(notice->parameter, workload->others[i].name))
      return workload->others[i].values[0];
  sc_analysis_range(notices->judge->loaded.analysis, &low, &high);
  return low;
}

static void say_from_where(const sc_notices *notices, const sc_notice *notice, sc_buf *out)
{
  const sc_interval *size = &notice->emergence;
  const char *parameter = notice->parameter;
  double low = smallest_measured(notices, notice);
  if (isinf(size->value))
    sc_buf_puts(out, "at no size looked at");
  else if (size->value <= low)
    sc_buf_printf(out, "from the smallest measured %s on", parameter ? parameter : "size");
  else
    sc_buf_printf(out, "from %s = %s on", parameter ? parameter : sc_notice_variable(notices),
                  sc_format_number(parameter && notice->resource ? size->value : round(size->value)).s);
  if (size->low < size->high && isfinite(size->high) && size->value > low)
    sc_buf_printf(out, " (%s to %s)", sc_format_number(round(size->low)).s, sc_format_number(round(size->high)).s);
  if (parameter && isfinite(size->value))
    sc_buf_printf(out, ", at %s = %s", sc_notice_variable(notices),
                  sc_format_number(sc_analysis_horizon(notices->judge->loaded.analysis)).s);
}

char *sc_notice_emergence(const sc_notices *notices, const sc_notice *notice)
{
  sc_buf text = {0};
  sc_buf_puts(&text, "");
  /* A finding that never takes half of the total may matter all the same. */
  if (!isnan(notice->emergence.value) && (!isinf(notice->emergence.value) || notice->resource)) {
    say_what_emerges(notices, notice, &text);
    say_from_where(notices, notice, &text);
  }
  char *words = sc_buf_finish(&text) == 0 ? sc_buf_take(&text) : NULL;
  sc_buf_free(&text);
  return words;
}

void sc_notice_markdown(const char *text, sc_buf *out)
{
  for (; *text; text++) {
    const char *entity = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : NULL;
    if (entity)
      sc_buf_puts(out, entity);
    else if (*text == '@' || *text == '#') /* would call a person, or name an issue */
      sc_buf_printf(out, "&#%d;", *text);
    else {
      if (strchr("\\`*_{}[]!|~$", *text))
        sc_buf_add(out, "\\", 1);
      sc_buf_add(out, text, 1);
    }
  }
}

void sc_notice_reached(const sc_interval *bytes, sc_buf *out)
{
  if (isinf(bytes->value))
    sc_buf_printf(out, "no size up to %s bytes", sc_format_number(SC_FUZZ_LARGEST).s);
  else if (bytes->value > 0)
    sc_buf_printf(out, "%s bytes (%s to %s)", sc_format_number(bytes->value).s, sc_format_number(bytes->low).s,
                  isinf(bytes->high) ? "none" : sc_format_number(bytes->high).s);
}

bool sc_notice_inputs_line(const sc_notice_inputs *inputs, size_t i, const char **label, sc_buf *out)
{
  static const char *const labels[] = {"Family", "Confirmed", "Example", "Ends", "1 s", "1 min", "Severity", "Kept in"};
  if (i >= sizeof labels / sizeof *labels)
    return false;
  *label = labels[i];
  switch (i) {
  case 0:
    sc_buf_puts(out, inputs->family);
    break;
  case 1:
    sc_buf_puts(out, inputs->confirmed);
    break;
  case 2:
    sc_buf_printf(out, "n = %s, %s: %s", sc_format_number(inputs->example_n).s,
                  sc_format_plural((size_t)inputs->example_bytes, "byte").s, inputs->example);
    break;
  case 3:
    if (isfinite(inputs->ends))
      sc_buf_printf(out, "up to n = %s, then it stops", sc_format_number(inputs->ends).s);
    break;
  case 4:
  case 5:
    if (inputs->reached[i - 4].value > 0)
      sc_buf_puts(out, "at ");
    sc_notice_reached(&inputs->reached[i - 4], out);
    break;
  case 6:
    if (isfinite(inputs->order))
      sc_buf_printf(out, "order %.2f of bytes", inputs->order);
    if (isfinite(inputs->per_megabyte))
      sc_buf_printf(out, ", %s of a megabyte", sc_format_seconds(inputs->per_megabyte).s);
    break;
  default:
    sc_buf_puts(out, inputs->file);
  }
  return true;
}

size_t sc_notices_count(const sc_notices *notices, enum sc_severity severity)
{
  size_t count = 0;
  for (size_t i = 0; i < notices->count; i++)
    count += notices->list[i].severity == severity && !notices->list[i].accepted;
  return count;
}
