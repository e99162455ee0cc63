/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/discover/discover.h"

#include <stdlib.h>

#include "runner/discover/internal.h"
#include "runner/discover/llm.h"
#include "runner/discover/sources.h"
#include "runner/text/outfile.h"

static int discover_judge(sc_discovery *d, const sc_discover_llm *llm)
{
  static int (*const steps[])(sc_discovery * d) = {
      sc_discovery_find_callers, sc_discovery_find_starts, sc_discovery_name,     sc_discovery_flow,
      sc_discovery_links,        sc_discovery_locals,      sc_discovery_counters, sc_discovery_allocators,
      sc_discovery_containers,   sc_discovery_buffers,     sc_discovery_owners,   sc_discovery_learn,
      sc_discovery_merge,        sc_discovery_locks,       sc_discovery_forward,  sc_discovery_waits,
      sc_discovery_pairs,        sc_discovery_ask,         sc_discovery_score,    sc_discovery_resources};
  SC_TRY(sc_facts_link_calls(&d->facts));
  if (llm)
    SC_TRY(sc_llm_new(llm, &d->llm));
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    SC_TRY(steps[i](d));
  return 0;
}

static int discover_read(sc_discovery *d, const char *const *paths, size_t count, FILE *copy)
{
  sc_sources sources = {.copy = copy};
  for (size_t i = 0; i < count; i++)
    SC_TRY(sc_sources_add(&sources, &d->facts, paths[i]));
  return sc_sources_need(&sources, paths[0]);
}

int sc_discover(const char *const *paths, size_t count, const char *facts, const sc_discover_llm *llm,
                sc_discovery **discovery)
{
  sc_outfile copy = {0};
  SC_TRY(SC_NEW(*discovery, 1));
  if (!facts)
    SC_TRY(discover_read(*discovery, paths, count, NULL));
  else {
    SC_TRY(sc_outfile_open(facts, &copy));
    SC_TRY(sc_outfile_close(&copy, discover_read(*discovery, paths, count, copy.stream)));
  }
  return discover_judge(*discovery, llm);
}

int sc_discover_text(const char *text, size_t length, const char *name, sc_discovery **discovery)
{
  sc_sources sources = {0};
  SC_TRY(SC_NEW(*discovery, 1));
  SC_TRY(sc_sources_add_text(&sources, &(*discovery)->facts, text, length, name));
  SC_TRY(sc_sources_need(&sources, name));
  return discover_judge(*discovery, NULL);
}

void sc_discovery_free(sc_discovery *d)
{
  if (!d)
    return;
  void *const arrays[] = {d->flow,      d->names,      d->callers,  d->calls_in, d->starts,
                          d->lengths,   d->mechanisms, d->evidence, d->rejected, d->events,
                          d->resources, d->known,      d->measured, d->ran,      d->dealt};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    free(arrays[i]);
  sc_index_free(&d->mechanism_index);
  sc_index_free(&d->known_index);
  sc_llm_free(d->llm);
  sc_facts_free(&d->facts);
  free(d);
}
