/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "runner/accept/notice.h"
#include "runner/fuzz/fuzz.h"

/* What a search for inputs found: for people, as notices, and as workload files that are run again. */

/* A judge without a study, for notices of a search: `program` is what was searched. */
typedef struct sc_finds_judge {
  sc_judge judge;
  sc_workload workload;
} sc_finds_judge;
/* Refers to `program`; owns nothing else. */
void sc_finds_judge_of(const char *program, sc_finds_judge *to);

/* `files`: where each find is kept; NULL: nowhere. Refers to `judge`; sc_notices_free also after an error. */
int sc_finds_notices(const sc_judge *judge, const sc_fuzz_finds *finds, char *const *files,
                     sc_notices *notices) SC_CHECK;
/* For people; `notices` says which are accepted. */
int sc_finds_print(FILE *out, const sc_fuzz_finds *finds, const sc_notices *notices) SC_CHECK;

/* A small example in quotes, or as bytes in hexadecimal where some are not to be read; cut behind SC_FUZZ_SHOWN. */
int sc_finds_example(const sc_fuzz_find *find, sc_buf *out, double *n, double *bytes) SC_CHECK;
/* "scan", "memmove": the function of the place; "" if it is unknown. */
const char *sc_finds_subject(const sc_fuzz_find *find);

/* Makes the folder, unless it is there and may be written to. SC_E_IO. */
int sc_finds_make_folder(const char *folder) SC_CHECK;
/* Keeps each find in the folder, which is made: NAME.xml, a workload that has the family, and NAME.input, the smallest
 * example. A file that is there stays, but one of the same place. `argv`: the command that was searched. *files has a
 * path for each find, to be released with sc_mem_free_list, also after an error; "": that one could not be kept, which
 * keeps none of the others away. NULL: there is no folder. SC_E_IO, SC_E_NOSPACE, and SC_E_INPUT of a command that no
 * workload can have. */
int sc_finds_keep(const char *folder, char *const *argv, const sc_fuzz_finds *finds, char ***files) SC_CHECK;

/* All that a folder keeps, by name. SC_E_INPUT: none, or one that is wrong. */
typedef struct sc_finds_kept {
  sc_fuzz_stored *list; /* [count] */
  char **files;         /* [count], NULL behind them */
  size_t count;
} sc_finds_kept;
/* sc_finds_kept_free also after an error. */
int sc_finds_load(const char *folder, sc_finds_kept *kept) SC_CHECK;
void sc_finds_kept_free(sc_finds_kept *kept);
