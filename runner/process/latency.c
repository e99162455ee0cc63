/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long a step takes that waits for memory, by how much memory the steps go through. Reported sizes of caches don't
 * tell: they are shared with other cores and other virtual machines, and a step was measured to take ten times as long
 * from 2 MiB on where 32 MiB are reported.
 */
#include "runner/process/latency.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/buf.h"
#include "base/clock.h"

enum { BURSTS = 5, STEPS = 4000 }; /* the median of BURSTS times of STEPS each */
enum { LINE = 64, PAGE = 4096 };
static const char KEY[] = "latency";

typedef struct line {
  struct line *volatile next; /* each step is made */
  char unused[LINE - sizeof(void *)];
} line;

/* Seconds per page. */
static double touch_pages(line *lines, size_t bytes)
{
  double start = sc_clock_thread();
  for (size_t at = 0; at < bytes; at += PAGE)
    lines[at / LINE].next = lines;
  return (sc_clock_thread() - start) / (double)(bytes / PAGE);
}

/* One ring through all lines, in an order that no processor foresees: a linear congruential generator of full period.
 */
static void link_lines(line *lines, size_t count)
{
  for (size_t i = 0; i < count; i++)
    lines[i].next = &lines[(i * 1664525 + 1013904223) & (count - 1)];
}

/* Seconds of a step: the median of the bursts, and the fastest. */
static void time_steps(line **at, double *median, double *fastest)
{
  double bursts[BURSTS];
  for (int b = 0; b < BURSTS; b++) {
    double start = sc_clock_thread();
    line *next = *at;
    for (int i = 0; i < STEPS; i++)
      next = next->next;
    *at = next;
    bursts[b] = (sc_clock_thread() - start) / STEPS;
  }
  gsl_sort(bursts, 1, BURSTS);
  *median = bursts[BURSTS / 2];
  *fastest = bursts[0];
}

/* More memory never makes steps shorter: neighbours that say so share their mean. */
static void make_ascending(double *steps)
{
  double means[SC_LATENCY_SIZES];
  int sizes[SC_LATENCY_SIZES], count = 0;
  for (int i = 0; i < SC_LATENCY_SIZES; i++) {
    means[count] = steps[i];
    sizes[count++] = 1;
    for (; count > 1 && means[count - 2] > means[count - 1]; count--) {
      int all = sizes[count - 2] + sizes[count - 1];
      means[count - 2] = (means[count - 2] * sizes[count - 2] + means[count - 1] * sizes[count - 1]) / all;
      sizes[count - 2] = all;
    }
  }
  for (int k = 0, i = 0; k < count; k++)
    for (int j = 0; j < sizes[k]; j++)
      steps[i++] = means[k];
}

void sc_latency_measure(sc_latency *latency)
{
  const size_t bytes = (size_t)1 << (SC_LATENCY_LEAST + SC_LATENCY_SIZES - 1);
  *latency = (sc_latency){.page = 0};
  line *lines = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (lines == MAP_FAILED)
    return;
  latency->page = touch_pages(lines, bytes);
  for (int i = 0; i < SC_LATENCY_SIZES; i++) {
    line *at = lines;
    link_lines(lines, ((size_t)1 << (SC_LATENCY_LEAST + i)) / sizeof *lines);
    /* Twice: the first steps find what linking left in the caches. */
    for (int round = 0; round < 2; round++)
      time_steps(&at, &latency->steps[i], &latency->fast[i]);
  }
  make_ascending(latency->steps);
  make_ascending(latency->fast);
  munmap(lines, bytes);
}

/* The study's text: a page; for each size the step and the fast one; how many moments these are the means of; for each
 * size the least and the most step. */
enum { MEANS = 1 + 2 * SC_LATENCY_SIZES, NUMBERS = 2 * MEANS };

static int read_numbers(const char *at, double numbers[NUMBERS])
{
  int count = 0;
  for (char *end; count < NUMBERS; count++, at = end) {
    double most = count == MEANS ? 1e9 : 1;
    numbers[count] = strtod(at, &end);
    if (end == at || !(numbers[count] > 0 && numbers[count] < most))
      break;
  }
  return count;
}

int sc_latency_load(sc_study *study, sc_latency *latency)
{
  char *stored = NULL;
  double numbers[NUMBERS];
  *latency = (sc_latency){.page = 0};
  SC_TRY(sc_study_get(study, KEY, &stored));
  int count = read_numbers(stored ? stored : "", numbers);
  free(stored);
  if (count < MEANS)
    return 0;
  bool one = count < NUMBERS; /* of one moment alone, as studies had it */
  latency->page = numbers[0];
  latency->moments = one ? 1 : numbers[MEANS];
  for (int i = 0; i < SC_LATENCY_SIZES; i++) {
    const double *means = &numbers[1 + 2 * i], *range = &means[MEANS];
    latency->steps[i] = means[0];
    latency->fast[i] = means[1];
    latency->least[i] = one ? means[0] : range[0];
    latency->most[i] = one ? means[0] : range[1];
  }
  return 0;
}

static double mean_of(double known, double moments, double found)
{
  return moments > 0 ? known * pow(found / known, 1 / (moments + 1)) : found;
}

static void add_moment(sc_latency *known, const sc_latency *found)
{
  double moments = known->moments++;
  known->page = mean_of(known->page, moments, found->page);
  for (int i = 0; i < SC_LATENCY_SIZES; i++) {
    double step = found->steps[i];
    known->steps[i] = mean_of(known->steps[i], moments, step);
    known->fast[i] = mean_of(known->fast[i], moments, found->fast[i]);
    known->least[i] = moments > 0 ? fmin(known->least[i], step) : step;
    known->most[i] = fmax(known->most[i], step);
  }
}

int sc_latency_keep(sc_study *study)
{
  sc_latency known, found;
  sc_buf text = {0};
  SC_TRY(sc_latency_load(study, &known));
  sc_latency_measure(&found);
  if (!(found.page > 0))
    return 0;
  add_moment(&known, &found);
  sc_buf_printf(&text, "%.4g", known.page);
  for (int i = 0; i < SC_LATENCY_SIZES; i++)
    sc_buf_printf(&text, " %.4g %.4g", known.steps[i], known.fast[i]);
  sc_buf_printf(&text, " %.0f", known.moments);
  for (int i = 0; i < SC_LATENCY_SIZES; i++)
    sc_buf_printf(&text, " %.4g %.4g", known.least[i], known.most[i]);
  int err = sc_buf_finish(&text) ?: sc_study_put(study, KEY, text.text);
  sc_buf_free(&text);
  return err;
}
