/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* What a node of the tree of calling contexts stands for. */
enum sc_location_kind {
  SC_LOCATION_ROOT = 0,      /* context 0 of every graph: "the whole workload" */
  SC_LOCATION_PROCESS = 1,   /* name = base name of the executable: the process's role */
  SC_LOCATION_FUNCTION = 2,  /* count = calls. A function right below a process is a thread's root (main, a thread's
                                start function) or was entered by foreign code (constructor, atexit, signal) */
  SC_LOCATION_LOOP = 3,      /* count = iterations of the body */
  SC_LOCATION_FOREIGN = 4,   /* an uninstrumented function that called back (qsort): its calls are not counted */
  SC_LOCATION_TRUNCATED = 5, /* below it: what the node budget cut off, without its callers */
  SC_LOCATION_WORK = 6       /* a call of a library's function whose work is counted (strlen): count = units of work,
                                bytes mostly. It stands below the function or loop it is called from, and has no
                                children */
};
/* What a count of work is of; the numbers of enum scale_work_unit (profiles/layout.inc), and behind them what the
 * kernel tells of a process (docs/attach.md), whose work it is: it stands right below the process. */
enum sc_work_unit {
  SC_UNIT_BYTES = 1,
  SC_UNIT_CHARACTERS = 2,
  SC_UNIT_ELEMENTS = 3,
  SC_UNIT_OPERATIONS = 4,
  SC_UNIT_MICROSECONDS = 5,
  SC_UNIT_FAULTS = 6,
  SC_UNIT_BLOCKS = 7 /* of 512 bytes */
};

/* A program location. Two are the same if kind, name, file (of local functions and their loops, and of work), and for
 * loops and work line, column and nth are the same. Strings are never NULL and live as long as the graph that interned
 * them. */
typedef struct sc_location {
  enum sc_location_kind kind;
  bool local;            /* internal linkage: the name is unique only within its file */
  bool recursive;        /* the function is part of a static call cycle */
  bool system;           /* in a header of a folder that the build names as a system's (-isystem) */
  const char *name;      /* linkage name; a loop's is that of the function it is written in, work's of the one called */
  const char *display;   /* demangled; work's without what headers make of a function's name (__strcat_chk) */
  const char *file;      /* "" if unknown */
  uint32_t line, column; /* 0 if unknown; of work: of the call */
  uint32_t nth;          /* loop: among loops of the same function, line and column; work: enum sc_work_unit */
  uint32_t ordinal;      /* loop: its discriminator in the line table */
} sc_location;

/* Whether executions of it are counted: functions, loops, work. */
static inline bool sc_location_is_counted(const sc_location *location)
{
  return location->kind == SC_LOCATION_FUNCTION || location->kind == SC_LOCATION_LOOP ||
         location->kind == SC_LOCATION_WORK;
}
/* "function", "loop", "work": as JSON and pages name kinds. */
const char *sc_location_kind_name(enum sc_location_kind kind);
/* What its count is of, in the plural: "calls", "iterations", "bytes". */
const char *sc_location_unit(const sc_location *location);
/* What one of its count weighs where executions are summed or compared: 1 of calls and iterations, less of work. */
double sc_location_work_weight(const sc_location *work);
static inline double sc_location_weight(const sc_location *location)
{
  return location->kind == SC_LOCATION_WORK ? sc_location_work_weight(location) : 1;
}
/* Whether the name that a user gave means this function: its linkage name, or its demangled one, with or without
 * parameters. */
bool sc_location_is_called(const sc_location *location, const char *name);
/* It stands in a header of the system, of the compiler or of the C++ library: below /usr/include, /usr/lib or
 * /usr/local/include, or wherever they are installed (.../include/c++/12/..., .../lib/clang/19/include/...), or in a
 * folder that the build named with -isystem. */
bool sc_location_is_library(const sc_location *location);
