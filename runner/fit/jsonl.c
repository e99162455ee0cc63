/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extra-P's JSON Lines (its docs/file-formats.md): {"params": {"n": 20}, "callpath": "a->b", "metric": "calls",
 * "value": [1, 2]}. What Extra-P leaves out, callpath and metric, has its defaults; members it does not know are read
 * over. */
#include <stdlib.h>

#include "base/buf.h"
#include "runner/fit/intake.h"
#include "runner/fit/scan.h"

enum { PARAMS = 1, VALUE = 2, CALLPATH = 4, METRIC = 8, UNIT = 16 };

typedef struct line_reader {
  sc_scan scan;
  sc_measurement point;
  double *values;
  size_t capacity;
  unsigned seen;
} line_reader;

static int refuse_missing_member(const char *what, const char *hint)
{
  return sc_err_hint(sc_err_set(SC_E_INPUT, "there is no \"%s\"", what), "%s", hint);
}

static int read_params(line_reader *reader)
{
  sc_measurement *point = &reader->point;
  sc_view key;
  int more;
  SC_TRY(sc_scan_open(&reader->scan, '{'));
  while ((more = sc_scan_member(&reader->scan, &key)) > 0) {
    if (point->parameters == SC_STORE_PARAMETERS)
      return sc_err_hint(sc_scan_fault(&reader->scan, "too many parameters"), "at most %d can be read, and %d may vary",
                         SC_STORE_PARAMETERS, 3);
    point->names[point->parameters] = key;
    SC_TRY(sc_scan_number(&reader->scan, &point->at[point->parameters++]));
  }
  return more;
}

static int add_jsonl_value(line_reader *reader)
{
  if (reader->point.count == reader->capacity)
    SC_TRY(sc_mem_grow(&reader->values, &reader->capacity, reader->point.count + 1, sizeof *reader->values));
  return sc_scan_number(&reader->scan, &reader->values[reader->point.count++]);
}

static int read_jsonl_values(line_reader *reader)
{
  int more;
  if (sc_scan_kind(&reader->scan) != '[')
    return add_jsonl_value(reader);
  SC_TRY(sc_scan_open(&reader->scan, '['));
  while ((more = sc_scan_element(&reader->scan)) > 0)
    SC_TRY(add_jsonl_value(reader));
  return more;
}

static int read_jsonl_member(line_reader *reader, sc_view key)
{
  unsigned member = sc_view_is(key, "params")     ? PARAMS
                    : sc_view_is(key, "value")    ? VALUE
                    : sc_view_is(key, "callpath") ? CALLPATH
                    : sc_view_is(key, "metric")   ? METRIC
                    : sc_view_is(key, "unit")     ? UNIT
                                                  : 0;
  if (reader->seen & member)
    return sc_scan_fault(&reader->scan, "this member is there twice");
  reader->seen |= member;
  switch (member) {
  case PARAMS:
    return read_params(reader);
  case VALUE:
    return read_jsonl_values(reader);
  case CALLPATH:
    return sc_scan_string(&reader->scan, &reader->point.callpath);
  case METRIC:
    return sc_scan_string(&reader->scan, &reader->point.metric);
  case UNIT:
    return sc_scan_string(&reader->scan, &reader->point.unit);
  default:
    return sc_scan_skip(&reader->scan);
  }
}

static int read_jsonl_line(line_reader *reader, sc_view line)
{
  sc_view key;
  int more;
  reader->point = (sc_measurement){.callpath = SC_VIEW("<root>"), .metric = SC_VIEW("<default>"), .unit = SC_VIEW("")};
  reader->seen = 0;
  sc_scan_begin(&reader->scan, line);
  SC_TRY(sc_scan_open(&reader->scan, '{'));
  while ((more = sc_scan_member(&reader->scan, &key)) > 0)
    SC_TRY(read_jsonl_member(reader, key));
  SC_TRY(more);
  SC_TRY(sc_scan_finish(&reader->scan));
  if (!(reader->seen & PARAMS))
    return refuse_missing_member("params", "the sizes of the point: {\"params\": {\"n\": 20}, \"value\": [1, 2]}");
  if (!(reader->seen & VALUE))
    return refuse_missing_member("value", "what was measured: {\"params\": {\"n\": 20}, \"value\": [1, 2]}");
  reader->point.values = reader->values;
  return 0;
}

/* An error in a line is reported with its series, where its name could be read. */
static int refuse_line(sc_intake *intake, const line_reader *reader, int err)
{
  const sc_measurement *point = &reader->point;
  bool known = (reader->seen & (CALLPATH | METRIC)) && point->callpath.length && point->metric.length;
  return known ? sc_intake_refuse(intake, point, err, intake->input->line)
               : sc_intake_fault(intake, err, intake->input->line);
}

int sc_jsonl_read(sc_intake *intake)
{
  line_reader reader = {0};
  sc_view line;
  int more, err = 0;
  while ((more = sc_input_line(intake->input, &line)) != 0) {
    size_t start = 0;
    while (start < line.length && (line.text[start] == ' ' || line.text[start] == '\t'))
      start++;
    if (more > 0 && start == line.length)
      continue;
    err = more < 0 ? more : read_jsonl_line(&reader, line);
    if (err < 0)
      SC_GOTO(more < 0 ? sc_intake_fault(intake, err, intake->input->line) : refuse_line(intake, &reader, err));
    else
      SC_GOTO(sc_intake_add(intake, &reader.point, intake->input->line));
  }
  err = 0;
out:
  sc_scan_free(&reader.scan);
  free(reader.values);
  return err;
}
