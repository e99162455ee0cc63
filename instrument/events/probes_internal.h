/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <cjson/cJSON.h>

#include "instrument/events/probes.h"

/* One file, parsed; strings and resources live in it. */
struct sc_probes_set {
  struct sc_probes_set *next;
  char *name; /* of the file */
  char *text; /* with a NUL behind its bytes */
  size_t bytes;
  cJSON *root;
  sc_probes_resource *resources;
  size_t resource_count;
};

/* A value of a set that is being read, and what an error needs. */
typedef struct sc_probes_at {
  const struct sc_probes_set *set;
  const cJSON *item;
  const char *what; /* "a resource", "an event's unit" */
} sc_probes_at;

/* Sets the error "FILE:LINE: ..." about `item` (NULL: at->item) and returns SC_E_INPUT; the hint is the caller's. */
int sc_probes_fault(const sc_probes_at *at, const cJSON *item, const char *format, ...) SC_PRINTF(3, 4);

/* Lists of words end in NULL. at->item is an object, and its keys are of the list, each at most once. */
int sc_probes_value_object(const sc_probes_at *at, const char *const *keys) SC_CHECK;
/* The member `key` of at->item, or an error without it. */
int sc_probes_value_member(const sc_probes_at *at, const char *key, const cJSON **member) SC_CHECK;
/* Why the text is not a valid name ("is empty"), or NULL. */
const char *sc_probes_value_flaw(const char *text);
/* A name: 1 to SC_PROBES_TEXT_BYTES bytes without control characters. */
int sc_probes_value_text(const sc_probes_at *at, const cJSON *item, const char **text) SC_CHECK;
int sc_probes_value_integer(const sc_probes_at *at, const cJSON *item, double low, double high, double *value) SC_CHECK;
int sc_probes_value_word(const sc_probes_at *at, const cJSON *item, const char *const *words, size_t *index) SC_CHECK;
/* A member that may be missing: then *flag stays. */
int sc_probes_value_flag(const sc_probes_at *at, const char *key, bool *flag) SC_CHECK;
int sc_probes_value_argument(const sc_probes_at *at, const cJSON *item, unsigned *argument) SC_CHECK;

/* A linkage name: what nm prints. */
int sc_probes_value_function(const sc_probes_at *at, const cJSON *item, const char **function) SC_CHECK;
/* {"return": true} */
int sc_probes_value_return(const sc_probes_at *at, const cJSON *item) SC_CHECK;
/* The same of another value. */
sc_probes_at sc_probes_inside(const sc_probes_at *at, const cJSON *item, const char *what);

/* Whether it is the word of an event that something is done to a resource by. */
bool sc_probes_is_resource_event(const cJSON *word);
/* Fills in a resource from at->item: all but its events. */
int sc_probes_parse_resource(const sc_probes_at *at, sc_probes_resource *resource) SC_CHECK;
/* Fills in an event of the resource from at->item: all but `resource`, `set` and `item`. The set's resources are
 * known. */
int sc_probes_parse_event(const sc_probes_at *at, const sc_probes_resource *resource, sc_probes_event *event) SC_CHECK;

/* Checks a function that was found not to be an event, which is kept for the reader alone. */
int sc_probes_parse_rejected(const sc_probes_at *at) SC_CHECK;

/* Fills in an event of work from at->item: all but `set` and `item`. */
int sc_probes_work_parse(const sc_probes_at *at, sc_probes_work *work) SC_CHECK;
bool sc_probes_work_equal(const sc_probes_work *a, const sc_probes_work *b);
/* FUNCTION, "work", AMOUNT, UNIT and a line end. */
void sc_probes_work_line(const sc_probes_work *work, sc_buf *to);
/* The amount and the unit for people: "argument 1 * 4 bytes". */
void sc_probes_work_describe(const sc_probes_work *work, sc_buf *to);
