/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/* Where -o says: a regular file appears, or is replaced, when all of it was written, so that a failure leaves what was
 * there. */
typedef struct sc_outfile {
  FILE *stream;     /* to write to */
  const char *path; /* NULL: standard output */
  char *temporary;  /* NULL: written in place (a pipe, a device, a symbolic link) */
  bool nameless;    /* the temporary file has no name yet: if the program is killed, nothing is left of it */
} sc_outfile;

/* Why a stream cannot be written to (errno's number), or 0 if all of it was. Many small writes may have failed since,
 * and errno be another's: then one more is tried. */
int sc_outfile_why(FILE *stream);
/* `path` NULL: standard output. SC_E_IO with a hint where nothing can be written. */
int sc_outfile_open(const char *path, sc_outfile *out) SC_CHECK;
/* Ends it: with err >= 0 the file is put in its place (SC_E_NOSPACE, SC_E_IO if it cannot be, an error that was kept
 * before), else nothing is left of it. Returns err, or the failure. Does nothing where sc_outfile_open failed. */
int sc_outfile_close(sc_outfile *out, int err) SC_CHECK;
