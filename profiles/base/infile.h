/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"

/* Files that somebody names as an argument. Never waits for one to come: regular files are opened, an empty one stands
 * for /dev/null, and pipes only if they are this process's own already (/dev/fd/63 of a shell's <(...), /dev/stdin). */

/* `err` with "WHAT cannot be read: why", if it cannot be opened or is a folder, a named pipe, a socket or a device;
 * errno is ENOENT if it is not there, EINVAL with a hint for the latter. *fd is to be closed. */
int sc_infile_open(const char *path, int err, const char *what, int *fd) SC_CHECK;
/* Appends all of it. Where it has more than `limit` bytes (0: any), a few more than that are read. SC_E_IO where
 * reading fails. */
int sc_infile_read(const char *path, int err, const char *what, size_t limit, sc_buf *text) SC_CHECK;
