/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "runner/text/json_parts.h"

/* Makes the next member of an array that stands in the document as a raw item, with the item's valueint as `list`: 1
 * and *made, which the printer deletes; 0: the array ends. */
typedef int (*sc_json_member_fn)(void *user, int list, size_t index, cJSON **made);

/* Prints a document as cJSON_Print formats it, without its text in memory, unless composing it gave the error `err` or
 * failed; deletes it. */
int sc_json_write(FILE *out, cJSON *document, const sc_json *json, int err) SC_CHECK;
/* Members of raw items are printed one by one. */
int sc_json_write_members(FILE *out, cJSON *document, const sc_json *json, int err, sc_json_member_fn member,
                          void *user) SC_CHECK;
