/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/measured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/model/spent.h"

static size_t runs_with_event(const sc_analysis *analysis, const char *event)
{
  size_t count = 0;
  for (size_t i = 0; i < analysis->run_count; i++)
    count += strcmp(sc_graph_run_const(analysis->graph, analysis->runs[i])->cost_event, event) == 0;
  return count;
}

/* libpfm4 knows the kernel's two clocks by several names; all of them count time. */
bool sc_measured_is_clock(const char *event)
{
  static const char *const names[] = {"task-clock", "task_clock", "cpu-clock", "cpu_clock"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasestr(event, names[i]))
      return true;
  return false;
}

/* The event most runs were sampled with: costs of different events cannot be added. */
static void choose_event(sc_analysis *analysis)
{
  size_t most = 0;
  analysis->event[0] = 0;
  for (size_t i = 0; i < analysis->run_count; i++) {
    const char *event = sc_graph_run_const(analysis->graph, analysis->runs[i])->cost_event;
    size_t count = event[0] ? runs_with_event(analysis, event) : 0;
    if (count > most) {
      most = count;
      snprintf(analysis->event, sizeof analysis->event, "%s", event);
    }
  }
}

/* Runs are priced if they sampled the same event: cycles and seconds cannot be added up. */
static void measure_runs(sc_analysis *analysis, sc_measured *m)
{
  double all = 0;
  bool placed = false; /* what only the counters know, of runs too short for a sample, is no base to judge by */
  choose_event(analysis);
  for (size_t i = 0; i < analysis->run_count; i++) {
    const sc_run *run = sc_graph_run_const(analysis->graph, analysis->runs[i]);
    double sum = 0, below = 0;
    m->priced[i] = analysis->event[0] && strcmp(run->cost_event, analysis->event) == 0;
    bool costs = m->priced[i] && sc_graph_has_values(analysis->graph, analysis->runs[i], SC_METRIC_COST);
    for (uint32_t c = 0; costs && c < analysis->contexts; c++) {
      double cost = sc_graph_value(analysis->graph, analysis->runs[i], c, SC_METRIC_COST);
      sum += cost;
      below += sc_graph_at(analysis->graph, c)->kind == SC_LOCATION_PROCESS ? 0 : cost;
    }
    placed |= below > 0 || (sum > 0 && run->samples);
    m->per_sample[i] = run->samples ? sum / (double)run->samples : 0;
    all += sum;
  }
  m->all = all;
  analysis->sampled = placed;
  if (!analysis->sampled)
    analysis->unit = analysis->options.entries ? "calls" : "iterations";
  else
    analysis->unit = sc_measured_is_clock(analysis->event) ? "s" : analysis->event;
}

uint32_t sc_measured_heaviest_child(const sc_measured *m, uint32_t context)
{
  uint32_t best = SC_NONE;
  for (uint32_t c = sc_graph_first_child(m->analysis->graph, context); c;
       c = sc_graph_next_sibling(m->analysis->graph, c))
    if (sc_measured_count(m, c) > 0 &&
        (best == SC_NONE || sc_analysis_executions(m->analysis, c, sc_measured_count(m, c)) >
                                sc_analysis_executions(m->analysis, best, sc_measured_count(m, best))))
      best = c;
  return best;
}

/* Cost without executions (the optimiser replaced the loop, or nothing was called back) belongs to what is above. */
static bool must_fold(const sc_measured *m, uint32_t context)
{
  enum sc_location_kind kind = sc_graph_at(m->analysis->graph, context)->kind;
  if (kind == SC_LOCATION_FOREIGN)
    return sc_measured_heaviest_child(m, context) == SC_NONE;
  return sc_analysis_counted(m->analysis, context) && sc_measured_count(m, context) <= 0;
}

static void measure_run(sc_measured *m, size_t position)
{
  const sc_analysis *a = m->analysis;
  for (uint32_t s = 0; s < a->counts.count; s++)
    m->counts[s] += sc_series_row(&a->counts, s)[position];
  for (uint32_t c = 0; sc_graph_has_values(a->graph, a->runs[position], SC_METRIC_COST) && c < a->contexts; c++)
    if (sc_analysis_has(a, c))
      m->cost[c] += sc_spent_at(a, position, c);
}

/* Children before their parents, so that what is folded is folded on, up to the first context that has a place for
 * it. */
static void measure_contexts(sc_measured *m)
{
  const sc_analysis *a = m->analysis;
  for (size_t i = 0; i < a->run_count; i++)
    if (!a->sampled || m->priced[i])
      measure_run(m, i);
  for (uint32_t c = a->contexts; c-- > 1;) {
    uint32_t parent = sc_graph_parent(a->graph, c);
    if (m->cost[c] <= 0 || !must_fold(m, c) || !sc_analysis_has(a, parent))
      continue;
    m->cost[parent] += m->cost[c];
    m->folded[parent] = true;
    m->cost[c] = 0;
  }
}

double sc_measured_sample_cost(const sc_measured *m)
{
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < m->analysis->run_count; i++)
    if (m->priced[i] && m->per_sample[i] > 0) {
      sum += m->per_sample[i];
      count++;
    }
  return count ? sum / (double)count : 0;
}

int sc_measured_take(sc_analysis *analysis, sc_measured *m)
{
  *m = (sc_measured){.analysis = analysis};
  m->priced = sc_mem_new(analysis->run_count, sizeof *m->priced);
  m->per_sample = sc_mem_new(analysis->run_count, sizeof *m->per_sample);
  m->cost = sc_mem_new(analysis->contexts, sizeof *m->cost);
  m->counts = sc_mem_new(analysis->counts.count, sizeof *m->counts);
  m->folded = sc_mem_new(analysis->contexts, sizeof *m->folded);
  if (!m->priced || !m->per_sample || !m->cost || !m->counts || !m->folded)
    return SC_E_NOMEM;
  measure_runs(analysis, m);
  SC_TRY(sc_spent_load(analysis, m->priced, m->per_sample));
  measure_contexts(m);
  return 0;
}

void sc_measured_free(sc_measured *m)
{
  free(m->priced);
  free(m->per_sample);
  free(m->cost);
  free(m->counts);
  free(m->folded);
  *m = (sc_measured){0};
}
