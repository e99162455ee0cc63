/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Built profiles as files that a reader opens. Include unit.h before. */
#include <fcntl.h>

#include "profiles/scprof/reader.h"
#include "scprof_builder.h"
#include "temporary.h"

static inline int scprof_file_open(const struct builder *b, const char *path, sc_reader **reader)
{
  builder_write(b, path);
  return sc_reader_open(path, reader);
}

/* Opening fails, and the error says so, names the file and has a hint. */
static inline void scprof_file_refused(const struct builder *b, const char *path, int err, const char *part)
{
  sc_reader *reader = NULL;
  int is = scprof_file_open(b, path, &reader);
  if (is != err)
    fail_msg("\"%s\" expected, but the result is %d (%s)", part, is, is < 0 ? sc_err_message() : "none");
  assert_null(reader);
  if (!strstr(sc_err_message(), part))
    fail_msg("\"%s\" does not say \"%s\"", sc_err_message(), part);
  if (!strstr(sc_err_message(), path))
    fail_msg("\"%s\" does not name the file", sc_err_message());
  assert_string_not_equal(sc_err_hint_text(), "");
}

/* The profile is opened and can be merged, and says that records of it are lost, and that `part` is the first. */
static inline void scprof_file_loses(const struct builder *b, const char *path, const char *part)
{
  sc_reader *reader = NULL;
  if (scprof_file_open(b, path, &reader) < 0)
    fail_msg("\"%s\" should be lost, but the profile is refused: %s", part, sc_err_message());
  const sc_reader_info *info = sc_reader_get_info(reader);
  if (!strstr(info->damage, part) || !strstr(info->damage, path) || !info->lost_records)
    fail_msg("\"%s\" expected, but %llu parts are lost, the first: \"%s\"", part,
             (unsigned long long)info->lost_records, info->damage);
  sc_graph *graph;
  size_t run;
  assert_int_equal(sc_graph_new(&graph), 0);
  assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 1}, &run), 0);
  assert_int_equal(sc_reader_merge(reader, graph, run), 0);
  sc_graph_free(graph);
  sc_reader_close(reader);
}

/* Seals the profile and merges it into a run. */
static inline void scprof_file_merge(struct builder *b, const char *path, sc_graph *graph, size_t run)
{
  sc_reader *reader = NULL;
  builder_seal(b);
  unit_ok(scprof_file_open(b, path, &reader));
  unit_ok(sc_reader_merge(reader, graph, run));
  sc_reader_close(reader);
}

/* What an opened profile makes of a new graph with one run. */
static inline sc_graph *scprof_file_graph(sc_reader *reader)
{
  sc_graph *graph;
  size_t run;
  assert_int_equal(sc_graph_new(&graph), 0);
  assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 1}, &run), 0);
  assert_int_equal(run, 0);
  assert_int_equal(sc_reader_merge(reader, graph, run), 0);
  return graph;
}

static inline void scprof_file_drop(struct builder *b, const char *path)
{
  unlink(path);
  builder_free(b);
}

/* tear_down() of tests whose `struct fixture` has a builder `b` and the `path` of its file. */
#define SCPROF_FILE_TEAR_DOWN         \
  static int tear_down(void **state)  \
  {                                   \
    struct fixture *f = *state;       \
    scprof_file_drop(&f->b, f->path); \
    free(f);                          \
    return 0;                         \
  }
/* And set_up(), which has fill(struct fixture *) build the profile. */
#define SCPROF_FILE_SET_UP(fill)              \
  static int set_up(void **state)             \
  {                                           \
    struct fixture *f = calloc(1, sizeof *f); \
    temporary_path(f->path);                  \
    fill(f);                                  \
    *state = f;                               \
    return 0;                                 \
  }

/* Flips one bit of each byte of a range in turn; use() is called with what can be opened all the same. */
struct scprof_file_flips {
  int opened, refused, damaged; /* damaged: opened, and losses stated */
};
static inline void scprof_file_flip(const struct builder *b, const char *path, const uint64_t range[2],
                                    void (*use)(sc_reader *reader), struct scprof_file_flips *flips)
{
  builder_write(b, path);
  int file = open(path, O_WRONLY);
  for (uint64_t at = range[0]; at < range[1]; at++) {
    sc_reader *reader;
    unsigned char flipped = b->data[at] ^ (unsigned char)(1u << at % 8);
    assert_int_equal(pwrite(file, &flipped, 1, (off_t)at), 1);
    if (sc_reader_open(path, &reader) < 0) {
      flips->refused++;
    } else {
      flips->opened++;
      flips->damaged += *sc_reader_get_info(reader)->damage != '\0';
      use(reader);
      sc_reader_close(reader);
    }
    assert_int_equal(pwrite(file, &b->data[at], 1, (off_t)at), 1);
  }
  close(file);
}

/* The tables of a function's record `at`, as variables: sites, slots, events, locs, refs. */
#define SCPROF_FILE_TABLES(b, at)                                                \
  struct scale_sites *sites = builder_at(b, (at) + sizeof(struct scale_record)); \
  struct scale_site_slot *slots = (void *)(sites + 1);                           \
  struct scale_site_event *events = (void *)(slots + sites->slot_count);         \
  struct scale_loc *locs = (void *)(events + sites->event_count);                \
  struct scale_ref *refs = (void *)(locs + sites->loc_count);                    \
  (void)refs
