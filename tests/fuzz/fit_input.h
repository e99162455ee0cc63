/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "runner/fit/emit.h"
#include "runner/fit/intake.h"
#include "runner/fit/text.h"

/* What the readers of `scale-run fit` have in common: any bytes are read, with and without going on behind mistakes,
 * and what was taken is finite, comes back in the same order after a round through JSON Lines, and can be fitted. */
enum { FIT_MOST = 4, FIT_OBSERVATIONS = 40 };

static inline void fit_complain(void *user, const char *message, const char *hint)
{
  (void)hint;
  if (!*message)
    abort();
  ++*(size_t *)user;
}

static inline sc_store *fit_read(int (*read)(sc_intake *), const char *text, size_t length, bool keep_going, int *err)
{
  sc_store *store;
  sc_input input;
  size_t complaints = 0;
  if (sc_store_new(256, &store) < 0) /* a few bytes in memory, so that the file is used, too */
    abort();
  sc_input_memory("input", text, length, &input);
  sc_intake intake = {
      .store = store, .keep_going = keep_going, .complain = fit_complain, .user = &complaints, .input = &input};
  *err = read(&intake);
  if (*err < 0 && !*sc_err_message())
    abort();
  if (*err >= 0 && (sc_store_finish(store) < 0 || complaints != intake.refused))
    abort();
  sc_input_close(&input);
  return store;
}

static inline void fit_check(const sc_store_series *series)
{
  for (size_t i = 0; i < series->observations; i++)
    if (!(series->y[i] >= 0) || !isfinite(series->y[i]))
      abort();
  for (size_t i = 0; i < series->observations * series->set->count; i++)
    if (!(series->at[i] > 0) || !isfinite(series->at[i]))
      abort();
}

static inline void fit_solve(sc_store *store)
{
  sc_solve_options options = {.fit = SC_FIT_OPTIONS_DEFAULT, .level = 0.95};
  sc_solve *solve;
  sc_buf out = {0};
  sc_fit_text *text;
  char *table;
  size_t table_length;
  FILE *file = open_memstream(&table, &table_length);
  if (!file || sc_targets_parse("10x;1,000", &options.targets) < 0 || sc_solve_new(&options, &solve) < 0 ||
      sc_fit_text_new(file, 80, (sc_style){"", "", "", "", ""}, &text) < 0)
    abort();
  for (size_t i = 0; i < sc_store_count(store) && i < FIT_MOST; i++) {
    sc_store_series series;
    const sc_solved *solved;
    if (sc_store_load(store, i, &series) < 0)
      abort();
    if (series.bad || series.observations > FIT_OBSERVATIONS)
      continue;
    if (sc_solve_series(solve, &series, &solved) >= 0 &&
        (sc_emit_series(&out, solved) < 0 || sc_fit_text_add(text, solved) < 0))
      abort();
  }
  if (sc_fit_text_end(text) < 0)
    abort();
  sc_fit_text_free(text);
  fclose(file);
  for (size_t i = 0; i < table_length; i++)
    if ((unsigned char)table[i] < 0x20 && table[i] != '\n') /* nothing that a terminal obeys */
      abort();
  free(table);
  sc_targets_free(&options.targets);
  sc_buf_free(&out);
  sc_solve_free(solve);
}

static inline int fit_fuzz(int (*read)(sc_intake *), const uint8_t *data, size_t size)
{
  int err;
  sc_buf out = {0}, again = {0};
  sc_store_series series;
  sc_store *store = fit_read(read, (const char *)data, size, true, &err);
  sc_store_free(store);
  store = fit_read(read, (const char *)data, size, false, &err);
  for (size_t i = 0; err >= 0 && i < sc_store_count(store); i++) {
    if (sc_store_load(store, i, &series) < 0 || series.bad)
      abort();
    fit_check(&series);
    sc_emit_points(&out, &series);
  }
  if (err >= 0 && sc_buf_finish(&out) >= 0 && out.length) {
    sc_store *second = fit_read(sc_jsonl_read, out.text, out.length, false, &err);
    if (err < 0 || sc_store_count(second) != sc_store_count(store))
      abort();
    for (size_t i = 0; i < sc_store_count(second); i++) {
      if (sc_store_load(second, i, &series) < 0)
        abort();
      sc_emit_points(&again, &series);
    }
    if (again.length != out.length || memcmp(again.text, out.text, out.length) != 0)
      abort();
    fit_solve(second);
    sc_store_free(second);
  }
  sc_buf_free(&out);
  sc_buf_free(&again);
  sc_store_free(store);
  return 0;
}
