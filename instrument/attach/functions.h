/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

#include "instrument/attach/object.h"
#include "instrument/attach/values.h"

/* Functions that were chosen by name, and where they are entered: what a uprobe can count, and what it cannot. */

typedef struct sc_entry {
  uint64_t address, offset; /* as symbols have it; in the file */
} sc_entry;

typedef struct sc_function {
  char *file;        /* path of the program or library */
  char *name;        /* linkage name, without the suffixes of compilers */
  char *display;     /* demangled; without C++ the name */
  bool local;        /* internal linkage */
  char *source;      /* file it is written in; "": unknown */
  unsigned line;     /* of its definition; 0: unknown */
  char *alias;       /* another name that the same code has; NULL: none */
  sc_entry *entries; /* the compiler may make copies of a function, each with an entry of its own */
  size_t entry_count, entry_room;
  bool indirect;    /* its code is chosen when the program starts: the symbol is not its entry */
  bool split;       /* a part of it stands apart (.part): the rest was inlined somewhere */
  bool described;   /* debug information has it */
  bool copied;      /* an entry is of a copy, which may be handed other arguments than the function is */
  sc_values values; /* by debug information */
  unsigned inlined; /* places at which the compiler put its body instead of a call, by debug information */
} sc_function;

typedef struct sc_functions {
  sc_function *list;
  size_t count, room;
} sc_functions;

/* Adds the functions of an object that a name means: a linkage name, or a demangled one with or without parameters,
 * which overloaded functions share. What is there already is not added again. */
int sc_functions_find(const sc_object *object, const char *name, sc_functions *functions) SC_CHECK;
void sc_functions_free(sc_functions *functions);
/* A name in the object that is near to `name`, copied to `best`; *distance is of the nearest so far, 100 at first. */
int sc_functions_suggest(const sc_object *object, const char *name, char *best, size_t size,
                         unsigned *distance) SC_CHECK;
