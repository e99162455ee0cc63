/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <cjson/cJSON.h>

#include "transitions/model/elapsed.h"

/* The JSON of numbers, texts, orders, models, intervals and contexts. An addition to a NULL object or a failed
 * one sets `failed`, so that a long composition needs one check. What has a key NULL is appended to an array. */
typedef struct sc_json {
  bool failed;
} sc_json;

/* A new object or list in `parent`, which owns it; NULL after a failure. */
cJSON *sc_json_object(sc_json *json, cJSON *parent, const char *key);
/* Without `any`: null in the document, and NULL. */
cJSON *sc_json_object_if(sc_json *json, cJSON *parent, const char *key, bool any);
cJSON *sc_json_array(sc_json *json, cJSON *parent, const char *key);
void sc_json_number(sc_json *json, cJSON *object, const char *key, double value);     /* null if not finite */
void sc_json_text(sc_json *json, cJSON *object, const char *key, const char *text);   /* null if NULL or empty */
void sc_json_string(sc_json *json, cJSON *object, const char *key, const char *text); /* null if NULL */
void sc_json_bool(sc_json *json, cJSON *object, const char *key, bool value);
void sc_json_interval(sc_json *json, cJSON *object, const char *key, const sc_interval *interval); /* NULL: null */
/* "value", "low" and "high" in `object` itself. */
void sc_json_bounds(sc_json *json, cJSON *object, const sc_interval *interval);
void sc_json_order(sc_json *json, cJSON *object, const char *key, const sc_order *order, const char *variable);
void sc_json_model(sc_json *json, cJSON *object, const sc_model *model, const char *variable); /* fills object */
/* The context as the list of steps to it: {"kind", "name", "file", "line", "column", "call_line"}. */
void sc_json_context(sc_json *json, cJSON *object, const char *key, const sc_graph *graph, uint32_t context);
/* The same as answers have it: "context": {"path": ["main (main.c:3)", ...], "kind", "function", "file", "line",
 * "column", "subject", "subject_file", "subject_line"}. */
void sc_json_answer_context(sc_json *json, cJSON *object, const sc_graph *graph, uint32_t context);
/* "predicted", "actual", "relative_error", "within_interval". */
void sc_json_comparison(sc_json *json, cJSON *object, const sc_interval *predicted, double actual);
/* function, linkage_name, file, line, column of a context's location. */
void sc_json_place(sc_json *json, cJSON *object, const sc_location *location);
/* "subject": the user's own function, file and line: of what stands in a system header those of the call into it
 * (sc_graph_spot), and the library's function that is called ("through", else null). */
void sc_json_subject(sc_json *json, cJSON *object, const sc_graph *graph, uint32_t context);
/* "parts" of an elapsed time, "parts_measured", "mostly_waiting". */
void sc_json_elapsed_parts(sc_json *json, cJSON *item, const sc_elapsed_parts *parts);
