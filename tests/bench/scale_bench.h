/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define BUILDER_RECORDS (2 << 20)
#include "tests/unit/scprof_builder.h"

/*
 * The synthetic program: functions with loops, loops in loops, inlined helpers and three to six call sites each, direct
 * or open (through a pointer, or through a library function that calls back), and some lead back up the path.
 * Every third function is a leaf that needs no node. Everything follows from numbers, so that each run is the same
 * program and the number of its contexts is known without asking the reader.
 */
enum {
  SC_PROGRAM_FUNCTIONS = 1800,
  SC_PROGRAM_LOCS = 6,    /* at most, of a function */
  SC_PROGRAM_SLOTS = 6,   /* at most, of a function */
  SC_PROGRAM_CALLEES = 3, /* at most, behind an open slot */
};

struct sc_program_slot {
  uint32_t loc;
  bool open, foreign;                   /* foreign: a library function stands between */
  uint32_t callees[SC_PROGRAM_CALLEES]; /* no two of a function's callees are the same */
  uint32_t callee_count;
};

struct sc_program_function {
  bool leaf;
  uint32_t loc_count, slot_count;
  uint32_t last;   /* slot that calls no leaf */
  uint32_t loops;  /* locs 1 ... loops */
  uint32_t helper; /* loc of the inlined function, or 0 */
  uint32_t parents[SC_PROGRAM_LOCS];
  struct sc_program_slot slots[SC_PROGRAM_SLOTS];
};

/* The numbers everything follows from. */
uint64_t sc_program_mix(uint64_t a, uint64_t b);
/* Whether a loc is counted by the function's entries instead of by a counter of its own. */
bool sc_program_by_entries(const struct sc_program_function *f, uint32_t loc);
/* Writes the records of all functions; `functions` has SC_PROGRAM_FUNCTIONS of them. */
void sc_program_make(struct builder *records, struct sc_program_function *functions);

/* Writes the profile of one run, numbered from 0, at size `n`. Returns how many contexts it and the runs
 * before it have together, about `contexts`, and in *counts the sum of its counts. Ends the process if it cannot. */
uint64_t sc_generate_profile(const char *path, uint64_t contexts, unsigned run, double n, double *counts);

/* What a stage took: processor and elapsed seconds. */
struct sc_measure_time {
  double cpu, wall;
};
enum { SC_MEASURE_RUNS = 20 };
struct sc_measure_result {
  uint64_t contexts, nodes, series, profile_bytes, study_bytes;
  struct sc_measure_time read, store, load; /* load: in a process of its own */
  double counts[SC_MEASURE_RUNS];           /* what the runs count, as they were made */
  double read_mib, load_mib;                /* largest resident set: reading and storing, loading */
};
/* A study of `runs` runs, made in `folder`, which must be empty and is emptied again; kept as the file `kept` if that
 * is not NULL. Ends the process on an error. */
void sc_measure_study(const char *folder, uint64_t contexts, unsigned runs, const char *kept,
                      struct sc_measure_result *result);
