/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/fit/store.h"

/*
 * Between the readers and the store: what happens to measurements that are refused. Without `keep_going` the first one
 * ends everything. With it, its series is left out as a whole, and so is a line that cannot be read; `complain` is
 * told.
 */
typedef struct sc_intake {
  sc_store *store;
  bool keep_going;
  void (*complain)(void *user, const char *message, const char *hint);
  void *user;
  const char *parameters; /* --parameters: names of columns, by commas; NULL: to be told from the input */
  size_t refused;         /* measurements and lines */
  size_t passed_over;     /* benchmarks that are no measurements */
  size_t failed_runs;     /* of hyperfine --ignore-failure: measured, but the command failed */
  sc_input *input;        /* what is being read */
} sc_intake;

/* A measurement in line `line` of the input. 0 also if it was refused and things go on. */
int sc_intake_add(sc_intake *intake, const sc_measurement *measurement, size_t line) SC_CHECK;
/* A measurement that could be read as far as its series' name: err is the last error. 0 to continue without it. */
int sc_intake_refuse(sc_intake *intake, const sc_measurement *measurement, int err, size_t line) SC_CHECK;
/* A line that cannot be read; err is the last error. 0 to continue without it. */
int sc_intake_fault(sc_intake *intake, int err, size_t line) SC_CHECK;
/* Something without which nothing behind it can be read: puts the input's name and line in front, returns err. */
int sc_intake_fail(sc_intake *intake, int err, size_t line);

/* The readers: all of an input in one format. What is wrong is SC_E_INPUT with the input's name and line. */
int sc_jsonl_read(sc_intake *intake) SC_CHECK;     /* Extra-P's JSON Lines */
int sc_extrap_read(sc_intake *intake) SC_CHECK;    /* Extra-P's text format */
int sc_benchmark_read(sc_intake *intake) SC_CHECK; /* Google Benchmark's JSON */
int sc_csv_read(sc_intake *intake) SC_CHECK;
int sc_hyperfine_read(sc_intake *intake) SC_CHECK;     /* hyperfine's JSON */
int sc_hyperfine_csv_read(sc_intake *intake) SC_CHECK; /* and its CSV, */
bool sc_hyperfine_heading(sc_view line);               /* which begins with this line */
/* read.c: tells the format from the content and calls one of the above. */
int sc_fit_read(sc_intake *intake, sc_input *input) SC_CHECK;
