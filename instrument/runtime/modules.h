/* SPDX-License-Identifier: MIT */
#pragma once
/* The executable and the libraries that instrumented code lives in. */
#include "state.h"

/* The function's index: the reference of its record, which is written first if it has none, as its module's is. */
uint32_t __scale_modules_function(struct sc_process *p, struct scale_function *fn);
/* Copies the path of what is mapped at the address to `to` (SC_PATH_MAX bytes); returns its length, 0 if it has none.
 */
uint32_t __scale_modules_mapped(uint64_t address, char *to);
/* Where the mapping of the address begins and ends: 1, or 0 where nothing is mapped. */
int __scale_modules_around(uint64_t address, uint64_t *from, uint64_t *to);
