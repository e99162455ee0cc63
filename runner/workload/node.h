/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <libxml/tree.h>

#include "runner/workload/workload.h"

/* Typed access to the elements of a workload file that the schema accepted. Errors carry file and line. */
typedef struct sc_node_source {
  const char *name; /* of the file */
  sc_workload *workload;
} sc_node_source;

/* Puts file and line of the node in front of the last error and returns err; 0 passes through. */
int sc_node_located(const sc_node_source *src, xmlNodePtr node, int err);
bool sc_node_is(xmlNodePtr node, const char *name);            /* an element of this name */
xmlNodePtr sc_node_child(xmlNodePtr parent, const char *name); /* the first one, or NULL */
size_t sc_node_count(xmlNodePtr parent, const char *name);
/* Text of an element; of an attribute, NULL if it is absent. To be freed. */
int sc_node_content(xmlNodePtr node, char **out) SC_CHECK;
int sc_node_attribute(xmlNodePtr node, const char *name, char **out) SC_CHECK;
/* Checks the names of a text's placeholders; {i} is allowed in generators. */
int sc_node_check_text(const sc_node_source *src, xmlNodePtr node, const char *text, bool generator) SC_CHECK;
/* An attribute with placeholders. */
int sc_node_template(const sc_node_source *src, xmlNodePtr node, const char *name, char **out) SC_CHECK;
/* Attributes with a value; *value stays as it is if the attribute is absent. `parse`: sc_workload_parse_size or _time.
 */
typedef int (*sc_node_parse_fn)(const char *text, double *value);
int sc_node_value(const sc_node_source *src, xmlNodePtr node, const char *name, sc_node_parse_fn parse,
                  double *value) SC_CHECK;
int sc_node_number(const sc_node_source *src, xmlNodePtr node, const char *name, unsigned low, unsigned high,
                   int *value) SC_CHECK;
/* A whole number from low to high. */
int sc_node_limited(const sc_node_source *src, xmlNodePtr node, const char *text, unsigned low, unsigned high,
                    unsigned *value) SC_CHECK;
/* The attribute `name`: one that can stand in braces and on a command line. */
int sc_node_name(const sc_node_source *src, xmlNodePtr node, char **name) SC_CHECK;
/* parameters.c: all <parameter> of the root. */
int sc_workload_parse_parameters(const sc_node_source *src, xmlNodePtr root) SC_CHECK;
/* A list of sizes as an element's text; nothing if node is NULL. */
int sc_node_sizes(const sc_node_source *src, xmlNodePtr node, double **sizes, size_t *count) SC_CHECK;
