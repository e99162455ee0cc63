/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "runner/fit/scan.h"
#include "runner/fit/spool.h"
#include "runner/fit/store.h"
#include "runner/fit/targets.h"
#include "runner/fit/words.h"

static sc_view view(const char *text) { return (sc_view){text, strlen(text)}; }

static void adds(sc_store *store, const char *callpath, double n, double y)
{
  sc_measurement point = {.callpath = view(callpath), .metric = view("m"), .unit = view("")};
  point.names[0] = view("n");
  point.at[0] = n;
  point.parameters = 1;
  point.values = &y;
  point.count = 1;
  assert_int_equal(sc_store_add(store, &point), 0);
}

/* Series whose points stand together, and the same points scattered over the input, give the same, in memory and out of
 * a file. */
TEST(scattered_points_find_their_series)
{
  enum { SERIES = 300, POINTS = 7 };
  for (int scattered = 0; scattered < 2; scattered++)
    for (size_t memory = 64; memory <= 1 << 20; memory *= 128) {
      sc_store *store;
      sc_store_series series;
      char name[32];
      assert_int_equal(sc_store_new(memory, &store), 0);
      for (int i = 0; i < SERIES * POINTS; i++) {
        int which = scattered ? i % SERIES : i / POINTS, point = scattered ? i / SERIES : i % POINTS;
        snprintf(name, sizeof name, "main->f%d", which);
        adds(store, name, 10 << point, which * 100 + point);
      }
      assert_int_equal(sc_store_finish(store), 0);
      assert_int_equal(sc_store_count(store), SERIES);
      for (int i = 0; i < SERIES; i++) {
        assert_int_equal(sc_store_load(store, (size_t)i, &series), 0);
        snprintf(name, sizeof name, "main->f%d", i);
        assert_true(sc_view_is(series.callpath, name));
        assert_int_equal(series.observations, POINTS);
        for (int k = 0; k < POINTS; k++) {
          assert_true(series.at[k] == 10 << k);
          assert_true(series.y[k] == i * 100 + k);
        }
      }
      sc_store_free(store);
    }
}

TEST(a_long_series_is_kept)
{
  enum { POINTS = 300000 }; /* several segments */
  sc_store *store;
  sc_store_series series;
  assert_int_equal(sc_store_new(1 << 16, &store), 0);
  for (int i = 0; i < POINTS; i++)
    adds(store, "f", i + 1, i);
  assert_int_equal(sc_store_finish(store), 0);
  assert_int_equal(sc_store_count(store), 1);
  assert_int_equal(sc_store_load(store, 0, &series), 0);
  assert_int_equal(series.observations, POINTS);
  for (int i = 0; i < POINTS; i++)
    assert_true(series.at[i] == i + 1 && series.y[i] == i);
  sc_store_free(store);
}

TEST(a_spool_that_cannot_be_written_is_an_error)
{
  sc_spool spool = {.limit = 16};
  assert_non_null(sc_spool_reserve(&spool, 8));
  setenv("TMPDIR", "/proc/self/exe", 1);
  assert_int_equal(sc_spool_settle(&spool), 0); /* it still fits */
  assert_non_null(sc_spool_reserve(&spool, 8));
  assert_int_equal(sc_spool_settle(&spool), SC_E_IO);
  assert_non_null(strstr(sc_err_hint_text(), "TMPDIR"));
  unsetenv("TMPDIR");
  sc_spool_free(&spool);
}

TEST(json_values)
{
  sc_scan scan = {0};
  sc_view key, text;
  double number;
  sc_scan_begin(&scan, view(" {\"a\\n\\u00e9\\ud83d\\ude00\" : [1, -2.5e2 ,[], {}] , \"b\":\"x\", \"c\": null}  "));
  assert_int_equal(sc_scan_open(&scan, '{'), 0);
  assert_int_equal(sc_scan_member(&scan, &key), 1);
  assert_true(sc_view_is(key, "a\n\xc3\xa9\xf0\x9f\x98\x80"));
  assert_int_equal(sc_scan_open(&scan, '['), 0);
  assert_int_equal(sc_scan_element(&scan), 1);
  assert_int_equal(sc_scan_number(&scan, &number), 0);
  assert_true(number == 1);
  assert_int_equal(sc_scan_element(&scan), 1);
  assert_int_equal(sc_scan_number(&scan, &number), 0);
  assert_true(number == -250);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(sc_scan_element(&scan), 1);
    assert_int_equal(sc_scan_skip(&scan), 0);
  }
  assert_int_equal(sc_scan_element(&scan), 0);
  assert_int_equal(sc_scan_member(&scan, &key), 1);
  assert_int_equal(sc_scan_string(&scan, &text), 0);
  assert_true(sc_view_is(text, "x"));
  assert_int_equal(sc_scan_member(&scan, &key), 1);
  assert_int_equal(sc_scan_kind(&scan), 'n');
  assert_int_equal(sc_scan_skip(&scan), 0);
  assert_int_equal(sc_scan_member(&scan, &key), 0);
  assert_int_equal(sc_scan_finish(&scan), 0);
  sc_scan_free(&scan);
}

TEST(json_mistakes)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"[1 2]", "column 4: a comma is missing here"},
      {"[1,]", "column 4: a value is missing here"},
      {"[1", "column 3: the text ends too early"},
      {"{\"a\" 1}", "column 6: a colon is missing here"},
      {"{a: 1}", "column 2: a key in quotes is expected here"},
      {"\"a", "column 3: the closing quote is missing"},
      {"\"\t\"", "column 2: a control character within quotes"},
      {"\"\xff\"", "column 2: this is not valid UTF-8"},
      {"\"\\x\"", "column 3: an unknown escape"},
      {"\"\\u00g0\"", "column 6: \\u needs four hexadecimal digits"},
      {"\"\\ud800x\"", "column 8: half of a surrogate pair"},
      {"\"\\udc00\"", "column 8: half of a surrogate pair"},
      {"\"\\u0000\"", "column 8: a NUL character cannot be part of a name"},
      {"01", "column 1: a number is expected here"},
      {"1.", "column 1: a number is expected here"},
      {"-", "column 1: a value is expected here"},
      {"tru", "column 1: a value is expected here"},
      {"{}\n}", "line 2, column 1: nothing is expected behind the object"},
  };
  sc_scan scan = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_scan_begin(&scan, view(cases[i].text));
    int err = sc_scan_skip(&scan);
    if (err == 0)
      err = sc_scan_finish(&scan);
    assert_int_equal(err, SC_E_INPUT);
    assert_string_equal(sc_err_message(), cases[i].message);
  }
  char deep[200];
  memset(deep, '[', sizeof deep);
  sc_scan_begin(&scan, (sc_view){deep, sizeof deep});
  assert_int_equal(sc_scan_skip(&scan), SC_E_INPUT);
  assert_non_null(strstr(sc_err_message(), "nested too deeply"));
  sc_scan_free(&scan);
}

TEST(lines)
{
  static const char text[] = "one\r\n\ntw\0o\nthree";
  sc_input input;
  sc_view line;
  sc_input_memory("memory", text, sizeof text - 1, &input);
  assert_int_equal(sc_input_line(&input, &line), 1);
  assert_true(sc_view_is(line, "one"));
  assert_int_equal(sc_input_line(&input, &line), 1);
  assert_int_equal(line.length, 0);
  assert_int_equal(sc_input_line(&input, &line), SC_E_INPUT);
  assert_string_equal(sc_err_message(), "column 3 is a NUL byte");
  assert_int_equal(sc_input_line(&input, &line), 1);
  assert_true(sc_view_is(line, "three"));
  assert_int_equal(input.line, 4);
  assert_int_equal(sc_input_line(&input, &line), 0);
  sc_input_close(&input);
}

/* --at for a series of two parameters, n up to 1,000 and t up to 4. */
TEST(combinations)
{
  static sc_store_set set = {{"n", "t"}, 2};
  static const double low[] = {10, 1}, high[] = {1000, 4};
  const sc_store_series series = {.callpath = {"f", 1}, .metric = {"m", 1}, .set = &set};
  sc_targets targets;
  double *points = NULL;
  size_t capacity = 0, count;
  assert_int_equal(sc_targets_parse("n=5,10x,1,000,000,t=8,2x;t=1,n=7", &targets), 0);
  assert_int_equal(sc_targets_expand(&targets, &series, low, high, &points, &capacity, &count), 0);
  static const double expected[] = {5, 8, 5, 8, 10000, 8, 10000, 8, 1e6, 8, 1e6, 8, 7, 1};
  assert_int_equal(count, 7);
  assert_memory_equal(points, expected, sizeof expected);
  sc_targets_free(&targets);
  assert_int_equal(sc_targets_parse("n=5", &targets), 0);
  assert_int_equal(sc_targets_expand(&targets, &series, low, high, &points, &capacity, &count), SC_E_USAGE);
  assert_non_null(strstr(sc_err_message(), "varies t"));
  sc_targets_free(&targets);
  static const char *const bad[] = {"n=", "=5", "n=5,n=6", "x", "n=0", "n=5,,t=-1", "n=1e400"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(sc_targets_parse(bad[i], &targets), SC_E_USAGE);
    sc_targets_free(&targets);
  }
  free(points);
}

static void expect_unit(const char *text, const char *name, const char *unit)
{
  sc_view metric = {text, strlen(text)}, found = SC_VIEW("");
  sc_words_take_unit(&metric, &found);
  assert_true(sc_view_is(metric, name));
  assert_true(sc_view_is(found, unit));
}

TEST(units_stand_in_names)
{
  expect_unit("time (s)", "time", "s");
  expect_unit("time[ms]", "time", "ms");
  expect_unit("wall (seconds)", "wall", "s");
  expect_unit("time (\xc2\xb5s)", "time", "us");
  expect_unit("user_ns", "user_ns", "ns");
  expect_unit("wall_seconds", "wall_seconds", "s");
  /* None of these is a time. */
  expect_unit("(s)", "(s)", "");
  expect_unit("time (min)", "time (min)", "");
  expect_unit("items_s", "items_s", "");
  expect_unit("bytes_per_ms", "bytes_per_ms", "");
  expect_unit("_ms", "_ms", "");
  expect_unit("", "", "");
  assert_true(sc_words_seconds(SC_VIEW("us")) == 1e-6);
  assert_true(sc_words_seconds(SC_VIEW("minutes")) == 0 && sc_words_seconds(SC_VIEW("")) == 0);
}
