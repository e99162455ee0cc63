/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a profile. Nothing in it is believed: the program may have been killed in the midst of a write, the disk may
 * have been full, the file may be made to do harm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

#include "profiles/scprof/internal.h"

/* The executable's path where no INFO record was written: the file is called <exe>.<pid>.<start>.scprof. */
static int name_from_file(struct sc_reader *reader)
{
  reader->exe = sc_mem_copy_string(sc_path_last(reader->path));
  if (!reader->exe)
    return SC_E_NOMEM;
  for (int i = 0; i < 3; i++) {
    char *dot = strrchr(reader->exe, '.');
    if (dot && dot != reader->exe)
      *dot = '\0';
  }
  return 0;
}

/* What this reader could not use counts as lost beside what the program could not keep: to the user it is missing
 * alike. */
static int describe_reader(struct sc_reader *reader)
{
  if (!reader->exe)
    SC_TRY(name_from_file(reader));
  const struct scale_header *header = &reader->header;
  reader->info = (sc_reader_info){
      .pid = header->pid,
      .parent_pid = header->parent_pid,
      .forked = header->forked != 0,
      .exited = header->exited != 0,
      .clock_start = header->clock_start,
      .clock_last = header->clock_last,
      .exe = reader->exe,
      .command = reader->command ? reader->command : "",
      .nodes = header->nodes,
      .truncated_nodes = header->truncated_nodes,
      .lost_bytes = header->lost_bytes + reader->hole_bytes,
      .lost_records = header->lost_records + reader->lost_parts,
      .threads = header->threads,
      .lost_events = header->lost_events,
      .timed = reader->tick_ns > 0,
      .lost_children = header->lost_children,
      .lost_reason = (int)header->lost_reason,
      .damage = reader->damage ? reader->damage : "",
  };
  return 0;
}

/* Each step checks what the next ones rely on: chunks before records, records before the tree that refers to them.
 * After the last one nothing in the profile can lead a reader outside of the mapping. */
int sc_reader_open(const char *path, sc_reader **reader)
{
  int err = SC_E_NOMEM;
  *reader = NULL;
  sc_reader *fresh = sc_mem_new(1, sizeof *fresh);
  if (!fresh || !(fresh->path = sc_mem_copy_string(path)))
    goto out;
  SC_GOTO(sc_map_open(fresh));
  SC_GOTO(sc_chunks_scan(fresh));
  SC_GOTO(sc_records_scan(fresh));
  SC_GOTO(sc_callees_resolve(fresh));
  SC_GOTO(sc_tree_build(fresh));
  SC_GOTO(sc_names_resolve(fresh));
  sc_clock_set(fresh);
  SC_GOTO(describe_reader(fresh));
  *reader = fresh;
  fresh = NULL;
out:
  sc_reader_close(fresh);
  return err;
}

void sc_reader_close(sc_reader *reader)
{
  if (!reader)
    return;
  for (size_t i = 0; i < reader->module_count; i++)
    free(reader->module_paths[i]);
  free(reader->module_paths);
  free(reader->module_bases);
  free(reader->modules);
  for (size_t i = 0; i < reader->unit_count; i++)
    sc_units_free(&reader->units[i]);
  free(reader->units);
  free(reader->aliases);
  free(reader->members);
  free(reader->functions);
  free(reader->refs);
  sc_index_free(&reader->by_ref);
  free(reader->callees);
  free(reader->nodes);
  free(reader->edges);
  free(reader->tallies);
  sc_index_free(&reader->by_address);
  free(reader->holders);
  sc_resource_set_free(&reader->resources);
  free(reader->chunks);
  free(reader->arenas);
  free(reader->exe);
  free(reader->command);
  free(reader->damage);
  sc_map_close(reader);
  free(reader->path);
  free(reader);
}

const sc_reader_info *sc_reader_get_info(const sc_reader *reader) { return &reader->info; }

size_t sc_reader_module_count(const sc_reader *reader) { return reader->module_count; }

const sc_module *sc_reader_module(const sc_reader *reader, size_t index) { return &reader->modules[index]; }

/* A function's locs are in as many records as it was inlined into: its locations are visited once. */
int sc_reader_removed(const sc_reader *reader, sc_reader_removed_fn visit, void *user)
{
  int err = 0;
  sc_graph *seen = NULL;
  SC_GOTO(sc_graph_new(&seen));
  for (size_t i = 0; i < reader->function_count; i++) {
    const struct sc_function *function = &reader->functions[i];
    for (uint32_t loc = 0; loc < function->sites.loc_count; loc++) {
      uint32_t number, context;
      if (!(function->locs[loc].flags & SCALE_LOC_REMOVED))
        continue;
      sc_location location = sc_sites_location(function, loc);
      SC_GOTO(sc_graph_location(seen, &location, &number));
      if (sc_graph_find(seen, 0, number) != SC_NONE)
        continue;
      SC_GOTO(sc_graph_context(seen, 0, number, &context));
      SC_GOTO(visit(user, sc_graph_at(seen, context)));
    }
  }
out:
  sc_graph_free(seen);
  return err;
}

/* Site events without a cell are notes of the compiler about code it could not count, not events that happen. */
int sc_reader_visit_seen(const sc_reader *reader, sc_reader_seen_fn visit, void *user)
{
  for (size_t i = 0; i < reader->function_count; i++) {
    const struct sc_function *function = &reader->functions[i];
    for (uint32_t k = 0; k < function->sites.event_count; k++) {
      const struct scale_site_event *event = &function->events[k];
      if (sc_sites_has_cell(event))
        continue;
      sc_location at = sc_sites_location(function, event->loc);
      sc_reader_seen seen = {event->event == SCALE_EVENT_UNCOUNTED, sc_sites_string(function, event->via), at.name,
                             at.file, event->line};
      SC_TRY(visit(user, &seen));
    }
  }
  return 0;
}
