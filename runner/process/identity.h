/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>

/* Room for an identity; sc_module's build_id. */
enum { SC_IDENTITY_BYTES = 129 };

/* What tells two builds of a file apart: its build ID in hex, as the runtime records it, or for files without one a
 * hash of their content. False if the file cannot be read; `id` is "" then. */
bool sc_identity_read(const char *path, char id[SC_IDENTITY_BYTES]);
/* The hash of the content, whether there is a build ID or not. */
bool sc_identity_hash(const char *path, char id[SC_IDENTITY_BYTES]);
