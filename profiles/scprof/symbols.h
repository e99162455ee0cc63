/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <elfutils/libdw.h>
#include <stdbool.h>

#include "base/buf.h"
#include "profiles/scprof/reader.h"

/* The global variable that an address of the process lies in, or its part there. `file` may be "", `line` 0. */
typedef struct sc_symbol {
  char *name; /* "queue", "table.locks[]"; "queue+8" where there is no debug information; to be freed */
  const char *file;
  uint32_t line;
} sc_symbol;

/* Global variables of a process's modules. */
typedef struct sc_symbols sc_symbols;
/* Refers to the reader. Files are opened when an address in them is looked for. SC_E_NOMEM. */
int sc_symbols_new(const sc_reader *reader, sc_symbols **symbols) SC_CHECK;
/* The name is NULL if there is no variable, or no symbol table to tell. The file lives as long as the symbols. */
int sc_symbols_find(sc_symbols *symbols, uint64_t address, sc_symbol *symbol) SC_CHECK;
void sc_symbols_free(sc_symbols *symbols);

/* ---- symbols_parts.c ---- */
/* The definition of the variable at an address of the file; those inside functions are not looked for. */
bool sc_symbols_variable(Dwarf *dwarf, uint64_t address, Dwarf_Die *found);
/* Adds to the variable's name what the part at the offset is called. False: nobody can say. */
bool sc_symbols_part(Dwarf_Die *variable, uint64_t offset, sc_buf *name);
