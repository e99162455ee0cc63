/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/fuzz/fuzz.h"

/* <found> of a workload file: the words for what a find is. */
const char *sc_found_what(enum sc_fuzz_outcome outcome);   /* "grows" */
const char *sc_found_prefix(enum sc_fuzz_outcome outcome); /* of a file: "slow" */
const char *sc_found_fails(enum sc_fuzz_outcome outcome);  /* "takes too long" */
const char *sc_found_place(int kind);                      /* "loop"; NULL: none */
/* To be released with sc_found_free, also after an error. SC_E_INPUT: no workload that has a find. */
int sc_found_read(const char *path, sc_fuzz_stored *stored) SC_CHECK;
void sc_found_free(sc_fuzz_stored *stored);
