/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* An executable or library, with the debug symbols that are installed for its build ID (Debian's -dbgsym packages). */
typedef struct sc_object sc_object;

/* SC_E_IO: it cannot be opened; SC_E_INPUT: it is not an executable or library. */
int sc_object_open(const char *path, sc_object **object) SC_CHECK;
void sc_object_close(sc_object *object); /* NULL is allowed */
const char *sc_object_path(const sc_object *object);
/* Whether it has a symbol table of all its functions, and not of those alone that it shows to others. */
bool sc_object_has_symbols(const sc_object *object);
/* Its debug information; NULL: none. Owned by the object. */
Dwarf *sc_object_dwarf(const sc_object *object);
/* Whether its frames are unwound to catch exceptions, or to move stacks (C++, Rust, Go): a return address that is not
 * the caller's ends the program then. */
bool sc_object_unwinds(const sc_object *object);
/* Whether it runs code on stacks that it switches between (coroutines of makecontext or of Boost), as far as its
 * symbols tell. The kernel keeps the return addresses that it replaced in the order of one stack: it would return to
 * the wrong callers, or end the program. Not of libc, which has these functions, nor of libcrypto, which uses them only
 * for programs that ask for it (SSL_MODE_ASYNC). */
bool sc_object_switches_stacks(const sc_object *object);
/* Where an address of its code stands in the file. False: it is not an address of its code. */
bool sc_object_offset(const sc_object *object, uint64_t address, uint64_t *offset);

/* Where its first instruction stands in the file, as bool above. */
bool sc_object_start(const sc_object *object, uint64_t *offset);

/* A symbol of a function that is defined in it. Texts live as long as the object. */
typedef struct sc_object_symbol {
  const char *name, *source; /* source: of a local one the file's name as the compiler noted it; else "" */
  uint64_t address;
  bool local, indirect; /* indirect: the address is that of code that chooses the function's (STT_GNU_IFUNC) */
} sc_object_symbol;
typedef int (*sc_object_symbol_fn)(void *user, const sc_object_symbol *symbol);
/* Visits all; one that two tables have comes twice. What `visit` returns below 0 ends it, and is returned. */
int sc_object_symbols(const sc_object *object, sc_object_symbol_fn visit, void *user) SC_CHECK;
