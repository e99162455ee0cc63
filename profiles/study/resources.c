/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file's resources, mirrored as its locations are (mirror.c). */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/study/internal.h"

static const char what_read[] = "read the study's resources";
static const char what_save[] = "save resources";

static enum sc_resource_class study_resource_class_of(const char *word)
{
  for (int i = SC_RESOURCE_MUTEX; i <= SC_RESOURCE_PROCESS; i++)
    if (strcmp(sc_resource_class_name((enum sc_resource_class)i), word) == 0)
      return (enum sc_resource_class)i;
  return (enum sc_resource_class)0;
}

int sc_study_resources_read(sc_study *study, int (*visit)(void *user, const sc_resource *resource), void *user)
{
  sqlite3_stmt *rows = NULL;
  int err;
  int64_t next = 0;
  SC_GOTO(sc_study_sql_prepare(
      study, "SELECT id, class, name, file, line, probe, global, idle, capacity FROM resource ORDER BY id", &rows,
      what_read));
  for (;;) {
    SC_GOTO(sc_study_sql_step(study, rows, what_read));
    if (err == 0)
      break;
    sc_resource resource = {.resource_class = study_resource_class_of(sc_study_sql_text(rows, 1)),
                            .name = sc_study_sql_text(rows, 2),
                            .file = sc_study_sql_text(rows, 3),
                            .line = (uint32_t)sqlite3_column_int64(rows, 4),
                            .probe = sqlite3_column_int(rows, 5) != 0,
                            .global = sqlite3_column_int(rows, 6) != 0,
                            .idle = sqlite3_column_int(rows, 7) != 0,
                            .capacity = sqlite3_column_double(rows, 8)};
    if (sqlite3_column_int64(rows, 0) != next++ || !resource.resource_class ||
        !sc_study_values_valid(resource.capacity)) {
      err = sc_study_sql_damaged(study, "its resources are not what a study has");
      goto out;
    }
    SC_GOTO(visit(user, &resource));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

static int mirror_study_resource(void *user, const sc_resource *resource)
{
  sc_study *study = user;
  enum sc_locations_news news;
  uint32_t number;
  SC_TRY(sc_resource_set_intern(&study->resources, resource, &number, &news));
  return news == SC_LOCATIONS_NEW ? 0 : sc_study_sql_damaged(study, "it has a resource twice");
}

static int refresh_study_resource(sc_study *study)
{
  int64_t count;
  SC_TRY(sc_study_sql_number(study, "SELECT count(*) FROM resource", &count, what_read));
  if (count == study->resources.count)
    return 0;
  sc_resource_set_free(&study->resources);
  return sc_study_resources_read(study, mirror_study_resource, study);
}

static int save_study_resource(sc_study *study, sqlite3_stmt *row, const sc_resource *resource, uint32_t *number)
{
  enum sc_locations_news news;
  SC_TRY(sc_resource_set_intern(&study->resources, resource, number, &news));
  if (news == SC_LOCATIONS_KNOWN)
    return 0;
  const sc_resource *own = study->resources.list[*number];
  sqlite3_bind_int64(row, 1, *number);
  sqlite3_bind_text(row, 2, sc_resource_class_name(own->resource_class), -1, SQLITE_STATIC);
  sqlite3_bind_text(row, 3, own->name, -1, SQLITE_STATIC);
  sqlite3_bind_text(row, 4, own->file, -1, SQLITE_STATIC);
  sqlite3_bind_int64(row, 5, own->line);
  sqlite3_bind_int(row, 6, own->probe);
  sqlite3_bind_int(row, 7, own->global);
  sqlite3_bind_int(row, 8, own->idle);
  sqlite3_bind_double(row, 9, own->capacity);
  return sc_study_sql_run(study, row, what_save);
}

int sc_study_resources_save(sc_study *study, const sc_graph *graph, uint32_t **ids)
{
  int err = SC_E_NOMEM;
  sqlite3_stmt *row = NULL;
  uint32_t count = sc_usage_resource_count(graph);
  *ids = sc_mem_new(count, sizeof **ids);
  if (!*ids)
    goto out;
  SC_GOTO(refresh_study_resource(study));
  SC_GOTO(sc_study_sql_prepare(study, "INSERT OR REPLACE INTO resource VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)", &row,
                               what_save));
  for (uint32_t i = 0; i < count; i++)
    SC_GOTO(save_study_resource(study, row, sc_usage_resource_at(graph, i), &(*ids)[i]));
out:
  if (err < 0) {
    free(*ids);
    *ids = NULL;
  }
  sqlite3_finalize(row);
  return err;
}
