/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_SCRATCH_H
#define SC_RUNNER_SCRATCH_H
#include <stdbool.h>

#include "base/err.h"

/* Directories of a study below its scratch directory: `shared` lives as long, the others as long as a run. */
typedef struct sc_scratch {
  char *base, *shared, *run; /* run holds the next three */
  char *files;               /* {dir} */
  char *profiles, *spool;
} sc_scratch;

/* Makes the directories of a run, named after it when kept. SC_E_IO, SC_E_NOSPACE. */
int sc_scratch_open(const char *base, const char *name, sc_scratch *scratch) SC_CHECK;
/* Releases; removes the run's directories unless keep. */
void sc_scratch_close(sc_scratch *scratch, bool keep);
/* A new directory under `parent` (NULL: $TMPDIR or /tmp), to be freed. */
int sc_scratch_make(const char *parent, char **path) SC_CHECK;
/* Removes a directory and everything in it, without following links. */
void sc_scratch_remove(const char *path);
#endif
