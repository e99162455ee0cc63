/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Google Benchmark's JSON (--benchmark_format=json, --benchmark_out). A benchmark's arguments and threads are in its
 * name: "BM_Sort/1024", "BM_Join/n:1000/k:8", "BM_Lock/64/threads:4". Its times, in seconds whatever their time_unit,
 * and its counters are metrics. Mean, median and the like, and the fits of Complexity(), are no measurements and are
 * passed over.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/fit/check.h"
#include "runner/fit/intake.h"
#include "runner/fit/scan.h"
#include "runner/fit/words.h"

enum { COUNTERS = 64, ARGUMENT_NAME = 8 };

typedef struct benchmark {
  sc_view name, run_type, time_unit;
  bool aggregate, failed;
  sc_view counters[COUNTERS];
  double values[COUNTERS];
  size_t count;
} benchmark;

typedef struct benchmark_reader {
  sc_intake *intake;
  sc_scan scan;
  sc_buf callpath;
  const char *counted; /* lines are counted up to here */
  size_t line;
  bool told; /* the last error names the input already */
} benchmark_reader;

/* Numbers of a benchmark that are no counters. Its threads are in its name where they vary. */
static bool benchmark_bookkeeping(sc_view key)
{
  static const char *const keys[] = {
      "family_index",    "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
      "cpu_coefficient", "real_coefficient",          "rms"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (sc_view_is(key, keys[i]))
      return true;
  return false;
}

static int read_benchmark_text(sc_scan *scan, sc_view *text)
{
  return sc_scan_kind(scan) == '"' ? sc_scan_string(scan, text) : sc_scan_skip(scan);
}

/* Counters are all members with numbers that are not known to be something else; also what no number can be, "NaN",
 * which is refused later, by its name. */
static int read_benchmark_member(benchmark_reader *reader, sc_view key, benchmark *one)
{
  sc_scan *scan = &reader->scan;
  char kind = sc_scan_kind(scan);
  if (sc_view_is(key, "name"))
    return read_benchmark_text(scan, &one->name);
  if (sc_view_is(key, "run_type"))
    return read_benchmark_text(scan, &one->run_type);
  if (sc_view_is(key, "time_unit"))
    return read_benchmark_text(scan, &one->time_unit);
  one->aggregate |= sc_view_is(key, "aggregate_name") || sc_view_is(key, "big_o");
  one->failed |= (sc_view_is(key, "error_occurred") || sc_view_is(key, "skipped")) && kind == 't';
  if (benchmark_bookkeeping(key) || (kind && kind != '0'))
    return sc_scan_skip(scan);
  if (one->count == COUNTERS)
    return sc_scan_fault(scan, "more than 64 counters in one benchmark");
  one->counters[one->count] = key;
  return sc_scan_number(scan, &one->values[one->count++]);
}

static bool benchmark_ends(sc_view text, const char *tail)
{
  size_t length = strlen(tail);
  return text.length >= length && memcmp(text.text + text.length - length, tail, length) == 0;
}

/* Versions before 1.5 tell aggregates by their names alone. */
static bool benchmark_measured(const benchmark *one)
{
  static const char *const tails[] = {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};
  if (one->aggregate || one->failed || sc_view_is(one->run_type, "aggregate"))
    return false;
  for (size_t i = 0; i < sizeof tails / sizeof *tails && !one->run_type.length; i++)
    if (benchmark_ends(one->name, tails[i]))
      return false;
  return true;
}

/* Parts of a name that say how long or how it was measured, not what. */
static bool benchmark_setting(sc_view part)
{
  static const char *const settings[] = {"iterations:", "repeats:", "min_time:", "min_warmup_time:", "warmup_time:"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (part.length > strlen(settings[i]) && memcmp(part.text, settings[i], strlen(settings[i])) == 0)
      return true;
  return sc_view_is(part, "real_time") || sc_view_is(part, "process_time") || sc_view_is(part, "manual_time");
}

static int add_benchmark_argument(sc_measurement *point, sc_view name, double value)
{
  if (point->parameters == SC_STORE_PARAMETERS)
    return sc_err_hint(sc_err_set(SC_E_INPUT, "a benchmark has too many arguments"), "at most 8 can be read");
  point->names[point->parameters] = name;
  point->at[point->parameters++] = value;
  return 0;
}

/* "BM_Sort/1024/threads:4" is the callpath BM_Sort with two parameters. An argument without a name is n, or n1, n2 and
 * so on where there are several. */
static int take_benchmark_name(benchmark_reader *reader, sc_view name, sc_measurement *point)
{
  static const char *const numbered[] = {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"};
  size_t unnamed = 0, last = 0;
  reader->callpath.length = 0;
  for (const char *at = name.text, *end = name.text + name.length; at <= end;) {
    const char *slash = memchr(at, '/', (size_t)(end - at));
    sc_view part = {at, (size_t)((slash ? slash : end) - at)};
    const char *colon = memchr(part.text, ':', part.length);
    sc_view digits = colon ? (sc_view){colon + 1, (size_t)(part.text + part.length - colon) - 1} : part;
    double value;
    bool first = at == name.text, number = !first && sc_words_number(digits, &value) && isfinite(value);
    if (number && !benchmark_setting(part)) {
      last = point->parameters;
      SC_TRY(add_benchmark_argument(point, colon ? (sc_view){part.text, (size_t)(colon - part.text)} : SC_VIEW("n"),
                                    value));
      if (!colon && ++unnamed > 1)
        point->names[last] = (sc_view){numbered[last], 2};
    } else if (!benchmark_setting(part)) {
      sc_buf_add(&reader->callpath, "/", first ? 0 : 1);
      sc_buf_add(&reader->callpath, part.text, part.length);
    }
    at = (slash ? slash : end) + 1;
  }
  for (size_t i = 0; i < point->parameters && unnamed > 1; i++)
    if (sc_view_is(point->names[i], "n"))
      point->names[i] = (sc_view){numbered[i], 2};
  SC_TRY(sc_buf_finish(&reader->callpath));
  point->callpath = (sc_view){reader->callpath.text, reader->callpath.length};
  return 0;
}

/* 0: not one of the library's. Files of its first versions have none: nanoseconds. */
static double benchmark_seconds(sc_view unit) { return !unit.length ? 1e-9 : sc_words_seconds(unit); }

static int unit_fault(sc_view unit)
{
  char plain[64];
  sc_check_plain(unit, plain, sizeof plain);
  (void)sc_err_set(SC_E_INPUT, "time_unit \"%s\" is not known", plain);
  return sc_err_hint(SC_E_INPUT, "Google Benchmark writes ns, us, ms or s");
}

static size_t line_now(benchmark_reader *reader)
{
  for (const char *end; (end = memchr(reader->counted, '\n', (size_t)(reader->scan.at - reader->counted)));) {
    reader->counted = end + 1;
    reader->line++;
  }
  return reader->line;
}

static int add_benchmark_metrics(benchmark_reader *reader, const benchmark *one, size_t line)
{
  sc_measurement point = {.unit = SC_VIEW("")};
  int err = take_benchmark_name(reader, one->name, &point);
  if (err < 0)
    return sc_intake_fault(reader->intake, err, line);
  for (size_t i = 0; i < one->count; i++) {
    bool time = sc_view_is(one->counters[i], "real_time") || sc_view_is(one->counters[i], "cpu_time");
    double value = one->values[i] * (time ? benchmark_seconds(one->time_unit) : 1);
    point.metric = one->counters[i];
    if (time && benchmark_seconds(one->time_unit) == 0) {
      SC_TRY(sc_intake_refuse(reader->intake, &point, unit_fault(one->time_unit), line));
      continue;
    }
    point.unit = time ? SC_VIEW("s") : SC_VIEW("");
    point.values = &value;
    point.count = 1;
    SC_TRY(sc_intake_add(reader->intake, &point, line));
  }
  return 0;
}

static int add_benchmark(benchmark_reader *reader, const benchmark *one, size_t line)
{
  int err = add_benchmark_metrics(reader, one, line);
  reader->told = err < 0;
  return err;
}

static int read_benchmark(void *user)
{
  benchmark_reader *reader = user;
  benchmark one = {0};
  sc_view key;
  int more;
  SC_TRY(sc_scan_open(&reader->scan, '{'));
  size_t line = line_now(reader);
  while ((more = sc_scan_member(&reader->scan, &key)) > 0)
    SC_TRY(read_benchmark_member(reader, key, &one));
  SC_TRY(more);
  if (!one.name.length)
    return sc_scan_fault(&reader->scan, "a benchmark without a name");
  if (benchmark_measured(&one))
    return add_benchmark(reader, &one, line);
  reader->intake->passed_over++;
  return 0;
}

int sc_benchmark_read(sc_intake *intake)
{
  benchmark_reader reader = {.intake = intake, .line = 1};
  sc_view text;
  int err = sc_input_rest(intake->input, &text);
  if (err >= 0) {
    sc_scan_begin(&reader.scan, text);
    reader.counted = text.text;
    err = sc_scan_list_of(&reader.scan, "benchmarks", read_benchmark, &reader);
  }
  if (err < 0 && !reader.told)
    err = sc_err_prefix(err, "%s", intake->input->name);
  sc_scan_free(&reader.scan);
  sc_buf_free(&reader.callpath);
  return err;
}
