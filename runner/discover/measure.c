/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the runs of a study showed: how often each function ran at which size, and what probes counted. Calls are
 * counted exactly in every instrumented program, whether it has probes or not. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/discover/explain.h"
#include "runner/discover/internal.h"
#include "runner/discover/measure.h"

typedef struct measure_step {
  sc_discovery *d;
  const sc_graph *graph;
  uint32_t study;      /* of d->measured */
  uint32_t *functions; /* by location: of the facts, or SC_FACTS_NONE */
  double *calls;       /* by function: in a run of the size at hand (a mean) */
  double *few;         /* by function: at the smallest */
} measure_step;

/* ---- functions -------------------------------------------------------------------------------------------------- */

/* Every program has a main function, which does not tell one from another. */
static int match_functions(measure_step *step, size_t *matched)
{
  sc_facts *facts = &step->d->facts;
  uint32_t count = sc_graph_location_count(step->graph);
  SC_TRY(SC_NEW(step->functions, count + 1));
  for (uint32_t i = 0; i < count; i++) {
    const sc_location *location = sc_graph_location_at(step->graph, i);
    step->functions[i] = SC_FACTS_NONE;
    if (location->kind != SC_LOCATION_FUNCTION)
      continue;
    const char *name = sc_pool_intern(&facts->strings, location->name);
    if (!name)
      return SC_E_NOMEM;
    step->functions[i] = sc_facts_find_in(facts, name, location->file);
    *matched += step->functions[i] != SC_FACTS_NONE && strcmp(name, "main") != 0;
  }
  return 0;
}

static void count_calls(measure_step *step, double n)
{
  const sc_graph *graph = step->graph;
  uint32_t contexts = sc_graph_context_count(graph);
  double runs = 0;
  memset(step->calls, 0, step->d->facts.functions_count * sizeof *step->calls);
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    if (sc_graph_run_const(graph, run)->n != n)
      continue;
    runs++;
    for (uint32_t context = 1; context < contexts; context++) {
      uint32_t function = step->functions[sc_graph_location_of(graph, context)];
      if (function != SC_FACTS_NONE)
        step->calls[function] += sc_graph_value(graph, run, context, SC_METRIC_COUNT);
    }
  }
  for (size_t i = 0; i < step->d->facts.functions_count; i++)
    step->calls[i] /= runs;
}

static double next_size_above(const sc_graph *graph, double above)
{
  double next = INFINITY;
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    double n = sc_graph_run_const(graph, run)->n;
    next = n > above ? fmin(next, n) : next;
  }
  return next;
}

/* Against what it did at the smallest size: beyond a few calls more, which might be a timer's, and which may be no more
 * than the parameter rose by: a program that begins with a million calls does another thousand. */
static bool ran_more(const sc_ran *ran, double smallest)
{
  return ran->most - ran->few > SC_DISCOVER_GROWS * fmin(ran->few, ran->at - smallest);
}

/* What another study showed of the function stays where it says more. */
static void keep_ran(measure_step *step, sc_ran *found)
{
  const sc_measured *study = &step->d->measured[step->study];
  for (size_t i = 0; i < step->d->facts.functions_count; i++) {
    sc_ran *now = &found[i], *kept = &step->d->ran[i];
    now->few = step->few[i];
    now->measured = step->study;
    now->ran = now->few > 0 || now->most > 0;
    now->grows = ran_more(now, study->smallest);
    if (now->ran && (!kept->ran || now->grows > kept->grows))
      *kept = *now;
  }
}

static int measure_calls(measure_step *step)
{
  const sc_measured *study = &step->d->measured[step->study];
  sc_ran *found;
  SC_TRY(SC_NEW(found, step->d->facts.functions_count + 1));
  count_calls(step, study->smallest);
  memcpy(step->few, step->calls, step->d->facts.functions_count * sizeof *step->few);
  for (double n = study->smallest; (n = next_size_above(step->graph, n)) <= study->largest;) {
    count_calls(step, n);
    for (size_t i = 0; i < step->d->facts.functions_count; i++)
      if (step->calls[i] >= found[i].most) {
        found[i].most = step->calls[i];
        found[i].at = n;
      }
  }
  keep_ran(step, found);
  free(found);
  return 0;
}

/* ---- probes ------------------------------------------------------------------------------------------------------ */

static size_t newest_discovered_run(const sc_graph *graph, double n)
{
  size_t newest = 0;
  for (size_t run = 0; run < sc_graph_run_count(graph); run++)
    if (sc_graph_run_const(graph, run)->n == n)
      newest = run;
  return newest;
}

/* An event that the program had probes for: of several studies the one that its calls are told of. */
static int measure_event(measure_step *step, size_t run, size_t number)
{
  sc_discovery *d = step->d;
  const sc_event *event = &d->events[number];
  sc_dealt *dealt = &d->dealt[number];
  const char *name = d->facts.functions[event->function].name;
  sc_counted counted = {0};
  sc_buf text = {0};
  sc_explain_resource(d, &d->resources[event->resource], &text);
  char *resource = sc_buf_take(&text);
  if (!resource)
    return SC_E_NOMEM;
  const char *discarded = sc_counted_discarded(step->graph, name, resource);
  if ((!dealt->any || d->ran[event->function].measured == step->study) &&
      sc_counted_add(step->graph, run, name, event->role, resource, &counted))
    *dealt = (sc_dealt){counted, dealt->discarded, step->study, true};
  free(resource);
  return discarded && !(dealt->discarded = sc_pool_intern(&d->facts.strings, discarded)) ? SC_E_NOMEM : 0;
}

static int measure_probes(measure_step *step)
{
  size_t run = newest_discovered_run(step->graph, step->d->measured[step->study].largest);
  for (size_t i = 0; i < step->d->events_count; i++)
    SC_TRY(measure_event(step, run, i));
  return 0;
}

/* ---- a study ------------------------------------------------------------------------------------------------------
 */

static int measure_sizes(const sc_graph *graph, sc_measured *study)
{
  study->runs = sc_graph_run_count(graph);
  study->smallest = next_size_above(graph, -INFINITY);
  study->largest = study->smallest;
  for (double n; (n = next_size_above(graph, study->largest)) < INFINITY;)
    study->largest = n;
  if (study->runs && study->largest > study->smallest)
    return 0;
  (void)sc_err_set(SC_E_TOOLITTLE, "the study %s has runs of %s size", study->study, study->runs ? "one" : "no");
  return sc_err_hint(SC_E_TOOLITTLE, "growth shows between two sizes: continue the study with scale-run run ... -o %s",
                     study->study);
}

static int measure_open(measure_step *step, const char *study, const char *parameter)
{
  sc_discovery *d = step->d;
  size_t matched = 0, functions = d->facts.functions_count + 1;
  sc_measured now = {.study = sc_pool_intern(&d->facts.strings, study),
                     .parameter = sc_pool_intern(&d->facts.strings, parameter)};
  if (!now.study || !now.parameter)
    return SC_E_NOMEM;
  SC_TRY(measure_sizes(step->graph, &now));
  if (!d->ran)
    SC_TRY(SC_NEW(d->ran, functions));
  if (!d->dealt)
    SC_TRY(SC_NEW(d->dealt, d->events_count + 1));
  SC_TRY(SC_NEW(step->calls, functions));
  SC_TRY(SC_NEW(step->few, functions));
  SC_TRY(match_functions(step, &matched));
  if (!matched) {
    (void)sc_err_set(SC_E_INPUT, "the study %s ran none of these functions: it is of another program", study);
    return sc_err_hint(SC_E_INPUT, "name a study of this program, made by scale-run run -o STUDY");
  }
  step->study = (uint32_t)d->measured_count;
  SC_TRY(sc_mem_grow(&d->measured, &d->measured_capacity, d->measured_count + 1, sizeof *d->measured));
  d->measured[d->measured_count++] = now;
  return 0;
}

int sc_discovery_measure(sc_discovery *d, const sc_graph *graph, const char *study, const char *parameter)
{
  measure_step step = {.d = d, .graph = graph};
  int err;
  SC_GOTO(measure_open(&step, study, parameter));
  SC_GOTO(measure_calls(&step));
  err = measure_probes(&step);
out:
  free(step.functions);
  free(step.calls);
  free(step.few);
  return err;
}
