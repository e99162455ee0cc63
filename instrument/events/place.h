/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

struct cJSON;

/* Lines of JSON values, which cJSON does not keep. `text` (with a NUL behind `bytes`) is what `root` was parsed from.
 */

/* The line, from 1, that `item` begins in (with its key, if it has one); `root` or something in it. */
unsigned sc_place_line(const char *text, size_t bytes, const struct cJSON *root, const struct cJSON *item);
/* The line of the byte text[at]. */
unsigned sc_place_line_of(const char *text, size_t at);
