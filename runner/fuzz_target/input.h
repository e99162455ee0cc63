/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/err.h"
#include "runner/fuzz_target/target.h"

/* Where a command wants its input, and the command itself with that put in. */
enum sc_fuzz_way { SC_FUZZ_BY_NOWHERE, SC_FUZZ_BY_FILE, SC_FUZZ_BY_STDIN, SC_FUZZ_BY_ARGUMENT, SC_FUZZ_BY_MEMORY };
typedef struct sc_fuzz_input {
  enum sc_fuzz_way way;
  char **argv;          /* owned, NULL-terminated */
  size_t argument;      /* ARGUMENT: its number; the input goes between: */
  char *before, *after; /* of a text that contains {arg} */
  char *path;           /* FILE and STDIN */
  int file;             /* a descriptor of it, or -1 */
  size_t size;          /* of what is in it */
} sc_fuzz_input;

/* `path`: of the file that is made. SC_E_USAGE, SC_E_IO. To be released with sc_fuzz_input_close, after an error, too.
 */
int sc_fuzz_input_open(const struct sc_fuzz_spec *spec, const char *path, sc_fuzz_input *input) SC_CHECK;
/* Puts the bytes into the file; the program may have removed it, or put another one there. */
int sc_fuzz_input_write(sc_fuzz_input *input, const void *bytes, size_t size) SC_CHECK;
void sc_fuzz_input_close(sc_fuzz_input *input);
