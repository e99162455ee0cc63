/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_FUZZ_TARGET_FED_H
#define SC_RUNNER_FUZZ_TARGET_FED_H
#include "base/err.h"
#include "runner/fuzz_target/target.h"

/* Where a command wants its input, and the command itself with that put in. */
enum sc_fed_way { SC_FED_NOWHERE, SC_FED_FILE, SC_FED_STDIN, SC_FED_ARGUMENT };
typedef struct sc_fed {
  enum sc_fed_way way;
  char **argv;          /* owned, NULL-terminated */
  size_t argument;      /* ARGUMENT: its number; the input goes between: */
  char *before, *after; /* of a text that contains {arg} */
  char *path;           /* FILE and STDIN */
  int file;             /* a descriptor of it, or -1 */
  size_t size;          /* of what is in it */
} sc_fed;

/* `path`: of the file that is made. SC_E_USAGE, SC_E_IO. To be released with sc_fed_close, after an error, too. */
int sc_fed_open(const struct sc_fuzz_spec *spec, const char *path, sc_fed *input) SC_CHECK;
/* Puts the bytes into the file; the program may have removed it, or put another one there. */
int sc_fed_write(sc_fed *input, const void *bytes, size_t size) SC_CHECK;
void sc_fed_close(sc_fed *input);
#endif
