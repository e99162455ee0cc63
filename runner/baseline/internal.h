/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* What the files here share. */
#include <cjson/cJSON.h>

#include "runner/baseline/baseline.h"
#include "runner/text/json_parts.h"

enum { SC_BASELINE_KINDS = 7 }; /* of locations, by enum sc_location_kind */
extern const char *const sc_baseline_kinds[SC_BASELINE_KINDS];
/* A number of sc_occupancy, in the order of the file. */
typedef struct sc_baseline_field {
  const char *name;
  size_t offset; /* of the double */
  bool seconds;  /* which are rounded */
} sc_baseline_field;
enum { SC_BASELINE_OCCUPANCY = 9 };
extern const sc_baseline_field sc_baseline_occupancy[SC_BASELINE_OCCUPANCY];
extern const char *const sc_baseline_values[SC_USAGE_VALUES]; /* by enum sc_usage_value */

/* The distinct series, each named by its values: a name stays when others come and go. */
enum { SC_BASELINE_ID = 13 };
typedef struct sc_baseline_series {
  char id[SC_BASELINE_ID];
  double *values; /* [count]; owned */
  size_t count;
} sc_baseline_series;

typedef struct sc_baseline_writer {
  FILE *out;
  const sc_loaded *loaded;
  const char *machine; /* where it was measured; NULL: unknown */
  const sc_graph *graph;
  size_t *runs; /* [run_count] by size, role and repeat */
  size_t run_count, size_count;
  bool *kept;       /* [contexts] */
  uint32_t *holder; /* [contexts] the nearest one that is kept */
  uint32_t *left_out,
      *next_left_out; /* [contexts] of what a kept one holds: the first, and the one behind it; 0: none */
  struct sc_baseline_use {
    uint32_t holder;
    size_t run; /* position in `runs` */
    const sc_usage *row;
    uint32_t line, column; /* of the call, if it stands in the holder itself; else 0 */
  } * uses;                /* [use_count] all rows, by holder */
  size_t use_count;
  char *root; /* folder of the sources, with a slash; "": unknown */
  sc_baseline_series *series;
  size_t series_count, series_capacity;
  double *row; /* [run_count] to work with */
  sc_json json;
  size_t lines; /* in the list being written */
} sc_baseline_writer;

/* The name of values[run_count], by run: noted to be written. NULL: out of memory. */
const char *sc_baseline_series_note(sc_baseline_writer *w, const double *values);
int sc_baseline_series_write(sc_baseline_writer *w) SC_CHECK;
/* Rounded to five digits: what was timed is no better. */
double sc_baseline_round(double value);
/* Writes an object on a line of its own, and deletes it. */
int sc_baseline_line(sc_baseline_writer *w, cJSON *object) SC_CHECK;
int sc_baseline_list_begin(sc_baseline_writer *w, const char *name) SC_CHECK;
int sc_baseline_list_end(sc_baseline_writer *w) SC_CHECK;
/* The folder that all sources outside of the current one have in common. */
int sc_baseline_find_root(sc_baseline_writer *w) SC_CHECK;
/* The path relative to the sources' root; to be freed, NULL: out of memory. */
char *sc_baseline_file(const sc_baseline_writer *w, const char *file);
/* keep.c: fills in kept and holder. */
int sc_baseline_keep(sc_baseline_writer *w) SC_CHECK;
/* usage.c */
int sc_baseline_write_resources(sc_baseline_writer *w) SC_CHECK;
int sc_baseline_index_uses(sc_baseline_writer *w) SC_CHECK;
/* Adds what a context did to resources to its object. */
int sc_baseline_add_uses(sc_baseline_writer *w, uint32_t context, cJSON *object) SC_CHECK;

typedef struct sc_baseline_reader {
  const char *name;    /* of the file, in messages */
  const char *section; /* "contexts"; NULL: the document */
  size_t item;         /* there */
  sc_graph *graph;
  size_t run_count, size_count;
  size_t *size_of;            /* [run_count] number of the run's size */
  sc_baseline_series *series; /* [series_count] sorted by id */
  size_t series_count;
  struct sc_baseline_key {
    char *key;
    uint32_t number;
  } * resources; /* [resource_count] sorted */
  size_t resource_count;
} sc_baseline_reader;

/* SC_E_INPUT, saying where. */
int sc_baseline_fault(const sc_baseline_reader *r, const char *format, ...) SC_PRINTF(2, 3);
/* Members of an object. `absent`: what a missing one is worth; NAN: it has to be there. */
int sc_baseline_get_number(const sc_baseline_reader *r, const cJSON *object, const char *key, double absent,
                           double most, double *value) SC_CHECK;
int sc_baseline_get_whole(const sc_baseline_reader *r, const cJSON *object, const char *key, double absent,
                          uint32_t *value) SC_CHECK;
int sc_baseline_get_bool(const sc_baseline_reader *r, const cJSON *object, const char *key, bool *value) SC_CHECK;
/* *text: in the document; `absent` if the key is missing; NULL: it is required. */
int sc_baseline_get_text(const sc_baseline_reader *r, const cJSON *object, const char *key, const char *absent,
                         const char **text) SC_CHECK;
int sc_baseline_get_list(const sc_baseline_reader *r, const cJSON *object, const char *key,
                         const cJSON **list) SC_CHECK;
/* The series a member names; *series NULL if there is no such member. */
int sc_baseline_get_series(const sc_baseline_reader *r, const cJSON *object, const char *key,
                           const sc_baseline_series **series) SC_CHECK;
/* Its value in a run: a series has a value for each run, or one for each size. */
double sc_baseline_series_at(const sc_baseline_reader *r, const sc_baseline_series *series, size_t run);
/* read_usage.c */
int sc_baseline_read_resources(sc_baseline_reader *r, const cJSON *document) SC_CHECK;
int sc_baseline_read_uses(sc_baseline_reader *r, const cJSON *object, uint32_t context) SC_CHECK;
