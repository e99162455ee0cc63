/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distinct series of a baseline, rounded to what diff needs, each written once. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/number.h"
#include "runner/baseline/internal.h"

double sc_baseline_round(double value)
{
  char text[SC_NUMBER_BYTES];
  double rounded;
  if (!isfinite(value))
    return 0;
  size_t length = sc_number_write(value, 5, text);
  return sc_number_read(text, length, &rounded) ? rounded : value;
}

/* One value for each size, where all repeats have the same; returns how many there are. */
static size_t shorten_baseline_series(const sc_baseline_writer *w, const double *values, double *out)
{
  size_t count = 0;
  double last = 0;
  for (size_t i = 0; i < w->run_count; i++) {
    double n = sc_graph_run_const(w->graph, w->runs[i])->n;
    if (i && n == last && values[i] != values[i - 1]) {
      memcpy(out, values, w->run_count * sizeof *out);
      return w->run_count;
    }
    if (!i || n != last)
      out[count++] = values[i];
    last = n;
  }
  return count;
}

static int compare_baseline_series_ids(const sc_baseline_series *a, const char *id) { return strcmp(a->id, id); }

/* Where the name stands, or belongs. */
static size_t place_of_series(const sc_baseline_writer *w, const char *id)
{
  size_t low = 0, high = w->series_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_baseline_series_ids(&w->series[middle], id) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int insert_baseline_series(sc_baseline_writer *w, size_t at, const char *id, const double *values, size_t count)
{
  SC_TRY(sc_mem_grow(&w->series, &w->series_capacity, w->series_count + 1, sizeof *w->series));
  double *copy;
  SC_TRY(SC_NEW(copy, count + 1));
  memcpy(copy, values, count * sizeof *copy);
  memmove(w->series + at + 1, w->series + at, (w->series_count - at) * sizeof *w->series);
  w->series[at] = (sc_baseline_series){.values = copy, .count = count};
  memcpy(w->series[at].id, id, SC_BASELINE_ID);
  w->series_count++;
  return 0;
}

const char *sc_baseline_series_note(sc_baseline_writer *w, const double *values)
{
  double *list = sc_mem_new(w->run_count + 1, sizeof *list);
  const char *name = NULL;
  if (!list)
    return NULL;
  size_t count = shorten_baseline_series(w, values, list);
  uint64_t hash = sc_hash_bytes(SC_HASH_START, list, count * sizeof *list);
  for (; !name; hash++) { /* another series of this name takes the next one */
    char id[SC_BASELINE_ID];
    snprintf(id, sizeof id, "%012" PRIx64, hash & UINT64_C(0xffffffffffff));
    size_t at = place_of_series(w, id);
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): below the count there is a series */
    bool there = at < w->series_count && strcmp(w->series[at].id, id) == 0;
    if (there &&
        (w->series[at].count != count || (count && memcmp(w->series[at].values, list, count * sizeof *list) != 0)))
      continue;
    if (!there && insert_baseline_series(w, at, id, list, count) < 0)
      break;
    name = w->series[at].id;
  }
  free(list);
  return name;
}

int sc_baseline_series_write(sc_baseline_writer *w)
{
  char text[SC_NUMBER_BYTES];
  fputs("\"series\": {", w->out);
  for (size_t i = 0; i < w->series_count; i++) {
    fprintf(w->out, "%s\n\"%s\": [", i ? "," : "", w->series[i].id);
    for (size_t k = 0; k < w->series[i].count; k++) {
      sc_number_write(w->series[i].values[k], SC_NUMBER_SAME, text);
      fprintf(w->out, "%s%s", k ? "," : "", text);
    }
    fputs("]", w->out);
  }
  fputs("\n}", w->out);
  return 0;
}
