/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extra-P's text format (its docs/file-formats.md): PARAMETER, POINTS, then METRIC and REGION in any order, and a DATA
 * line of repeats for each point. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/fit/intake.h"
#include "runner/fit/words.h"

typedef struct text_reader {
  sc_intake *intake;
  sc_buf names[SC_STORE_PARAMETERS], metric, region;
  size_t parameters;
  double *points; /* [count][parameters] */
  size_t count, capacity;
  size_t next; /* the point whose DATA comes next */
  double *values;
  size_t value_capacity;
} text_reader;

static int extrap_fault(const char *message, const char *hint)
{
  return sc_err_hint(sc_err_set(SC_E_INPUT, "%s", message), "%s", hint);
}

static int keep_extrap(sc_buf *buf, sc_view text)
{
  buf->length = 0;
  sc_buf_add(buf, text.text, text.length);
  return sc_buf_finish(buf);
}

static int read_extrap_parameters(text_reader *reader, sc_view rest)
{
  sc_view word;
  if (reader->count)
    return extrap_fault("PARAMETER stands behind POINTS", "all parameters come before the points");
  size_t before = reader->parameters;
  while (sc_words_next(&rest, &word)) {
    if (reader->parameters == SC_STORE_PARAMETERS)
      return extrap_fault("too many parameters", "at most 8 can be read, and 3 may vary");
    SC_TRY(keep_extrap(&reader->names[reader->parameters++], word));
  }
  return reader->parameters > before ? 0 : extrap_fault("PARAMETER has no name", "PARAMETER n threads");
}

static int add_coordinate(text_reader *reader, size_t *filled, double value)
{
  SC_TRY(sc_mem_grow(&reader->points, &reader->capacity, reader->count * reader->parameters + *filled + 1,
                     sizeof *reader->points));
  reader->points[reader->count * reader->parameters + (*filled)++] = value;
  if (*filled == reader->parameters) {
    reader->count++;
    *filled = 0;
  }
  return 0;
}

/* "(1 2) (3 4)", "((1) (2)) ((3) (4))", or plain numbers where there is one parameter. A bracket that closes the
 * outermost one ends a point. */
static int read_points(text_reader *reader, sc_view rest)
{
  size_t filled = 0, depth = 0, before = 0;
  bool bare = !memchr(rest.text, '(', rest.length);
  if (!reader->parameters)
    return extrap_fault("POINTS stands before PARAMETER", "name the parameters first: PARAMETER n");
  if (bare && reader->parameters > 1)
    return extrap_fault("the points have no brackets", "POINTS (100 1) (200 1) where there are two parameters");
  for (size_t at = 0; at < rest.length;) {
    char c = rest.text[at];
    double value;
    size_t length = 0;
    if (c == '(' && depth == 0)
      before = reader->count;
    if (c == '(' && ++depth > 2)
      return extrap_fault("too many opening brackets", "POINTS (100 1) (200 1)");
    if (c == ')' && (depth-- == 0 || (depth == 0 && (filled || reader->count != before + 1))))
      return extrap_fault("a bracket holds too few or too many numbers", "a point needs one number for each parameter");
    if (strchr("() \t", c)) {
      at++;
      continue;
    }
    while (at + length < rest.length && !strchr("() \t", rest.text[at + length]))
      length++;
    if (!sc_words_number((sc_view){rest.text + at, length}, &value))
      return extrap_fault("POINTS has something that is not a number", "POINTS 100 200 400, or POINTS (100 1) (200 1)");
    if (!bare && depth == 0)
      return extrap_fault("a number stands outside the brackets", "POINTS (100 1) (200 1)");
    SC_TRY(add_coordinate(reader, &filled, value));
    at += length;
  }
  return depth || filled ? extrap_fault("the last point is not complete", "POINTS (100 1) (200 1)") : 0;
}

/* A region or metric ends: it must have had data for every point, or for none. */
static int end_data(text_reader *reader)
{
  size_t next = reader->next;
  reader->next = 0;
  if (next == 0 || next == reader->count)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "%zu DATA lines before this one, for %zu points", next, reader->count);
  return sc_err_hint(SC_E_INPUT, "each metric of a region needs one DATA line for each point");
}

static int read_data(text_reader *reader, sc_view rest, sc_measurement *point)
{
  sc_view word;
  if (reader->next >= reader->count)
    return extrap_fault(reader->count ? "more DATA lines than points" : "DATA stands before POINTS",
                        "each metric of a region needs one DATA line for each point");
  *point = (sc_measurement){.callpath = {reader->region.text, reader->region.length},
                            .metric = {reader->metric.text, reader->metric.length},
                            .unit = SC_VIEW(""),
                            .parameters = reader->parameters};
  if (!reader->region.length)
    point->callpath = SC_VIEW("<root>");
  if (!reader->metric.length)
    point->metric = SC_VIEW("<default>");
  for (size_t i = 0; i < reader->parameters; i++) {
    point->names[i] = (sc_view){reader->names[i].text, reader->names[i].length};
    point->at[i] = reader->points[reader->next * reader->parameters + i];
  }
  reader->next++;
  while (sc_words_next(&rest, &word)) {
    SC_TRY(sc_mem_grow(&reader->values, &reader->value_capacity, point->count + 1, sizeof *reader->values));
    if (!sc_words_number(word, &reader->values[point->count++]))
      return extrap_fault("DATA has something that is not a number", "DATA 12.5 12.7 12.4: one number for each repeat");
  }
  point->values = reader->values;
  return 0;
}

static int add_data(text_reader *reader, sc_view rest)
{
  sc_measurement point = {0};
  size_t line = reader->intake->input->line;
  int err = read_data(reader, rest, &point);
  if (err >= 0)
    return sc_intake_add(reader->intake, &point, line);
  if (!point.callpath.length)
    return sc_intake_fail(reader->intake, err, line);
  return sc_intake_refuse(reader->intake, &point, err, line);
}

static int read_section(text_reader *reader, sc_view line)
{
  sc_view word, rest = line;
  SC_TRY(sc_words_check(line));
  if (!sc_words_next(&rest, &word) || word.text[0] == '#')
    return 0;
  rest = sc_words_trim(rest);
  if (sc_view_is(word, "PARAMETER"))
    return read_extrap_parameters(reader, rest);
  if (sc_view_is(word, "POINTS"))
    return read_points(reader, rest);
  if (!sc_view_is(word, "METRIC") && !sc_view_is(word, "REGION"))
    return extrap_fault("the line begins with none of PARAMETER, POINTS, METRIC, REGION and DATA",
                        "comments begin with #; the format is described in docs/fit-format.md");
  SC_TRY(end_data(reader));
  return keep_extrap(sc_view_is(word, "METRIC") ? &reader->metric : &reader->region, rest);
}

/* Without what a section says nothing behind it has a meaning, so its faults end the reading. */
static int read_extrap_line(text_reader *reader, sc_view line)
{
  int err = read_section(reader, line);
  return err < 0 ? sc_intake_fail(reader->intake, err, reader->intake->input->line) : 0;
}

/* Leaves what stands behind DATA in *line. */
static bool take_data(sc_view *line)
{
  sc_view word, rest = *line;
  if (!sc_words_next(&rest, &word) || !sc_view_is(word, "DATA"))
    return false;
  *line = rest;
  return true;
}

static int read_lines(text_reader *reader)
{
  sc_view line;
  int more;
  sc_intake *intake = reader->intake;
  while ((more = sc_input_line(intake->input, &line)) > 0) {
    int err = take_data(&line) ? add_data(reader, line) : read_extrap_line(reader, line);
    SC_TRY(err);
  }
  if (more >= 0 && end_data(reader) < 0)
    more = SC_E_INPUT;
  return more < 0 ? sc_intake_fail(intake, more, intake->input->line) : 0;
}

int sc_extrap_read(sc_intake *intake)
{
  text_reader reader = {.intake = intake};
  int err = read_lines(&reader);
  for (size_t i = 0; i < SC_STORE_PARAMETERS; i++)
    sc_buf_free(&reader.names[i]);
  sc_buf_free(&reader.metric);
  sc_buf_free(&reader.region);
  free(reader.points);
  free(reader.values);
  return err;
}
