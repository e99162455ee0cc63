/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>

#include "base/err.h"

/* Directories of a study below its scratch directory: `shared` lives as long, the others as long as a run. */
typedef struct sc_scratch {
  char *base, *shared, *run; /* run holds the next three */
  char *files;               /* {dir} */
  char *profiles, *spool;
} sc_scratch;

/* Makes the directories of a run, always of the same names: a program may count the characters of a path. Where this
 * process is root's, whom its programs may cease to be, every user who knows the name of `profiles` may make files in
 * it and nobody else can find it. SC_E_IO, SC_E_NOSPACE. */
int sc_scratch_open(const char *base, sc_scratch *scratch) SC_CHECK;
/* Releases. The run's directories are renamed to `keep_as`, or removed if it is NULL. */
void sc_scratch_close(sc_scratch *scratch, const char *keep_as);
/* A new directory under `parent` (NULL: $TMPDIR or /tmp); *path is to be freed. *lock, to be closed after the directory
 * is removed, marks it as in use: when this process is killed, sc_scratch_collect may remove it (-1 where the file
 * system has no locks). NULL: it stays until somebody removes it. */
int sc_scratch_make(const char *parent, char **path, int *lock) SC_CHECK;
/* Removes this user's directories under `parent` whose processes were killed. */
void sc_scratch_collect(const char *parent);
/* Removes a directory and everything in it, without following links. */
void sc_scratch_remove(const char *path);
