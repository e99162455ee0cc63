/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Files as editors and studies name them. */

/* The path of a "file:" URI, decoded; NULL if it is not one, or out of memory. To be freed. */
char *sc_place_path(const char *uri);
/* The URI of an absolute path. To be freed; NULL: out of memory. */
char *sc_place_uri(const char *path);
/* The file of paths[count] that the editor's `path` is: the same path or file; else, as programs are built elsewhere,
 * the one with which it has most components at the end in common: two or more, or all that it has below `root` (NULL:
 * none). UINT32_MAX: not found, or more than one. */
uint32_t sc_place_match(const char *path, const char *root, const char *const *paths, uint32_t count);
/* Where a study's file is for the editor: at its path if it exists, else below the root under the longest end of it
 * that does. To be freed; NULL: nowhere, or out of memory. */
char *sc_place_local(const char *path, const char *root);
