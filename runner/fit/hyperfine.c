/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hyperfine's exports: JSON (--export-json), with the time of every run, and CSV (--export-csv), with means. Sizes are
 * the parameters of --parameter-scan and --parameter-list that are numbers; those that are not tell series apart, as
 * different commands do. The commands are written with the values in them: what was one command with a parameter is
 * found by the order of results, and called by its first one with the parameter's name for its value.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/fit/intake.h"
#include "runner/fit/record.h"
#include "runner/fit/scan.h"
#include "runner/fit/words.h"

enum { RESULTS = 10000 /* compared with each other */, COLUMNS = 8 /* of CSV before the parameters */ };
static const char *const heading[COLUMNS] = {"command", "mean", "stddev", "median", "user", "system", "min", "max"};
static const char prefix[] = "parameter_";

typedef struct result {
  sc_view command;
  sc_view names[SC_STORE_PARAMETERS], texts[SC_STORE_PARAMETERS];
  size_t parameters;
  double mean, user, system; /* seconds; NAN: not there */
  size_t times;              /* of reader->times */
} result;

/* What tells results apart: all parameters' values; and, with the number of the command, those that are no numbers. */
typedef struct known {
  char *key, *label;
  size_t count;
} known;

typedef struct hyperfine_reader {
  sc_intake *intake;
  sc_scan scan;
  double *times;
  size_t time_capacity;
  known *all, *series;
  size_t all_count, all_capacity, series_count, series_capacity;
  bool told; /* the last error names the input already */
} hyperfine_reader;

static void drop_reader(hyperfine_reader *reader)
{
  for (size_t i = 0; i < reader->all_count; i++)
    free(reader->all[i].key);
  for (size_t i = 0; i < reader->series_count; i++) {
    free(reader->series[i].key);
    free(reader->series[i].label);
  }
  free(reader->all);
  free(reader->series);
  free(reader->times);
  sc_scan_free(&reader->scan);
}

static bool is_hyperfine_size(const result *one, size_t parameter, double *value)
{
  return sc_words_number(one->texts[parameter], value) && isfinite(*value);
}

/* ---- names --------------------------------------------------------------------------------- */

/* The entry of a key, which it takes over; created if missing. */
static int find_hyperfine_known(known **list, size_t *count, size_t *capacity, sc_buf *key, known **found)
{
  SC_TRY(sc_buf_finish(key));
  for (size_t i = 0; i < *count; i++)
    if (strcmp((*list)[i].key, key->text) == 0) {
      *found = &(*list)[i];
      return 0;
    }
  SC_TRY(sc_mem_grow(list, capacity, *count + 1, sizeof **list));
  *found = &(*list)[(*count)++];
  **found = (known){.key = key->text};
  *key = (sc_buf){0};
  return 0;
}

static bool hyperfine_bounded(const char *text, size_t length, size_t at, size_t end)
{
  return (at == 0 || (!isalnum((unsigned char)text[at - 1]) && text[at - 1] != '.')) &&
         (end == length || (!isalnum((unsigned char)text[end]) && text[end] != '.'));
}

/* Puts {name} for the value: wherever it stands by itself, or else where it stands first. */
static void put_name(sc_view name, sc_view value, sc_buf *command)
{
  sc_buf out = {0};
  bool any = false;
  for (size_t pass = 0; pass < 2 && !any && value.length; pass++) {
    out.length = 0;
    for (size_t i = 0; i < command->length;) {
      size_t end = i + value.length;
      if (end <= command->length && memcmp(command->text + i, value.text, value.length) == 0 &&
          (pass ? !any : hyperfine_bounded(command->text, command->length, i, end))) {
        sc_buf_puts(&out, "{");
        sc_buf_add(&out, name.text, name.length);
        sc_buf_puts(&out, "}");
        any = true;
        i = end;
      } else {
        sc_buf_add(&out, command->text + i++, 1);
      }
    }
  }
  if (any) {
    sc_buf_free(command);
    *command = out;
  } else {
    sc_buf_free(&out);
  }
}

static int make_label(const result *one, char **label)
{
  sc_buf text = {0};
  double value;
  sc_buf_add(&text, one->command.text, one->command.length);
  for (size_t i = 0; i < one->parameters; i++)
    if (is_hyperfine_size(one, i, &value))
      put_name(one->names[i], one->texts[i], &text);
  for (size_t i = 0; i < one->parameters; i++)
    if (!is_hyperfine_size(one, i, &value) &&
        !memmem(one->command.text, one->command.length, one->texts[i].text, one->texts[i].length)) {
      sc_buf_puts(&text, ", ");
      sc_buf_add(&text, one->names[i].text, one->names[i].length);
      sc_buf_puts(&text, "=");
      sc_buf_add(&text, one->texts[i].text, one->texts[i].length);
    }
  SC_TRY(sc_buf_finish(&text));
  *label = text.text;
  return 0;
}

static void add_hyperfine_key(const result *one, bool sizes, sc_buf *key)
{
  double value;
  for (size_t i = 0; i < one->parameters; i++)
    if (sizes || !is_hyperfine_size(one, i, &value)) {
      sc_buf_printf(key, "%zu ", i);
      sc_buf_add(key, one->texts[i].text, one->texts[i].length);
      sc_buf_puts(key, "\n");
    }
}

/* The nth result with the same values is of the nth command. */
static int hyperfine_name_series(hyperfine_reader *reader, const result *one, const char **label)
{
  sc_buf key = {0};
  known *same, *series;
  int err;
  add_hyperfine_key(one, true, &key);
  SC_GOTO(find_hyperfine_known(&reader->all, &reader->all_count, &reader->all_capacity, &key, &same));
  key.length = 0;
  sc_buf_printf(&key, "%zu\n", same->count++);
  add_hyperfine_key(one, false, &key);
  SC_GOTO(find_hyperfine_known(&reader->series, &reader->series_count, &reader->series_capacity, &key, &series));
  if (!series->label)
    SC_GOTO(make_label(one, &series->label));
  *label = series->label;
out:
  sc_buf_free(&key);
  return err;
}

/* ---- points --------------------------------------------------------------------------------- */

static int add_hyperfine_metric(hyperfine_reader *reader, sc_measurement *point, sc_view metric, const double *values,
                                size_t count, size_t line)
{
  point->metric = metric;
  point->values = values;
  point->count = count;
  int err = count && !isnan(*values) ? sc_intake_add(reader->intake, point, line) : 0;
  reader->told = err < 0;
  return err;
}

static int refuse_result(hyperfine_reader *reader, size_t line, const char *what, const char *hint)
{
  int err = sc_intake_fault(reader->intake, sc_err_hint(sc_err_set(SC_E_INPUT, "%s", what), "%s", hint), line);
  reader->told = err < 0;
  return err;
}

static int add_hyperfine_result(hyperfine_reader *reader, const result *one, size_t line)
{
  sc_measurement point = {.unit = SC_VIEW("s")};
  const char *label;
  for (size_t i = 0; i < one->parameters; i++)
    if (is_hyperfine_size(one, i, &point.at[point.parameters]))
      point.names[point.parameters++] = one->names[i];
  if (!point.parameters)
    return refuse_result(reader, line, "a result of hyperfine without a parameter that is a number",
                         "run hyperfine -P n 100 800 -D 100 'prog {n}', or -L n 100,200,400,800");
  if (reader->all_count == RESULTS)
    return refuse_result(reader, line, "too many results", "at most 10,000 are read of hyperfine's");
  SC_TRY(hyperfine_name_series(reader, one, &label));
  point.callpath = (sc_view){label, strlen(label)};
  if (one->times)
    SC_TRY(add_hyperfine_metric(reader, &point, SC_VIEW("time"), reader->times, one->times, line));
  else
    SC_TRY(add_hyperfine_metric(reader, &point, SC_VIEW("time"), &one->mean, 1, line));
  SC_TRY(add_hyperfine_metric(reader, &point, SC_VIEW("user"), &one->user, 1, line));
  return add_hyperfine_metric(reader, &point, SC_VIEW("system"), &one->system, 1, line);
}

static int add_hyperfine_parameter(result *one, sc_view name, sc_view text)
{
  if (one->parameters == SC_STORE_PARAMETERS)
    return sc_err_hint(sc_err_set(SC_E_INPUT, "a command has too many parameters"), "at most 8 can be read");
  one->names[one->parameters] = name;
  one->texts[one->parameters++] = text;
  return 0;
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static int read_times(hyperfine_reader *reader, result *one)
{
  int more;
  SC_TRY(sc_scan_open(&reader->scan, '['));
  while ((more = sc_scan_element(&reader->scan)) > 0) {
    SC_TRY(sc_mem_grow(&reader->times, &reader->time_capacity, one->times + 1, sizeof *reader->times));
    SC_TRY(sc_scan_number(&reader->scan, &reader->times[one->times++]));
  }
  return more;
}

static int read_hyperfine_parameters(hyperfine_reader *reader, result *one)
{
  sc_view name, text;
  int more;
  SC_TRY(sc_scan_open(&reader->scan, '{'));
  while ((more = sc_scan_member(&reader->scan, &name)) > 0) {
    SC_TRY(sc_scan_string(&reader->scan, &text));
    SC_TRY(add_hyperfine_parameter(one, name, text));
  }
  return more;
}

/* Null where a signal ended the command. */
static int read_exit_codes(hyperfine_reader *reader)
{
  double code;
  int more;
  SC_TRY(sc_scan_open(&reader->scan, '['));
  while ((more = sc_scan_element(&reader->scan)) > 0) {
    bool number = sc_scan_kind(&reader->scan) == '0';
    if (number)
      SC_TRY(sc_scan_number(&reader->scan, &code));
    else
      SC_TRY(sc_scan_skip(&reader->scan));
    reader->intake->failed_runs += !number || code != 0;
  }
  return more;
}

static int read_hyperfine_member(hyperfine_reader *reader, sc_view key, result *one)
{
  sc_scan *scan = &reader->scan;
  char kind = sc_scan_kind(scan);
  if (sc_view_is(key, "command"))
    return sc_scan_string(scan, &one->command);
  if (sc_view_is(key, "times") && kind == '[')
    return read_times(reader, one);
  if (sc_view_is(key, "exit_codes") && kind == '[')
    return read_exit_codes(reader);
  if (sc_view_is(key, "parameters") && kind == '{')
    return read_hyperfine_parameters(reader, one);
  double *into = sc_view_is(key, "mean")     ? &one->mean
                 : sc_view_is(key, "user")   ? &one->user
                 : sc_view_is(key, "system") ? &one->system
                                             : NULL;
  return into && kind == '0' ? sc_scan_number(scan, into) : sc_scan_skip(scan);
}

static size_t line_of(const sc_scan *scan)
{
  size_t line = 1;
  for (const char *at = scan->start; (at = memchr(at, '\n', (size_t)(scan->at - at))); at++)
    line++;
  return line;
}

static int read_result(void *user)
{
  hyperfine_reader *reader = user;
  result one = {.mean = NAN, .user = NAN, .system = NAN};
  sc_view key;
  int more;
  SC_TRY(sc_scan_open(&reader->scan, '{'));
  size_t line = line_of(&reader->scan);
  while ((more = sc_scan_member(&reader->scan, &key)) > 0)
    SC_TRY(read_hyperfine_member(reader, key, &one));
  SC_TRY(more);
  if (!one.command.length || (!one.times && isnan(one.mean)))
    return sc_scan_fault(&reader->scan, "a result without command or times");
  return add_hyperfine_result(reader, &one, line);
}

int sc_hyperfine_read(sc_intake *intake)
{
  hyperfine_reader reader = {.intake = intake};
  sc_view text;
  int err = sc_input_rest(intake->input, &text);
  if (err >= 0) {
    sc_scan_begin(&reader.scan, text);
    err = sc_scan_list_of(&reader.scan, "results", read_result, &reader);
  }
  if (err < 0 && !reader.told)
    err = sc_err_prefix(err, "%s", intake->input->name);
  drop_reader(&reader);
  return err;
}

/* ---- CSV ------------------------------------------------------------------------------------------ */

bool sc_hyperfine_heading(sc_view line)
{
  for (size_t i = 0; i < COLUMNS; i++) {
    size_t length = strlen(heading[i]);
    if (line.length < length || memcmp(line.text, heading[i], length) != 0 ||
        (line.length > length && line.text[length] != ',' && line.text[length] != '\r'))
      return false;
    length += line.length > length;
    line = (sc_view){line.text + length, line.length - length};
  }
  return true;
}

/* A row; names: of the columns behind the known ones. */
static int read_hyperfine_row(hyperfine_reader *reader, const sc_record *record, const sc_view *names, size_t columns)
{
  result one = {.mean = NAN, .user = NAN, .system = NAN};
  if (record->count != columns)
    return refuse_result(reader, record->line, "a row with other columns than the heading",
                         "every row needs as many fields as the heading");
  one.command = record->fields[0];
  if (!sc_words_number(record->fields[1], &one.mean) || !sc_words_number(record->fields[4], &one.user) ||
      !sc_words_number(record->fields[5], &one.system))
    return refuse_result(reader, record->line, "mean, user or system is not a number", "times are in seconds");
  for (size_t i = COLUMNS; i < columns; i++)
    SC_TRY(add_hyperfine_parameter(&one, names[i - COLUMNS], record->fields[i]));
  return add_hyperfine_result(reader, &one, record->line);
}

/* The parameters' names, without what hyperfine puts in front; they live in `text`. */
static int read_hyperfine_heading(sc_intake *intake, sc_record *record, sc_buf *text, sc_view *names)
{
  int more = sc_record_read(intake->input, record);
  if (more <= 0 || record->count < COLUMNS)
    return more < 0 ? more : sc_err_set(SC_E_INPUT, "there is no heading");
  if (record->count - COLUMNS > SC_STORE_PARAMETERS)
    return sc_err_hint(sc_err_set(SC_E_INPUT, "a command has too many parameters"), "at most 8 can be read");
  for (size_t i = COLUMNS; i < record->count; i++)
    sc_buf_add(text, record->fields[i].text, record->fields[i].length);
  SC_TRY(sc_buf_finish(text));
  for (size_t i = COLUMNS, at = 0, skip; i < record->count; at += record->fields[i++].length) {
    bool has = record->fields[i].length > strlen(prefix) && strncmp(text->text + at, prefix, strlen(prefix)) == 0;
    skip = has ? strlen(prefix) : 0;
    names[i - COLUMNS] = (sc_view){text->text + at + skip, record->fields[i].length - skip};
  }
  return 0;
}

static int read_hyperfine_rows(hyperfine_reader *reader, sc_record *record, const sc_view *names)
{
  size_t columns = record->count;
  int more;
  while ((more = sc_record_read(reader->intake->input, record)) != 0)
    SC_TRY(more > 0 ? read_hyperfine_row(reader, record, names, columns)
                    : sc_intake_fault(reader->intake, more, record->line));
  return 0;
}

int sc_hyperfine_csv_read(sc_intake *intake)
{
  hyperfine_reader reader = {.intake = intake};
  sc_record record = {0};
  sc_buf text = {0};
  sc_view names[SC_STORE_PARAMETERS];
  int err = read_hyperfine_heading(intake, &record, &text, names);
  err = err < 0 ? sc_intake_fail(intake, err, intake->input->line) : read_hyperfine_rows(&reader, &record, names);
  sc_record_free(&record);
  sc_buf_free(&text);
  drop_reader(&reader);
  return err;
}
