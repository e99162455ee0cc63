/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <libxml/tree.h>
#include <stdbool.h>

#include "base/err.h"

/* Parses the text and validates it against the embedded schema. No network, no document type, no entities but the five
 * of XML. SC_E_INPUT with "name:line: ..." and a hint. *doc is to be released with xmlFreeDoc. */
int sc_workload_xml_read(const char *text, const char *name, xmlDocPtr *doc) SC_CHECK;
/* For a tree that the schema refuses: SC_E_INPUT with the first unknown, missing or doubled element or attribute; 0 if
 * names are right and it must be a value. */
int sc_workload_explain(xmlDocPtr schema, xmlNodePtr root, const char *file) SC_CHECK;
