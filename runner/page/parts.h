/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* What the files of this folder share; nobody else includes it. docs/page.md describes the data they write. */
#include "base/buf.h"
#include "profiles/graph/index.h"
#include "runner/judge/judge.h"
#include "runner/page/page.h"

enum { SC_PAGE_VERSION = 2 };

/* ---- json.c: compact JSON into a sc_buf ---- */
/* The writer puts commas where they belong. `key` NULL: an element of a list. */
typedef struct sc_page_json {
  sc_buf *out;
  bool first; /* nothing was written yet in the innermost object or list */
} sc_page_json;
/* `bracket`: '{' or '['; its partner closes. Errors are those of the buf. */
void sc_page_open(sc_page_json *json, const char *key, char bracket);
void sc_page_close(sc_page_json *json, char bracket);
/* All digits of whole numbers below 2^53, else `digits` significant ones; null if not finite. */
void sc_page_number(sc_page_json *json, const char *key, double value, int digits);
/* As their names say. */
void sc_page_integer(sc_page_json *json, const char *key, int64_t value);
void sc_page_bool(sc_page_json *json, const char *key, bool value);
/* null if NULL. Bytes that are no UTF-8 become U+FFFD. */
void sc_page_text(sc_page_json *json, const char *key, const char *text);
void sc_page_interval(sc_page_json *json, const char *key, const sc_interval *interval); /* [value, low, high] */

/* ---- strings.c: texts by number, each once ---- */
typedef struct sc_page_strings {
  sc_index index;
  char **list; /* [count]; number 0 is "" */
  size_t count, capacity;
} sc_page_strings;
/* The text's number, the same for equal ones; copied. SC_E_NOMEM. */
int sc_page_strings_add(sc_page_strings *strings, const char *text, uint32_t *number) SC_CHECK;
void sc_page_strings_write(const sc_page_strings *strings, sc_page_json *json);
void sc_page_strings_free(sc_page_strings *strings);

/* ---- grid.c: the sizes at which models are evaluated ---- */
typedef struct sc_page_grid {
  double *sizes; /* [count] ascending: measured sizes, targets, budgets' sizes, and others in between */
  size_t count;
} sc_page_grid;
/* Of both studies; fewer between where there are many models. sc_page_grid_free also after an error. */
int sc_page_grid_make(const sc_judge *judge, const sc_judge *base, sc_page_grid *grid) SC_CHECK;
void sc_page_grid_free(sc_page_grid *grid);

/* ---- sources.c: the source of functions that ran, the same for all combinations ---- */
typedef struct sc_page_places sc_page_places;
/* Adds what the study costs there to its files; their lines with the first one. */
int sc_page_places_add(sc_page_places **places, const sc_judge *judge) SC_CHECK;
/* At most `bytes` of it. `study`: the file that it is compared with by age. `places` NULL: nothing. */
int sc_page_places_write(sc_page_places *places, const char *study, size_t bytes, sc_page_strings *strings,
                         sc_page_json *json) SC_CHECK;
void sc_page_places_free(sc_page_places *places);

/* ---- one study at one combination ---- */
typedef struct sc_page_study {
  const sc_judge *judge;
  const struct sc_notices *notices; /* which findings are accepted; NULL: none */
  const sc_page_grid *grid;
  sc_page_strings *strings; /* of all combinations */
} sc_page_study;
int sc_page_study_write(sc_page_study *study, const char *key, sc_page_json *json) SC_CHECK;   /* study.c */
int sc_page_models_write(sc_page_study *study, sc_page_json *json) SC_CHECK;                   /* models.c */
int sc_page_contexts_write(sc_page_study *study, sc_page_json *json) SC_CHECK;                 /* contexts.c */
int sc_page_tree_write(const sc_page_study *study, sc_page_json *json) SC_CHECK;               /* tree.c */
int sc_page_findings_write(sc_page_study *study, sc_page_json *json) SC_CHECK;                 /* findings.c */
int sc_page_resources_write(sc_page_study *study, sc_page_json *json) SC_CHECK;                /* resources.c */
int sc_page_blame_write(sc_page_study *study, uint32_t resource, sc_page_json *json) SC_CHECK; /* blame.c */
/* changes.c */
int sc_page_changes_write(const struct sc_notices *notices, sc_page_json *json) SC_CHECK;
/* "accepted": {"reason", "until"}, if a notice about it is. */
void sc_page_accepted(sc_page_json *json, const struct sc_notices *notices, const void *about); /* findings.c */
/* A model in words, for resources and changes: {"formula", "order", "class", "exact", "error", "why"}, or null. */
void sc_page_model_brief(sc_page_json *json, const char *key, const sc_model *model, const char *variable);
/* How fast an order grows: 0 not at all, 1 slower than n, 2 as n, 3 up to n log n, 4 up to n^2, 5 faster. */
int sc_page_order_class(const sc_order *order);

/* ---- embed.c ---- */
/* The page that was built from web/, as one text with a place for the data; 0 bytes if this build has none. */
extern const unsigned char sc_page_template[];
extern const unsigned sc_page_template_bytes;
/* SC_E_INPUT if there is no page. */
int sc_page_check(void) SC_CHECK;
/* Writes the page with the data in it, compressed. */
int sc_page_embed(FILE *out, const char *title, const sc_buf *data) SC_CHECK;
