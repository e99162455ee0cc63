/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power fails while a study is written: of what was written and not yet synced, any part may be on the disk. What
 * was stored before is still there, and the study is whole. */

#include "unit.h"

#include <stdlib.h>

#include "study_scene.h"

enum { RUNS = 3, WRITES = 4096, SECTOR = 512 };

/* What was written to a file since it was last synced. */
typedef struct written {
  char path[256];
  sqlite3_int64 offset, size_before;
  int bytes, bytes_before;
  unsigned char *before, *after; /* after NULL: cut to `offset` */
} written;

typedef struct shim {
  sqlite3_file base;
  sqlite3_file *real;
  char path[256];
} shim;

static struct {
  sqlite3_vfs vfs, *real;
  written writes[WRITES];
  size_t count;
  int left; /* writes, syncs and deletions until the power fails */
} disk;

static bool works(void) { return disk.left > 0 && --disk.left > 0; }

static void note(shim *f, sqlite3_int64 offset, const void *data, int bytes)
{
  written *w = &disk.writes[disk.count++];
  assert_true(disk.count < WRITES);
  *w = (written){.offset = offset, .bytes = bytes};
  strcpy(w->path, f->path);
  f->real->pMethods->xFileSize(f->real, &w->size_before);
  sqlite3_int64 rest = w->size_before - offset;
  w->bytes_before = rest <= 0 ? 0 : data && rest > bytes ? bytes : (int)rest;
  w->before = calloc(1, (size_t)w->bytes_before + 1);
  if (w->bytes_before)
    f->real->pMethods->xRead(f->real, w->before, w->bytes_before, offset);
  if (data) {
    w->after = malloc((size_t)bytes);
    memcpy(w->after, data, (size_t)bytes);
  }
}

static void forget(const char *path)
{
  size_t kept = 0;
  for (size_t i = 0; i < disk.count; i++) {
    if (path && strcmp(disk.writes[i].path, path) != 0) {
      disk.writes[kept++] = disk.writes[i];
      continue;
    }
    free(disk.writes[i].before);
    free(disk.writes[i].after);
  }
  disk.count = kept;
}

static sqlite3_file *real(sqlite3_file *file) { return ((shim *)file)->real; }
static int close_file(sqlite3_file *file)
{
  int result = real(file)->pMethods->xClose(real(file));
  free(real(file));
  return result;
}
static int read_file(sqlite3_file *file, void *to, int bytes, sqlite3_int64 at)
{
  return real(file)->pMethods->xRead(real(file), to, bytes, at);
}
static int write_file(sqlite3_file *file, const void *from, int bytes, sqlite3_int64 at)
{
  if (!works())
    return SQLITE_IOERR_WRITE;
  note((shim *)file, at, from, bytes);
  return real(file)->pMethods->xWrite(real(file), from, bytes, at);
}
static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
  if (!works())
    return SQLITE_IOERR_TRUNCATE;
  note((shim *)file, size, NULL, 0);
  return real(file)->pMethods->xTruncate(real(file), size);
}
static int sync_file(sqlite3_file *file, int flags)
{
  if (!works())
    return SQLITE_IOERR_FSYNC;
  forget(((shim *)file)->path);
  return SQLITE_OK;
}
static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
  return real(file)->pMethods->xFileSize(real(file), size);
}
static int lock_file(sqlite3_file *file, int how) { return real(file)->pMethods->xLock(real(file), how); }
static int unlock_file(sqlite3_file *file, int how) { return real(file)->pMethods->xUnlock(real(file), how); }
static int check_lock(sqlite3_file *file, int *out)
{
  return real(file)->pMethods->xCheckReservedLock(real(file), out);
}
static int control_file(sqlite3_file *file, int what, void *with)
{
  return real(file)->pMethods->xFileControl(real(file), what, with);
}
static int sector_size(sqlite3_file *file) { return SECTOR; }
static int characteristics(sqlite3_file *file) { return 0; }

static const sqlite3_io_methods methods = {
    1,         close_file,  read_file,  write_file,   truncate_file, sync_file,       file_size,
    lock_file, unlock_file, check_lock, control_file, sector_size,   characteristics,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
  shim *f = (shim *)file;
  *f = (shim){.real = calloc(1, (size_t)disk.real->szOsFile)};
  snprintf(f->path, sizeof f->path, "%s", name ? name : "");
  int result = disk.real->xOpen(disk.real, name, f->real, flags, flags_out);
  if (result == SQLITE_OK)
    f->base.pMethods = &methods;
  else
    free(f->real);
  return result;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync)
{
  if (!works())
    return SQLITE_IOERR_DELETE;
  forget(name);
  return disk.real->xDelete(disk.real, name, sync);
}

/* Parts of what is not synced are lost, other parts not. */
static void lose_power(uint64_t seed)
{
  for (int again = 0; again < 2; again++)
    for (size_t k = 0; k < disk.count; k++) {
      const written *w = &disk.writes[again ? k : disk.count - 1 - k];
      FILE *file = fopen(w->path, "r+b");
      seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      if (file && !again) { /* all is undone, the newest first */
        assert_int_equal(fseek(file, (long)w->offset, SEEK_SET), 0);
        assert_int_equal(fwrite(w->before, 1, (size_t)w->bytes_before, file), w->bytes_before);
        fflush(file);
        assert_int_equal(ftruncate(fileno(file), w->size_before), 0);
      } else if (file && seed >> 63) { /* and some of it done again */
        if (w->after) {
          assert_int_equal(fseek(file, (long)w->offset, SEEK_SET), 0);
          assert_int_equal(fwrite(w->after, 1, (size_t)w->bytes, file), w->bytes);
        } else {
          assert_int_equal(ftruncate(fileno(file), w->offset), 0);
        }
      }
      if (file)
        fclose(file);
    }
  forget(NULL);
}

static sc_graph *graph_of_runs(void)
{
  sc_graph *graph;
  assert_int_equal(sc_graph_new(&graph), 0);
  uint32_t f = study_context(graph, 0, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "main", .file = "a.c"});
  for (size_t run = 0; run < RUNS; run++) {
    size_t index;
    assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = (double)(run + 1)}, &index), 0);
    for (uint32_t i = 0; i < 20 * (run + 1); i++) {
      uint32_t c =
          study_context(graph, f, &(sc_location){.kind = SC_LOCATION_LOOP, .name = "main", .file = "a.c", .line = i});
      assert_int_equal(sc_graph_add(graph, index, c, SC_METRIC_COUNT, 1000.0 * (double)run + i), 0);
    }
  }
  return graph;
}

/* Stores runs until the power fails; returns how many were stored. */
static size_t store(const char *path, int operations)
{
  sc_study *study = NULL;
  sc_graph *graph = graph_of_runs();
  size_t stored = 0;
  disk.left = operations;
  assert_int_equal(sqlite3_vfs_register(&disk.vfs, 1), SQLITE_OK);
  if (sc_study_open(path, SC_STUDY_CREATE, &study) == 0)
    while (stored < RUNS && sc_study_save_run(study, graph, stored, NULL, 0) == 0)
      stored++;
  sc_study_close(study);
  sqlite3_vfs_unregister(&disk.vfs);
  sc_graph_free(graph);
  return stored;
}

static size_t stored_in(const char *path)
{
  sc_graph *graph = study_load(path), *all = graph_of_runs();
  size_t count = sc_graph_run_count(graph);
  for (size_t run = 0; run < count; run++)
    for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
      assert_true(sc_graph_value(graph, run, c, SC_METRIC_COUNT) == sc_graph_value(all, run, c, SC_METRIC_COUNT));
  sc_graph_free(graph);
  sc_graph_free(all);
  return count;
}

TEST(what_was_stored_outlives_the_power)
{
  char path[TEMPORARY_PATH], journal[TEMPORARY_PATH + 16];
  bool finished = false;
  size_t cuts = 0;
  disk.real = sqlite3_vfs_find(NULL);
  disk.vfs = *disk.real;
  disk.vfs.zName = "losing";
  disk.vfs.szOsFile = sizeof(shim);
  disk.vfs.xOpen = open_file;
  disk.vfs.xDelete = delete_file;
  temporary_path(path);
  snprintf(journal, sizeof journal, "%s-journal", path);
  for (int operations = 2; !finished; operations++)
    for (uint64_t seed = 1; seed <= 2; seed++, cuts++) {
      unlink(path);
      size_t stored = store(path, operations);
      finished = stored == RUNS;
      lose_power(seed * 977 + (uint64_t)operations);
      struct sc_study *study;
      int err = sc_study_open(path, SC_STUDY_READ, &study);
      if (err == 0) {
        sc_study_close(study);
        size_t there = stored_in(path);
        if (there < stored || there > stored + 1)
          fail_msg("%zu runs instead of %zu after %d operations", there, stored, operations);
      } else if (stored) {
        fail_msg("%zu runs are lost after %d operations: %s", stored, operations, sc_err_message());
      }
      unlink(path);
      unlink(journal);
    }
  assert_true(cuts > 60);
}
