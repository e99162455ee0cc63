/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locations and contexts that are in the study already, so that a new run adds only what is new. */
#include <stdlib.h>

#include "base/buf.h"
#include "profiles/study/internal.h"

static int read_locations(sc_study *study, int (*visit)(void *user, const sc_location *location), void *user)
{
  static const char what[] = "read the study's locations";
  sqlite3_stmt *rows = NULL;
  int err;
  int64_t next = 0;
  bool systems = study->version >= SC_STUDY_SYSTEM_SINCE;
  SC_GOTO(sc_study_sql_prepare(
      study,
      systems ? "SELECT id, kind, name, display, file, line, col, nth, ordinal, local, recursive, system"
                " FROM location ORDER BY id"
              : "SELECT id, kind, name, display, file, line, col, nth, ordinal, local, recursive, 0"
                " FROM location ORDER BY id",
      &rows, what));
  for (;;) {
    SC_GOTO(sc_study_sql_step(study, rows, what));
    if (err == 0)
      break;
    int kind = sc_study_word(sc_study_kinds, SC_STUDY_KINDS, sc_study_sql_text(rows, 1));
    if (sqlite3_column_int64(rows, 0) != next++ || kind < 0) {
      err = sc_study_sql_damaged(study, "its locations are not what a study has");
      goto out;
    }
    sc_location location = {.kind = (enum sc_location_kind)kind,
                            .name = sc_study_sql_text(rows, 2),
                            .display = sc_study_sql_text(rows, 3),
                            .file = sc_study_sql_text(rows, 4),
                            .line = (uint32_t)sqlite3_column_int64(rows, 5),
                            .column = (uint32_t)sqlite3_column_int64(rows, 6),
                            .nth = (uint32_t)sqlite3_column_int64(rows, 7),
                            .ordinal = (uint32_t)sqlite3_column_int64(rows, 8),
                            .local = sqlite3_column_int(rows, 9) != 0,
                            .recursive = sqlite3_column_int(rows, 10) != 0,
                            .system = sqlite3_column_int(rows, 11) != 0};
    SC_GOTO(visit(user, &location));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

int sc_study_mirror_read(sc_study *study, int (*location)(void *user, const sc_location *location),
                         int (*context)(void *user, const sc_context *context), void *user)
{
  SC_TRY(read_locations(study, location, user));
  return sc_study_contexts_read(study, context, user);
}

static int mirror_location(void *user, const sc_location *location)
{
  sc_study *study = user;
  enum sc_locations_news news;
  uint32_t number;
  SC_TRY(sc_locations_intern(&study->locations, location, &number, &news));
  return news == SC_LOCATIONS_NEW ? 0 : sc_study_sql_damaged(study, "it has a location twice");
}

static int mirror_context(void *user, const sc_context *read)
{
  sc_study *study = user;
  uint32_t count = study->contexts.count, context = 0;
  if (read->location >= study->locations.count)
    return sc_study_sql_damaged(study, "a context has no location");
  if (count == 0)
    return sc_contexts_begin(&study->contexts, read->location);
  SC_TRY(sc_contexts_intern(&study->contexts, read->parent, read->location, &context));
  sc_contexts_call(&study->contexts, context, read->call);
  return context == count ? 0 : sc_study_sql_damaged(study, "it has a context twice");
}

void sc_study_mirror_drop(sc_study *study)
{
  sc_locations_free(&study->locations);
  sc_contexts_free(&study->contexts);
  sc_resource_set_free(&study->resources);
  study->mirrored = false;
}

/* Within a transaction: brings the mirror up to the file. */
static int refresh_mirror(sc_study *study)
{
  int64_t state; /* another number where others have written, if only lines of calls */
  SC_TRY(sc_study_sql_number(study, "PRAGMA data_version", &state, "read the study's locations"));
  if (study->mirrored && state == study->mirrored_state)
    return 0;
  sc_study_mirror_drop(study);
  SC_TRY(sc_study_mirror_read(study, mirror_location, mirror_context, study));
  if (study->contexts.count == 0)
    return sc_study_sql_damaged(study, "it has no root context");
  study->mirrored = true;
  study->mirrored_state = state;
  return 0;
}

/* Saving: the statement and the file's number of each of the graph's locations. */
struct save {
  sc_study *study;
  sqlite3_stmt *location;
  uint32_t *locations;
};

static const char what_save[] = "save contexts";

static int save_location(struct save *save, const sc_location *location, uint32_t *number)
{
  enum sc_locations_news news;
  SC_TRY(sc_locations_intern(&save->study->locations, location, number, &news));
  if (news == SC_LOCATIONS_KNOWN)
    return 0;
  const sc_location *own = sc_locations_at(&save->study->locations, *number);
  sqlite3_stmt *row = save->location;
  sqlite3_bind_int64(row, 1, *number);
  sqlite3_bind_text(row, 2, sc_study_kinds[own->kind], -1, SQLITE_STATIC);
  sqlite3_bind_text(row, 3, own->name, -1, SQLITE_STATIC);
  sqlite3_bind_text(row, 4, own->display, -1, SQLITE_STATIC);
  sqlite3_bind_text(row, 5, own->file, -1, SQLITE_STATIC);
  sqlite3_bind_int64(row, 6, own->line);
  sqlite3_bind_int64(row, 7, own->column);
  sqlite3_bind_int64(row, 8, own->nth);
  sqlite3_bind_int64(row, 9, own->ordinal);
  sqlite3_bind_int(row, 10, own->local);
  sqlite3_bind_int(row, 11, own->recursive);
  sqlite3_bind_int(row, 12, own->system);
  return sc_study_sql_run(save->study, row, what_save);
}

/* The contexts that the file has not are behind those it has. A run may reach an earlier call of a function than the
 * runs before it. */
static int save_contexts(const struct save *save, const sc_graph *graph, uint32_t *ids)
{
  sc_contexts *known = &save->study->contexts;
  uint32_t saved = known->count;
  int err = 0;
  bool *changed = sc_mem_new(saved / SC_STUDY_BLOCK + 1, sizeof *changed);
  if (!changed)
    return SC_E_NOMEM;
  for (uint32_t i = 1; i < graph->tree.contexts.count; i++) {
    uint32_t location = save->locations[sc_graph_location_of(graph, i)];
    SC_GOTO(sc_contexts_intern(known, ids[sc_graph_parent(graph, i)], location, &ids[i]));
    if (sc_contexts_call(known, ids[i], sc_graph_call_line(graph, i)) && ids[i] < saved)
      changed[ids[i] / SC_STUDY_BLOCK] = true;
  }
  if (known->count > saved)
    changed[saved / SC_STUDY_BLOCK] = true;
  for (uint32_t first = 0; first < known->count; first += SC_STUDY_BLOCK)
    if (first > saved || changed[first / SC_STUDY_BLOCK])
      SC_GOTO(sc_study_contexts_save(save->study, known, first));
out:
  free(changed);
  return err;
}

int sc_study_mirror_save(sc_study *study, const sc_graph *graph, uint32_t **ids)
{
  int err = 0;
  struct save save = {.study = study};
  uint32_t locations = graph->tree.locations.count;
  *ids = NULL;
  SC_GOTO(refresh_mirror(study));
  SC_GOTO(sc_study_sql_prepare(study, "INSERT OR REPLACE INTO location VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)",
                               &save.location, what_save));
  save.locations = sc_mem_new(locations, sizeof *save.locations);
  *ids = sc_mem_new(graph->tree.contexts.count, sizeof **ids);
  if (!save.locations || !*ids) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (uint32_t i = 0; i < locations; i++)
    SC_GOTO(save_location(&save, sc_locations_at(&graph->tree.locations, i), &save.locations[i]));
  SC_GOTO(save_contexts(&save, graph, *ids));
out:
  if (err < 0) {
    free(*ids);
    *ids = NULL;
  }
  free(save.locations);
  sqlite3_finalize(save.location);
  return err;
}
