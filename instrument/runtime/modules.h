/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_MODULES_H
#define SCALE_RUNTIME_MODULES_H
/* The executable and the libraries that instrumented code lives in. */
#include "process.h"

/* The record reference of the module, written first if it has none; 0 if that failed. */
uint32_t __scale_modules_index(struct sc_process *p, struct scale_module_ref *module);
/* If a library was closed and opened again at the same place, its functions' records are there already: the
   reference of the one that equals fn's, or 0. fn's module has its index. */
uint32_t __scale_modules_known_function(struct sc_process *p, const struct scale_function *fn);
/* Copies the path of what is mapped at the address to `to` (SC_PATH_MAX bytes); returns its length, 0 if it has none.
 */
uint32_t __scale_modules_mapped(uint64_t address, char *to);
#endif
