/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "profiles/scprof/live.h"

/*
 * One thing that takes bytes, and tells how often everything ran: a program built with scale-cc, forked for each input
 * where it would call main (its runtime is the fork server), or a harness, which takes one input after another until
 * one ends it. Other implementations serve tests.
 */
enum sc_fuzz_outcome { SC_FUZZ_ENDED, SC_FUZZ_CRASHED, SC_FUZZ_TIMED_OUT, SC_FUZZ_OUT_OF_MEMORY };
struct sc_fuzz_run {
  enum sc_fuzz_outcome outcome;
  int signal, exit_status; /* exit_status: valid if signal is 0 */
  /* Those above 0, ascending by context, valid until the next run; also of a run that was ended. A calling context has
   * the same number while the target is open. */
  const struct sc_live_count *counts;
  size_t count_count;
  double seconds; /* processor time */
};
enum sc_fuzz_place_kind {
  SC_FUZZ_PLACE_CALL,
  SC_FUZZ_PLACE_LOOP,
  SC_FUZZ_PLACE_WORK, /* what a function of a library works through, in its unit */
  SC_FUZZ_PLACE_OTHER /* the root (context 0), the process, code without counters */
};
struct sc_fuzz_place {
  const char *function, *file; /* never NULL; for people. They live as long as the target */
  unsigned line;               /* 0: unknown */
  unsigned column, nth;        /* tell those of one line apart */
  uint32_t parent;             /* context, smaller than its own number; of 0: 0 */
  int kind;                    /* enum sc_fuzz_place_kind */
};
struct sc_fuzz_target;
struct sc_fuzz_target_ops {
  /* SC_E_TARGET: the program itself can no longer be started. */
  int (*run)(struct sc_fuzz_target *, const void *bytes, size_t size, struct sc_fuzz_run *out);
  size_t (*context_count)(const struct sc_fuzz_target *); /* grows */
  void (*place)(const struct sc_fuzz_target *, uint32_t context, struct sc_fuzz_place *out);
  /* Hands over the files that it has its code from; NULL: it has none. An error of `take` is handed on. */
  int (*each_file)(const struct sc_fuzz_target *, int (*take)(void *user, const char *path), void *user);
  /* Changes bytes[*size] to at most `most` others as the program's own mutator does, with a seed; *size 0: it has none,
   * or that failed. NULL: it has none. */
  int (*change)(struct sc_fuzz_target *, unsigned char *bytes, size_t *size, size_t most, uint64_t seed);
  void (*close)(struct sc_fuzz_target *);
};
struct sc_fuzz_target {
  const struct sc_fuzz_target_ops *ops;
};

struct sc_fuzz_spec {
  /* The command, NULL-terminated: {file} in one of the arguments becomes the input's path, {stdin} as an argument of
   * its own is left out and the input is standard input, {arg} becomes the input itself, up to its first NUL. */
  char *const *argv;
  /* The command is a harness (scale-cc --scale-fuzz-main): it names no place for the input. */
  bool harness;
  const char *directory; /* working directory of the program; NULL: stay */
  const char *scratch;   /* existing folder for all files; NULL: a new one, on memory if there is such a file system */
  /* Limits; 0: none. */
  double seconds;     /* elapsed, of a run */
  uint64_t memory;    /* bytes of address space */
  uint64_t file_size; /* bytes of each file the program writes */
  uint64_t processes; /* at a time, beside those the user has now */
};
/* SC_E_USAGE: no place, or several, for the input; SC_E_TARGET: cannot be started, or has no counters, or is no
 * harness. */
int sc_fuzz_target_open(const struct sc_fuzz_spec *spec, struct sc_fuzz_target **target) SC_CHECK;
