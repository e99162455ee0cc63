/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose threads read what a lock protects, and whose write it: by the functions that they begin in. */
#include "transitions/resources/sharing.h"

#include <math.h>

#include "transitions/resources/roles.h"

enum { ROLES = 16 }; /* of further ones a lock of readers and writers has none that matter */

typedef struct role_use {
  uint32_t role;
  bool reads, writes;
} role_use;

/* false: there are more roles than are looked at. */
static bool note_role(role_use *uses, size_t *count, uint32_t role, bool shared)
{
  size_t i = 0;
  while (i < *count && uses[i].role != role)
    i++;
  if (i == ROLES)
    return false;
  if (i == *count)
    uses[(*count)++] = (role_use){.role = role};
  uses[i].reads |= shared;
  uses[i].writes |= !shared;
  return true;
}

/* The roles that acquire it in a run; false: too many. */
static bool find_role_uses(const sc_resources *r, uint32_t resource, size_t run, role_use *uses, size_t *count)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(r->graph, sc_rgraph_run(r, run), &rows);
  *count = 0;
  for (; rows; rows--, row++)
    if (row->resource == resource && row->event == SC_USAGE_EVENT_ACQUIRE &&
        row->values[SC_USAGE_ACQUIRES] + row->values[SC_USAGE_FAILURES] + row->values[SC_USAGE_WAITS] > 0 &&
        !note_role(uses, count, sc_rrole_of(r, row->context), row->shared))
      return false;
  return true;
}

/* Means of the runs of a size. */
static bool count_sharers(const sc_resources *r, uint32_t resource, size_t size, sc_rsharing *out)
{
  role_use uses[ROLES];
  double runs = (double)(r->starts[size + 1] - r->starts[size]);
  for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++) {
    size_t count;
    if (!find_role_uses(r, resource, run, uses, &count))
      return false;
    for (size_t i = 0; i < count; i++) {
      double threads = sc_rrole_threads(r, run, uses[i].role) / runs;
      out->writers += uses[i].writes ? threads : 0;
      out->readers += uses[i].reads ? threads : 0;
      out->both += uses[i].writes && uses[i].reads ? threads : 0;
    }
  }
  out->threads = out->writers + out->readers - out->both;
  double touched = 0; /* by as many threads as begin there: else they are told apart by something else */
  for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
    touched += sc_resource_cell_occupancy(r, &r->cells[resource], run)->threads / runs;
  return out->writers > 0 && out->readers > 0 && fabs(out->threads - touched) < 1;
}

/* How often writers and readers come, at the largest size; all threads are taken to be active for as long. */
static void time_sharers(const sc_resources *r, uint32_t resource, sc_rsharing *out)
{
  double active = 0, waited[2] = {0}, acquires[2] = {0}, held = 0;
  for (size_t run = r->starts[r->size_count - 1]; run < r->run_count; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(r->graph, sc_rgraph_run(r, run), &rows);
    active += sc_resource_cell_occupancy(r, &r->cells[resource], run)->active_seconds / out->threads;
    for (; rows; rows--, row++) {
      if (row->resource != resource)
        continue;
      waited[row->shared] += fmax(0, row->values[SC_USAGE_WAIT_SECONDS]);
      acquires[row->shared] += fmax(0, row->values[SC_USAGE_ACQUIRES]);
      held += row->shared ? 0 : fmax(0, row->values[SC_USAGE_HOLD_SECONDS]);
    }
  }
  if (acquires[0] > 0 && acquires[1] > 0) {
    out->writer_think = fmax(0, active * out->writers - waited[0] - held) / acquires[0];
    out->reader_cycle = fmax(0, active * out->readers - waited[1]) / acquires[1];
  }
}

void sc_rsharing_find(sc_resources *r)
{
  for (uint32_t i = 0; i < r->resource_count && r->size_count; i++) {
    sc_resource_cell *cell = &r->cells[i];
    sc_rsharing last = {0}, first = {0};
    double shared = 0;
    for (size_t run = r->starts[r->size_count - 1]; run < r->run_count; run++)
      shared += sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_ACQUIRES);
    if (!(shared > 0) || !cell->exclusive || !count_sharers(r, i, r->size_count - 1, &last) ||
        !count_sharers(r, i, 0, &first))
      continue;
    last.writers_stay = first.writers == last.writers;
    last.readers_stay = first.readers == last.readers;
    if (!(last.both > 0))
      time_sharers(r, i, &last);
    cell->sharing = last;
  }
}

/* As many as there were, or the same share of all. */
static double sharers_of(const sc_rsharing *sharing, double part, bool stay, double threads)
{
  if (!(sharing->threads > 0))
    return threads;
  return fmin(threads, stay ? part : part / sharing->threads * threads);
}

double sc_rsharing_writers(const sc_resource_cell *cell, double threads)
{
  const sc_rsharing *own = &cell->sharing;
  if (own->readers_stay && !own->writers_stay && !(own->both > 0)) /* all further ones write */
    return fmax(fmin(threads, own->writers), threads - own->readers);
  return sharers_of(own, own->writers, own->writers_stay, threads);
}

double sc_rsharing_readers(const sc_resource_cell *cell, double threads)
{
  const sc_rsharing *own = &cell->sharing;
  if (own->writers_stay && !own->readers_stay && !(own->both > 0))
    return fmax(0, threads - own->writers);
  return sharers_of(own, own->readers, own->readers_stay, threads);
}

double sc_rsharing_both(const sc_resource_cell *cell)
{
  const sc_rsharing *own = &cell->sharing;
  return own->writers > 0 ? own->both / own->writers : 1;
}

bool sc_rsharing_apart(const sc_resource_cell *cell)
{
  return cell->sharing.threads > 0 && !(cell->sharing.both > 0) && cell->sharing.reader_cycle > 0;
}

double sc_rsharing_think(const sc_resource_cell *cell, double threads, double hold)
{
  double writers = fmin(threads, sc_rsharing_writers(cell, threads));
  return writers > 0 ? fmax(0, threads / writers * (hold + cell->sharing.writer_think) - hold) : 0;
}
