/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV with a heading. Long form: a column `value`, and beside callpath, metric and unit all columns are parameters.
 * Wide form: no such column; the parameters are those named by --parameters, or n, size, threads and the like, or the
 * first of two columns, and each other column is a metric. A row for each run; rows of the same sizes are repeats.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runner/fit/check.h"
#include "runner/fit/intake.h"
#include "runner/fit/record.h"
#include "runner/fit/words.h"

enum role { METRIC_VALUE, CALLPATH, METRIC, UNIT, VALUE, PARAMETER, IGNORED };

typedef struct csv_reader {
  sc_intake *intake;
  sc_record record;
  sc_buf heading; /* the columns' names, one behind the other */
  sc_view *names;
  enum role *roles;
  size_t columns;
  bool wide;
} csv_reader;

static bool is_word_among(sc_view name, const char *list)
{
  for (size_t length; *list; list += length + (list[length] == ' ')) {
    length = strcspn(list, " ");
    if (length == name.length && strncasecmp(list, name.text, length) == 0)
      return true;
  }
  return false;
}

/* --parameters: "n,threads". */
static bool is_column_listed(const char *list, sc_view name)
{
  for (size_t length; list && *list; list += length + (list[length] == ',')) {
    length = strcspn(list, ",");
    sc_view one = sc_words_trim((sc_view){list, length});
    if (one.length == name.length && memcmp(one.text, name.text, name.length) == 0)
      return true;
  }
  return false;
}

static enum role role_of(sc_view name, const char *parameters)
{
  if (is_column_listed(parameters, name))
    return PARAMETER;
  return is_word_among(name, "callpath region function benchmark name series") ? CALLPATH
         : is_word_among(name, "metric")                                       ? METRIC
         : is_word_among(name, "unit")                                         ? UNIT
         : is_word_among(name, "value values")                                 ? VALUE
         : is_word_among(name, "repeat repetition rep run trial")              ? IGNORED
                                                                               : METRIC_VALUE;
}

static int heading_fault(const csv_reader *reader, const char *message, const char *hint)
{
  sc_buf list = {0};
  for (size_t i = 0; i < reader->columns && list.length < 400; i++) {
    char name[64];
    sc_check_plain(reader->names[i], name, sizeof name);
    sc_buf_printf(&list, "%s%s", i ? ", " : "", name);
  }
  if (sc_buf_finish(&list) < 0)
    return SC_E_NOMEM;
  (void)sc_err_set(SC_E_INPUT, "%s (the columns are: %s)", message, list.text);
  sc_buf_free(&list);
  return sc_err_hint(SC_E_INPUT, "%s", hint);
}

static size_t count_role(const csv_reader *reader, enum role role)
{
  size_t count = 0;
  for (size_t i = 0; i < reader->columns; i++)
    count += reader->roles[i] == role;
  return count;
}

/* Which columns are parameters, where --parameters does not say it. */
static int find_parameters(csv_reader *reader)
{
  const char *usual = "n size n1 n2 n3 threads processes procs p input_size problem_size";
  for (size_t i = 0; i < reader->columns; i++)
    if (reader->roles[i] == METRIC_VALUE && (!reader->wide || is_word_among(reader->names[i], usual)))
      reader->roles[i] = PARAMETER;
  if (count_role(reader, PARAMETER) || count_role(reader, METRIC_VALUE) != 2)
    return 0;
  for (size_t i = 0; i < reader->columns; i++)
    if (reader->roles[i] == METRIC_VALUE) {
      reader->roles[i] = PARAMETER;
      return 0;
    }
  return 0;
}

static int check_roles(const csv_reader *reader)
{
  const char *parameters = reader->intake->parameters;
  for (size_t length; parameters && *parameters; parameters += length + (parameters[length] == ',')) {
    length = strcspn(parameters, ",");
    sc_view name = sc_words_trim((sc_view){parameters, length});
    bool found = false;
    for (size_t i = 0; i < reader->columns; i++)
      found |= reader->names[i].length == name.length && memcmp(reader->names[i].text, name.text, name.length) == 0;
    if (!found)
      return heading_fault(reader, "--parameters names a column that is not there", "names are those of the heading");
  }
  if (count_role(reader, CALLPATH) > 1 || count_role(reader, METRIC) > 1 || count_role(reader, UNIT) > 1 ||
      count_role(reader, VALUE) > 1)
    return heading_fault(reader, "two columns mean the same", "one column each for callpath, metric, unit and value");
  if (!count_role(reader, PARAMETER))
    return heading_fault(reader, "which columns are parameters is undecided",
                         "name them: --parameters n, or --parameters n,threads");
  if (count_role(reader, PARAMETER) > SC_STORE_PARAMETERS)
    return heading_fault(reader, "more than 8 columns are parameters", "3 may vary; name them: --parameters n,threads");
  if (reader->wide && !count_role(reader, METRIC_VALUE))
    return heading_fault(reader, "there is no column with measurements", "n,time is the shortest heading");
  if (!reader->wide && count_role(reader, METRIC_VALUE))
    return heading_fault(reader, "a column is neither a parameter nor callpath, metric, unit, value or repeat",
                         "leave it out of the file, or name it in --parameters");
  return 0;
}

static int read_csv_heading(csv_reader *reader)
{
  sc_record *record = &reader->record;
  double number;
  int more = sc_record_read(reader->intake->input, record);
  if (more <= 0)
    return more < 0 ? more : sc_err_set(SC_E_INPUT, "there is no heading");
  reader->columns = record->count;
  reader->names = sc_mem_new(record->count, sizeof *reader->names);
  reader->roles = sc_mem_new(record->count, sizeof *reader->roles);
  if (!reader->names || !reader->roles)
    return SC_E_NOMEM;
  for (size_t i = 0; i < record->count; i++)
    sc_buf_add(&reader->heading, record->fields[i].text, record->fields[i].length);
  SC_TRY(sc_buf_finish(&reader->heading));
  for (size_t i = 0, at = 0; i < record->count; at += record->fields[i++].length) {
    reader->names[i] = (sc_view){reader->heading.text + at, record->fields[i].length};
    reader->roles[i] = role_of(reader->names[i], reader->intake->parameters);
  }
  if (record->count < 2)
    return heading_fault(reader, "this is neither CSV with a heading nor any other of the formats",
                         "JSON Lines, Extra-P's text format, Google Benchmark's JSON, hyperfine's JSON and CSV are "
                         "understood: docs/fit-format.md");
  for (size_t i = 0; i < record->count; i++)
    if (sc_words_number(record->fields[i], &number))
      return heading_fault(reader, "the first row has numbers in it: the heading is missing",
                           "put the columns' names in front: n,time");
  reader->wide = !count_role(reader, VALUE);
  if (!reader->intake->parameters)
    SC_TRY(find_parameters(reader));
  return check_roles(reader);
}

static int field_fault(const csv_reader *reader, size_t column)
{
  char name[64], text[64];
  sc_check_plain(reader->names[column], name, sizeof name);
  sc_check_plain(reader->record.fields[column], text, sizeof text);
  if (!*text)
    (void)sc_err_set(SC_E_INPUT, "column %s is empty", name);
  else
    (void)sc_err_set(SC_E_INPUT, "column %s: \"%s\" is not a number", name, text);
  return sc_err_hint(SC_E_INPUT, reader->wide ? "columns other than callpath are sizes or measurements; what was not "
                                                "measured may be left empty"
                                              : "sizes and values are plain numbers: 1000, 0.25, 1e6");
}

static int add_csv_value(csv_reader *reader, const sc_measurement *point, size_t column)
{
  double value;
  sc_measurement one = *point; /* a copy, as it refers to what is gone with this function */
  one.values = &value;
  one.count = 1;
  if (!sc_words_number(reader->record.fields[column], &value))
    return sc_intake_refuse(reader->intake, &one, field_fault(reader, column), reader->record.line);
  return sc_intake_add(reader->intake, &one, reader->record.line);
}

/* What names the row's series and its sizes; *bad: the column of a size that is not a number, or `columns`. */
static sc_measurement read_keys(const csv_reader *reader, size_t *bad)
{
  sc_measurement point = {.callpath = SC_VIEW("<root>"), .metric = SC_VIEW("<default>"), .unit = SC_VIEW("")};
  *bad = reader->columns;
  for (size_t i = 0; i < reader->columns; i++) {
    sc_view field = reader->record.fields[i];
    if (reader->roles[i] == PARAMETER) {
      point.names[point.parameters] = reader->names[i];
      if (!sc_words_number(field, &point.at[point.parameters++]))
        *bad = i;
    } else if (field.length && reader->roles[i] != VALUE) {
      sc_view *key = reader->roles[i] == CALLPATH ? &point.callpath
                     : reader->roles[i] == METRIC ? &point.metric
                     : reader->roles[i] == UNIT   ? &point.unit
                                                  : NULL;
      if (key)
        *key = field;
    }
  }
  return point;
}

static int read_csv_row(csv_reader *reader)
{
  size_t bad, line = reader->record.line;
  if (reader->record.count != reader->columns) {
    (void)sc_err_set(SC_E_INPUT, "%zu fields for %zu columns", reader->record.count, reader->columns);
    return sc_intake_fault(reader->intake, sc_err_hint(SC_E_INPUT, "every row needs as many fields as the heading"),
                           line);
  }
  sc_measurement point = read_keys(reader, &bad);
  for (size_t i = 0; i < reader->columns; i++) {
    if (reader->roles[i] != (reader->wide ? METRIC_VALUE : VALUE))
      continue;
    if (reader->wide)
      point.metric = reader->names[i];
    if (bad < reader->columns)
      SC_TRY(sc_intake_refuse(reader->intake, &point, field_fault(reader, bad), line));
    else if (!reader->wide || reader->record.fields[i].length)
      SC_TRY(add_csv_value(reader, &point, i));
  }
  return 0;
}

static int read_csv_rows(csv_reader *reader)
{
  int more;
  while ((more = sc_record_read(reader->intake->input, &reader->record)) != 0)
    SC_TRY(more > 0 ? read_csv_row(reader) : sc_intake_fault(reader->intake, more, reader->record.line));
  return 0;
}

int sc_csv_read(sc_intake *intake)
{
  csv_reader reader = {.intake = intake};
  int err = read_csv_heading(&reader);
  err = err < 0 ? sc_intake_fail(intake, err, intake->input->line) : read_csv_rows(&reader);
  sc_record_free(&reader.record);
  sc_buf_free(&reader.heading);
  free(reader.names);
  free(reader.roles);
  return err;
}
